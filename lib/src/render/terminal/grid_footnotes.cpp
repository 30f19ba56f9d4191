// Writes what the reader of a matrix needs besides its numbers.
#include "render/terminal/grid_footnotes.hpp"

#include <algorithm>
#include <cmath>

#include "attn/tool/text.hpp"
#include "render/terminal/short_labels.hpp"
#include "render/terminal/styled_line.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;

/// "    showing 6 of 128 columns; --full prints all", and a line before it for rows.
std::string left_out(const GridTexts& t, const Selection& block) {
  std::string text;
  const auto add = [&](const Selection& shown, std::size_t all, const char* what) {
    if (!shown.gap) return;
    const std::string message = "showing " + std::to_string(shown.members.size()) + " of " +
                                std::to_string(all) + what + "; --full prints all";
    const Width room = t.style.width - 1 - display_width(kGridIndent);
    for (const std::string& line : wrapped(message, room, room, t.style.ruler))
      text += kGridIndent + line + "\n";
  };
  add(t.rows_shown, t.rows.size(), " rows");
  add(block, t.cols.size(), " columns");
  return text;
}

/// " 0  ░▒▓█  1   share of the query"; without a strip " 0  to  1   share of the query"
StyledLine ramp(const GridTexts& t) {
  const auto end = [&](double at) {
    return Paint{.kind = Paint::Kind::Heat, .at = at, .palette = t.style.palette};
  };
  std::string signs = t.has_strip ? "" : "to";
  for (const double share : {0.1, 0.3, 0.6, 0.9}) {
    if (t.has_strip) signs += shade(share, t.style.ascii);
  }
  StyledLine line(t.style.ruler);
  line.add(" 0 ", end(0.0)).add(" " + signs + " ").add(" 1 ", end(1.0));
  return line.add("  share of the query");
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
  return text + " means " + text.substr(0, e) + "·10^" +
         std::to_string(std::stoi(text.substr(e + 1)));
}

/// What the signs of weights mean, on two lines where one is too long.
std::string legend(const GridTexts& t) {
  const auto& kinds = t.grid.kinds;
  const bool some = std::find(kinds.begin(), kinds.end(), CellKind::HiddenWeight) != kinds.end();
  StyledLine line(t.style.ruler);
  line.add(kGridIndent);
  std::string before;
  if (some) line.add(hidden_sign(t.style.ascii), kDim).add("  hidden: exactly 0     ");
  if (t.style.fit != Fit::Whole && line.width() + ramp(t).width() >= t.style.width) {
    before = line.text(t.style.color);
    line = StyledLine(t.style.ruler).add(kGridIndent);
  }
  return before + line.add(ramp(t)).text(t.style.color);
}

/// Tokens whose labels were cut, each with its full text: "    internation…  internationalization".
std::string cut_labels(const GridTexts& t, std::set<std::string>& told) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& labels,
                       const std::vector<std::string>& names, bool tokens) {
    if (!tokens) return;
    const std::vector<std::string> full = row_labels(names, kUncut, t.style.ascii);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] == full[i] || !told.insert(labels[i]).second) continue;
      text += kGridIndent + labels[i] + "  is  " + full[i] + "\n";
    }
  };
  add(t.rows, t.grid.row_labels, t.grid.row_tokens);
  add(t.cols, t.grid.col_labels, t.grid.col_tokens);
  return text;
}

}  // namespace

std::string grid_notes(const GridTexts& t, const Selection& first_block,
                       std::set<std::string>& told) {
  std::string text = left_out(t, first_block) + cut_labels(t, told);
  if (t.numbers.format.scientific) text += kGridIndent + notation(t) + "\n";
  if (t.grid.legend && t.grid.shares) text += legend(t);
  return text;
}

}  // namespace attn
