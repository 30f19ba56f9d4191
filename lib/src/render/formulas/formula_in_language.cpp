// Formulas for people: in English as they are, in other languages without English words.
#include "attn/language.hpp"
#include "attn/render/formula.hpp"
#include "attn/trace.hpp"

namespace attn {

std::string formula_in_language(const Trace& trace, const Step& step) {
  const std::string english = formula_text(trace, step);
  return language_code() == "en" ? english : translated_sentence(as_mathematics(english));
}

}  // namespace attn
