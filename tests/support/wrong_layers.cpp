// Ways to port the layers of a model wrongly, and what surrounds them.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "support/model_bench.hpp"
#include "support/wrong_models.hpp"

namespace attn::testing {
namespace {

/// Residual `which`, or with 0 all, made of other summands.
template <typename Add>
SpoilModel adds(int which, Add other) {
  return [=](ModelAttempt& attempt) {
    attempt.wrong.add = [=](int number, const Block& x, const Block& branch, const Block& inner) {
      return which == 0 || number == which ? other(x, branch, inner) : sum(x, branch);
    };
  };
}

SpoilModel no_input(int which) {
  return adds(which, [](const Block&, const Block& branch, const Block&) { return branch; });
}
SpoilModel no_branch(int which) {
  return adds(which, [](const Block& x, const Block&, const Block&) { return x; });
}
SpoilModel inner_added(int which) {
  return adds(which, [](const Block&, const Block& branch, const Block& inner) {
    return sum(inner, branch);
  });
}

SpoilModel side_by_side(const std::string& norm) {
  return [=](ModelAttempt& attempt) { attempt.wrong.parallel = norm; };
}
SpoilModel activated_by(const std::string& name) {
  return [=](ModelAttempt& attempt) { attempt.wrong.activation = name; };
}
SpoilModel linears_transposed(const std::set<std::string>& linears) {
  return [=](ModelAttempt& attempt) { attempt.wrong.transposed = linears; };
}
SpoilModel gated(const std::string& how) {
  return [=](ModelAttempt& attempt) { attempt.wrong.gate = how; };
}

void no_linear_bias(ModelAttempt& attempt) {
  for (auto& [name, array] : attempt.draft.weights) {
    if (name.find(".mlp.") != name.npos && name.ends_with(".bias"))
      std::fill(array.data.begin(), array.data.end(), 0.0);
  }
}
void norms_swapped(ModelAttempt& attempt) {
  auto& weights = attempt.draft.weights;
  for (auto& [name, array] : weights) {
    const std::size_t at = name.find(".ln_1.");
    if (at != name.npos) std::swap(array, weights.at(std::string(name).replace(at, 6, ".ln_2.")));
  }
}

void embeddings_scaled(ModelAttempt& attempt) {
  const auto& table = attempt.draft.weights;
  for (const auto& [name, array] : table) {
    const bool is_table = name.ends_with("wte.weight") || name.ends_with("embed_tokens.weight") ||
                          name.ends_with("word_embeddings.weight");
    if (is_table) attempt.embeddings_factor = std::sqrt(static_cast<double>(array.shape[1]));
  }
}

SpoilModel ids_more(Index by) {
  return [=](ModelAttempt& attempt) {
    for (Index& id : attempt.draft.ids[0]) id += by;
  };
}
/// The first token is missing, and the last one doubled; or the reverse.
void ids_later(ModelAttempt& attempt) {
  std::vector<Index>& ids = attempt.draft.ids[0];
  for (std::size_t n = 0; n + 1 < ids.size(); ++n) ids[n] = ids[n + 1];
}
void ids_earlier(ModelAttempt& attempt) {
  std::vector<Index>& ids = attempt.draft.ids[0];
  for (std::size_t n = ids.size() - 1; n > 0; --n) ids[n] = ids[n - 1];
}

void tied(ModelAttempt& attempt) { attempt.tied = true; }

SpoilModel in_layers(const std::vector<LayerRun>& order) {
  return [=](ModelAttempt& attempt) { attempt.layers = order; };
}

void logits_uncapped(ModelAttempt& attempt) { attempt.draft.model->logits_softcap.reset(); }

using Layers = std::vector<LayerSettings>;

/// The settings of layers, changed.
SpoilModel settings(void (*change)(Layers& layers)) {
  return [=](ModelAttempt& attempt) { change(attempt.draft.model->layers); };
}

}  // namespace

std::vector<WrongModel> wrong_layers() {
  const auto gpt2 = gpt2_model, llama = llama_model, bert = bert_model;
  const auto pre = pre_norm_translation, post = post_norm_translation;
  return {
      {"residual.missing", "no input, first", gpt2, "*", no_input(1)},
      {"residual.missing", "no input, second, one", llama, "layers.N", no_input(2)},
      {"residual.missing", "no input, all", bert, "*", no_input(0)},
      {"residual.missing", "no branch", gpt2, "h.N", no_branch(1)},
      {"residual.missing", "no cross attention", post, "decoder.layers.N", no_branch(2)},
      {"residual.missing", "no input, third", pre, "decoder.layers.*", no_input(3)},
      {"residual.from_norm", "all", gpt2, "*", inner_added(0)},
      {"residual.from_norm", "first", llama, "*", inner_added(1)},
      {"residual.from_norm", "second, one", pre, "encoder.layers.N", inner_added(2)},
      {"residual.parallel", "own norm", gpt2, "*", side_by_side("own")},
      {"residual.parallel", "one norm", llama, "*", side_by_side("shared")},
      {"residual.parallel", "one layer", gpt2, "h.N", side_by_side("own")},
      {"activation.other", "gelu", gpt2, "*", activated_by("gelu")},
      {"activation.other", "relu", gpt2, "h.N", activated_by("relu")},
      {"activation.other", "gelu_tanh", bert, "*", activated_by("gelu_tanh")},
      {"activation.other", "gelu for silu", llama, "*", activated_by("gelu")},
      {"activation.other", "none", post, "*", activated_by("none")},
      {"activation.other", "decoder", pre, "decoder.layers.*", activated_by("gelu")},
      {"gate.swapped", "", llama, "*", gated("swapped")},
      {"gate.swapped", "one", llama, "layers.N", gated("swapped")},
      {"gate.missing", "without up", llama, "*", gated("alone")},
      {"gate.missing", "without up, one", llama, "layers.N", gated("alone")},
      {"gate.missing", "without gate", llama, "layers.N", gated("none")},
      {"linear.transposed", "all", gpt2, "*", linears_transposed({"linear1", "linear2"})},
      {"linear.transposed", "second, one", bert, "encoder.layer.N",
       linears_transposed({"linear2"})},
      {"linear.transposed", "gate", llama, "*", linears_transposed({"linear1"})},
      {"linear.bias_missing", "", gpt2, "*", no_linear_bias},
      {"norm.swapped", "", gpt2, "*", norms_swapped},
  };
}

std::vector<WrongModel> wrong_wholes() {
  const auto gpt2 = gpt2_model, untied = untied_gpt2_model, llama = llama_model;
  const auto bert = bert_model, post = post_norm_translation;
  const auto layered = layered_llama_model;
  const std::string all = "*";
  return {
      {"embeddings.scale", "", gpt2, all, embeddings_scaled},
      {"embeddings.scale", "llama", llama, all, embeddings_scaled},
      {"embeddings.scale", "bert", bert, all, embeddings_scaled},
      {"ids.shifted", "one more", gpt2, all, ids_more(1)},
      {"ids.shifted", "one less", bert, all, ids_more(-1)},
      {"ids.shifted", "later", llama, all, ids_later},
      {"ids.shifted", "earlier", gpt2, all, ids_earlier},
      {"logits.tied", "", untied, all, tied},
      {"logits.tied", "llama", llama, all, tied},
      {"layer.order", "first skipped", gpt2, all, in_layers({{1, 1}})},
      {"layer.order", "last skipped", llama, all, in_layers({{0, 0}})},
      {"layer.order", "first for all", bert, all, in_layers({{0, 0}, {1, 0}})},
      {"layer.order", "exchanged", gpt2, all, in_layers({{0, 1}, {1, 0}})},
      {"layer.order", "last for all", llama, all, in_layers({{0, 1}, {1, 1}})},
      {"logits.softcap", "", layered, all, logits_uncapped},
      {"layer.settings", "exchanged", layered, all,
       settings([](Layers& layers) { std::swap(layers[0], layers[1]); })},
      {"layer.settings", "of the first", layered, all,
       settings([](Layers& layers) { layers[1] = layers[0]; })},
      {"layer.settings", "of the last", layered, all,
       settings([](Layers& layers) { layers[0] = layers[1]; })},
      {"layer.settings", "window everywhere", layered, all,
       settings([](Layers& layers) { layers[1].window = layers[0].window; })},
      {"layer.settings", "one base", layered, all,
       settings([](Layers& layers) { layers[0].rope_base.reset(); })},
      {"layer.order", "exchanged in both stacks", post, all, in_layers({{0, 1}, {1, 0}})},
  };
}

}  // namespace attn::testing
