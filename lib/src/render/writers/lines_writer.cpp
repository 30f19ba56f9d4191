// Writes a document to be read aloud or in braille: a row of a matrix is a sentence.
#include "render/writers/lines_writer.hpp"

#include <algorithm>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "render/terminal/grid_layout.hpp"
#include "render/terminal/number.hpp"
#include "render/terminal/short_labels.hpp"
#include "render/terminal/styled_line.hpp"
#include "render/terminal/verdict_marks.hpp"
#include "render/writers/checklist.hpp"
#include "render/writers/markup_walk.hpp"
#include "render/writers/table_parts.hpp"
#include "render/writers/worked_lines.hpp"

namespace attn {
namespace {

class LinesWriter {
 public:
  LinesWriter(const TextStyle& style, int precision, TextPieces& out)
      : style_(style), precision_(precision), out_(out) {}

  void operator()(const Title& title) {
    line(title.text, kBold);
    const std::string& formula = title.formula;
    const std::string facts =
        formula + (formula.empty() ? "" : ", ") + separated(title.facts, " · ");
    if (!facts.empty()) line(facts);
  }
  void operator()(const Paragraph& p) {
    const std::string& label = p.role == Role::Note ? translated("note") : p.label;
    line(labelled(label, p.text));
  }
  void operator()(const Code& code) {
    for (const std::string& each : code.lines) out_ += styled(visible(each));
  }
  void operator()(const List& list) {
    for (const List::Item& item : list.items) line(labelled(item.term, item.text));
  }

  /// Depth in words: "level 2: M[cat, the] = …", "level 1, before hiding: S′[cat, it] = …".
  void operator()(const Worked& w) {
    const std::string level = w.depth == 0 ? "" : translated("level {n}", w.depth);
    const std::string text = worked_text(w, precision_, style_);
    line(w.lead.empty() ? labelled(level, text) : comma_joined({level, text}));
  }

  void operator()(const StepHeading& h) {
    const std::string text = comma_joined({h.formula, h.phrase, h.shape});
    const std::string number =
        h.number == 0 ? "" : translated("Step {n} of {all}", h.number, h.total);
    line(labelled(number, text), kBold);
  }

  void operator()(const Grid& grid) {
    if (!grid.caption.empty()) line(grid.caption + ":");
    const auto rows = axis_labels(grid.row_labels, grid.row_tokens, kUncut, style_);
    const auto cols = axis_labels(grid.col_labels, grid.col_tokens, kUncut, style_);
    for (const std::size_t i : shown_rows(grid)) {
      std::string text = (grid.row_title.empty() ? "" : grid.row_title + " ") + rows[i] + ":";
      for (std::size_t j = 0; j < cols.size(); ++j) {
        const std::size_t at = i * cols.size() + j;
        text.append(j == 0 ? " " : ", ").append(cols[j]) += ' ';
        text += !grid.marks.empty()                  ? translated(mark_of(grid.marks[at]).word)
                : grid.kinds[at] == CellKind::Number ? format_number(grid.numbers[at], format_)
                : grid.kinds[at] == CellKind::Blank  ? translated("blank")
                                                     : translated("masked");
        if (!grid.gaps.empty() && grid.gaps[at] > 0.0)
          text = with_remark(text, translated("differs"));
      }
      line(text);
    }
  }

  void operator()(const Table& table) {
    if (table.commands) return commands(table);
    if (table.texts == 1 && !table.header[0].empty())
      line(table.header[0] + ":");  // or else the rows name themselves
    for (const std::string& each : rows_in_words(table)) line(each);
  }

  void operator()(const Checklist& list) {
    for (const std::string& each : checklist_lines(list)) line(each);
  }

  void gap() { out_ += "\n"; }

  /// Matrices that follow; those of one step are written alike, so that heads can be compared.
  void choose_decimals(std::vector<const Grid*> grids) {
    std::erase_if(grids, [&](const Grid* grid) { return grid->step != grids.front()->step; });
    format_ = numbers_of(grids, style_, precision_).format;
  }

 private:
  /// What each does, then the command to the end of the line, as it must be typed.
  void commands(const Table& table) {
    if (has_header(table)) line(table.header[0] + ":");
    for (const auto& row : table.rows) out_ += styled(visible(labelled(row[1], row[0])));
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
  NumberFormat format_;
  TextPieces& out_;
};

/// Whether block `i` is a matrix, and the first of its step.
bool begins_step(const Document& document, std::size_t i) {
  const auto* grid = std::get_if<Grid>(&document.blocks[i]);
  const auto* above = i == 0 ? nullptr : std::get_if<Grid>(&document.blocks[i - 1]);
  return grid != nullptr && (above == nullptr || above->step != grid->step);
}

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
  const auto* matrix = std::get_if<Grid>(&above);
  if (has_role(block, Role::Note))
    return has_role(above, Role::Labelled) || std::holds_alternative<Checklist>(above) ||
           (matrix != nullptr && !matrix->marks.empty());
  if (const auto* paragraph = std::get_if<Paragraph>(&block))
    return paragraph->apart || paragraph->role == Role::Footer;
  return std::holds_alternative<StepHeading>(block) || std::holds_alternative<Title>(block) ||
         std::holds_alternative<Checklist>(block) || std::holds_alternative<Code>(block) ||
         std::holds_alternative<List>(block);
}

bool has_header(const Table& table) {
  return std::any_of(table.header.begin(), table.header.end(),
                     [](const std::string& cell) { return !cell.empty(); });
}

std::vector<std::string> rows_in_words(const Table& drawn) {
  const Table table = without_bars(drawn);
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
    if (begins_step(document, i)) writer.choose_decimals(run_of<Grid>(document, i));
    std::visit(writer, document.blocks[i]);
  }
  out.pass_on();
}

}  // namespace attn
