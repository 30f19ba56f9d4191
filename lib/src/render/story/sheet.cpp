// Lays out an exercise sheet: instructions, what is given, the steps with their blanks.
#include "attn/sheet_document.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/explain.hpp"
#include "attn/tool/phrases.hpp"
#include "render/story/explain_steps.hpp"
#include "render/story/opening.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

const SheetStep* find_step(const Sheet& sheet, const std::string& id) {
  const auto step = std::find_if(sheet.steps.begin(), sheet.steps.end(),
                                 [&](const SheetStep& each) { return each.id == id; });
  return step == sheet.steps.end() ? nullptr : &*step;
}

bool is_blank(const SheetStep& step, std::size_t at) {
  return step.blank[at] != 0 && std::isnan(step.numbers[at]);
}

/// Puts what is on the sheet in place of the computed numbers. With a bug, what looks hidden
/// is what the sheet says, not what is right.
void fill(Grid& grid, const SheetStep& step, Index heads, bool bug) {
  const std::size_t size = grid.numbers.size();
  const Index slice = grid.batch.value_or(0) * (grid.head ? heads : 1) + grid.head.value_or(0);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t at = static_cast<std::size_t>(slice) * size + i;
    const double number = step.numbers[at];
    if (is_blank(step, at)) grid.kinds[i] = CellKind::Blank;
    if (grid.kinds[i] == CellKind::HiddenWeight && number != 0.0) grid.kinds[i] = CellKind::Number;
    if (grid.kinds[i] == CellKind::HiddenScore && std::isfinite(number) && bug)
      grid.kinds[i] = CellKind::Number;
    grid.numbers[i] =
        is_blank(step, at) ? std::numeric_limits<double>::quiet_NaN() : step.numbers[at];
  }
  const auto has = [&](CellKind kind) {
    return std::find(grid.kinds.begin(), grid.kinds.end(), kind) != grid.kinds.end();
  };
  grid.shares = false;
  grid.legend = has(CellKind::HiddenWeight);
}

std::string points_text(double points) {
  return short_number(points, 2) + (points == 1.0 ? " point" : " points");
}

/// What is given of the problem, then what the sheet asks for.
std::vector<std::string> steps_of(const Sheet& sheet, const Trace& trace) {
  std::vector<std::string> ids;
  for (const Step& given : trace.givens) ids.push_back(given.id);
  for (const Step& step : trace.steps) {
    if (step.is_given() && find_step(sheet, step.id) == nullptr) ids.push_back(step.id);
  }
  for (const SheetStep& step : sheet.steps) ids.push_back(step.id);
  return ids;
}

std::string instructions(const Sheet& sheet) {
  if (sheet.bug) return "One step is wrong, and those after it follow from it. Which, and why?";
  return "Fill in the blanks, with " + counted(sheet.decimals, "decimal") +
         ". A number is right if it is within " + short_number(sheet.accept_within, 6) + ".";
}

}  // namespace

Document sheet_document(const Sheet& sheet, const Trace& trace) {
  Document document;
  document.precision = sheet.decimals;
  Title title{sheet.exercise};
  if (!sheet.student.empty()) title.facts.push_back("student " + sheet.student);
  title.facts.push_back("variant " + sheet.variant);
  document.blocks.emplace_back(std::move(title));
  const std::vector<std::string> facts = settings_facts(trace, "");
  if (!facts.empty()) document.blocks.emplace_back(Facts{facts});
  document.blocks.emplace_back(Paragraph{instructions(sheet)});
  View view;
  view.steps = steps_of(sheet, trace);
  view.detail = Detail::Brief;
  view.examples = false;
  view.each = true;
  add_steps(document, trace, view);
  for (Block& block : document.blocks) {
    if (auto* heading = std::get_if<StepHeading>(&block)) {
      const SheetStep* step = find_step(sheet, heading->id);
      if (step != nullptr && step->points > 0)
        heading->phrase += " (" + points_text(step->points) + ")";
    }
    auto* grid = std::get_if<Grid>(&block);
    const SheetStep* step = grid == nullptr ? nullptr : find_step(sheet, grid->step);
    if (step != nullptr)
      fill(*grid, *step, trace.at(step->id).value.heads(), sheet.bug.has_value());
  }
  if (!sheet.bug) return document;
  const std::string line(16, '_');
  document.blocks.emplace_back(
      Labelled{"First wrong step", sheet.bug->first_wrong.value_or(line), true});
  document.blocks.emplace_back(Labelled{"Mistake", sheet.bug->code.value_or(line)});
  return document;
}

}  // namespace attn
