// Writes a document as Markdown: tables of numbers, arithmetic as code, formulas as mathematics.
#include <algorithm>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/formula.hpp"
#include "attn/writers.hpp"
#include "render/terminal/grid_layout.hpp"
#include "render/terminal/verdict_marks.hpp"
#include "render/writers/lines_writer.hpp"
#include "render/writers/markdown_text.hpp"
#include "render/writers/markup_grid.hpp"
#include "render/writers/markup_walk.hpp"
#include "render/writers/worked_lines.hpp"

namespace attn {
namespace {

using Row = std::vector<std::string>;

class MarkdownWriter {
 public:
  MarkdownWriter(const TextStyle& style, int precision) : style_(style), precision_(precision) {
    style_.fit = Fit::Whole;
  }

  void operator()(const Title& title) {
    const std::size_t level = std::max<std::size_t>(title.level, out_.empty() ? 1 : 2);
    paragraph(std::string(level, '#') + " " + words(title.text));
    if (!title.formula.empty()) paragraph(math(title.formula));
    if (!title.facts.empty()) paragraph(line(separated(title.facts, " · ")));
  }
  void operator()(const Paragraph& p) {
    const std::string start = p.role == Role::Note ? "> " : "";
    const std::string& label = p.role == Role::Note ? translated("Note") : p.label;
    if (label.empty()) return paragraph(line(p.text));
    const std::string lead(trimmed(labelled(words(label), "")));
    paragraph(start + "**" + lead + "** " + words(p.text));
  }
  void operator()(const Code& block) {
    std::string text = "```\n";
    for (const std::string& each : block.lines) text += shown(each) + "\n";
    paragraph(text + "```");
  }
  void operator()(const List& list) {
    std::string text;
    for (const List::Item& item : list.items)
      text += "- " + (item.term.empty() ? "" : "**" + words(item.term) + "** ") + line(item.text) +
              "\n";
    paragraph(text);
  }

  void operator()(const StepHeading& h) {
    const std::string& what = h.phrase.empty() ? h.formula : h.phrase;
    paragraph("## " + labelled(h.number == 0 ? "" : step_text(h.number, h.total), words(what)));
    paragraph(comma_joined({math(h.formula), words(h.shape)}));
  }

  void operator()(const Table& table) {
    Table escaped = table;
    escaped.header = cells(table.header);
    escaped.rows.clear();
    for (const Row& row : table.rows) {
      escaped.rows.push_back(cells(row));
      // A bar would end the cell, even within code.
      const bool fits = !row.empty() && row.front().find('|') == std::string::npos;
      if (table.commands && fits) escaped.rows.back().front() = code(row.front());
    }
    paragraph(markdown_table(escaped, style_.ruler));
  }

  void grids(const std::vector<const Grid*>& together) {
    const std::vector<MarkupGrid> all = markup_grids(together, style_, precision_);
    for (const MarkupGrid& g : all) {
      if (!g.grid.caption.empty()) paragraph("**" + words(g.grid.caption) + "**");
      grid(g);
    }
    Row legend;
    for (const auto& [sign, meaning] : signs_of(all))
      legend.push_back(sign_text(sign) + " " + meaning);
    for (const auto& [sign, meaning] : mark_legend(together, style_.ascii))
      legend.push_back(words(sign) + " " + meaning);
    if (!legend.empty()) paragraph(separated(legend, translated(", ")));
  }

  /// One alone as a sentence, several as a list that is as deep as they are.
  void worked(const std::vector<const Worked*>& run) {
    int least = run.front()->depth;
    for (const Worked* w : run) least = std::min(least, w->depth);
    std::string text;
    for (const Worked* w : run) {
      const std::string indent = spaces(2 * (w->depth - least));
      text += (run.size() > 1 ? indent + "- " : "") + sentence_of(*w) + "\n";
    }
    paragraph(text);
  }

  std::string take() { return std::move(out_); }

 private:
  std::string shown(const std::string& text) const { return shown_text(text, style_.ascii); }
  std::string words(const std::string& text) const { return markdown_words(shown(text)); }
  std::string line(const std::string& text) const { return markdown_line(shown(text)); }
  std::string code(const std::string& text) const { return markdown_code(shown(text)); }

  Row cells(const Row& row) const {
    Row texts;
    for (const std::string& text : row)
      texts.push_back(words(text.substr(std::min(text.find_first_not_of(' '), text.size()))));
    return texts;
  }

  std::string math(const std::string& formula) const {
    if (style_.markup.math == Math::None) return code(formula);
    // $`…`$ keeps GitHub from reading _ and * in it as emphasis.
    const char* mark = style_.markup.math == Math::Gfm ? "`" : "";
    return std::string("$") + mark + formula_latex(formula) + mark + "$";
  }

  std::string sign_text(GridSign sign) const {
    if (sign == GridSign::Hidden) return hidden_sign(style_.ascii);
    return sign == GridSign::Filled ? "( )" : "\\*";
  }

  std::string cell(const MarkupGrid& g, std::size_t at) const {
    if (!g.grid.marks.empty()) return words(mark_of(g.grid.marks[at]).text(style_.ascii));
    if (g.is(CellKind::Blank, at)) return spaces(8);
    std::string text =
        g.is(CellKind::HiddenWeight, at) ? hidden_sign(style_.ascii) : markdown_words(g.number(at));
    if (g.is_filled(at)) text = "(" + text + ")";
    return g.differs(at) ? text + sign_text(GridSign::Differs) : text;
  }

  void grid(const MarkupGrid& g) {
    Row header{words(corner_text(g.grid))};
    for (const std::string& col : g.cols) header.push_back(words(col));
    if (g.grid.shares) header.emplace_back(translated("sum"));
    std::vector<Row> lines;
    for (std::size_t i = 0; i < g.rows.size(); ++i) {
      Row& row = lines.emplace_back(Row{words(g.rows[i])});
      double sum = 0.0;
      for (std::size_t j = 0; j < g.cols.size(); ++j) {
        row.push_back(cell(g, g.at(i, j)));
        if (g.grid.shares) sum += g.grid.numbers[g.at(i, j)];
      }
      if (g.grid.shares)
        row.push_back(
            markdown_words(format_number(sum, {g.format.precision, false, g.format.comma})));
    }
    paragraph(markdown_table({header, lines}, style_.ruler));
  }

  std::string sentence_of(const Worked& w) const {
    Worked plain = w;
    plain.lead.clear();
    plain.remark.clear();
    const std::string lead = w.lead.empty() ? "" : words(w.lead) + " ";
    return lead + with_remark(code(worked_text(plain, precision_, style_)), words(w.remark));
  }

  /// A block of lines, after an empty one.
  void paragraph(const std::string& text) {
    out_ += (out_.empty() ? "" : "\n") + text + (text.ends_with('\n') ? "" : "\n");
  }

  TextStyle style_;
  int precision_;
  std::string out_;
};

}  // namespace

std::string write_markdown(const Document& document, const TextStyle& style) {
  MarkdownWriter writer(style, document.precision);
  walk(document, writer, style.ascii);
  return writer.take();
}

}  // namespace attn
