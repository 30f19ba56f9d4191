#pragma once

#include "attn/operation.hpp"

/// The two functions of each operation: how it is computed, and how one cell of the result came
/// about. The table in operations.cpp gathers them; inputs come in the order named here.
namespace attn::ops {

using Evaluate = Tensor(Inputs inputs, const Parameters& parameters);
using Derive = Expression(Inputs inputs, const Parameters& parameters, const Cell& cell);

// op_products.cpp
Evaluate linear, multiply_transposed, multiply;  // (x, w[, b]), (q, k), (weights, v)
Derive derive_linear, derive_multiply_transposed, derive_multiply;

// op_layout.cpp
Evaluate split_heads, merge_heads, append_rows, copy;  // (x), (x), (past, new), (x)
Derive derive_split_heads, derive_merge_heads, derive_append_rows, derive_copy;

// op_positions.cpp
Evaluate sinusoid, rotate, alibi_bias;  // (), (x), ([bias])
Derive derive_sinusoid, derive_rotate, derive_alibi_bias;

// op_scores.cpp
Evaluate scale, softcap, add;  // (scores), (scores), (scores, bias)
Evaluate hide, multiply_elements,
    keep_rows;  // (scores, mask[, bias]), (weights, mask), (weights, kept)
Derive derive_scale, derive_softcap, derive_add, derive_hide, derive_multiply_elements,
    derive_keep_rows;

// op_softmax.cpp
Evaluate softmax, row_max, exp_shifted;      // (scores), (scores), (scores, row_max)
Evaluate row_sum, divide_rows, renormalize;  // (exp_scores), (exp_scores, row_sum), (weights)
Derive derive_softmax, derive_row_max, derive_exp_shifted, derive_row_sum, derive_divide_rows,
    derive_renormalize;

}  // namespace attn::ops
