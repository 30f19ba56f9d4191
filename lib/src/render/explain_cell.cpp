#include <algorithm>
#include <set>
#include <tuple>

#include "attn/error.hpp"
#include "attn/explain.hpp"
#include "attn/suggest.hpp"
#include "attn/words.hpp"
#include "render/grids.hpp"
#include "render/labels_of.hpp"
#include "render/worked.hpp"

namespace attn {
namespace {

struct Address {
  const Step* step;
  Cell cell;
};

Error bad_cell(const std::string& text, const std::string& what) {
  return {ErrorKind::Usage,
          {{.id = "no-such-cell",
            .what = "\"" + text + "\" does not name a cell" + (what.empty() ? "" : ": " + what),
            .fix = "Write STEP:ROW,COL, for example weights:1,0 or scores:cat,the."}}};
}

/// Reads "STEP:ROW,COL". A step id ends at the first colon, a row at the first comma; tokens may
/// hold more of both only as an index.
Address read_address(const Trace& trace, const std::string& text, const View& view) {
  const std::size_t colon = text.find(':');
  const std::string id(colon == text.npos ? "weights" : trimmed(text.substr(0, colon)));
  const std::string rest = colon == text.npos ? text : text.substr(colon + 1);
  const Step* step = trace.find_named(id);
  if (step == nullptr) {
    std::vector<std::string> ids;
    for (const Step& each : trace.steps) ids.push_back(each.id);
    throw bad_cell(text, "this problem has no step \"" + id + "\"" + did_you_mean(id, ids));
  }
  const std::size_t comma = rest.find(',');
  if (comma == rest.npos)
    throw bad_cell(text, "a row and a column are needed, with a comma between");
  const Shape& shape = step->value.shape();
  Cell cell;
  cell.batch = shape.batch ? view.batch.value_or(0) : 0;
  const Index group = trace.settings.heads / step->value.heads();
  cell.head = shape.heads ? view.head.value_or(0) / group : 0;
  cell.row = position_of(rest.substr(0, comma), row_names(trace, *step, cell.batch), "row");
  cell.col = position_of(rest.substr(comma + 1), col_names(trace, *step, cell.batch), "column");
  return {step, cell};
}

using Key = std::tuple<const Step*, Index, Index, Index, Index>;

class Telling {
 public:
  Telling(const Trace& trace, const View& view, Document& document)
      : trace_(trace), view_(view), document_(document) {}

  /// The cell's arithmetic, then that of every cell in it that was computed, indented.
  void tell(const Step& step, const Cell& cell, int depth) {
    const Cell own = within(step, cell);
    if (!told_.insert({&step, own.batch, own.head, own.row, own.col}).second) return;
    const Expression how = derive(trace_, step, own);
    document_.blocks.push_back(Worked{line(step, own), depth});
    tell_leaves(step, how, depth + 1);
  }

 private:
  static Cell within(const Step& step, Cell cell) {
    if (!step.value.shape().batch) cell.batch = 0;
    if (!step.value.shape().heads) cell.head = 0;
    return cell;
  }

  std::string line(const Step& step, const Cell& cell) const {
    std::string text = worked_text(trace_, step, cell, view_.precision, 0);
    if (step.op == Op::Given && step.id != "mask") text += "   (given)";
    return step.value.shape().heads ? "head " + std::to_string(cell.head) + ": " + text : text;
  }

  void tell_leaves(const Step& step, const Expression& how, int depth) {
    if (how.kind == Expression::Kind::Leaf) {
      const Step& source = *trace_.find(step.inputs[static_cast<std::size_t>(how.input)]);
      if (source.op != Op::Given || source.id == "mask") tell(source, how.cell, depth);
    }
    for (const Expression& part : how.parts) tell_leaves(step, part, depth);
  }

  const Trace& trace_;
  const View& view_;
  Document& document_;
  std::set<Key> told_;
};

}  // namespace

Document explain_cell(const Trace& trace, const std::string& cell_text, const View& view) {
  check_choice(trace, view);
  const Address address = read_address(trace, cell_text, view);
  Document document;
  document.precision = view.precision;
  const Step& step = *address.step;
  std::string facts = shape_text(step.value.shape().sizes());
  if (step.value.shape().batch) facts += " · batch " + std::to_string(address.cell.batch);
  if (step.value.shape().heads) facts += " · head " + std::to_string(address.cell.head);
  document.blocks.push_back(
      Title{std::string("Where ") + cell_name(trace, step, address.cell) + " comes from",
            formula_text(trace, step) + "   " + facts});
  document.blocks.push_back(Paragraph{step.info().why});
  Telling(trace, view, document).tell(step, address.cell, 0);
  return document;
}

}  // namespace attn
