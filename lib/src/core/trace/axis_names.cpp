// How the rows and columns of a step are called.
#include "core/trace/axis_names.hpp"

namespace attn {
namespace {

/// Whether the rows are those of the queries: of the input too, and of what is added to it.
bool is_query_side(const Step& step, std::string_view axis) {
  return axis == "query" || (axis == "token" && step.info().role != StepRole::KeyInput);
}

/// The tokens along an axis of `n` rows: with a past, k and v have only the last of the key tokens,
/// past_k and past_v only the first.
AxisNames tokens_of(const Step& step, std::string_view axis, Index n, Index batch) {
  const TokenLists& lists =
      is_query_side(step, axis) ? step.scope->query_tokens : step.scope->key_tokens;
  const auto& all = lists[lists.size() == 1 ? 0 : static_cast<std::size_t>(batch)];
  const bool first = step.info().role == StepRole::Past;
  const auto skip = first ? 0 : static_cast<std::ptrdiff_t>(all.size()) - n;
  return {{all.begin() + skip, all.begin() + skip + n}, true};
}

AxisNames names_of(const Step& step, const char* axis, const char* name, Index n, Index batch) {
  if (*name == '\0') return tokens_of(step, axis, n, batch);
  if (std::string_view(axis) == "1") return {{name}, false};
  return {indexed_labels(name, n), false};
}

}  // namespace

AxisNames row_names(const Step& step, Index batch) {
  const StepInfo& info = step.info();
  return names_of(step, info.row_axis, info.row_name, step.value.rows(), batch);
}

AxisNames col_names(const Step& step, Index batch) {
  const StepInfo& info = step.info();
  return names_of(step, info.col_axis, info.col_name, step.value.cols(), batch);
}

std::vector<std::string> indexed_labels(std::string_view prefix, std::ptrdiff_t n) {
  std::vector<std::string> labels;
  for (std::ptrdiff_t i = 0; i < n; ++i) labels.push_back(std::string(prefix) + std::to_string(i));
  return labels;
}

}  // namespace attn
