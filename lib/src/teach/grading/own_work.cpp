// Computes on from what was printed or written, NaN elsewhere, and counts what was right before.
#include "attn/teach/own_work.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>

#include "attn/attend.hpp"
#include "teach/check/evaluation.hpp"
#include "teach/exercise/points.hpp"

namespace attn {
namespace {

/// What was printed or written, NaN in all other cells; where a number is too large, the right one
/// if it is given, or NaN.
Tensor on_sheet(const Answer& answer, const std::vector<char>& too_large, const Tensor* right,
                Tensor numbers) {
  const std::span<double> cells = numbers.edit();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const CellState state = i < answer.states.size() ? answer.states[i] : CellState::Empty;
    const bool there = (state == CellState::Given || state == CellState::Filled) &&
                       answer.numbers.size() == cells.size();
    const bool large = !too_large.empty() && too_large[i] != 0;
    cells[i] = there && !large             ? answer.numbers[i]
               : large && right != nullptr ? right->data()[i]
                                           : std::numeric_limits<double>::quiet_NaN();
  }
  return numbers;
}

/// The cells of a step that are too large to go on from; none if there are none.
std::vector<char> too_large_in(const CheckReport& report, const std::string& id) {
  for (const StepReport& step : report.steps) {
    if (step.id == id) return step.too_large;
  }
  return {};
}

}  // namespace

Trace own_work(const Grade& grade, const std::string& asked, bool mended) {
  std::vector<std::string> ids;
  for (const Answer& each : grade.answers.matrices) ids.push_back(each.id);
  std::map<std::string, Tensor> values;
  std::deque<Tensor> kept;
  const auto visit = [&](const std::string& id, const Tensor& made, bool, const Tensor*& own) {
    const auto& matrices = grade.answers.matrices;
    const auto at = std::find_if(matrices.begin(), matrices.end(),
                                 [&](const Answer& each) { return each.id == id; });
    const bool used = at != matrices.end();
    if (used)
      own = &kept.emplace_back(on_sheet(*at, too_large_in(grade.report, id),
                                        mended ? &grade.truth.value(id) : nullptr, made));
    values[id] = used && id != asked ? *own : made;
    return true;
  };
  const Evaluation right(grade.truth);
  Evaluation(grade.truth, right, {}, ids, visit);
  Trace own = replay(grade.truth, {});
  for (Step& step : own.steps) {
    if (const auto at = values.find(step.id); at != values.end()) step.value = at->second;
  }
  return own;
}

std::vector<EarlierStep> earlier_steps(const Grade& grade, const Sheet& sheet,
                                       const std::string& asked) {
  std::vector<EarlierStep> earlier;
  if (grade.follow_through == 0.0) return earlier;
  const std::set<std::string> used = used_on_sheet(grade.truth, sheet, grade.truth.at(asked));
  for (const SheetStep& step : sheet.steps) {
    const auto blanks = std::count(step.blank.begin(), step.blank.end(), 1);
    if (blanks == 0 || !used.contains(step.id)) continue;
    for (const StepReport& report : grade.report.steps) {
      if (report.id == step.id)
        earlier.push_back({step.id, earning_blanks(step, report), blanks,
                           std::count(report.too_large.begin(), report.too_large.end(), 1),
                           lets_follow(step, report)});
    }
  }
  return earlier;
}

}  // namespace attn
