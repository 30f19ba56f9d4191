#include "render/text_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "attn/text.hpp"
#include "attn/words.hpp"
#include "render/column_blocks.hpp"
#include "render/labels.hpp"
#include "render/number.hpp"
#include "render/styled.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
constexpr const char* kIndent = "    ";
constexpr Width kUncut = 1 << 20;
constexpr Width kProjector = 60;  ///< cells that a big matrix should keep to

std::vector<std::string> shown_labels(const std::vector<std::string>& names, bool tokens,
                                      Width most, const TextStyle& style) {
  if (tokens) return row_labels(names, most, style.ascii, style.ruler);
  std::vector<std::string> labels = names;
  if (style.ascii) {
    for (std::string& label : labels) label = to_ascii(label);
  }
  return labels;
}

Width widest(const std::vector<std::string>& texts, const Ruler& ruler) {
  Width most = 0;
  for (const std::string& text : texts) most = std::max(most, ruler.width(text));
  return most;
}

/// The texts of one grid, and how wide they are.
struct Texts {
  const Grid& grid;
  const TextStyle& style;
  NumberFormat format;
  Selection rows_shown;
  std::vector<std::string> rows, cols;  ///< labels
  std::vector<std::string> cells;       ///< of the rows that are shown
  std::vector<std::string> sums;
  std::vector<Width> widths;
  Width label_width = 0, sum_width = 0;

  Texts(const Grid& g, const TextStyle& s, int precision) : grid(g), style(s) {
    const bool cut = s.fit == Fit::Screen;
    rows = shown_labels(g.row_labels, g.row_tokens, s.big ? 8 : cut ? 12 : kUncut, s);
    rows_shown = outer_rows(cut ? rows.size() : 0);
    if (!cut) {
      for (std::size_t i = 0; i < rows.size(); ++i) rows_shown.members.push_back(i);
    }
    label_width = std::max(widest(rows, s.ruler), s.ruler.width(g.row_title));
    const Width number_width = add_cells(precision);
    if (g.shares) add_sums(precision);
    Width most = s.big ? 8 : cut ? 12 : kUncut;
    do {
      cols = shown_labels(g.col_labels, g.col_tokens, most, s);
      widths.clear();
      for (const std::string& label : cols) {
        widths.push_back(std::max(number_width, s.ruler.width(label)));
      }
    } while (s.big && total() > kProjector && --most >= 6);
  }

  /// How wide the whole matrix is.
  Width total() const {
    Width sum = display_width(kIndent) + label_width + (grid.shares ? 3 + sum_width : 0);
    for (const Width width : widths) sum += width + 2;
    return sum;
  }

  bool has_strip() const { return grid.shares && !style.big; }
  /// Of a sign in the strip; there is none without a strip.
  Width strip_width() const { return has_strip() ? style.ruler.width(shade(1.0, style.ascii)) : 0; }
  std::string dots() const { return style.ascii ? "..." : "…"; }
  std::size_t n_cols() const { return grid.col_labels.size(); }
  const std::string& cell(std::size_t i, std::size_t j) const { return cells[i * n_cols() + j]; }

 private:
  /// Returns the width of the widest number.
  Width add_cells(int precision) {
    std::vector<double> plain;  // a fill such as -1e9 must not decide how the other scores look
    for (std::size_t i = 0; i < grid.numbers.size(); ++i) {
      if (grid.kinds[i] == CellKind::Number) plain.push_back(grid.numbers[i]);
    }
    format = choose_format(plain, precision, style.notation);
    Width number_width = 0;
    for (const std::size_t i : rows_shown.members) {
      for (std::size_t j = 0; j < n_cols(); ++j) {
        const std::size_t at = i * n_cols() + j;
        cells.push_back(grid.kinds[at] == CellKind::HiddenWeight
                            ? hidden_sign(style.ascii)
                            : format_number(grid.numbers[at], format));
        number_width = std::max(number_width, style.ruler.width(cells.back()));
      }
    }
    return number_width;
  }

  void add_sums(int precision) {
    for (const std::size_t i : rows_shown.members) {
      const auto row = grid.numbers.begin() + static_cast<std::ptrdiff_t>(i * n_cols());
      double sum = 0.0;
      for (std::size_t j = 0; j < n_cols(); ++j) sum += row[static_cast<std::ptrdiff_t>(j)];
      sums.push_back(format_number(sum, {precision, false}));
    }
    sum_width = std::max<Width>(3, widest(sums, style.ruler));
  }
};

/// Which columns stand in which block.
std::vector<Selection> blocks_of(const Texts& t) {
  std::vector<Width> widths = t.widths;
  for (Width& width : widths) width += 2 + t.strip_width();
  const Width label = display_width(kIndent) + t.label_width + 1;
  Width room = t.style.width - 1 - label - (t.has_strip() ? 3 : 0);
  if (t.style.fit == Fit::Whole) room = kUncut * 1024;
  const Width tail = t.grid.shares ? t.sum_width + 3 : 0;
  if (t.style.fit != Fit::Screen || widths.size() <= kMostShown) {
    return column_blocks(widths, room, tail);
  }
  const Width dots = t.style.ruler.width(t.dots()) * (t.has_strip() ? 2 : 1) + 2;
  return {outer_columns(widths, room, tail, dots)};
}

Paint paint_of(const Texts& t, std::size_t at) {
  if (t.grid.kinds[at] != CellKind::Number) return kDim;
  if (!t.grid.shares) return kPlain;
  return {.kind = Paint::Kind::Heat, .at = t.grid.numbers[at], .palette = t.style.palette};
}

struct BlockWriter {
  const Texts& t;
  const Selection& block;
  bool last;
  std::string out;

  void put(const StyledLine& line) { out += line.text(t.style.color); }

  void titles() {
    StyledLine line(t.style.ruler);
    line.add(kIndent).add_left("", t.label_width + 2);
    line.add_right(t.grid.col_title, t.widths[block.members.front()], kDim);
    if (!t.grid.col_title.empty()) put(line);
  }

  void header() {
    StyledLine line(t.style.ruler);
    line.add(kIndent).add_left(t.grid.row_title, t.label_width, kDim).add(" ");
    for (std::size_t k = 0; k < block.members.size(); ++k) {
      const std::size_t j = block.members[k];
      if (block.gap == k) line.add(" " + t.dots() + " ");
      line.add(" ").add_right(t.cols[j], t.widths[j]).add(" ");
    }
    if (t.grid.shares && last) line.add("   ").add_right("sum", t.sum_width, kDim);
    put(line);
  }

  /// Row number `i` of those that are shown.
  void row(std::size_t i) {
    const std::size_t r = t.rows_shown.members[i], n = t.cols.size();
    StyledLine line(t.style.ruler);
    std::string strip;
    line.add(kIndent).add_left(t.rows[r], t.label_width).add(" ");
    for (std::size_t k = 0; k < block.members.size(); ++k) {
      const std::size_t j = block.members[k];
      if (block.gap == k) {
        line.add(" " + t.dots() + " ");
        strip += t.dots();
      }
      line.add(" " + t.style.ruler.pad_left(t.cell(i, j), t.widths[j]) + " ",
               paint_of(t, r * n + j));
      const bool hidden = t.grid.kinds[r * n + j] == CellKind::HiddenWeight;
      strip += t.style.ruler.pad_right(
          hidden ? hidden_sign(t.style.ascii) : shade(t.grid.numbers[r * n + j], t.style.ascii),
          t.strip_width());
    }
    if (t.grid.shares && last) line.add("   ").add_right(t.sums[i], t.sum_width);
    if (t.has_strip()) line.add("   " + strip);
    put(line);
  }

  void rows() {
    for (std::size_t i = 0; i < t.rows_shown.members.size(); ++i) {
      if (t.rows_shown.gap == i) put(StyledLine(t.style.ruler).add(kIndent).add(t.dots()));
      if (t.style.big && i > 0) out += "\n";
      row(i);
    }
  }
};

/// "    showing 6 of 128 columns; --full prints all", and a line before it for rows.
std::string left_out(const Texts& t, const Selection& block) {
  std::string text;
  const auto add = [&](const Selection& shown, std::size_t all, const char* what) {
    if (!shown.gap) return;
    const std::string message = "showing " + std::to_string(shown.members.size()) + " of " +
                                std::to_string(all) + what + "; --full prints all";
    const Width room = t.style.width - 1 - display_width(kIndent);
    for (const std::string& line : wrapped(message, room, room, t.style.ruler))
      text += kIndent + line + "\n";
  };
  add(t.rows_shown, t.rows.size(), " rows");
  add(block, t.cols.size(), " columns");
  return text;
}

/// " 0  ░▒▓█  1   share of the query"
StyledLine ramp(const Texts& t) {
  const auto end = [&](double at) {
    return Paint{.kind = Paint::Kind::Heat, .at = at, .palette = t.style.palette};
  };
  std::string signs = t.has_strip() ? " " : "";
  for (const double share : {0.1, 0.3, 0.6, 0.9}) {
    if (t.has_strip()) signs += shade(share, t.style.ascii);
  }
  StyledLine line(t.style.ruler);
  line.add(" 0 ", end(0.0)).add(signs + " ").add(" 1 ", end(1.0)).add("  share of the query");
  return line;
}

/// What the signs of weights mean, on two lines where one is too long.
std::string legend(const Texts& t) {
  const auto& kinds = t.grid.kinds;
  const bool some = std::find(kinds.begin(), kinds.end(), CellKind::HiddenWeight) != kinds.end();
  StyledLine line(t.style.ruler);
  line.add(kIndent);
  std::string before;
  if (some) line.add(hidden_sign(t.style.ascii), kDim).add("  hidden: exactly 0     ");
  if (t.style.fit != Fit::Whole && line.width() + ramp(t).width() >= t.style.width) {
    before = line.text(t.style.color);
    line = StyledLine(t.style.ruler).add(kIndent);
  }
  return before + line.add(ramp(t)).text(t.style.color);
}

/// Tokens whose labels were cut, each with its full text: "    internation…  internationalization".
std::string cut_labels(const Texts& t, std::set<std::string>& told) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& labels,
                       const std::vector<std::string>& names, bool tokens) {
    if (!tokens) return;
    const std::vector<std::string> full = row_labels(names, kUncut, t.style.ascii);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] == full[i] || !told.insert(labels[i]).second) continue;
      text += kIndent + labels[i] + "  is  " + full[i] + "\n";
    }
  };
  add(t.rows, t.grid.row_labels, t.grid.row_tokens);
  add(t.cols, t.grid.col_labels, t.grid.col_tokens);
  return text;
}

}  // namespace

const char* shade(double share, bool ascii) {
  constexpr std::array kShades{"░", "▒", "▓", "█"};
  constexpr std::array kAsciiShades{":", "=", "*", "#"};
  if (!(share > 0.0)) return " ";
  const auto level = static_cast<std::size_t>(std::min(3.0, std::floor(share * 4.0)));
  return ascii ? kAsciiShades[level] : kShades[level];
}

const char* hidden_sign(bool ascii) { return ascii ? "." : "·"; }

std::string GridWriter::text(const Grid& grid) {
  const Texts t(grid, style_, precision_);
  const std::vector<Selection> blocks = blocks_of(t);
  std::string out;
  if (!grid.caption.empty()) {
    const std::string caption = style_.ascii ? to_ascii(grid.caption) : grid.caption;
    out += StyledLine(t.style.ruler).add(kIndent).add(caption, kBold).text(style_.color);
  }
  std::size_t first = 1;
  for (const Selection& block : blocks) {
    if (blocks.size() > 1) {
      const std::size_t last = first + block.members.size() - 1;
      if (first > 1) out += "\n";
      out += kIndent +
             (first == last ? "column " + std::to_string(first)
                            : "columns " + std::to_string(first) + "-" + std::to_string(last)) +
             " of " + std::to_string(t.cols.size()) + "\n";
      first = last + 1;
    }
    BlockWriter writer{t, block, &block == &blocks.back(), {}};
    writer.titles();
    writer.header();
    writer.rows();
    out += writer.out;
  }
  out += left_out(t, blocks.front());
  out += cut_labels(t, told_);
  if (t.format.scientific) out += std::string(kIndent) + "1.5e+05 means 1.5·10^5\n";
  if (grid.legend && grid.shares) out += legend(t);
  return style_.ascii ? to_ascii(out) : out;
}

}  // namespace attn
