// The oracle: norms of queries and keys, sinks, gates.
#include <algorithm>
#include <cmath>

#include "support/narrow.hpp"
#include "support/oracle_bench.hpp"

namespace attn::testing {
namespace {

double activated(const std::string& name, double x) {
  if (name == "relu") return x > 0 ? x : 0;
  if (name == "gelu") return x * std::erfc(-x / std::sqrt(2.0)) / 2;
  const double open = 1 / (1 + std::exp(-x));
  return name == "silu" ? x * open : open;
}

/// Entry of gains for column `col` of head `head`; of bias if `ending` says so.
std::optional<double> gain(const ProblemDraft& draft, const std::string& name, Index head,
                           Index heads, Index col, Index cols) {
  const auto found = draft.weights.find(name);
  if (found == draft.weights.end()) return std::nullopt;
  const Array gains = all_narrowed(found->second, draft.dtype);
  const bool each = heads > 1 && static_cast<Index>(gains.data.size()) == heads * cols;
  return gains.data[static_cast<std::size_t>(each ? head * cols + col : col)];
}

}  // namespace

QkNormKind norm_of(const ProblemDraft& draft) {
  if (draft.qk_norm.is_given) return draft.qk_norm.kind;
  return draft.weights.contains("q_norm") || draft.weights.contains("k_norm") ? QkNormKind::Rms
                                                                              : QkNormKind::None;
}

bool spans_heads(const ProblemDraft& draft, const Facts& facts) {
  for (const auto& [name, heads] : {std::pair{"q_norm", facts.heads}, {"k_norm", facts.kv_heads}}) {
    const auto found = draft.weights.find(name);
    if (found == draft.weights.end() || heads == 1) continue;
    if (found->second.rank() == 1 && found->second.shape[0] == heads * facts.d_k) return true;
  }
  return false;
}

Block qk_normed(const ProblemDraft& draft, const Block& x, const std::string& side) {
  const QkNormKind kind = norm_of(draft);
  const double eps = draft.qk_norm.eps.value_or(1e-6), offset = draft.qk_norm.offset.value_or(0);
  const auto n = static_cast<double>(x.cols);
  return like(x, [&](Index b, Index h, Index i, Index j) {
    double total = 0, squares = 0;
    for (Index c = 0; c < x.cols; ++c) total += x.at(b, h, i, c);
    const double mean = kind == QkNormKind::Layer ? total / n : 0;
    for (Index c = 0; c < x.cols; ++c) squares += std::pow(x.at(b, h, i, c) - mean, 2);
    const double size =
        kind == QkNormKind::L2 ? std::fmax(std::sqrt(squares), eps) : std::sqrt(squares / n + eps);
    const double z = (x.at(b, h, i, j) - mean) / size;
    const auto g = gain(draft, side + "_norm", h, x.heads, j, x.cols);
    const auto shift = gain(draft, side + "_norm_bias", h, x.heads, j, x.cols);
    return (g ? z * (offset + *g) : z) + shift.value_or(0);
  });
}

std::optional<double> sink_of(const ProblemDraft& draft, Index head) {
  const auto found = draft.weights.find("sinks");
  if (!draft.sinks && found == draft.weights.end()) return std::nullopt;
  const Array sinks = all_narrowed(draft.sinks ? *draft.sinks : found->second, draft.dtype);
  return sinks.data[sinks.data.size() == 1 ? 0 : static_cast<std::size_t>(head)];
}

std::string gate_place(const ProblemDraft& draft) {
  if (!draft.weights.contains("w_gate")) return "";
  const GateOn on = draft.attention_gate.value_or(AttentionGate()).on;
  return on == GateOn::Context ? "context" : on == GateOn::Concat ? "concat" : "output";
}

std::optional<Block> gate_of(Bench& bench, const Block& x) {
  const ProblemDraft& draft = bench.draft;
  const auto w = draft.weights.find("w_gate");
  if (w == draft.weights.end()) return std::nullopt;
  const Block logits =
      published(bench, "gate_logits", linear(draft, x, "gate", w->second.shape.back()), 0);
  const std::string activation = draft.attention_gate.value_or(AttentionGate()).activation;
  return published(
      bench, "attention_gate",
      like(logits, [&](Index b, Index h, Index i,
                       Index j) { return activated(activation, logits.at(b, h, i, j)); }),
      0);
}

}  // namespace attn::testing
