// Comparisons as JSON.
#include <array>
#include <optional>

#include "attn/render/comparison_report.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using json::Layout;
using json::Writer;

constexpr std::array kSides{"both", "left", "right"};  // in the order of Presence

void write_difference(Writer& out, const StepDifference& step, NonFinite nonfinite) {
  const auto add = [&](const char* key, const std::optional<double>& x) {
    out.add(key, x ? json::or_null(*x, nonfinite) : x);
  };
  out.add("id", step.id).add("in", kSides.at(static_cast<std::size_t>(step.in)));
  add("max_difference", step.largest);
  add("mean_difference", step.mean);
  std::optional<std::vector<Index>> first;
  if (const auto& cell = step.first) first = {cell->batch, cell->head, cell->row, cell->col};
  out.add("first_difference", first);
  if (step.other_shape())
    out.add("left_shape", step.left_shape).add("right_shape", step.right_shape);
}

}  // namespace

std::string comparison_json(const Comparison& comparison, const std::string& left,
                            const std::string& right, NonFinite nonfinite) {
  const StepDifference* first = comparison.first_different();
  return json::file_text(Layout::Groups, [&](Writer& out) {
    out.format("attn.compare").line().add("left", left).add("right", right);
    out.line().add("first_different", first ? std::optional(first->id) : std::nullopt);
    out.line().key("steps").objects(
        comparison.steps, Layout::Lines,
        [&](const StepDifference& step) { write_difference(out, step, nonfinite); });
  });
}

}  // namespace attn
