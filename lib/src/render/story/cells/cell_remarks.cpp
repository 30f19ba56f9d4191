// Writes the remarks beside the arithmetic of a cell.
#include "render/story/cells/cell_remarks.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "core/trace/axis_names.hpp"
#include "core/trace/hidden_cells.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/terminal/short_labels.hpp"

namespace attn {
namespace {

/// The leaves of an expression that are cells of input number `input`.
void collect(const Expression& how, int input, std::vector<Cell>& cells) {
  if (how.kind == Expression::Kind::Leaf && how.input == input) cells.push_back(how.cell);
  for (const Expression& part : how.parts) collect(part, input, cells);
}

/// `row "cat" of X`, "column q0 of W_q", "b_q[q0]": what the cells have in common.
std::string region_text(const Step& step, const std::vector<Cell>& cells) {
  const Cell& first = cells.front();
  if (cells.size() == 1) return cell_name(step, first);
  if (are_alike(cells, &Cell::row))
    return translated("row {row} of {step}", quoted_row(step, first), step_name(step));
  if (are_alike(cells, &Cell::col))
    return translated("column {column} of {step}", quoted_col(step, first), step_name(step));
  return step_name(step);
}

}  // namespace

std::string why_text(const Trace& trace, const Step& step, std::optional<Cell> cell) {
  const StepInfo& info = step.info();
  if (info.role == StepRole::Gradient && *info.why == '\0')
    return translated(step.operation->gradient_why);
  if (info.role != StepRole::Gradient && *step.operation->why != '\0')
    return translated(step.operation->why);
  const bool extra = trace.input_of(StepRole::Extra, step) != nullptr;
  if (extra && trace.input_of(StepRole::Past, step) == nullptr)
    return translated(
        "What is added belongs to no token: a query that matches no other key can attend to it.");
  if (info.role != StepRole::MaskedScores) return translated(info.why);
  const std::string kBias =
      translated("A bias raises or lowers the scores of some pairs before softmax.");
  const bool biased = trace.input_of(StepRole::Bias, step) != nullptr;
  if (biased && trace.input_of(StepRole::Mask, step) == nullptr) return kBias;
  const bool visible = cell && !is_hidden(trace, step, *cell);
  if (visible) return biased ? kBias : translated("The mask leaves this score as it is.");
  if (!step.scope->settings.fill_is_finite()) return translated(step.info().why);
  return translated(
      "A masked score gets the fill; only −∞ is sure to remove it: e to the power of −∞ is 0.");
}

std::string given_text(const Step& step, const Cell& cell) {
  if (step.parameters.find("looked_up") != nullptr)
    return translated("row {row} of {step}",
                      "\"" + shown_token(name_of_row(step, cell).name) + "\"", "embedding_table");
  return translated(step.info().role == StepRole::Mask ? "no mask hides this key" : "given");
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
  return regions.size() == 1 ? translated("{what} is given", regions.front())
                             : translated("{what} are given", translated_list(regions));
}

}  // namespace attn
