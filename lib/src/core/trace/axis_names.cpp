// Names the rows and columns of a step.
#include "core/trace/axis_names.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace attn {
namespace {

/// Whether the rows belong to the queries, as those of the input and of what is added to it do.
bool is_query_side(const Step& step, std::string_view axis) {
  return axis == "query" || (axis == "token" && step.info().forward().role != StepRole::KeyInput);
}

/// The tokens along an axis of `n`; nothing if there are not that many: a mistake can give a step
/// any shape. The key tokens are those of past_k, then those of k, then those of extra_k. Scores
/// that a mistake transposes have keys for queries.
std::optional<std::span<const std::string>> tokens_of(const Step& step, std::string_view axis,
                                                      Index n, Index batch) {
  const Scope& scope = *step.scope;
  const std::optional<Index> entries = step.value.shape().batch;
  if (entries && scope.settings.has_batch && *entries != scope.settings.batch) return std::nullopt;
  const bool queries = is_query_side(step, axis);
  const auto of_entry = [&](const TokenLists& lists) {
    return std::span(lists[lists.size() == 1 ? 0 : static_cast<std::size_t>(batch)]);
  };
  const auto own = of_entry(queries ? scope.query_tokens : scope.key_tokens);
  const auto other = of_entry(queries ? scope.key_tokens : scope.query_tokens);
  const auto count = static_cast<std::size_t>(n);
  if (count == own.size()) return own;
  if (count < own.size() && !queries && !step.info().is_pairwise()) {
    const StepRole role = step.info().forward().role;
    const std::size_t others = own.size() - count;
    const auto extra = static_cast<std::size_t>(role == StepRole::Extra ? 0 : scope.n_extra);
    const std::size_t before = role == StepRole::Past ? 0 : others - std::min(others, extra);
    return own.subspan(before, count);
  }
  if (count == other.size()) return other;
  return std::nullopt;
}

/// The words along an axis of `n`; nullptr if none are known.
const std::vector<std::string>* vocabulary_along(const Step& step, std::string_view axis, Index n) {
  const std::vector<std::string>& words = step.scope->vocabulary;
  return axis == "vocabulary" && std::ssize(words) == n ? &words : nullptr;
}

/// Whether the heads of a step cut this axis into pieces.
bool is_cut(const Step& step, std::string_view axis) {
  return step.value.shape().heads && (axis == "features" || axis == "d_k" || axis == "d_v");
}

AxisNames names_of(const Step& step, const char* axis, const char* name, Index n, const Cell& at) {
  if (*name == '\0') {
    if (const auto tokens = tokens_of(step, axis, n, at.batch))
      return {{tokens->begin(), tokens->end()}, true};
    name = axis;
  }
  if (std::string_view(axis) == "1") return {{name}, false};
  if (const auto* words = vocabulary_along(step, axis, n)) return {*words, true};
  AxisNames names;
  const Index first = is_cut(step, axis) ? at.head * n : 0;
  for (Index i = first; i < first + n; ++i) names.names.push_back(name + std::to_string(i));
  return names;
}

/// Name number `i` of those, without making the others.
AxisName name_of(const Step& step, const char* axis, const char* name, Index n, const Cell& at,
                 Index i) {
  if (*name == '\0') {
    if (const auto tokens = tokens_of(step, axis, n, at.batch)) {
      const std::string& own = (*tokens)[static_cast<std::size_t>(i)];
      return {own, true, std::count(tokens->begin(), tokens->end(), own) > 1};
    }
    name = axis;
  }
  if (std::string_view(axis) == "1") return {name};
  if (const auto* words = vocabulary_along(step, axis, n)) {
    const std::string& own = (*words)[static_cast<std::size_t>(i)];
    return {own, true, std::count(words->begin(), words->end(), own) > 1};
  }
  return {name + std::to_string((is_cut(step, axis) ? at.head * n : 0) + i)};
}

}  // namespace

AxisNames row_names(const Step& step, Index batch, Index head) {
  const StepInfo& info = step.info();
  return names_of(step, info.row_axis, info.row_name, step.value.rows(), {batch, head, 0, 0});
}

AxisNames col_names(const Step& step, Index batch, Index head) {
  const StepInfo& info = step.info();
  return names_of(step, info.col_axis, info.col_name, step.value.cols(), {batch, head, 0, 0});
}

std::string unique_name(const AxisName& name, Index i) {
  return name.repeated ? std::to_string(i) + ":" + name.name : name.name;
}

std::string col_axis_name(const Step& step) {
  const std::string axis = step.info().col_axis;
  const std::optional<Index>& d_model = step.scope->settings.d_model;
  const bool other_width = axis == "d_model" && d_model && *d_model != step.value.cols();
  return axis == "1" || other_width ? "" : axis;
}

AxisName name_of_row(const Step& step, const Cell& cell) {
  const StepInfo& info = step.info();
  return name_of(step, info.row_axis, info.row_name, step.value.rows(), cell, cell.row);
}

AxisName name_of_col(const Step& step, const Cell& cell) {
  const StepInfo& info = step.info();
  return name_of(step, info.col_axis, info.col_name, step.value.cols(), cell, cell.col);
}

}  // namespace attn
