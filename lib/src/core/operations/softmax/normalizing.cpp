// What layer norm and RMS norm share: rows stretched by one weight per feature.
#include "core/operations/softmax/normalizing.hpp"

#include <algorithm>

namespace attn::ops {

MaybeShape features_meet(Shapes in, const Parameters&, const Shape&) {
  const bool fits = std::all_of(in.begin() + 1, in.end(), [&](const Shape& each) {
    return each == Shape{{}, {}, 1, in[0].cols};
  });
  return fits ? MaybeShape(in[0]) : std::nullopt;
}

Expression root_of_mean(const Call& call, std::vector<Expression> squares) {
  const auto count = static_cast<double>(squares.size());
  const double epsilon = call.parameters.number("epsilon");
  Expression mean = quotient(sum(std::move(squares)), constant(count));
  return root(epsilon == 0.0 ? std::move(mean) : sum({std::move(mean), constant(epsilon)}));
}

Expression stretched(const Call& call, const Cell& cell, Expression x) {
  const Cell column{0, 0, 0, cell.col};
  Expression y = product(std::move(x), leaf(call[1], 1, column));
  return call.inputs.size() > 2 ? sum({std::move(y), leaf(call[2], 2, column)}) : y;
}

}  // namespace attn::ops
