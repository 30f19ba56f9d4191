// Formulas for people: in English as they are, in other languages without English words.
#include <algorithm>
#include <string_view>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/render/formula.hpp"
#include "attn/trace.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

/// The formula, in which a number that was computed, with its many decimals, has three.
std::string with_short_numbers(const std::string& formula) {
  constexpr std::size_t kMost = 6;  // decimals of what somebody chose
  constexpr std::string_view kDigits = "0123456789";
  std::string text;
  std::size_t done = 0;
  for (std::size_t point = formula.find('.'); point != formula.npos;
       point = formula.find('.', point + 1)) {
    const std::size_t before = formula.find_last_not_of(kDigits, point - 1),
                      begin = before == formula.npos ? 0 : before + 1,
                      end = std::min(formula.find_first_not_of(kDigits, point + 1), formula.size());
    if (point == 0 || begin < done || begin == point || end - point - 1 <= kMost ||
        formula.substr(end, 1) == "e")
      continue;
    const auto number = parse_number(formula.substr(begin, end - begin));
    if (!number) continue;
    text += formula.substr(done, begin - done) + short_number(*number, 3);
    done = end;
  }
  return text + formula.substr(done);
}

}  // namespace

std::string formula_in_language(const Trace& trace, const Step& step) {
  const std::string english = with_short_numbers(formula_text(trace, step));
  if (language_code() == "en") return english;
  const std::string own = translated_sentence(as_mathematics(english));
  const bool is_word =
      step.is_given() && own != english;  // formulas of other steps have the symbol
  return is_word ? with_remark(english, own) : own;
}

}  // namespace attn
