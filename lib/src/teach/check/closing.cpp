// Drops findings and notes that others make void, adds notes on the search, and counts cells.
#include "teach/check/closing.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "attn/phrases.hpp"

namespace attn {
namespace {

/// In a matrix with a masking mistake, no finding may say that cells are hidden well enough.
void drop_harmless_fill(StepReport& step) {
  if (std::any_of(step.findings.begin(), step.findings.end(),
                  [](const Finding& f) { return f.code.starts_with("mask."); }))
    std::erase_if(step.findings, [](const Finding& f) { return f.code == "equivalent.fill"; });
}

/// Evidence that does not say where the numbers come from.
bool is_evidence(const Finding& finding) {
  return finding.code.starts_with("evidence.") && !finding.code.ends_with("_step");
}

/// Whether most cells of a matrix are wrong numbers, more than two, and no mistake explains them.
bool is_strange(const GradedAnswer& judged) {
  const StepReport& report = judged.report;
  const Index wrong =
      judged.theirs ? count(report.cells, CellVerdict::Wrong) - judged.not_finite_cells() : 0;
  return (report.verdict == Verdict::Shape || (wrong > 2 && 2 * wrong > judged.filled_cells())) &&
         std::all_of(report.findings.begin(), report.findings.end(), is_evidence);
}

/// Whether every matrix that is not empty and does not follow is strange, and there is at least
/// one.
bool may_be_of_another_problem(const std::vector<GradedAnswer>& answers) {
  bool any = false;
  for (const GradedAnswer& each : answers) {
    const Verdict verdict = each.report.verdict;
    if (verdict == Verdict::Empty || verdict == Verdict::Follows) continue;
    if (!is_strange(each)) return false;
    any = true;
  }
  return any;
}

/// The notes on wrong matrices that were not carried into later ones, if something later is wrong
/// for another reason.
void note_unused(const Trace& truth, const std::vector<GradedAnswer>& answers,
                 std::vector<std::string>& notes) {
  const auto code_of = [](const GradedAnswer& judged) {
    const std::vector<Finding>& found = judged.report.findings;
    return found.empty() ? std::string() : found.front().code;
  };
  std::map<std::string, std::vector<std::string>> unused;  // ids by reason
  for (const GradedAnswer& each : answers) {
    if (each.used() || !each.theirs || !each.wrong()) continue;
    std::set<std::string_view> after{each.step->id};
    for (const Step& step : truth.steps) {
      const auto known = [&](const std::string& id) { return after.contains(id); };
      if (std::any_of(step.inputs.begin(), step.inputs.end(), known)) after.insert(step.id);
    }
    const auto matters = [&](const GradedAnswer& other) {
      const bool same = !code_of(each).empty() && code_of(other) == code_of(each);
      return &other != &each && other.graded && other.wrong() && !same &&
             after.contains(other.step->id);
    };
    if (std::any_of(answers.begin(), answers.end(), matters))
      unused[each.unused].push_back(each.step->id);
  }
  for (const auto& [reason, ids] : unused) {
    notes.push_back("later steps are computed from the right " + together(ids) +
                    " instead of yours: " + reason);
  }
}

/// Drops the notes on steps that only heads would add, if the finding "shape.heads" says that the
/// heads are missing.
void drop_notes_of_heads(const Trace& truth, const std::vector<GradedAnswer>& answers,
                         std::vector<std::string>& notes) {
  const bool missing = std::any_of(answers.begin(), answers.end(), [](const GradedAnswer& each) {
    const std::vector<Finding>& found = each.report.findings;
    return !found.empty() && found.front().code == "shape.heads";
  });
  if (!missing) return;
  for (const std::string& id : step_ids()) {
    if (find_step_info(id)->appears.setting == std::string_view("heads"))
      std::erase(notes, no_step_note(truth, id));
  }
}

/// Several matrices have a row for each token of another, longer or shorter text.
void note_other_length(const Trace& truth, const std::vector<GradedAnswer>& answers,
                       std::vector<std::string>& notes) {
  const Index tokens = truth.settings().n_queries;
  std::map<Index, Index> rows;  // how many matrices have so many
  for (const GradedAnswer& each : answers) {
    const std::vector<Index>& given = each.report.given_shape;
    const bool of_tokens = each.step->value.rows() == tokens && given.size() > 1;
    if (each.report.verdict == Verdict::Shape && of_tokens) ++rows[given[given.size() - 2]];
  }
  if (rows.size() != 1 || rows.begin()->first == tokens || rows.begin()->second < 2) return;
  notes.push_back(
      filled("the matrices have {}, but this problem has {}: are both of the same text?",
             counted(rows.begin()->first, "row"), counted(tokens, "token")));
}

void add_scores(StepReport& step) {
  if (step.verdict == Verdict::Unreadable || step.verdict == Verdict::Shape) {
    Index cells = 1;
    for (const Index size : step.shape) cells *= size;
    step.max_score = static_cast<double>(cells);
    return;
  }
  const Index given = count(step.cells, CellVerdict::Given);
  step.max_score = static_cast<double>(std::ssize(step.cells) - given);
  step.score = static_cast<double>(count(step.cells, CellVerdict::Right) +
                                   count(step.cells, CellVerdict::Follows));
}

void add_differences(GradedAnswer& judged) {
  if (!judged.theirs) return;
  const Tensor& ours = judged.step->value;
  StepReport& report = judged.report;
  double most = 0.0;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (!judged.filled(i)) continue;
    const double gap = std::abs(judged.theirs->data()[i] - ours.data()[i]);
    if (std::isfinite(gap)) most = std::max(most, gap);
    if (report.cells[i] != CellVerdict::Wrong || report.first_cell) continue;
    report.first_cell = ours.shape().cell_at(static_cast<Index>(i));
    report.given = judged.theirs->data()[i];
    report.expected = ours.data()[i];
  }
  report.max_difference = most;
}

/// The notes on the search, and on what its answers have in common.
void add_notes(const Case& known, const std::vector<std::string>& unsearched, CheckReport& report) {
  drop_notes_of_heads(known.truth, known.answers, report.notes);
  note_unused(known.truth, known.answers, report.notes);
  note_other_length(known.truth, known.answers, report.notes);
  if (!unsearched.empty()) {
    report.notes.push_back("the matrices are large, and the search for mistakes ended before " +
                           listed(unsearched) + "; to go on, check the rest separately");
  }
  if (!known.search.left_out.empty()) {
    report.notes.push_back(
        "the model is large, and the search for mistakes ended before it had tried " +
        listed({known.search.left_out.begin(), known.search.left_out.end()}) +
        " in all places; a dump of more steps leaves less to search");
  }
  report.tried.assign(known.search.tried.begin(), known.search.tried.end());
  report.left_out.assign(known.search.left_out.begin(), known.search.left_out.end());
  if (report.left_out.empty() && unsearched.empty() && may_be_of_another_problem(known.answers)) {
    report.notes.emplace_back(
        "no known mistake explains any of these matrices: do they belong to this problem?");
  }
}

}  // namespace

void close_report(const Case& known, const std::vector<std::string>& unsearched,
                  CheckReport& report) {
  add_notes(known, unsearched, report);
  for (std::string& note : report.notes) note = shortened(std::move(note));
  report.right = true;
  report.complete = true;
  for (GradedAnswer& each : known.answers) {
    if (!each.graded) continue;
    settle_verdict(each.report);
    drop_harmless_fill(each.report);
    std::stable_partition(each.report.findings.begin(), each.report.findings.end(),
                          [](const Finding& f) { return !f.code.starts_with("equivalent."); });
    add_scores(each.report);
    add_differences(each);
    const Verdict verdict = each.report.verdict;
    const bool wrong = each.wrong() || verdict == Verdict::Wrong || verdict == Verdict::Unreadable;
    if (wrong && !report.first_wrong) report.first_wrong = each.report.id;
    report.right = report.right && !wrong;
    const std::vector<CellState>& states = each.answer->states;
    report.complete = report.complete &&
                      std::find(states.begin(), states.end(), CellState::Empty) == states.end();
    report.score += each.report.score;
    report.max_score += each.report.max_score;
    report.steps.push_back(std::move(each.report));
  }
}

}  // namespace attn
