// Writes the remarks beside the arithmetic of a cell.
#include "render/story/cell_remarks.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/tool/phrases.hpp"
#include "core/trace/hiding.hpp"
#include "render/story/cell_names.hpp"

namespace attn {
namespace {

/// The leaves of an expression that are cells of input number `input`.
void collect(const Expression& how, int input, std::vector<Cell>& cells) {
  if (how.kind == Expression::Kind::Leaf && how.input == input) cells.push_back(how.cell);
  for (const Expression& part : how.parts) collect(part, input, cells);
}

/// "row cat of X", "column q0 of W_q", "b_q[q0]": what the cells have in common.
std::string region_text(const Step& step, const std::vector<Cell>& cells) {
  const Cell& first = cells.front();
  if (cells.size() == 1) return cell_name(step, first);
  const std::string of = std::string(" of ") + step.info().symbol;
  if (are_alike(cells, &Cell::row)) return "row " + quoted_row(step, first) + of;
  if (are_alike(cells, &Cell::col)) return "column " + quoted_col(step, first) + of;
  return step.info().symbol;
}

/// What hides a cell of query × key: "causal", "the bias".
std::string hider_name(const Trace& trace, const Scope& scope, const Cell& cell) {
  if (const auto hider = hider_of(scope, cell)) return scope.visibility->names[*hider];
  const Step* mask = trace.first_of(StepRole::Mask, scope);
  return mask != nullptr && mask->value.at(cell) == 0.0 ? "a mask" : "the bias";
}

constexpr const char* kStillCounts = ", but still with weight";

/// Whether softmax gives a masked key some weight all the same, because the fill is not −∞.
bool still_counts(const Trace& trace, const Scope& scope, const Cell& cell) {
  const Step* weights = first_weights(trace, scope);
  return weights != nullptr && shows_hidden(trace, *weights) && weights->value.at(cell) > 0.0;
}

/// Who hides how many keys, in the order of the keys.
struct Hiders {
  std::vector<std::pair<std::string, Index>> counts = {};

  void count(const std::string& name) {
    const auto known = std::find_if(counts.begin(), counts.end(),
                                    [&](const auto& each) { return each.first == name; });
    if (known == counts.end()) {
      counts.emplace_back(name, 1);
    } else {
      ++known->second;
    }
  }

  /// "1 of 5 keys hidden by causal, 2 by keys:0"; empty if there are none.
  std::string text(Index keys, const std::string& verb) const {
    std::string all;
    for (const auto& [name, count] : counts)
      all += (all.empty() ? std::to_string(count) + " of " + counted(keys, "key") + " " + verb
                          : ", " + std::to_string(count)) +
             " by " + name;
    return all;
  }
};

}  // namespace

std::string hidden_text(const Trace& trace, const Step& step, const Cell& cell) {
  if (is_padded_row(trace, step, cell)) return kPaddedQuery;
  const bool is_mask = step.info().role == StepRole::Mask;
  if ((!shows_hidden(trace, step) && !is_mask) || !is_hidden(trace, step, cell)) return "";
  const std::string name = hider_name(trace, *step.scope, cell);
  if (!is_mask && still_counts(trace, *step.scope, cell)) return "masked by " + name + kStillCounts;
  if (hider_of(*step.scope, cell)) return "hidden by " + name + ": " + mask_reason(name);
  return "hidden by " + name + (name == "the bias" ? ": −∞ is added" : "");
}

std::string why_text(const Trace& trace, const Step& step, std::optional<Cell> cell) {
  if (step.info().role != StepRole::MaskedScores) return step.info().why;
  constexpr const char* kBias = "A bias makes some pairs more or less likely before softmax.";
  if (trace.input_of(StepRole::Mask, step) == nullptr) return kBias;
  const bool biased = trace.input_of(StepRole::Bias, step) != nullptr;
  const bool visible = cell && !is_hidden(trace, step, *cell);
  if (visible) return biased ? kBias : "A mask leaves this score as it is.";
  if (std::isinf(step.scope->settings.fill)) return step.info().why;
  return "A masked score gets the fill; only −∞ takes it out for sure: e to the power of −∞ is "
         "0.";
}

std::string given_text(const Step& step) {
  return step.info().role == StepRole::Mask ? "no mask hides this key" : "given";
}

std::string hidden_keys_text(const Trace& trace, const Step& step, const Cell& cell) {
  if (!leaves_keys_out(trace, step)) return "";
  Hiders hidden, counting;
  for (Index key = 0; key < step.scope->settings.n_keys; ++key) {
    const Cell own{cell.batch, cell.head, cell.row, key};
    if (is_hidden(trace, step, own))
      (still_counts(trace, *step.scope, own) ? counting : hidden)
          .count(hider_name(trace, *step.scope, own));
  }
  const std::string left_out = hidden.text(step.scope->settings.n_keys, "hidden");
  const std::string kept = counting.text(step.scope->settings.n_keys, "masked");
  if (kept.empty()) return left_out;
  return left_out + (left_out.empty() ? "" : "; ") + kept + kStillCounts;
}

std::string givens_text(const Trace& trace, const CellOrigin& origin) {
  const Step& step = *origin.copies.back().step;
  std::vector<std::string> regions;
  for (std::size_t input = 0; input < step.inputs.size(); ++input) {
    const Step& source = trace.input(step, input);
    std::vector<Cell> cells;
    collect(origin.how, static_cast<int>(input), cells);
    if (!source.is_given() || source.info().role == StepRole::Mask || cells.empty()) continue;
    regions.push_back(region_text(source, cells));
  }
  if (regions.empty()) return "";
  std::string text = regions[0];
  for (std::size_t i = 1; i < regions.size(); ++i)
    text += (i + 1 == regions.size() ? " and " : ", ") + regions[i];
  return text + (regions.size() == 1 ? " is given" : " are given");
}

}  // namespace attn
