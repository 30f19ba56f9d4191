// Online softmax: a row of attention from blocks of keys, without the whole row of scores.
#include "attn/core/online_softmax.hpp"

#include <algorithm>
#include <cmath>

#include "attn/phrases.hpp"
#include "core/text/thousands.hpp"
#include "teach/lessons/followed.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostShown = 6;  // numbers of a list

/// "1.2, -0.5": the first of them.
std::string numbers_text(const Telling& lesson, std::span<const double> numbers) {
  std::vector<std::string> texts;
  for (const double x : numbers) texts.push_back(lesson.number(x));
  return listed(texts, kMostShown);
}

std::vector<double> divided(const OnlineRow& row) {
  std::vector<double> result = row.output;
  for (double& x : result) x /= row.sum;
  return result;
}

/// Whether the blocks end in this row.
bool ends_in(const std::vector<OnlineBlock>& blocks, std::span<const double> expected) {
  const std::vector<double> found = divided(blocks.back().row);
  return std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                    [](double a, double b) { return is_close(a, b, 1e-14); });
}

Table table_of(const Telling& lesson, const std::vector<OnlineBlock>& blocks, const Followed& row) {
  Table table{{"keys", "scores", "maximum", "factor", "sum", "output"}, {}, 2};
  bool is_empty = true;  // so far
  for (const OnlineBlock& block : blocks) {
    const auto first = row.keys.begin() + block.first;
    const std::vector<std::string> keys(first, first + std::ssize(block.scores));
    table.rows.push_back({listed(keys, 3), numbers_text(lesson, block.scores),
                          lesson.number(block.row.maximum),
                          is_empty ? "" : lesson.number(block.rescale),
                          lesson.number(block.row.sum), numbers_text(lesson, block.row.output)});
    is_empty = block.row.sum == 0.0;
  }
  const std::vector<double> result = divided(blocks.back().row);
  table.rows.push_back({"output / sum", "", "", "", "", numbers_text(lesson, result)});
  return table;
}

/// Numbers that a head of width 64 moves between memory and processor for n tokens.
struct Traffic {
  double full = 0.0, online = 0.0;
};
constexpr double kWidth = 64, kBlock = 128;

Traffic traffic(double n) {
  const double row_of_blocks = 2 * n * kWidth;           // K and V
  return {4 * n * kWidth + 4 * n * n,                    // Q K V O; S and A, out and in again
          2 * n * kWidth + n / kBlock * row_of_blocks};  // Q O
}

void tell_what_is_saved(Telling& lesson) {
  lesson.say(
      "What does it save? The full way writes n × n scores, reads them for softmax, writes "
      "n × n weights and reads them for the product: with Q, K, V and the output it moves "
      "4·n·d + 4·n² numbers. Online, a block of scores never leaves the processor. In exchange K "
      "and V are read again for each of the n/128 blocks of queries: 2·n·d + 2·n·d·n/128 numbers. "
      "By these formulas, for one head of width d = 64, these are the numbers moved, and the "
      "numbers held at once:");
  Table table{{"tokens", "moved, full", "moved, online", "held, full", "held, online"}, {}, 0};
  // a block of scores; blocks of Q, K, V and the output; maximum and sum of each query
  const double held = kBlock * kBlock + kBlock * (4 * kWidth + 2);
  double longest = 0.0;
  Traffic last;
  for (const double n : {1024.0, 4096.0, 16384.0}) {
    last = traffic(longest = n);
    table.rows.push_back({in_thousands(n), in_thousands(last.full), in_thousands(last.online),
                          in_thousands(2 * n * n), in_thousands(held)});
  }
  lesson.table(std::move(table));
  lesson.say(
      "For " + in_thousands(longest) + " tokens, online moves " +
      lesson.number(std::round(100.0 * last.online / last.full)) +
      "% as many numbers. What it holds does not depend on the number of tokens. The products "
      "are the same: speed comes from less traffic.");
}

}  // namespace

void tell_online_softmax(Telling& lesson) {
  const auto trace = lesson.attended();
  const Followed row = followed(*trace);
  lesson.needs(!row.visible.empty(), "a query that sees a key");
  lesson.needs(trace->last_weights()->id == "weights", "masks that act before softmax");
  lesson.needs(trace->find("sinks") == nullptr, "a softmax without sinks");
  const Index n_keys = std::ssize(row.keys);
  const Index block = lesson.block().value_or(std::max<Index>(2, (n_keys + 7) / 8));
  const std::vector<OnlineBlock> blocks = online_softmax(*trace, row.cell, block);

  lesson.say(
      "Softmax divides by a sum over the whole row, and subtracts the row's maximum so that "
      "e^x cannot overflow. So it seems that a row of scores must be complete before a "
      "single value can be mixed: n × n numbers for n tokens.");
  lesson.say(
      "It need not be. Read the keys in blocks and keep three things for each query: the "
      "maximum so far, the sum of e^(score − maximum) so far, and the same sum with each "
      "term times its value. This is the idea behind FlashAttention (Milakov and "
      "Gimelshein 2018; Dao et al. 2022).");
  View one;
  one.query = std::to_string(row.cell.row);
  one.batch = one.head = 0;
  one.examples = false;
  lesson.say("The row of " + row.token + ", " + counted(block, "key") + " at a time:");
  lesson.show(trace, {trace->input(trace->at("weights"), 0).id}, one);

  const auto grows = std::find_if(blocks.begin(), blocks.end(), [&](const OnlineBlock& each) {
    return each.first > 0 && each.rescale > 0.0 && each.rescale < 1.0;
  });
  if (grows != blocks.end()) {
    lesson.ask("The maximum was " + lesson.number((grows - 1)->row.maximum) +
                   " until a block brought " + lesson.number(grows->row.maximum) +
                   ". All terms so far were e^(score − old maximum). By what factor must they be "
                   "multiplied?",
               "e^(old − new) = " + lesson.number(grows->rescale) +
                   ": sum and output both, since both are sums of such terms.");
  }
  lesson.table(table_of(lesson, blocks, row));
  lesson.claim("The last row is what attention with all scores at hand computes, to 14 digits.",
               ends_in(blocks, row.mixed));
  const auto with = [&](Index size) {
    return ends_in(online_softmax(*trace, row.cell, size), row.mixed);
  };
  lesson.claim(
      "The size of the blocks does not matter: one key at a time, three, or all at once "
      "end in the same row.",
      with(1) && with(3) && with(n_keys));
  lesson.say("The maximum can only grow. So no factor exceeds 1, and nothing overflows.");

  tell_what_is_saved(lesson);
  if (block != 1) lesson.next("lesson online-softmax --block 1", "one key at a time");
  if (n_keys > block + 1)
    lesson.next("lesson online-softmax --block " + std::to_string(block + 1), "larger blocks");
  lesson.next("explain {} --detail full", "softmax in four steps");
}

}  // namespace attn
