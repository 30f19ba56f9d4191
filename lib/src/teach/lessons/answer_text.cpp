// Reads the words and the numbers of an answer.
#include "teach/lessons/answer_text.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "attn/arithmetic.hpp"
#include "attn/phrases.hpp"
#include "core/text/ascii.hpp"
#include "teach/lessons/number_words.hpp"

namespace attn {
namespace {

using Words = std::vector<std::string>;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// Whether a character from U+3000 to U+9FFF is in the text: Chinese has no spaces between words.
bool is_chinese(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '\xE3' && c <= '\xE9'; });
}

/// In small letters, without quotation marks and what ends a sentence.
std::string simplified(std::string_view text) {
  std::string result;
  for (const char c : caseless(trimmed(with_plain_signs(text)))) {
    if (c != '\'' && c != '"' && c != '!' && c != '?') result += c;
  }
  while (!result.empty() && (result.back() == '.' || result.back() == ',')) result.pop_back();
  return std::string(trimmed(result));
}

Words answer_words(std::string_view text) {
  std::string spaced(text);
  for (char& c : spaced) c = std::string_view(",;:()").find(c) == text.npos ? c : ' ';
  std::istringstream in(spaced);
  Words words(std::istream_iterator<std::string>(in), {});
  for (std::string& word : words) {
    while (word.ends_with('.')) word.pop_back();
  }
  std::erase(words, "");
  return words;
}

/// "isnt", "dont", "wouldnt": their apostrophe is left out. Not "gradient".
bool is_contracted_not(std::string_view word) {
  return word.ends_with("nt") &&
         is_one_of(word.substr(0, word.size() - 2),
                   {"is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "ca",
                    "wo", "would", "could", "should", "must"});
}

/// 不, 没 or 未, other than in words that deny nothing: "regardless of", "ever", "not bad".
bool denies_in_chinese(std::string word) {
  for (const char* each : {"不论", "不管", "不断", "不停", "没错", "不错"})
    replace_all(word, each, "");
  return word.find("不") != word.npos || word.find("没") != word.npos ||
         word.find("未") != word.npos;
}

/// Words that deny what comes after them; "no" and "kein" may mean 0 as well.
bool is_denial(const std::string& word) {
  return is_one_of(word, {"not", "never", "cannot", "nicht", "nie", "≠"}) ||
         is_contracted_not(word) || denies_in_chinese(word);
}

/// A word at the end that denies what is before it: "1 ist es nicht", "1 不是".
bool denies_before(const std::string& word) {
  return is_one_of(word, {"not", "nicht", "不是", "不对"}) || is_contracted_not(word);
}

bool denies(const Words& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return is_denial(word) || word == "no" || word.starts_with("kein");
  });
}

/// Words that must come first: anything may follow them. The longer of those in Chinese that begin
/// alike are first.
struct Reply {
  std::string_view word;
  bool yes;
};
constexpr Reply kReplies[] = {{"yes", true},  {"no", false},  {"ja", true}, {"nein", false},
                              {"没错", true}, {"不错", true}, {"是", true}, {"对", true},
                              {"否", false},  {"不", false},  {"没", false}};

/// Whether the word is one for yes or no, and which.
std::optional<bool> reply_of(const std::string& word, bool whole) {
  for (const Reply& each : kReplies) {
    const bool begins = !whole && is_chinese(each.word) && word.starts_with(each.word);
    if (word == each.word || begins) return each.yes;
  }
  return std::nullopt;
}

/// "#5" for "fifth", "fünfte", "5th", "row 5", "5. zeile" and 第五; figures for other words for
/// numbers, so that "null" is "0"; "-inf" for "−∞".
Words with_figures(const Words& words) {
  Words all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    const auto is_row = [&](std::size_t at) {
      return at < words.size() &&
             (is_one_of(words[at], {"row", "zeile"}) || words[at].ends_with("第"));
    };
    const bool counts = is_row(i + 1) || (i > 0 && is_row(i - 1));
    if (is_chinese(word)) {
      replace_all(word, "零", "0");
      for (const std::string& part : with_chinese_ordinals(word)) all.push_back(part);
    } else if (const auto n = ordinal_of(word, counts)) {
      all.push_back("#" + std::to_string(*n));
    } else if (const auto number = arithmetic(word); number && std::isinf(*number)) {
      all.push_back(*number < 0 ? "-inf" : "inf");
    } else if (const auto figure = figure_of(word); figure && !reply_of(word, true)) {
      all.emplace_back(*figure);
    } else {
      all.push_back(word);
    }
  }
  return all;
}

/// The words `wanted` in `given` from `start` on: where they end.
std::optional<std::size_t> end_of(const Words& wanted, const Words& given, std::size_t start) {
  for (std::size_t i = start; i + wanted.size() <= given.size(); ++i) {
    bool all = true;
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      const bool last = j + 1 == wanted.size() && wanted[j].size() > 2 && wanted[j][0] != '#';
      all = all && (last ? given[i + j].starts_with(wanted[j]) : given[i + j] == wanted[j]);
    }
    if (all) return i + wanted.size();
  }
  return std::nullopt;
}

/// The same in Chinese, where they are parts of a text.
std::optional<std::size_t> end_of(const Words& wanted, const std::string& given,
                                  std::size_t start) {
  const std::string together = separated(wanted, "");
  const std::size_t at = given.find(together, start);
  return at == given.npos ? std::nullopt : std::optional(at + together.size());
}

/// Whether all parts of `wanted`, between its "…", follow each other in `given`.
template <typename Given>
bool follow_each_other(const Words& wanted, const Given& given) {
  std::size_t done = 0;
  for (auto begin = wanted.begin();; ++begin) {
    const auto end = std::find(begin, wanted.end(), "…");
    const auto at = end_of(Words(begin, end), given, done);
    if (!at) return false;
    if (end == wanted.end()) return true;
    done = *at;
    begin = end;
  }
}

/// A word of Chinese numerals or Latin letters behind ^, as figures: "e^zwei".
void write_exponent(std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ', text.find('^') + 1);
  if (text.find('^') == text.npos || begin == text.npos) return;
  const std::size_t end = std::min(text.find(' ', begin), text.size());
  if (const auto figure = figure_of(text.substr(begin, end - begin)))
    text.replace(begin, end - begin, *figure);
}

/// As arithmetic is written here: "30 percent" is "30%", "2x3" is "2*3", "0,5" is "0.5", "e hoch 2"
/// is "e^2", and of "1 + 2 = 3" or "≈ 3" what follows the last sign is meant.
std::string as_arithmetic(std::string answer) {
  for (const char* equal : {"≈", "~", "≅"}) replace_all(answer, equal, "=");
  while (!answer.empty() && (answer.back() == '=' || answer.back() == ' ')) answer.pop_back();
  answer = std::string(trimmed(answer.substr(answer.rfind('=') + 1)));  // 0 without one
  for (const char* percent : {"per cent", "percent", "prozent"}) replace_all(answer, percent, "%");
  replace_all(answer, " %", "%");
  if (answer.find("次方") != answer.npos) {  // e 的 2 次方
    replace_all(answer, " 的", "^");
    replace_all(answer, "次方", " ");
  }
  constexpr std::pair<const char*, const char*> kPowers[] = {
      {" hoch ", "^"},         {" to the power of ", "^"}, {" squared", "^2 "},
      {" zum quadrat", "^2 "}, {" 的平方", "^2 "},         {" 的立方", "^3 "}};
  for (const auto& [words, sign] : kPowers) replace_all(answer, words, sign);
  write_exponent(answer);
  for (std::size_t i = 1; i + 1 < answer.size(); ++i) {
    const std::size_t before = answer.find_last_not_of(' ', i - 1),
                      after = answer.find_first_not_of(' ', i + 1);
    const bool between = before != answer.npos && after != answer.npos &&
                         is_digit(answer[before]) && is_digit(answer[after]);
    if (answer[i] == 'x' && between) answer[i] = '*';
    if (answer[i] == ',' && is_digit(answer[i - 1]) && is_digit(answer[i + 1])) answer[i] = '.';
  }
  return answer;
}

/// The number that a word with figures names: "0.3", "e²", and without its unit "7.4-mal".
std::optional<double> number_in(std::string_view word) {
  if (std::none_of(word.begin(), word.end(), is_digit) && word.find("²") == word.npos)
    return std::nullopt;
  if (const auto number = arithmetic(word)) return number;
  std::size_t end = word.size();
  while (end > 0 && is_letter(word[end - 1])) --end;
  if (!is_one_of(word.substr(end), {"mal", "fach", "fache", "fold", "times", "x"}))
    return std::nullopt;
  word = word.substr(0, end);
  if (word.ends_with('-')) word.remove_suffix(1);
  return arithmetic(word);
}

/// "0.3, not 4: 5" in pieces, in each of which a word denies what follows it.
std::vector<Words> answer_clauses(std::string text) {
  for (const char* end : {";", ":", ". "}) replace_all(text, end, ", ");
  std::vector<Words> clauses;
  for (const std::string& each : split_at_commas(text)) clauses.push_back(answer_words(each));
  return clauses;
}

}  // namespace

std::string with_plain_signs(std::string_view text) {
  std::string plain = half_width(text);
  for (const char* mark : {"„", "“", "”", "‘", "’", "「", "」"}) replace_all(plain, mark, "");
  replace_all(plain, "。", ".");
  replace_all(plain, "、", ",");
  for (const char* unequal : {"!=", "≠"}) replace_all(plain, unequal, "≠ ");
  std::string spaced;
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
  bool before = false;
  for (std::size_t at = 0; at < plain.size();) {
    const bool wide = is_chinese(plain.substr(at, 1));
    const std::size_t length = wide ? 3 : 1;
    if (at > 0 && wide != before && !is_space(plain[at]) && !is_space(plain[at - 1])) spaced += ' ';
    spaced += plain.substr(at, length);
    at += length;
    before = wide;
  }
  return spaced;
}

bool has_words(const std::string& answer, const std::string& expected) {
  const Words given = answer_words(simplified(answer)), wanted = answer_words(simplified(expected));
  if (wanted.empty() || given.empty()) return false;
  if (const auto reply = reply_of(wanted[0], true))
    return given.size() >= wanted.size() && reply_of(given[0], false) == reply;
  if (denies(given) != denies(wanted)) return false;
  const Words read = with_figures(given), sought = with_figures(wanted);
  return is_chinese(sought[0]) ? follow_each_other(sought, separated(read, ""))
                               : follow_each_other(sought, read);
}

std::vector<double> numbers_of_answer(const std::string& answer) {
  const std::string typed = as_arithmetic(simplified(answer));
  if (const auto all = arithmetic(typed)) return {*all};
  std::vector<double> numbers, in_words;
  bool denied_any = false;
  for (const Words& clause : answer_clauses(typed)) {
    bool denied = false;
    const std::size_t before = numbers.size(), words_before = in_words.size();
    for (const std::string& word : clause) {
      if (is_one_of(word, {"but", "sondern", "而是"})) denied = false;
      denied = denied || is_denial(word);
      const auto number = number_in(word);
      denied_any = denied_any || (denied && number);
      if (number && !denied) numbers.push_back(*number);
      for (const double each : numbers_in_words(word)) {
        if (!denied) in_words.push_back(each);
      }
    }
    if (clause.empty() || !denies_before(clause.back())) continue;
    denied_any = denied_any || numbers.size() > before;
    numbers.resize(before);
    in_words.resize(words_before);
  }
  return numbers.empty() && !denied_any ? in_words : numbers;
}

}  // namespace attn
