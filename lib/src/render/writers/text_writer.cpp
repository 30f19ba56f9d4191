// Writes a document as aligned text for terminals and files.
#include <algorithm>
#include <array>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/writers.hpp"
#include "core/trace/text_pieces.hpp"
#include "render/terminal/grid_writer.hpp"
#include "render/terminal/notes.hpp"
#include "render/terminal/styled_line.hpp"
#include "render/writers/checklist.hpp"
#include "render/writers/hanging_table.hpp"
#include "render/writers/lines_writer.hpp"
#include "render/writers/table_parts.hpp"
#include "render/writers/worked_lines.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
constexpr std::string_view kIndent = "    ", kListIndent = "  ";

class TextWriter {
 public:
  TextWriter(const TextStyle& style, int precision, TextPieces& out)
      : style_(style), precision_(precision), grids_(style, precision), out_(out) {}

  void operator()(const Title& title) {
    const std::string& formula = title.formula;
    const std::string facts =
        formula + (formula.empty() ? "" : "   ") + separated(title.facts, " · ");
    ends(shown(title.text), shown(facts));
    section_ = title.level > 1 ? kListIndent : "";
  }
  /// Its lines are below the end of what is in front of the first.
  void operator()(const Paragraph& p) {
    constexpr std::array kStarts{"", "", "    ", "", "", "    "};  // in the order of Role
    constexpr Width kLabel = 14;
    std::string start = kStarts[static_cast<std::size_t>(p.role)];
    if (p.role == Role::Plain) start = section_;
    if (p.role == Role::Note) start = labelled(translated("note"), "");
    if (p.role == Role::Labelled) start += style_.ruler.pad_right(shown(p.label), kLabel) + "  ";
    prose(p.text, start, spaces(width(start)));
  }
  void operator()(const Code& code) {
    for (const std::string& line : code.lines)
      put(StyledLine(style_.ruler).add(kListIndent).add(shown(line)));
  }
  void operator()(const List& list) {
    for (const List::Item& item : list.items) {
      if (&item != &list.items.front() && !item.term.empty()) gap();
      if (!item.term.empty()) prose(item.term, kListIndent, kListIndent, kBold);
      prose(item.text, item.term.empty() ? "  - " : "      ",
            item.term.empty() ? kIndent : "      ");
    }
  }
  void operator()(const StepHeading& h) { heading(h, false); }
  /// A heading of one line leaves its phrase out rather than take a second line.
  void heading(const StepHeading& h, bool one_line) {
    std::string start = shown(h.formula);
    if (h.number != 0) {
      start = "[" + std::to_string(h.number) + "/" + std::to_string(h.total) + "] " + start;
    }
    const std::string phrase = shown(h.phrase), shape = shown(h.shape);
    StyledLine line(style_.ruler);
    line.add(start, kBold).add("   ").add(phrase, kDim);
    const Width gap = style_.width - 1 - line.width() - width(shape);
    if (gap >= 2) {
      put(line.add(spaces(gap)).add(shape));
    } else {
      ends(start, shape);
      if (!one_line) prose(h.phrase, kIndent, kIndent, kDim);
    }
  }

  void operator()(const Worked& w) {
    for (const std::string& line : worked_lines(w, precision_, style_))
      out_ += StyledLine(style_.ruler).add(line).text(style_.color);
  }

  void operator()(const Grid& grid) { grids({&grid}); }
  void grids(const std::vector<const Grid*>& together) { grids_.write(together, out_); }

  void operator()(const Table& table) {
    if (table.hangs) return void(out_ += hanging_table(table, style_, kListIndent));
    std::vector<std::vector<std::string>> header{table.header};
    std::vector<Width> widths = widths_of(table, header);
    const std::string_view indent = table.inside ? kIndent : "";
    if (!fits(widths, indent)) {
      if (table.commands) return commands(table);
      if (table.alike) return blocks(table);
      header = word_by_word(table.header);
      widths = widths_of(table, header);
    }
    if (!fits(widths, indent)) {
      if (!table.bars.empty()) return (*this)(without_bars(table));
      const std::string& first = table.header.front();
      for (const std::string& row : rows_in_words(table))
        prose(labelled(first, row), indent, std::string(indent) + "    ");
      return;
    }
    for (const auto& row : header) put_row(table, row, widths, kDim);
    for (const auto& row : table.rows) put_row(table, row, widths, kPlain);
  }

  void operator()(const Checklist& list) { out_ += checklist_text(list, style_); }

  void gap() { out_ += "\n"; }

 private:
  std::string shown(const std::string& text) const { return shown_text(text, style_.ascii); }

  Width width(std::string_view text) const { return style_.ruler.width(text); }

  void put(const StyledLine& line) { out_ += line.text(style_.color); }

  /// Too wide for columns: each command on a line of its own, whole, and what it does below it.
  void commands(const Table& table) {
    prose(table.header[0], "", "", kDim);
    for (const auto& row : table.rows) {
      put(StyledLine(style_.ruler).add(shown(row[0])));
      prose(row[1], kIndent, kIndent);
    }
  }

  /// Too wide for columns that are alike: as many side by side as fit.
  void blocks(const Table& table) {
    const std::vector<Table> parts = table_blocks(table, style_, style_.width - 1);
    for (const Table& part : parts) {
      if (&part != &parts.front()) gap();
      (*this)(part);
    }
  }

  /// The header on several lines, a word on each, the last words right above the rows of the table.
  static std::vector<std::vector<std::string>> word_by_word(
      const std::vector<std::string>& header) {
    std::vector<std::vector<std::string>> lines;
    for (std::size_t j = 0; j < header.size(); ++j) {
      std::string_view rest = header[j];
      for (std::size_t line = 0; !rest.empty(); ++line) {  // from the last word up
        if (line == lines.size()) lines.emplace_back(header.size());
        const std::size_t space = rest.rfind(' ');
        lines[line][j] = rest.substr(space == rest.npos ? 0 : space + 1);
        rest = rest.substr(0, space == rest.npos ? 0 : space);
      }
    }
    std::reverse(lines.begin(), lines.end());
    return lines;
  }

  std::vector<Width> widths_of(const Table& table,
                               const std::vector<std::vector<std::string>>& header) const {
    std::vector<Width> widths(table.header.size(), 0);
    for (const auto* rows : {&header, &table.rows}) {
      for (const auto& row : *rows) {
        for (std::size_t j = 0; j < row.size(); ++j)
          widths[j] = std::max(widths[j], width(shown(row[j])));
      }
    }
    return widths;
  }

  bool fits(const std::vector<Width>& widths, std::string_view indent) const {
    Width total = std::ssize(indent) - 2;
    for (const Width each : widths) total += each + 2;
    return style_.fit == Fit::Whole || total < style_.width;
  }

  void put_row(const Table& table, const std::vector<std::string>& row,
               const std::vector<Width>& widths, const Paint& paint) {
    StyledLine line(style_.ruler);
    line.add(table.inside ? kIndent : "");
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (j > 0) line.add("  ");
      if (table.is_left(j)) line.add_left(shown(row[j]), widths[j], paint);
      if (!table.is_left(j)) line.add_right(shown(row[j]), widths[j], paint);
    }
    put(line);
  }

  /// Text at both ends of a line, bold on the left; on two lines if it does not fit.
  void ends(const std::string& left, const std::string& right) {
    if (right.empty()) return prose(left, "", "", kBold);
    const Width gap = style_.width - 1 - width(left) - width(right);
    if (gap >= 2) {
      put(StyledLine(style_.ruler).add(left, kBold).add(spaces(gap)).add(right));
      return;
    }
    prose(left, "", "", kBold);
    if (width(right) < style_.width) {
      put(StyledLine(style_.ruler).add_right(right, style_.width - 1));
    } else {
      prose(right);
    }
  }

  void prose(const std::string& text, std::string_view first = "", std::string_view indent = "",
             const Paint& paint = kPlain) {
    out_ += attn::prose(text, style_, first, indent, paint);
  }

  TextStyle style_;
  int precision_;
  GridWriter grids_;
  TextPieces& out_;
  std::string_view section_ = "";  // before the paragraphs of a section
};

/// Whether an empty line comes before block `i`: as begins_section says, and also between a
/// paragraph and an aside or arithmetic, between a matrix and arithmetic if `style.big`, and where
/// a tree of arithmetic goes back by more than one level.
bool has_gap(const Document& document, std::size_t i, const TextStyle& style) {
  if (i == 0 || begins_section(document, i)) return i > 0;
  const Block &above = document.blocks[i - 1], &below = document.blocks[i];
  if (has_role(below, Role::Aside)) return has_role(above, Role::Plain);
  const auto* worked = std::get_if<Worked>(&below);
  if (worked != nullptr && style.big && std::holds_alternative<Grid>(above)) return true;
  if (worked == nullptr || !worked->lead.empty()) return false;
  if (has_role(above, Role::Plain)) return true;
  const auto* before = std::get_if<Worked>(&above);
  return before != nullptr && goes_back(*before, *worked);
}

/// The matrices from block `first` on that belong together; none if that is not a matrix.
std::vector<const Grid*> grids_from(const Document& document, std::size_t first) {
  std::vector<const Grid*> grids;
  for (std::size_t i = first; i < document.blocks.size(); ++i) {
    const Grid* grid = std::get_if<Grid>(&document.blocks[i]);
    if (grid == nullptr || (i > first && begins_section(document, i))) break;
    grids.push_back(grid);
  }
  return grids;
}

}  // namespace

void each_text_piece(const Document& document, const TextStyle& style, const Sink& sink) {
  TextPieces out(sink);
  if (style.layout == Layout::Lines) return write_lines(document, style, out);
  TextWriter writer(style, document.precision, out);
  const auto& blocks = document.blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (has_gap(document, i, style)) writer.gap();
    const std::vector<const Grid*> grids = grids_from(document, i);
    if (!grids.empty()) {
      writer.grids(grids);
      i += grids.size() - 1;
    } else if (is_lone_heading(document, i)) {
      writer.heading(std::get<StepHeading>(blocks[i]), true);
    } else {
      std::visit(writer, blocks[i]);
    }
  }
  out.pass_on();
}

std::string write_text(const Document& document, const TextStyle& style) {
  return in_one_text([&](const Sink& sink) { each_text_piece(document, style, sink); });
}

}  // namespace attn
