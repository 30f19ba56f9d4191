// Asks for the rows of a sheet, and judges them.
#include "commands/practice_desk.hpp"

#include <algorithm>
#include <istream>
#include <iterator>
#include <map>
#include <ostream>
#include <sstream>
#include <variant>

#include "attn/io/answers_file.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/sheet_document.hpp"
#include "attn/teach/grading.hpp"

namespace attn::app {
namespace {

/// A person who fills in a sheet, row by row.
class Desk {
 public:
  Desk(const Sheet& sheet, const Format& format, const TextStyle& style, const Streams& streams)
      : sheet_(sheet),
        truth_(computation_of(sheet)),
        format_(format),
        style_(style),
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
  const Format& format_;
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
  streams_.out << "\n" << format_.document(document, style_);
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
  std::vector<std::string> marks;
  for (std::size_t i = first; i < first + columns && i < report.cells.size(); ++i) {
    const CellVerdict verdict = report.cells[i];
    const bool good = verdict == CellVerdict::Right || verdict == CellVerdict::Follows;
    marks.emplace_back(good ? "✓" : verdict == CellVerdict::Empty ? "·" : "✗");
  }
  return separated(marks, " ");
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
    streams_.out << "      " << marks(report, first, columns);
    if (!right && !report.findings.empty()) streams_.out << "   " << report.findings.front().hint;
    if (!right && tries == 2) streams_.out << " One more try.";
    streams_.out << "\n";
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

}  // namespace

void fill_in(const Sheet& sheet, const Format& format, const TextStyle& style,
             const Streams& streams) {
  Desk(sheet, format, style, streams).fill_in();
}

}  // namespace attn::app
