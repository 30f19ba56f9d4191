#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/expression.hpp"
#include "attn/problem.hpp"
#include "attn/tensor.hpp"

namespace attn {

/// The few operations that attention is made of. Each is one row of the table in operations.cpp.
enum class Op {
  Given,               ///< an input: nothing is computed
  Linear,              ///< X·W (+ b)
  SplitHeads,          ///< T × h·d → h × T × d
  AppendRows,          ///< matrices above each other: the past before the new rows
  Sinusoid,            ///< sines and cosines of the positions
  Rotate,              ///< RoPE: pairs of columns turned by the position
  AlibiBias,           ///< −slope · distance (+ B)
  MultiplyTransposed,  ///< Q·Kᵀ per head
  Scale,               ///< factor · S
  Softcap,             ///< c · tanh(S / c)
  Add,                 ///< S + B
  Hide,                ///< fill where the mask is 0 (or + fill)
  Softmax,             ///< e^x / Σ e^x over each row
  RowMax,              ///< largest entry of each row
  ExpShifted,          ///< e^(x − row max)
  RowSum,              ///< Σ of each row
  DivideRows,          ///< each row by its own number
  MultiplyElements,    ///< A ∘ mask
  Renormalize,         ///< each row by its sum
  KeepRows,            ///< rows of padded queries set to zero
  Multiply,            ///< A·V per head
  MergeHeads,          ///< h × T × d → T × h·d
  Copy,                ///< unchanged
};

/// Along what softmax divides; anything but Rows is a known mistake.
enum class SoftmaxOver { Rows, Columns, WholeMatrix };

/// How the columns of Q are cut into heads; anything but Contiguous is a known mistake.
enum class HeadCut { Contiguous, Interleaved, Reshaped };

/// What an operation needs to know besides its inputs. Only the fields an operation uses matter.
struct Parameters {
  double number = 0.0;   ///< Scale: the factor; Softcap: c; Hide: the fill
  double divisor = 0.0;  ///< Scale: 1 / number where people divide (√d_k); 0 = they multiply
  bool add = false;      ///< Hide: add the fill instead of writing it
  Index heads = 1;       ///< SplitHeads: how many
  EmptyRow empty_row = EmptyRow::Zero;
  SoftmaxOver over = SoftmaxOver::Rows;
  HeadCut cut = HeadCut::Contiguous;
  Shape shape;                   ///< Sinusoid, AlibiBias: of the result
  double base = 10000.0;         ///< Sinusoid, Rotate
  Index rotary_dim = 0;          ///< Rotate: how many columns turn
  bool interleaved = false;      ///< Rotate: neighbours are a pair, not the two halves
  std::vector<Index> offsets;    ///< position of row 0: one, or one per batch entry
  std::vector<double> slopes;    ///< AlibiBias: one per head
  Index n_distances = 0;         ///< AlibiBias: keys behind these have no position
  Dtype dtype = Dtype::Float64;  ///< Softmax: what its inner results are rounded to
  std::string text;              ///< {p} of the formula: " / √d_k"
  std::string latex;             ///< the same in LaTeX
  std::string symbol;            ///< Scale: the divisor as arithmetic writes it: "√4"
};

using Inputs = std::span<const Tensor* const>;

/// One row of the table of operations.
struct Operation {
  Op op;
  const char* name;   ///< as in traces: "multiply_transposed"
  const char* text;   ///< the formula: {0} {1} … are the inputs' symbols, {p} the parameters;
                      ///< what stands in [ ] falls away when its input is absent
  const char* latex;  ///< the same in LaTeX
  Tensor (*evaluate)(Inputs inputs, const Parameters& parameters);
  Expression (*derive)(Inputs inputs, const Parameters& parameters, const Cell& cell);
};

/// The row of `op`.
const Operation& operation(Op op);

/// The row with that name, or nullptr.
const Operation* find_operation(std::string_view name);

}  // namespace attn
