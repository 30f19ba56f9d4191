// The sentences about a verdict, and the printed numbers that an inverse sheet is judged by.
#include "commands/why_texts.hpp"

#include <cmath>
#include <utility>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "commands/exercise_summary.hpp"

namespace attn::app {
namespace {

/// A number with the decimal mark of the exercise.
std::string said(double number) {
  return std::isnan(number) ? "NaN" : with_decimal_mark(short_text(number));
}

/// "It earns 0.25 of 2 points."
std::string earned(double share, double points) {
  if (points == 0.0) return translated("This gives no points.");
  return translated(
      points == 1.0 ? "It earns {share} of 1 point." : "It earns {share} of {points} points.",
      said(share), said(points));
}

/// For a right number: what the student's own numbers make, if that is another one, or what the
/// sheet's do, which are rounded.
std::string otherwise(const Asked& cell) {
  const double off = std::abs(cell.follows - cell.right);
  if (off <= cell.within && said(cell.follows) != said(cell.right))
    return translated("With the rounded numbers of the sheet, the step makes {number}.",
                      said(cell.follows));
  if (!(off > cell.within)) return "";
  return translated("What this student wrote before makes {number}.", said(cell.follows));
}

/// For what is written and is not one number.
std::string unreadable_text(const std::string& written) {
  return written.empty() ? translated("What is written is not a number: it earns nothing.")
                         : translated("{text} is not one number: it earns nothing.", written);
}

}  // namespace

double points_for(const Sheet& key, const std::string& id) {
  for (const SheetStep& step : key.steps) {
    if (step.id == id) return step.points;
  }
  return key.bug_points / static_cast<double>(kBugParts.size());
}

std::string verdict_text(const Asked& cell) {
  const std::string within = "±" + said(cell.within), written = said(cell.written),
                    right = said(cell.right);
  switch (cell.verdict) {
    case CellVerdict::Given:
      return translated("{number} is printed on the sheet.", written);
    case CellVerdict::Empty:
      return translated("The cell is empty: it earns nothing.");
    case CellVerdict::Unreadable:
      return unreadable_text(cell.text);
    case CellVerdict::Right:
      return sentences({translated("{number} was written, and {right} is right, within {within}.",
                                   written, right, within),
                        earned(cell.share, cell.points), otherwise(cell)});
    case CellVerdict::Follows:
      return sentences(
          {translated("{number} was written; {right} is right.", written, right),
           translated("It follows: from what is printed and what this student wrote before, the "
                      "step makes {number}, within {within}.",
                      said(cell.follows), within),
           cell.step.unearned_for.empty()
               ? earned(cell.share, cell.points)
               : translated(
                     "It earns nothing: fewer than half of the blanks of {step} earn points.",
                     cell.step.unearned_for)});
    case CellVerdict::Wrong:
      break;
  }
  return sentences(
      {translated("{number} was written; {right} is right, within {within}.", written, right,
                  within),
       std::isnan(cell.follows)
           ? translated(
                 cell.uses_too_large
                     ? "It does not follow: it uses a number that is too large to go on from."
                     : "It does not follow: it uses a cell that is empty.")
           : translated("It does not follow: from what is printed and what this student wrote "
                        "before, the step makes {number}.",
                        said(cell.follows)),
       translated("It earns nothing.")});
}

std::string earlier_text(const EarlierStep& step) {
  const bool decided = step.lets_follow && 2 * step.earning < step.blanks;
  return clauses(
      {translated("{step}: points for {n} of {blanks}", step.id, step.earning,
                  translated_count(step.blanks, "blank")),
       step.too_large == 1 ? translated("1 number is larger than any right one")
       : step.too_large > 1
           ? translated("{n} numbers are larger than any right one", step.too_large)
           : "",
       decided ? translated("what follows from it counts all the same, since the teacher decided "
                            "about this step")
               : ""});
}

void add_fit(Document& document, const ClassRow& row, const NumberTree& tree,
             const StepReport& step, std::size_t cell, const Answer& answer, double share) {
  const Grade& grade = *row.grade;
  const double written = answer.numbers.at(cell);
  const CellVerdict verdict = step.cells.at(cell);
  const std::string earns = verdict == CellVerdict::Right
                                ? earned(share, points_for(*row.key, step.id))
                                : translated("It earns nothing.");
  if (verdict == CellVerdict::Given) {
    document.blocks.emplace_back(
        Paragraph{translated("{number} is printed on the sheet.", said(written))});
    return;
  }
  const bool empty = verdict == CellVerdict::Empty && std::isnan(written);
  document.blocks.emplace_back(Paragraph{
      sentences({empty ? translated("The cell is empty: it earns nothing.")
                 : verdict == CellVerdict::Unreadable
                     ? unreadable_text(written_text(answer, cell))
                     : sentences({translated("{number} was written.", said(written)), earns}),
                 translated("It is right if these printed numbers come out, within {within}, apart "
                            "from those that other wrong numbers explain:",
                            "±" + said(grade.report.tolerance.absolute))})});
  Table table{{translated("printed"), translated("row"), translated("column"), translated("number"),
               translated("comes out as")},
              {},
              1};
  for (const PrintedUse& use : printed_uses(grade, *row.key, tree.step, cell)) {
    table.rows.push_back(
        {use.id, std::to_string(use.cell.row), std::to_string(use.cell.col), said(use.printed),
         std::isnan(use.made) ? translated("nothing: a cell has no number")
                              : said(use.made) + (use.fits ? "" : "  " + translated("wrong"))});
  }
  document.blocks.emplace_back(std::move(table));
}

void add_part(Document& document, const StepReport& part, const BugReport& bug, double points) {
  const auto asked = part.id == kBugParts[0] ? &BugAnswer::first_wrong : &BugAnswer::code;
  const std::string written = visible(trimmed((bug.written.*asked).value_or("")));
  const std::string right = (bug.right.*asked).value_or("");
  const auto text = [&] {
    if (part.verdict == Verdict::Empty) return translated("Nothing was written: it earns nothing.");
    if (part.verdict == Verdict::Right)
      return sentences(
          {translated("\"{text}\" was written, which is right.", written), earned(points, points)});
    return sentences({translated("\"{text}\" was written; {right} is right.", written, right),
                      translated("It earns nothing.")});
  };
  document.blocks.emplace_back(Paragraph{text()});
}

}  // namespace attn::app
