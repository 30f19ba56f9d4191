// The text of doubles, beside what printf writes and strtod reads.
#include "attn/number_text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/infinity.hpp"

namespace attn {
namespace {

using testing::kInfinity;
using testing::kNan;
using Limits = std::numeric_limits<double>;

constexpr int kNumbers = 10'000;

std::string printed(const char* format, int digits, double x) {
  char text[400];
  return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, format, digits, x))};
}

/// A number of at most 15 digits whose digits after so many decimals are 5 and zeros, moved away
/// from 0. `whole`: with 80 decimals.
double beyond_half(double x, const std::string& whole, int decimals) {
  const std::string all = whole.substr(0, whole.find('e'));
  const std::string rest = all.substr(all.find('.') + 1 + static_cast<std::size_t>(decimals));
  const bool half = rest.front() == '5' && rest.find_first_not_of('0', 1) == rest.npos;
  const bool few = all.find('.') + static_cast<std::size_t>(decimals) < 16;
  return half && few ? std::nextafter(x, std::copysign(kInfinity, x)) : x;
}

bool reads_as(const std::string& text, double x) {
  return std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)) ==
         std::bit_cast<std::uint64_t>(x);
}

/// What is wrong with the shortest texts of a number; empty if nothing is.
std::string odd_text(double x) {
  const std::string scientific = format_exact_scientific(x), exact = format_exact(x);
  const auto e = static_cast<int>(scientific.find('e'));
  const int decimals = std::max(0, e - (x < 0 ? 3 : 2));
  if (!reads_as(scientific, x)) return scientific + " does not read back";
  if (decimals > 0 && reads_as(printed("%.*e", decimals - 1, x), x)) return scientific + " is long";
  // Of the texts with so many digits, printf's is the nearest; the lower neighbour of a power of
  // two is so near that it need not read back.
  int exponent = 0;
  const bool power = std::abs(std::frexp(x, &exponent)) == 0.5;
  if (!power && scientific != printed("%.*e", decimals, x)) return scientific + " is not nearest";

  const int places = decimals - std::stoi(scientific.substr(scientific.find('e') + 1));
  const std::string fixed = printed("%.*f", std::max(0, places), x);
  if (exact != (fixed.size() <= scientific.size() ? fixed : scientific)) return exact + " is odd";
  char put[kExactLength];
  if (std::string(put, put_exact(put, x)) != exact) return exact + " is not put";
  return parse_number(exact) == x ? "" : exact + " is not read";
}

/// The first text that is wrong; empty if none is.
struct OddText {
  std::string first;

  /// The number, both its neighbours, and the negatives of all three.
  void look_around(double x) {
    for (const double near : {x, std::nextafter(x, -kInfinity), std::nextafter(x, kInfinity)}) {
      if (!std::isfinite(near)) continue;
      for (const double number : {near, -near}) {
        if (first.empty()) first = odd_text(number);
      }
    }
  }
};

}  // namespace

TEST_SUITE("number text") {
  TEST_CASE("every double of random bits has the fewest digits that read back") {
    OddText odd;
    std::mt19937_64 random(1);
    for (int i = 0; i < kNumbers; ++i) odd.look_around(std::bit_cast<double>(random()));
    CHECK(odd.first == "");
  }

  TEST_CASE("so have numbers of the sizes that are usual in a trace") {
    OddText odd;
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> digits(1.0, 2.0);
    for (int i = 0; i < kNumbers; ++i)
      odd.look_around(std::ldexp(digits(random), static_cast<int>(random() % 200) - 140));
    CHECK(odd.first == "");
  }

  TEST_CASE("so have short decimals and single-precision numbers") {
    OddText odd;
    std::mt19937_64 random(3);
    for (int i = 0; i < kNumbers; ++i) {
      const double places = std::pow(10.0, static_cast<double>(random() % 13));
      const double decimal = static_cast<double>(random() % 100'000) / places;
      odd.look_around(decimal);
      odd.look_around(static_cast<float>(decimal));
    }
    CHECK(odd.first == "");
  }

  TEST_CASE("so have the ends of all ranges, powers of two and of ten") {
    OddText odd;
    for (const double x : {0.0, Limits::denorm_min(), Limits::min(), Limits::max(),
                           9007199254740992.0, 4503599627370495.5, 1e21, 1e22, 1e23})
      odd.look_around(x);
    for (int e = -1074; e < 1024; ++e) odd.look_around(std::ldexp(1.0, e));
    for (int e = -307; e < 309; ++e) odd.look_around(std::pow(10.0, e));
    CHECK(odd.first == "");
  }

  TEST_CASE("the shortest text is in the shorter notation") {
    CHECK(format_exact(0.1) == "0.1");
    CHECK(format_exact(1.0 / 3.0) == "0.3333333333333333");
    CHECK(format_exact(3.0) == "3");
    CHECK(format_exact(-1.5) == "-1.5");
    CHECK(format_exact(1e21) == "1e+21");
    CHECK(format_exact(0.001) == "0.001");
    CHECK(format_exact(0.0001) == "1e-04");
    CHECK(format_exact(5e-324) == "5e-324");
    CHECK(format_exact(-Limits::max()) == "-1.7976931348623157e+308");
    CHECK(format_exact_scientific(1250.0) == "1.25e+03");
    CHECK(format_exact(-0.0) == "-0");
    CHECK(format_exact(-kInfinity) == "-inf");
    CHECK(format_exact(-kNan) == "nan");
  }

  TEST_CASE("rounded texts are those of printf, also next to a half, but a half is rounded up" *
            doctest::test_suite("long")) {
    std::vector<double> values;
    for (int i = 0; i < 2000; ++i) {
      const double near_half = (i + 0.5) / 1000.0, far = 1.37 * i * i * i / 7.0;
      for (const double x : {near_half, i + 0.5, far, near_half * 1e6, 1.0 + i * 0.0625})
        for (const double to : {0.0, x, 2 * x}) values.push_back(std::nextafter(x, to));
    }
    std::string odd;  // the last text that differs
    for (const double size : values) {
      for (const double x : {size, -size}) {
        for (const int digits : {0, 1, 3, 8, 17}) {
          const std::string fixed = format_fixed(x, digits), most = format_digits(x, digits),
                            scientific = format_scientific(x, digits);
          const double f = beyond_half(x, printed("%.*f", 80, x), digits),
                       e = beyond_half(x, printed("%.*e", 80, x), digits),
                       g = beyond_half(x, printed("%.*e", 80, x), std::max(digits, 1) - 1);
          if (fixed != printed("%.*f", digits, f)) odd = fixed;
          if (most != printed("%.*g", digits, g)) odd = most;
          if (scientific != printed("%.*e", digits, e)) odd = scientific;
        }
      }
    }
    CHECK(odd == "");
    CHECK(format_fixed(0.125, 2) == "0.13");
    CHECK(format_fixed(0.375, 2) == "0.38");
    CHECK(format_scientific(125000.0, 1) == "1.3e+05");
    CHECK(format_digits(1.25, 2) == "1.3");
    CHECK(rounded_to(0.125, 2) == 0.13);
    CHECK(rounded_to(1.115, 2) == 1.11);  // in binary it is a little less
    CHECK(format_fixed(-2.5, 0) == "-3");
    CHECK(format_fixed(-0.0, 1) == "-0.0");
    CHECK(format_fixed(-kNan, 1) == "nan");
    CHECK(format_fixed(-Limits::max(), 17).size() == 1 + 309 + 1 + 17);
  }

  TEST_CASE("trimmed text has no zeros at the end of its decimals") {
    CHECK(format_trimmed(0.25, 3) == "0.25");
    CHECK(format_trimmed(0.9999, 3) == "1");
    CHECK(format_trimmed(100.0, 0) == "100");
    CHECK(format_trimmed(kInfinity, 3) == "inf");
  }

  TEST_CASE("rounding as by hand: halves away from zero, and no negative zero") {
    CHECK(rounded_to(0.125, 2) == 0.13);
    CHECK(rounded_to(-2.5, 0) == -3.0);
    CHECK(rounded_to(-kInfinity, 2) == -kInfinity);
    CHECK(std::isnan(rounded_to(kNan, 2)));
    CHECK_FALSE(std::signbit(rounded_to(-0.001, 2)));
  }

  TEST_CASE("rounding gives the number that the text with so many decimals is") {
    std::mt19937_64 dice(3);
    for (int i = 0; i < kNumbers; ++i) {
      const double k = static_cast<double>(static_cast<std::int64_t>(dice()) >> (i % 60));
      for (int decimals = 0; decimals <= 7; ++decimals) {
        const double power = std::pow(10.0, decimals), middle = (k + 0.5) / power;
        for (const double x : {k / 1024, middle, std::nextafter(middle, 0.0),
                               std::nextafter(middle, kInfinity), k / 3 * 1e-9}) {
          const double read = parse_number(format_fixed(x, decimals)).value();
          if (rounded_to(x, decimals) != read) FAIL_CHECK(x << " to " << decimals << " decimals");
        }
      }
    }
  }

  TEST_CASE("a number is read if the whole text is one") {
    CHECK(parse_number("-1.5e-2") == -0.015);
    CHECK(parse_number(".5") == 0.5);
    CHECK(parse_number("5.") == 5.0);
    CHECK(parse_number("-Infinity") == -kInfinity);
    CHECK(std::isnan(parse_number("nan").value()));
    for (const char* text :
         {"", "+1", " 1", "1 ", "1,5", "1x", "0x10", "-", "e5", "1e999", "1e-999"})
      CHECK_MESSAGE(!parse_number(text), text);
    CHECK(parse_finite("2e3") == 2000.0);
    for (const char* text : {"inf", "-Infinity", "nan", ""})
      CHECK_MESSAGE(!parse_finite(text), text);
  }

  TEST_CASE("a number is read up to where it ends, and none leaves the old one") {
    const std::string text = "1.5, x";
    double number = 7.0;
    const char *begin = text.data(), *end = begin + text.size();
    CHECK(parse_number(begin, end, number) == begin + 3);
    CHECK(number == 1.5);
    CHECK(parse_number(begin + 5, end, number) == begin + 5);
    CHECK(number == 1.5);
  }
}

}  // namespace attn
