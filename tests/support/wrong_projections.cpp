// Ways to project wrongly: weights transposed, exchanged or left out.
#include <string>
#include <utility>

#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

void transpose(ProblemDraft& draft, const char* letter) {
  Array& w = draft.weights.at(std::string("w_") + letter);
  Array turned{{w.shape[1], w.shape[0]}, {}};
  for (Index j = 0; j < w.shape[1]; ++j) {
    for (Index i = 0; i < w.shape[0]; ++i) {
      turned.data.push_back(w.data[static_cast<std::size_t>(i * w.shape[1] + j)]);
    }
  }
  w = turned;
}

template <char letter>
void transposed(Spoiling& spoiling) {
  const char name[] = {letter, '\0'};
  transpose(spoiling.draft(), name);
}

void all_transposed(Spoiling& spoiling) {
  for (const char* letter : {"q", "k", "v"}) transpose(spoiling.draft(), letter);
}

template <char letter>
void no_bias(Spoiling& spoiling) {
  spoiling.draft().weights.erase(std::string("b_") + letter);
}

void no_biases(Spoiling& spoiling) {
  for (const char* name : {"b_q", "b_k", "b_v", "b_o"}) spoiling.draft().weights.erase(name);
}

template <char one, char other>
void exchanged_without_biases(Spoiling& spoiling) {
  WeightArrays& weights = spoiling.draft().weights;
  std::swap(weights.at(std::string("w_") + one), weights.at(std::string("w_") + other));
}

template <char one, char other>
void exchanged(Spoiling& spoiling) {
  exchanged_without_biases<one, other>(spoiling);
  WeightArrays& weights = spoiling.draft().weights;
  std::swap(weights.at(std::string("b_") + one), weights.at(std::string("b_") + other));
}

void values_are_keys(Spoiling& spoiling) {
  WeightArrays& weights = spoiling.draft().weights;
  weights.at("w_v") = weights.at("w_k");
  weights.at("b_v") = weights.at("b_k");
}

void values_from_w_k(Spoiling& spoiling) {
  WeightArrays& weights = spoiling.draft().weights;
  weights.at("w_v") = weights.at("w_k");
}

void no_w_o(Spoiling& spoiling) {
  spoiling.draft().weights.erase("w_o");
  spoiling.draft().weights.erase("b_o");
}

void w_o_transposed(Spoiling& spoiling) { transpose(spoiling.draft(), "o"); }

/// V is X itself.
void unprojected(Spoiling& spoiling) {
  WeightArrays& weights = spoiling.draft().weights;
  Array& w = weights.at("w_v");
  for (std::size_t n = 0; n < w.data.size(); ++n) {
    const auto cols = static_cast<std::size_t>(w.shape[1]);
    w.data[n] = n / cols == n % cols ? 1 : 0;
  }
  weights.erase("b_v");
}

void roles_swapped(Spoiling& spoiling) {
  ProblemDraft& draft = spoiling.draft();
  std::swap(*draft.embeddings, draft.memory->embeddings);
  spoiling.habits().unwritten = {"x", "memory"};
}

void memory_ignored(Spoiling& spoiling) { spoiling.draft().memory.reset(); }

void no_positions(Spoiling& spoiling) { spoiling.draft().positions = {}; }

void other_pairs(Spoiling& spoiling) {
  PositionKind& kind = spoiling.draft().positions.kind;
  kind = kind == PositionKind::Rope ? PositionKind::RopeInterleaved : PositionKind::Rope;
}

}  // namespace

WrongWays wrong_projections() {
  return {
      {"projection.q_transposed", "", causal_problem, transposed<'q'>},
      {"projection.k_transposed", "", causal_problem, transposed<'k'>},
      {"projection.v_transposed", "", causal_problem, transposed<'v'>},
      {"projection.transposed", "", causal_problem, all_transposed},
      {"queries_keys.swapped", "biases too", causal_problem, exchanged<'q', 'k'>},
      {"queries_keys.swapped", "biases not", causal_problem, exchanged_without_biases<'q', 'k'>},
      {"keys_values.swapped", "biases too", causal_problem, exchanged<'k', 'v'>},
      {"keys_values.swapped", "biases not", causal_problem, exchanged_without_biases<'k', 'v'>},
      {"values.from_w_k", "biases too", causal_problem, values_are_keys},
      {"values.from_w_k", "biases not", causal_problem, values_from_w_k},
      {"values.unprojected", "", causal_problem, unprojected},
      {"bias.missing_q", "", causal_problem, no_bias<'q'>},
      {"bias.missing_k", "", causal_problem, no_bias<'k'>},
      {"bias.missing_v", "", causal_problem, no_bias<'v'>},
      {"bias.missing_o", "", causal_problem, no_bias<'o'>},
      {"bias.missing", "", causal_problem, no_biases},
      {"output.w_o_missing", "", causal_problem, no_w_o},
      {"output.w_o_transposed", "", causal_problem, w_o_transposed},
      {"cross.swapped", "", cross_problem, roles_swapped},
      {"cross.swapped", "as many tokens", equal_cross_problem, roles_swapped},
      {"cross.self", "", cross_problem, memory_ignored},
      {"cross.self", "as many tokens", equal_cross_problem, memory_ignored},
      {"rope.pairs", "", rope_problem, other_pairs},
      {"rope.missing", "", rope_problem, no_positions},
      {"positions.missing", "", sinusoidal_problem, no_positions},
  };
}

}  // namespace attn::testing
