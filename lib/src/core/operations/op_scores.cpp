#include <array>
#include <cmath>

#include "attn/eigen.hpp"
#include "core/operations/op_functions.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {

Tensor scale(Inputs in, const Parameters& p) {
  Tensor y = *in[0];
  for (double& number : y.data()) number *= p.number;
  return y;
}

Expression derive_scale(Inputs in, const Parameters& p, const Cell& cell) {
  if (p.divisor == 0.0) return product({leaf(*in[0], 0, cell), constant(p.number)});
  return quotient(leaf(*in[0], 0, cell), constant(p.divisor, p.symbol));
}

Tensor softcap(Inputs in, const Parameters& p) {
  Tensor y = *in[0];
  for (double& number : y.data()) number = p.number * std::tanh(number / p.number);
  return y;
}

Expression derive_softcap(Inputs in, const Parameters& p, const Cell& cell) {
  const Expression cap = constant(p.number);
  return product({cap, tangent_hyperbolic(quotient(leaf(*in[0], 0, cell), cap))});
}

Tensor add(Inputs in, const Parameters&) {
  Tensor y = *in[0];
  for_each_slice(y, [&](Index b, Index h) { view(y, b, h) += view(*in[1], b, h); });
  return y;
}

Expression derive_add(Inputs in, const Parameters&, const Cell& cell) {
  return sum({leaf(*in[0], 0, cell), leaf(*in[1], 1, cell)});
}

Tensor hide(Inputs in, const Parameters& p) {
  Tensor y = in.size() > 2 ? add(std::array{in[0], in[2]}, p) : *in[0];
  for_each_slice(y, [&](Index b, Index h) {
    MatrixView scores = view(y, b, h);
    const ConstMatrixView mask = view(*in[1], b, h);
    for (Index i = 0; i < scores.size(); ++i) {
      if (mask.data()[i] == 0.0) scores.data()[i] = p.add ? scores.data()[i] + p.number : p.number;
    }
  });
  return y;
}

Expression derive_hide(Inputs in, const Parameters& p, const Cell& cell) {
  const bool hidden = in[1]->at(cell) == 0.0;
  if (hidden && !p.add) return constant(p.number);
  std::vector<Expression> terms{leaf(*in[0], 0, cell)};
  if (in.size() > 2) terms.push_back(leaf(*in[2], 2, cell));
  if (hidden) terms.push_back(constant(p.number));
  return terms.size() == 1 ? terms[0] : sum(std::move(terms));
}

Tensor multiply_elements(Inputs in, const Parameters&) {
  Tensor y = *in[0];
  for_each_slice(y, [&](Index b, Index h) { view(y, b, h).array() *= view(*in[1], b, h).array(); });
  return y;
}

Expression derive_multiply_elements(Inputs in, const Parameters&, const Cell& cell) {
  return product({leaf(*in[0], 0, cell), leaf(*in[1], 1, cell)});
}

Tensor keep_rows(Inputs in, const Parameters&) {
  Tensor y = *in[0];
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      if (view(*in[1], b, h)(r, 0) == 0.0) view(y, b, h).row(r).setZero();
    }
  });
  return y;
}

Expression derive_keep_rows(Inputs in, const Parameters&, const Cell& cell) {
  const bool kept = in[1]->at({cell.batch, cell.head, cell.row, 0}) != 0.0;
  return kept ? leaf(*in[0], 0, cell) : constant(0.0);
}

}  // namespace attn::ops
