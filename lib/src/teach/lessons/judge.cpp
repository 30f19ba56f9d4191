// Judges what a reader answers.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "attn/error.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/lesson.hpp"
#include "teach/lessons/answer_text.hpp"

namespace attn {
namespace {

bool is_number(const Expected& part, double x) {
  const double off =
      part.tolerance >= 0.0 ? part.tolerance : 0.005 * std::max(1.0, std::abs(*part.number));
  return x == *part.number || std::abs(x - *part.number) <= off * (1 + 1e-9);
}

bool fits(const Expected& part, const std::string& answer) {
  if (part.number) {  // several numbers, "5 or 6", are no answer
    const std::vector<double> numbers = numbers_of_answer(answer);
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

/// What is said of a part of an answer, if the whole of it was read as each part.
struct PartWords {
  const char *is_right, *is_missing;
};
constexpr std::array<PartWords, 4> kParts{{
    {in_catalogue("The first part is right."), in_catalogue("And the first part?")},
    {in_catalogue("The second part is right."), in_catalogue("And the second part?")},
    {in_catalogue("The third part is right."), in_catalogue("And the third part?")},
    {in_catalogue("The next part is right."), in_catalogue("And the next part?")},
}};

/// "\"cat\" is right. And the second part?"
std::string partly_right(const AnswerParts& parts, const std::vector<std::size_t>& wrong) {
  const bool cut =
      std::adjacent_find(parts.begin(), parts.end(), std::not_equal_to()) != parts.end();
  std::vector<std::string> right, missing;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PartWords& words = kParts[std::min(i, kParts.size() - 1)];
    if (std::find(wrong.begin(), wrong.end(), i) != wrong.end())
      missing.push_back(translated(words.is_missing));
    else
      right.push_back(cut ? translated("\"{name}\" is right.", without_marks(parts[i]))
                          : translated(words.is_right));
  }
  return sentences({sentences(right), sentences(missing)});
}

}  // namespace

Judgement judge(const Question& question, const std::string& typed) {
  const std::string answer = with_plain_signs(typed);
  AnswerParts parts;
  std::vector<std::size_t> wrong;
  for (AnswerParts& each : readings(answer, question.expected.size())) {
    std::vector<std::size_t> found = wrong_parts(question, each);
    if (found.empty()) return {true, translated("Right.")};
    if (!parts.empty() && found.size() >= wrong.size()) continue;
    parts = std::move(each);
    wrong = std::move(found);
  }
  const std::string verdict =
      wrong.size() == parts.size() ? translated("Not quite.") : partly_right(parts, wrong);
  for (const Question::Reason& reason : question.reasons) {
    const bool given = std::any_of(wrong.begin(), wrong.end(),
                                   [&](std::size_t i) { return fits(reason.of, parts[i]); });
    if (given) return {false, sentences({verdict, reason.says})};
  }
  std::vector<std::string> hints;
  for (const std::size_t i : wrong) hints.push_back(question.expected[i].hint);
  std::erase(hints, "");
  if (hints.empty()) hints.push_back(question.hint);
  return {false, sentences({verdict, sentences(hints)})};
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
