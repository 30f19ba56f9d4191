// Mistakes in what today's models add to an attention: norms of queries and keys, sinks, gates.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

bool has_qk_norm(const Wiring& w) { return w.has("q_normed") && is_norm(*w.find("q_normed")); }

/// Both sides, the queries alone, the keys alone.
Recipes either_side(const Rewiring& q, const Rewiring& k) { return {{q, k}, {q}, {k}}; }

Recipes without_qk_norm(const Wiring& w) {
  if (!has_qk_norm(w)) return {};
  return either_side(skipped("q_normed"), skipped("k_normed"));
}

/// The inputs of `step` with `other` in place of `own`.
std::vector<std::string> in_place_of(const Step& step, const std::string& own,
                                     const std::string& other) {
  std::vector<std::string> inputs = step.inputs;
  for (std::string& input : inputs) {
    if (input == own) input = other;
  }
  return inputs;
}

/// What is made of `last` made of `first` instead, and `first` made of `last`.
Recipe exchanged_order(const Wiring& w, const std::string& first, const std::string& last) {
  const Step &one = *w.find(first.c_str()), &two = *w.find(last.c_str());
  Recipe recipe{from(first, in_place_of(one, one.inputs[0], last)),
                from(last, in_place_of(two, first, one.inputs[0]))};
  for (const Step& step : w.truth().steps) {
    if (step.info().role == StepRole::Gradient) continue;
    const std::vector<std::string> inputs = in_place_of(step, last, first);
    if (inputs != step.inputs && step.id != first) recipe.push_back(from(step.id, inputs));
  }
  return recipe;
}

/// RoPE before the norm where it comes after it, or the reverse.
Recipes other_qk_order(const Wiring& w) {
  if (!has_qk_norm(w) || !w.has("q_rotated") || !w.made_by("q_rotated", "rotate")) return {};
  const Step& norm = *w.find("q_normed");
  const bool norm_first = w.find("q_rotated")->inputs[0] == norm.id;
  if (!norm_first && norm.inputs[0] != "q_rotated") return {};  // over all heads, before the cut
  Recipe both;
  for (const std::string side : {"q", "k"}) {
    const std::string normed = side + "_normed", rotated = side + "_rotated";
    Recipe own =
        norm_first ? exchanged_order(w, normed, rotated) : exchanged_order(w, rotated, normed);
    for (Rewiring& change : own) {
      const auto same = [&](const Rewiring& each) { return each.step == change.step; };
      const auto at = std::find_if(both.begin(), both.end(), same);
      if (at == both.end()) {
        both.push_back(std::move(change));
      } else {  // the scores: both of their inputs change
        for (std::size_t i = 0; i < at->inputs.size(); ++i) {
          if (at->inputs[i] == w.find(change.step.c_str())->inputs[i])
            at->inputs[i] = change.inputs[i];
        }
      }
    }
  }
  return {both};
}

/// Over all heads together instead of each, or over each head instead of all together.
Recipes other_qk_axis(const Wiring& w) {
  if (!has_qk_norm(w) || w.made_by("q_normed", "l2_norm") || !w.settings().has_heads) return {};
  const bool centred = w.made_by("q_normed", "layer_norm");
  const bool is_cut = w.find("q_normed")->value.shape().heads.has_value();
  const auto over = [&](const char* step, Index heads) {
    Parameters parameters = w.find("q_normed")->parameters;  // another mistake may skip the keys
    parameters.set("centred", centred);
    parameters.set("parts", is_cut ? Index{1} : heads);
    return instead(step, "norm_over_heads", {}, std::move(parameters));
  };
  return either_side(over("q_normed", w.settings().heads), over("k_normed", w.settings().kv_heads));
}

bool has_sinks(const Wiring& w) {
  return w.has("sinks") && w.made_by("weights", "softmax") && w.find("weights")->inputs.size() > 1;
}

/// Every sink after f.
template <typename F>
Rewiring changed_sinks(const Wiring& w, F f) {
  Tensor sinks = w.find("sinks")->value;
  for (double& x : sinks.edit()) x = f(x);
  return replaced("sinks", std::move(sinks));
}

Recipes without_sink(const Wiring& w) {
  if (!has_sinks(w)) return {};
  return {{from("weights", {"{0}"})}};
}

Recipes negative_sink(const Wiring& w) {
  if (!has_sinks(w)) return {};
  return {{changed_sinks(w, [](double x) { return -x; })}};
}

/// Times the scale, through the softcap, or both, as if the sink were a score.
Recipes scaled_sink(const Wiring& w) {
  if (!has_sinks(w)) return {};
  const double scale = w.settings().scale.number;
  Recipes recipes;
  if (scale != 1.0) recipes.push_back({changed_sinks(w, [&](double x) { return x * scale; })});
  if (!w.settings().softcap) return recipes;
  const double cap = *w.settings().softcap;
  recipes.push_back({changed_sinks(w, [&](double x) { return cap * std::tanh(x / cap); })});
  if (scale != 1.0)
    recipes.push_back(
        {changed_sinks(w, [&](double x) { return cap * std::tanh(x * scale / cap); })});
  return recipes;
}

/// Left out, or its activation is.
Recipes without_gate(const Wiring& w) {
  Recipes recipes;
  for (const char* step : {"gated_context", "gated_concat", "gated_output"}) {
    if (w.made_by(step, "multiply_elements"))
      recipes = {{skipped(step)}, {skipped("attention_gate")}};
  }
  return recipes;
}

constexpr std::array kExtraRows = {
    MistakeRow{{"qk_norm.missing", "norm of queries and keys left out",
                "Queries, keys or both are not normalised.",
                "What keeps the scores of this model small, besides the scale?", "steps"},
               without_qk_norm},
    MistakeRow{
        {"qk_norm.order", "norm and RoPE exchanged",
         "Queries and keys are normalised after RoPE instead of before it, or the reverse.",
         "Which comes first in this model: the norm of the queries, or their rotation?", "json"},
        other_qk_order},
    MistakeRow{{"qk_norm.axis", "norm over another width",
                "Queries and keys are normalised over all heads together instead of each head, or "
                "the reverse.",
                "How many numbers share one size: those of a head, or those of all heads?", "json"},
               other_qk_axis},
    MistakeRow{{"sink.missing", "sink left out", "The sink is not part of softmax.",
                "Do the weights of a row have to add up to 1 here?", "json"},
               without_sink},
    MistakeRow{
        {"sink.sign", "sink with the wrong sign", "The sink enters softmax with its sign turned.",
         "Does a larger sink leave the keys more attention, or less?", "json"},
        negative_sink},
    MistakeRow{{"sink.scaled", "sink scaled or capped",
                "The sink is multiplied by the scale, or bounded by the softcap, like a score.",
                "Is the sink a score of a query and a key, or a number of its own?", "json"},
               scaled_sink},
    MistakeRow{{"attention_gate.missing", "gate left out",
                "What a head found is not multiplied by the gate, or the gate has no activation.",
                "What decides how much of the result gets through?", "steps"},
               without_gate},
};

}  // namespace

std::span<const MistakeRow> extra_mistakes() { return kExtraRows; }

}  // namespace attn
