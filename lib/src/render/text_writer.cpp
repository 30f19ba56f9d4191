#include <algorithm>
#include <array>
#include <cmath>

#include "attn/text.hpp"
#include "attn/writers.hpp"
#include "render/labels.hpp"
#include "render/number.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
constexpr std::string_view kIndent = "    ";
constexpr std::array<const char*, 4> kShades{"░", "▒", "▓", "█"};
constexpr std::array<const char*, 4> kAsciiShades{":", "=", "*", "#"};

struct Writer {
  TextStyle style;
  int precision;
  std::string out;

  /// A line in our own words or labels, without trailing spaces.
  void line(std::string text) {
    if (style.ascii) text = to_ascii(text);
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }

  /// `left` and `right` at the two ends of a line, or two lines if they do not fit.
  void ends(const std::string& left, const std::string& right) {
    const std::string l = style.ascii ? to_ascii(left) : left;
    const std::string r = style.ascii ? to_ascii(right) : right;
    const Width gap = style.width - 1 - display_width(l) - display_width(r);
    if (gap >= 2) {
      line(l + std::string(static_cast<std::size_t>(gap), ' ') + r);
    } else {
      line(l);
      line(pad_left(r, style.width - 1));
    }
  }

  /// Words wrapped at the width: the first line behind `first`, later ones behind `indent`.
  void wrapped(const std::string& text, const std::string& first, const std::string& indent) {
    std::string now = first;
    bool empty = true;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t space = std::min(text.find(' ', at), text.size());
      std::string word = visible(text.substr(at, space - at));
      if (style.ascii) word = to_ascii(word);
      if (!empty && display_width(now) + 1 + display_width(word) > style.width - 1) {
        line(now);
        now = indent;
        empty = true;
      }
      now += (empty ? "" : " ") + word;
      empty = false;
      at = space + 1;
    }
    line(now);
  }

  void operator()(const Title& title) { ends(visible(title.text), title.facts); }
  void operator()(const Paragraph& p) { wrapped(p.text, "", ""); }
  void operator()(const Note& note) { wrapped(note.text, "note: ", "      "); }

  void operator()(const Footer& footer) {
    out += "\n";
    wrapped(footer.text, "", "");
  }

  void operator()(const StepHeading& h) {
    out += "\n";
    const std::string number =
        h.number == 0 ? "" : std::to_string(h.number) + "/" + std::to_string(h.total);
    ends((number.empty() ? "" : "[" + number + "] ") + h.formula + "   " + h.phrase, h.shape);
  }

  void operator()(const Worked& w) {
    const std::string indent(kIndent.size() + static_cast<std::size_t>(w.depth) * 2, ' ');
    wrapped(w.text, indent, indent + "    ");
  }

  std::string cell_text(double number, CellKind kind, const NumberFormat& format) const {
    if (kind == CellKind::HiddenWeight) return style.ascii ? "." : "·";
    return format_number(number, format);
  }

  std::string shade(double share, CellKind kind) const {
    if (kind == CellKind::HiddenWeight) return style.ascii ? "." : "·";
    const auto& shades = style.ascii ? kAsciiShades : kShades;
    if (!(share > 0.0)) return " ";
    return shades[static_cast<std::size_t>(std::min(3.0, std::floor(share * 4.0)))];
  }

  void operator()(const Grid& grid);
};

/// The texts of a grid before they are aligned.
struct Columns {
  std::vector<std::string> rows, cols;
  std::vector<std::string> cells;
  std::vector<Width> widths;
  Width label_width = 0;
};

Columns columns_of(const Writer& w, const Grid& grid) {
  Columns c;
  const auto names = [&](const std::vector<std::string>& labels, bool tokens) {
    return tokens ? row_labels(labels, 12, w.style.ascii) : labels;
  };
  c.rows = names(grid.row_labels, grid.row_tokens);
  c.cols = names(grid.col_labels, grid.col_tokens);
  if (w.style.ascii) {
    for (auto* labels : {&c.rows, &c.cols}) {
      for (std::string& label : *labels) label = to_ascii(label);
    }
  }
  for (const std::string& label : c.rows)
    c.label_width = std::max(c.label_width, display_width(label));
  c.label_width = std::max(c.label_width, display_width(grid.row_title));
  std::vector<double> shown;  // a fill such as -1e9 must not decide how the other scores look
  for (std::size_t i = 0; i < grid.numbers.size(); ++i) {
    if (grid.kinds[i] == CellKind::Number) shown.push_back(grid.numbers[i]);
  }
  const NumberFormat format = choose_format(shown, w.precision);
  for (std::size_t i = 0; i < grid.numbers.size(); ++i) {
    c.cells.push_back(w.cell_text(grid.numbers[i], grid.kinds[i], format));
  }
  Width widest = 0;
  for (const std::string& cell : c.cells) widest = std::max(widest, display_width(cell));
  for (const std::string& label : c.cols)
    c.widths.push_back(std::max(widest, display_width(label)));
  return c;
}

void Writer::operator()(const Grid& grid) {
  const Columns c = columns_of(*this, grid);
  const std::size_t n = c.cols.size();
  const auto padded = [&](const std::string& text, Width width) {
    return "  " + pad_left(text, width);
  };
  if (!grid.caption.empty()) line(std::string(kIndent) + grid.caption);
  std::string header = std::string(kIndent) + pad_right(grid.row_title, c.label_width);
  for (std::size_t j = 0; j < n; ++j) header += padded(c.cols[j], c.widths[j]);
  const Width sum_width = precision + 2;
  if (grid.shares) header += "  " + padded("sum", sum_width);
  if (!grid.col_title.empty()) {
    line(std::string(kIndent) + std::string(static_cast<std::size_t>(c.label_width), ' ') +
         padded(grid.col_title, c.widths[0]));
  }
  line(header);
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    std::string text = std::string(kIndent) + pad_right(c.rows[i], c.label_width);
    std::string strip;
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      text += padded(c.cells[i * n + j], c.widths[j]);
      sum += grid.numbers[i * n + j];
      strip += shade(grid.numbers[i * n + j], grid.kinds[i * n + j]);
    }
    if (grid.shares)
      text += "  " + padded(format_number(sum, {precision, false}), sum_width) + "   " + strip;
    line(text);
  }
  if (!grid.legend || !grid.shares) return;
  const bool hidden =
      std::find(grid.kinds.begin(), grid.kinds.end(), CellKind::HiddenWeight) != grid.kinds.end();
  const std::string dot = style.ascii ? "." : "·";
  std::string bars;
  for (const char* sign : style.ascii ? kAsciiShades : kShades) bars += sign;
  line(std::string(kIndent) + (hidden ? dot + "  hidden: exactly 0     " : "") + bars +
       "  quarters of 1");
}

}  // namespace

std::string write_text(const Document& document, const TextStyle& style) {
  Writer writer{style, document.precision, {}};
  for (const Block& block : document.blocks) std::visit(writer, block);
  return writer.out;
}

}  // namespace attn
