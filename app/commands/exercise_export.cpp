// attn exercise export: the sheets as questions for a learning platform, or an autograder.
#include <algorithm>
#include <iterator>
#include <memory>

#include "attn/io/zip_file.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/cloze.hpp"
#include "commands/autograder.hpp"
#include "files/exercise_folder.hpp"
#include "files/exercise_language.hpp"
#include "files/key_folder.hpp"
#include "files/printed_sheet.hpp"

namespace attn::app {
namespace {

struct Export {
  std::string folder, format;
  AutograderOptions autograder;
};

std::vector<ClozeQuestion> questions_of(const ExerciseFolder& folder, const Streams& streams) {
  std::vector<ClozeQuestion> questions;
  if (read_exercise_key(folder, streams).spec.inverse)
    throw usage_error("wrong-operand",
                      "a learning platform compares each blank with one number, and on an inverse "
                      "sheet whatever fits is right",
                      "Use --format gradescope, which runs attn, or grade what is handed in: attn "
                      "exercise grade FOLDER --key DIR.");
  for (const LockedVariant& each : read_lock(folder, streams)) {
    Sheet key = *read_key_sheet(folder.path(), each.student, streams);
    for (SheetStep& step : key.steps) {
      if (step.points == 0.0) step.blank.assign(step.blank.size(), 0);  // dropped since
    }
    questions.push_back(make_cloze(handed_out(unsolved(key)), key));
  }
  return questions;
}

std::string as_moodle(const Export&, const ExerciseFolder& folder, const Streams& streams) {
  const ExerciseKey key = read_exercise_key(folder, streams);
  const ExerciseLanguage language(key.spec.language, key.spec.decimal_comma, streams);
  return moodle_xml(key.spec.name, questions_of(folder, streams));
}

std::string as_qti(const Export&, const ExerciseFolder& folder, const Streams& streams) {
  const ExerciseKey key = read_exercise_key(folder, streams);
  const ExerciseLanguage language(key.spec.language, key.spec.decimal_comma, streams);
  std::vector<FileToZip> files;
  for (PackagedFile& each : qti_package(key.spec.name, questions_of(folder, streams)))
    files.push_back({std::move(each.name), std::move(each.text)});
  return write_zip(files);
}

std::string as_gradescope(const Export& o, const ExerciseFolder& folder, const Streams& streams) {
  return write_zip(autograder_files(folder, o.autograder, streams));
}

/// A platform, and what is written for it.
struct ExportRow {
  const char* name;
  bool is_zip;
  std::string (*make)(const Export& o, const ExerciseFolder& folder, const Streams& streams);
};

constexpr ExportRow kExports[] = {
    {"moodle-xml", false, as_moodle}, {"qti", true, as_qti}, {"gradescope", true, as_gradescope}};

void run_export(const Export& o, const Streams& streams) {
  if (o.folder.empty()) {
    throw usage_error("missing-value", "attn exercise export needs the folder of an exercise",
                      "Write attn exercise export DIR --format moodle-xml -o FILE.");
  }
  if (o.format.empty()) {
    throw usage_error("missing-option", "attn exercise export needs --format",
                      "Write --format " + either(names_in(kExports)) + ".");
  }
  const ExportRow& row = *find_row(kExports, o.format);
  if (row.is_zip && is_stdout(streams.common.output)) {
    throw usage_error("missing-option",
                      "--format " + o.format + " writes a .zip, and no file is named",
                      "Write -o " + o.format + ".zip.");
  }
  for (const char* option : {"--program", "--roster"}) {
    if (o.format == "gradescope" || first_given(streams, {option}) == nullptr) continue;
    throw usage_error("option-conflict", no_effect(option, "it is for --format gradescope"),
                      "Leave it out.");
  }
  write_output(streams.common.output, row.make(o, ExerciseFolder(o.folder), streams), streams);
}

}  // namespace

Command exercise_export_command() {
  auto o = std::make_shared<Export>();
  Command command;
  command.examples = {
      {"attn exercise make --preset self -o week1", "sheets to export"},
      {"attn exercise export week1 --format moodle-xml -o week1.xml", "one question each"},
      {"attn exercise export week1 --format qti -o week1.zip", "for Canvas and others"}};
  command.operand = "DIR";
  command.tells_answers = true;
  command.set_operand = [o](const std::string& path) {
    require_path("the folder", path);
    o->folder = path;
  };
  add_rows(
      command, Group::Own,
      {choice("--format", "FORMAT",
              "moodle-xml (cloze questions with hints), qti (2.1), or gradescope (an autograder)",
              names_in(kExports), [o](const std::string& format) { o->format = format; }),
       file("--program", "FILE", "gradescope: attn for Linux, linked statically, to put into it",
            PathUse::Input, o->autograder.program),
       file("--roster", "FILE", "gradescope: the ids of the key beside email addresses",
            PathUse::Input, o->autograder.roster)});
  command.run = [o](const Streams& streams) { run_export(*o, streams); };
  return command;
}

}  // namespace attn::app
