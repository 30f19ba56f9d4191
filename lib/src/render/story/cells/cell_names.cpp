// Finds rows and columns by their names, and names cells.
#include "render/story/cells/cell_names.hpp"

#include <algorithm>

#include "attn/error.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/suggest.hpp"
#include "render/terminal/short_labels.hpp"

namespace attn {
namespace {

bool all_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

Error no_such(const std::string& text, const AxisNames& names, const std::string& what) {
  const std::string last = std::to_string(names.names.size() - 1);
  return {ErrorKind::Usage,
          {{.id = "no-such-" + what,
            .what = "there is no " + what + " \"" + text + "\"" +
                    (all_digits(text) ? "" : did_you_mean(text, names.names)),
            .fix = all_digits(text) ? "Indices start at 0: the last is " + last + "."
                   : names.names.size() == 1
                       ? "The only one is " + listed_tokens(names.names) + ", with index 0."
                       : "Name one (" + listed_tokens(names.names) +
                             ") or give an index from 0 to " + last + "."}}};
}

/// A name as labels show it, after its index if it occurs more than once.
std::string label_of(const AxisName& name, Index i) {
  return (name.repeated ? std::to_string(i) + ":" : "") +
         (name.token ? shown_token(name.name) : name.name);
}

std::string quoted(const AxisName& name, Index i) {
  return name.token ? "\"" + label_of(name, i) + "\"" : label_of(name, i);
}

/// Whether labels show a name as `text`, with escapes or quotes: "\u{200d}", "' '".
bool is_shown_as(const std::string& text, const std::string& name) {
  if (text.find_first_of("\\'") == text.npos) return false;  // there may be thousands of names
  return shown_token(name) == text || shown_token(name, true) == text;
}

}  // namespace

std::optional<Index> find_position(const std::string& text, const AxisNames& names) {
  const auto& all = names.names;
  const auto only = [&](const auto& is_meant) {
    const auto at = std::find_if(all.begin(), all.end(), is_meant);
    const bool repeated = at != all.end() && std::any_of(at + 1, all.end(), is_meant);
    return at == all.end() || repeated ? std::nullopt : std::optional<Index>(at - all.begin());
  };
  if (std::find(all.begin(), all.end(), text) != all.end())
    return only([&](const std::string& name) { return name == text; });
  const auto shown = only([&](const std::string& name) { return is_shown_as(text, name); });
  if (shown) return shown;
  if (const std::string bare(trimmed(text)); bare != text) return find_position(bare, names);
  const std::size_t colon = text.find(':');  // "0:the", as repeated tokens are shown; "0:"
  const std::string digits = text.substr(0, colon);
  if (digits.size() > 9 || !all_digits(digits)) return std::nullopt;
  const auto position = std::stoul(digits);
  const std::string name = colon == text.npos ? "" : text.substr(colon + 1);
  const bool fits = position < all.size() &&
                    (name.empty() || all[position] == name || is_shown_as(name, all[position]));
  return fits ? std::optional<Index>(static_cast<Index>(position)) : std::nullopt;
}

Index position_of(const std::string& text, const AxisNames& names, const std::string& what) {
  if (const auto position = find_position(text, names)) return *position;
  const std::string bare(trimmed(text));
  std::string where;
  for (std::size_t i = 0; i < names.names.size(); ++i) {
    if (names.names[i] == text || names.names[i] == bare)
      where += (where.empty() ? "" : ", ") + std::to_string(i);
  }
  const std::string index = bare.substr(0, bare.size() - bare.ends_with(':'));  // of "2:"
  if (where.empty()) throw no_such(all_digits(index) ? index : bare, names, what);
  throw Error(ErrorKind::Usage, {{.id = "ambiguous-" + what,
                                  .what = "the token \"" + bare + "\" occurs more than once",
                                  .fix = "Name it by its index: " + where + "."}});
}

std::string rows_text(const Step& step) {
  const std::string axis = step.info().row_axis;
  return with_remark(translated_count(step.value.rows(), "row"),
                     axis == "1" ? "" : translated(axis));
}

std::string columns_text(const Step& step) {
  const std::string axis = col_axis_name(step);
  return with_remark(translated_count(step.value.cols(), "column"),
                     axis.empty() ? "" : translated(axis));
}

std::string row_label(const Step& step, const Cell& cell) {
  return label_of(name_of_row(step, cell), cell.row);
}

std::string col_label(const Step& step, const Cell& cell) {
  return label_of(name_of_col(step, cell), cell.col);
}

std::string quoted_row(const Step& step, const Cell& cell) {
  return quoted(name_of_row(step, cell), cell.row);
}

std::string quoted_col(const Step& step, const Cell& cell) {
  return quoted(name_of_col(step, cell), cell.col);
}

std::string step_name(const Step& step) {
  return step.scope->name.empty() ? symbol_text(step) : step.id;
}

std::string row_name(const Step& step, const Cell& cell) {
  return step_name(step) + "[" + row_label(step, cell) + "]";
}

bool are_alike(const std::vector<Cell>& cells, Index Cell::*axis) {
  return std::all_of(cells.begin(), cells.end(),
                     [&](const Cell& each) { return each.*axis == cells.front().*axis; });
}

std::string cell_name(const Step& step, const Cell& cell) { return cells_name(step, {cell}); }

std::string cells_name(const Step& step, const std::vector<Cell>& cells) {
  const Cell& cell = cells.front();
  const bool has_rows = step.info().row_axis != std::string_view("1");
  const bool has_cols = step.info().col_axis != std::string_view("1");
  const bool one_row = are_alike(cells, &Cell::row), one_col = are_alike(cells, &Cell::col);
  std::string text = step_name(step);
  if (!(has_rows && one_row) && !(has_cols && one_col)) return text;
  text += "[";
  if (has_rows) text += one_row ? row_label(step, cell) : "…";
  if (has_rows && has_cols) text += ", ";
  if (has_cols) text += one_col ? col_label(step, cell) : "…";
  return text + "]";
}

}  // namespace attn
