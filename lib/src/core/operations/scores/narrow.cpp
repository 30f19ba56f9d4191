// Numbers that a narrower type held for a moment: a known mistake where the type should be wider.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/dtype.hpp"

namespace attn::ops {
namespace {

Dtype type_of(const Parameters& p) { return find_dtype(p.word("dtype")).value_or(Dtype::Float64); }

Expression derive_narrow(const Call& call, const Cell& cell) {
  double x = call[0].at(cell);
  round_to(type_of(call.parameters), {&x, 1});
  return constant(x);
}

constexpr ParameterField kNarrowFields[] = {{.name = "dtype",
                                             .kind = ParameterField::Kind::Word,
                                             .summary = "the number type that is too narrow",
                                             .words = kDtypeNames}};

}  // namespace

const Operation narrow{
    .name = "narrow",
    .formula = "{0} in {dtype}",
    .shape_rule = kLikeInput,
    .evaluate = [](const Call& call) { return rounded(call[0], type_of(call.parameters)); },
    .derive = derive_narrow,
    .fields = kNarrowFields};

}  // namespace attn::ops
