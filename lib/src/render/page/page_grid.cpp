// Writes captions, headers and cells: hatched, shaded, marked or to fill in; explains the marks.
#include "render/page/page_grid.hpp"

#include <algorithm>
#include <cmath>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "render/page/html_text.hpp"
#include "render/terminal/verdict_marks.hpp"
#include "render/writers/markup_grid.hpp"

namespace attn {
namespace {

std::string special_number(double value) {
  return std::isnan(value) ? "NaN" : value < 0 ? "−∞" : "∞";
}

std::string page_number(double value, const NumberFormat& format) {
  return std::isfinite(value) ? format_number(value, format) : special_number(value);
}

std::string html_attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + html_text(value) + "\"";
}

/// Whether a mask hides the cell.
bool is_hatched(const Grid& grid, std::size_t at) {
  return grid.kinds[at] == CellKind::HiddenScore || grid.kinds[at] == CellKind::HiddenWeight;
}

/// Whether the cell differs from the same cell of another grid.
bool is_coloured(const Grid& grid, std::size_t at) {
  return !grid.gaps.empty() && grid.gaps[at] > 0;
}

class GridTable {
 public:
  GridTable(const MarkupGrid& texts, bool fills)
      : texts_(texts),
        fills_(fills),
        grid_(texts.grid),
        format_(texts.format),
        rows_(texts.rows),
        cols_(texts.cols) {}

  std::string text() const {
    const std::string caption = caption_text();
    std::string out = "<div class=\"scroll\" role=\"group\" tabindex=\"0\"" +
                      html_attribute("aria-label", caption.empty() ? "matrix" : caption) +
                      "><table" + attributes() + ">\n";
    if (!caption.empty()) out += "<caption>" + html_text(caption) + "</caption>\n";
    out += "<thead><tr><td>" + html_text(corner()) + "</td>";
    for (std::size_t c = 0; c < cols_.size(); ++c)
      out += "<th scope=\"col\"" + std::string(is_beside(c) ? " class=\"sum\"" : "") + ">" +
             html_text(cols_[c]) + "</th>";
    if (grid_.shares) out += "<th scope=\"col\" class=\"sum\">sum</th>";
    out += "</tr></thead>\n<tbody>\n";
    for (std::size_t r = 0; r < rows_.size(); ++r) out += row(r);
    return out + "</tbody></table></div>\n";
  }

 private:
  std::string caption_text() const {
    const std::string size =
        std::to_string(grid_.row_labels.size()) + "×" + std::to_string(cols_.size() - grid_.beside);
    std::vector<std::string> parts;
    if (!grid_.name.empty()) parts.push_back(grid_.name);
    if (!grid_.caption.empty()) parts.push_back(grid_.caption);
    if (!parts.empty()) parts.push_back(size);
    return separated(parts, " · ");
  }

  std::string corner() const {
    if (grid_.col_title.empty()) return grid_.row_title;
    return grid_.row_title + " \\ " + grid_.col_title;
  }

  /// Which matrix of which step it is.
  std::string place() const {
    std::string text;
    if (!grid_.step.empty()) text += html_attribute("data-step", side_id(grid_.side, grid_.step));
    if (grid_.batch) text += html_attribute("data-batch", std::to_string(*grid_.batch));
    if (grid_.head) text += html_attribute("data-head", std::to_string(*grid_.head));
    return text;
  }

  std::string attributes() const {
    std::string text = place();
    if (grid_.first_row > 0) text += html_attribute("data-row", std::to_string(grid_.first_row));
    if (!grid_.last_step.empty())
      text += html_attribute("data-last", side_id(grid_.side, grid_.last_step));
    if (cols_.size() > 12) text += html_attribute("class", cols_.size() > 24 ? "widest" : "wide");
    if (grid_.stands_for_all) text += " data-alike";
    if (grid_.shares) text += " data-shares";
    return text;
  }

  std::string row(std::size_t r) const {
    std::string out = "<tr><th scope=\"row\">" + html_text(rows_[r]) + "</th>";
    double sum = 0.0;
    for (std::size_t c = 0; c < cols_.size(); ++c) {
      const std::size_t at = texts_.at(r, c);
      out += is_beside(c) ? beside(grid_.numbers[at], format_) : cell(at);
      if (grid_.shares) sum += grid_.numbers[at];
    }
    if (grid_.shares) out += beside(sum, {std::max(format_.precision, 2), false, format_.comma});
    return out + "</tr>\n";
  }

  bool is_beside(std::size_t col) const { return col + grid_.beside >= cols_.size(); }

  /// A number that is no cell of the step.
  static std::string beside(double value, const NumberFormat& format) {
    return "<td class=\"sum\" data-sum=\"" + format_exact(value) + "\">" +
           page_number(value, format) + "</td>";
  }

  std::string cell(std::size_t at) const {
    if (!grid_.marks.empty()) return "<td>" + html_text(mark_of(grid_.marks[at]).sign) + "</td>";
    const double value = grid_.numbers[at];
    if (grid_.kinds[at] == CellKind::Blank) return "<td class=\"blank\">" + blank(at) + "</td>";
    const bool hidden = is_hatched(grid_, at), differs = is_coloured(grid_, at);
    const bool shaded = !hidden && !differs && grid_.shares && value >= 0.05 && value <= 1.0;
    std::vector<std::string> styles;
    if (hidden) styles.emplace_back("hidden");
    if (differs) styles.emplace_back("differs");
    if (shaded) styles.push_back("w" + std::to_string(std::lround(10.0 * value)));
    const std::string text = hidden && value == 0.0 ? "0" : html_text(page_number(value, format_));
    return "<td" + (styles.empty() ? "" : html_attribute("class", separated(styles, " "))) + ">" +
           (differs ? "<mark>" + text + "</mark>" : text) + "</td>";
  }

  std::string blank(std::size_t at) const {
    if (!fills_) return "&emsp;&emsp;&emsp;";
    const std::size_t row = at / cols_.size(), col = at % cols_.size();
    return "<input" + place() + html_attribute("data-row", std::to_string(row)) +
           html_attribute("data-col", std::to_string(col)) +
           html_attribute("aria-label", grid_.name + ": " + rows_[row] + ", " + cols_[col]) +
           " inputmode=\"decimal\" autocomplete=\"off\">";
  }

  const MarkupGrid& texts_;
  bool fills_;
  const Grid& grid_;
  const NumberFormat& format_;
  const std::vector<std::string>&rows_, &cols_;
};

}  // namespace

std::string page_short_number(double value, int precision) {
  return std::isfinite(value) ? short_number(value, precision) : special_number(value);
}

std::string page_grids(const std::vector<const Grid*>& grids, int precision, bool fills) {
  std::string out = "<div class=\"grids\">\n";
  for (const MarkupGrid& texts : markup_grids(grids, {}, precision))
    out += GridTable(texts, fills).text();
  return out + "</div>\n";
}

std::string page_legend(const std::vector<const Grid*>& grids) {
  bool explains = false, hides = false, differs = false;
  for (const Grid* grid : grids) {
    explains = explains || grid->legend || !grid->gaps.empty();
    for (std::size_t at = 0; at < grid->numbers.size(); ++at) {
      hides = hides || is_hatched(*grid, at);
      differs = differs || is_coloured(*grid, at);
    }
  }
  std::vector<std::string> meanings;
  if (explains && hides) meanings.push_back(translated("hatched: hidden"));
  if (explains && differs) meanings.push_back(translated("coloured: differs"));
  for (const auto& [sign, meaning] : mark_legend(grids, false))
    meanings.push_back(sign + " " + meaning);
  return separated(meanings, translated(", "));
}

}  // namespace attn
