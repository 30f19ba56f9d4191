// Asks for the rows of a sheet, and judges them.
#include "commands/practice_desk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <istream>
#include <limits>
#include <ostream>
#include <variant>

#include "attn/check.hpp"
#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "attn/teach/grading.hpp"
#include "attn/teach/mistakes.hpp"
#include "commands/practice_hints.hpp"
#include "commands/practice_row.hpp"
#include "commands/screenfuls.hpp"

namespace attn::app {
namespace {

constexpr const char* kKeys =
    in_catalogue("? gives a hint, s shows the matrices again, Enter skips a row, q ends.");

/// A row of a matrix.
struct Row {
  std::string label;
  Cell first;         ///< its first cell
  std::size_t index;  ///< of that cell among the numbers of the step
  std::size_t columns;
};

/// What one step, or all of them, came to.
struct Score {
  std::ptrdiff_t right = 0, of = 0;
};

bool is_blank(const SheetStep& step) {
  return std::find(step.blank.begin(), step.blank.end(), 1) != step.blank.end();
}

/// What somebody means who types one of these words in place of numbers.
enum class Key { None, Skip, Hint, Show, Help, Quit };
Key key_of(const std::string& line) {
  struct Named {
    std::string_view word;
    Key key;
  };
  constexpr std::array kWords{
      Named{"", Key::Skip},     Named{"skip", Key::Skip}, Named{"?", Key::Hint},
      Named{"hint", Key::Hint}, Named{"s", Key::Show},    Named{"show", Key::Show},
      Named{"h", Key::Help},    Named{"help", Key::Help}, Named{"q", Key::Quit},
      Named{"quit", Key::Quit}, Named{"exit", Key::Quit}, Named{":q", Key::Quit}};
  const std::string plain = half_width(line), word = lowered(trimmed(plain));
  const auto at = std::find_if(kWords.begin(), kWords.end(),
                               [&](const Named& each) { return each.word == word; });
  return at == kWords.end() ? Key::None : at->key;
}

/// A person who fills in a sheet, row by row.
class Desk {
 public:
  Desk(const Sheet& sheet, const Format& format, const TextStyle& style, const Streams& streams)
      : sheet_(sheet),
        truth_(computation_of(sheet)),
        format_(format),
        style_(style),
        streams_(streams) {}

  void fill_in(const PracticeAgain& again);

 private:
  enum class Next { Row, Skip, Stop };

  bool read_line(const std::string& prompt, std::string& typed) const;
  bool goes_on() const;
  void say(const std::string& text, std::size_t indent) const;
  void say_command(const std::string& lead, const std::string& command) const;
  bool show(const SheetStep& step) const;
  void say_keys(std::size_t columns) const;
  std::vector<Row> rows_of(const SheetStep& step) const;
  void give_hint(const SheetStep& step, const Row& row, int level, std::size_t column) const;
  Next read_row(const SheetStep& step, const Row& row, std::size_t column, int& level,
                std::vector<double>& typed);
  StepReport judged(const SheetStep& step, const Row& row, const std::vector<double>& typed) const;
  std::string reason(const SheetStep& step, const Row& row, const StepReport& report,
                     const std::vector<double>& typed, std::size_t column) const;
  void tell(const SheetStep& step, const Row& row) const;
  bool ask_row(const SheetStep& step, const Row& row, Score& score);
  bool ask_step(const SheetStep& step, Score& score);

  const Sheet& sheet_;
  const Trace truth_;
  const Format& format_;
  const TextStyle style_;
  const Streams& streams_;
  bool said_commas_ = false;  ///< that 0,5 is read as 0.5
};

/// False at the end of input, or if the person breaks off.
bool Desk::read_line(const std::string& prompt, std::string& typed) const {
  streams_.out << shown_text(prompt, style_.ascii) << std::flush;
  const bool waiting = streams_.in.rdbuf()->in_avail() > 0 || streams_.terminal.await_line();
  if (waiting && std::getline(streams_.in, typed)) return true;
  streams_.out << "\n";
  return false;
}

bool Desk::goes_on() const {
  std::string typed;
  return read_line(translated("Enter goes on, q ends: "), typed) && key_of(typed) != Key::Quit;
}

/// Wrapped text, each line that much to the right.
void Desk::say(const std::string& text, std::size_t indent) const {
  TextStyle style = style_;
  style.width -= static_cast<std::ptrdiff_t>(indent);
  Document document;
  document.blocks.emplace_back(Paragraph{text});
  const std::string wrapped = format_.document(document, style);
  std::string_view rest = trimmed(wrapped);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    streams_.out << std::string(indent, ' ') << rest.substr(0, end) << "\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

/// A command to copy, on one line.
void Desk::say_command(const std::string& lead, const std::string& command) const {
  streams_.out << labelled(lead, shown_text(command, style_.ascii)) << "\n";
}

/// What the step is made of, a screenful at a time, and its headline. False if the person ends.
bool Desk::show(const SheetStep& step) const {
  View view;
  view.examples = false;
  view.each = true;
  view.precision = sheet_.decimals;
  view.steps = truth_.at(step.id).inputs;
  view.steps.push_back(step.id);
  Document document = explain(truth_, view);
  while (!document.blocks.empty() && !std::holds_alternative<StepHeading>(document.blocks.front()))
    document.blocks.erase(document.blocks.begin());
  bool own = false;
  std::erase_if(document.blocks, [&](const Block& block) {
    const auto* heading = std::get_if<StepHeading>(&block);
    if (heading != nullptr) own = heading->id == step.id;
    return has_role(block, Role::Footer) || (own && heading == nullptr);
  });
  constexpr std::ptrdiff_t kBelow = 3;  // what to type, and the prompt
  const std::ptrdiff_t height = streams_.terminal.height;
  std::size_t shown = 0;
  for (const std::string& piece :
       screenfuls("\n" + format_.document(document, style_), height > 0 ? height - kBelow : 0)) {
    if (shown++ > 0 && !goes_on()) return false;
    streams_.out << piece;
  }
  return true;
}

void Desk::say_keys(std::size_t columns) const {
  say(sentences({translated("Type the {numbers} of a row, like 0.5 3/4 2/√4 e^0.5 8% -inf, with "
                            "spaces between.",
                            translated_count(static_cast<std::ptrdiff_t>(columns), "number")),
                 translated(kKeys)}),
      0);
}

/// The rows of the matrices of a step, one after the other.
std::vector<Row> Desk::rows_of(const SheetStep& step) const {
  View view;
  view.steps = {step.id};
  view.each = true;
  const auto columns = static_cast<std::size_t>(truth_.value(step.id).cols());
  std::vector<Row> rows;
  for (const Block& block : explain(truth_, view).blocks) {
    const auto* grid = std::get_if<Grid>(&block);
    if (grid == nullptr || grid->step != step.id) continue;
    for (std::size_t i = 0; i < grid->row_labels.size(); ++i) {
      const Cell first{grid->batch.value_or(0), grid->head.value_or(0), static_cast<Index>(i), 0};
      rows.push_back({comma_joined({grid->caption, grid->row_labels[i]}), first,
                      rows.size() * columns, columns});
    }
  }
  return rows;
}

/// Level 1 is the formula, 2 says it in words, 3 has the numbers of a cell, if it has any.
void Desk::give_hint(const SheetStep& step, const Row& row, int level, std::size_t column) const {
  const Step& meant = truth_.at(step.id);
  Cell cell = row.first;
  cell.col = static_cast<Index>(column);
  const std::string numbers =
      level == 1 ? "" : arithmetic_hint(truth_, meant, cell, sheet_.decimals);
  if (level == 1)
    say(sentences({headline_hint(truth_, meant), translated("Type ? again for more.")}), 6);
  else if (numbers.empty())
    say(hint_in_words(truth_, meant), 6);
  else if (level == 2)
    say(sentences({hint_in_words(truth_, meant), translated("Type ? again for numbers.")}), 6);
  else
    say(numbers, 6);
}

/// Reads as many numbers as a row has. `column` is the cell that hints are about.
Desk::Next Desk::read_row(const SheetStep& step, const Row& row, std::size_t column, int& level,
                          std::vector<double>& typed) {
  const std::string count = translated_count(static_cast<std::ptrdiff_t>(row.columns), "number");
  const std::string advice =
      translated("Type {numbers} with spaces between, ? for a hint, Enter skips, q ends.", count);
  while (true) {
    std::string line;
    if (!read_line("    " + row.label + " > ", line)) return Next::Stop;
    switch (key_of(line)) {
      case Key::Quit:
        return Next::Stop;
      case Key::Skip:
        return Next::Skip;
      case Key::Help:
        say_keys(row.columns);
        continue;
      case Key::Hint:
        give_hint(step, row, level = std::min(level + 1, 3), column);
        continue;
      case Key::Show:
        if (!show(step)) return Next::Stop;
        continue;
      case Key::None:
        break;
    }
    TypedRow read = typed_row(line, row.columns);
    if (read.commas > 0 && !sheet_.decimal_comma && !said_commas_) {
      Answer commas;
      commas.commas = read.commas;
      say(translated_sentence(comma_note({.source = "", .matrices = {commas}})), 6);
      said_commas_ = true;
    }
    if (read.unreadable.empty() && read.numbers.size() == row.columns) {
      typed = std::move(read.numbers);
      return Next::Row;
    }
    say(sentences({read.unreadable.empty()
                       ? translated("That is {numbers}.",
                                    translated_count(std::ssize(read.numbers), "number"))
                       : translated("Cannot read \"{text}\".", shortened(read.unreadable)),
                   advice}),
        6);
  }
}

/// The verdict on one row, with nothing else on the sheet: all that it is made from is right.
StepReport Desk::judged(const SheetStep& step, const Row& row,
                        const std::vector<double>& typed) const {
  Answer answer{
      .id = step.id,
      .shape = step.shape,
      .numbers = std::vector<double>(step.blank.size(), std::numeric_limits<double>::quiet_NaN()),
      .states = std::vector<CellState>(step.blank.size(), CellState::Empty)};
  for (std::size_t i = 0; i < typed.size(); ++i) {
    answer.numbers.at(row.index + i) = typed[i];
    if (!std::isnan(typed[i])) answer.states.at(row.index + i) = CellState::Filled;
  }
  const Grade grade = grade_sheet(
      sheet_, {.answers = {.source = "your answers", .matrices = {std::move(answer)}}, .bug = {}});
  return *std::find_if(grade.report.steps.begin(), grade.report.steps.end(),
                       [&](const StepReport& each) { return each.id == step.id; });
}

/// Why a row is wrong: the question that goes with a known mistake, else how a cell is made. Equal
/// numbers are a guess.
std::string Desk::reason(const SheetStep& step, const Row& row, const StepReport& report,
                         const std::vector<double>& typed, std::size_t column) const {
  const bool guess =
      std::all_of(typed.begin(), typed.end(), [&](double x) { return x == typed[0]; });
  for (const Finding& finding : report.findings) {
    if (!guess && find_mistake(finding.code) != nullptr && !finding.code.starts_with("slip."))
      return translated_sentence(finding.hint);
  }
  Cell cell = row.first;
  cell.col = static_cast<Index>(column);
  const std::string numbers = arithmetic_hint(truth_, truth_.at(step.id), cell, sheet_.decimals);
  return numbers.empty() ? hint_in_words(truth_, truth_.at(step.id)) : numbers;
}

/// The solution of a row.
void Desk::tell(const SheetStep& step, const Row& row) const {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < row.columns; ++i) {
    Cell cell = row.first;
    cell.col = static_cast<Index>(i);
    numbers.push_back(format_trimmed(truth_.value(step.id).at(cell), sheet_.decimals));
  }
  say(translated("The row is {numbers}.", separated(numbers, " ")), 6);
}

/// A row, with one more try if it is wrong. False if the person ends.
bool Desk::ask_row(const SheetStep& step, const Row& row, Score& score) {
  std::size_t column = 0;
  int level = 0;
  std::ptrdiff_t right = 0;
  for (int tries = 2; tries > 0; --tries) {
    std::vector<double> typed;
    const Next next = read_row(step, row, column, level, typed);
    if (next == Next::Stop) return false;
    if (next == Next::Skip) break;
    const StepReport report = judged(step, row, typed);
    std::vector<std::string> marks;
    std::size_t wrong = row.columns;
    for (std::size_t i = row.columns; i-- > 0;) {
      const CellVerdict verdict = report.cells.at(row.index + i);
      const bool good = verdict == CellVerdict::Right, empty = verdict == CellVerdict::Empty;
      if (!good && !empty) wrong = i;
      marks.emplace_back(good           ? style_.ascii ? "ok" : "✓"
                         : empty        ? style_.ascii ? "." : "·"
                         : style_.ascii ? "X"
                                        : "✗");
    }
    std::reverse(marks.begin(), marks.end());
    right = std::count(marks.begin(), marks.end(), style_.ascii ? "ok" : "✓");
    streams_.out << "      " << separated(marks, " ") << "\n";
    if (wrong == row.columns) {
      score.right += right;
      return true;
    }
    column = wrong;
    if (tries == 2)
      say(sentences({reason(step, row, report, typed, wrong), translated("One more try.")}), 6);
  }
  score.right += right;
  tell(step, row);
  return true;
}

/// A step; false if the person ends.
bool Desk::ask_step(const SheetStep& step, Score& score) {
  bool on = show(step);
  const std::vector<Row> rows = rows_of(step);
  if (on && !rows.empty()) say_keys(rows.front().columns);
  for (const Row& row : rows) {
    on = on && ask_row(step, row, score);
    score.of += static_cast<std::ptrdiff_t>(row.columns);
  }
  streams_.out << "\n";
  say(translated("{n} of {cells} of {step} right.", score.right, translated_count(score.of, "cell"),
                 truth_.at(step.id).info().symbol),
      0);
  return on;
}

void Desk::fill_in(const PracticeAgain& again) {
  std::vector<std::string> left;  // ids of the steps that are not done
  std::ptrdiff_t cells = 0;
  for (const SheetStep& step : sheet_.steps) {
    if (!is_blank(step)) continue;
    left.push_back(step.id);
    cells += std::ssize(step.blank);
  }
  const std::size_t all = left.size();
  say(translated("{cells} to fill in, in {steps}.", translated_count(cells, "cell"),
                 translated_count(std::ssize(left), "step")),
      0);
  if (all > 1) say_command(translated("Fewer"), again.same + " --blank " + left.back());
  Score total;
  for (const SheetStep& step : sheet_.steps) {
    if (!is_blank(step)) continue;
    Score score;
    const bool done = ask_step(step, score);
    total.right += score.right;
    total.of += score.of;
    if (done) left.erase(left.begin());
    if (left.empty() || (done && goes_on())) continue;
    say_command(translated("To go on"), again.same + " --blank " + separated(left, ","));
    return;
  }
  if (all > 1)
    say(translated("In all, {n} of {cells} right.", total.right,
                   translated_count(total.of, "cell")),
        0);
  say_command(translated("The same with other numbers"), again.other);
}

}  // namespace

void fill_in(const Sheet& sheet, const Format& format, const TextStyle& style,
             const PracticeAgain& again, const Streams& streams) {
  Desk(sheet, format, style, streams).fill_in(again);
}

}  // namespace attn::app
