// How tensors are named and stored, here and in other libraries: a table.
#pragma once

#include <string>
#include <vector>

namespace attn {

/// How a tensor is stored.
enum class WeightStorage {
  Own,         ///< in attn's own layout
  OutIn,       ///< out × in, as in PyTorch's Linear
  PackedRows,  ///< W_q, W_k, W_v stacked, each out × in
  Conv1D,      ///< in × out, as in GPT-2's Conv1D; out × in where another project used a Linear
  Packed,      ///< the same with W_q, W_k, W_v side by side
  Vector,      ///< a bias
  AsItIs,      ///< gains of a norm, sinks
  PackedVector,
  Blocks,  ///< all queries, keys, values below each other, out × in, in as many heads as each has
  Groups,  ///< for each key head: its queries, its key, its value
  Plain,   ///< in × out, under a name of courses
  Kernel,  ///< in × out, or in × heads × width; of W_o, heads × width × out
  Fused,   ///< one of Blocks and Groups: the problem says which
};

/// A name of a weight.
struct WeightRow {
  const char* library;
  std::string name;
  std::string part;  ///< own name; for packed ones, its first letter: "w" or "b"
  WeightStorage storage;
};

/// All names, those of attn first.
const std::vector<WeightRow>& weight_rows();
/// nullptr for a name that is in no row.
const WeightRow* find_weight_row(const std::string& name);

/// Whether a name of attn's belongs to multi-head latent attention.
bool is_latent_weight(const std::string& own);

}  // namespace attn
