#include "core/operations/op_shapes.hpp"

#include <algorithm>
#include <array>

#include "core/tensor/slices.hpp"

namespace attn {
namespace {

/// Whether a part with these leading axes broadcasts to the whole.
bool spreads_to(const Shape& part, const Shape& whole) {
  return (!part.batch || part.batch == whole.batch) && (!part.heads || part.heads == whole.heads);
}

bool same_matrix(const Shape& a, const Shape& b) { return a.rows == b.rows && a.cols == b.cols; }

/// Whether there is a position for every row: one offset for all batch entries, or one for each.
bool has_offsets(const Parameters& p, const Shape& own) {
  return p.offsets.size() == 1 || static_cast<Index>(p.offsets.size()) == own.batch.value_or(1);
}

// What each operation makes of its inputs; nothing if they do not go together. `own` is the shape
// of the result as somebody claims it.

MaybeShape anything(const Shapes&, const Parameters&, const Shape& own) { return own; }

MaybeShape like_first(const Shapes& in, const Parameters&, const Shape&) { return in[0]; }

MaybeShape linear(const Shapes& in, const Parameters&, const Shape&) {
  const Shape result = joined(in[0], in[1], in[0].rows, in[1].cols);
  bool fits = in[0].cols == in[1].rows;
  for (const Shape& each : in) fits = fits && spreads_to(each, result);
  if (in.size() > 2) fits = fits && in[2].rows == 1 && in[2].cols == in[1].cols;
  return fits ? MaybeShape(result) : std::nullopt;
}

MaybeShape split_heads(const Shapes& in, const Parameters& p, const Shape&) {
  const Shape& x = in[0];
  if (x.heads || p.heads < 1 || x.cols % p.heads != 0) return std::nullopt;
  return Shape{x.batch, p.heads, x.rows, x.cols / p.heads};
}

MaybeShape merge_heads(const Shapes& in, const Parameters&, const Shape&) {
  const Shape& x = in[0];
  if (!x.heads) return std::nullopt;
  return Shape{x.batch, std::nullopt, x.rows, *x.heads * x.cols};
}

MaybeShape append_rows(const Shapes& in, const Parameters&, const Shape&) {
  Shape result = in[0];
  for (std::size_t i = 1; i < in.size(); ++i) {
    result = joined(result, in[i], result.rows + in[i].rows, result.cols);
  }
  const bool fits = std::all_of(in.begin(), in.end(), [&](const Shape& part) {
    return part.cols == result.cols && spreads_to(part, result);
  });
  return fits ? MaybeShape(result) : std::nullopt;
}

MaybeShape sinusoid(const Shapes&, const Parameters& p, const Shape& own) {
  return has_offsets(p, own) ? MaybeShape(own) : std::nullopt;
}

MaybeShape rotate(const Shapes& in, const Parameters& p, const Shape&) {
  const bool pairs = p.rotary_dim >= 2 && p.rotary_dim % 2 == 0 && p.rotary_dim <= in[0].cols;
  return pairs && has_offsets(p, in[0]) ? MaybeShape(in[0]) : std::nullopt;
}

MaybeShape alibi_bias(const Shapes& in, const Parameters& p, const Shape& own) {
  const bool slopes = static_cast<Index>(p.slopes.size()) == own.heads.value_or(1);
  const bool bias = in.empty() || (same_matrix(in[0], own) && spreads_to(in[0], own));
  return slopes && bias && has_offsets(p, own) ? MaybeShape(own) : std::nullopt;
}

/// A product whose second factor may have fewer heads, each serving a group of query heads.
MaybeShape grouped(const Shape& a, const Shape& b, Index rows, Index cols) {
  const Shape result = joined(a, b, rows, cols);
  const bool heads = a.heads == result.heads && (!b.heads || *result.heads % *b.heads == 0);
  const bool batch = !b.batch || b.batch == result.batch;
  return heads && batch && spreads_to(a, result) ? MaybeShape(result) : std::nullopt;
}

MaybeShape multiply_transposed(const Shapes& in, const Parameters&, const Shape&) {
  return in[0].cols == in[1].cols ? grouped(in[0], in[1], in[0].rows, in[1].rows) : std::nullopt;
}

MaybeShape multiply(const Shapes& in, const Parameters&, const Shape&) {
  return in[0].cols == in[1].rows ? grouped(in[0], in[1], in[0].rows, in[1].cols) : std::nullopt;
}

/// Cell by cell: every input has the rows and columns of the first.
MaybeShape by_cells(const Shapes& in, const Parameters&, const Shape&) {
  const bool fits = std::all_of(in.begin(), in.end(), [&](const Shape& each) {
    return same_matrix(each, in[0]) && spreads_to(each, in[0]);
  });
  return fits ? MaybeShape(in[0]) : std::nullopt;
}

/// Row by row: the second input has one number for each row of the first.
MaybeShape by_rows(const Shapes& in, const Parameters&, const Shape&) {
  const bool fits = in[1].rows == in[0].rows && in[1].cols == 1 && spreads_to(in[1], in[0]);
  return fits ? MaybeShape(in[0]) : std::nullopt;
}

MaybeShape column(const Shapes& in, const Parameters&, const Shape&) {
  return Shape{in[0].batch, in[0].heads, in[0].rows, 1};
}

constexpr std::array kRules = {
    ShapeRule{Op::Given, 0, 0, anything},
    ShapeRule{Op::Linear, 2, 3, linear},
    ShapeRule{Op::SplitHeads, 1, 1, split_heads, "/parameters"},
    ShapeRule{Op::AppendRows, 2, 3, append_rows},
    ShapeRule{Op::Sinusoid, 0, 0, sinusoid, "/parameters"},
    ShapeRule{Op::Rotate, 1, 1, rotate, "/parameters"},
    ShapeRule{Op::AlibiBias, 0, 1, alibi_bias, "/parameters"},
    ShapeRule{Op::MultiplyTransposed, 2, 2, multiply_transposed},
    ShapeRule{Op::Scale, 1, 1, like_first},
    ShapeRule{Op::Softcap, 1, 1, like_first},
    ShapeRule{Op::Add, 2, 2, by_cells},
    ShapeRule{Op::Hide, 2, 3, by_cells},
    ShapeRule{Op::Softmax, 1, 1, like_first},
    ShapeRule{Op::RowMax, 1, 1, column},
    ShapeRule{Op::ExpShifted, 2, 2, by_rows},
    ShapeRule{Op::RowSum, 1, 1, column},
    ShapeRule{Op::DivideRows, 2, 2, by_rows},
    ShapeRule{Op::MultiplyElements, 2, 2, by_cells},
    ShapeRule{Op::Renormalize, 1, 1, like_first},
    ShapeRule{Op::KeepRows, 2, 2, by_rows},
    ShapeRule{Op::Multiply, 2, 2, multiply},
    ShapeRule{Op::MergeHeads, 1, 1, merge_heads},
    ShapeRule{Op::Copy, 1, 1, like_first},
};

}  // namespace

const ShapeRule& shape_rule(Op op) {
  return *std::find_if(kRules.begin(), kRules.end(),
                       [&](const ShapeRule& row) { return row.op == op; });
}

}  // namespace attn
