// Lists of numbers have a reader of their own, which must read what nlohmann reads.
#include "io/json/plain_numbers.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "attn/error.hpp"
#include "io/json/json.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"

namespace attn::testing {
namespace {

/// The numbers of "[…]"; nothing if they are not plain.
std::optional<std::vector<double>> plain(const std::string& list, bool words = false) {
  json::PlainNumbers read;
  if (!json::read_plain(list, 1, words, read, [](std::size_t) {})) return std::nullopt;
  return read.numbers;
}

/// What nlohmann makes of "[…]" with one number; nothing if it is not JSON, or not finite.
std::optional<double> by_nlohmann(const std::string& list) {
  const auto read = nlohmann::json::parse(list, nullptr, false);
  if (!read.is_array() || read.size() != 1 || !read[0].is_number()) return std::nullopt;
  const double number = read[0].get<double>();
  return number == 0.0 && list[1] == '-' ? -0.0 : number;  // it reads -0 as an integer
}

std::string random_text(Dice& dice, const std::string& characters, Index most) {
  std::string text;
  for (Index n = dice.between(0, most); n >= 0; --n)
    text += characters[static_cast<std::size_t>(dice.between(0, std::ssize(characters) - 1))];
  return text;
}

double random_bits(Dice& dice) {
  constexpr Index kHalf = (Index{1} << 32) - 1;
  const auto high = static_cast<std::uint64_t>(dice.between(0, kHalf));
  return std::bit_cast<double>(high << 32 | static_cast<std::uint64_t>(dice.between(0, kHalf)));
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos;)
    text.replace(at, what.size(), by);
  return text;
}

/// The id and places of each error.
std::string wrong_places(const std::string& text) {
  std::string found;
  for (const Diagnostic& each : diagnostics_from([&] { json::parse(text, "a.json"); })) {
    for (const Place& place : each.places)
      found += each.id + " " + std::to_string(place.line) + ":" + std::to_string(place.column) +
               " " + place.pointer + "\n";
  }
  return found;
}

}  // namespace

TEST_CASE("plain numbers: every number that is written out is read bit for bit") {
  Dice dice(1);
  std::array<char, 400> text{};
  for (int round = 0; round < 20000; ++round) {
    const double x = random_bits(dice);
    if (!std::isnormal(x)) continue;
    const auto format = dice.one_of<std::chars_format>(
        {std::chars_format::general, std::chars_format::scientific, std::chars_format::fixed});
    char* const end = std::to_chars(text.data(), text.data() + text.size(), x, format).ptr;
    const std::string list = "[" + std::string(text.data(), end) + "]";
    CAPTURE(list);
    const auto read = plain(list);
    REQUIRE(read);
    REQUIRE(std::bit_cast<std::uint64_t>(read->at(0)) == std::bit_cast<std::uint64_t>(x));
  }
}

TEST_CASE("plain numbers: what looks like a number is read as nlohmann reads it, or left to it" *
          doctest::test_suite("long")) {
  Dice dice(2);
  int numbers = 0;
  for (int round = 0; round < 200000; ++round) {
    const std::string list = "[" + random_text(dice, "00123456789..eE+-- \n", 7) + "]";
    CAPTURE(list);
    const auto read = plain(list);
    const auto expected = by_nlohmann(list);
    const bool tiny = expected && !std::isnormal(*expected);  // left to nlohmann, except 0
    if (!tiny) REQUIRE(read.has_value() == expected.has_value());
    if (!read) continue;
    ++numbers;
    REQUIRE(read->size() == 1);
    const std::string number = list.substr(list.find_first_not_of(" \n", 1));
    REQUIRE(std::bit_cast<std::uint64_t>(read->at(0)) ==
            std::bit_cast<std::uint64_t>(by_nlohmann("[" + number).value()));
  }
  CHECK(numbers > 10000);
}

TEST_CASE("plain numbers: lists with anything else, or without an end, are left alone") {
  for (const char* list : {"[]",       "[ ]",       "[1",           "[1,",    "[1 ",       "[",
                           "[1,]",     "[,1]",      "[1 2]",        "[1,,2]", "[01]",      "[-]",
                           "[.5]",     "[1.]",      "[1.e5]",       "[1e]",   "[+1]",      "[inf]",
                           "[nan]",    "[-inf]",    "[1e999]",      "[0x10]", "[1, null]", "[[1]]",
                           "[1, [2]]", "[\"NaN\"]", "[1, \"NaN\"]", "[1}",    "[1\v]"}) {
    CAPTURE(list);
    CHECK(!plain(list));
  }
  CHECK(plain("[\t1 ,\r\n-0.5e+1\n]") == std::vector{1.0, -5.0});
}

TEST_CASE("plain numbers: words for numbers count only among numbers") {
  CHECK(plain("[\"-Infinity\", 1, \"Infinity\"]", true).value().size() == 3);
  CHECK(std::isnan(plain("[1, \"NaN\"]", true).value()[1]));
  for (const char* list : {"[\"NaN\"]", "[\"NaN\", \"Infinity\"]", "[1, \"nan\"]", "[1, \"NaN]"})
    CHECK(!plain(list, true));
}

TEST_CASE("plain numbers: all of them are counted, some at a time") {
  std::string list = "[0";
  for (int n = 1; n < 200000; ++n) list += ",0";
  json::PlainNumbers read;
  std::size_t all = 0, calls = 0;
  CHECK(json::read_plain(list + "]", 1, false, read, [&](std::size_t n) { all += n, ++calls; }));
  CHECK(all == 200000);
  CHECK(calls == 4);
}

TEST_CASE("plain numbers: mistakes after a list are found where they are") {
  Dice dice(3);
  const std::string good =
      "{\"a\": [[123456, 1.5], [123456,\n -2e3 ]], \"é\": [123456], \"b\": {\"c\": [ 123456 , 7]}, "
      "\"d\": "
      "[123456, 0], \"e\": 0}\n";
  for (int round = 0; round < 5000; ++round) {
    std::string plain_text = good;
    for (Index n = dice.between(1, 2); n > 0; --n) {
      const auto at = static_cast<std::size_t>(dice.between(0, std::ssize(plain_text)));
      if (dice.chance(20)) plain_text.resize(at);
      if (dice.chance(50)) plain_text.insert(at, random_text(dice, "[]{},:\" x", 1));
      if (dice.chance(50)) plain_text.erase(at, 1);
    }
    // The same with a number in each list that is left to nlohmann.
    const std::string other_text = replaced(plain_text, "123456", "1e-400");
    CAPTURE(plain_text);
    REQUIRE(wrong_places(plain_text) == replaced(wrong_places(other_text), "1e-400", "123456"));
  }
}

}  // namespace attn::testing
