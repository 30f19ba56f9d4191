// The singular values of the circuits of heads as tables, with bars for a single head.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "attn/language.hpp"
#include "attn/render/inside.hpp"
#include "render/story/steps/opening.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

constexpr std::size_t kValuesOfHead = 3;  // of each of several
constexpr double kStretchBar = 16.0;      // cells of the longest bar

using CircuitPair = std::array<const Step*, 2>;  ///< QK and OV; nullptr where weights are missing

/// The singular values of each attention that the view does not leave out.
std::vector<CircuitPair> circuit_pairs(const Trace& trace, const View& view) {
  std::vector<CircuitPair> pairs;
  const Scope* last = nullptr;
  for (const Step& step : trace.steps) {
    const auto layer = place_of(*step.scope).layer;
    if (step.info().role != StepRole::SingularValues || (view.layer && layer != view.layer))
      continue;
    if (step.scope.get() != last) pairs.push_back({});
    last = step.scope.get();
    pairs.back()[step.info().row_name == std::string_view("QK") ? 0 : 1] = &step;
  }
  return pairs;
}

class CircuitTable {
 public:
  CircuitTable(const CircuitPair& pair, const View& view)
      : pair_(pair), format_{view.precision, view.notation == Notation::Scientific} {
    const Step& any = *(pair[0] != nullptr ? pair[0] : pair[1]);
    const std::string name = any.scope->name;
    table_.header = {""};
    if (const std::size_t dot = name.find('.'); dot != name.npos)
      table_.header[0] = name.substr(dot + 1);
    for (const std::size_t which : shown()) {
      table_.header.insert(table_.header.end(), {which == 0 ? "QK" : "OV", ""});
      table_.bars.push_back(table_.header.size() - 1);
    }
    const Index heads = any.value.heads();
    const Index first = heads == 1 ? 0 : view.head.value_or(0);
    if (heads == 1 || view.head) {
      if (heads > 1) table_.header[0] += (table_.header[0].empty() ? "" : " ") + head_name(first);
      add_single(first);
    } else {
      for (Index head = 0; head < heads; ++head) add_head(head);
    }
  }

  Table table() && { return std::move(table_); }

 private:
  static std::string head_name(Index head) { return translated("head {n}", head); }

  /// Those that have weights.
  std::vector<std::size_t> shown() const {
    std::vector<std::size_t> both{0, 1};
    std::erase_if(both, [&](std::size_t which) { return pair_[which] == nullptr; });
    return both;
  }

  std::vector<double> values(std::size_t which, Index head) const {
    const auto row = pair_[which]->value.row(0, head, 0);
    return {row.begin(), row.end()};
  }

  void add_single(Index head) {
    std::vector<std::vector<double>> all;
    std::size_t count = 0;
    for (const std::size_t which : shown()) {
      all.push_back(values(which, head));
      count = std::max(count, all.back().size());
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::string> line{"σ" + std::to_string(i)};
      for (const std::vector<double>& own : all) {
        const bool has = i < own.size();
        line.push_back(has ? format_number(own[i], format_) : "");
        line.push_back(has ? bar(own[i], own.front()) : "");
      }
      table_.rows.push_back(std::move(line));
    }
  }

  void add_head(Index head) {
    std::vector<std::string> line{head_name(head)};
    for (const std::size_t which : shown()) {
      std::string text;
      const std::vector<double> own = values(which, head);
      for (std::size_t i = 0; i < std::min(kValuesOfHead, own.size()); ++i)
        text += (i == 0 ? "" : "  ") + format_number(own[i], format_);
      line.push_back(text + (own.size() > kValuesOfHead ? " …" : ""));
      line.push_back(bar(own.front(), largest(which)));
    }
    table_.rows.push_back(std::move(line));
  }

  /// Of all heads.
  double largest(std::size_t which) const {
    double most = 0.0;
    for (Index head = 0; head < pair_[which]->value.heads(); ++head)
      most = std::max(most, pair_[which]->value.at({0, head, 0, 0}));
    return most;
  }

  static std::string bar(double value, double most) {
    const double share = most > 0.0 ? value / most : 0.0;
    if (!std::isfinite(share)) return "";
    return std::string(static_cast<std::size_t>(share * kStretchBar + 0.5), '+');
  }

  const CircuitPair& pair_;
  NumberFormat format_;
  Table table_{};
};

/// What an attention lacks the weights for.
std::vector<std::string> missing_products(const std::vector<CircuitPair>& pairs) {
  const auto lack = [&](std::size_t which) {
    return std::any_of(pairs.begin(), pairs.end(),
                       [&](const CircuitPair& pair) { return pair[which] == nullptr; });
  };
  std::vector<std::string> texts;
  if (lack(0))
    texts.push_back(
        translated("Without W_QK: it needs W_q and W_k, and scores that are dot products."));
  if (lack(1)) texts.push_back(translated("Without W_OV: it needs W_v and W_o."));
  return texts;
}

}  // namespace

Document show_circuits(const Trace& trace, const View& view) {
  Document document = opened(trace, view);
  document.blocks.emplace_back(Paragraph{translated(
      "The circuits of heads: W_QK = W_q·W_kᵀ says what a head looks for, W_OV = W_v·W_o what it "
      "passes on. Their singular values are by how much they stretch a row at most, and then in "
      "each direction at right angles to those before.")});
  const std::vector<CircuitPair> pairs = circuit_pairs(trace, view);
  for (const CircuitPair& pair : pairs)
    document.blocks.emplace_back(CircuitTable(pair, view).table());
  for (const std::string& text : missing_products(pairs))
    document.blocks.emplace_back(Paragraph{text, Role::Footer});
  document.blocks.emplace_back(
      Paragraph{translated("Left out are biases, norms, and positions: with rotary ones, W_QK is "
                           "about distance 0."),
                Role::Footer});
  return document;
}

}  // namespace attn
