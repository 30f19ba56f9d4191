// The table of operations, by the names that other code uses.
#pragma once

#include "attn/operation.hpp"

namespace attn::ops {

extern const Operation given, linear, split_heads, append_rows, sinusoid, rotate, alibi_bias,
    multiply_transposed, scale, softcap, added_mask, add, hide, softmax, row_max, exp_shifted,
    row_sum, divide_rows, multiply_elements, renormalize, keep_rows, multiply, merge_heads, copy,
    // whole models
    look_up, layer_norm, rms_norm, relu, gelu, gelu_tanh, silu, cross_entropy, labelled_mean,
    // known mistakes
    sliced_linear, mistaken_softmax, blend_heads;

inline constexpr const Operation* kAll[] = {&given,
                                            &linear,
                                            &split_heads,
                                            &append_rows,
                                            &sinusoid,
                                            &rotate,
                                            &alibi_bias,
                                            &multiply_transposed,
                                            &scale,
                                            &softcap,
                                            &added_mask,
                                            &add,
                                            &hide,
                                            &softmax,
                                            &row_max,
                                            &exp_shifted,
                                            &row_sum,
                                            &divide_rows,
                                            &multiply_elements,
                                            &renormalize,
                                            &keep_rows,
                                            &multiply,
                                            &merge_heads,
                                            &copy,
                                            &look_up,
                                            &layer_norm,
                                            &rms_norm,
                                            &relu,
                                            &gelu,
                                            &gelu_tanh,
                                            &silu,
                                            &cross_entropy,
                                            &labelled_mean,
                                            &sliced_linear,
                                            &mistaken_softmax,
                                            &blend_heads};

}  // namespace attn::ops
