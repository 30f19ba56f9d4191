// Compares what a reader types with the answer of a lesson.
#include "commands/typed_answer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "options/option_row.hpp"

namespace attn::app {
namespace {

std::optional<double> number_in(const std::string& text) {
  const std::string pointed = with_point(text);
  return parse_number(pointed.empty() ? text : pointed);
}

/// What can be compared: "mange" of "'mange', the word after it"; empty for lists and sentences.
std::string first_word(const std::string& answer) {
  const bool quoted = answer.starts_with('\'');
  std::string word = answer.substr(quoted ? 1 : 0);
  word.resize(std::min(word.size(), quoted ? word.find("'") : word.find_first_of(" ,:;")));
  const std::string rest = answer.substr(word.size() + (quoted ? 2 : 0));
  if (!quoted && word.ends_with('.')) word.pop_back();
  word = lowered(word);
  const bool one_of_several = rest.starts_with(", '") || rest.starts_with(" and ");
  const bool known = quoted || word == "yes" || word == "no" || number_in(word);
  return one_of_several || !known ? "" : word;
}

}  // namespace

std::string verdict_on(const std::string& typed, const std::string& answer) {
  std::string given = lowered(trimmed(typed));
  if (given.size() > 2 && given.front() == '\'' && given.back() == '\'')
    given = given.substr(1, given.size() - 2);
  const std::string expected = first_word(answer);
  if (expected.empty() || given.empty() || given.find(' ') != given.npos) return "";
  const std::optional<double> a = number_in(given), b = number_in(expected);
  const bool same =
      a && b ? std::abs(*a - *b) <= 0.005 * std::max(1.0, std::abs(*b)) : given == expected;
  return same ? "Right." : "Not quite.";
}

}  // namespace attn::app
