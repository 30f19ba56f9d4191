// Writes what a check found: all steps at a glance, then each wrong one.
#include "attn/render/check_report.hpp"

#include <algorithm>
#include <cmath>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/formula.hpp"
#include "attn/teach/mistakes.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/cells/cell_remarks.hpp"
#include "render/story/cells/worked_cell.hpp"
#include "render/story/checks/check_marks.hpp"
#include "render/story/checks/check_words.hpp"
#include "render/story/checks/step_words.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/step_numbers.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostFindings = 3;
constexpr Index kMostUnreadable = 4;
constexpr Index kManyCells = 4096;  // above that, no map
constexpr Index kManyWrong = 64;    // if all of them are wrong, no map
constexpr std::size_t kMostWritten = 24;
constexpr int kDecimalsWritten = 6;

/// The story of one report.
class CheckStory {
 public:
  CheckStory(const CheckReport& report, const Trace& truth, const CheckView& view)
      : report_(report), truth_(truth), view_(view), numbered_(numbered_steps(truth, View{})) {}

  Document document();

 private:
  template <typename T>
  void add(T block) {
    document_.blocks.push_back(std::move(block));
  }
  void say(const char* label, const std::string& text) {
    if (!text.empty()) add(Paragraph{text, Role::Labelled, translated(label)});
  }

  StepHeading heading_of(const StepReport& step) const;
  Checklist::Item item_of(const StepReport& step) const;
  void add_map(const StepReport& step);
  void add_step(const StepReport& step);
  void add_cells(const StepReport& step);
  void add_written(const StepReport& step);
  void add_findings(const StepReport& step);
  void add_figures(const StepReport& step);
  void add_next(const StepReport& step);
  void add_hint(const StepReport& step, int rung);
  std::string advice_on(const StepReport& step) const;
  std::vector<std::string> explained_too(const StepReport& step) const;
  bool is_explained_above(const StepReport& step) const;
  std::string cells_right() const;
  void add_notes();
  void add_ending();

  const CheckReport& report_;
  const Trace& truth_;
  const CheckView& view_;
  std::vector<const Step*> numbered_;
  Document document_;
};

StepHeading CheckStory::heading_of(const StepReport& step) const {
  return attn::heading_of(truth_, truth_.at(step.id), numbered_, shape_text(step.shape));
}

Checklist::Item CheckStory::item_of(const StepReport& step) const {
  const StepHeading heading = heading_of(step);
  const Index mine = std::ssize(step.cells) - cells_with(step, CellVerdict::Given);
  const bool printed = mine == 0 && !step.cells.empty();
  return {.verdict = printed ? CellVerdict::Given : sign_of(step.verdict),
          .number = heading.number,
          .total = heading.total,
          .symbol = truth_.at(step.id).info().symbol,
          .id = step.id,
          .shape = shape_text(step.shape),
          .share = printed ? translated("given")
                   : step.cells.empty()
                       ? ""
                       : translated("{n} of {all}", cells_with(step, CellVerdict::Right), mine),
          .remark = verdict_remark(step, view_.points),
          .first_wrong = report_.first_wrong == step.id};
}

/// The map of the cells, or how many are wrong and the first of them.
void CheckStory::add_cells(const StepReport& step) {
  const Step& meant = truth_.at(step.id);
  const std::vector<Cell> cells = wrong_cells(meant, step);
  if (cells.empty()) return;
  std::vector<Grid> maps;
  const bool all = cells.size() == step.cells.size() && std::ssize(cells) > kManyWrong;
  if (std::ssize(step.cells) <= kManyCells && !all) maps = maps_of(truth_, meant, step, cells);
  if (maps.empty()) {
    return say("Wrong", translated("{n} of {cells}, first {names}", std::ssize(cells),
                                   translated_count(std::ssize(step.cells), "cell"),
                                   first_names(meant, cells)));
  }
  std::size_t rows = 0;
  for (const Grid& grid : maps) rows += grid.rows.size();
  std::vector<Cell> firsts;  // one cell for each row with wrong cells
  for (const Cell& cell : cells) {
    const bool same = !firsts.empty() && firsts.back().batch == cell.batch &&
                      firsts.back().head == cell.head && firsts.back().row == cell.row;
    if (!same) firsts.push_back(cell);
  }
  for (Grid& grid : maps) add(std::move(grid));
  if (firsts.size() > rows)
    add(Paragraph{
        translated("and {rows} with wrong cells",
                   translated_count(std::ssize(firsts) - static_cast<Index>(rows), "more row")),
        Role::Aside});
}

/// What the student wrote in the wrong cells: "S[cat, the] = 5.2; …".
void CheckStory::add_written(const StepReport& step) {
  if (view_.answers == nullptr) return;
  const Step& meant = truth_.at(step.id);
  std::vector<std::string> words;
  for (const Answer& answer : view_.answers->matrices) {
    if (answer.id != step.id || answer.numbers.size() != step.cells.size()) continue;
    for (std::size_t i = 0; i < step.cells.size() && words.size() <= kMostWritten; ++i) {
      if (step.cells[i] != CellVerdict::Wrong) continue;
      const Cell cell = meant.value.shape().cell_at(static_cast<Index>(i));
      words.push_back(first_names(meant, {cell}) + " = " +
                      short_number(answer.numbers[i], kDecimalsWritten));
    }
  }
  if (words.size() > kMostWritten) words.back() = "…";
  say("You wrote", clauses(words));
}

void CheckStory::add_findings(const StepReport& step) {
  std::size_t shown = 0;
  for (const Finding& finding : step.findings) {
    if (shown++ == kMostFindings) break;
    const std::string said = sentences(
        {translated_sentence(finding.message) + (view_.figures ? facts_text(finding.facts) : ""),
         "[" + finding.code + "]"});
    if (find_mistake(finding.code) == nullptr) {
      say("What I see", said);
    } else {
      const bool possible = finding.confidence == Confidence::Possible;
      say(possible ? "Possible cause" : "Likely cause", said);
      say("Place", place_text(finding.scope));
      for (const std::string& other : finding.same_as) {
        const Mistake* known = find_mistake(other);
        say("or",
            sentences({known == nullptr ? "" : translated(known->explanation), "[" + other + "]"}));
      }
    }
    say("Ask yourself", translated_sentence(finding.hint));
  }
}

void CheckStory::add_figures(const StepReport& step) {
  if (!view_.figures || !step.max_difference) return;
  const auto number = [&](double x) {  // with enough decimals to tell the two apart
    const auto text = [&](double y) { return short_number(y, document_.precision); };
    const bool alike = step.first_cell && text(step.given) == text(step.expected);
    const bool close = alike || text(*step.max_difference) == text(report_.tolerance.absolute);
    return close ? short_number(x, 2 * document_.precision) : text(x);
  };
  const bool counts = !step.first_cell || *step.max_difference > 0.0;  // infinities have none
  std::string most = counts ? translated("at most {number}", number(*step.max_difference)) : "";
  if (counts && !std::isfinite(step.given - step.expected)) most += translated(" in other cells");
  const std::string first = !step.first_cell
                                ? ""
                                : translated("{cell} is {given} instead of {right}",
                                             first_names(truth_.at(step.id), {*step.first_cell}),
                                             number(step.given), number(step.expected));
  say("Difference", clauses({most, first}));
}

/// The steps after `step` that the same mistake explains.
std::vector<std::string> CheckStory::explained_too(const StepReport& step) const {
  std::vector<std::string> ids;
  for (const StepReport& later : report_.steps) {
    if (&later > &step && later.is_wrong() && same_cause(later, step)) ids.push_back(later.id);
  }
  return ids;
}

bool CheckStory::is_explained_above(const StepReport& step) const {
  return std::any_of(report_.steps.begin(), report_.steps.end(), [&](const StepReport& earlier) {
    return &earlier < &step && earlier.is_wrong() && same_cause(earlier, step);
  });
}

/// What to do about a step, apart from what to read.
std::string CheckStory::advice_on(const StepReport& step) const {
  const Step& meant = truth_.at(step.id);
  const std::string code = step.findings.empty() ? "" : step.findings.front().code;
  if (step.verdict == Verdict::Shape && code == "shape.heads")
    return "";  // it is the problem that may need changing
  if (step.verdict == Verdict::Shape || code == "shape.transposed")
    return translated("Write it as {shape}: {axes}.", shape_text(step.shape), axes_text(meant));
  if (!step.unreadable.empty() && cells_with(step, CellVerdict::Wrong) == 0)
    return translated_sentence(step.unreadable.front().fix);
  const std::vector<Cell> cells = wrong_cells(meant, step);
  if (cells.empty() || (view_.figures && !view_.hint)) return "";
  return translated(meant.inputs.empty() ? "Change the row of {name} first, then check again."
                                         : "Redo the row of {name} first, then check again.",
                    place_of(quoted_row(meant, cells.front()), meant, cells.front()));
}

void CheckStory::add_next(const StepReport& step) {
  std::string next = advice_on(step);
  const std::string see = step.findings.empty() ? "" : step.findings.front().see;
  if (!see.empty())
    next = sentences({next, translated("{page} explains more.", view_.help + " " + see)});
  say("Next", next);
}

/// Which cells of a sheet earn nothing, where what is said of an earlier step is the cause.
void CheckStory::add_map(const StepReport& step) {
  if (wrong_cells(truth_.at(step.id), step).empty()) return;
  add(heading_of(step));
  add_cells(step);
  add_written(step);
}

void CheckStory::add_step(const StepReport& step) {
  add(heading_of(step));
  add_cells(step);
  add_written(step);
  add_figures(step);
  if (step.findings.empty())
    say("What I see", failing_text(truth_, step, wrong_cells(truth_.at(step.id), step)));
  add_findings(step);
  say("Also explains", separated(explained_too(step), translated(", ")));
  add_next(step);
}

/// As much about the first wrong step as that rung of the hints gives away.
void CheckStory::add_hint(const StepReport& step, int rung) {
  const Step& meant = truth_.at(step.id);
  add(heading_of(step));
  const std::vector<Cell> cells = wrong_cells(meant, step);
  say("Where", cells.empty()
                   ? translated(step.verdict == Verdict::Shape ? "its shape" : "the whole matrix")
                   : where_text(meant, step, cells));
  if (rung >= 2) say("What I see", failing_text(truth_, step, cells));
  if (rung < 3) return;
  if (const std::string formulas = formulas_of_printed(truth_, report_); !formulas.empty()) {
    say("The rule", translated("{formulas} must give the printed numbers.", formulas));
  } else {
    say("The rule", translated("{text}.", with_remark(formula_in_language(truth_, meant),
                                                      phrase_of(truth_, meant))));
    say("Why", why_text(truth_, meant, {}));
  }
  if (rung < 4) return;
  if (!step.findings.empty()) say("Ask yourself", translated_sentence(step.findings.front().hint));
  add_next(step);
}

void CheckStory::add_notes() {
  for (const Finding& finding : report_.findings)
    add(Paragraph{sentences({translated_sentence(finding.message), "[" + finding.code + "]"}),
                  Role::Note});
  for (const StepReport& step : report_.steps) {
    if (step.is_wrong()) continue;
    for (const Finding& finding : step.findings)
      add(Paragraph{labelled(step.id, sentences({translated_sentence(finding.message),
                                                 "[" + finding.code + "]"})),
                    Role::Note});
  }
  for (const std::string& note : report_.notes)
    add(Paragraph{translated_sentence(note), Role::Note});
  Index shown = 0, all = 0;
  for (const StepReport& step : report_.steps) {
    all += cells_with(step, CellVerdict::Unreadable);
    for (const Diagnostic& each : step.unreadable) {
      if (step.cells.empty() || shown == kMostUnreadable) break;
      ++shown;
      add(Paragraph{sentences({translated("{text}.", placed(each)), translated_sentence(each.fix)}),
                    Role::Note});
    }
  }
  if (all > shown)
    add(Paragraph{translated_count(all - shown, "more unreadable cell"), Role::Note});
}

void CheckStory::add_ending() {
  Index blank = 0;
  for (const StepReport& step : report_.steps) blank += cells_with(step, CellVerdict::Empty);
  const std::string blanks = translated_count(blank, "blank");
  const bool follows =
      std::any_of(report_.steps.begin(), report_.steps.end(),
                  [](const StepReport& step) { return step.verdict == Verdict::Follows; });
  if (blank > 0) {
    add(Paragraph{report_.right
                      ? translated(blank == 1 ? "Nothing is wrong so far; {blanks} is left."
                                              : "Nothing is wrong so far; {blanks} are left.",
                                   blanks)
                      : translated(blank == 1 ? "{blanks} is left, not counted as wrong."
                                              : "{blanks} are left, not counted as wrong.",
                                   blanks),
                  Role::Footer});
  } else if (report_.right && follows) {
    add(Paragraph{
        translated("Everything that was checked is right, or follows from your earlier steps."),
        Role::Footer});
  } else if (report_.right) {
    const bool all = std::all_of(report_.notes.begin(), report_.notes.end(), is_comma_note);
    add(Paragraph{
        translated(all ? "Everything is right." : "Everything that was checked is right."),
        Role::Footer});
  }
}

/// "20 of 24 right, 3 follow"
std::string CheckStory::cells_right() const {
  Index right = 0, follow = 0;
  for (const StepReport& step : report_.steps) {
    right += cells_with(step, CellVerdict::Right);
    follow += cells_with(step, CellVerdict::Follows);
  }
  const std::string text =
      translated("{n} of {all} right", right, short_number(report_.max_score, 3));
  return follow == 0 ? text
                     : translated("{one}, {other}", text,
                                  translated(follow == 1 ? "{n} follows" : "{n} follow", follow));
}

Document CheckStory::document() {
  add(Title{view_.source,
            {},
            {view_.points ? points_text(report_.score, report_.max_score) : cells_right()}});
  std::vector<std::string> facts = view_.facts;
  const std::string title = truth_.title == view_.source ? "" : title_text(truth_.title);
  for (std::string& fact : settings_facts(truth_, title)) facts.push_back(std::move(fact));
  facts.push_back(translated("accepted within {tolerance}", tolerance_text(report_.tolerance)));
  add(Paragraph{separated(facts, " · "), Role::Facts});
  for (const std::string& note : report_.problem_notes)
    add(Paragraph{shortened(translated_sentence(note)), Role::Note});
  Checklist list;
  for (const StepReport& step : report_.steps) list.items.push_back(item_of(step));
  add(std::move(list));
  for (const StepReport& step : report_.steps) {
    if (!step.is_wrong()) continue;
    if (is_explained_above(step)) {
      if (view_.points && !view_.hint) add_map(step);
    } else if (!view_.hint) {
      add_step(step);
    } else if (step.id == report_.first_wrong) {
      add_hint(step, *view_.hint);
    }
  }
  add_notes();
  add_ending();
  return std::move(document_);
}

}  // namespace

Document check_document(const CheckReport& report, const Trace& truth, const CheckView& view) {
  return CheckStory(report, truth, view).document();
}

}  // namespace attn
