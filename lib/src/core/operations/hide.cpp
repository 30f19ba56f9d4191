// Scores hidden where the mask is 0: the fill in their place, or added to them.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

bool adds(const Parameters& p) { return p.word("mode") == "add"; }

Tensor evaluate(const Call& call) {
  Tensor y = call.inputs.size() > 2
                 ? add.evaluate({std::vector{call.inputs[0], call.inputs[2]}, {}, call.shape})
                 : call[0];
  const double fill = call.parameters.number("fill");
  const bool added = adds(call.parameters);
  for_each_slice(y, [&](Index b, Index h) {
    const auto mask = call[1].matrix(b, h);
    const auto scores = y.matrix(b, h);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (mask[i] == 0.0) scores[i] = added ? scores[i] + fill : fill;
    }
  });
  return y;
}

Expression derive(const Call& call, const Cell& cell) {
  const bool hidden = call[1].at(cell) == 0.0;
  const Expression fill = constant(call.parameters.number("fill"));
  if (hidden && !adds(call.parameters)) return fill;
  std::vector<Expression> terms{leaf(call[0], 0, cell)};
  if (call.inputs.size() > 2) terms.push_back(leaf(call[2], 2, cell));
  if (hidden) terms.push_back(fill);
  return terms.size() == 1 ? terms[0] : sum(std::move(terms));
}

FormulaPattern formula_for(const Parameters& p) {
  if (!adds(p)) return hide.formula;
  return {"{0}[ + {2}] + ({fill} where mask = 0)",
          "{0}[ + {2}] + ({fill} \\text{ where mask} = 0)"};
}

constexpr const char* kModes[] = {"replace", "add"};
constexpr ParameterField kFields[] = {
    {.name = "mode",
     .kind = ParameterField::Kind::Word,
     .summary = "whether the fill replaces a hidden score or is added to it",
     .words = kModes},
    {.name = "fill", .kind = ParameterField::Kind::Real, .summary = "what hides a score"}};

}  // namespace

const Operation hide{.name = "hide",
                     .formula = {"{0}[ + {2}], {fill} where mask = 0",
                                 "{0}[ + {2}],\\; {fill} \\text{ where mask} = 0"},
                     .shape_rule = {2, 3, kCellRule, by_cells},
                     .evaluate = evaluate,
                     .derive = derive,
                     .fields = kFields,
                     .formula_for = formula_for};

}  // namespace attn::ops
