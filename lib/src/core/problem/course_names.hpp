// Names of weights in courses, books and notebooks.
#pragma once

namespace attn {

/// The names of W_q, W_k, W_v and W_o; nullptr where it has none of its own.
struct CourseNames {
  const char* course;
  const char* names[4];
};

/// Matrices that are multiplied as they are, X·W: in × out, one head or all side by side.
inline constexpr CourseNames kPlainNames[] = {
    {"courses", {"W_q", "W_k", "W_v", "W_o"}},
    {"courses", {"W_Q", "W_K", "W_V", "W_O"}},
    {"courses", {"WQ", "WK", "WV", "WO"}},
    {"courses", {"Wq", "Wk", "Wv", "Wo"}},
    {"courses", {"wq", "wk", "wv", "wo"}},
    {"courses", {"W_query", "W_key", "W_value", "W_out"}},
    {"courses", {"w_query", "w_key", "w_value", "w_out"}},
};

/// Before ".weight" and ".bias": linear layers, out × in.
inline constexpr CourseNames kLayerNames[] = {
    {"linear layers", {"W_q", "W_k", "W_v", "W_o"}},
    {"linear layers", {"W_Q", "W_K", "W_V", "W_O"}},
    {"linear layers", {"WQ", "WK", "WV", "WO"}},
    {"linear layers", {"Wq", "Wk", "Wv", nullptr}},
    {"linear layers", {"W_query", "W_key", "W_value", "W_out"}},
    {"linear layers", {"w_q", "w_k", "w_v", "w_o"}},
    {"linear layers", {"w_query", "w_key", "w_value", "w_out"}},
    {"linear layers", {"queries", "keys", "values", "fc_out"}},
    {"The Annotated Transformer", {"linears.0", "linears.1", "linears.2", "linears.3"}},
    {"torchtune", {nullptr, nullptr, nullptr, "output_proj"}},
    {"linear layers", {nullptr, nullptr, nullptr, "linear_layer"}},
};

/// Before "/kernel" and "/bias": in × out, or in × heads × width.
inline constexpr CourseNames kKernelNames[] = {
    {"Keras", {"query", "key", "value", "attention_output"}},
    {"Flax", {nullptr, nullptr, nullptr, "out"}},
};

/// Tensors that modules keep beside their weights, alone or after a dot: they are computed, not
/// learned.
inline constexpr const char* kBufferNames[] = {"mask", "tril", "causal_mask", "attn_mask",
                                               "masked_bias"};

}  // namespace attn
