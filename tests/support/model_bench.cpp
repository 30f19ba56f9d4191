// The oracle of whole models: weights, layers and norms.
#include "support/model_bench.hpp"

#include <cmath>
#include <stdexcept>

namespace attn::testing {
namespace {

/// Φ(x), the share of a normal distribution below x.
double normal_share(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double activation(const std::string& name, double x) {
  if (name == "relu") return x < 0 ? 0.0 : x;
  if (name == "silu") return x / (1 + std::exp(-x));
  if (name == "gelu") return x * normal_share(x);
  const double inner = std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * std::pow(x, 3));
  return 0.5 * x * (1 + std::tanh(inner));
}

}  // namespace

Array array_of(const ModelBench& bench, const Block& block) {
  Array array{{block.rows, block.cols}, block.data};
  if (bench.has_batch) array.shape.insert(array.shape.begin(), block.batch);
  return array;
}

Block kept(ModelBench& bench, const std::string& id, const Block& block) {
  bench.steps[id] = array_of(bench, block);
  return block;
}

const Array* found(const ModelBench& bench, const std::string& name) {
  for (const char* prefix : {"", "transformer.", "encoder.", "decoder.", "bert.", "model."}) {
    const auto entry = bench.draft.weights.find(prefix + name);
    if (entry != bench.draft.weights.end()) return &entry->second;
  }
  return nullptr;
}

const Array& tensor(const ModelBench& bench, const std::string& name) {
  const Array* array = found(bench, name);
  if (array == nullptr) throw std::out_of_range("no weights " + name);
  return *array;
}

Index layer_count(const ModelBench& bench, const std::string& start) {
  const auto holds = [&](Index layer) {
    const std::string scope = start + std::to_string(layer) + ".";
    for (const auto& [name, array] : bench.draft.weights) {
      if (name.find(scope) != name.npos) return true;
    }
    return false;
  };
  Index count = 0;
  while (holds(count)) ++count;
  return count;
}

Array columns_of(const Array& stored, bool in_out, Index first, Index count) {
  if (stored.rank() == 1) {
    return {{count}, {stored.data.begin() + first, stored.data.begin() + first + count}};
  }
  const Index d_in = stored.shape[in_out ? 0 : 1];
  Array w{{d_in, count}, {}};
  for (Index i = 0; i < d_in; ++i) {
    for (Index j = first; j < first + count; ++j) {
      const Index place = in_out ? i * stored.shape[1] + j : j * d_in + i;
      w.data.push_back(stored.data.at(static_cast<std::size_t>(place)));
    }
  }
  return w;
}

Block through(const ModelBench& bench, const Block& x, const std::string& name, bool in_out) {
  const Array& stored = tensor(bench, name + ".weight");
  const Index width = stored.shape[in_out ? 1 : 0];
  const Block w = block_of(columns_of(stored, in_out, 0, width), false);
  const Array* b = found(bench, name + ".bias");
  return filled(x.batch, 1, x.rows, width, [&](Index n, Index, Index i, Index j) {
    double y = b == nullptr ? 0.0 : b->data.at(static_cast<std::size_t>(j));
    for (Index c = 0; c < x.cols; ++c) y += x.at(n, 0, i, c) * w.at(0, 0, c, j);
    return y;
  });
}

Block normed(const ModelBench& bench, const Block& x, const std::string& name, bool rms) {
  const std::string& kind = bench.draft.model->kind;
  const double usual = kind == "bert" ? 1e-12 : kind == "llama" ? 1e-6 : 1e-5;
  const double eps = bench.draft.model->layer_norm_eps.value_or(usual);
  const auto width = static_cast<double>(x.cols);
  Block centred = x;
  if (!rms) {
    const Block sums = row_sum(x);
    centred = like(x, [&](Index b, Index h, Index i, Index j) {
      return x.at(b, h, i, j) - sums.at(b, h, i, 0) / width;
    });
  }
  const Block squares = row_sum(product(centred, centred));
  const Array& gain = tensor(bench, name + ".weight");
  const Array* bias = found(bench, name + ".bias");
  return like(x, [&](Index b, Index h, Index i, Index j) {
    const auto column = static_cast<std::size_t>(j);
    const double y = centred.at(b, h, i, j) / std::sqrt(squares.at(b, h, i, 0) / width + eps);
    return y * gain.data.at(column) + (bias == nullptr ? 0.0 : bias->data.at(column));
  });
}

Block activated(const ModelBench& bench, const Block& x, const std::string& usual) {
  const std::string& own = bench.draft.model->activation;
  Block y = x;
  for (double& value : y.data) value = activation(own.empty() ? usual : own, value);
  return y;
}

Block sum(const Block& x, const Block& y) {
  return like(
      x, [&](Index b, Index h, Index i, Index j) { return x.at(b, h, i, j) + y.at(b, h, i, j); });
}

Block product(const Block& x, const Block& y) {
  return like(
      x, [&](Index b, Index h, Index i, Index j) { return x.at(b, h, i, j) * y.at(b, h, i, j); });
}

Block attended(ModelBench& bench, const ModelAttention& attention, const Block& x,
               const Block* memory) {
  ProblemDraft one;
  static_cast<AttentionSettings&>(one) = bench.draft;
  one.tokens = attention.tokens;
  one.embeddings = array_of(bench, x);
  if (memory != nullptr) one.memory = MemoryDraft{attention.key_tokens, array_of(bench, *memory)};
  one.weights = attention.weights;
  one.heads = bench.draft.heads;
  one.kv_heads = bench.draft.kv_heads;
  one.masks = attention.masks;
  one.positions = attention.positions;
  if (attention.layer.scale) one.scale = *attention.layer.scale;
  if (attention.of_target && memory == nullptr) {
    one.allowed = bench.draft.allowed;
    one.bias = bench.draft.bias;
    one.key_lengths = bench.draft.key_lengths;
  }
  Steps steps = oracle(one, false);
  const Block output = block_of(steps.at("output"), true);
  for (const auto& [id, numbers] : steps) {
    if (id != "x" && id != "memory") bench.steps[attention.scope + "." + id] = numbers;
  }
  return output;
}

}  // namespace attn::testing
