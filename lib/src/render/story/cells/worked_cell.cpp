// Works out how a cell was made.
#include "render/story/cells/worked_cell.hpp"

#include <utility>

#include "attn/language.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/cells/cell_remarks.hpp"
#include "render/story/cells/why_hidden.hpp"

namespace attn {

CellOrigin origin_of(const Trace& trace, const Step& step, const Cell& cell) {
  CellOrigin origin{{{&step, cell}}, derive(trace, step, cell)};
  while (origin.how.kind == Expression::Kind::Leaf) {
    const Step& copied = *origin.copies.back().step;
    const auto input = static_cast<std::size_t>(origin.how.input);
    const Step& source = trace.input(copied, input);
    origin.copies.push_back({&source, origin.how.cell});
    origin.how = derive(trace, source, origin.how.cell);
  }
  return origin;
}

bool has_kv_heads(const Step& step) {
  const std::optional<Index>& heads = step.value.shape().heads;
  return heads && *heads != step.scope->settings.heads;
}

std::string head_text(const Step& step, const Cell& cell) {
  if (!step.value.shape().heads) return "";
  return has_kv_heads(step) ? translated("kv head {n}", cell.head)
                            : translated("head {n}", cell.head);
}

Worked worked_cell(const Trace& trace, const CellOrigin& origin, std::string head) {
  Worked worked;
  for (const StepCell& place : origin.copies) {
    std::string name = cell_name(*place.step, place.cell);
    const std::string own = head_text(*place.step, place.cell);
    if (!own.empty() && own != head) {
      name = translated("{cell} of {head}", name, own);
      head = own;
    }
    worked.cells.push_back({place.step->id, place.cell, std::move(name)});
  }
  const StepCell& own = origin.copies.front();
  const Step& last = *origin.copies.back().step;
  worked.how = origin.how;
  worked.inputs = last.inputs;
  worked.result = own.step->value.at(own.cell);
  worked.remark = origin.how.reason.empty() ? hidden_text(trace, *own.step, own.cell)
                                            : translated(origin.how.reason);
  if (worked.remark.empty() && last.is_given())
    worked.remark = given_text(last, origin.copies.back().cell);
  return worked;
}

}  // namespace attn
