#include <cmath>

#include "attn/eigen.hpp"
#include "core/operations/op_functions.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Index position(const Parameters& p, Index batch, Index row) {
  return row + p.offsets[p.offsets.size() == 1 ? 0 : static_cast<std::size_t>(batch)];
}

/// The divisor of pair `i` of `d` columns: base^(2i/d).
double wavelength(double base, Index i, Index d) {
  return std::pow(base, static_cast<double>(2 * i) / static_cast<double>(d));
}

/// position / base^(2i/d), as arithmetic writes it.
Expression angle(const Parameters& p, Index batch, Index row, Index i, Index d) {
  const auto pos = static_cast<double>(position(p, batch, row));
  const bool whole = p.base == std::floor(p.base) && p.base < 1e15;
  const std::string divisor = whole ? std::to_string(static_cast<long long>(p.base)) + "^(" +
                                          std::to_string(2 * i) + "/" + std::to_string(d) + ")"
                                    : "";
  return quotient(constant(pos), constant(wavelength(p.base, i, d), divisor));
}

/// The two columns that turn together, and which of them `col` is.
struct Pair {
  Index index, first, second;
  bool is_first;
};

Pair pair_of(const Parameters& p, Index col) {
  const Index half = p.rotary_dim / 2;
  if (p.interleaved) return {col / 2, col - col % 2, col - col % 2 + 1, col % 2 == 0};
  const Index i = col % half;
  return {i, i, i + half, col < half};
}

}  // namespace

// Vaswani et al. 2017, section 3.5: sine in even columns, cosine in odd ones.
Tensor sinusoid(Inputs, const Parameters& p) {
  Tensor y(p.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index c = 0; c < y.cols(); ++c) {
        const double x =
            static_cast<double>(position(p, b, r)) / wavelength(p.base, c / 2, y.cols());
        view(y, b, h)(r, c) = c % 2 == 0 ? std::sin(x) : std::cos(x);
      }
    }
  });
  return y;
}

Expression derive_sinusoid(Inputs, const Parameters& p, const Cell& cell) {
  Expression x = angle(p, cell.batch, cell.row, cell.col / 2, p.shape.cols);
  return cell.col % 2 == 0 ? sine(std::move(x)) : cosine(std::move(x));
}

// Su et al. 2021, RoFormer, equation 34; pairs as in GPT-NeoX and Llama (halves) or as in the paper
// (neighbours).
Tensor rotate(Inputs in, const Parameters& p) {
  const Tensor& x = *in[0];
  Tensor y = x;
  for_each_slice(y, [&](Index b, Index h) {
    const ConstMatrixView from = view(x, b, h);
    MatrixView to = view(y, b, h);
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index i = 0; i < p.rotary_dim / 2; ++i) {
        const Pair pair = pair_of(p, p.interleaved ? 2 * i : i);
        const double t =
            static_cast<double>(position(p, b, r)) / wavelength(p.base, i, p.rotary_dim);
        const double first = from(r, pair.first), second = from(r, pair.second);
        to(r, pair.first) = first * std::cos(t) - second * std::sin(t);
        to(r, pair.second) = second * std::cos(t) + first * std::sin(t);
      }
    }
  });
  return y;
}

Expression derive_rotate(Inputs in, const Parameters& p, const Cell& cell) {
  if (cell.col >= p.rotary_dim) return leaf(*in[0], 0, cell);
  const Pair pair = pair_of(p, cell.col);
  const auto at = [&](Index col) {
    return leaf(*in[0], 0, {cell.batch, cell.head, cell.row, col});
  };
  const Expression t = angle(p, cell.batch, cell.row, pair.index, p.rotary_dim);
  if (pair.is_first) {
    return sum(
        {product({at(pair.first), cosine(t)}), negative(product({at(pair.second), sine(t)}))});
  }
  return sum({product({at(pair.second), cosine(t)}), product({at(pair.first), sine(t)})});
}

// Press et al. 2022: −slope · distance; here also to later keys, for use without a causal mask.
Tensor alibi_bias(Inputs in, const Parameters& p) {
  Tensor y(p.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index i = 0; i < y.rows(); ++i) {
      for (Index j = 0; j < y.cols(); ++j) {
        const auto distance = static_cast<double>(std::abs(position(p, b, i) - j));
        const double own =
            j < p.n_distances ? -p.slopes[static_cast<std::size_t>(h)] * distance : 0.0;
        view(y, b, h)(i, j) = own + (in.empty() ? 0.0 : view(*in[0], b, h)(i, j));
      }
    }
  });
  return y;
}

Expression derive_alibi_bias(Inputs in, const Parameters& p, const Cell& cell) {
  const auto distance = static_cast<double>(std::abs(position(p, cell.batch, cell.row) - cell.col));
  Expression own = constant(0.0);
  if (cell.col < p.n_distances) {
    own = negative(
        product({constant(p.slopes[static_cast<std::size_t>(cell.head)]), constant(distance)}));
  }
  return in.empty() ? own : sum({std::move(own), leaf(*in[0], 0, cell)});
}

}  // namespace attn::ops
