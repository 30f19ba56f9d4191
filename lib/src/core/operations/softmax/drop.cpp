// Dropout with the cells that were kept: A ∘ keep / (1 − p), so that the mean stays the same.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

void write_drop(const RowsCall& call) {
  const double share = 1.0 - call.parameters.number("p");
  write_pairs(call, call[1], [=](double x, double kept) { return x * kept / share + 0.0; });
}

Expression derive_drop(const Call& call, const Cell& cell) {
  return quotient(product(leaf(call[0], 0, cell), leaf(call[1], 1, cell)),
                  constant(1.0 - call.parameters.number("p")));
}

std::vector<Share> backward_drop(const Differentiated& step) {
  return {{0, &drop, {step.gradient, step.inputs[1]}, step.parameters}};
}

constexpr ParameterField kDropFields[] = {{.name = "p",
                                           .kind = ParameterField::Kind::Number,
                                           .summary = "the share that is dropped on average"}};

}  // namespace

const Operation drop{.name = "drop",
                     .formula = "{0} ∘ {1} / (1 − {p})",
                     .shape_rule = kByCells,
                     .write_rows = write_drop,
                     .derive = derive_drop,
                     .fields = kDropFields,
                     .backward = backward_drop,
                     .gradient_why = "What was dropped has no effect; what was kept has more."};

}  // namespace attn::ops
