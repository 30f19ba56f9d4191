// attn check SHEET: grades one sheet.
#include <algorithm>
#include <cmath>

#include "attn/io/submission_metadata.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/grade_report.hpp"
#include "commands/check.hpp"
#include "files/exercise_folder.hpp"
#include "files/exercise_language.hpp"
#include "files/files.hpp"
#include "files/input.hpp"
#include "files/key_folder.hpp"

namespace attn::app {
namespace {

constexpr double kRounding = 1e-9;  ///< of a sum of points

/// Refuses options that do not go with a sheet.
void check_options(const Check& o, const Sheet& sheet, const Streams& streams) {
  const auto refuse = [&](std::initializer_list<const char*> options, const char* id,
                          const char* why, const char* fix = "Leave it out.") {
    if (const char* option = first_given(streams, options))
      throw usage_error(id, no_effect(option, why), fix);
  };
  if (o.grading.metadata.empty())
    refuse({"--roster"}, "wrong-operand", "it is for a folder of sheets, or with --metadata",
           "Name the folder, or leave the option out.");
  std::vector<std::string> given = given_options(o.problem);
  if (!o.problem.source.path.empty()) given.insert(given.begin(), "--problem");
  if (!given.empty()) {
    throw usage_error("already-computed",
                      given.front() + " would change the problem, but a sheet contains its own",
                      "Leave it out.");
  }
  refuse({"--exact"}, "wrong-operand", "the numbers of a sheet are rounded");
  refuse({"--gradient", "--upstream"}, "wrong-operand", "a sheet says what it asks for");
  if (!sheet.steps.empty())
    refuse({"--map"}, "wrong-operand", "the steps of a sheet have their own names");
  if (!sheet.bug) return;
  if (o.grading.key.empty())
    throw usage_error("needs-key", "only its key says which bug is on a find-the-bug sheet",
                      "Hand the sheet in. To grade it, add --key DIR/key.");
  refuse({"--steps", "--tolerance", "--follow-through"}, "wrong-operand",
         "this sheet asks for a bug, not for numbers");
  if (const char* option = first_given(streams, {"--reveal", "--hint"}))
    throw usage_error("option-conflict",
                      filled("{} would say where the bug is, which this sheet asks for", option),
                      "Leave it out.");
}

/// The key's sheet for a student. Throws KeyError if the key is broken, Error (id "not-gradable")
/// if it merely lacks a sheet for this student.
Sheet key_of(const Check& o, const std::string& student, const Streams& streams) {
  try {
    Sheet key = *read_key_sheet(o.grading.key, student, streams);
    computation_of(key);
    return key;
  } catch (const Error& error) {
    if (error.diagnostics().front().id == "not-gradable") throw;
    throw KeyError(error);
  }
}

/// The students of the key to whom these names belong, by themselves or by a line of the roster.
std::vector<std::string> students_named(const Check& o, const std::vector<std::string>& names,
                                        const CsvTable& roster) {
  std::vector<std::string> students;
  for (const std::string& name : names) {
    for (const std::vector<std::string>& row : roster.rows) {
      const bool there = std::any_of(row.begin(), row.end(), [&](const std::string& cell) {
        return caseless(trimmed(cell)) == caseless(trimmed(name));
      });
      if (there) students.push_back(row.front());
    }
    students.push_back(name);
  }
  std::erase_if(students,
                [&](const std::string& each) { return !has_key_sheet(o.grading.key, each); });
  return students;
}

/// Whose sheet it must be: as --student or Gradescope says; otherwise, as the sheet itself does. Of
/// a group, the member whose sheet it is. Throws KeyError if the key knows nobody who handed in.
std::string owner_of(const Check& o, const Sheet& sheet, const Streams& streams) {
  if (o.grading.metadata.empty())
    return o.grading.student.empty() ? sheet.student : o.grading.student;
  const auto submitters = parse_input(o.grading.metadata, streams, submitters_in);
  const CsvTable roster =
      o.grading.roster.empty() ? CsvTable{} : read_roster(o.grading.roster, streams);
  std::vector<std::string> all;
  for (const std::vector<std::string>& names : submitters) {
    for (const std::string& each : students_named(o, names, roster)) {
      if (caseless(each) == caseless(sheet.student)) return each;
      all.push_back(each);
    }
  }
  if (!all.empty()) return all.front();
  throw KeyError(
      input_error(
          {.id = "not-gradable",
           .what = "the key has no sheet for " + either(submitters.front()),
           .places = {{.file = o.grading.metadata}},
           .fix =
               o.grading.roster.empty()
                   ? "Add --roster FILE, whose lines have the ids of the key and these addresses."
                   : "Add the address to the line of a student who has a sheet, or make one."}),
      Fault::List);
}

/// The sheet to grade against: that of its student in the key; without a key, the sheet itself.
Sheet original_of(const Check& o, const SheetFile& file, const Streams& streams) {
  const Sheet& sheet = file.sheet;
  if (!o.grading.key.empty()) {
    const std::string student = owner_of(o, sheet, streams);
    Sheet key = key_of(o, student, streams);
    const bool bare = sheet.variant.empty();  // a table without that column
    if (bare ||
        (lowered(key.variant) == lowered(sheet.variant) && key.exercise == sheet.exercise)) {
      const bool intact = file.seal_fits && !sheet.steps.empty();  // not a table's
      if (!intact || !is_of_another_exercise(sheet, key)) return key;
      throw input_error({.id = "not-gradable",
                         .what = std::string("wrong_variant: ") + kOtherExercise,
                         .fix = "Grade it with the key that was made together with it."});
    }
    throw input_error(
        {.id = "not-gradable",
         .what = "wrong_variant: the sheet is variant " + sheet.variant + " of \"" +
                 sheet.exercise + "\", but for this student the key has variant " + key.variant +
                 " of \"" + key.exercise + "\"",
         .fix = "Was the sheet taken from somebody else, or is this the key of another exercise?"});
  }
  const std::string& wanted = o.grading.student;
  if (!wanted.empty() && !sheet.student.empty() && caseless(wanted) != caseless(sheet.student)) {
    throw input_error(
        {.id = "not-gradable",
         .what = "wrong_variant: this is another student's sheet, not that of \"" + wanted + "\"",
         .fix = "Was the sheet taken from somebody else? Without --student it is "
                "checked all the same."});
  }
  Sheet original = sheet;
  if (original.bug) original.bug = BugAnswer{};
  return original;
}

/// Whether the matrix of a step was handed in with rows or columns of another length, which the
/// report says, or under a name that only the computation tells, "6/9", or that means nothing.
bool is_elsewhere(const Answers& answers, const SheetStep& step, const Trace& truth) {
  const auto& all = answers.matrices;
  const auto own =
      std::find_if(all.begin(), all.end(), [&](const Answer& each) { return each.id == step.id; });
  if (own != all.end()) return own->shape != step.shape;
  return std::any_of(all.begin(), all.end(), [&](const Answer& each) {
    const Step* meant = step_named(truth, each.id);
    return meant == nullptr ? each.shape == step.shape : meant->id == step.id;
  });
}

/// What has changed in the printed parts of a sheet since it was made; "" if nothing has but the
/// shapes of matrices.
std::string change_of(const SheetFile& file, const Sheet& original, const Trace& truth) {
  if (file.seal_fits) return "";
  Sheet nameless = file.sheet;  // a sheet for everybody, on which somebody wrote a name
  nameless.student.clear();
  if (sheet_seal(nameless) == file.seal) return "";
  Sheet whole = file.sheet;  // its erased cells are filled in below
  Index erased = 0;
  for (std::size_t s = 0; s < whole.steps.size(); ++s) {
    SheetStep& step = whole.steps[s];
    const Step* right = truth.find(step.id);
    if (right == nullptr || right->value.data().size() != step.numbers.size()) continue;
    const bool elsewhere = is_elsewhere(file.answers, step, truth);
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      if (step.blank[i] != 0 || !std::isnan(step.numbers[i])) continue;
      step.numbers[i] = rounded_to(right->value.data()[i], original.decimals);
      if (!elsewhere) ++erased;
    }
  }
  const bool rest_fits = whole.bug ? erased > 0 : sheet_seal(whole) == file.seal;
  if (erased == 0) return rest_fits ? "" : "something printed on this sheet has been changed";
  return counted(erased, "printed cell") + " of this sheet " + (erased == 1 ? "has" : "have") +
         " been erased" + (rest_fits ? "" : ", and something else printed on it has been changed");
}

void write_report(const Check& o, const Grade& grade, const Target& target, const Streams& streams,
                  const Sink& sink) {
  if (target.format->document != nullptr) {
    CheckView view{grade.exercise, o.reveal, o.hint, "attn help"};
    if (!grade.student.empty()) view.facts.push_back(grade.student);
    return write_document(grade_document(grade, view), target, o.text, o.output, streams, sink);
  }
  const std::string json = target.format->name == kGradescope
                               ? gradescope_json(grade)
                               : grade_json(grade, o.reveal, o.output.nonfinite);
  shown_json(sink, streams)(json);
}

}  // namespace

bool check_sheet(const Check& o, const SheetFile& file, const std::vector<Target>& targets,
                 const Streams& streams) {
  const bool alone = o.grading.key.empty();  // the key says how its sheets speak
  const ExerciseLanguage of_sheet(alone ? file.sheet.language : "",
                                  alone && file.sheet.decimal_comma, streams);
  check_options(o, file.sheet, streams);
  const Sheet original = original_of(o, file, streams);
  const ExerciseLanguage language(original.language, original.decimal_comma, streams);
  GradeOptions options{o.grading.follow_through, o.options};
  Grade grade = [&] {
    try {
      if (!o.steps.empty()) options.check.steps = chosen_ids(computation_of(original), o.steps);
      return grade_sheet(original, {file.answers, file.sheet.bug}, options);
    } catch (const Error& error) {
      throw file.places.locate(error);
    }
  }();
  if (const std::string change = change_of(file, original, grade.truth); !change.empty()) {
    grade.report.notes.push_back(change + (o.grading.key.empty()
                                               ? "; your teacher grades with the original"
                                               : "; graded with the key"));
  }
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    write_report(o, grade, target, streams, sink);
  });
  if (o.grading.fail_under) return grade.percent() + kRounding >= *o.grading.fail_under;
  return grade.report.right && grade.report.complete;
}

void write_ungraded(const Error& error, Fault fault, const std::vector<Target>& targets,
                    const Streams& streams) {
  std::vector<Target> results;
  std::copy_if(targets.begin(), targets.end(), std::back_inserter(results),
               [](const Target& target) { return target.format->name == kGradescope; });
  write_targets(results, streams, [&](const Target&, const Sink& sink) {
    const std::string json = gradescope_json(error, fault);
    shown_json(sink, streams)(json);
  });
}

}  // namespace attn::app
