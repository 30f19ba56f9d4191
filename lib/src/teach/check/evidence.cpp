// The table of evidence and hints; looks for one factor, growth and the place.
#include "teach/check/evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {

std::string text_of(double x) { return format_digits(x, 4); }

bool all_are(const std::vector<double>& numbers, double wanted, double tolerance) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](double x) { return std::abs(x - wanted) <= tolerance; });
}

std::string quoted_name(const AxisName& name, Index i) {
  return name.token ? "\"" + unique_name(name, i) + "\"" : name.name;
}

std::string line_text(const char* what, const AxisName& name, Index i) {
  return (name.token ? filled("the {} of ", what) : filled("{} ", what)) + quoted_name(name, i);
}

std::string in_slice(const Tensor& t, const Cell& cell) {
  return (t.heads() > 1 ? " in head " + std::to_string(cell.head) : "") +
         (t.batch() > 1 ? " in batch entry " + std::to_string(cell.batch) : "");
}

std::vector<Fact> facts_of_factor(double factor, const Settings& sizes) {
  const std::pair<const char*, Index> known[] = {{"d_k", sizes.d_k},
                                                 {"d_model", sizes.d_model.value_or(0)},
                                                 {"heads", sizes.heads},
                                                 {"tokens", sizes.n_keys},
                                                 {"2", 2}};
  std::string nearest;
  double least = kInfinity;
  for (const auto& [name, size] : known) {
    if (size < 2) continue;
    for (const double power : {-1.0, -0.5, 0.5, 1.0}) {
      const double value = std::pow(static_cast<double>(size), power);
      const double gap = std::abs(std::log(std::abs(factor) / value));
      if (gap >= least) continue;
      least = gap;
      nearest = filled("{}{}{} = {}", power < 0.0 ? "1/" : "", std::abs(power) < 1.0 ? "√" : "",
                       name, text_of(value));
    }
  }
  return {{"factor", factor}, {"nearest", nearest}};
}

namespace {

/// Cells that are all wrong, by the same factor or by the same amount.
Said ratio(const Case& known, const GradedAnswer& judged) {
  const Tensor* ours = known.follows.made(judged.step->id);
  if (ours == nullptr || !(ours->shape() == judged.theirs->shape())) return {};
  std::vector<double> ratios, gaps;
  bool all_wrong = true;
  for (std::size_t i = 0; i < ours->data().size(); ++i) {
    const double a = ours->data()[i], t = judged.theirs->data()[i];
    if (!judged.filled(i) || !std::isfinite(a)) continue;
    if (!std::isfinite(t)) return {};
    const bool small = std::abs(a) <= 20.0 * judged.close.tolerance;
    if (!small) ratios.push_back(t / a);
    if (!small) all_wrong = all_wrong && judged.report.cells[i] == CellVerdict::Wrong;
    gaps.push_back(t - a);
  }
  const auto alike = [&](const std::vector<double>& v, double room) {
    return all_wrong && v.size() > 2 && all_are(v, v.front(), room);
  };
  const double factor = ratios.empty() ? 0.0 : ratios.front();
  bool scaled = std::abs(factor) > 1e-6;
  for (std::size_t i = 0; i < ours->data().size() && scaled; ++i) {
    const double a = ours->data()[i], t = judged.theirs->data()[i];
    if (!judged.filled(i) || !std::isfinite(a)) continue;
    scaled = std::abs(t - factor * a) <= std::max(judged.close.tolerance, 0.02 * std::abs(t));
  }
  if (scaled && alike(ratios, 0.05 * std::abs(factor)))
    return Seen{"All cells are off by the same factor.",
                facts_of_factor(factor, judged.step->scope->settings)};
  if (alike(gaps, judged.close.tolerance) && std::abs(gaps.front()) > judged.close.tolerance)
    return Seen{"All cells are off by the same amount.", {{"amount", gaps.front()}}};
  return {};
}

/// Mixtures lie between the values that they mix.
Said outside_values(const Case& known, const GradedAnswer& judged) {
  const Step& step = *judged.step;
  const Step* first = step.inputs.empty() ? nullptr : &known.truth.input(step, 0);
  const bool mixes = first != nullptr && first->info().role == StepRole::Weights &&
                     step.scope->settings.normalize == NormalizeKind::Softmax &&
                     step.inputs.size() > 1 && step.info().role != StepRole::Weights;
  if (!mixes) return {};
  const Tensor& values = known.truth.input(step, 1).value;
  const auto [low, high] = std::minmax_element(values.data().begin(), values.data().end());
  for (std::size_t i = 0; i < judged.theirs->data().size(); ++i) {
    if (!judged.filled(i)) continue;
    const double x = judged.theirs->data()[i];
    if (x < *low - judged.close.tolerance || x > *high + judged.close.tolerance)
      return text_of(x) + " is outside the range of the values that are mixed.";
  }
  return {};
}

/// " 4 to 7", if these are some of `all`, side by side.
std::string range_text(const std::set<Index>& some, Index all) {
  const bool together = *some.rbegin() - *some.begin() + 1 == std::ssize(some);
  if (!together || std::ssize(some) == all) return "";
  return filled(" {} to {}", *some.begin(), *some.rbegin());
}

/// All wrong cells in some rows, some columns, or some heads, and some right ones elsewhere, which
/// printed cells are not.
Said place(const Case&, const GradedAnswer& judged) {
  std::set<Index> rows, cols, heads;
  std::vector<Cell> right;
  const Tensor& t = judged.step->value;
  Cell cell;  // one of them
  Index wrong = 0, at = 0;
  for (const CellVerdict verdict : judged.report.cells) {
    const Index i = at++;
    if (verdict == CellVerdict::Right || verdict == CellVerdict::Follows)
      right.push_back(t.shape().cell_at(i));
    if (verdict != CellVerdict::Wrong) continue;
    ++wrong;
    cell = t.shape().cell_at(i);
    cols.insert(cell.col);
    rows.insert(cell.row);
    heads.insert(cell.head);
  }
  if (wrong < 2) return {};
  const auto some_elsewhere = [&](Index Cell::*axis, const std::set<Index>& places) {
    return std::any_of(right.begin(), right.end(),
                       [&](const Cell& each) { return !places.contains(each.*axis); });
  };
  if (rows.size() == 1 && some_elsewhere(&Cell::row, rows))
    return "Only " + line_text("row", name_of_row(*judged.step, cell), cell.row) + " is wrong.";
  if (cols.size() == 1 && some_elsewhere(&Cell::col, cols))
    return "Only " + line_text("column", name_of_col(*judged.step, cell), cell.col) + " is wrong.";
  if (heads.size() == 1 && some_elsewhere(&Cell::head, heads))
    return "Only head " + std::to_string(cell.head) + " is wrong.";
  for (const auto& [what, axis, some, all] : {std::tuple{"heads", &Cell::head, &heads, t.heads()},
                                              std::tuple{"columns", &Cell::col, &cols, t.cols()},
                                              std::tuple{"rows", &Cell::row, &rows, t.rows()}}) {
    const std::string range = range_text(*some, all);
    const Index inside = t.shape().count() / all * std::ssize(*some);  // cells
    if (!range.empty() && 2 * wrong > inside && some_elsewhere(axis, *some))
      return Seen{filled("Only {}{} are wrong.", what, range), {{what, range.substr(1)}}};
  }
  return {};
}

/// The first row is right, and the differences grow from row to row.
Said growth(const Case& known, const GradedAnswer& judged) {
  const Tensor* ours = known.follows.made(judged.step->id);
  if (ours == nullptr || !(ours->shape() == judged.theirs->shape()) || ours->rows() < 4) return {};
  std::vector<double> most(static_cast<std::size_t>(ours->rows()));
  for (std::size_t i = 0; i < judged.report.cells.size(); ++i) {
    const double gap = std::abs(judged.theirs->data()[i] - ours->data()[i]);
    double& row = most[static_cast<std::size_t>(ours->shape().cell_at(static_cast<Index>(i)).row)];
    if (judged.report.cells[i] == CellVerdict::Wrong && std::isfinite(gap))
      row = std::max(row, gap);
  }
  const bool grows = most.size() > 5 && most[0] == 0.0 && most[1] > 0.0 &&
                     std::is_sorted(most.begin(), most.end());
  if (!grows) return {};
  return "The first row is right, and the differences grow from row to row.";
}

/// One number in all blanks of a step, four at least, though the right ones differ.
Said one_number(const Case&, const GradedAnswer& judged) {
  std::vector<double> written, right;
  for (std::size_t i = 0; i < judged.answer->states.size(); ++i) {
    if (judged.state(i) == CellState::Given) continue;
    if (judged.state(i) != CellState::Filled) return {};
    written.push_back(judged.theirs->data()[i]);
    right.push_back(judged.step->value.data()[i]);
  }
  if (written.size() < 4 || !all_are(written, written.front(), 0.0) ||
      all_are(right, right.front(), 0.0))
    return {};
  return "The same number is in every blank.";
}

struct EvidenceRow {
  const char* code;
  Said (*look)(const Case& known, const GradedAnswer& judged);
  const char* hint;
  std::string_view unless =
      {};                 // left out after findings of these codes, which name the place, too
  bool says_all = false;  // nothing else is looked for
};

constexpr std::array kRows = {
    EvidenceRow{"evidence.same", one_number, "How is the first of these numbers computed?"},
    EvidenceRow{"evidence.other_step", numbers_of_other_step,
                "Which step do these numbers belong to?", "", true},
    EvidenceRow{"evidence.added_step", added_step, "Is that added here, or only later?", "", true},
    EvidenceRow{"evidence.not_finite", not_finite, "Which operation gives ∞, 0/0, ∞ − ∞ or 0·∞?"},
    EvidenceRow{"evidence.sums", sums_of_weights, kAskForSums},
    EvidenceRow{"evidence.range", range_of_weights, "Which numbers can be a share of attention?"},
    EvidenceRow{"evidence.zeros", zeros_of_weights, "Which keys may each query see?"},
    EvidenceRow{"evidence.mask", visible_in_mask, "Which keys may each query see?"},
    EvidenceRow{"evidence.slope", slope_of_weights, "What are the scores divided by?"},
    EvidenceRow{"evidence.ratio", ratio, "Is a factor or a term missing?"},
    EvidenceRow{"evidence.values", outside_values,
                "Can an average lie outside the numbers that it averages?"},
    EvidenceRow{"evidence.growth", growth, "What depends on the position of a token?"},
    EvidenceRow{"evidence.place", place, "What is special about this row, column or head?",
                "evidence.mask evidence.zeros evidence.same"},
};

}  // namespace

void add_evidence(const Case& known, GradedAnswer& judged, bool is_named) {
  if (!judged.theirs) return;
  const Index wrong =
      std::count(judged.report.cells.begin(), judged.report.cells.end(), CellVerdict::Wrong);
  const bool all_not_finite = wrong == judged.not_finite_cells();
  std::vector<Finding>& findings = judged.report.findings;
  for (const EvidenceRow& row : kRows) {
    const bool of_not_finite = row.look == not_finite;
    if (!of_not_finite && (is_named || all_not_finite)) continue;
    if (std::any_of(findings.begin(), findings.end(), [&](const Finding& each) {
          return row.unless.find(each.code) != row.unless.npos;
        }))
      continue;
    const Said said = row.look(known, judged);
    if (!said) continue;
    findings.push_back({.code = row.code,
                        .confidence = Confidence::Possible,
                        .matched = 0,
                        .of = wrong,
                        .message = said->text,
                        .hint = is_named ? "" : row.hint,
                        .facts = said->facts});
    if (row.says_all) return;
  }
}

}  // namespace attn
