// The oracle of whole models: GPT-2, BERT and Llama.
#include "support/model_bench.hpp"

namespace attn::testing {
namespace {

/// Row ids[i] of a table for each token.
Block looked_up(const ModelBench& bench, const std::string& name) {
  const Block table = block_of(tensor(bench, name), true);
  const auto& ids = bench.draft.ids;
  return filled(static_cast<Index>(ids.size()), 1, static_cast<Index>(ids[0].size()), table.cols,
                [&](Index b, Index, Index i, Index j) {
                  return table.at(0, 0,
                                  ids[static_cast<std::size_t>(b)][static_cast<std::size_t>(i)], j);
                });
}

/// As many rows of a table as x has, from the first on; with `same`, its row 0 that many times.
Block first_rows(const ModelBench& bench, const std::string& name, const Block& x,
                 bool same = false) {
  const Block table = block_of(tensor(bench, name), true);
  return like(x, [&](Index, Index, Index i, Index j) { return table.at(0, 0, same ? 0 : i, j); });
}

/// w_q, b_q, … from a layer of their own, or from one of `parts` equal parts of a layer.
void add_projection(const ModelBench& bench, WeightArrays& weights, const std::string& letter,
                    const std::string& name, bool in_out = false, Index part = 0, Index parts = 1) {
  const Array& stored = tensor(bench, name + ".weight");
  const Index width = stored.shape[in_out ? 1 : 0] / parts;
  weights["w_" + letter] = columns_of(stored, in_out, part * width, width);
  const Array* b = found(bench, name + ".bias");
  if (b != nullptr) weights["b_" + letter] = columns_of(*b, false, part * width, width);
}

/// The masks given, or causal.
std::vector<MaskSpec> masks_or_causal(const ProblemDraft& draft) {
  return draft.masks.empty() ? std::vector<MaskSpec>{parse_mask("causal")} : draft.masks;
}

/// Each number times `factor`.
Block times(const Block& x, double factor) {
  return like(x, [&](Index b, Index h, Index i, Index j) { return factor * x.at(b, h, i, j); });
}

/// The same as the step of that id, unless `factor` is 1.
Block kept_times(ModelBench& bench, const std::string& id, const Block& x,
                 std::optional<double> factor) {
  return factor && *factor != 1.0 ? kept(bench, id, times(x, *factor)) : x;
}

/// The masks of a layer: a window of n hides keys n or more before the query, and n or more after.
/// A window that reaches all tokens hides nothing.
std::vector<MaskSpec> with_window(const ProblemDraft& draft, const LayerSettings& layer) {
  std::vector<MaskSpec> masks = masks_or_causal(draft);
  if (!layer.window || *layer.window >= std::ssize(draft.ids[0])) return masks;
  const std::string reach = std::to_string(*layer.window - 1);
  masks.push_back(parse_mask("window:" + reach + "," + reach));
  return masks;
}

/// Rotary positions of a layer: of the model, unless the layer has others.
Positions positions_of(const ProblemDraft& draft, const LayerSettings& layer) {
  Positions rope = draft.positions;
  rope.kind = layer.positions.value_or(PositionKind::Rope);
  if (rope.kind == PositionKind::None) return {};
  rope.base = draft.model->rope_base;
  if (layer.rope_base) rope.base = layer.rope_base;
  if (layer.scaling) rope.scaling = layer.scaling;
  return rope;
}

/// Logits by the last layer `lm_head`, or by the table of the embeddings.
void predict_by(ModelBench& bench, const Block& output, const std::string& table,
                const Array* b = nullptr) {
  const Array* head = found(bench, "lm_head.weight");
  const Array& words = head == nullptr ? tensor(bench, table) : *head;
  predict(bench, output, columns_of(words, false, 0, words.shape[0]), b);
}

void start(ModelBench& bench) { bench.has_batch = bench.draft.ids.size() > 1; }

}  // namespace

void run_gpt2(ModelBench& bench) {
  start(bench);
  const Block token = kept(bench, "token_embeddings", looked_up(bench, "wte.weight"));
  const Block place = kept(bench, "position_embeddings", first_rows(bench, "wpe.weight", token));
  Block x = kept(bench, "x", sum(token, place));
  const Index layers = layer_count(bench, "h.");
  for (Index n = 0; n < layers; ++n) {
    const std::string s = "h." + std::to_string(n) + ".";
    ModelAttention attention{s + "attn", {}, masks_or_causal(bench.draft), bench.draft.tokens, {}};
    for (Index part = 0; part < 3; ++part) {
      const std::string letter(1, "qkv"[part]);
      add_projection(bench, attention.weights, letter, s + "attn.c_attn", true, part, 3);
    }
    add_projection(bench, attention.weights, "o", s + "attn.c_proj", true);
    Block y = kept(bench, s + "norm1", normed(bench, x, s + "ln_1"));
    x = kept(bench, s + "residual1", sum(x, attended(bench, attention, y)));
    y = kept(bench, s + "norm2", normed(bench, x, s + "ln_2"));
    y = kept(bench, s + "linear1", through(bench, y, s + "mlp.c_fc", true));
    y = kept(bench, s + "activation", activated(bench, y, "gelu_tanh"));
    y = kept(bench, s + "linear2", through(bench, y, s + "mlp.c_proj", true));
    x = kept(bench, s + "residual2", sum(x, y));
  }
  x = kept(bench, "norm", normed(bench, x, "ln_f"));
  predict_by(bench, kept(bench, "output", x), "wte.weight");
}

void run_bert(ModelBench& bench) {
  start(bench);
  const std::string table = "embeddings.word_embeddings.weight", head = "cls.predictions.";
  Block x = kept(bench, "token_embeddings", looked_up(bench, table));
  const Block place = kept(bench, "position_embeddings",
                           first_rows(bench, "embeddings.position_embeddings.weight", x));
  const Block type = kept(bench, "token_type_embeddings",
                          first_rows(bench, "embeddings.token_type_embeddings.weight", x, true));
  x = kept(bench, "embedding_sum", sum(sum(x, place), type));
  x = kept(bench, "x", normed(bench, x, "embeddings.LayerNorm"));
  const Index layers = layer_count(bench, "encoder.layer.");
  for (Index n = 0; n < layers; ++n) {
    const std::string s = "encoder.layer." + std::to_string(n) + ".";
    ModelAttention attention{s + "attention", {}, bench.draft.masks, bench.draft.tokens, {}};
    add_projection(bench, attention.weights, "q", s + "attention.self.query");
    add_projection(bench, attention.weights, "k", s + "attention.self.key");
    add_projection(bench, attention.weights, "v", s + "attention.self.value");
    add_projection(bench, attention.weights, "o", s + "attention.output.dense");
    Block y = kept(bench, s + "residual1", sum(x, attended(bench, attention, x)));
    x = kept(bench, s + "norm1", normed(bench, y, s + "attention.output.LayerNorm"));
    y = kept(bench, s + "linear1", through(bench, x, s + "intermediate.dense"));
    y = kept(bench, s + "activation", activated(bench, y, "gelu"));
    y = kept(bench, s + "linear2", through(bench, y, s + "output.dense"));
    y = kept(bench, s + "residual2", sum(x, y));
    x = kept(bench, s + "norm2", normed(bench, y, s + "output.LayerNorm"));
  }
  kept(bench, "output", x);
  const Array* b = found(bench, head + "bias");
  if (b == nullptr) return;
  x = kept(bench, "predictions.linear", through(bench, x, head + "transform.dense"));
  x = kept(bench, "predictions.activation", activated(bench, x, "gelu"));
  x = kept(bench, "predictions.norm", normed(bench, x, head + "transform.LayerNorm"));
  predict_by(bench, x, table, b);
}

void run_llama(ModelBench& bench) {
  start(bench);
  const ModelDraft& model = *bench.draft.model;
  Block x = kept(
      bench, "x",
      times(looked_up(bench, "embed_tokens.weight"), model.embedding_multiplier.value_or(1.0)));
  const Index layers = layer_count(bench, "layers.");
  for (Index n = 0; n < layers; ++n) {
    const std::string s = "layers." + std::to_string(n) + ".", own = s + "self_attn";
    const auto number = static_cast<std::size_t>(n);
    const LayerSettings layer = model.layers.empty() ? LayerSettings() : model.layers.at(number);
    ModelAttention attention{own,
                             {},
                             with_window(bench.draft, layer),
                             bench.draft.tokens,
                             {},
                             positions_of(bench.draft, layer),
                             true,
                             layer};
    for (const char* letter : {"q", "k", "v", "o"}) {
      add_projection(bench, attention.weights, letter, own + "." + letter + "_proj");
    }
    Block y = kept(bench, s + "norm1", normed(bench, x, s + "input_layernorm", true));
    y = kept_times(bench, s + "branch1", attended(bench, attention, y), model.residual_multiplier);
    x = kept(bench, s + "residual1", sum(x, y));
    y = kept(bench, s + "norm2", normed(bench, x, s + "post_attention_layernorm", true));
    const Block gate = kept(bench, s + "linear1", through(bench, y, s + "mlp.gate_proj"));
    const Block up = kept(bench, s + "linear3", through(bench, y, s + "mlp.up_proj"));
    y = kept(bench, s + "activation", activated(bench, gate, "silu"));
    y = kept(bench, s + "gate", product(y, up));
    y = kept(bench, s + "linear2", through(bench, y, s + "mlp.down_proj"));
    y = kept_times(bench, s + "branch2", y, model.residual_multiplier);
    x = kept(bench, s + "residual2", sum(x, y));
  }
  x = kept(bench, "norm", normed(bench, x, "norm", true));
  predict_by(bench, kept(bench, "output", x), "embed_tokens.weight");
}

}  // namespace attn::testing
