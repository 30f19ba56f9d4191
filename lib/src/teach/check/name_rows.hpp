// The names that other programs give to steps: a table.
#pragma once

#include <string>

namespace attn {

inline constexpr const char* kLens = "TransformerLens";  ///< a source of names
inline constexpr const char* kModules = "modules of PyTorch";

/// What a name stands for. `theirs` is the name, or its end after a dot, with * for the first
/// number in it. `ours` are ids within the attention, the layer or the model: the first that there
/// is counts. "@in" and "@out" are what enters and leaves the layer, "@hidden" what leaves the one
/// before, "@qkv" three steps side by side, "@halves" linear1 and linear3; "~" marks a matrix whose
/// heads come after its tokens;
/// "" is a tensor that attn has no step for.
struct NameRow {
  const char* source;
  std::string theirs, ours;
};

/// The row with the longest pattern that the name, with * for its first number, is or ends with;
/// nullptr: none.
const NameRow* name_row_of(const std::string& general_name);

}  // namespace attn
