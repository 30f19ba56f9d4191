// Judges what a reader answers.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <sstream>

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
constexpr NumberWord kNumberWords[] = {{"none", 0}, {"nothing", 0}, {"zero", 0},  {"no", 0},
                                       {"one", 1},  {"two", 2},     {"three", 3}, {"four", 4},
                                       {"five", 5}, {"six", 6},     {"seven", 7}, {"eight", 8},
                                       {"nine", 9}, {"ten", 10},    {"half", 0.5}};

/// In small letters, without quotation marks and what ends a sentence.
std::string simplified(std::string_view text) {
  std::string result;
  for (const char c : caseless(trimmed(text))) {
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
  }
  std::erase(words, "");
  return words;
}

/// The numbers of an answer: arithmetic, words, percentages, or numbers in a sentence.
std::vector<double> numbers_of_answer(const std::string& answer) {
  std::string pointed = answer;
  for (std::size_t i = 1; i + 1 < pointed.size(); ++i) {  // a decimal comma
    const auto digit = [&](std::size_t at) { return pointed[at] >= '0' && pointed[at] <= '9'; };
    if (pointed[i] == ',' && digit(i - 1) && digit(i + 1)) pointed[i] = '.';
  }
  if (const auto all = arithmetic(pointed)) return {*all};
  std::vector<double> numbers;
  for (const std::string& word : answer_words(pointed)) {
    const bool percent = word.ends_with('%');
    const auto number = arithmetic(percent ? word.substr(0, word.size() - 1) : word);
    if (number) numbers.push_back(percent ? *number / 100.0 : *number);
    for (const NumberWord& each : kNumberWords) {
      if (each.word == word) numbers.push_back(each.number);
    }
  }
  return numbers;
}

bool denies(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "not" || word == "never" || word == "no" || word.ends_with("nt");
  });
}

/// Whether the words are in the answer, one after the other; "change" is in "changes", too. An
/// answer that denies something is another one.
bool has_words(const std::string& answer, const std::string& expected) {
  const std::vector<std::string> given = answer_words(simplified(answer)),
                                 wanted = answer_words(simplified(expected));
  if (wanted.empty() || given.size() < wanted.size()) return false;
  if (wanted[0] == "yes" || wanted[0] == "no") return given[0] == wanted[0];
  if (denies(given) != denies(wanted)) return false;
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
  if (part.number) {
    const std::vector<double> numbers = numbers_of_answer(simplified(answer));
    if (std::any_of(numbers.begin(), numbers.end(), [&](double x) { return is_number(part, x); }))
      return true;
  }
  return std::any_of(part.words.begin(), part.words.end(),
                     [&](const std::string& word) { return has_words(answer, word); });
}

/// "0.7 and 0.002" → two parts; as it is if there are not as many as expected.
std::vector<std::string> answer_parts(const std::string& answer, std::size_t count) {
  std::vector<std::string> parts{""};
  const std::string spaced = answer + " ";
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const bool comma = answer[i] == ';' || spaced.substr(i).starts_with(", ");
    const bool word = spaced.substr(i).starts_with(" and ");
    if (comma || word) parts.emplace_back();
    if (comma) continue;
    if (word) i += 4;
    if (!word) parts.back() += answer[i];
  }
  return parts.size() == count ? parts : std::vector(count, answer);
}

}  // namespace

Judgement judge(const Question& question, const std::string& answer) {
  const std::vector<std::string> parts = answer_parts(answer, question.expected.size());
  std::vector<std::string> wrong;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!fits(question.expected[i], parts[i])) wrong.push_back("part " + std::to_string(i + 1));
  }
  if (wrong.empty()) return {true, "Right."};
  std::string message =
      wrong.size() == parts.size() ? "Not quite." : "Right, but for " + together(wrong) + ".";
  for (const Question::Reason& reason : question.reasons) {
    if (fits(reason.of, answer)) return {false, message + " " + reason.says};
  }
  if (!question.hint.empty()) message += " " + question.hint;
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
