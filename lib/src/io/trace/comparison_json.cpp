// Comparisons as JSON.
#include <array>
#include <cmath>

#include "attn/comparison_report.hpp"
#include "attn/version.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using json::quoted;
using json::Text;

constexpr std::array kSides{"both", "left", "right"};  // in the order of Presence

Text number(const std::optional<double>& x, NonFinite nonfinite) {
  const bool none = !x || (nonfinite == NonFinite::Null && !std::isfinite(*x));
  return none ? "null" : json::number_text(*x);
}

Text cell_text(const std::optional<Cell>& cell) {
  if (!cell) return "null";
  return json::list_text(std::vector{cell->batch, cell->head, cell->row, cell->col},
                         json::whole_text);
}

Text step_text(const StepDifference& step, NonFinite nonfinite) {
  const auto shape = [&](const std::vector<Index>& sizes) {
    return step.other_shape() ? json::list_text(sizes, json::whole_text) : Text();
  };
  return json::object_text({{"id", quoted(step.id)},
                            {"in", quoted(kSides.at(static_cast<std::size_t>(step.in)))},
                            {"max_difference", number(step.largest, nonfinite)},
                            {"mean_difference", number(step.mean, nonfinite)},
                            {"first_difference", cell_text(step.first)},
                            {"left_shape", shape(step.left_shape)},
                            {"right_shape", shape(step.right_shape)}});
}

}  // namespace

std::string comparison_json(const Comparison& comparison, const std::string& left,
                            const std::string& right, NonFinite nonfinite) {
  const StepDifference* first = comparison.first_different();
  std::vector<Text> steps;
  for (const StepDifference& step : comparison.steps) steps.push_back(step_text(step, nonfinite));
  const std::vector<Text> lines{
      json::members_text({{"format", quoted("attn.compare")},
                          {"format_version", quoted("1.0")},
                          {"generator", quoted("attn " + version())}}),
      json::members_text({{"left", quoted(left)}, {"right", quoted(right)}}),
      json::members_text({{"first_different", first == nullptr ? "null" : quoted(first->id)}}),
      json::members_text({{"steps", json::lines_text(steps, json::kStep, "[]")}})};
  return json::lines_text(lines, 0, "{}") + "\n";
}

}  // namespace attn
