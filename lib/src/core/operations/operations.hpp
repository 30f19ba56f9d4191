// The table of operations, by the names that other code uses. A new one is added to both lists.
#pragma once

#include <array>

#include "attn/operation.hpp"

namespace attn::ops {

extern const Operation given, linear, split_heads, append_rows, sinusoid, angles, rotate,
    alibi_bias, t5_bias, multiply_transposed, additive_scores, distance_scores, scale, softcap,
    added_mask, add, hide, softmax, sum_shares, sigmoid_weights, sink_share, row_max, exp_shifted,
    exp_sink, row_sum, divide_rows, multiply_elements, renormalize, keep_rows, drop, multiply,
    merge_heads, copy, append_columns,
    // whole models
    look_up, layer_norm, rms_norm, l2_norm, relu, gelu, gelu_tanh, silu, sigmoid, cross_entropy,
    labelled_mean, squared_error, choose_experts, mix_experts, clamped_swiglu,
    // gradients
    transposed_multiply, add_products, add_columns, cut_rows, cut_columns, softmax_gradient,
    sink_gradient, exp_sink_gradient, softcap_gradient, sigmoid_weights_gradient, additive_gradient,
    distance_gradient, bucket_sums, renormalize_gradient, divisor_gradient, repeat_column,
    layer_norm_gradient, layer_norm_weight_gradient, rms_norm_gradient, rms_norm_weight_gradient,
    l2_norm_gradient, l2_norm_weight_gradient, relu_gradient, gelu_gradient, gelu_tanh_gradient,
    silu_gradient, sigmoid_gradient, choose_experts_gradient, mix_weights_gradient,
    mix_result_gradient, clamped_swiglu_gradient, add_looked_up, cross_entropy_gradient,
    labelled_mean_gradient, squared_error_gradient,
    // a look inside
    write_heads, write_experts, stack_rows, word_directions, norm_direction, frozen_factor,
    contributions, head_product, singular_values,
    // known mistakes
    sliced_linear, mistaken_softmax, mistaken_norm, norm_over_heads, mistaken_rotate,
    mistaken_sinusoid, blend_heads, narrow;

template <class... Each>
constexpr std::array<const Operation*, sizeof...(Each)> table_of(const Each&... each) {
  return {&each...};
}

inline constexpr std::array kAll = table_of(
    given, linear, split_heads, append_rows, sinusoid, angles, rotate, alibi_bias, t5_bias,
    multiply_transposed, additive_scores, distance_scores, scale, softcap, added_mask, add, hide,
    softmax, sum_shares, sigmoid_weights, sink_share, row_max, exp_shifted, exp_sink, row_sum,
    divide_rows, multiply_elements, renormalize, keep_rows, drop, multiply, merge_heads, copy,
    append_columns, look_up, layer_norm, rms_norm, l2_norm, relu, gelu, gelu_tanh, silu, sigmoid,
    cross_entropy, labelled_mean, squared_error, choose_experts, mix_experts, clamped_swiglu,
    transposed_multiply, add_products, add_columns, cut_rows, cut_columns, softmax_gradient,
    sink_gradient, exp_sink_gradient, softcap_gradient, sigmoid_weights_gradient, additive_gradient,
    distance_gradient, bucket_sums, renormalize_gradient, divisor_gradient, repeat_column,
    layer_norm_gradient, layer_norm_weight_gradient, rms_norm_gradient, rms_norm_weight_gradient,
    l2_norm_gradient, l2_norm_weight_gradient, relu_gradient, gelu_gradient, gelu_tanh_gradient,
    silu_gradient, sigmoid_gradient, choose_experts_gradient, mix_weights_gradient,
    mix_result_gradient, clamped_swiglu_gradient, add_looked_up, cross_entropy_gradient,
    labelled_mean_gradient, squared_error_gradient, write_heads, write_experts, stack_rows,
    word_directions, norm_direction, frozen_factor, contributions, head_product, singular_values,
    sliced_linear, mistaken_softmax, mistaken_norm, norm_over_heads, mistaken_rotate,
    mistaken_sinusoid, blend_heads, narrow);

}  // namespace attn::ops
