// attn help mistakes.
#include "attn/mistakes.hpp"

#include <map>

#include "attn/tool/phrases.hpp"
#include "attn/tool/text.hpp"
#include "help/error_pages.hpp"
#include "help/topics.hpp"

namespace attn::app {
namespace {

constexpr std::ptrdiff_t kNames = 14, kTopicWidth = 79;

/// "  scale         missing, d_model, width …": the codes that begin alike, in lines that fit.
std::string family_lines(std::string_view family, const std::vector<std::string>& names) {
  std::string text;
  std::string_view head = family;
  for (const std::string& line :
       wrapped(separated(names, ", "), kTopicWidth - kNames - 2, kTopicWidth - kNames - 2)) {
    text += "  " + pad_right(head, kNames) + line + "\n";
    head = "";
  }
  return text;
}

}  // namespace

std::string mistakes_page() {
  std::string text = R"page(attn help mistakes - the mistakes that attn check can name

attn check gives the code of each mistake that it finds. attn help CODE
explains it, and --fault shows the computation with that mistake built in:

  attn help scale.missing
  attn explain --mask causal --fault scale.missing

A code is a word from the left column, a dot, and a word to its right.

)page";
  std::vector<std::string> families;
  std::map<std::string, std::vector<std::string>> names;
  for (const Mistake& mistake : mistakes()) {
    const std::string code = mistake.code;
    const std::size_t dot = code.find('.');
    auto& family = names[code.substr(0, dot)];
    if (family.empty()) families.push_back(code.substr(0, dot));
    family.push_back(code.substr(dot + 1));
  }
  for (const std::string& family : families) text += family_lines(family, names[family]);
  text += R"page(
Slips are numbers that are wrong or in the wrong place, although the method is
right. Answers with a code that begins with "equivalent" or "layout" are right,
by a different route. None of these can be built in, nor can dropout.on. A code
that begins with "evidence" or "shape" says what is seen in a matrix that no
known mistake explains; "rounding" is followed by the number type that
explains it.
)page";
  return text;
}

std::string mistake_page(const Mistake& mistake) {
  std::string text = "attn help " + std::string(mistake.code) + " - " + mistake.title + "\n\n";
  text += in_lines("", mistake.explanation);
  if (*mistake.hint != '\0' || *mistake.see != '\0') text += "\n";
  if (*mistake.hint != '\0') text += in_lines("  ask yourself  ", mistake.hint);
  if (*mistake.see != '\0') text += std::string("  more          attn help ") + mistake.see + "\n";
  return text + "\nattn help mistakes lists all of these codes.\n";
}

}  // namespace attn::app
