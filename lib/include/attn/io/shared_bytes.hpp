// The bytes of a file that is not copied.
#pragma once

#include <memory>
#include <string_view>

namespace attn {

/// The bytes of a file, such as one that is mapped into memory.
struct SharedBytes {
  std::string_view bytes;
  /// Keeps the bytes alive; null: somebody else does.
  std::shared_ptr<const void> owner = nullptr;
};

/// A copy of the bytes, which the result owns.
SharedBytes copy_of(std::string_view bytes);

}  // namespace attn
