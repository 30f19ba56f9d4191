// Adds up the sizes of W_q, W_k, W_v, W_o and biases, and joins equal terms in the formula.
#include "core/trace/parameter_count.hpp"

#include <utility>
#include <vector>

#include "attn/phrases.hpp"

namespace attn {
namespace {

/// "6·6 + 6", "6·4" without a bias.
std::string term_of(const Tensor& w, const Step* bias) {
  const std::string product = filled("{}·{}", w.rows(), w.cols());
  return bias == nullptr ? product : filled("{} + {}", product, w.cols());
}

}  // namespace

std::optional<ParameterCount> parameter_count(const Trace& trace, const Scope& scope) {
  const std::string prefix = scope.name.empty() ? "" : scope.name + ".";
  ParameterCount count;
  std::vector<std::pair<std::string, Index>> terms;  // equal neighbours are one term
  for (const char* letter : {"q", "k", "v", "o"}) {
    const Step* w = trace.find(prefix + "w_" + letter);
    if (w == nullptr) continue;
    const Step* bias = trace.find(prefix + "b_" + letter);
    count.total += w->value.rows() * w->value.cols() + (bias ? w->value.cols() : 0);
    const std::string term = term_of(w->value, bias);
    if (terms.empty() || terms.back().first != term) terms.emplace_back(term, 0);
    ++terms.back().second;
  }
  if (terms.empty() || trace.find(prefix + "w_q") == nullptr) return std::nullopt;
  for (const auto& [term, n] : terms) {
    const bool alone = n == 1 && (terms.size() == 1 || term.find(" + ") == term.npos);
    count.formula += std::string(count.formula.empty() ? "" : " + ") +
                     (n == 1 ? "" : filled("{}·", n)) + (alone ? term : filled("({})", term));
  }
  const Settings& s = scope.settings;
  count.for_any_heads = s.has_heads && s.kv_heads == s.heads && s.heads * s.d_k == s.d_model &&
                        s.heads * s.d_v == s.d_model;
  return count;
}

}  // namespace attn
