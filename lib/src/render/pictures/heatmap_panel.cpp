// Draws one matrix of a heat map as lines of text.
#include "render/pictures/heatmap_panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "render/terminal/grid_lines.hpp"
#include "render/terminal/short_labels.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
constexpr Width kLongLabel = 12;
constexpr std::size_t kRowsWithoutRepeat = 24, kRepeat = 20;
constexpr std::size_t kMostCompact = 256;  // rows of a compact picture on a screen

std::string times(std::string_view text, Width count) {
  std::string all;
  for (Width i = 0; i < count; ++i) all += text;
  return all;
}

/// Whether names are only a letter and their index: "t0", "t1", …
bool show_their_index(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool same_letter = !names[i].empty() && names[i].front() == names.front().front();
    if (!same_letter || names[i].substr(1) != std::to_string(i)) return false;
  }
  return true;
}

/// "3:it" for the label of position 3; repeated tokens already have that name.
std::string with_index(std::size_t i, const std::string& label) {
  const std::string prefix = std::to_string(i) + ":";
  return label.starts_with(prefix) ? label : prefix + label;
}

/// Where text of `width` starts: centred after the gap, or at the right end if it is too wide.
Width centred_at(Width width, Width gap, Width cell) {
  return width <= cell - gap ? gap + (cell - gap - width) / 2 : std::max<Width>(0, cell - width);
}

void add_centred(StyledLine& line, const std::string& text, Width gap, Width cell,
                 const Paint& paint, const Ruler& ruler) {
  const Width width = ruler.width(text), before = centred_at(width, gap, cell);
  line.add(times(" ", before)).add(text, paint).add(times(" ", cell - before - width));
}

bool has_color(const HeatPlace& place) {
  return place.mark != HeatMark::Hidden && place.mark != HeatMark::NotANumber;
}

const char* sign_of(HeatMark mark) {
  if (mark == HeatMark::Below) return "-";
  return mark == HeatMark::Above ? "+" : "";
}

}  // namespace

const char* place_sign(double at, const PanelStyle& style) {
  if (style.diverging) return shade(std::abs(2.0 * at - 1.0), style.text.ascii);
  return shade(std::max(at, std::numeric_limits<double>::min()), style.text.ascii);
}

std::string shown_word(const HeatPanel& panel, std::size_t at, const TextStyle& style) {
  const std::string word = shown_text(panel.words[at], style.ascii);
  return style.fit == Fit::Screen ? style.ruler.cut(word, kLongLabel, ellipsis(style.ascii)) : word;
}

Width sign_width(const TextStyle& style) { return style.ruler.width(shade(1.0, style.ascii)); }

PanelText::PanelText(const HeatPanel& panel, const PanelStyle& style, const CellForm& form)
    : panel_(panel), style_(style), form_(form), wide_(sign_width(style.text)) {
  const Grid& g = panel.grid;
  const bool cut = style.text.fit == Fit::Screen;
  rows_ = axis_labels(g.row_labels, g.row_tokens, cut ? kLongLabel : kUncut, style.text);
  full_rows_ = cut ? axis_labels(g.row_labels, g.row_tokens, kUncut, style.text) : rows_;
  cols_ = axis_labels(g.col_labels, g.col_tokens, kUncut, style.text);
  choose_header();
  label_ = std::max(widest(rows_, ruler()), ruler().width(g.row_title)) + 1;
  const bool cut_rows = cut && (style.compact || form.numbers || width() > style.room);
  rows_shown_ =
      cut_rows ? outer_rows(rows(), style.compact ? kMostCompact : kMostShown) : everything(rows());
}

/// Whether each label is above its own cell, without touching another.
bool PanelText::labels_fit() const {
  Width end = -1;  // of the label before
  for (std::size_t j = 0; j < cols_.size(); ++j) {
    const Width width = ruler().width(cols_[j]);
    const Width start = static_cast<Width>(j) * cell_ + centred_at(width, form_.gap, cell_);
    if (width > cell_ || start <= end) return false;
    end = start + width;
  }
  return true;
}

/// Columns have their labels if these fit; otherwise indices, which then also come before the row
/// labels of the same tokens.
void PanelText::choose_header() {
  const Grid& g = panel_.grid;
  const Width label = widest(cols_, ruler());
  const Width number = form_.numbers ? style_.numbers.width : 0;
  const Width shades = form_.shades * wide_;
  cell_ = std::max(form_.least, form_.gap + shades + number);
  const bool widened = form_.widened && label <= kLongLabel;
  while (widened && !labels_fit()) ++cell_;
  const bool lopsided =
      form_.widened && panel_.words.empty() && (cell_ - form_.gap - shades - number) % 2 != 0;
  if (lopsided) ++form_.gap;
  indexed_ = !labels_fit();
  if (indexed_ && form_.numbers) {
    for (std::size_t j = 0; j < cols_.size(); ++j) cols_[j] = std::to_string(j);
    cell_ = std::max(cell_, widest(cols_, ruler()) + 1);
  }
  const bool same = g.row_tokens && g.col_tokens && g.row_labels == g.col_labels &&
                    !show_their_index(g.row_labels);
  const Width digits = display_width(std::to_string(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::string index = std::to_string(i);
    if (form_.halves) rows_[i] = pad_left(index, digits);
    if (form_.halves || !indexed_ || !same) continue;
    rows_[i] = times(" ", digits - display_width(index)) + with_index(i, rows_[i]);
  }
}

std::vector<StyledLine> PanelText::lines(const Excerpt& columns, const std::string& caption) const {
  const Grid& g = panel_.grid;
  std::vector<StyledLine> all;
  const auto add = [&](const StyledLine& line) { all.push_back(line); };
  if (!caption.empty()) add(StyledLine(ruler()).add(caption, kBold));
  if (!g.col_title.empty())
    add(StyledLine(ruler()).add_left("", label_ + form_.gap).add(g.col_title, kDim));
  const std::size_t n = rows_shown_.members.size();
  const bool long_panel = n > kRowsWithoutRepeat, big = style_.text.big && form_.numbers;
  const RowPlan plan{
      .rows = rows_shown_,
      .header = header(columns),
      .dots = StyledLine(ruler()).add(std::string(trimmed(dots())), kDim),
      .spaced = big,
      .repeat = style_.repeat.value_or(long_panel && form_.numbers ? kRepeat : 0),
      .step = form_.halves ? 2U : 1U,
  };
  add_rows(all, plan, [&](std::size_t i) {
    const std::size_t r = rows_shown_.members[i];
    if (big) add(row(r, columns, false));
    add(row(r, columns, form_.numbers));
    if (big) add(row(r, columns, false));
  });
  if (!style_.repeat && long_panel && !form_.numbers) add(plan.header);
  return all;
}

StyledLine PanelText::header(const Excerpt& columns) const {
  if (indexed_ && !form_.numbers) return ticks(columns);
  StyledLine line(ruler());
  line.add_left(panel_.grid.row_title, label_, kDim);
  across(line, columns, dots(), kPlain, [&](StyledLine& to, std::size_t j) {
    add_centred(to, cols_[j], form_.gap, cell_, kPlain, ruler());
  });
  return line;
}

/// Indices of some columns, each at the left edge of its own.
StyledLine PanelText::ticks(const Excerpt& columns) const {
  const Width room = display_width(std::to_string(cols_.size() - 1)) + 1;
  std::size_t every = 1;
  for (const std::size_t step : {1U, 2U, 5U, 10U, 20U, 50U, 100U, 1000U}) {
    every = step;
    if (static_cast<Width>(step) * cell_ >= room) break;
  }
  StyledLine line(ruler());
  line.add_left(panel_.grid.row_title, label_, kDim);
  Width at = 0, used = 0;  // cells after the labels
  for (std::size_t k = 0; k < columns.members.size(); ++k, at += cell_) {
    const std::size_t j = columns.members[k];
    if (columns.gap == k) at += ruler().width(dots());
    if (j % every != 0 || (used > 0 && used >= at)) continue;
    const std::string tick = std::to_string(j);
    line.add(spaces(at - used), kDim).add(tick, kDim);
    used = at + display_width(tick);
  }
  return line;
}

StyledLine PanelText::row(std::size_t i, const Excerpt& columns, bool numbers) const {
  StyledLine line(ruler());
  line.add_left(numbers || !form_.numbers ? rows_[i] : "", label_);
  add_cells(line, i, columns, numbers);
  return line;
}

void PanelText::add_cells(StyledLine& line, std::size_t i, const Excerpt& columns,
                          bool numbers) const {
  across(line, columns, dots(), kDim, [&](StyledLine& to, std::size_t j) {
    const std::size_t at = i * cols_.size() + j;
    if (form_.halves) add_halves(to, at);
    if (!form_.halves) add_cell(to, at, numbers);
  });
}

void PanelText::add_cell(StyledLine& line, std::size_t at, bool numbers) const {
  const HeatPlace& place = panel_.places[at];
  const bool ascii = style_.text.ascii, blank = form_.numbers && !numbers;
  if (place.mark == HeatMark::Hidden) {
    return add_centred(line, blank ? " " : hidden_sign(ascii), form_.gap, cell_, kDim, ruler());
  }
  if (place.mark == HeatMark::NotANumber) {
    const char* text = blank ? " " : numbers ? "nan" : "?";
    return add_centred(line, text, form_.gap, cell_, kPlain, ruler());
  }
  const Paint fill{.kind = Paint::Kind::Fill, .at = place.at, .palette = style_.palette};
  const Paint heat{.kind = Paint::Kind::Heat, .at = place.at, .palette = style_.palette};
  std::string number;
  if (numbers && !panel_.words.empty()) {
    number = shown_word(panel_, at, style_.text);
  } else if (numbers) {
    number = pad_left(format_number(panel_.grid.numbers[at], style_.numbers.format),
                      style_.numbers.width);
  }
  if (form_.signs) number = place.at < 0.5 ? "-" : place.at > 0.5 ? "+" : " ";
  const std::string sign = blank ? "" : sign_of(place.mark);
  const Width around = cell_ - form_.gap - ruler().width(number);
  const Width left = form_.signs ? 0 : around / 2 / wide_ * wide_;
  const char* shade = place_sign(place.at, style_);
  line.add(times(" ", form_.gap) + filled(shade, left), fill).add(number, heat);
  line.add(filled(shade, around - left - display_width(sign)), fill).add(sign, heat);
}

/// As many signs as fit in `cells`.
std::string PanelText::filled(const char* sign, Width cells) const {
  const Width count = cells / wide_;
  if (count <= 0) return times(" ", cells);
  return times(sign, count) + times(" ", cells - count * ruler().width(sign));
}

/// The cell and the one below it. A half without colour shows the background.
void PanelText::add_halves(StyledLine& line, std::size_t at) const {
  const std::size_t next = at + cols_.size();
  const HeatPlace nothing{0.0, HeatMark::Hidden};
  const HeatPlace& upper = panel_.places[at];
  const HeatPlace& lower = next < panel_.places.size() ? panel_.places[next] : nothing;
  const bool above = has_color(upper), below = has_color(lower);
  if (above && below) {
    line.add("▀", {Paint::Kind::Halves, upper.at, lower.at, style_.palette});
  } else if (above) {
    line.add("▀", {Paint::Kind::Ink, upper.at, 0.0, style_.palette});
  } else if (below) {
    line.add("▄", {Paint::Kind::Ink, lower.at, 0.0, style_.palette});
  } else {
    const bool nan = upper.mark == HeatMark::NotANumber || lower.mark == HeatMark::NotANumber;
    line.add_left(nan ? "?" : hidden_sign(false), cell_, kDim);
  }
}

std::vector<std::string> PanelText::footnotes(const std::string& whose) const {
  const Grid& g = panel_.grid;
  std::vector<std::string> notes;
  const bool same = g.row_tokens && g.row_labels == g.col_labels;
  const auto list = [&](const std::string& title, const std::vector<std::string>& labels) {
    if (show_their_index(labels)) return;
    std::string all = whose + title + ":";
    const auto tokens = axis_labels(labels, true, kUncut, style_.text);
    for (std::size_t j = 0; j < tokens.size(); ++j) all += "  " + with_index(j, tokens[j]);
    notes.push_back(all);
  };
  if (form_.halves && g.row_tokens && !same) list(g.row_title, g.row_labels);
  if (indexed_ && g.col_tokens && (!same || form_.halves))
    list(g.col_title.empty() ? "columns" : g.col_title, g.col_labels);
  for (const std::size_t i : rows_shown_.members) {
    if (form_.halves) break;
    if (!rows_[i].ends_with(full_rows_[i])) notes.push_back(rows_[i] + "  is  " + full_rows_[i]);
  }
  return notes;
}

}  // namespace attn
