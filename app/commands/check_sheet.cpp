// attn check SHEET: grades one sheet.
#include <algorithm>

#include "attn/grade_report.hpp"
#include "attn/tool/phrases.hpp"
#include "commands/check.hpp"
#include "files/files.hpp"
#include "files/key_folder.hpp"

namespace attn::app {
namespace {

constexpr double kRounding = 1e-9;  ///< of a sum of points

/// What does not go with a sheet.
void check_options(const Check& o, const Sheet& sheet) {
  const std::vector<std::string> folder = folder_options(o.grading);
  if (!folder.empty()) {
    throw usage_error("wrong-operand", folder.front() + " is for a folder of sheets",
                      "Name the folder, or leave the option out.");
  }
  std::vector<std::string> given = given_options(o.problem);
  if (!o.problem.source.path.empty()) given.insert(given.begin(), "--problem");
  if (!given.empty()) {
    throw usage_error("already-computed",
                      given.front() + " would change the problem, but a sheet brings its own",
                      "Leave it out.");
  }
  if (sheet.bug && (o.reveal || o.hint)) {
    throw usage_error("option-conflict",
                      std::string(o.reveal ? "--reveal" : "--hint") +
                          " would say where the bug is, which this sheet asks for",
                      "Leave it out.");
  }
}

/// What the key says about a sheet that names its student; without a key, the sheet itself.
Sheet original_of(const Check& o, const Sheet& sheet, const Streams& streams) {
  if (!o.grading.key.empty()) {
    Sheet key = *read_key_sheet(o.grading.key, sheet.student, streams);
    if (lowered(key.variant) == lowered(sheet.variant) && key.exercise == sheet.exercise)
      return key;
    throw input_error({.id = "not-gradable",
                       .what = "the sheet is variant " + sheet.variant + " of \"" + sheet.exercise +
                               "\"; the key has variant " + key.variant + " of \"" + key.exercise +
                               "\" for this student",
                       .fix = "Was the sheet taken from somebody else?"});
  }
  Sheet original = sheet;
  if (original.bug) original.bug = BugAnswer{};
  return original;
}

void write_report(const Check& o, const Grade& grade, const Target& target, const Streams& streams,
                  const Sink& sink) {
  if (target.format->document != nullptr) {
    CheckView view{grade.exercise, o.reveal, o.hint, "attn help"};
    if (!grade.student.empty()) view.facts.push_back(grade.student);
    return sink(target.format->document(grade_document(grade, view),
                                        text_style(o.text, target.path, streams)));
  }
  const std::string json =
      target.format->name == kGradescope
          ? gradescope_json(grade)
          : grade_json(grade, o.reveal, o.output.nonfinite.value_or(NonFinite::Words));
  sink(streams.common.ascii ? json_to_ascii(json) : json_visible(json));
}

}  // namespace

bool check_sheet(const Check& o, SheetFile file, const std::vector<Target>& targets,
                 const Streams& streams) {
  check_options(o, file.sheet);
  const Sheet original = original_of(o, file.sheet, streams);
  GradeOptions options{o.grading.follow_through.value_or(1.0), o.options};
  Grade grade = [&] {
    try {
      if (!o.steps.empty()) options.check.steps = chosen_ids(computation_of(original), o.steps);
      return grade_sheet(original, {std::move(file.answers), file.sheet.bug}, options);
    } catch (const Error& error) {
      throw file.places.locate(error);
    }
  }();
  if (!file.seal_fits) {
    grade.report.notes.emplace_back(
        o.grading.key.empty()
            ? "something printed on this sheet was changed since it was made; your teacher grades "
              "it as it was made"
            : "something printed on this sheet was changed since it was made; graded with the key");
  }
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    write_report(o, grade, target, streams, sink);
  });
  if (o.grading.fail_under) return grade.percent() + kRounding >= *o.grading.fail_under;
  return grade.report.right && grade.report.complete;
}

void write_ungraded(const Error& error, const std::vector<Target>& targets,
                    const Streams& streams) {
  std::vector<Target> results;
  std::copy_if(targets.begin(), targets.end(), std::back_inserter(results),
               [](const Target& target) { return target.format->name == kGradescope; });
  write_targets(results, streams, [&](const Target&, const Sink& sink) {
    const std::string json = gradescope_json(error);
    sink(streams.common.ascii ? json_to_ascii(json) : json_visible(json));
  });
}

}  // namespace attn::app
