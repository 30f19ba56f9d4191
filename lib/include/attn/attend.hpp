#pragma once

#include "attn/problem.hpp"
#include "attn/trace.hpp"

namespace attn {

/// The wiring of attention. The default is correct attention; a known mistake changes one field.
struct Recipe {
  bool open_softmax = false;  ///< record row_max, exp_scores and row_sum as steps of their own
  bool scaled = true;         ///< false: the division by √d_k is forgotten
  SoftmaxOver softmax_over = SoftmaxOver::Rows;
  HeadCut head_cut = HeadCut::Contiguous;
};

/// Computes attention and records every step (contract section 4).
/// softmax(Q·Kᵀ/√d_k + bias, hidden where the mask is 0) · V: Vaswani et al. 2017, equation 1 and
/// section 3.2.2; agrees with PyTorch's scaled_dot_product_attention and ONNX's Attention.
Trace attend(const Problem& problem, const Recipe& recipe = {});

}  // namespace attn
