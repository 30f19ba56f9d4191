// Writes a document as LaTeX: matrices as arrays, arithmetic and formulas as mathematics.
#include <algorithm>
#include <utility>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/formula.hpp"
#include "attn/writers.hpp"
#include "render/terminal/grid_layout.hpp"
#include "render/terminal/verdict_marks.hpp"
#include "render/writers/arithmetic.hpp"
#include "render/writers/latex_page.hpp"
#include "render/writers/latex_text.hpp"
#include "render/writers/lines_writer.hpp"
#include "render/writers/markup_grid.hpp"
#include "render/writers/markup_walk.hpp"
#include "render/writers/table_parts.hpp"

namespace attn {
namespace {

using Row = std::vector<std::string>;

std::string inline_math(const std::string& math) { return "$" + math + "$"; }

/// Whether "formula = matrix" can be read: not after "0 where mask = 0".
bool ends_in_term(const std::string& formula) {
  return formula.find("\\text{ ") == formula.npos && formula.find(',') == formula.npos;
}

class LatexWriter {
 public:
  LatexWriter(const TextStyle& style, int precision, bool on_paper)
      : style_(style), precision_(precision) {
    body_.on_paper = on_paper;
  }

  void operator()(const Title& title) {
    if (body_.on_paper && !body_.text.empty() && title.level == 1)
      paragraph("\\clearpage");  // another sheet
    paragraph("{\\large\\bfseries " + words(title.text) + "\\par}");
    if (!title.formula.empty()) display(formula_latex(title.formula));
    if (!title.facts.empty()) paragraph(words(separated(title.facts, " · ")));
  }
  void operator()(const Paragraph& p) {
    const std::string& label = p.role == Role::Note ? translated("Note") : p.label;
    if (label.empty()) return paragraph(words(p.text));
    const std::string lead(trimmed(labelled(words(label), "")));
    paragraph("\\textbf{" + lead + "} " + words(p.text));
  }
  void operator()(const Code& block) {
    Row lines;
    for (const std::string& each : block.lines) lines.push_back(code(each));
    paragraph("\\begin{flushleft}\n" + separated(lines, " \\\\\n") + "\n\\end{flushleft}");
  }
  void operator()(const List& list) {
    std::string text = "\\begin{itemize}\n";
    for (const List::Item& item : list.items)
      text += "\\item " + (item.term.empty() ? "" : "\\textbf{" + words(item.term) + "} ") +
              words(item.text) + "\n";
    paragraph(text + "\\end{itemize}");
  }

  /// The formula waits for its matrix.
  void operator()(const StepHeading& h) {
    const std::string& what = h.phrase.empty() ? h.id : h.phrase;
    const std::string shape = h.shape.empty() ? "" : " (" + inline_math(latex_math(h.shape)) + ")";
    paragraph("\\textbf{" +
              labelled(h.number == 0 ? "" : step_text(h.number, h.total), words(what)) + "}" +
              shape + (body_.on_paper ? "\\par\\nopagebreak" : ""));
    waiting_ = &h;
  }

  void operator()(const Table& all) {
    constexpr std::ptrdiff_t kLine = 80;  // letters
    for (const Table& part : table_blocks(all, style_, kLine)) tabular(part);
  }

  void tabular(const Table& table) {
    std::string columns;
    for (std::size_t j = 0; j < table.header.size(); ++j) columns += column(table, j);
    std::string text = "\\begin{tabular}{" + columns + "}\n";
    if (has_header(table)) text += line(cells(table.header)) + "\\hline\n";
    for (const Row& row : table.rows) {
      Row texts = cells(row);
      if (table.commands && !row.empty()) texts.front() = code(row.front());
      text += line(texts);
    }
    paragraph(text + "\\end{tabular}");
  }

  void grids(const std::vector<const Grid*>& together) {
    const std::vector<MarkupGrid> all = markup_grids(together, style_, precision_);
    const std::string start = start_of(together);
    for (const MarkupGrid& g : all) {
      std::vector<Row> numbers;
      for (std::size_t i = 0; i < g.rows.size(); ++i) {
        numbers.emplace_back();
        for (std::size_t j = 0; j < g.cols.size(); ++j)
          numbers.back().push_back(cell(g, g.at(i, j)));
      }
      const std::string matrix =
          start + caption(g.grid.caption) +
          array(corner(g.grid.row_title, g.grid.col_title), g.cols, g.rows, numbers);
      const double width = body_.on_paper ? width_of(g) : 0.0;
      const std::string shown = width > kCertainlyFits ? fitted(matrix) : matrix;
      const char* size = size_for(width);
      if (*size == 0) {
        display(shown);
      } else {
        paragraph("{" + std::string(size) + "\n\\[\n" + shown + "\n\\]\n}");
      }
    }
    Row legend;
    for (const auto& [sign, meaning] : signs_of(all)) legend.push_back(sign_text(sign) + meaning);
    for (const auto& [sign, meaning] : mark_legend(together, style_.ascii))
      legend.push_back(latex_text(sign) + " " + meaning);
    if (!legend.empty()) paragraph(separated(legend, translated(", ")));
  }

  void worked(const std::vector<const Worked*>& run) {
    for (const Worked* w : run) {
      const std::string text = sentence_of(*w);
      paragraph(w->depth == 0
                    ? text
                    : "{\\leftskip=" + std::to_string(2 * w->depth) + "em " + text + "\\par}");
    }
  }

  LatexBody take() {
    flush();
    return std::move(body_);
  }

 private:
  std::string shown(const std::string& text) const { return shown_text(text, style_.ascii); }
  std::string words(const std::string& text) const { return latex_text(shown(text)); }
  std::string code(const std::string& text) const { return "\\texttt{" + words(text) + "}"; }
  Row cells(const Row& row) const {
    Row texts;
    for (const std::string& text : row)
      texts.push_back(words(text.substr(std::min(text.find_first_not_of(' '), text.size()))));
    return texts;
  }

  /// {} keeps a row that begins with [ or * from being an argument of the \\ before it.
  static std::string line(const Row& cells) {
    return (cells.front().starts_with('[') || cells.front().starts_with('*') ? "{}" : "") +
           separated(cells, " & ") + " \\\\\n";
  }

  /// The type of a column: long sentences are wrapped.
  std::string column(const Table& table, std::size_t j) const {
    constexpr std::ptrdiff_t kLong = 45;
    if (!table.is_left(j)) return "r";
    const bool is_long = std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
      return j < row.size() && style_.ruler.width(row[j]) > kLong;
    });
    return is_long && j > 0 ? "p{0.55\\linewidth}" : "l";
  }

  std::string corner(const std::string& rows, const std::string& cols) const {
    if (cols.empty()) return latex_math(rows);
    return "\\text{" + words(rows) + "}\\backslash\\text{" + words(cols) + "}";
  }

  std::string caption(const std::string& text) const {
    return text.empty() ? "" : "\\text{" + words(text) + ":}\\quad ";
  }

  /// One row on each line, ending in \\; all columns are "r".
  std::string array(const std::string& corner, const Row& cols, const Row& rows,
                    const std::vector<Row>& numbers) {
    const auto label = [](const std::string& text) { return "\\text{" + latex_text(text) + "}"; };
    std::string text =
        "\\left[\\begin{array}{" + std::string(cols.size() + 1, 'r') + "}\n" + corner;
    for (const std::string& col : cols) text += " & " + label(col);
    text += " \\\\\n\\hline\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Row cells{label(rows[i])};
      cells.insert(cells.end(), numbers[i].begin(), numbers[i].end());
      text += line(cells);
      body_.letters = std::max(body_.letters, separated(numbers[i], "").size() + rows[i].size());
    }
    body_.letters = std::max(body_.letters, separated(cols, "").size());
    body_.columns = std::max(body_.columns, cols.size());
    body_.rows = std::max(body_.rows, rows.size());
    return text + "\\end{array}\\right]";
  }

  static constexpr double kPage = 180.0, kCertainlyFits = 140.0;  // mm

  /// Made as narrow as the page by LaTeX, which knows how wide it is: blanks stay in proportion.
  static std::string fitted(const std::string& matrix) {
    return "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}"
           "{$\\displaystyle\n" +
           matrix + "$}";
  }

  /// Of a blank, in mm: what a hand needs, or what the page has for each column.
  static double blank_width(const MarkupGrid& g) {
    constexpr double kForAll = 150.0, kPerColumn = 4.0;
    return std::clamp(kForAll / static_cast<double>(g.cols.size()) - kPerColumn, 7.0, 15.0);
  }

  /// Of a matrix with its labels, about, in mm at 10 pt.
  static double width_of(const MarkupGrid& g) {
    constexpr double kPerLetter = 1.9, kPerColumn = 3.6, kAround = 25.0;
    double label = 0.0, all = kAround;
    for (const std::string& row : g.rows)
      label = std::max(label, kPerLetter * static_cast<double>(row.size()));
    for (std::size_t j = 0; j < g.cols.size(); ++j) {
      double widest = kPerLetter * static_cast<double>(g.cols[j].size());
      for (std::size_t i = 0; i < g.rows.size(); ++i) {
        const std::size_t at = g.at(i, j);
        widest = std::max(widest, g.is(CellKind::Blank, at)
                                      ? blank_width(g)
                                      : kPerLetter * static_cast<double>(g.number(at).size()));
      }
      all += widest + kPerColumn;
    }
    return all + label;
  }

  /// The size of letters in which that fits on the page.
  static const char* size_for(double width) {
    constexpr std::pair<double, const char*> kSizes[] = {
        {1.0, ""}, {0.9, "\\small"}, {0.8, "\\footnotesize"}, {0.7, "\\scriptsize"}};
    for (const auto& [factor, name] : kSizes) {
      if (width * factor <= kPage) return name;
    }
    return "\\tiny";
  }

  static std::string sign_text(GridSign sign) {
    if (sign == GridSign::Hidden) return "$\\cdot$ ";
    return sign == GridSign::Filled ? "( ) " : "${}^{*}$ ";
  }

  std::string cell(const MarkupGrid& g, std::size_t at) const {
    if (!g.grid.marks.empty()) return latex_math(mark_of(g.grid.marks[at]).text(style_.ascii));
    if (g.is(CellKind::Blank, at)) {
      const auto wide = std::to_string(static_cast<int>(blank_width(g)));
      return "\\rule{0pt}{8mm}\\underline{\\hspace{" + wide + "mm}}";
    }
    std::string text = g.is(CellKind::HiddenWeight, at) ? "\\cdot" : latex_number(g.number(at));
    if (g.is_filled(at)) text = "(" + text + ")";
    return g.differs(at) ? text + "^{*}" : text;
  }

  /// What comes before a matrix: "A = \operatorname{softmax}(M) = " if it is the only one of its
  /// step, "M = " if the formula is better on its own.
  std::string start_of(const std::vector<const Grid*>& grids) {
    const bool own = waiting_ != nullptr && grids.size() == 1 && grids[0]->caption.empty() &&
                     grids[0]->step == waiting_->id && grids[0]->marks.empty();
    if (!own) return "";
    const std::string whole = formula_latex(waiting_->formula);
    if (!ends_in_term(whole)) {
      flush();
      return whole.substr(0, whole.find(" = ")) + " = ";
    }
    waiting_ = nullptr;
    return whole + " = ";
  }

  std::string sentence_of(const Worked& w) const {
    const std::vector<Stage> stages = worked_stages(w, precision_, false);
    std::string math;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const bool named = i < w.cells.size();
      const bool terms = i == w.cells.size() && !w.row.empty();
      if (!stages[i].sign.empty()) math += " " + latex_math(stages[i].sign) + " ";
      math += named   ? latex_name(shown(w.cells[i].name))
              : terms ? names_of(w.terms)
                      : latex_math(text_of(stages[i].pieces));
    }
    return (w.lead.empty() ? "" : words(w.lead) + " ") +
           with_remark(inline_math(math), words(w.remark));
  }

  std::string names_of(const std::vector<RowTerm>& terms) const {
    Row names;
    for (const RowTerm& term : terms) {
      names.push_back(
          (term.factor.name.empty() ? "" : latex_name(shown(term.factor.name)) + "\\cdot ") +
          latex_name(shown(term.name)));
    }
    return separated(names, " + ");
  }

  void display(const std::string& math) { paragraph("\\[\n" + math + "\n\\]"); }

  /// Shows a formula that has no matrix.
  void flush() {
    if (waiting_ == nullptr) return;
    const StepHeading* heading = std::exchange(waiting_, nullptr);
    if (!heading->formula.empty()) display(formula_latex(heading->formula));
  }

  /// A block of lines, after an empty one.
  void paragraph(const std::string& text) {
    flush();
    body_.text += (body_.text.empty() ? "" : "\n") + text + "\n";
  }

  const TextStyle style_;
  int precision_;
  const StepHeading* waiting_ = nullptr;  ///< its formula is not yet shown
  LatexBody body_;
};

}  // namespace

std::string write_latex(const Document& document, const TextStyle& style) {
  LatexWriter writer(style, document.precision, document.written_on);
  walk(document, writer, style.ascii);
  const LatexBody body = writer.take();
  return style.markup.standalone ? latex_page(body) : latex_part(body);
}

}  // namespace attn
