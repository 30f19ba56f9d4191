// Writes a document to be read aloud or in braille: a row of a matrix is a sentence.
#include "render/writers/lines_writer.hpp"

#include <algorithm>

#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "render/terminal/number.hpp"
#include "render/terminal/short_labels.hpp"
#include "render/terminal/styled_line.hpp"
#include "render/writers/check_blocks.hpp"
#include "render/writers/worked_lines.hpp"

namespace attn {
namespace {

class LinesWriter {
 public:
  LinesWriter(const TextStyle& style, int precision, TextPieces& out)
      : style_(style), precision_(precision), out_(out) {}

  void operator()(const Title& title) {
    line(title.text, kBold);
    const std::string& formula = title.formula.text;
    const std::string facts = formula + (formula.empty() ? "" : ", ") + facts_text(title.facts);
    if (!facts.empty()) line(facts);
  }
  void operator()(const Paragraph& p) { line(p.text); }
  void operator()(const Code& code) {
    for (const std::string& each : code.lines) out_ += styled(visible(each));
  }
  void operator()(const List& list) {
    for (const List::Item& item : list.items)
      line(item.term + (item.term.empty() ? "" : ": ") + item.text);
  }
  void operator()(const Facts& facts) { line(facts_text(facts.items)); }
  void operator()(const Aside& aside) { line(aside.text); }
  void operator()(const Note& note) { line("note: " + note.text); }

  /// Depth in words: "level 2: M[cat, the] = …", "level 1, before hiding: S′[cat, it] = …".
  void operator()(const Worked& w) {
    const std::string level = w.depth == 0 ? "" : "level " + std::to_string(w.depth);
    line(level +
         (level.empty()    ? ""
          : w.lead.empty() ? ": "
                           : ", ") +
         worked_text(w, precision_, style_));
  }

  void operator()(const Footer& footer) { line(footer.text); }
  void operator()(const Next& next) {
    const std::string text = next_text(next, style_);
    if (!text.empty()) line(text);
  }

  void operator()(const StepHeading& h) {
    const std::string number = h.number == 0 ? ""
                                             : "Step " + std::to_string(h.number) + " of " +
                                                   std::to_string(h.total) + ": ";
    line(number + h.formula.text + ", " + h.phrase + ", " + h.shape, kBold);
  }

  void operator()(const Grid& grid) {
    if (!grid.caption.empty()) line(grid.caption + ":");
    const auto rows = labels(grid.row_labels, grid.row_tokens);
    const auto cols = labels(grid.col_labels, grid.col_tokens);
    const NumberFormat format = format_of(grid);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::string text = (grid.row_title.empty() ? "" : grid.row_title + " ") + rows[i] + ":";
      for (std::size_t j = 0; j < cols.size(); ++j) {
        const std::size_t at = i * cols.size() + j;
        text.append(j == 0 ? " " : ", ").append(cols[j]) += ' ';
        text += grid.kinds[at] == CellKind::Number  ? format_number(grid.numbers[at], format)
                : grid.kinds[at] == CellKind::Blank ? "blank"
                                                    : "masked";
        if (!grid.gaps.empty() && grid.gaps[at] > 0.0) text += " (differs)";
      }
      line(text);
    }
  }

  void operator()(const Table& table) {
    if (table.commands) return commands(table);
    if (table.texts == 1 && !table.header[0].empty())
      line(table.header[0] + ":");  // or else the rows name themselves
    for (const std::string& each : sentences(table)) line(each);
  }

  void operator()(const Checklist& list) {
    for (const std::string& each : checklist_lines(list)) line(each);
  }
  void operator()(const MarkMap& map) {
    for (const std::string& each : mark_map_lines(map, style_.ascii)) line(each);
  }
  void operator()(const Labelled& labelled) { line(labelled.label + ": " + labelled.text); }

  void gap() { out_ += "\n"; }

 private:
  std::vector<std::string> labels(const std::vector<std::string>& names, bool tokens) const {
    return tokens ? token_labels(names, kUncut, style_.ascii) : names;
  }

  NumberFormat format_of(const Grid& grid) const {
    std::vector<double> plain;
    for (std::size_t i = 0; i < grid.numbers.size(); ++i) {
      if (grid.kinds[i] == CellKind::Number) plain.push_back(grid.numbers[i]);
    }
    return choose_format(plain, precision_, style_.notation);
  }

  /// What each does, then the command to the end of the line, as it must be typed.
  void commands(const Table& table) {
    if (has_header(table)) line(table.header[0] + ":");
    for (const auto& row : table.rows) out_ += styled(row[1] + ": " + visible(row[0]));
  }

  /// Runs of spaces become one.
  void line(const std::string& text, const Paint& paint = kPlain) {
    std::string once;
    for (const char c : visible(text)) {
      if (c != ' ' || (!once.empty() && once.back() != ' ')) once += c;
    }
    out_ += styled(once, paint);
  }
  std::string styled(const std::string& text, const Paint& paint = kPlain) const {
    return StyledLine(style_.ruler)
        .add(style_.ascii ? to_ascii(text) : text, paint)
        .text(style_.color);
  }

  TextStyle style_;
  int precision_;
  TextPieces& out_;
};

}  // namespace

bool is_lone_heading(const Document& document, std::size_t i) {
  const auto is_heading = [&](std::size_t at) {
    return at < document.blocks.size() && std::holds_alternative<StepHeading>(document.blocks[at]);
  };
  return is_heading(i) && is_heading(i + 1);
}

bool begins_section(const Document& document, std::size_t i) {
  if (i == 0) return false;
  const Block &block = document.blocks[i], &above = document.blocks[i - 1];
  const auto* title = std::get_if<Title>(&above);
  if (title != nullptr && title->level > 1) return false;
  if (is_lone_heading(document, i) && is_lone_heading(document, i - 1))
    return std::get<StepHeading>(block).number == 0;  // weights, below a step
  if (const auto* table = std::get_if<Table>(&block))
    return !table->inside || !std::holds_alternative<StepHeading>(above);
  if (const auto* grid = std::get_if<Grid>(&block))
    return std::holds_alternative<Grid>(document.blocks.front()) ||
           (grid->step.empty() && !std::holds_alternative<Grid>(above));
  if (const auto* paragraph = std::get_if<Paragraph>(&block)) return paragraph->apart;
  if (const auto* labelled = std::get_if<Labelled>(&block)) return labelled->apart;
  if (std::holds_alternative<Note>(block)) {
    return std::holds_alternative<Labelled>(above) || std::holds_alternative<Checklist>(above);
  }
  return std::holds_alternative<StepHeading>(block) || std::holds_alternative<Title>(block) ||
         std::holds_alternative<Footer>(block) || std::holds_alternative<Checklist>(block) ||
         std::holds_alternative<Code>(block) || std::holds_alternative<List>(block);
}

bool has_header(const Table& table) {
  return std::any_of(table.header.begin(), table.header.end(),
                     [](const std::string& cell) { return !cell.empty(); });
}

std::string facts_text(const std::vector<std::string>& facts) { return separated(facts, " · "); }

std::string next_text(const Next& next, const TextStyle& style) {
  std::string text;
  for (const std::string& command : next.commands) {
    const std::string longer = text + (text.empty() ? "Next:  " : "   or   ") + command;
    if (style.ruler.width(longer) < style.width) text = longer;
  }
  return text;
}

std::vector<std::string> sentences(const Table& table) {
  std::vector<std::string> all;
  std::string whole;  // the row that the next indented ones are parts of
  const bool lists = std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
    return std::any_of(row.begin(), row.end(),
                       [](const std::string& cell) { return cell.find(", ") != cell.npos; });
  });
  for (const std::vector<std::string>& row : table.rows) {
    std::string& text = all.emplace_back();
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::size_t begin = row[j].find_first_not_of(' ');
      if (begin == row[j].npos) continue;
      const bool named = j > 0 && !table.header[j].empty();
      const bool part = j == 0 && begin > 0 && !whole.empty();
      text += (text.empty() ? ""
               : lists      ? "; "
                            : ", ") +
              (named ? table.header[j] + ": " : "") + (part ? whole + "." : "") +
              row[j].substr(begin);
    }
    if (!row.empty() && !row[0].starts_with(' ')) whole = row[0];
  }
  return all;
}

void write_lines(const Document& document, const TextStyle& style, TextPieces& out) {
  LinesWriter writer(style, document.precision, out);
  for (std::size_t i = 0; i < document.blocks.size(); ++i) {
    if (begins_section(document, i)) writer.gap();
    std::visit(writer, document.blocks[i]);
  }
  out.pass_on();
}

}  // namespace attn
