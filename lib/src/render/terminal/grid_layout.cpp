// Measures a matrix: number format, labels, column widths, what fits.
#include "render/terminal/grid_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "attn/core/not_finite.hpp"
#include "attn/number_text.hpp"
#include "attn/render/text.hpp"
#include "core/text/bit_cast.hpp"
#include "render/terminal/short_labels.hpp"
#include "render/terminal/verdict_marks.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
constexpr Width kBlank = 6;       ///< room to write
constexpr Width kProjector = 60;  ///< cells that a big matrix should keep to

/// The numbers that take the most characters: the extremes, the nearest to 0 of each sign, and
/// those that are not finite. The bits of numbers of one sign are in the order of their sizes.
std::vector<double> longest(const std::vector<double>& numbers) {
  constexpr std::uint64_t kSign = 0x8000000000000000, kInfinity = 0x7ff0000000000000;
  std::uint64_t most = 0, least = 0;           // of the positive and the negative ones
  std::uint64_t small = ~most, minus = ~most;  // less 1, so that 0 is no candidate
  for (const double x : numbers) {
    const auto bits = bit_cast<std::uint64_t>(x);
    const std::uint64_t size = bits & ~kSign;
    const std::uint64_t finite = size < kInfinity ? size : 0;
    const std::uint64_t above = bits < kSign ? finite : 0, below = finite - above;
    most = std::max(most, above);
    least = std::max(least, below);
    small = std::min(small, above - 1);
    minus = std::min(minus, below - 1);
  }
  std::vector<double> all;
  for (const std::uint64_t size : {most, small + 1}) all.push_back(bit_cast<double>(size));
  for (const std::uint64_t size : {least, minus + 1}) all.push_back(-bit_cast<double>(size));
  const NotFinite odd = not_finite_among(numbers);
  if (odd.nan) all.push_back(std::numeric_limits<double>::quiet_NaN());
  if (odd.infinity) all.push_back(HUGE_VAL);
  if (odd.minus_infinity) all.push_back(-HUGE_VAL);
  return all;
}

}  // namespace

GridNumbers numbers_of(const std::vector<double>& numbers, const std::vector<double>& others,
                       const TextStyle& style, int precision) {
  GridNumbers found{choose_format(numbers, precision, style.notation), 0};
  for (const auto* values : {&numbers, &others}) {
    if (values->empty()) continue;
    for (const double x : longest(*values))
      found.width = std::max(found.width, display_width(format_number(x, found.format)));
  }
  return found;
}

std::string fill_text(double x, const NumberFormat& format) {
  const bool large = std::isfinite(x) && std::abs(x) >= 1e5;
  return large ? format_exact(x) : format_number(x, format);
}

GridNumbers numbers_of(const std::vector<const Grid*>& grids, const TextStyle& style,
                       int precision) {
  std::vector<double> hidden;  // a fill such as -1e9 must not affect the format of other scores
  std::size_t count = 0, plains = 0;
  for (const Grid* grid : grids) count += grid->numbers.size();
  std::vector<double> plain(count);
  bool signs = false, blanks = false, marks = false;
  for (const Grid* grid : grids) {
    marks |= !grid->marks.empty();
    for (std::size_t i = 0; i < grid->numbers.size(); ++i) {
      plain[plains] = grid->numbers[i];
      plains += grid->kinds[i] == CellKind::Number ? 1U : 0U;
      const bool fills = grid->kinds[i] == CellKind::HiddenScore;
      if (fills && (hidden.empty() || hidden.back() != grid->numbers[i]))  // usually all the same
        hidden.push_back(grid->numbers[i]);
      signs |= grid->kinds[i] == CellKind::HiddenWeight;
      blanks |= grid->kinds[i] == CellKind::Blank;
    }
  }
  plain.resize(plains);
  const bool compared = !grids.empty() && !grids.front()->gaps.empty();
  GridNumbers numbers =
      numbers_of(plain, compared ? std::vector<double>() : hidden, style, precision);
  numbers.format.comma = !grids.empty() && grids.front()->comma;
  if (blanks) numbers.width = std::max(numbers.width, kBlank);
  if (marks) numbers.width = std::max<Width>(numbers.width, style.ascii ? 2 : 1);
  if (signs) numbers.width = std::max(numbers.width, style.ruler.width(hidden_sign(style.ascii)));
  if (!compared) return numbers;
  for (const double x : hidden)
    numbers.width = std::max(numbers.width, display_width(fill_text(x, numbers.format)));
  ++numbers.width;  // for the mark
  return numbers;
}

std::string corner_text(const Grid& grid) {
  return grid.col_title.empty() ? grid.row_title : grid.row_title + "\\" + grid.col_title;
}

bool begins_entry(const Grid& before, const Grid& grid) {
  return grid.starts_row || (grid.head && grid.batch != before.batch);
}

GridTexts::GridTexts(const Grid& g, const TextStyle& s, const GridNumbers& n, Width between)
    : grid(g), style(s), numbers(n), spacing(between) {
  const bool cut = s.fit == Fit::Screen;
  rows = axis_labels(g.row_labels, g.row_tokens, s.big ? 8 : cut ? 12 : kUncut, s);
  rows_shown = cut && g.rows.empty() ? outer_rows(rows.size()) : Excerpt{shown_rows(g), {}};
  sign_width = s.ruler.width(hidden_sign(s.ascii));
  label_width = s.ruler.width(corner_text(g));
  for (const std::size_t row : rows_shown.members)
    label_width = std::max(label_width, s.ruler.width(rows[row]));
  if (g.shares) add_sums();
  add_columns();
  if (g.shares) add_strip();
  add_blocks();
}

/// A strip shows a row at a glance, so all of it or nothing. Before it is left out, sums and strip
/// move closer to the numbers.
void GridTexts::add_strip() {
  const Width room =
      std::min(style.big ? kProjector : kEndless, style.splits() ? style.width - 1 : kEndless);
  for (const bool strip : {true, false}) {
    has_strip = strip;
    for (tail_gap = 3; tail_gap > (strip ? 1 : 0); --tail_gap) {
      if (total() <= room) return;
    }
  }
  tail_gap = 3;
}

void GridTexts::add_columns() {
  Width most = style.big ? 8 : style.fit == Fit::Screen ? 12 : kUncut;
  do {
    cols = axis_labels(grid.col_labels, grid.col_tokens, most, style);
    widths.clear();
    for (const std::string& label : cols) {
      widths.push_back(std::max(numbers.width, style.ruler.width(label)));
    }
  } while (style.big && total() > kProjector && --most >= 6);
}

void GridTexts::add_sums() {
  const std::size_t n = grid.col_labels.size();
  const bool scientific = style.notation == Notation::Scientific;
  for (const std::size_t i : rows_shown.members) {
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += grid.numbers[i * n + j];
    sums.push_back(
        format_number(sum, {numbers.format.precision, scientific, numbers.format.comma}));
  }
  sum_width = std::max<Width>(3, widest(sums, style.ruler));
}

Width GridTexts::total() const {
  Width sum = display_width(kGridIndent) + label_width;
  sum += grid.shares ? 1 + tail_gap + sum_width : 2 - spacing;
  for (const Width width : widths) sum += width + spacing + strip_width();
  return sum + (has_strip ? tail_gap : 0);
}

Width GridTexts::strip_width() const {
  return has_strip ? style.ruler.width(shade(1.0, style.ascii)) : 0;
}

std::string GridTexts::plain_cell(std::size_t at) const {
  if (!grid.marks.empty()) return mark_of(grid.marks[at]).text(style.ascii);
  if (grid.kinds[at] == CellKind::HiddenWeight) return hidden_sign(style.ascii);
  if (grid.kinds[at] == CellKind::Blank)
    return std::string(static_cast<std::size_t>(numbers.width), '_');
  return format_number(grid.numbers[at], numbers.format);
}

void GridTexts::append_cell(std::string& text, std::size_t r, std::size_t c) const {
  const std::size_t at = r * cols.size() + c;
  const CellKind kind = grid.kinds[at];
  const std::string shown = cell(at);
  const bool sign = kind == CellKind::HiddenWeight && grid.gaps.empty();
  const Width missing = widths[c] - (sign ? sign_width : style.ruler.width(shown));
  text.append(static_cast<std::size_t>(std::max<Width>(0, missing)), ' ') += shown;
}

std::string GridTexts::cell(std::size_t at) const {
  if (grid.gaps.empty()) return plain_cell(at);
  const bool fill = grid.kinds[at] == CellKind::HiddenScore;
  return (fill ? fill_text(grid.numbers[at], numbers.format) : plain_cell(at)) +
         (grid.gaps[at] > 0.0 ? kMark : " ");
}

void GridTexts::add_blocks() {
  std::vector<Width> all = widths;
  for (Width& width : all) width += spacing + strip_width();
  const Width label = display_width(kGridIndent) + label_width + 1;
  const Width after = spacing - 1;  // spaces after a column, except at the end of a line
  Width room = style.width - 1 - label + after - (has_strip ? tail_gap : 0);
  if (!style.splits()) room = kEndless;
  const Width tail = grid.shares ? after + tail_gap + sum_width : 0;
  const Width gap = style.ruler.width(dots()) + 2;
  if (style.fit != Fit::Screen || all.size() <= kMostShown)
    blocks = column_blocks(all, room, tail);
  else
    blocks = {outer_columns(all, room, tail, gap)};
}

Width GridTexts::width() const {
  const bool whole = blocks.size() == 1 && !blocks.front().gap;
  return whole ? total() - display_width(kGridIndent) : kEndless;
}

const char* shade(double share, bool ascii) {
  constexpr std::array kShades{"░", "▒", "▓", "█"};
  constexpr std::array kAsciiShades{":", "=", "*", "#"};
  if (!(share > 0.0)) return " ";
  const auto level = static_cast<std::size_t>(std::min(3.0, std::floor(share * 4.0)));
  return ascii ? kAsciiShades[level] : kShades[level];
}

const char* hidden_sign(bool ascii) { return ascii ? "." : "·"; }

}  // namespace attn
