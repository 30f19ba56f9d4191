// The number types of array files, and how each becomes float64.
#include "io/arrays/number_type.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "core/text/bit_cast.hpp"

namespace attn {
namespace {

using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

double from_float64(uint64_t bits) { return bit_cast<double>(bits); }

double from_float32(uint32_t bits) { return static_cast<double>(bit_cast<float>(bits)); }

/// The upper half of a float32.
double from_bfloat16(uint16_t bits) { return from_float32(static_cast<uint32_t>(bits) << 16); }

/// IEEE 754 binary16: the fields moved to where float64 has them; a factor of 2^1008 corrects the
/// exponent's bias, 15 instead of 1023. Subnormal numbers come out right too.
double from_float16(uint16_t bits) {
  const uint64_t sign = static_cast<uint64_t>(bits & 0x8000) << 48;
  const uint64_t magnitude = static_cast<uint64_t>(bits & 0x7FFF) << 42;
  const bool finite = (bits & 0x7C00) != 0x7C00;
  const uint64_t scaled = finite ? bit_cast<uint64_t>(from_float64(magnitude) * 0x1p1008)
                                 : magnitude | 0x7FF0000000000000U;
  return from_float64(sign | scaled);
}

double from_bool(uint8_t byte) { return byte == 0 ? 0.0 : 1.0; }

template <class Integer>
double from_integer(std::make_unsigned_t<Integer> bits) {
  return static_cast<double>(static_cast<Integer>(bits));
}

template <class Bits, double (*value)(Bits)>
std::vector<double> decode(std::string_view bytes, bool big_endian) {
  const bool swapped = big_endian != (std::endian::native == std::endian::big);
  std::vector<double> numbers;
  numbers.reserve(bytes.size() / sizeof(Bits));
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Bits)) {
    char raw[sizeof(Bits)];
    std::memcpy(raw, bytes.data() + at, sizeof raw);
    if (swapped) std::reverse(std::begin(raw), std::end(raw));
    Bits bits;
    std::memcpy(&bits, raw, sizeof bits);
    numbers.push_back(value(bits));
  }
  return numbers;
}

constexpr NumberType kNumberTypes[] = {
    {"f8", "F64", 8, decode<uint64_t, from_float64>},
    {"f4", "F32", 4, decode<uint32_t, from_float32>},
    {"f2", "F16", 2, decode<uint16_t, from_float16>},
    {"", "BF16", 2, decode<uint16_t, from_bfloat16>},
    {"i8", "I64", 8, decode<uint64_t, from_integer<std::int64_t>>},
    {"i4", "I32", 4, decode<uint32_t, from_integer<std::int32_t>>},
    {"i2", "I16", 2, decode<uint16_t, from_integer<std::int16_t>>},
    {"i1", "I8", 1, decode<uint8_t, from_integer<std::int8_t>>},
    {"u8", "U64", 8, decode<uint64_t, from_integer<uint64_t>>},
    {"u4", "U32", 4, decode<uint32_t, from_integer<uint32_t>>},
    {"u2", "U16", 2, decode<uint16_t, from_integer<uint16_t>>},
    {"u1", "U8", 1, decode<uint8_t, from_integer<uint8_t>>},
    {"b1", "BOOL", 1, decode<uint8_t, from_bool>},
};

const NumberType* find_type(std::string_view NumberType::*column, std::string_view word) {
  const auto* row = std::find_if(std::begin(kNumberTypes), std::end(kNumberTypes),
                                 [&](const NumberType& type) { return type.*column == word; });
  return row == std::end(kNumberTypes) || word.empty() ? nullptr : row;
}

}  // namespace

const NumberType* find_numpy_type(std::string_view code) {
  return find_type(&NumberType::numpy, code);
}

const NumberType* find_safetensors_type(std::string_view name) {
  return find_type(&NumberType::safetensors, name);
}

}  // namespace attn
