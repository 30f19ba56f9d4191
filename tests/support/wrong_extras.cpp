// Ways to get norms of queries and keys, sinks and gates wrong.
#include <cmath>
#include <string>

#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

/// Only `side` is normalised; "" for neither.
template <char side>
void norm_of_one(Spoiling& spoiling) {
  spoiling.habits().norm = [](const ProblemDraft& draft, const Block& x, const std::string& of) {
    return of[0] == side ? qk_normed(draft, x, of) : x;
  };
}

void no_norm_at_all(Spoiling& spoiling) {
  norm_of_one<' '>(spoiling);
  spoiling.habits().unwritten = {"q_normed", "k_normed"};
}

void norm_the_other_way_round(Spoiling& spoiling) {
  spoiling.habits().norm_and_rope_exchanged = true;
}

/// x without its mean, over the root of its mean square, where these are of all the columns of the
/// heads from `first` on, `count` at a time.
void norm_over_other_width(Spoiling& spoiling) {
  spoiling.habits().norm = [](const ProblemDraft& draft, const Block& x, const std::string& side) {
    const Facts facts = facts_of(draft);
    const Index heads = side == "q" ? facts.heads : facts.kv_heads;
    const bool joins = x.heads > 1;  // the heads are cut: they are taken together again
    const Index width = joins ? x.cols * heads : x.cols / heads;
    const bool centred = norm_of(draft) == QkNormKind::Layer;
    const Array& gain = draft.weights.at(side + "_norm");
    return like(x, [&](Index b, Index h, Index i, Index j) {
      const auto number = [&](Index n) {
        return joins ? x.at(b, n / x.cols, i, n % x.cols) : x.at(b, 0, i, j / width * width + n);
      };
      double mean = 0, squares = 0;
      const auto all = static_cast<double>(width);
      for (Index n = 0; n < width && centred; ++n) mean += number(n) / all;
      for (Index n = 0; n < width; ++n) squares += std::pow(number(n) - mean, 2) / all;
      const double z = (x.at(b, h, i, j) - mean) / std::sqrt(squares + 1e-6);
      return z * gain.data[static_cast<std::size_t>(j)];
    });
  };
}

void no_sink(Spoiling& spoiling) {
  spoiling.habits().sink = [](const Bench&, Index) { return std::optional<double>(); };
}

template <double (*changed)(const Bench& bench, double sink)>
void other_sink(Spoiling& spoiling) {
  spoiling.habits().sink = [](const Bench& bench, Index head) {
    return std::optional(changed(bench, *sink_of(bench.draft, head)));
  };
}

double negative(const Bench&, double sink) { return -sink; }
double times_scale(const Bench& bench, double sink) {
  return sink / std::sqrt(static_cast<double>(bench.facts.d_k));
}
double within_cap(const Bench& bench, double sink) {
  return *bench.draft.softcap * std::tanh(sink / *bench.draft.softcap);
}

void no_gate(Spoiling& spoiling) {
  spoiling.habits().let_through = [](const Block& x, const Block&) { return x; };
}

}  // namespace

WrongWays wrong_extras() {
  return {
      {"qk_norm.missing", "", normed_problem, norm_of_one<' '>},
      {"qk_norm.missing", "not written", normed_problem, no_norm_at_all},
      {"qk_norm.missing", "queries alone", normed_problem, norm_of_one<'q'>},
      {"qk_norm.missing", "keys alone", normed_problem, norm_of_one<'k'>},
      {"qk_norm.missing", "all heads", wide_norm_problem, norm_of_one<' '>},
      {"qk_norm.order", "", normed_problem, norm_the_other_way_round},
      {"qk_norm.axis", "", normed_problem, norm_over_other_width},
      {"qk_norm.axis", "each head", wide_norm_problem, norm_over_other_width},
      {"sink.missing", "", sink_problem, no_sink},
      {"sink.sign", "", sink_problem, other_sink<negative>},
      {"sink.scaled", "", sink_problem, other_sink<times_scale>},
      {"sink.scaled", "capped", capped_sink_problem, other_sink<within_cap>},
      {"attention_gate.missing", "", gated_problem, no_gate},
  };
}

}  // namespace attn::testing
