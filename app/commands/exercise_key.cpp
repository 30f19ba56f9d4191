// attn exercise key: one student's sheet, solved step by step.
#include <algorithm>
#include <memory>

#include "attn/attend.hpp"
#include "attn/language.hpp"
#include "attn/render/explain.hpp"
#include "files/exercise_folder.hpp"
#include "files/exercise_language.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct KeyOptions {
  std::string folder;
  std::optional<std::string> student, variant;
  TextOptions text;
  OutputOptions output;
};

/// The right computation of a sheet.
Trace truth_of(const SheetFile& file) {
  try {
    return attend(make_problem(file.sheet.problem));
  } catch (const Error& error) {
    throw file.places.locate(error);
  }
}

Document solved(const Sheet& key, const Trace& trace) {
  View view;
  view.precision = key.decimals;
  for (const Step* step : steps_and_givens(trace)) {
    const bool asked = std::any_of(key.steps.begin(), key.steps.end(),
                                   [&](const SheetStep& each) { return each.id == step->id; });
    if (asked || !step->only_rearranges()) view.steps.push_back(step->id);
  }
  view.source = translated("variant {id}", key.variant);
  if (!key.student.empty())
    view.source = comma_joined({translated("student {id}", key.student), view.source});
  Document document = explain(trace, view);
  for (Block& block : document.blocks) {
    if (auto* grid = std::get_if<Grid>(&block)) grid->comma = key.decimal_comma;
  }
  if (!key.bug) return document;
  document.blocks.emplace_back(
      Paragraph{translated("The first wrong step on the sheet is {step}: {code}. These are the "
                           "right numbers.",
                           key.bug->first_wrong.value_or(""), key.bug->code.value_or("")),
                Role::Note});
  return document;
}

void run_key(const KeyOptions& o, const Streams& streams) {
  if (o.folder.empty()) {
    throw usage_error("missing-value", "attn exercise key needs the folder of an exercise",
                      "Write attn exercise key DIR --student ID.");
  }
  const auto targets = targets_of(o.output, streams);
  const ExerciseFolder folder(o.folder);
  const auto lock = read_lock(folder, streams);
  const LockedVariant& variant = find_variant(lock, o.student, o.variant);
  const SheetFile file = read_sheet(folder.answer(variant.student), streams);
  const Trace trace = truth_of(file);
  const ExerciseLanguage language(file.sheet.language, file.sheet.decimal_comma, streams);
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    if (target.format->document != nullptr)
      return write_document(solved(file.sheet, trace), target, o.text, o.output, streams, sink);
    target.format->data(trace, {{}, o.output.nonfinite}, sink);
  });
}

}  // namespace

Command exercise_key_command() {
  auto o = std::make_shared<KeyOptions>();
  Command command;
  command.examples = {{"attn exercise make --preset self -o week1", "an exercise with one sheet"},
                      {"attn exercise key week1", "every matrix on the way"},
                      {"attn exercise key week1 --json -o solved.json", "the same as a trace"}};
  command.operand = "DIR";
  command.tells_answers = true;
  command.set_operand = [o](const std::string& path) {
    require_path("the folder", path);
    o->folder = path;
  };
  add_rows(command, Group::Own,
           {text("--student", "ID", "whose sheet, by the id in the roster",
                 [o](const std::string& id) { o->student = id; }),
            text("--variant", "ID", "which sheet, by the variant printed on it",
                 [o](const std::string& id) { o->variant = id; })});
  command.conflicts = {{"--student", "--variant", "each names one sheet"}};
  add_text_options(command, o->text);
  add_output_options(command, o->output, [](const Format& format) {
    return format.document != nullptr || format.data != nullptr;
  });
  add_nonfinite_option(command, o->output);
  command.run = [o](const Streams& streams) { run_key(*o, streams); };
  return command;
}

}  // namespace attn::app
