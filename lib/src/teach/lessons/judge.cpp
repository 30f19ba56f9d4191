// Judges what a reader answers.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "attn/arithmetic.hpp"
#include "attn/error.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "teach/lessons/scene.hpp"

namespace attn {
namespace {

/// Words for numbers.
struct NumberWord {
  std::string_view word;
  double number;
};
constexpr NumberWord kNumberWords[] = {
    {"none", 0},  {"nothing", 0}, {"zero", 0},   {"no", 0},     {"one", 1},    {"two", 2},
    {"three", 3}, {"four", 4},    {"five", 5},   {"six", 6},    {"seven", 7},  {"eight", 8},
    {"nine", 9},  {"ten", 10},    {"half", 0.5}, {"null", 0},   {"nichts", 0}, {"kein", 0},
    {"keine", 0}, {"ein", 1},     {"eine", 1},   {"eins", 1},   {"zwei", 2},   {"drei", 3},
    {"vier", 4},  {"fünf", 5},    {"sechs", 6},  {"sieben", 7}, {"acht", 8},   {"neun", 9},
    {"zehn", 10}, {"零", 0},      {"一", 1},     {"二", 2},     {"两", 2},     {"三", 3},
    {"四", 4},    {"五", 5},      {"六", 6},     {"七", 7},     {"八", 8},     {"九", 9},
    {"十", 10},   {"一半", 0.5}};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// With the signs of ASCII in place of Chinese ones, and without the quotation marks of others.
std::string with_plain_signs(std::string_view text) {
  std::string plain = half_width(text);
  for (const char* mark : {"„", "“", "”", "‘", "’"}) replace_all(plain, mark, "");
  replace_all(plain, "。", ".");
  replace_all(plain, "、", ",");
  return plain;
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

std::vector<std::string> answer_words(std::string_view text) {
  std::string spaced(text);
  for (char& c : spaced) c = std::string_view(",;:()").find(c) == text.npos ? c : ' ';
  std::istringstream in(spaced);
  std::vector<std::string> words(std::istream_iterator<std::string>(in), {});
  for (std::string& word : words) {
    while (word.ends_with('.')) word.pop_back();
    if (word.ends_with("个")) word.erase(word.size() - std::string_view("个").size());
  }
  std::erase(words, "");
  return words;
}

bool is_figure(char c) { return c >= '0' && c <= '9'; }

/// As arithmetic is written here: "30 percent" is "30%", "2x3" is "2*3", "0,5" is "0.5", and of
/// "1 + 2 = 3" or "≈ 3" what follows the last sign is meant.
std::string as_arithmetic(std::string answer) {
  for (const char* equal : {"≈", "~", "≅"}) replace_all(answer, equal, "=");
  while (!answer.empty() && (answer.back() == '=' || answer.back() == ' ')) answer.pop_back();
  answer = std::string(trimmed(answer.substr(answer.rfind('=') + 1)));  // 0 without one
  for (const char* percent : {"per cent", "percent", "prozent"}) replace_all(answer, percent, "%");
  replace_all(answer, " %", "%");
  for (std::size_t i = 1; i + 1 < answer.size(); ++i) {
    const std::size_t before = answer.find_last_not_of(' ', i - 1),
                      after = answer.find_first_not_of(' ', i + 1);
    const bool between = before != answer.npos && after != answer.npos &&
                         is_figure(answer[before]) && is_figure(answer[after]);
    if (answer[i] == 'x' && between) answer[i] = '*';
    if (answer[i] == ',' && is_figure(answer[i - 1]) && is_figure(answer[i + 1])) answer[i] = '.';
  }
  return answer;
}

/// The numbers of an answer: of arithmetic, in a sentence, or else words for numbers.
std::vector<double> numbers_of_answer(const std::string& answer) {
  const std::string typed = as_arithmetic(answer);
  if (const auto all = arithmetic(typed)) return {*all};
  std::vector<double> numbers, in_words;
  for (const std::string& word : answer_words(typed)) {
    const bool has_digit = std::any_of(word.begin(), word.end(), is_figure);
    if (const auto number = has_digit ? arithmetic(word) : std::nullopt) numbers.push_back(*number);
    for (const NumberWord& each : kNumberWords) {
      if (each.word == word) in_words.push_back(each.number);
    }
  }
  return numbers.empty() ? in_words : numbers;
}

/// Whether a character from U+3000 to U+9FFF is in the text: Chinese has no spaces between words.
bool is_chinese(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '\xE3' && c <= '\xE9'; });
}

bool denies(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    const auto has = [&](const char* part) { return word.find(part) != word.npos; };
    return word == "not" || word == "never" || word == "no" || word.ends_with("nt") ||
           word == "nicht" || word == "nie" || word.starts_with("kein") || has("不") || has("没") ||
           has("未");
  });
}

/// Words that must come first: anything may follow them.
bool is_yes_or_no(const std::string& word) {
  constexpr std::array<std::string_view, 6> kAll{"yes", "no", "ja", "nein", "是", "否"};
  return std::find(kAll.begin(), kAll.end(), word) != kAll.end();
}

/// Whether the words are in the answer, one after the other; "change" is in "changes", too. An
/// answer that denies something is another one.
bool has_words(const std::string& answer, const std::string& expected) {
  const std::vector<std::string> given = answer_words(simplified(answer)),
                                 wanted = answer_words(simplified(expected));
  if (wanted.empty() || given.size() < wanted.size()) return false;
  if (is_yes_or_no(wanted[0]))
    return is_chinese(wanted[0]) ? given[0].starts_with(wanted[0]) : given[0] == wanted[0];
  if (denies(given) != denies(wanted)) return false;
  if (is_chinese(wanted[0])) return separated(given, "").find(separated(wanted, "")) != answer.npos;
  for (std::size_t i = 0; i + wanted.size() <= given.size(); ++i) {
    bool all = true;
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      const bool last = j + 1 == wanted.size() && wanted[j].size() > 2;
      all = all && (last ? given[i + j].starts_with(wanted[j]) : given[i + j] == wanted[j]);
    }
    if (all) return true;
  }
  return false;
}

bool is_number(const Expected& part, double x) {
  const double off =
      part.tolerance >= 0.0 ? part.tolerance : 0.005 * std::max(1.0, std::abs(*part.number));
  return x == *part.number || std::abs(x - *part.number) <= off * (1 + 1e-9);
}

bool fits(const Expected& part, const std::string& answer) {
  if (part.number) {  // several numbers, "5 or 6", are no answer
    const std::vector<double> numbers = numbers_of_answer(simplified(answer));
    const bool all =
        std::all_of(numbers.begin(), numbers.end(), [&](double x) { return is_number(part, x); });
    if (all && !numbers.empty()) return true;
  }
  return std::any_of(part.words.begin(), part.words.end(),
                     [&](const std::string& word) { return has_words(answer, word); });
}

/// The parts of an answer between signs or words that separate them.
std::vector<std::string> split_at(const std::string& answer,
                                  std::initializer_list<std::string_view> marks) {
  std::vector<std::string> parts{""};
  const std::string spaced = answer + " ";
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const std::string_view rest = std::string_view(spaced).substr(i);
    const auto* mark = std::find_if(marks.begin(), marks.end(),
                                    [&](std::string_view each) { return rest.starts_with(each); });
    if (mark == marks.end()) {
      parts.back() += answer[i];
    } else {
      parts.emplace_back();
      i += mark->size() - 1;
    }
  }
  return parts;
}

using AnswerParts = std::vector<std::string>;

/// The ways to read an answer as that many parts: "0.7 and no", "2,3", "cat yes"; all of it as each
/// of them if there is no other.
std::vector<AnswerParts> readings(const std::string& answer, std::size_t count) {
  if (count == 1) return {{answer}};
  std::vector<AnswerParts> all;
  const auto read = [&](AnswerParts parts) {
    if (parts.size() == count) all.push_back(std::move(parts));
  };
  read(split_at(answer, {";", ", ", " and ", " und ", "和"}));
  read(split_at(answer, {";", ",", " and ", " und ", "和"}));
  if (!all.empty()) return all;
  read(split_at(answer, {" "}));
  for (std::size_t i = 1; count == 2 && i < answer.size(); ++i) {
    if (answer[i] == ' ') read({answer.substr(0, i), answer.substr(i + 1)});
  }
  all.emplace_back(count, answer);
  return all;
}

/// Which parts of the answer are wrong.
std::vector<std::size_t> wrong_parts(const Question& question, const AnswerParts& parts) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!fits(question.expected[i], parts[i])) wrong.push_back(i);
  }
  return wrong;
}

std::string without_marks(std::string_view text) {
  text = trimmed(text);
  const auto is_mark = [](char c) { return c == '\'' || c == '"'; };
  while (!text.empty() && is_mark(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_mark(text.back())) text.remove_suffix(1);
  return std::string(text);
}

/// "\"cat\" is right. And the second part?"
std::string partly_right(const AnswerParts& parts, const std::vector<std::size_t>& wrong) {
  const bool cut =
      std::adjacent_find(parts.begin(), parts.end(), std::not_equal_to()) != parts.end();
  constexpr std::array<const char*, 4> kOrder{"first", "second", "third", "fourth"};
  std::vector<std::string> right, missing;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_right = std::find(wrong.begin(), wrong.end(), i) == wrong.end();
    const std::string order = i < kOrder.size() ? kOrder[i] : "next";
    if (!is_right)
      missing.push_back("the " + order);
    else if (cut)
      right.push_back("\"" + without_marks(parts[i]) + "\"");
    else  // all of the answer was read as each part
      right.push_back("the " + order + " part");
  }
  std::string all = together(right);
  if (all.starts_with('t')) all[0] = 'T';
  return all + (right.size() == 1 ? " is" : " are") + " right. And " + together(missing) +
         (missing.size() == 1 ? " part?" : " parts?");
}

}  // namespace

Judgement judge(const Question& question, const std::string& typed) {
  const std::string answer = with_plain_signs(typed);
  AnswerParts parts;
  std::vector<std::size_t> wrong;
  for (AnswerParts& each : readings(answer, question.expected.size())) {
    std::vector<std::size_t> found = wrong_parts(question, each);
    if (found.empty()) return {true, "Right."};
    if (!parts.empty() && found.size() >= wrong.size()) continue;
    parts = std::move(each);
    wrong = std::move(found);
  }
  std::string message = wrong.size() == parts.size() ? "Not quite." : partly_right(parts, wrong);
  for (const Question::Reason& reason : question.reasons) {
    const bool given = std::any_of(wrong.begin(), wrong.end(),
                                   [&](std::size_t i) { return fits(reason.of, parts[i]); });
    if (given) return {false, message + " " + reason.says};
  }
  std::vector<std::string> hints;
  for (const std::size_t i : wrong) hints.push_back(question.expected[i].hint);
  std::erase(hints, "");
  if (hints.empty()) hints.push_back(question.hint);
  for (const std::string& hint : hints) message += (hint.empty() ? "" : " ") + hint;
  return {false, message};
}

Judgement judge(const Lesson& lesson, std::size_t n, const std::string& answer,
                const LessonOptions& options) {
  std::size_t count = 0;
  const std::vector<LessonPart> parts = tell(lesson, options);
  for (const LessonPart& part : parts) {
    const auto* question = std::get_if<Question>(&part);
    if (question != nullptr && ++count == n) return judge(*question, answer);
  }
  throw Error(
      ErrorKind::Usage,
      {{.id = "no-such-question",
        .what = "the lesson \"" + lesson.name + "\" has no question " + std::to_string(n),
        .fix = "It has " + counted(static_cast<Index>(count), "question") + ", counted from 1."}});
}

}  // namespace attn
