// Writes what a reader needs besides the numbers of a matrix.
#include "render/terminal/grid_footnotes.hpp"

#include <algorithm>
#include <cmath>

#include "attn/language.hpp"
#include "render/terminal/notes.hpp"
#include "render/terminal/short_labels.hpp"
#include "render/terminal/verdict_marks.hpp"

namespace attn {
namespace {

/// " 0  ░▒▓█  1   share of the query"
StyledLine ramp(const GridTexts& t) {
  const auto end = [&](double at) {
    return Paint{.kind = Paint::Kind::Heat, .at = at, .palette = t.style.palette};
  };
  std::string signs;
  for (const double share : {0.1, 0.3, 0.6, 0.9}) signs += shade(share, t.style.ascii);
  StyledLine line(t.style.ruler);
  line.add(" 0 ", end(0.0)).add(" " + signs + " ").add(" 1 ", end(1.0));
  return line.add("  " + translated("share of the query"));
}

/// "2.500e-04 means 2.500·10^-4", with a number of the matrix.
std::string notation(const GridTexts& t) {
  double largest = 0.0;
  for (std::size_t i = 0; i < t.grid.numbers.size(); ++i) {
    const double x = t.grid.numbers[i];
    if (t.grid.kinds[i] == CellKind::Number && std::isfinite(x) &&
        std::abs(x) > std::abs(largest)) {
      largest = x;
    }
  }
  const std::string text = format_number(largest, t.numbers.format);
  const std::size_t e = text.find('e');
  return translated("{number} means {other}", text,
                    text.substr(0, e) + "·10^" + std::to_string(std::stoi(text.substr(e + 1))));
}

bool hides_weights(const GridTexts& t) {
  const auto& kinds = t.grid.kinds;
  return std::find(kinds.begin(), kinds.end(), CellKind::HiddenWeight) != kinds.end();
}

/// What the signs of weights, of differences and of all marks mean.
std::string legend(const GridTexts& t, const std::vector<GridTexts>& all) {
  std::vector<const Grid*> grids;
  for (const GridTexts& each : all) grids.push_back(&each.grid);
  Legend legend(t.style.ruler, t.style.fit == Fit::Whole
                                   ? kEndless
                                   : t.style.width - 1 - display_width(kGridIndent));
  if (hides_weights(t)) legend.add(hidden_sign(t.style.ascii), translated(kExactlyZero));
  if (t.has_strip) legend.add(ramp(t));
  if (!t.grid.gaps.empty()) legend.add(kMark, translated("differs"));
  for (const auto& [sign, meaning] : mark_legend(grids, t.style.ascii)) legend.add(sign, meaning);
  return legend.text(kGridIndent, t.style.color);
}

/// Tokens whose labels were cut, each with its full text:
/// "    internation…  is  internationalization".
std::string cut_labels(const GridTexts& t, std::set<std::string>& noted) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& labels,
                       const std::vector<std::string>& names, bool tokens) {
    const std::string_view mark = ellipsis(t.style.ascii);
    const auto is_cut = [&](const std::string& label) { return label.ends_with(mark); };
    if (!tokens || std::none_of(labels.begin(), labels.end(), is_cut)) return;
    const std::vector<std::string> full = token_labels(names, kUncut, t.style.ascii);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] == full[i] || !noted.insert(labels[i]).second) continue;
      text += kGridIndent + labels[i] + "  " + translated("is") + "  " + full[i] + "\n";
    }
  };
  add(t.rows, t.grid.row_labels, t.grid.row_tokens);
  add(t.cols, t.grid.col_labels, t.grid.col_tokens);
  return text;
}

}  // namespace

std::string grid_notes(const std::vector<GridTexts>& texts, std::set<std::string>& noted) {
  std::string text, numbers, signs;
  std::set<std::string> notes;  // heads of a step have the same
  for (const GridTexts& t : texts) {
    const std::string rows = left_out_note(t.rows_shown, t.rows.size(), "showing {n} of {all} rows",
                                           t.style, kGridIndent);
    const std::string columns = left_out_note(t.blocks.front(), t.cols.size(),
                                              "showing {n} of {all} columns", t.style, kGridIndent);
    for (const std::string& note : {rows, columns}) {
      if (notes.insert(note).second) text += note;
    }
    text += cut_labels(t, noted);
    if (t.numbers.format.scientific && numbers.empty() && t.grid.marks.empty())
      numbers = kGridIndent + notation(t) + "\n";
    const bool has_signs = t.grid.shares || !t.grid.gaps.empty() || hides_weights(t);
    if (t.grid.legend && (has_signs || !t.grid.marks.empty())) signs = legend(t, texts);
  }
  return text + numbers + signs;
}

}  // namespace attn
