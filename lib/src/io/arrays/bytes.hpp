// Little-endian numbers, checksums, and what some bytes seem to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace attn {

/// The unsigned number in the `size` bytes from `at`, least significant first. They must exist.
std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t size);

void append_little_endian(std::string& bytes, std::uint64_t number, std::size_t size);

/// The numbers as little-endian float64, bit for bit: as they are in memory, or else in `room`.
std::string_view float64_bytes(std::span<const double> numbers, std::string& room);

/// The checksum of zip and PNG: polynomial 0xEDB88320 (reflected), ISO 3309.
std::uint32_t crc32(std::string_view bytes);
/// The same for a block that ends with `bytes`; `before` is the checksum of what precedes them.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before);

/// What the bytes of an unexpected file seem to be, in words: "a gzip file", "text".
std::string describe_bytes(std::string_view bytes);
/// The same if that follows from how they begin; nullptr for text and anything else.
const char* beginning_of(std::string_view bytes);
/// What to do about them: `usual`, unless another file has to be fetched first.
const char* remedy_for(std::string_view bytes, const char* usual);

}  // namespace attn
