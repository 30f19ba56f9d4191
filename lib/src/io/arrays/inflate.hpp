// Decompression with zlib.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// The version of zlib.
std::string inflater_version();

/// The bytes of a deflate stream (RFC 1951), inflated; nothing if it is not a valid stream, has
/// data after its end, or gives more or less than `size` bytes. Memory grows with the output, not
/// with `size`.
std::optional<std::string> inflate_bytes(std::string_view deflated, std::size_t size);

}  // namespace attn
