// Names the rows and columns of a step.
#include "core/trace/axis_names.hpp"

#include <string_view>

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

/// Whether the heads of a step cut this axis into pieces.
bool is_cut(const Step& step, std::string_view axis) {
  return step.value.shape().heads && (axis == "features" || axis == "d_k" || axis == "d_v");
}

AxisNames names_of(const Step& step, const char* axis, const char* name, Index n, const Cell& at) {
  if (*name == '\0') return tokens_of(step, axis, n, at.batch);
  if (std::string_view(axis) == "1") return {{name}, false};
  AxisNames names;
  const Index first = is_cut(step, axis) ? at.head * n : 0;
  for (Index i = first; i < first + n; ++i) names.names.push_back(name + std::to_string(i));
  return names;
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

}  // namespace attn
