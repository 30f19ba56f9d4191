// Says why a cell is hidden, in sentences.
#include "render/story/cells/why_hidden.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "attn/phrases.hpp"
#include "core/trace/hidden_cells.hpp"
#include "render/story/cells/cell_names.hpp"

namespace attn {
namespace {

constexpr const char* kPaddedQuery = "this query is padding";

Index rows_of(const Trace& trace, const Scope& scope, StepRole role) {
  const Step* step = trace.first_of(role, scope);
  return step == nullptr ? 0 : step->value.rows();
}

/// The position of query 0 among the keys; nothing if it follows from key lengths, which a trace
/// does not keep.
std::optional<Index> offset_of(const Trace& trace, const Scope& scope) {
  const Settings& s = scope.settings;
  if (s.align == Align::KeyLengths) return std::nullopt;
  if (s.align == Align::Start) return rows_of(trace, scope, StepRole::Past);
  return s.n_keys - rows_of(trace, scope, StepRole::Extra) - s.n_queries;
}

std::string positions_text(const Trace& trace, const Step& step, const Cell& cell) {
  const std::string query = "Query " + quoted_row(step, cell);
  const std::string key = "key " + quoted_col(step, cell);
  const std::optional<Index> offset = offset_of(trace, *step.scope);
  if (!offset)
    return query + " is row " + std::to_string(cell.row) + ", " + key + " is column " +
           std::to_string(cell.col) + ".";
  return query + " is at position " + std::to_string(cell.row + *offset) + ", " + key + " at " +
         std::to_string(cell.col) + ".";
}

/// What hides a cell of query × key, as it is named for people: "causal", "the bias".
std::string hider_name(const Trace& trace, const Scope& scope, const Cell& cell) {
  if (const auto hider = hider_of(scope, cell)) return scope.visibility->names[*hider];
  const Step* mask = trace.first_of(StepRole::Mask, scope);
  return mask != nullptr && mask->value.at(cell) == 0.0 ? "a mask" : "the bias";
}

constexpr const char* kStillCounts = ", but still given some weight";

/// Whether softmax gives a masked key some weight all the same, because the fill is not −∞. Where
/// it is −∞, a large problem need not keep these numbers.
bool still_counts(const Trace& trace, const Scope& scope, const Cell& cell) {
  const Step* scores = trace.first_of(StepRole::MaskedScores, scope);
  const Step* weights = first_weights(trace, scope);
  if (scores == nullptr || weights == nullptr) return false;
  return !scores->is_outline() && std::isfinite(scores->value.at(cell)) &&
         shows_hidden(trace, *weights) && !weights->is_outline() && weights->value.at(cell) > 0.0;
}

/// Whether a weight is not 0 although its key is masked: a mistake may give it some.
bool weighs(const Step& step, const Cell& cell) {
  return step.info().role == StepRole::Weights && !step.is_outline() && step.value.at(cell) > 0.0;
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

// lib/page/panel.js makes a sentence of what begins with "hidden by" or "masked by".
std::string hidden_text(const Trace& trace, const Step& step, const Cell& cell) {
  if (is_padded_row(trace, step, cell)) return kPaddedQuery;
  const bool is_mask = step.info().role == StepRole::Mask;
  if ((!shows_hidden(trace, step) && !is_mask) || !is_hidden(trace, step, cell)) return "";
  const std::string name = hider_name(trace, *step.scope, cell);
  if (!is_mask && (weighs(step, cell) || still_counts(trace, *step.scope, cell)))
    return "masked by " + name + kStillCounts;
  if (hider_of(*step.scope, cell)) return "hidden by " + name + ": " + mask_reason(name);
  return "hidden by " + name + (name == "the bias" ? ": −∞ is added" : "");
}

std::string hides_text(const Trace& trace, const Step& step, const Cell& cell) {
  const std::string name = hider_name(trace, *step.scope, cell);
  if (weighs(step, cell) || still_counts(trace, *step.scope, cell))
    return cell_name(step, cell) + " is masked by " + name + kStillCounts;
  const std::string text = name + " hides " + cell_name(step, cell);
  return hider_of(*step.scope, cell) ? text + ": " + mask_reason(name) : text;
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

std::string why_hidden(const Trace& trace, const Step& step, const Cell& cell) {
  std::string text = hidden_text(trace, step, cell);
  if (text.empty()) return text;
  if (text == kPaddedQuery)
    return "Query " + quoted_row(step, cell) + " is padding: its weights are set to zero.";
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ". " + positions_text(trace, step, cell);
}

}  // namespace attn
