// Shares a step's points among its blanks; what follows from a step that earns little earns none.
#include "teach/exercise/points.hpp"

#include <algorithm>

namespace attn {
namespace {

const SheetStep* find_step(const Sheet& sheet, const std::string& id) {
  const auto at = std::find_if(sheet.steps.begin(), sheet.steps.end(),
                               [&](const SheetStep& each) { return each.id == id; });
  return at == sheet.steps.end() ? nullptr : &*at;
}

Index blanks_of(const SheetStep& step) {
  return std::count(step.blank.begin(), step.blank.end(), 1);
}

/// How many blanks of a step have that verdict; none if the matrix has another shape.
Index blanks_that_are(CellVerdict verdict, const SheetStep& asked, const StepReport& step) {
  Index found = 0;
  for (std::size_t i = 0; i < std::min(asked.blank.size(), step.cells.size()); ++i)
    found += asked.blank[i] != 0 && step.cells[i] == verdict;
  return found;
}

}  // namespace

Index earning_blanks(const SheetStep& asked, const StepReport& step) {
  const Index right = blanks_that_are(CellVerdict::Right, asked, step);
  return step.unearned_for.empty() ? right + blanks_that_are(CellVerdict::Follows, asked, step)
                                   : right;
}

bool lets_follow(const SheetStep& asked, const StepReport& step) {
  const bool given = step.by_hand && 2.0 * step.score >= step.max_score;
  return asked.points == 0.0 || given || 2 * earning_blanks(asked, step) >= blanks_of(asked);
}

std::set<std::string> used_on_sheet(const Trace& truth, const Sheet& sheet, const Step& step) {
  std::set<std::string> used;
  for (const std::string& id : step.inputs) {
    if (find_step(sheet, id) != nullptr) {
      used.insert(id);
    } else {
      used.merge(used_on_sheet(truth, sheet, truth.at(id)));
    }
  }
  return used;
}

void add_points(const Trace& truth, const Sheet& sheet, double follow_through,
                CheckReport& report) {
  report.score = report.max_score = 0.0;
  std::set<std::string> earning_little;
  for (StepReport& step : report.steps) {
    if (const SheetStep* asked = find_step(sheet, step.id)) {
      const Index blanks = blanks_of(*asked);
      const Index right = blanks_that_are(CellVerdict::Right, *asked, step);
      const Index follow = blanks_that_are(CellVerdict::Follows, *asked, step);
      step.unearned_for.clear();
      for (const std::string& id : used_on_sheet(truth, sheet, truth.at(step.id))) {
        if (follow > 0 && earning_little.contains(id)) step.unearned_for = id;
      }
      if (!lets_follow(*asked, step)) earning_little.insert(step.id);
      const double share = step.unearned_for.empty() ? follow_through : 0.0;
      const double good = static_cast<double>(right) + share * static_cast<double>(follow);
      if (!step.by_hand) {
        step.max_score = blanks > 0 ? asked->points : 0.0;
        step.score = blanks > 0 ? asked->points * good / static_cast<double>(blanks) : 0.0;
      }
    }
    report.score += step.score;
    report.max_score += step.max_score;
  }
}

}  // namespace attn
