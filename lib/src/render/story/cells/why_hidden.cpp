// Says why a cell is hidden, in sentences.
#include "render/story/cells/why_hidden.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "core/masks/mask_words.hpp"
#include "core/trace/hidden_cells.hpp"
#include "render/story/cells/cell_names.hpp"

namespace attn {
namespace {

constexpr const char* kPaddedQuery = in_catalogue("this query is padding");

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
  const std::string query = quoted_row(step, cell), key = quoted_col(step, cell);
  const std::optional<Index> offset = offset_of(trace, *step.scope);
  if (!offset)
    return translated("Query {query} is row {row}, key {key} is column {column}.", query, cell.row,
                      key, cell.col);
  return translated("Query {query} is at position {position}, key {key} at {other}.", query,
                    cell.row + *offset, key, cell.col);
}

/// What hides a cell of query × key, as it is named for people: "causal", "the bias".
std::string hider_name(const Trace& trace, const Scope& scope, const Cell& cell) {
  if (const auto hider = hider_of(scope, cell)) return scope.visibility->names[*hider];
  const Step* mask = trace.first_of(StepRole::Mask, scope);
  return mask != nullptr && mask->value.at(cell) == 0.0 ? kByMask : kByBias;
}

/// Why the mask of that name hides the cell; "" if no mask does, or none that attn knows.
std::string reason_of(const Step& step, const Cell& cell, const std::string& name) {
  const std::string why = hider_of(*step.scope, cell) ? mask_reason(name) : "";
  return why.empty() ? "" : translated(why);
}

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
  std::string text(Index keys, const char* first) const {
    std::string all;
    for (const auto& [name, count] : counts)
      all += all.empty()
                 ? translated(first, count, translated_count(keys, "key"), mask_in_words(name))
                 : translated(", {n} by {mask}", count, mask_in_words(name));
    return all;
  }
};

}  // namespace

// lib/page/cells.js makes a sentence of what begins with "hidden by" or "masked by".
std::string hidden_text(const Trace& trace, const Step& step, const Cell& cell) {
  if (is_padded_row(trace, step, cell)) return translated(kPaddedQuery);
  const bool is_mask = step.info().role == StepRole::Mask;
  if ((!shows_hidden(trace, step) && !is_mask) || !is_hidden(trace, step, cell)) return "";
  const std::string name = hider_name(trace, *step.scope, cell);
  if (!is_mask && (weighs(step, cell) || still_counts(trace, *step.scope, cell)))
    return translated("masked by {mask}, but still given some weight", mask_in_words(name));
  const std::string why = reason_of(step, cell, name);
  if (!why.empty()) return translated("hidden by {mask}: {why}", mask_in_words(name), why);
  if (name == kByBias) return translated("hidden by the bias: −∞ is added");
  return translated("hidden by {mask}", mask_in_words(name));
}

std::string hides_text(const Trace& trace, const Step& step, const Cell& cell) {
  const std::string name = hider_name(trace, *step.scope, cell);
  if (weighs(step, cell) || still_counts(trace, *step.scope, cell))
    return translated("{cell} is masked by {mask}, but still given some weight",
                      cell_name(step, cell), mask_in_words(name));
  const std::string why = reason_of(step, cell, name);
  if (why.empty())
    return translated("{mask} hides {cell}", mask_in_words(name), cell_name(step, cell));
  return translated("{mask} hides {cell}: {why}", mask_in_words(name), cell_name(step, cell), why);
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
  const std::string left_out =
      hidden.text(step.scope->settings.n_keys, "{n} of {keys} hidden by {mask}");
  const std::string kept =
      counting.text(step.scope->settings.n_keys, "{n} of {keys} masked by {mask}");
  if (kept.empty()) return left_out;
  return clauses({left_out, translated("{masked}, but still given some weight", kept)});
}

std::string why_hidden(const Trace& trace, const Step& step, const Cell& cell) {
  std::string text = hidden_text(trace, step, cell);
  if (text.empty()) return text;
  if (text == translated(kPaddedQuery))
    return translated("Query {query} is padding: its weights are set to zero.",
                      quoted_row(step, cell));
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return translated("{why}. {where}", text, positions_text(trace, step, cell));
}

}  // namespace attn
