// attn exercise export: the sheets as questions for a learning platform.
#include <memory>

#include "attn/phrases.hpp"
#include "attn/teach/cloze.hpp"
#include "files/exercise_folder.hpp"

namespace attn::app {
namespace {

struct Export {
  std::string folder, to;
};

void run_export(const Export& o, const Streams& streams) {
  if (o.folder.empty()) {
    throw usage_error("missing-value", "attn exercise export needs the folder of an exercise",
                      "Write attn exercise export DIR --to moodle-xml -o FILE.");
  }
  if (o.to.empty()) {
    throw usage_error("missing-option", "attn exercise export needs --to",
                      "Write --to moodle-xml.");
  }
  const ExerciseFolder folder(o.folder);
  const ExerciseKey key = read_exercise_key(folder, streams);
  std::vector<ClozeQuestion> questions;
  for (const LockedVariant& each : read_lock(folder, streams)) {
    questions.push_back(make_cloze(read_sheet(folder.sheet(each.student, ".json"), streams).sheet,
                                   read_sheet(folder.answer(each.student), streams).sheet));
  }
  write_output(streams.common.output, moodle_xml(key.spec.name, questions), streams);
}

}  // namespace

Command exercise_export_command() {
  auto o = std::make_shared<Export>();
  Command command;
  command.examples = {
      {"attn exercise make --preset self -o week1", "sheets to export"},
      {"attn exercise export week1 --to moodle-xml -o week1.xml", "one question each"}};
  command.operand = "DIR";
  command.tells_answers = true;
  command.set_operand = [o](const std::string& path) {
    require_path("the folder", path);
    o->folder = path;
  };
  add_rows(command, Group::Own,
           {choice("--to", "FORMAT", "moodle-xml: cloze questions with the hints of known mistakes",
                   {"moodle-xml"}, [o](const std::string& to) { o->to = to; })});
  command.run = [o](const Streams& streams) { run_export(*o, streams); };
  return command;
}

}  // namespace attn::app
