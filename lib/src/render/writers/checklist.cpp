// Writes checklists as aligned text, as sentences or as a table.
#include "render/writers/checklist.hpp"

#include <algorithm>
#include <array>

#include "attn/language.hpp"
#include "attn/render/text.hpp"
#include "render/terminal/notes.hpp"
#include "render/terminal/styled_line.hpp"
#include "render/terminal/verdict_marks.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
constexpr std::string_view kBlockIndent = "    ";
constexpr Width kGap = 2;

using Item = Checklist::Item;

/// The columns of a line, without its remark.
std::array<std::string, 5> columns_of(const Item& item, bool ascii) {
  const std::string number =
      item.number == 0 ? ""
                       : "[" + std::to_string(item.number) + "/" + std::to_string(item.total) + "]";
  std::array<std::string, 5> columns{number, item.symbol, item.id, item.shape, item.share};
  for (std::string& column : columns) column = shown_text(column, ascii);
  return columns;
}

/// "follows from your earlier steps, 2 blank", and which is the first wrong step.
std::string remark_of(const Item& item, bool ascii) {
  std::string remark = item.remark;
  if (item.first_wrong) remark += (remark.empty() ? "← " : "  ← ") + translated("first wrong step");
  return shown_text(remark, ascii);
}

}  // namespace

Table checklist_table(const Checklist& list, bool ascii) {
  Table table{
      {"", translated("step"), "", "", translated("shape"), translated("right"), ""}, {}, 7};
  for (const Item& item : list.items) {
    auto& row = table.rows.emplace_back();
    row.push_back(mark_of(item.verdict).text(ascii));
    for (const std::string& column : columns_of(item, ascii)) row.push_back(column);
    row.push_back(remark_of(item, ascii));
  }
  return table;
}

std::string checklist_text(const Checklist& list, const TextStyle& style) {
  std::array<Width, 5> widths{};
  for (const Item& item : list.items) {
    const auto columns = columns_of(item, style.ascii);
    for (std::size_t c = 0; c < widths.size(); ++c)
      widths[c] = std::max(widths[c], style.ruler.width(columns[c]));
  }
  std::string text;
  for (const Item& item : list.items) {
    const VerdictMark& mark = mark_of(item.verdict);
    const auto columns = columns_of(item, style.ascii);
    StyledLine line(style.ruler);
    line.add_left(mark.text(style.ascii), style.ascii ? 2 : 1, mark.paint);
    for (std::size_t c = 0; c < widths.size(); ++c) {
      line.add(spaces(kGap));
      const bool is_name = c == 1 || c == 2;  // symbol and id
      if (is_name) line.add_left(columns[c], widths[c], mark.paint);
      if (!is_name) line.add_right(columns[c], widths[c]);
    }
    const std::string remark = remark_of(item, style.ascii);
    const bool fits =
        style.fit == Fit::Whole || line.width() + kGap + style.ruler.width(remark) < style.width;
    if (fits) line.add(spaces(kGap)).add(remark);
    text += line.text(style.color);
    if (!fits) text += prose(remark, style, kBlockIndent, kBlockIndent);
  }
  return text;
}

std::vector<std::string> checklist_lines(const Checklist& list) {
  std::vector<std::string> lines;
  for (const Item& item : list.items) {
    const std::string number =
        item.number == 0 ? "" : translated("step {n} of {all}", item.number, item.total);
    lines.push_back(
        labelled(translated(mark_of(item.verdict).word),
                 comma_joined({number, item.symbol, item.id, item.shape, item.share, item.remark,
                               item.first_wrong ? translated("first wrong step") : ""})));
  }
  return lines;
}

}  // namespace attn
