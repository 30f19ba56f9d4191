// attn practice: a worksheet at once, without a teacher or a key.
#include <algorithm>
#include <filesystem>
#include <istream>
#include <iterator>
#include <map>
#include <memory>
#include <ostream>
#include <random>
#include <sstream>

#include "attn/attend.hpp"
#include "attn/io/answers_file.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/sheet_document.hpp"
#include "attn/suggest.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/grading.hpp"
#include "attn/teach/lesson.hpp"
#include "files/files.hpp"
#include "files/printed_sheet.hpp"
#include "options/shared_options.hpp"

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
  const auto named = [&](const Sample& sample) { return sample.name == wanted; };
  const auto at = std::find_if(samples().begin(), samples().end(), named);
  return at == samples().end() ? std::string_view() : at->text;
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

/// The sheet, all cells of the asked steps blank.
Sheet sheet_of(const Practice& o, const Streams& streams) {
  ProblemDraft draft = problem_of(o, streams);
  if (o.seed) draft = shuffled(std::move(draft), *o.seed);
  ExerciseSpec spec{.name = "practice", .title = draft.title, .force = true};
  spec.blanks.kind = BlankRule::Kind::All;
  if (!o.blank.empty()) {
    const Trace shapes = outline(make_problem(draft));
    View named;
    named.steps = o.blank;
    for (const Step* step : shown_steps(shapes, named)) spec.steps.push_back({step->id, 1.0});
  }
  spec.problems.emplace("", std::move(draft));
  if (spec.steps.empty()) spec.steps = usual_steps(spec);
  return make_exercise(spec, "practice", {}).front().sheet;
}

/// A person who fills in a sheet, row by row.
class Desk {
 public:
  Desk(const Sheet& sheet, const Target& screen, const Practice& o, const Streams& streams)
      : sheet_(sheet),
        truth_(computation_of(sheet)),
        screen_(screen),
        style_(text_style(o.text, screen.path, streams)),
        streams_(streams) {}

  void fill_in();

 private:
  enum class Next { Row, Step, Stop };
  using Cells = std::vector<std::string>;

  void show(const SheetStep& step) const;
  std::vector<std::string> labels(const SheetStep& step) const;
  Next ask_row(const SheetStep& step, const std::string& label, std::size_t first);
  Next read_row(const std::string& label, std::size_t columns, Cells& typed,
                const StepReport* last);
  StepReport judged(const SheetStep& step, std::map<std::string, Cells> written) const;
  std::string marks(const StepReport& report, std::size_t first, std::size_t columns) const;

  const Sheet& sheet_;
  const Trace truth_;
  const Target& screen_;
  const TextStyle style_;
  const Streams& streams_;
  std::map<std::string, Cells> written_;  ///< by step
};

/// What the step is made of, and its empty matrix.
void Desk::show(const SheetStep& step) const {
  View view;
  view.examples = false;
  view.each = true;
  view.precision = sheet_.decimals;
  view.steps = truth_.at(step.id).inputs;
  view.steps.push_back(step.id);
  Document document = with_blanks(explain(truth_, view), {step.id});
  while (!document.blocks.empty() && !std::holds_alternative<StepHeading>(document.blocks.front()))
    document.blocks.erase(document.blocks.begin());
  std::erase_if(document.blocks, [](const Block& block) { return has_role(block, Role::Footer); });
  streams_.out << "\n" << screen_.format->document(document, style_);
}

/// The rows of the matrices of a step, one after the other.
std::vector<std::string> Desk::labels(const SheetStep& step) const {
  View view;
  view.steps = {step.id};
  view.each = true;
  std::vector<std::string> all;
  for (const Block& block : explain(truth_, view).blocks) {
    const auto* grid = std::get_if<Grid>(&block);
    if (grid == nullptr || grid->step != step.id) continue;
    for (const std::string& row : grid->row_labels)
      all.push_back((grid->caption.empty() ? "" : grid->caption + ", ") + row);
  }
  return all;
}

StepReport Desk::judged(const SheetStep& step, std::map<std::string, Cells> written) const {
  std::ostringstream json;
  json << '{';
  for (const auto& [id, cells] : written) {
    const auto columns = static_cast<std::size_t>(truth_.value(id).cols());
    json << (json.tellp() > 1 ? ", " : "") << '"' << id << "\": [[";
    for (std::size_t i = 0; i < cells.size(); ++i)
      json << (i == 0 ? "" : i % columns == 0 ? "], [" : ", ") << '"' << cells[i] << '"';
    json << "]]";
  }
  json << '}';
  const Grade grade = grade_sheet(sheet_, {parse_answers(json.str(), "your answers"), {}});
  return *std::find_if(grade.report.steps.begin(), grade.report.steps.end(),
                       [&](const StepReport& each) { return each.id == step.id; });
}

std::string Desk::marks(const StepReport& report, std::size_t first, std::size_t columns) const {
  std::string text;
  for (std::size_t i = first; i < first + columns && i < report.cells.size(); ++i) {
    const CellVerdict verdict = report.cells[i];
    const bool good = verdict == CellVerdict::Right || verdict == CellVerdict::Follows;
    text += good ? "✓ " : verdict == CellVerdict::Empty ? "· " : "✗ ";
  }
  return text;
}

/// Reads as many cells as a row has. `last`: the verdict on what was typed before, for "?".
Desk::Next Desk::read_row(const std::string& label, std::size_t columns, Cells& typed,
                          const StepReport* last) {
  while (true) {
    streams_.out << "    " << label << " > " << std::flush;
    std::string line;
    if (!std::getline(streams_.in, line) || trimmed(line) == "q") return Next::Stop;
    if (trimmed(line).empty()) return Next::Step;  // the row stays empty
    if (trimmed(line) == "?") {
      const bool known = last != nullptr && !last->findings.empty();
      streams_.out << "      "
                   << (known ? last->findings.front().hint
                             : "Go by the headline above, cell by cell; attn help steps says more.")
                   << "\n";
      continue;
    }
    std::istringstream words(line);
    typed.assign(std::istream_iterator<std::string>(words), {});
    for (std::string& cell : typed)
      if (cell.find_first_of("\"\\") != cell.npos) cell = "'";  // no number, in JSON
    if (typed.size() == columns) return Next::Row;
    streams_.out << "      This row has " << counted(static_cast<Index>(columns), "cell")
                 << ", and here are " << typed.size() << ".\n";
  }
}

/// A row, with one more try if it is wrong.
Desk::Next Desk::ask_row(const SheetStep& step, const std::string& label, std::size_t first) {
  const auto columns = static_cast<std::size_t>(truth_.value(step.id).cols());
  StepReport report;
  for (int tries = 2; tries > 0; --tries) {
    Cells typed;
    const Next next = read_row(label, columns, typed, tries == 2 ? nullptr : &report);
    if (next == Next::Stop) return next;
    if (next == Next::Step) return Next::Row;
    std::copy(typed.begin(), typed.end(),
              written_.at(step.id).begin() + static_cast<std::ptrdiff_t>(first));
    std::map<std::string, Cells> alone = written_;  // what is wrong in other rows does not matter
    Cells& cells = alone.at(step.id);
    std::fill(cells.begin(), cells.end(), "?");
    std::copy(typed.begin(), typed.end(), cells.begin() + static_cast<std::ptrdiff_t>(first));
    report = judged(step, std::move(alone));
    const auto wrong = [](CellVerdict verdict) {
      return verdict == CellVerdict::Wrong || verdict == CellVerdict::Unreadable;
    };
    const auto begin = report.cells.begin() + static_cast<std::ptrdiff_t>(first);
    const bool right = std::none_of(begin, begin + static_cast<std::ptrdiff_t>(columns), wrong);
    std::string said;
    if (!right && !report.findings.empty()) said = report.findings.front().hint + " ";
    if (!right && tries == 2) said += "One more try.";
    streams_.out << "      " << marks(report, first, columns) << " " << said << "\n";
    if (right) break;
  }
  return Next::Row;
}

void Desk::fill_in() {
  streams_.out
      << "3/4, √2 and -inf are numbers, too · ? gives a hint · Enter skips a row · q ends\n";
  for (const SheetStep& step : sheet_.steps) {
    if (std::find(step.blank.begin(), step.blank.end(), 1) == step.blank.end()) continue;
    show(step);
    written_[step.id].assign(step.blank.size(), "?");
    std::size_t first = 0;
    bool stopped = false;
    for (const std::string& label : labels(step)) {
      stopped = ask_row(step, label, first) == Next::Stop;
      if (stopped) break;
      first += static_cast<std::size_t>(truth_.value(step.id).cols());
    }
    const StepReport report = judged(step, written_);
    const auto good = std::count_if(report.cells.begin(), report.cells.end(), [](CellVerdict each) {
      return each == CellVerdict::Right || each == CellVerdict::Follows;
    });
    streams_.out << "\n"
                 << good << " of " << counted(std::ssize(report.cells), "cell") << " of "
                 << truth_.at(step.id).info().symbol << " right.\n";
    if (stopped) return;
  }
  streams_.out << "The same with other numbers: add --seed 1.\n";
}

void run_practice(const Practice& o, const Streams& streams) {
  const std::vector<Target> targets = targets_of(o.output, streams);
  const Sheet sheet = sheet_of(o, streams);
  const Target& first = targets.front();
  const bool person = streams.terminal.in_is_terminal && streams.terminal.out_is_terminal;
  if (person && targets.size() == 1 && is_stdout(first.path) && first.format->name == "text")
    return Desk(sheet, first, o, streams).fill_in();
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    if (target.format->document == nullptr) return sink(sheet_json(sheet));
    const Document document = sheet_document(sheet, computation_of(sheet));
    if (is_stdout(target.path))
      return write_document(document, target, o.text, o.output, streams, sink);
    sink(printed(sheet, *target.format, sheet_json(sheet)));
  });
}

}  // namespace

Command practice_command() {
  auto o = std::make_shared<Practice>();
  Command command;
  command.examples = {{"attn practice", "every step of the first sample"},
                      {"attn practice 04-causal --blank weights", "one step"},
                      {"attn practice heads --seed 7", "the problem of a lesson, other numbers"},
                      {"attn practice -o practice.html", "a page to fill in"}};
  command.operand = "[PROBLEM]";
  command.set_operand = [o](const std::string& name) { o->what = name; };
  add_rows(command, Group::Own,
           {again(list(offer(text("--blank", "STEPS", "fill in only these steps",
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
