// attn check: compares somebody's matrices with the computed ones, and names the mistake.
#include "commands/check.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "attn/phrases.hpp"
#include "attn/render/check_report.hpp"
#include "commands/watch.hpp"
#include "files/exercise_language.hpp"
#include "files/files.hpp"
#include "files/input.hpp"
#include "files/key_folder.hpp"
#include "files/read_answers.hpp"
#include "files/submissions.hpp"
#include "options/tolerance.hpp"

namespace attn::app {
namespace {

void add_check_options(Command& command, Check& o) {
  add_rows(
      command, Group::Own,
      {file("--problem", "FILE", "the problem that the answers belong to", PathUse::Input,
            o.problem.source.path),
       again(list(offer(text("--step,--steps", "ID,…", "check only these: scores,weights or 5-7",
                             [&o](const std::string& v) { add_step_names(v, o.steps); }),
                        offered_steps),
                  List::Commas),
             Again::Adds),
       tolerance_row(
           "accept this difference (default 0.01; for dumps of arrays and traces, as --exact)",
           o.options.tolerance),
       map_row(o.names),
       flag("--exact", "accept only rounding errors, as for a dump", o.options.exact),
       whole("--hint", "only a hint, from 1 (where) to 4 (what to read)", 1, 4, o.hint),
       flag("--reveal", "show one right value for each wrong step", o.reveal),
       text("--student", "ID", "a sheet with --key: whose it must be", o.grading.student),
       file("--metadata", "FILE", "the same, by Gradescope's submission_metadata.json",
            PathUse::Input, o.grading.metadata),
       flag("--watch", "check again whenever the file changes", o.watch)});
  command.conflicts.insert(command.conflicts.end(),
                           {{"--student", "--metadata", "each says whose the sheet must be"},
                            {"--tolerance", "--exact", "each says how much may differ"},
                            {"--hint", "--reveal", "a hint leaves the right values to you"},
                            {"--watch", "--also", "--watch shows text on the terminal"}});
}

/// Whether the answers have a step that appears only where softmax is opened into its parts.
bool needs_detail(const Answers& answers) {
  return std::any_of(answers.matrices.begin(), answers.matrices.end(), [](const Answer& each) {
    const StepInfo* info = find_step_info(each.id);
    return info != nullptr && info->appears.setting == std::string_view("detail");
  });
}

Error needs_problem(const std::string& answers) {
  const std::string file = answers == "-" ? "-" : shell_word(answers);
  return usage_error("needs-problem", "the answers do not say which problem they belong to",
                     "Name its file: attn check " + file + " --problem problem.json." +
                         (answers.ends_with(".csv") ? " For the table of a sheet, check the sheet "
                                                      "itself, the file that ends with .json."
                                                    : ""));
}

/// The right computation: of the problem that is named or, without one, of the trace handed in.
Trace truth_of(const Check& o, const AnswersFile& file, const Streams& streams) {
  if (!o.problem.source.path.empty()) {
    const Recipe recipe = needs_detail(file.answers) ? full_detail() : Recipe();
    const auto gradient = gradient_choice(o.gradient, o.problem.source.max_memory, streams);
    return load_trace(o.problem, recipe, streams, {}, gradient).trace;
  }
  if (!file.trace) throw needs_problem(o.answers);
  std::vector<std::string> given = given_options(o.problem);
  if (o.gradient.asked) given.emplace_back("--gradient");
  if (given.empty()) return replay(*file.trace, {});
  throw usage_error(
      "already-computed",
      given.front() +
          " would change the problem, but these answers are a trace, which contains its own",
      "Name the problem with --problem, or leave the option out.");
}

}  // namespace

std::vector<std::string> chosen_ids(const Trace& truth, const std::vector<std::string>& names) {
  View view;
  view.steps = names;
  std::vector<std::string> ids;
  if (names.empty()) return ids;
  for (const Step* step : shown_steps(truth, view)) ids.push_back(step->id);
  return ids;
}

namespace {

bool writes_results(const std::vector<Target>& targets) {
  return std::any_of(targets.begin(), targets.end(),
                     [](const Target& target) { return target.format->name == kGradescope; });
}

/// Refuses options for sheets. With a key, or results for Gradescope, the error is about the file.
void refuse_sheet_options(const Check& o, const std::vector<Target>& targets,
                          const Streams& streams) {
  if (writes_results(targets) || !o.grading.key.empty()) {
    throw input_error({.id = "not-gradable",
                       .what = "this file is not a sheet",
                       .places = {{.file = input_name(o.answers)}},
                       .fix = "Fill in the sheet that was handed out, and hand in that file."});
  }
  if (const char* option = first_given(streams, kSheetOptions))
    throw usage_error("wrong-operand",
                      no_effect(option, "this is no sheet that attn exercise made"),
                      "Leave it out, or name a sheet.");
}

bool is_of_gradients(const std::string& id) {
  const StepInfo* info = find_step_info(id);
  return info != nullptr && info->role == StepRole::Gradient;
}

/// Whether the answers hold gradients, and the computation none.
bool lacks_gradients(const Trace& truth, const Answers& answers) {
  return std::any_of(answers.matrices.begin(), answers.matrices.end(),
                     [](const Answer& each) { return is_of_gradients(each.id); }) &&
         std::none_of(truth.steps.begin(), truth.steps.end(),
                      [](const Step& step) { return is_of_gradients(step.id); });
}

constexpr const char* kNoGradients =
    "the answers hold gradients, which --gradient or --upstream FILE compares";

constexpr const char* kFoldedWeights =
    "TransformerLens folds norms and biases into other weights unless told not to: only a model "
    "loaded with from_pretrained_no_processing can be compared";

bool check_matrices(const Check& o, AnswersFile& file, const std::vector<Target>& targets,
                    const Streams& streams) {
  refuse_sheet_options(o, targets, streams);
  const Trace truth = truth_of(o, file, streams);
  CheckOptions options = o.options;
  options.steps = chosen_ids(truth, o.steps);
  const bool figures = o.reveal || file.answers.by_program;
  const std::string source = file.answers.source;
  const bool lacking = lacks_gradients(truth, file.answers);
  NamesOfOthers names;
  Answers own = with_own_names(truth, std::move(file.answers), o.names, names);
  CheckReport report = check_answers(truth, std::move(own), options);
  report.notes.insert(report.notes.begin(), file.notes.begin(), file.notes.end());
  report.notes.insert(report.notes.begin(), names.not_compared.begin(), names.not_compared.end());
  report.problem_notes = truth.notes;
  report.problem_notes.insert(report.problem_notes.end(), names.notes.begin(), names.notes.end());
  if (lacking) report.problem_notes.emplace_back(kNoGradients);
  if (names.lens && !report.right) report.problem_notes.emplace_back(kFoldedWeights);
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    if (target.format->document != nullptr) {
      const CheckView view{source, figures, o.hint, "attn help"};
      return write_document(check_document(report, truth, view), target, o.text, o.output, streams,
                            sink);
    }
    const std::string json = check_json(report, figures, o.output.nonfinite);
    shown_json(sink, streams)(json);
  });
  return report.right && report.complete;
}

/// The matrices of a sheet without the rest of it, which the key knows: a table, or JSON. Unless
/// the table has a column of students, the name of the file says whose they are, as in a folder.
std::optional<SheetFile> bare_sheet(const Check& o, const Input& input, const Answers& answers) {
  const InputKind kind = input.kind().kind;
  if (o.grading.key.empty() || (kind != InputKind::Table && kind != InputKind::Json))
    return std::nullopt;
  SheetFile bare{.sheet = {}, .answers = answers, .seal_fits = true};
  if (o.answers != "-") bare.sheet.student = std::filesystem::path(o.answers).stem().string();
  if (kind == InputKind::Json) return bare;
  try {
    const auto named =
        input.read([&](std::string_view bytes) { return sheet_name_in(bytes, input.name()); });
    if (!named) return bare;
    bare.sheet.exercise = named->exercise;
    bare.sheet.variant = named->variant;
    if (!named->student.empty()) bare.sheet.student = named->student;
    return bare;
  } catch (const Error& error) {
    throw input_error({.id = "not-gradable",
                       .what = "this file cannot be read as a sheet: " + std::string(error.what()),
                       .places = {{.file = input.name()}},
                       .fix = "Name one student's file, in the format that was handed out."});
  }
}

/// How the exercise of --key speaks; without one, in English. Throws KeyError.
ExerciseStyle style_in(const Check& o, const Streams& streams) {
  if (o.grading.key.empty()) return {};
  try {
    return style_of(o.grading.key, streams);
  } catch (const Error& error) {
    throw KeyError(error);
  }
}

bool run_once(Check& o, const std::vector<Target>& targets, const Streams& streams) {
  std::optional<ExerciseLanguage> language;  // also of why a file cannot be graded
  try {
    const ExerciseStyle style = style_in(o, streams);
    language.emplace(style.language, style.decimal_comma, streams);
    require_answers(o.answers);
    const double memory = submission_memory(o, streams);
    std::optional<HandedIn> zipped;
    if (is_collection(o.answers)) {  // what Gradescope hands in: a folder with one sheet in it
      HandedIn one = one_submission(o.answers, streams, kSubmissionMemory);
      o.answers = one.path.string();
      if (one.is_read) zipped = std::move(one);
    }
    if (!o.grading.key.empty()) refuse_link(o.answers);
    const auto input = zipped ? std::make_shared<const Input>(o.answers, std::move(zipped->bytes))
                              : open_input(o.answers, streams, memory);
    AnswersFile file = [&] {
      try {
        return read_answers(*input, memory, {o.names}, style.read_as(o.grading.decimal_mark));
      } catch (const Error&) {
        if (streams.language_of_file->empty())
          *streams.language_of_file = input->read(language_named_in);
        throw;
      }
    }();
    if (const std::optional<SheetFile> bare = bare_sheet(o, *input, file.answers))
      return check_sheet(o, *bare, targets, streams);
    if (file.sheet) return check_sheet(o, *file.sheet, targets, streams);
    return check_matrices(o, file, targets, streams);
  } catch (const KeyError& error) {
    write_ungraded(error, error.fault, targets, streams);
    throw;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Usage) write_ungraded(error, Fault::File, targets, streams);
    throw;
  }
}

/// Refuses what only text can do, or only text on a terminal.
void check_text_only(const Check& o, const std::vector<Target>& targets, const Terminal& terminal) {
  const bool text = targets.front().format->document != nullptr;
  if (o.hint && !text) {
    throw usage_error("text-only", no_effect("--hint", "JSON always holds the whole report"),
                      "Leave it out.");
  }
  if (!o.watch) return;
  if (!terminal.out_is_terminal || o.answers == "-" || o.problem.source.path == "-") {
    throw usage_error("needs-terminal",
                      "--watch waits for a file to change, and shows the report on a terminal",
                      "Leave it out, or name files and run attn in a terminal.");
  }
  if (text && is_stdout(targets.front().path)) return;
  throw usage_error("option-conflict", "--watch shows text on the terminal and writes no file",
                    "Leave it out, or write the file in a second run.");
}

/// Refuses options that are for one file.
void check_several(const Check& o, const std::vector<Target>& targets) {
  const std::pair<const char*, bool> of_one[] = {{"--watch", o.watch},
                                                 {"--format gradescope", writes_results(targets)},
                                                 {"--also", targets.size() > 1},
                                                 {"-o", !is_stdout(targets.front().path)}};
  for (const auto& [name, is_given] : of_one) {
    if (!is_given) continue;
    throw usage_error("wrong-operand", std::string(name) + " is for one file, not for several",
                      "Leave it out, or name one of the files.");
  }
}

/// Checks one file after the other. Returns whether all are right; after the last, throws what is
/// wrong with any of them.
bool run_each(Check& o, const std::vector<Target>& targets, const Streams& streams) {
  const bool text = targets.front().format->document != nullptr;
  bool yes = true, any = false;
  std::vector<Diagnostic> broken;
  ErrorKind kind = ErrorKind::Input;
  for (const std::string& file : o.operands) {
    o.answers = file;
    try {
      if (any && text) streams.out << "\n";
      yes = run_once(o, targets, streams) && yes;
      any = true;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Usage) throw;
      kind = error.kind();
      broken.insert(broken.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!broken.empty()) throw Error(kind, std::move(broken));
  return yes;
}

constexpr const char* kGradeNote =
    "note: attn exercise grade is the command for a class; this one does the same\n";

bool run_check(Check& o, const Streams& streams) {
  if (o.operands.empty()) {
    throw usage_error("missing-value", "attn check needs the file with the answers",
                      "Write attn check answers.json --problem problem.json.");
  }
  const std::vector<Target> targets = targets_of(o.output, streams);
  if (!o.grading.key.empty()) find_key_folder(o.grading.key);  // throws if it is none
  const bool several = o.operands.size() > 1;
  const bool any_folder = std::any_of(o.operands.begin(), o.operands.end(), is_collection) &&
                          (several || !writes_results(targets));
  if (any_folder || (several && !o.grading.key.empty())) {
    const bool yes = check_class(o, targets, streams);
    if (!streams.common.quiet) streams.err << kGradeNote << std::flush;
    return yes;
  }
  o.answers = o.operands.front();
  if (several) check_several(o, targets);
  check_text_only(o, targets, streams.terminal);
  if (several) return run_each(o, targets, streams);
  if (!o.watch) return run_once(o, targets, streams);
  bool yes = false;
  watch(o.answers, streams, [&] { yes = run_once(o, targets, streams); });
  return yes;
}

}  // namespace

Command check_command() {
  auto o = std::make_shared<Check>();
  Command command;
  command.examples = {{"attn convert -o p.json", "the built-in sample as a file"},
                      {"attn explain p.json -o mine.json", "pretend that these are your answers"},
                      {"attn check mine.json --problem p.json", "which of them are right"},
                      {"attn check mine.json", "a trace contains its own problem"}};
  command.usual = {"--problem", "--steps", "--tolerance", "--exact", "--hint",
                   "--reveal",  "--watch", "--set",       "--json",  "--output"};
  add_problem_options(command, o->problem);
  list_settings(command, {"--set"});
  add_gradient_options(command, o->gradient);
  command.operand = "ANSWERS…";
  command.set_operand = [o](const std::string& path) {
    require_path("the answers", path);
    if (std::find(o->operands.begin(), o->operands.end(), path) == o->operands.end())
      o->operands.push_back(path);
  };
  add_report_options(command, o->text);
  add_check_options(command, *o);
  add_grading_options(command, o->grading);
  add_output_options(command, o->output, is_report,
                     {{kGradescope, {".json"}, "results.json of an autograder"}});
  add_nonfinite_option(command, o->output);
  command.ask = [o](const Streams& streams) { return run_check(*o, streams); };
  return command;
}

}  // namespace attn::app
