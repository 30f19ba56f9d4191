#include "render/cell_address.hpp"

#include <optional>

#include "attn/error.hpp"
#include "attn/suggest.hpp"
#include "attn/words.hpp"
#include "render/labels_of.hpp"

namespace attn {
namespace {

Error bad_cell(const std::string& text, const std::string& what) {
  return {ErrorKind::Usage,
          {{.id = "no-such-cell",
            .what = "\"" + text + "\" does not name a cell: " + what,
            .fix = "Write STEP:ROW,COL, for example weights:1,0 or scores:cat,the.",
            .help = "attn help steps"}}};
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
std::optional<Cell> find_cell(const Trace& trace, const Step& step, const std::string& text,
                              Cell cell) {
  const AxisNames rows = row_names(trace, step, cell.batch);
  const AxisNames cols = col_names(trace, step, cell.batch);
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

/// What is wrong with "ROW,COL", and with the size of the step, which tells what would be right.
Error bad_position(const Trace& trace, const Step& step, const std::string& text,
                   const std::string& rest, Index batch) {
  const std::size_t comma = rest.find(',');
  if (comma == rest.npos)
    return bad_cell(text, "a row and a column are needed, with a comma between");
  try {
    position_of(rest.substr(0, comma), row_names(trace, step, batch), "row");
    position_of(rest.substr(comma + 1), col_names(trace, step, batch), "column");
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostics().front();
    diagnostic.places = {{.remark = step.id + " has " + counted(step.value.rows(), "row") + " (" +
                                    step.info().row_axis + ") and " +
                                    counted(step.value.cols(), "column") + " (" +
                                    step.info().col_axis + ")",
                          .file = "--cell " + text}};
    return {ErrorKind::Usage, {diagnostic}};
  }
  return bad_cell(text, "write a row and a column that hold a comma by their index");
}

}  // namespace

StepCell read_address(const Trace& trace, const std::string& text, const View& view) {
  const Parts parts = parts_of(trace, text);
  const Step* step = parts.step != nullptr ? parts.step : trace.last_weights();
  Cell cell;
  if (step != nullptr) {
    const Shape& shape = step->value.shape();
    cell.batch = shape.batch ? view.batch.value_or(0) : 0;
    // A kv head serves several query heads: --head names the query head.
    const Index group = trace.settings.heads / step->value.heads();
    cell.head = shape.heads ? view.head.value_or(0) / group : 0;
    if (const auto found = find_cell(trace, *step, parts.rest, cell)) return {step, *found};
  }
  if (step == nullptr || (parts.step == nullptr && parts.name != "weights")) {
    std::vector<std::string> ids;
    for (const Step& each : trace.steps) ids.push_back(each.id);
    throw bad_cell(
        text, "this problem has no step \"" + parts.name + "\"" + did_you_mean(parts.name, ids));
  }
  throw bad_position(trace, *step, text, parts.rest, cell.batch);
}

}  // namespace attn
