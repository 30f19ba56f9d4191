// The oracle of whole models: nn.Transformer, its encoder and decoder, and attention alone.
#include "support/model_bench.hpp"
#include "support/oracle_bench.hpp"

namespace attn::testing {
namespace {

/// The masks and tokens of a stack of layers.
struct Stack {
  std::string start;  ///< "encoder.": before the names of its weights
  std::vector<MaskSpec> masks;
  TokenLists tokens;
};

/// The weights of an nn.MultiheadAttention: Q, K and V stored one above the other.
WeightArrays projections(const ModelBench& bench, const std::string& scope) {
  const Array& in = tensor(bench, scope + ".in_proj_weight");
  const Array* b = found(bench, scope + ".in_proj_bias");
  const Array* out_b = found(bench, scope + ".out_proj.bias");
  const Index d = in.shape[1];
  WeightArrays weights;
  for (Index n = 0; n < 3; ++n) {
    const std::string letter(1, "qkv"[n]);
    weights["w_" + letter] = columns_of(in, false, n * d, d);
    if (b != nullptr) weights["b_" + letter] = columns_of(*b, false, n * d, d);
  }
  weights["w_o"] = columns_of(tensor(bench, scope + ".out_proj.weight"), false, 0, d);
  if (out_b != nullptr) weights["b_o"] = *out_b;
  return weights;
}

/// x + branch, with the norm before the branch or after the sum.
template <typename Branch>
Block sublayer(ModelBench& bench, const Block& x, const std::string& layer, int number,
               Branch branch) {
  const std::string n = std::to_string(number);
  const bool normless = bench.draft.model->kind == "attention_only";
  const bool first = !normless && bench.draft.model->norm_first;
  const auto norm = [&](const Block& rows) {
    return kept(bench, layer + "norm" + n, normed(bench, rows, layer + "norm" + n));
  };
  const Block y = kept(bench, layer + "residual" + n, sum(x, branch(first ? norm(x) : x)));
  return first || normless ? y : norm(y);
}

Block feed_forward(ModelBench& bench, const Block& x, const std::string& layer) {
  Block y = kept(bench, layer + "linear1", through(bench, x, layer + "linear1"));
  y = kept(bench, layer + "activation", activated(bench, y, "relu"));
  return kept(bench, layer + "linear2", through(bench, y, layer + "linear2"));
}

/// All layers of a stack and its last norm, if it has one.
Block run_stack(ModelBench& bench, const Stack& stack, Block x, const Block* memory,
                const TokenLists& memory_tokens) {
  const Index layers = layer_count(bench, stack.start + "layers.");
  for (Index n = 0; n < layers; ++n) {
    const std::string layer = stack.start + "layers." + std::to_string(n) + ".";
    int number = 0;
    x = sublayer(bench, x, layer, ++number, [&](const Block& rows) {
      const std::string scope = layer + "self_attn";
      return attended(bench,
                      {scope,
                       projections(bench, scope),
                       stack.masks,
                       stack.tokens,
                       {},
                       {},
                       stack.start != "encoder."},
                      rows);
    });
    if (memory != nullptr) {
      x = sublayer(bench, x, layer, ++number, [&](const Block& rows) {
        const std::string scope = layer + "multihead_attn";
        return attended(bench,
                        {scope, projections(bench, scope), bench.draft.memory_masks, stack.tokens,
                         memory_tokens},
                        rows, memory);
      });
    }
    if (bench.draft.model->kind == "attention_only") continue;
    x = sublayer(bench, x, layer, ++number,
                 [&](const Block& rows) { return feed_forward(bench, rows, layer); });
  }
  const std::string norm = stack.start + "norm";
  return found(bench, norm + ".weight") ? kept(bench, norm, normed(bench, x, norm)) : x;
}

/// An input as a step, and with its positions.
Block positioned(ModelBench& bench, const std::string& start, const Array& rows) {
  const Block x = kept(bench, start + "x", block_of(rows, true));
  if (bench.draft.positions.kind != PositionKind::Sinusoidal) return x;
  Block waves = position_signal(bench.draft, x);
  waves = kept(bench, start + "positions", waves);
  return kept(bench, start + "x_positioned", sum(x, waves));
}

/// The numbers of a source: given, or looked up in its table.
Array source_rows(const MemoryDraft& source) {
  if (source.embedding_table.empty()) return source.embeddings;
  ProblemDraft reader;
  reader.tokens = source.tokens;
  reader.embedding_table = source.embedding_table;
  return embeddings_of(reader);
}

}  // namespace

void run_stacks(ModelBench& bench) {
  const ProblemDraft& draft = bench.draft;
  const Array rows = embeddings_of(draft);
  bench.has_batch = rows.rank() == 3;
  const Block x = positioned(bench, "", rows);
  const std::string& kind = draft.model->kind;
  const std::string start = kind == "transformer" ? "decoder." : "";
  const Stack stack{start, draft.masks, draft.tokens};
  Block output;
  if (kind == "transformer") {
    const MemoryDraft& source = *draft.source;
    const Block y = positioned(bench, "encoder.", source_rows(source));
    const Stack encoder{"encoder.", draft.source_masks, source.tokens};
    const Block memory = kept(bench, "memory", run_stack(bench, encoder, y, nullptr, {}));
    output = run_stack(bench, stack, x, &memory, source.tokens);
  } else if (kind == "decoder") {
    const Block memory = kept(bench, "memory", block_of(draft.memory->embeddings, true));
    output = run_stack(bench, stack, x, &memory, draft.memory->tokens);
  } else {
    output = run_stack(bench, stack, x, nullptr, {});
  }
  kept(bench, "output", output);
  if (!draft.vocabulary) return;
  const std::optional<Array>& b = draft.vocabulary->b;
  predict(bench, output, draft.vocabulary->w, b ? &*b : nullptr);
}

}  // namespace attn::testing
