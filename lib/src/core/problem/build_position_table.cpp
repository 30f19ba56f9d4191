// The tables of positions: learned ones that are added to the input, and T5's biases.
#include <algorithm>

#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

void complain_table(Build& build, const std::string& key, const std::string& what,
                    const std::string& fix) {
  build.complaints.add("positions", "/positions" + key, what, fix);
}

/// The last position of a row: a listed one, or counted from the offset.
Index last_position(const ProblemFacts& p) {
  Index last = p.positions.ids.empty() ? *p.positions.offset + p.n_queries - 1 : 0;
  for (const auto& entry : p.positions.ids)
    last = std::max(last, *std::max_element(entry.begin(), entry.end()));
  return last;
}

/// A row for every position, as wide as the input.
void check_learned(Build& build, const Array& table) {
  const ProblemFacts& p = build.problem;
  if (!p.x) return;  // refused already
  if (table.shape[1] != p.x->cols())
    complain_table(build, "/table",
                   filled("the table has {}, but rows of X have {}",
                          counted(table.shape[1], "column"), counted(p.x->cols(), "number")),
                   "Give one row of d_model numbers for each position.");
  if (last_position(p) >= table.shape[0])
    complain_table(build, "/table",
                   filled("the table has {}, but the last position is {}",
                          counted(table.shape[0], "row"), last_position(p)),
                   "Give a row for each position, counted from 0, or shorter text.");
}

/// A row for every bucket, a column for every head.
void check_buckets(Build& build, const Array& table) {
  const ProblemFacts& p = build.problem;
  const Positions& own = p.positions;
  const Index heads = p.heads.value_or(1), buckets = *own.num_buckets;
  if (table.shape[1] != heads)
    complain_table(build, "/table",
                   filled("the table of t5 has {}, but {}", counted(table.shape[1], "column"),
                          there_are(heads, "head")),
                   "Give one row for each bucket, with one number for each head: the numbers of "
                   "relative_attention_bias.weight.");
  if (table.shape[0] != buckets)
    complain_table(
        build, "/num_buckets",
        filled("num_buckets is {}, but the table has {}", buckets, counted(table.shape[0], "row")),
        "Leave it out: it is the number of rows.");
  const bool both = *own.bidirectional;
  const Index each = both ? buckets / 2 : buckets;
  if (each < 2 || (both && buckets % 2 != 0))
    complain_table(
        build, "/table",
        both ? filled("bidirectional needs an even number of buckets, at least 4, but "
                      "there are {}",
                      buckets)
             : filled("t5 needs at least 2 buckets, but there is {}", buckets),
        both ? "Give as many rows for later keys as for earlier ones, or \"bidirectional\": "
               "false."
             : "Give a row for each bucket.");
  else if (*own.max_distance <= each / 2)
    complain_table(build, "/max_distance",
                   filled("max_distance should be above {}: distances below that have a bucket of "
                          "their own",
                          each / 2),
                   "Leave it out: its default is 128.");
}

}  // namespace

void check_position_table(Build& build) {
  const Positions& own = build.problem.positions;
  const bool learned = own.kind == PositionKind::Learned;
  if (!own.table) {
    complain_table(build, "", filled("{} needs a table", word_of(own.kind)),
                   learned
                       ? "Add \"table\": one row of d_model numbers for each position."
                       : "Add \"table\": one row for each bucket, with a number for each head.");
    return;
  }
  if (own.table->rank() != 2 || own.table->shape[0] * own.table->shape[1] == 0) {
    complain_table(build, "/table",
                   filled("the table of positions should be a matrix, but it is {}",
                          shape_text(own.table->shape)),
                   kCheckBrackets);
    return;
  }
  check_finite(build, *own.table, "/positions/table");
  learned ? check_learned(build, *own.table) : check_buckets(build, *own.table);
}

}  // namespace attn
