// attn practice: a worksheet at once, without a teacher or a key.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>

#include "attn/attend.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/sheet_document.hpp"
#include "attn/suggest.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/grading.hpp"
#include "attn/teach/lesson.hpp"
#include "commands/practice_desk.hpp"
#include "files/files.hpp"
#include "files/printed_sheet.hpp"
#include "files/read_problem.hpp"
#include "options/shared_options.hpp"
#include "platform/shell.hpp"

namespace attn::app {
namespace {

struct Practice {
  std::string what;  ///< a file, a sample or a lesson
  ProblemSource source;
  std::vector<std::string> blank;
  std::optional<std::int64_t> seed;
  TextOptions text;
  OutputOptions output;
};

/// The sample of that name, or of the lesson with that name or number; empty: there is none.
std::string_view text_of_sample(const std::string& name) {
  std::string wanted = name;
  for (std::size_t i = 0; i < lessons().size(); ++i) {
    const Lesson& lesson = lessons()[i];
    if (name == lesson.name || name == std::to_string(i + 1)) wanted = lesson.sample;
  }
  const Sample* sample = find_sample(wanted);
  return sample == nullptr ? std::string_view() : sample->text;
}

/// The step that the lesson with that name or number says to try; empty: none.
std::string step_of_lesson(const std::string& name) {
  constexpr std::string_view kTry = "attn practice --blank ";
  for (std::size_t i = 0; i < lessons().size(); ++i) {
    const Lesson& lesson = lessons()[i];
    const std::size_t at = lesson.text.find(kTry);
    if ((name != lesson.name && name != std::to_string(i + 1)) || at == lesson.text.npos) continue;
    const std::string_view rest = std::string_view(lesson.text).substr(at + kTry.size());
    return std::string(rest.substr(0, rest.find_first_of(" \n")));
  }
  return "";
}

ProblemDraft problem_of(const Practice& o, const Streams& streams) {
  const std::string name = o.what.empty() ? std::string(samples().front().name) : o.what;
  std::error_code failed;
  const std::string_view text =
      std::filesystem::exists(name, failed) ? std::string_view() : text_of_sample(name);
  if (!text.empty()) return parse_problem(text, name).draft;
  if (name != "-" && name.find_first_of("./") == name.npos &&
      !std::filesystem::exists(name, failed)) {
    std::vector<std::string> known = names_in(lessons());
    for (const Sample& sample : samples()) known.emplace_back(sample.name);
    throw usage_error(
        "unknown-sample",
        "there is no file, sample or lesson \"" + name + "\"" + did_you_mean(name, known),
        "attn new --list shows the samples, attn lesson the lessons.");
  }
  ProblemOptions options;
  options.source = o.source;
  options.source.path = name;
  return load_problem(options, streams);
}

/// The draft with the numbers of each of its matrices in another order.
ProblemDraft shuffled(ProblemDraft draft, std::int64_t seed) {
  std::mt19937_64 draws(static_cast<std::uint64_t>(seed));
  const auto shuffle = [&](std::vector<double>& numbers) {
    for (std::size_t i = numbers.size(); i > 1; --i)
      std::swap(numbers[i - 1], numbers[static_cast<std::size_t>(draws() % i)]);
  };
  for (auto* array : {&draft.embeddings, &draft.q, &draft.k, &draft.v})
    if (*array) shuffle((*array)->data);
  for (auto& [name, array] : draft.weights) shuffle(array.data);
  return draft;
}

/// The sheet, with the smallest of these tolerances that suits somebody who rounds every number.
Sheet made(ExerciseSpec spec, const std::string& salt) {
  for (const double within : {0.02, 0.05, 0.1, 0.2, 0.5}) {
    try {
      return make_exercise(spec, salt, {}).front().sheet;
    } catch (const Error& error) {
      if (error.diagnostics().front().id != "exercise-spec") throw;
    }
    spec.accept_within = within;
  }
  return make_exercise(spec, salt, {}).front().sheet;
}

/// The sheet, all cells of the asked steps blank.
Sheet sheet_of(const Practice& o, const Streams& streams) {
  ProblemDraft draft = problem_of(o, streams);
  if (o.seed) draft = shuffled(std::move(draft), *o.seed);
  ExerciseSpec spec{.name = "practice", .title = draft.title, .force = true};
  if (language_code() != "en") spec.language = language_code();
  spec.blanks.kind = BlankRule::Kind::All;
  View named;
  named.steps = o.blank;
  if (const std::string own = step_of_lesson(o.what); named.steps.empty() && !own.empty())
    named.steps = {own};
  if (!named.steps.empty()) {
    const Trace shapes = outline(make_problem(draft));
    for (const Step* step : shown_steps(shapes, named)) spec.steps.push_back({step->id, 1.0});
  }
  spec.problems.emplace("", std::move(draft));
  if (spec.steps.empty()) spec.steps = usual_steps(spec);
  return made(spec, "practice" + (o.seed ? std::to_string(*o.seed) : ""));
}

/// How to come back to this sheet.
PracticeAgain again_with(const Practice& o, const Sheet& sheet, const Streams& streams) {
  std::vector<std::string> blank;
  for (const SheetStep& step : sheet.steps) blank.push_back(step.id);
  const std::string& language = streams.common.language;
  const std::string problem = "attn practice" + (o.what.empty() ? "" : " " + shell_word(o.what)) +
                              (language.empty() ? "" : " --lang " + shell_word(language));
  return {problem + (o.seed ? " --seed " + std::to_string(*o.seed) : ""),
          problem + (o.blank.empty() ? "" : " --blank " + separated(blank, ",")) + " --seed " +
              std::to_string(o.seed.value_or(0) + 1)};
}

void run_practice(const Practice& o, const Streams& streams) {
  const std::vector<Target> targets = targets_of(o.output, streams);
  const Sheet sheet = sheet_of(o, streams);
  const Target& first = targets.front();
  const bool person = streams.terminal.in_is_terminal && streams.terminal.out_is_terminal;
  if (person && targets.size() == 1 && is_stdout(first.path) && first.format->name == "text")
    return fill_in(sheet, *first.format, text_style(o.text, first.path, streams),
                   again_with(o, sheet, streams), streams);
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    if (target.format->document == nullptr) return sink(sheet_json(sheet));
    const Document document = sheet_document(sheet, computation_of(sheet));
    if (is_stdout(target.path))
      return write_document(document, target, o.text, o.output, streams, sink);
    sink(printed_form(sheet, sheet_json(sheet), *target.format));
  });
}

}  // namespace

Command practice_command() {
  auto o = std::make_shared<Practice>();
  Command command;
  command.examples = {{"attn practice", "every step of the first sample"},
                      {"attn practice 04-causal --blank weights", "one step"},
                      {"attn practice heads --seed 7", "a lesson's, other numbers"},
                      {"attn practice -o practice.html", "a page to fill in"}};
  command.operand = "[PROBLEM]";
  command.set_operand = [o](const std::string& name) { o->what = name; };
  add_rows(command, Group::Own,
           {again(list(offer(text("--blank", "ID,…", "fill in only these steps",
                                  [o](const std::string& v) { add_step_names(v, o->blank); }),
                             offered_steps),
                       List::Commas),
                  Again::Adds),
            whole("--seed", "other numbers: those of each matrix in another order", 0, 1000000000,
                  o->seed)});
  add_text_options(command, o->text);
  add_output_options(command, o->output, is_report);
  command.run = [o](const Streams& streams) { run_practice(*o, streams); };
  return command;
}

}  // namespace attn::app
