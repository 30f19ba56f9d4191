// Finds the cell that an address such as "weights:cat,the" or "A[cat, the]" means.
#include "render/story/cells/cell_address.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "attn/error.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "core/trace/axis_names.hpp"
#include "render/story/cells/address_errors.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/steps/step_grids.hpp"
#include "render/story/steps/step_numbers.hpp"

namespace attn {
namespace {

/// The step before the first colon or bracket, if there is one of that name, and what comes after.
struct Parts {
  const Step* step;
  std::string name, rest;
};

/// Takes "batch 0 · head 1: ", as it is printed before a cell, off the front of `bare`, and returns
/// it as "batch 0][head 1][".
std::string take_caption(std::string& bare) {
  const std::size_t colon = bare.find(':');
  const bool is_caption =
      bare.starts_with("batch ") || bare.starts_with("head ") || bare.starts_with("kv head ");
  if (!is_caption || colon == bare.npos || colon > bare.find('[')) return "";
  // Of "kv head 0, for heads 0 and 1" the first words are enough.
  std::string caption(trimmed(bare.substr(0, std::min(colon, bare.find(',')))));
  if (caption.find_last_of("0123456789") + 1 != caption.size()) return "";
  bare = trimmed(bare.substr(colon + 1));
  constexpr std::string_view kDot = " · ";
  const std::size_t between = caption.find(kDot);
  if (between != caption.npos) caption.replace(between, kDot.size(), "][");
  return caption + "][";
}

/// The step with that id or symbol; in a model also the only step of the view's layers with that id
/// within its scope. nullptr if there is none. Throws Error if there are several.
const Step* step_of_name(const Trace& trace, const std::string& name, const std::string& text,
                         const View& view) {
  const Step* own = trace.find_named(name);
  const bool printed = own != nullptr && (own->id == name || own->scope->name.empty());
  if (printed || !trace.is_model()) return own;
  std::vector<const Step*> found = steps_named(trace, name);
  std::erase_if(found, [&](const Step* step) {
    return view.layer && place_of(*step->scope).layer != view.layer;
  });
  if (found.size() < 2) return found.empty() ? nullptr : found.front();
  std::vector<std::string> ids;
  for (const Step* step : found) ids.push_back(step->id);
  throw bad_cell(text, "\"" + name + "\" names " + counted(std::ssize(ids), "step"),
                 "Name one of " + listed(ids, 6) + ".");
}

Parts parts_of(const Trace& trace, const std::string& text, const View& view) {
  const auto find = [&](const std::string& name) { return step_of_name(trace, name, text, view); };
  std::string bare(trimmed(text));
  const std::string caption = take_caption(bare);
  const std::size_t open = bare.find('['), close = bare.rfind(']');
  if (open != bare.npos) {
    const std::string name = bare.substr(0, open);
    const Step* step = find(name);
    const bool closed = close != bare.npos && close > open;
    if (step != nullptr && !closed)
      throw bad_cell(text, "its bracket is not closed", "Write " + bare + "].");
    const std::string rest = caption + bare.substr(open + 1, close - open - 1),
                      after = bare.substr(std::min(close, bare.size() - 1) + 1);
    if (step != nullptr && after.empty()) return {step, name, rest};
    if (step != nullptr && after.starts_with(" of "))
      return {step, name, after.substr(4) + "][" + rest};
  }
  const std::string& all = caption.empty() ? text : bare;  // a token may end in a space
  const std::size_t colon = all.find(':');
  if (colon == all.npos) return {nullptr, "", text};
  const std::string name(trimmed(all.substr(0, colon)));
  const Step* step = find(name);
  return {step, name, step == nullptr ? text : caption + all.substr(colon + 1)};
}

/// Takes "head 1][" or "batch 0][" off the front of `rest`, and makes it the choice of `view`.
void take_choice(const Step& step, std::string& rest, View& view) {
  const Index group = group_size(step.scope->settings.heads, step.value);
  struct Row {
    const char* word;
    std::optional<Index>& chosen;
    Index times;
  };
  const Row rows[] = {
      {"kv head ", view.head, group}, {"head ", view.head, 1}, {"batch ", view.batch, 1}};
  const auto take = [&](const Row& row) {
    const std::string word = row.word;
    const std::size_t digits = rest.find_first_not_of("0123456789", word.size());
    if (!rest.starts_with(word) || digits == word.size() || digits > word.size() + 9) return false;
    if (rest.compare(digits, 2, "][") != 0) return false;
    row.chosen = std::stol(rest.substr(word.size(), digits - word.size())) * row.times;
    rest.erase(0, digits + 2);
    return true;
  };
  while (std::any_of(std::begin(rows), std::end(rows), take)) {
  }
}

/// The row and the column of "ROW,COL". A token may hold a comma itself: what counts is the
/// first comma that leaves a row before it and a column after it.
std::optional<Cell> find_cell(const Step& step, const std::string& text, Cell cell) {
  const AxisNames rows = row_names(step, cell.batch, cell.head);
  const AxisNames cols = col_names(step, cell.batch, cell.head);
  constexpr std::size_t kMostCommas = 100;  // each is tried, with all names
  if (std::count(text.begin(), text.end(), ',') > std::ptrdiff_t{kMostCommas}) return std::nullopt;
  for (std::size_t at = text.find(','); at != text.npos; at = text.find(',', at + 1)) {
    const auto row = find_position(text.substr(0, at), rows);
    const auto col = find_position(text.substr(at + 1), cols);
    if (!row || !col) continue;
    cell.row = *row;
    cell.col = *col;
    return cell;
  }
  return std::nullopt;
}

/// The indices before the first comma and after it of "HEAD,ROW,COL"; nothing unless it has three
/// parts that begin with a whole number.
std::optional<std::pair<std::string, std::string>> head_and_place(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos || text.find(',', comma + 1) == text.npos) return std::nullopt;
  const std::string head(trimmed(text.substr(0, comma)));
  const bool digits = !head.empty() && head.find_first_not_of("0123456789") == head.npos;
  if (!digits) return std::nullopt;
  return std::pair(head, text.substr(comma + 1));
}

constexpr std::size_t kMostDigits = 9;  // of an index

/// Whether the digits of an index are less than `count`.
bool is_below(const std::string& digits, Index count) {
  return digits.size() <= kMostDigits && std::stol(digits) < count;
}

/// The cell of "HEAD,ROW,COL", "BATCH,ROW,COL" or "BATCH,HEAD,ROW,COL", in the order of a trace's
/// axes. One index is that of a head if there are several; "0" is also an axis of one entry.
std::optional<Cell> find_in_axes(const Step& step, const std::string& text, Cell cell,
                                 const View& view) {
  const auto parts = head_and_place(text);
  if (!parts || parts->first.size() > kMostDigits) return std::nullopt;
  const Shape& shape = step.value.shape();
  const Index index = std::stol(parts->first);
  const auto more = head_and_place(parts->second);
  if (shape.batch && shape.heads && !view.batch && !view.head && more &&
      more->first.size() <= kMostDigits) {
    const Index head = std::stol(more->first);
    Cell both = cell;
    both.batch = index;
    both.head = head;
    const bool inside = index < step.value.batch() && head < step.value.heads();
    if (const auto found = inside ? find_cell(step, more->second, both) : std::nullopt)
      return found;
  }
  const bool of_heads = shape.heads && (step.value.heads() > 1 || step.value.batch() == 1);
  if ((!of_heads && !shape.batch) || (of_heads ? view.head : view.batch)) return std::nullopt;
  if (index >= (of_heads ? step.value.heads() : step.value.batch())) return std::nullopt;
  (of_heads ? cell.head : cell.batch) = index;
  return find_cell(step, parts->second, cell);
}

/// The row of "ROW"; in a step with a single row or a single column, the cell that it names.
std::optional<Address> find_row(const Step& step, const std::string& text, Cell cell) {
  const bool one_row = step.info().row_axis == std::string_view("1");
  std::string name = text;
  for (const char* all : {", …", ", ..."}) {  // "Q[cat, …]" is the row in remarks
    if (name.ends_with(all)) name.resize(name.size() - std::string_view(all).size());
  }
  const auto at = find_position(name, one_row ? col_names(step, cell.batch, cell.head)
                                              : row_names(step, cell.batch, cell.head));
  if (!at) return std::nullopt;
  (one_row ? cell.col : cell.row) = *at;
  const bool one_col = step.info().col_axis == std::string_view("1");
  return Address{{&step, cell}, true, !one_row && !one_col};
}

/// The batch entry that has what the chosen one does not have; "" if none has.
std::string in_other_entry(const Step& step, const std::string& rest, Cell cell) {
  const Index own = cell.batch;
  for (cell.batch = 0; cell.batch < step.value.batch(); ++cell.batch) {
    if (cell.batch == own || !find_cell(step, rest, cell)) continue;
    return std::to_string(cell.batch);
  }
  return "";
}

/// What is wrong with "ROW,COL", with the size of the step, which shows what would be right.
Error bad_position(const StepCell& place, const std::string& text, const std::string& rest) {
  const Step& step = *place.step;
  if (rest.find("][") != rest.npos) return bad_brackets(text, step.id);
  const Index batch = place.cell.batch;
  const std::size_t comma = rest.find(',');
  if (comma == rest.npos && rest == text)
    return bad_cell(text, "a query and a key are needed, with a comma between them");
  if (const auto parts = head_and_place(rest)) {
    const Index heads = step.value.heads();
    const auto more = step.value.shape().batch && step.value.shape().heads
                          ? head_and_place(parts->second)
                          : std::nullopt;
    if (more) {  // BATCH,HEAD,ROW,COL
      if (!is_below(parts->first, step.value.batch()))
        return bad_axis(step, text, parts->first, true);
      if (!is_below(more->first, heads)) return bad_axis(step, text, more->first, false);
      StepCell inside = place;
      inside.cell.batch = std::stol(parts->first);
      inside.cell.head = std::stol(more->first);
      return bad_position(inside, text, more->second);
    }
    const bool has_head = find_in_axes(step, parts->first + ",0,0", place.cell, {}).has_value();
    if (!has_head) return bad_axis(step, text, parts->first, heads == 1 && step.value.batch() > 1);
    return bad_position(place, text, parts->second);
  }
  try {
    const bool both = comma != rest.npos;
    const bool one_row = step.info().row_axis == std::string_view("1");
    if (both || !one_row)
      position_of(rest.substr(0, comma), row_names(step, batch, place.cell.head), "row");
    if (both || one_row) {  // "b_q:q1" names a column
      const std::string column = both ? rest.substr(comma + 1) : rest;
      position_of(column, col_names(step, batch, place.cell.head), "column");
    }
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostics().front();
    diagnostic.places = {{.remark = size_of(step)}};
    const std::string elsewhere = in_other_entry(step, rest, place.cell);
    if (!elsewhere.empty()) {
      diagnostic.fix = "Batch entry " + elsewhere + " has it.";
      diagnostic.changes = {{"batch", elsewhere}};
    }
    return {ErrorKind::Usage, {diagnostic}};
  }
  return bad_cell(text, "if the name of a row or column contains a comma, give its index");
}

/// The first cell of a step in the chosen batch entry and head.
StepCell corner_of(const Step& step, const View& view) {
  const Shape& shape = step.value.shape();
  Cell cell;
  cell.batch = shape.batch ? view.batch.value_or(0) : 0;
  const Index head = view.head.value_or(0);  // of the query
  cell.head = shape.heads ? kv_head(head, step.scope->settings.heads, step.value) : 0;
  return {&step, cell};
}

/// What is before the bracket, "C" of "C[cat, c0]"; "" if there is none, or if "C[cat" is a row.
std::string name_before_bracket(const std::string& text, const StepCell& place) {
  const std::size_t open = text.find('[');
  const AxisNames rows = row_names(*place.step, place.cell.batch, place.cell.head);
  const bool is_row = find_position(text.substr(0, text.find(',')), rows).has_value();
  return open == text.npos || is_row ? "" : std::string(trimmed(text.substr(0, open)));
}

/// The cell or row of a step. Columns of several heads may have names of their own, such as "q3",
/// which say which head is meant unless `view` chooses one.
Address find_address(const Step& step, const std::string& text, const std::string& rest,
                     const View& view) {
  const StepCell corner = corner_of(step, view);
  const Index last = view.head ? corner.cell.head : step.value.heads() - 1;
  Cell first = corner.cell;
  for (; first.head <= last; ++first.head) {
    if (const auto cell = find_cell(step, rest, first)) return {{&step, *cell}};
    if (const auto row = find_row(step, rest, first)) return *row;
  }
  if (const auto cell = find_in_axes(step, rest, corner.cell, view)) return {{&step, *cell}};
  throw bad_position(corner, text, rest);
}

/// How an address is written: "weights[head 1][2,0]".
std::string address_of(const Step& step, const Cell& cell) {
  const auto choice = [](const char* axis, std::optional<Index> size, Index i) {
    return size.value_or(1) > 1 ? filled("[{} {}]", axis, i) : std::string();
  };
  const Shape& shape = step.value.shape();
  return step.id + choice("batch", shape.batch, cell.batch) +
         choice("head", shape.heads, cell.head) + filled("[{},{}]", cell.row, cell.col);
}

/// "0.478", a number as it is shown: the cell that holds it.
Address cell_with_number(const Trace& trace, const std::string& text) {
  constexpr std::size_t kMost = 4;
  const double wanted = *parse_number(text);
  const auto decimals = static_cast<double>(text.size() - text.find('.') - 1);
  const double close = 0.5000001 * std::pow(10.0, -decimals);
  std::vector<StepCell> found;
  for (const Step& step : trace.steps) {
    const Tensor& numbers = step.value;
    for (Index i = 0; i < numbers.shape().count() && !step.is_outline(); ++i) {
      const Cell cell = numbers.shape().cell_at(i);
      if (std::abs(numbers.at(cell) - wanted) <= close) found.push_back({&step, cell});
    }
  }
  if (found.size() == 1) return {found.front()};
  if (found.empty()) throw bad_cell(text, "no cell of a step is " + text);
  std::vector<std::string> places;
  for (std::size_t i = 0; i < std::min(found.size(), kMost); ++i)
    places.push_back(address_of(*found[i].step, found[i].cell));
  if (found.size() > kMost) places.push_back(std::to_string(found.size() - kMost) + " more");
  throw bad_cell(text, "it is the number in " + counted(std::ssize(found), "cell"),
                 "Name one: " + listed(places) + ".");
}

/// "logits:11,owl": of a step that has such a cell, or any cell of `usual`.
std::string cell_like(const Trace& trace, const Step& usual, const std::string& text,
                      const View& view) {
  const auto has_cell = [&](const Step& step) {
    return find_cell(step, text, corner_of(step, view).cell).has_value();
  };
  if (has_cell(usual)) return usual.id + ":" + text;
  const auto found = std::find_if(trace.steps.begin(), trace.steps.end(), has_cell);
  return found == trace.steps.end() ? address_of(usual, corner_of(usual, view).cell)
                                    : found->id + ":" + text;
}

}  // namespace

Address read_address(const Trace& trace, const std::string& text, View view) {
  if (text.find('.') != text.npos && text.find_first_of(":,[") == text.npos && parse_number(text))
    return cell_with_number(trace, text);
  Parts parts = parts_of(trace, text, view);
  if (parts.step != nullptr) take_choice(*parts.step, parts.rest, view);
  check_choice(trace, view);
  if (parts.step != nullptr) return find_address(*parts.step, text, parts.rest, view);
  const Step* weights = trace.last_weights();
  if (trace.is_model() && parts.name.empty() && weights != nullptr) {
    throw bad_cell(text, "in a model, the step must be named",
                   "Write " + cell_like(trace, *weights, text, view) + ", for example.");
  }
  if (weights != nullptr) {
    const StepCell corner = corner_of(*weights, view);
    const auto pair = find_cell(*weights, text, corner.cell);
    if (pair) return {{weights, *pair}, false};
    const std::string symbol = name_before_bracket(text, corner);
    if (!steps_named(trace, symbol).empty()) throw bad_brackets(text, symbol);
    if (!symbol.empty()) throw no_such_step(trace, text, symbol);
    if (parts.name.empty()) throw bad_position(corner, text, text);
  }
  // Only now: "2:the,cat" may be a pair.
  if (!is_step_number(parts.name)) throw no_such_step(trace, text, parts.name);
  return find_address(step_of_number(parts.name, numbered_steps(trace, view)), text,
                      text.substr(text.find(':') + 1), view);
}

}  // namespace attn
