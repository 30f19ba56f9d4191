// The schemas of the files that attn reads and writes.
#pragma once

#include <span>
#include <string_view>

namespace attn {

/// A JSON Schema (2020-12).
struct Schema {
  std::string_view name;  ///< "problem", "trace", "answers"
  std::string_view text;
};

/// The files in lib/schemas/, compiled in, with gaps such as "<steps>" that tables fill.
std::span<const Schema> schema_files();

/// The complete schemas.
std::span<const Schema> schemas();

}  // namespace attn
