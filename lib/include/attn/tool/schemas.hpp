#pragma once

#include <span>
#include <string_view>

namespace attn {

/// One of the JSON Schemas (2020-12) in lib/schemas/, compiled in.
struct Schema {
  std::string_view name;  ///< "problem", "trace", "answers"
  std::string_view text;  ///< the file's bytes
};

std::span<const Schema> schemas();

}  // namespace attn
