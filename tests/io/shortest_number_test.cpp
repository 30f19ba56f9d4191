// The shortest digits of a double, beside those of the standard library.
#include "io/json/shortest_number.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "io/json/writer.hpp"

namespace attn {
namespace {

constexpr int kNumbers = 100'000;

std::string ours(double x) {
  std::array<char, json::kRealLength> text;
  return {text.data(), json::put_shortest(text.data(), x)};
}

std::string standard(double x) {
  std::array<char, json::kRealLength> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x).ptr};
}

/// The first text that differs from the standard library's; empty if none does.
struct Difference {
  std::string first;

  /// Compares the number, both its neighbours, and the negatives of all three.
  void look_around(double x) {
    for (const double near : {x, std::nextafter(x, -HUGE_VAL), std::nextafter(x, HUGE_VAL)}) {
      for (const double number : {near, -near}) {
        const std::string text = ours(number), expected = standard(number);
        if (text != expected && first.empty()) first = text + " instead of " + expected;
      }
    }
  }
};

}  // namespace

TEST_SUITE("shortest number") {
  TEST_CASE("every double of random bits has the digits of std::to_chars") {
    Difference difference;
    std::mt19937_64 random(1);
    for (int i = 0; i < kNumbers; ++i) difference.look_around(std::bit_cast<double>(random()));
    CHECK(difference.first == "");
  }

  TEST_CASE("numbers of the sizes that are usual in a trace have the digits of std::to_chars") {
    Difference difference;
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> digits(1.0, 2.0);
    for (int i = 0; i < kNumbers; ++i) {
      difference.look_around(std::ldexp(digits(random), static_cast<int>(random() % 200) - 140));
    }
    CHECK(difference.first == "");
  }

  TEST_CASE("short decimals and single-precision numbers have the digits of std::to_chars") {
    Difference difference;
    std::mt19937_64 random(3);
    for (int i = 0; i < kNumbers; ++i) {
      const double places = std::pow(10.0, static_cast<double>(random() % 13));
      const double decimal = static_cast<double>(random() % 100'000) / places;
      difference.look_around(decimal);
      difference.look_around(static_cast<float>(decimal));
    }
    CHECK(difference.first == "");
  }

  TEST_CASE("the ends of all ranges, powers of two and of ten have the digits of std::to_chars") {
    Difference difference;
    using Limits = std::numeric_limits<double>;
    for (const double x : {0.0, Limits::denorm_min(), Limits::min(), Limits::max(),
                           Limits::infinity(), 9007199254740992.0, 4503599627370495.5}) {
      difference.look_around(x);
    }
    for (int e = -1074; e < 1024; ++e) difference.look_around(std::ldexp(1.0, e));
    for (int e = -307; e < 309; ++e) difference.look_around(std::pow(10.0, e));
    CHECK(difference.first == "");
  }
}

}  // namespace attn
