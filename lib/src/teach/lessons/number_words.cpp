// Reads words for numbers, and ordinals.
#include "teach/lessons/number_words.hpp"

#include <algorithm>
#include <array>

#include "attn/number_text.hpp"
#include "core/text/ascii.hpp"

namespace attn {
namespace {

struct NumberWord {
  std::string_view word, figure;
};
constexpr NumberWord kNumberWords[] = {
    {"none", "0"},  {"nothing", "0"}, {"zero", "0"},   {"no", "0"},    {"one", "1"},
    {"two", "2"},   {"three", "3"},   {"four", "4"},   {"five", "5"},  {"six", "6"},
    {"seven", "7"}, {"eight", "8"},   {"nine", "9"},   {"ten", "10"},  {"half", "0.5"},
    {"null", "0"},  {"nichts", "0"},  {"kein", "0"},   {"keine", "0"}, {"ein", "1"},
    {"eine", "1"},  {"eins", "1"},    {"zwei", "2"},   {"drei", "3"},  {"vier", "4"},
    {"fünf", "5"},  {"sechs", "6"},   {"sieben", "7"}, {"acht", "8"},  {"neun", "9"},
    {"zehn", "10"}, {"一半", "0.5"}};

/// Without "th"; German ones without their endings.
constexpr std::array<std::array<std::string_view, 2>, 10> kOrdinals = {{{"first", "erste"},
                                                                        {"second", "zweite"},
                                                                        {"third", "dritte"},
                                                                        {"fourth", "vierte"},
                                                                        {"fifth", "fünfte"},
                                                                        {"sixth", "sechste"},
                                                                        {"seventh", "siebte"},
                                                                        {"eighth", "achte"},
                                                                        {"ninth", "neunte"},
                                                                        {"tenth", "zehnte"}}};

constexpr std::size_t kWide = 3;  // bytes of a Chinese character
constexpr std::string_view kTen = "十";

/// 0 to 9 for 零 to 九, 10 for 十; nullopt for other characters.
std::optional<int> numeral_at(std::string_view text, std::size_t at) {
  constexpr std::string_view kNumerals = "零一二三四五六七八九十";
  if (at + kWide > text.size()) return std::nullopt;
  const std::string_view character = text.substr(at, kWide);
  if (character == "两") return 2;
  const std::size_t place = kNumerals.find(character);
  if (place == kNumerals.npos || place % kWide != 0) return std::nullopt;
  return static_cast<int>(place / kWide);
}

/// The number of the numerals from `begin` to `end`, at most 99: 十二, 二十.
std::optional<int> number_of(std::string_view numerals) {
  const std::size_t ten = numerals.find(kTen);
  if (ten == numerals.npos)
    return numerals.size() == kWide ? numeral_at(numerals, 0) : std::nullopt;
  const std::string_view tens = numerals.substr(0, ten), ones = numerals.substr(ten + kWide);
  if (tens.size() > kWide || ones.size() > kWide) return std::nullopt;
  return 10 * numeral_at(tens, 0).value_or(1) + numeral_at(ones, 0).value_or(0);
}

/// Numerals that follow each other in Chinese.
struct Run {
  std::size_t begin, end;
  int number;
};
std::vector<Run> runs_of(std::string_view text) {
  std::vector<Run> runs;
  for (std::size_t at = 0; at < text.size(); at += kWide) {
    std::size_t end = at;
    while (numeral_at(text, end)) end += kWide;
    if (end == at) continue;
    if (const auto number = number_of(text.substr(at, end - at)))
      runs.push_back({at, end, *number});
    at = end;
  }
  return runs;
}

}  // namespace

std::optional<std::string> figure_of(std::string_view word) {
  for (const NumberWord& each : kNumberWords) {
    if (each.word == word) return std::string(each.figure);
  }
  const std::vector<Run> runs = runs_of(word);
  if (runs.size() != 1 || runs[0].begin > 0 || runs[0].end < word.size()) return std::nullopt;
  return std::to_string(runs[0].number);
}

std::vector<double> numbers_in_words(std::string_view word) {
  if (const auto figure = figure_of(word)) return {*parse_number(*figure)};
  std::vector<double> numbers;
  for (const Run& run : runs_of(word)) {
    const std::string_view before = word.substr(0, run.begin);
    std::string_view after = word.substr(run.end);
    bool counts = after.empty();
    for (const std::string_view measure : {"个", "倍", "维", "列"}) {
      if (after.starts_with(measure) && (run.number != 1 || after.size() == measure.size()))
        counts = true;  // 一个 is often no more than "a"
    }
    for (const std::string_view other : {"第", "之", "点", "唯", "统", "同"})
      counts = counts && !before.ends_with(other);
    if (counts) numbers.push_back(run.number);
  }
  return numbers;
}

std::optional<int> ordinal_of(std::string_view word, bool counts) {
  for (std::size_t i = 0; i < kOrdinals.size(); ++i) {
    const auto& [english, german] = kOrdinals[i];
    if (word == english || (word.starts_with(german) && word.size() <= german.size() + 1))
      return static_cast<int>(i) + 1;
  }
  std::size_t end = 0;
  while (end < word.size() && is_digit(word[end])) ++end;
  const std::string_view ending = word.substr(end);
  const bool is_ordinal = ending == "st" || ending == "nd" || ending == "rd" || ending == "th";
  if (end == 0 || end > 4 || !(is_ordinal || (counts && ending.empty()))) return std::nullopt;
  return static_cast<int>(*parse_number(word.substr(0, end)));
}

std::vector<std::string> with_chinese_ordinals(const std::string& text) {
  constexpr std::string_view kSign = "第";
  std::vector<std::string> parts;
  std::size_t done = 0;
  for (const Run& run : runs_of(text)) {
    const std::string_view before = std::string_view(text).substr(done, run.begin - done);
    if (!before.ends_with(kSign)) continue;
    if (before.size() > kSign.size()) parts.emplace_back(before.substr(0, before.size() - kWide));
    parts.push_back("#" + std::to_string(run.number));
    done = run.end;
  }
  if (done < text.size()) parts.push_back(text.substr(done));
  return parts;
}

}  // namespace attn
