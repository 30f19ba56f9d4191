// Reads numbers and commas up to ], also "NaN" and infinities, and gives up at anything else.
#include "io/json/plain_numbers.hpp"

#include <array>
#include <limits>

#include "attn/number_text.hpp"
#include "core/text/ascii.hpp"

namespace attn::json {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Word {
  std::string_view text;
  double number;
};
constexpr std::array kWords{Word{"\"-Infinity\"", -kInfinity}, Word{"\"Infinity\"", kInfinity},
                            Word{"\"NaN\"", std::numeric_limits<double>::quiet_NaN()}};

const char* after_space(const char* at, const char* end) {
  while (at != end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) ++at;
  return at;
}

/// Where the number at `at` ends; `at` if there is none. from_chars would take 01, 1. and .5 too.
const char* read_number(const char* at, const char* end, double& number) {
  const char* const whole = at + (at != end && *at == '-');
  const char* point = whole;
  while (point != end && is_digit(*point)) ++point;
  const bool zeros = point - whole > 1 && *whole == '0';
  const bool bare = end - point > 1 && *point == '.' && !is_digit(point[1]);
  if (point == whole || zeros || bare) return at;
  return parse_number(at, end, number);
}

const char* read_word(const char* at, const char* end, double& number) {
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  for (const Word& word : kWords) {
    if (!rest.starts_with(word.text)) continue;
    number = word.number;
    return at + word.text.size();
  }
  return at;
}

}  // namespace

bool read_plain(std::string_view text, std::size_t start, bool words, PlainNumbers& list,
                const std::function<void(std::size_t numbers)>& count) {
  constexpr std::size_t kMany = 65536;
  list.numbers.clear();
  bool some = false;
  const char *at = text.data() + start, *const end = text.data() + text.size();
  for (char separator = ','; separator == ','; ++at) {
    const char* const begin = after_space(at, end);
    double number = 0.0;
    const char* stop = read_number(begin, end, number);
    some = some || stop != begin;
    if (stop == begin && words) stop = read_word(begin, end, number);
    if (stop == begin) return false;
    list.numbers.push_back(number);
    if (list.numbers.size() % kMany == 0) count(kMany);
    list.last = static_cast<std::size_t>(begin - text.data());
    list.end = static_cast<std::size_t>(stop - text.data());
    at = after_space(stop, end);
    if (at == end || (*at != ',' && *at != ']')) return false;
    separator = *at;
  }
  count(list.numbers.size() % kMany);
  return some;
}

}  // namespace attn::json
