// Finds the cell that an address such as "weights:cat,the" means.
#include "render/story/cell_address.hpp"

#include <optional>

#include "attn/error.hpp"
#include "attn/tool/phrases.hpp"
#include "core/trace/missing_step.hpp"
#include "render/story/cell_names.hpp"
#include "render/story/step_numbers.hpp"

namespace attn {
namespace {

Error bad_cell(const std::string& text, const std::string& what) {
  return {ErrorKind::Usage,
          {{.id = "no-such-cell",
            .what = "\"" + text + "\" does not name a cell: " + what,
            .fix = "Write STEP:ROW,COL, for example weights:1,0 or scores:cat,the."}}};
}

/// What stands before the first colon and what behind it; a step only if there is one of that name.
struct Parts {
  const Step* step;
  std::string name, rest;
};

Parts parts_of(const Trace& trace, const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name(trimmed(text.substr(0, colon)));
  const Step* step = colon == text.npos ? nullptr : trace.find_named(name);
  if (step != nullptr) return {step, name, text.substr(colon + 1)};
  return {nullptr, colon == text.npos ? "weights" : name, text};
}

/// The row and the column of "ROW,COL". A token may hold a comma itself: the first comma counts
/// that leaves a row before it and a column behind it.
std::optional<Cell> find_cell(const Step& step, const std::string& text, Cell cell) {
  const AxisNames rows = row_names(step, cell.batch);
  const AxisNames cols = col_names(step, cell.batch);
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

/// The batch entry that has what the one that is looked at has not; "" if none has.
std::string in_other_entry(const Step& step, const std::string& rest, Cell cell) {
  const Index own = cell.batch;
  for (cell.batch = 0; cell.batch < step.value.batch(); ++cell.batch) {
    if (cell.batch == own || !find_cell(step, rest, cell)) continue;
    const std::string entry = std::to_string(cell.batch);
    return entry;
  }
  return "";
}

/// What is wrong with "ROW,COL", and with the size of the step, which tells what would be right.
Error bad_position(const StepCell& place, const std::string& text, const std::string& rest) {
  const Step& step = *place.step;
  const Index batch = place.cell.batch;
  const std::size_t comma = rest.find(',');
  if (comma == rest.npos)
    return bad_cell(text, "a row and a column are needed, with a comma between");
  try {
    position_of(rest.substr(0, comma), row_names(step, batch), "row");
    position_of(rest.substr(comma + 1), col_names(step, batch), "column");
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostics().front();
    diagnostic.places = {{.remark = step.id + " has " + counted(step.value.rows(), "row") + " (" +
                                    step.info().row_axis + ") and " +
                                    counted(step.value.cols(), "column") + " (" +
                                    step.info().col_axis + ")"}};
    const std::string elsewhere = in_other_entry(step, rest, place.cell);
    if (!elsewhere.empty()) {
      diagnostic.fix = "Batch entry " + elsewhere + " has it.";
      diagnostic.changes = {{"batch", elsewhere}};
    }
    return {ErrorKind::Usage, {diagnostic}};
  }
  return bad_cell(text, "write a row and a column that hold a comma by their index");
}

/// The first cell of a step in the chosen batch entry and head.
StepCell corner_of(const Step& step, const View& view) {
  const Shape& shape = step.value.shape();
  Cell cell;
  cell.batch = shape.batch ? view.batch.value_or(0) : 0;
  // A kv head serves several query heads: --head names the query head.
  const Index group = step.scope->settings.heads / step.value.heads();
  cell.head = shape.heads ? view.head.value_or(0) / group : 0;
  return {&step, cell};
}

Error no_such_step(const Trace& trace, const std::string& text, const std::string& name) {
  Diagnostic diagnostic =
      bad_cell(text, "this problem has no step \"" + name + "\"" + meant_step(trace, name))
          .diagnostics()
          .front();
  add_how_to_get(diagnostic, name);
  return {ErrorKind::Usage, {diagnostic}};
}

}  // namespace

StepCell read_address(const Trace& trace, const std::string& text, const View& view) {
  Parts parts = parts_of(trace, text);
  const bool named = parts.step != nullptr;
  if (!named) parts.step = trace.last_weights();
  if (parts.step != nullptr) {
    const StepCell corner = corner_of(*parts.step, view);
    if (const auto found = find_cell(*parts.step, parts.rest, corner.cell))
      return {parts.step, *found};
  }
  if (!named && is_step_number(parts.name)) {  // but "2:the,cat" may be a row of the weights
    parts.step = &step_of_number(parts.name, numbered_steps(trace, view));
    parts.rest = text.substr(text.find(':') + 1);
    const StepCell corner = corner_of(*parts.step, view);
    if (const auto found = find_cell(*parts.step, parts.rest, corner.cell))
      return {parts.step, *found};
  } else if (parts.step == nullptr || (!named && parts.name != "weights")) {
    throw no_such_step(trace, text, parts.name);
  }
  throw bad_position(corner_of(*parts.step, view), text, parts.rest);
}

}  // namespace attn
