// The positions of queries among the keys, and the parameters of position encodings.
#include <algorithm>
#include <cmath>

#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "core/operations/positions/rope_frequencies.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

void check_key_lengths(Build& build) {
  const auto& lengths = build.draft.key_lengths;
  const ProblemFacts& p = build.problem;
  if (lengths.empty()) {
    if (build.draft.align != Align::KeyLengths) return;
    build.complaints.add("missing-key", "/align",
                         "align is \"key-lengths\", but key_lengths is not given",
                         "Add \"key_lengths\": one number per batch entry.");
    return;
  }
  if (static_cast<Index>(lengths.size()) != p.batch.value_or(1)) {
    build.complaints.add(
        "key-lengths", "/key_lengths",
        filled("key_lengths has {}, but {}", counted(std::ssize(lengths), "number"),
               there_are(p.batch.value_or(1), "batch entry")),
        "Give one length per batch entry.");
  }
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    const Index most = p.n_keys - p.n_extra;
    if (lengths[b] >= 0 && lengths[b] <= most) continue;
    build.complaints.add("key-lengths", filled("/key_lengths/{}", b),
                         filled("key_lengths says {}, but {}", lengths[b], there_are(most, "key")),
                         filled("Give a length from 0 to {}.", most));
  }
}

/// p_i = i + offset: one offset, or one per batch entry.
std::vector<Index> offsets(const Build& build) {
  const ProblemFacts& p = build.problem;
  if (p.align == Align::Start) return {p.n_past};
  if (p.align == Align::End) return {p.n_keys - p.n_extra - p.n_queries};
  std::vector<Index> each;
  for (const Index length : build.draft.key_lengths) each.push_back(length - p.n_queries);
  return each;
}

void complain(Build& build, const std::string& key, const std::string& what,
              const std::string& fix) {
  build.complaints.add("positions", "/positions" + key, what, fix);
}

bool is_t5(PositionKind kind) { return kind == PositionKind::T5; }
bool is_alibi(PositionKind kind) { return kind == PositionKind::Alibi; }
bool has_table(PositionKind kind) { return is_t5(kind) || kind == PositionKind::Learned; }
bool turns(PositionKind kind) { return is_wave(kind) || is_rotary(kind); }
bool counts_rows(PositionKind kind) { return is_added(kind) || is_rotary(kind); }

template <auto member>
bool is_given(const Positions& p) {
  if constexpr (requires { (p.*member).has_value(); }) {
    return (p.*member).has_value();
  } else {
    return !(p.*member).empty();
  }
}

/// A parameter, and the kinds that it belongs to.
struct OwnedParameter {
  const char* name;
  bool (*given)(const Positions& positions);
  bool (*fits)(PositionKind kind);
  const char* of;
};
using P = Positions;
constexpr OwnedParameter kOwnedParameters[] = {
    {"base", is_given<&P::base>, turns, "sinusoidal and rope"},
    {"offset", is_given<&P::offset>, counts_rows, "sinusoidal, learned and rope"},
    {"ids", is_given<&P::ids>, counts_rows, "sinusoidal, learned and rope"},
    {"rotary_dim", is_given<&P::rotary_dim>, is_rotary, "rope"},
    {"partial_rotary_factor", is_given<&P::partial_rotary_factor>, is_rotary, "rope"},
    {"scaling", is_given<&P::scaling>, is_rotary, "rope"},
    {"slopes", is_given<&P::slopes>, is_alibi, "alibi"},
    {"table", is_given<&P::table>, has_table, "learned and t5"},
    {"num_buckets", is_given<&P::num_buckets>, is_t5, "t5"},
    {"max_distance", is_given<&P::max_distance>, is_t5, "t5"},
    {"bidirectional", is_given<&P::bidirectional>, is_t5, "t5"},
};

/// Numbers that the scaling of a configuration says once more, or that are no share of d_k.
void check_said_twice(Build& build) {
  const Positions& given = build.draft.positions;
  const RopeScaling scaling = given.scaling.value_or(RopeScaling());
  const auto part = given.partial_rotary_factor;
  const auto refuse = [&](bool twice, const char* key, const std::string& other) {
    if (twice)
      complain(build, std::string("/") + key, filled("{} is not what {} says", key, other),
               kKeepOne);
  };
  refuse(given.base && scaling.rope_theta && *given.base != *scaling.rope_theta, "base",
         "scaling/rope_theta");
  refuse(part && scaling.partial_rotary_factor && *part != *scaling.partial_rotary_factor,
         "partial_rotary_factor", "scaling/partial_rotary_factor");
  const double share = part.value_or(scaling.partial_rotary_factor.value_or(1.0));
  const auto all = static_cast<double>(rotated_width(build.problem));
  refuse(given.rotary_dim && share != 1.0 && *given.rotary_dim != static_cast<Index>(share * all),
         "rotary_dim", "partial_rotary_factor");
  if (!(share > 0.0 && share <= 1.0))
    complain(build, part ? "/partial_rotary_factor" : "/scaling/partial_rotary_factor",
             "partial_rotary_factor should be above 0, and at most 1",
             "Give the share of a head's columns that is rotated, such as 0.5.");
}

/// One list for all batch entries or for each, one number for each new token.
void check_ids(Build& build) {
  const ProblemFacts& p = build.problem;
  const auto& lists = build.draft.positions.ids;
  if (lists.empty()) return;
  if (build.draft.positions.offset)
    complain(build, "/offset", "ids say all positions, so nothing counts from an offset", kKeepOne);
  const bool same_tokens = !p.memory && p.n_keys - p.n_past - p.n_extra == p.n_queries;
  if (is_rotary(p.positions.kind) && !same_tokens)
    complain(build, "/ids",
             "ids are positions of new tokens, but queries and keys are not the same",
             "Leave ids out.");
  const auto n_lists = std::ssize(lists);
  if (n_lists != 1 && n_lists != p.batch.value_or(1))
    complain(build, "/ids",
             filled("ids has {}, but {}", counted(n_lists, "list"),
                    there_are(p.batch.value_or(1), "batch entry")),
             "Give one list for all entries, or one for each.");
  for (std::size_t b = 0; b < lists.size(); ++b) {
    if (std::ssize(lists[b]) == p.n_queries) continue;
    complain(build, filled("/ids/{}", b),
             filled("ids has {}, but {}", counted(std::ssize(lists[b]), "position"),
                    there_are(p.n_queries, "new token")),
             "Give one position for each.");
  }
}

void check_scaling(Build& build) {
  const Positions& own = build.problem.positions;
  if (!own.scaling) return;
  for (const ScalingComplaint& each : scaling_complaints(*own.scaling, *own.base, *own.rotary_dim))
    complain(build, "/scaling" + each.key, each.what, each.fix);
}

void check_pairs(Build& build, Index rotary_dim) {
  const Index d_k = rotated_width(build.problem);
  if (rotary_dim >= 2 && rotary_dim <= d_k && rotary_dim % 2 == 0) return;
  const Index most = d_k / 2 * 2;
  const Positions& said = build.draft.positions;
  const bool part = !said.rotary_dim && build.problem.positions.partial_rotary_factor;
  const bool given = said.rotary_dim || part;
  const std::string wrong =
      given && d_k >= 2 ? filled("rotary_dim is {}: it should be {}", rotary_dim,
                                 most == 2 ? "2" : filled("even, and from 2 to {}", most))
                        : filled("{} is {}", build.problem.latent ? "rope_dim" : "d_k", d_k);
  complain(build,
           part    ? "/partial_rotary_factor"
           : given ? "/rotary_dim"
                   : "",
           "rope rotates pairs of columns, but " + wrong,
           d_k < 2        ? "Use fewer heads or wider projections: rope needs a d_k of 2 or more."
           : part         ? "Give a share that makes an even number of columns, such as 0.5."
           : d_k % 2 == 0 ? filled("Leave rotary_dim out: its default is {}.", most)
                          : filled("Give \"rotary_dim\": {}, or an even d_k.", most));
}

/// With their defaults filled in, they must fit the sizes of the problem.
void check_fit(Build& build) {
  const ProblemFacts& p = build.problem;
  const Positions& own = p.positions;
  const Index heads = p.heads.value_or(1);
  if (is_added(own.kind) && !p.x) {
    complain(build, "",
             filled("{} positions are added to embeddings, but Q, K and V are given directly",
                    word_of(own.kind)),
             "Use rope or alibi, or give embeddings and weights.");
  }
  if (own.kind == PositionKind::SinusoidalT2t && p.x && p.x->cols() % 2 != 0)
    complain(build, "/kind", "sinusoidal-t2t needs as many sines as cosines, but d_model is odd",
             "Choose sinusoidal-halves, or an even d_model.");
  check_ids(build);
  if (is_rotary(own.kind)) {
    check_said_twice(build);
    check_pairs(build, *own.rotary_dim);
    check_scaling(build);
  }
  const bool finite =
      std::all_of(own.slopes.begin(), own.slopes.end(), [](double x) { return std::isfinite(x); });
  if (static_cast<Index>(own.slopes.size()) != heads || !finite) {
    complain(build, "/slopes", "slopes should be " + counted(heads, "number") + ", one per head",
             "Leave them out for the usual ones.");
  }
}

}  // namespace

void check_parameters(const Positions& given, PositionKind kind, Complaints& complaints) {
  for (const OwnedParameter& each : kOwnedParameters) {
    if (!each.given(given) || each.fits(kind)) continue;
    complaints.add("positions", std::string("/positions/") + each.name,
                   filled("{} is a parameter of {}, not of {}", each.name, each.of, word_of(kind)),
                   "Leave it out.");
  }
  if (given.base && !(*given.base > 0.0 && std::isfinite(*given.base))) {
    complaints.add("positions", "/positions/base", "base should be a number above 0",
                   "Leave it out: its default is 10000.");
  }
}

void build_offsets(Build& build) {
  check_key_lengths(build);
  build.complaints.throw_if_any();
  build.problem.query_offsets = offsets(build);
}

void build_positions(Build& build) {
  const Positions& given = build.draft.positions;
  check_parameters(given, given.kind, build.complaints);
  check_fit(build);
  if (has_table(build.problem.positions.kind)) check_position_table(build);
  build.complaints.throw_if_any();
}

}  // namespace attn
