// The bytes of a file that is not copied.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace attn {

/// The bytes of a file, such as one that is mapped into memory.
struct SharedBytes {
  std::string_view bytes;
  /// Whoever has this may look at the bytes; null: they stay for as long as they are needed.
  std::shared_ptr<const void> owner = nullptr;
  /// Hears which part of the bytes is not needed for now.
  std::function<void(std::string_view part)> release = {};
};

/// A copy of its own.
SharedBytes copy_of(std::string_view bytes);

}  // namespace attn
