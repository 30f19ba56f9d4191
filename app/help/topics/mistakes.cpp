// attn help mistakes.
#include "attn/mistakes.hpp"

#include <map>

#include "attn/tool/phrases.hpp"
#include "attn/tool/text.hpp"
#include "help/topics.hpp"

namespace attn::app {
namespace {

constexpr std::ptrdiff_t kNames = 14, kWidth = 79;

/// "  scale         missing, d_model, width …": the codes that begin alike, in lines that fit.
std::string family_lines(std::string_view family, const std::vector<std::string>& names) {
  std::string text;
  std::string_view head = family;
  for (const std::string& line :
       wrapped(separated(names, ", "), kWidth - kNames - 2, kWidth - kNames - 2)) {
    text += "  " + pad_right(head, kNames) + line + "\n";
    head = "";
  }
  return text;
}

}  // namespace

std::string mistakes_page() {
  std::string text = R"page(attn help mistakes - what attn check names, code by code

attn check names the mistake in a matrix by a code. To see a computation with
that mistake built in:

  attn explain --mask causal --fault scale.missing

A code is a word of the left column, a dot, and a word to its right.

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
Slips concern single cells; what begins with "equivalent" or "layout" is right
by another road. Neither can be built in.
)page";
  return text;
}

}  // namespace attn::app
