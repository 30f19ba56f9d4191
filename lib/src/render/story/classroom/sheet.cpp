// Lays out an exercise sheet: instructions, what is given, the steps with their blanks.
#include "attn/render/sheet_document.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/formula.hpp"
#include "core/trace/leading_to.hpp"
#include "render/story/steps/explain_steps.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/step_numbers.hpp"
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

/// What is given of the problem, then what the sheet asks for. On an inverse sheet, what leads to
/// no step of it is left out.
std::vector<std::string> steps_of(const Sheet& sheet, const Trace& trace) {
  std::vector<std::string> ids, asked;
  for (const SheetStep& step : sheet.steps) asked.push_back(step.id);
  const auto used = leading_to(trace, asked);
  for (const Step* step : steps_and_givens(trace)) {
    const bool shown = step->is_given() && find_step(sheet, step->id) == nullptr &&
                       (!sheet.inverse || used.contains(step->id));
    if (shown && !is_left_out(sheet, step->id)) ids.push_back(step->id);
  }
  ids.insert(ids.end(), asked.begin(), asked.end());
  return ids;
}

/// Whether nothing is left to fill in: the sheet shows the solutions.
bool is_solved(const Sheet& sheet) {
  if (sheet.bug) return sheet.bug->first_wrong.has_value();
  return std::none_of(sheet.steps.begin(), sheet.steps.end(), [](const SheetStep& step) {
    for (std::size_t at = 0; at < step.blank.size(); ++at)
      if (is_blank(step, at)) return true;
    return false;
  });
}

std::string with_comma(std::string number) {
  std::replace(number.begin(), number.end(), '.', ',');
  return number;
}

std::string instructions(const Sheet& sheet) {
  if (is_solved(sheet)) {
    return translated(sheet.bug
                          ? "For the teacher, not to be handed out: this sheet is solved, and "
                            "its mistake is named at the end."
                          : "For the teacher, not to be handed out: this sheet is solved.");
  }
  if (sheet.bug)
    return translated("One step is wrong, and those after it follow from it. Which, and why?");
  const std::string within = short_number(sheet.accept_within, 6);
  if (sheet.inverse)
    return translated(
        "Fill in the blanks, with {decimals}, so that the printed numbers come out, each off by at "
        "most {number}. Whatever fits is right.",
        translated_count(sheet.decimals, "decimal"),
        sheet.decimal_comma ? with_comma(within) : within);
  return translated(
      "Fill in the blanks, with {decimals}. A number is right if it is off by at most {number}.",
      translated_count(sheet.decimals, "decimal"),
      sheet.decimal_comma ? with_comma(within) : within);
}

std::string how_to_hand_in(const Sheet& sheet) {
  const bool checks = !sheet.bug && sheet.self_check != "off";
  return translated(checks ? "Hand in this sheet on paper, or its .json file, which attn check "
                             "marks before you hand it in."
                           : "Hand in this sheet on paper, or its .json file.");
}

/// Appends the formulas of the steps that a step is made from and that `shown` does not hold.
void add_missing(std::vector<std::string>& formulas, const Trace& trace, const Step& step,
                 const std::vector<std::string>& shown) {
  for (const std::string& id : step.inputs) {
    const Step& input = trace.at(id);
    if (input.inputs.empty() || std::find(shown.begin(), shown.end(), id) != shown.end()) continue;
    formulas.push_back(formula_in_language(trace, input));
    add_missing(formulas, trace, input, shown);
  }
}

/// "with M = S′, −∞ where mask = 0": what the formula of a step uses and the sheet does not show.
std::string missing_inputs(const Trace& trace, const Step& step,
                           const std::vector<std::string>& shown) {
  std::vector<std::string> formulas;
  add_missing(formulas, trace, step, shown);
  return formulas.empty() ? "" : translated("with {formulas}", clauses(formulas));
}

/// The number of a mask: that of the masked scores, if these are not on the sheet; otherwise none.
std::size_t number_of_mask(const Trace& trace, const std::vector<std::string>& shown) {
  const Step* masked = trace.first_of(StepRole::MaskedScores, trace.scope());
  if (masked == nullptr || std::find(shown.begin(), shown.end(), masked->id) != shown.end())
    return 0;
  return heading_of(trace, *masked, numbered_steps(trace, {}), "").number;
}

/// Headings with their points and what their formulas leave open; matrices with their blanks.
std::vector<Block> on_sheet(std::vector<Block> blocks, const Sheet& sheet, const Trace& trace,
                            const std::vector<std::string>& shown) {
  std::vector<Block> all;
  for (Block& block : blocks) {
    std::string inputs;
    if (auto* heading = std::get_if<StepHeading>(&block)) {
      const Step& step = trace.at(heading->id);
      const SheetStep* asked = find_step(sheet, heading->id);
      if (asked != nullptr && asked->points > 0)
        heading->phrase = with_remark(heading->phrase, points_text(asked->points));
      if (step.info().role == StepRole::Mask) heading->number = number_of_mask(trace, shown);
      inputs = missing_inputs(trace, step, shown);
    }
    auto* grid = std::get_if<Grid>(&block);
    if (grid != nullptr) grid->comma = sheet.decimal_comma;
    const SheetStep* step = grid == nullptr ? nullptr : find_step(sheet, grid->step);
    if (step != nullptr)
      fill(*grid, *step, trace.at(step->id).value.heads(), sheet.bug.has_value());
    all.push_back(std::move(block));
    if (!inputs.empty()) all.emplace_back(Paragraph{inputs, Role::Aside});
  }
  return all;
}

}  // namespace

std::vector<std::string> own_instructions(const Sheet& sheet) {
  std::vector<std::string> lines;
  std::string_view rest = sheet.instructions;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    if (!line.empty()) lines.emplace_back(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

Document sheet_document(const Sheet& sheet, const Trace& trace) {
  Document document;
  document.precision = sheet.decimals;
  const bool solutions = is_solved(sheet);
  document.written_on = !solutions;
  const std::string name =
      sheet.problem.title.empty() ? sheet.exercise : title_text(sheet.problem.title);
  Title title{solutions ? translated("Solutions: {name}", name) : name};
  if (!sheet.student.empty()) title.facts.push_back(translated("student {id}", sheet.student));
  title.facts.push_back(translated("variant {id}", sheet.variant));
  document.blocks.emplace_back(std::move(title));
  const std::vector<std::string> facts = settings_facts(trace, "");
  if (!facts.empty()) document.blocks.emplace_back(Paragraph{separated(facts, " · "), Role::Facts});
  if (!solutions) {
    for (std::string& line : own_instructions(sheet))
      document.blocks.emplace_back(Paragraph{std::move(line)});
  }
  document.blocks.emplace_back(Paragraph{instructions(sheet)});
  if (!solutions) document.blocks.emplace_back(Paragraph{how_to_hand_in(sheet)});
  View view;
  view.steps = steps_of(sheet, trace);
  view.detail = Detail::Brief;
  view.examples = false;
  view.each = true;
  add_steps(document, trace, view);
  document.blocks = on_sheet(std::move(document.blocks), sheet, trace, view.steps);
  if (!sheet.bug) return document;
  if (!solutions)
    document.blocks.emplace_back(Paragraph{translated(
        "Write down the first wrong step, and which mistake it is, in words or by its code, which "
        "attn exercise rules lists: {points}, half for each.",
        points_text(sheet.bug_points))});
  const std::string line(16, '_');
  document.blocks.emplace_back(Paragraph{sheet.bug->first_wrong.value_or(line), Role::Labelled,
                                         translated("First wrong"), true});
  document.blocks.emplace_back(
      Paragraph{sheet.bug->code.value_or(line), Role::Labelled, translated("Mistake")});
  return document;
}

}  // namespace attn
