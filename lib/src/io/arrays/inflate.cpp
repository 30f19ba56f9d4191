// Decompression; nothing else includes zlib.
#include "io/arrays/inflate.hpp"

#define ZLIB_CONST  // next_in is const
#include <zlib.h>

#include <algorithm>
#include <new>
#include <vector>

namespace attn {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;
constexpr std::size_t kMostInput = std::size_t{1} << 30;  // zlib counts in 32 bits
constexpr int kRaw = -15;                                 // no zlib header, largest window

/// zlib's state, freed on every path.
class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream, kRaw) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream = {};
};

void feed(z_stream& stream, std::string_view& rest) {
  if (stream.avail_in > 0) return;
  const std::size_t size = std::min(rest.size(), kMostInput);
  stream.next_in = reinterpret_cast<const Bytef*>(rest.data());
  stream.avail_in = static_cast<uInt>(size);
  rest.remove_prefix(size);
}

}  // namespace

std::string inflater_version() { return zlibVersion(); }

std::optional<std::string> inflate_bytes(std::string_view deflated, std::size_t size) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::vector<char> block(kBlock);
  std::string bytes;
  int status = Z_OK;
  while (status == Z_OK) {
    feed(stream, deflated);
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = block.size() - stream.avail_out;
    if (made > size - bytes.size()) return std::nullopt;
    bytes.append(block.data(), made);
  }
  const bool all_read = stream.avail_in == 0 && deflated.empty();
  if (status != Z_STREAM_END || !all_read || bytes.size() != size) return std::nullopt;
  return bytes;
}

}  // namespace attn
