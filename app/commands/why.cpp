// Looks up one cell, says what was written, what is right and what follows, and shows how.
#include "commands/why.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/text.hpp"
#include "attn/suggest.hpp"
#include "attn/teach/own_work.hpp"
#include "commands/explain.hpp"
#include "commands/why_texts.hpp"
#include "options/option_row.hpp"

namespace attn::app {
namespace {

constexpr int kDigits = 6;

/// What to try where nothing is graded, by RowStatus; the value of --why ends a command.
constexpr std::array<const char*, kRowStatuses> kRemedies{
    "Name another student.",
    "Mend or replace the file, and grade again.",
    "Name a student who handed in a sheet.",
    "Ask this student for a sheet of their own, and grade again.",
    "Name one of them in place of the folder: attn exercise grade FILE --key KEY --why ",
    "Put the id in the roster, or the right id in the file, and grade again."};

/// Says why nothing of a student is graded, with the files that were handed in.
Error not_graded(const ClassRow& row, const std::string& why) {
  const RowStatus status = row.before.value_or(row.status);
  std::string found = !row.owner.empty()  ? "this is the sheet of " + row.owner
                      : row.notes.empty() ? status_word(row.status)
                                          : row.notes.front();
  if (!row.files.empty() && found.find(row.files.front()) == found.npos)
    found = with_remark(found, separated(row.files, ", "));
  std::vector<std::string> reasons = row.decisions;
  reasons.insert(reasons.begin(), found);
  std::string fix = kRemedies.at(static_cast<std::size_t>(status));
  if (fix.ends_with(' ')) fix += why + ".";
  return input_error(
      {.id = "not-gradable",
       .what = "nothing of \"" + row.student() + "\" is graded: " + separated(reasons, "; "),
       .fix = std::move(fix)});
}

/// The row of a student whom `why`, the value of --why, names.
const ClassRow& row_of(const ClassBook& book, const std::string& student, const std::string& why) {
  if (student.empty() && book.rows.size() == 1)
    return row_of(book, book.rows.front().student(), book.rows.front().student() + why);
  std::vector<std::string> known;
  for (const ClassRow& row : book.rows) {
    if (caseless(row.student()) != caseless(student)) {
      known.push_back(row.student());
    } else if (row.grade && !row.unscored) {
      return row;
    } else {
      throw not_graded(row, why);
    }
  }
  if (student.empty() && !known.empty())
    throw usage_error("no-such-student", "--why names no student, and there are several",
                      "Write one of these in front of the colon: " + listed(known) + ".");
  throw usage_error("no-such-student",
                    "--why names \"" + student + "\", who is no student of this class" +
                        did_you_mean(student, known),
                    "Write --why STUDENT:STEP:ROW,COL, for example s001:weights:1,2; with heads "
                    "STUDENT:STEP:HEAD,ROW,COL.");
}

const StepReport& report_of(const Grade& grade, const std::string& id) {
  std::vector<std::string> ids;
  for (const StepReport& step : grade.report.steps) {
    ids.push_back(step.id);
    if (step.id != id) continue;
    if (!step.cells.empty()) return step;
    throw input_error({.id = "not-gradable",
                       .what = step.verdict == Verdict::Shape
                                   ? filled("{} was handed in as {} in place of {}", id,
                                            shape_text(step.given_shape), shape_text(step.shape))
                                   : filled("{} was handed in, but not as a matrix", id),
                       .fix = "Its cells earn nothing: name another step."});
  }
  throw usage_error("no-such-step", id + " is not asked for on this sheet",
                    "Name one of these: " + listed(ids) + ".");
}

/// What the teacher decided about a step of the student; "" if nothing.
std::string decisions_about(const ClassRow& row, const std::string& step) {
  std::vector<std::string> said;
  for (const std::string& each : row.decisions) {
    const bool both = row.grade->bug && each.starts_with("bug:");
    if (both || each.starts_with(step + ":")) said.push_back(translated_sentence(each));
  }
  return clauses(said);
}

/// Whether a decision is about a step of the sheet, or about the questions of find-the-bug.
bool is_about_step(const Grade& grade, const std::string& decision) {
  const auto& steps = grade.report.steps;
  return (grade.bug && decision.starts_with("bug:")) ||
         std::any_of(steps.begin(), steps.end(),
                     [&](const StepReport& step) { return decision.starts_with(step.id + ":"); });
}

/// "A[t0, t1] of head 0" of data, which is in English, in the language in use.
std::string name_in_language(const NumberTree& tree) {
  const std::size_t of = tree.has_head ? tree.name.rfind(" of ") : tree.name.npos;
  if (of == tree.name.npos) return tree.name;
  const bool kv = tree.name.find("kv head", of) != tree.name.npos;
  return translated("{cell} of {head}", tree.name.substr(0, of),
                    translated(kv ? "kv head {n}" : "head {n}", tree.cell.head));
}

/// The title, and what the teacher decided.
Document begun(const ClassRow& row, const std::string& step, const std::string& name) {
  const std::string decisions = decisions_about(row, step);
  Document document;
  document.precision = kDigits;
  document.blocks.emplace_back(Title{labelled(row.student(), name), {}, {}});
  for (const std::string& each : row.decisions) {
    if (!is_about_step(*row.grade, each))  // taken off the whole sheet
      document.blocks.emplace_back(Paragraph{translated_sentence(each)});
  }
  if (row.by_hand) {  // no file counts
    document.blocks.emplace_back(Paragraph{translated(
        "graded by hand: {text}", decisions.empty() ? translated("no points") : decisions)});
  } else if (!decisions.empty()) {
    document.blocks.emplace_back(Paragraph{decisions});
    document.blocks.emplace_back(Paragraph{translated("Without this decision:")});
  }
  return document;
}

/// Why a question of a find-the-bug sheet earns what it does.
Document why_part(const ClassRow& row, const std::string& name) {
  for (const StepReport& part : row.grade->report.steps) {
    if (part.id != lowered(name)) continue;
    Document document = begun(row, part.id, part.id);
    if (!row.by_hand) add_part(document, part, *row.grade->bug, points_for(*row.key, part.id));
    return document;
  }
  const std::string begin = "--why " + row.student() + ":";
  throw usage_error("no-such-step",
                    "a find-the-bug sheet has two questions, and \"" + name + "\" is none of them",
                    "Write " + begin + kBugParts[0] + " or " + begin + kBugParts[1] + ".");
}

bool is_whole(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// "weights:1:,2:" for "weights:1,2", which is a position although a token may be the number 1; the
/// same in front of a head, if there is such a one.
std::string by_position(const std::string& place, Index heads) {
  const std::size_t comma = std::min(place.rfind(','), place.size());
  const std::size_t before = place.find_last_of(":,", comma - 1);
  if (comma == place.size() || before == place.npos) return place;
  const std::string row(trimmed(place.substr(before + 1, comma - before - 1))),
      col(trimmed(place.substr(comma + 1)));
  if (!is_whole(row) || !is_whole(col)) return place;
  if (place[before] == ',') {
    const std::size_t colon = place.rfind(':', before);
    const std::string head(trimmed(place.substr(colon + 1, before - colon - 1)));
    if (heads == 1 || !is_whole(head) || head.size() > 9 || std::stol(head) >= heads) return place;
  }
  return place.substr(0, before + 1) + row + ":," + col + ":";
}

/// Where the name of a student ends in the value of --why: at the last colon after an id of this
/// class, since ids may have colons; if there is none, at the first colon.
std::size_t end_of_student(const ClassBook& book, const std::string& why) {
  std::size_t end = why.find(':');
  for (std::size_t at = end; at != why.npos; at = why.find(':', at + 1)) {
    const std::string id = caseless(why.substr(0, at));
    if (std::any_of(book.rows.begin(), book.rows.end(),
                    [&](const ClassRow& row) { return caseless(row.student()) == id; }))
      end = at;
  }
  return end;
}

}  // namespace

Document why_document(const ClassBook& book, const std::string& why, double follow_through) {
  const std::size_t colon = end_of_student(book, why);
  if (colon == why.npos)
    throw usage_error(
        "option-value", "--why takes STUDENT:STEP:ROW,COL, not \"" + why + "\"",
        "Write --why s001:weights:1,2, for example; with heads s001:weights:1,0,2, which is "
        "head 1.");
  const std::string name = why.substr(0, colon);
  std::string place = why.substr(colon + 1);
  const ClassRow& row = row_of(book, name, why);
  const Grade& grade = *row.grade;
  const std::size_t cell_at = std::min(place.rfind(':'), place.size());
  if (grade.bug) return why_part(row, place.substr(0, cell_at));
  const Step* meant = step_meant(grade.truth, place.substr(0, cell_at));
  if (meant != nullptr) place.replace(0, cell_at, meant->id);
  View view;
  view.depth = 0;
  view.precision = kDigits;
  const auto positions = [&](const std::string& text) {
    return meant == nullptr ? text : by_position(text, meant->value.heads());
  };
  const auto trees_at = [&](const Trace& trace, const std::string& text, const View& shown) {
    return number_trees(trace, positions(text), shown);
  };
  const NumberTree tree =
      about_cell(trees_at, grade.truth, place, view, "--why " + name + ":").front();
  const StepReport& step = report_of(grade, tree.step);
  const Tensor& value = grade.truth.value(tree.step);
  const Cell& at = tree.cell;
  const auto i = static_cast<std::size_t>(
      ((at.batch * value.heads() + at.head) * value.rows() + at.row) * value.cols() + at.col);
  const auto& matrices = grade.answers.matrices;
  const auto answer = std::find_if(matrices.begin(), matrices.end(),
                                   [&](const Answer& each) { return each.id == tree.step; });
  const auto blanks = std::max<std::ptrdiff_t>(
      std::count_if(step.cells.begin(), step.cells.end(),
                    [](CellVerdict each) { return each != CellVerdict::Given; }),
      1);
  Document document = begun(row, tree.step, name_in_language(tree));
  if (row.by_hand) return document;
  const double points = points_for(*row.key, step.id);
  const std::string written = written_text(*answer, i);
  if (row.key->inverse) {
    add_fit(document, row, tree, step, i, *answer, points / static_cast<double>(blanks));
    return document;
  }
  const Trace own = own_work(grade, tree.step);
  const Tensor& made = own.value(tree.step);
  const bool follows = step.cells.at(i) == CellVerdict::Follows;
  const double share = follows ? follow_through : 1.0;
  const std::vector<EarlierStep> earlier = earlier_steps(grade, *row.key, tree.step);
  const bool too_large = std::isnan(made.data()[i]) &&
                         !std::isnan(own_work(grade, tree.step, true).value(tree.step).data()[i]);
  const Asked cell{step,
                   step.cells.at(i),
                   written,
                   answer->numbers.at(i),
                   tree.value,
                   made.data()[i],
                   share * points / static_cast<double>(blanks),
                   points,
                   grade.report.tolerance.absolute,
                   too_large};
  document.blocks.emplace_back(Paragraph{verdict_text(cell)});
  if (cell.verdict == CellVerdict::Given) return document;  // nobody computed it
  for (const EarlierStep& each : earlier)
    document.blocks.emplace_back(Paragraph{earlier_text(each)});
  if (std::isnan(cell.follows)) return document;
  for (Block& block : explain_cell(own, positions(place), view).blocks) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    const bool more = paragraph != nullptr && paragraph->text.starts_with("…");  // what is below
    if (!more && !std::holds_alternative<Title>(block)) document.blocks.push_back(std::move(block));
  }
  return document;
}

}  // namespace attn::app
