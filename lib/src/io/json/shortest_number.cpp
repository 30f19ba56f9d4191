// Finds the shortest digits of a double as R. Giulietti's Schubfach does ("The Schubfach way to
// render doubles", 2020), where the power of ten fits into 128 bits, so that its products are
// exact.
#include "io/json/shortest_number.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include "io/json/writer.hpp"

#if defined(__SIZEOF_INT128__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ATTN_QUICK_DIGITS
#endif

namespace attn::json {
namespace {

#ifdef ATTN_QUICK_DIGITS
__extension__ using Wide = unsigned __int128;

/// digits · 10^exponent
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// 5^n · 2^(128 − bits), whose highest bit of 128 is 1.
struct Power {
  std::uint64_t high = 0, low = 0;
  int bits = 0;
};

constexpr int kMostFives = 55;  // 5^56 does not fit into 128 bits

constexpr auto kPowersOfFive = [] {
  std::array<Power, kMostFives + 1> powers;
  Wide five = 1;
  for (Power& power : powers) {
    const auto high = static_cast<std::uint64_t>(five >> 64),
               low = static_cast<std::uint64_t>(five);
    power.bits = 128 - (high ? std::countl_zero(high) : 64 + std::countl_zero(low));
    const Wide aligned = five << (128 - power.bits);
    power.high = static_cast<std::uint64_t>(aligned >> 64);
    power.low = static_cast<std::uint64_t>(aligned);
    five *= 5;
  }
  return powers;
}();

/// The integer part of factor · power / 2^128; its last bit is 1 too where there is a fraction.
std::uint64_t product(std::uint64_t factor, const Power& power) {
  const Wide low = Wide{factor} * power.low;
  const Wide high = Wide{factor} * power.high + (low >> 64);
  const bool fraction = (static_cast<std::uint64_t>(high) | static_cast<std::uint64_t>(low)) != 0;
  return static_cast<std::uint64_t>(high >> 64) | (fraction ? 1 : 0);
}

/// The shortest decimal between the midpoints from a positive number to its two neighbours; of
/// several, the nearest. Nothing for powers of two, whose neighbours are not at the same distance,
/// and where the power of ten is too large.
std::optional<Decimal> shortest(double size) {
  constexpr std::uint64_t kHidden = std::uint64_t{1} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(size);
  const std::uint64_t fraction = bits & (kHidden - 1);
  const int e = static_cast<int>(bits >> 52) - 1075;  // size is (kHidden + fraction) · 2^e
  const int exponent = (e * 1262611) >> 22;           // of the largest power of ten up to 2^e
  const int fives = -exponent;
  if (fraction == 0 || fives <= 0 || fives > kMostFives) return std::nullopt;
  const Power& power = kPowersOfFive[static_cast<std::size_t>(fives)];
  const int shift = e + fives + power.bits;  // from 1 to 4

  // In quarters of 10^exponent. In whole ones, the ends of the interval are
  // odd · 5^fives · 2^(e + fives − 1): not integers, because e + fives is at most 0.
  const std::uint64_t quarters = (kHidden | fraction) << 2;
  const std::uint64_t least = product((quarters - 2) << shift, power);
  const std::uint64_t middle = product(quarters << shift, power);
  const std::uint64_t most = product((quarters + 2) << shift, power);
  const std::uint64_t below = middle / 4;
  // The interval is wider than 1, so that the nearest integer is in it; of two, the even one.
  const std::uint64_t nearest = below + (middle + below % 2 > 4 * below + 2 ? 1 : 0);
  const std::uint64_t tens = (below + 5) / 10 * 10;  // the only one that may be in it
  return Decimal{4 * tens - least <= most - least ? tens : nearest, exponent};
}

/// The eight digits of a number as bytes, the first in the lowest. The parts of the number are side
/// by side in one integer and are halved together: four digits each, then two, then one.
std::uint64_t eight_digits(std::uint64_t number) {
  const std::uint64_t fours = number / 10'000 | number % 10'000 << 32;
  const std::uint64_t hundreds = (fours * 10'486 >> 20) & 0x7f'0000'007f;
  const std::uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
  const std::uint64_t tens = (twos * 103 >> 10) & 0x000f'000f'000f'000f;
  return tens | (twos - 10 * tens) << 8;
}

/// 17 digits, with zeros in front of a smaller number.
struct Digits {
  explicit Digits(std::uint64_t number)
      : first(number / kEight / kEight),
        upper(eight_digits(number / kEight % kEight)),
        lower(eight_digits(number % kEight)) {}

  /// How many there are without the zeros at the end of a number that is not 0.
  int count() const {
    if (lower != 0) return 17 - std::countl_zero(lower) / 8;
    return upper != 0 ? 9 - std::countl_zero(upper) / 8 : 1;
  }

  /// Writes them, the first only if it is not 0; overwrites up to 17 bytes from `at` on.
  void put(char* at) const {
    *at = static_cast<char>('0' + first);
    at += first != 0 ? 1 : 0;
    put_eight(at, upper);
    put_eight(at + 8, lower);
  }

  static void put_eight(char* at, std::uint64_t digits) {
    digits |= 0x3030'3030'3030'3030;  // '0' is 0x30
    std::memcpy(at, &digits, sizeof digits);
  }

  static constexpr std::uint64_t kEight = 100'000'000;
  std::uint64_t first, upper, lower;
};

/// Writes it as std::to_chars does: in the shorter of the two notations, without an exponent if
/// they are equally long.
char* put_decimal(char* at, Decimal number) {
  const Digits digits(number.digits);
  const int leading = digits.first != 0 ? 0 : 1, count = digits.count() - leading;
  // Digits before the point; if negative, zeros after it.
  const int whole = 17 - leading + number.exponent;
  if (whole > 0) {
    digits.put(at + 1);
    for (int i = 0; i < whole; ++i) at[i] = at[i + 1];
    at[whole] = '.';
    return at + count + 1;
  }
  if (-whole <= (count == 1 ? 2 : 3)) {
    std::memcpy(at, "0.000000", 8);
    digits.put(at + 2 - whole);
    return at + 2 - whole + count;
  }
  digits.put(at + 1);
  at[0] = at[1];
  at[1] = '.';
  at += count == 1 ? 1 : count + 1;
  at = std::copy_n("e-0", whole > -9 ? 3 : 2, at);
  return std::to_chars(at, at + 3, 1 - whole).ptr;
}
#endif

}  // namespace

char* put_shortest(char* at, double x) {
#ifdef ATTN_QUICK_DIGITS
  if (const auto number = std::trunc(x) == x ? std::nullopt : shortest(std::abs(x))) {
    if (x < 0) *at++ = '-';
    return put_decimal(at, *number);
  }
#endif
  return std::to_chars(at, at + kRealLength, x).ptr;
}

}  // namespace attn::json
