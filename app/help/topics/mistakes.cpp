// attn help mistakes.
#include "attn/mistakes.hpp"

#include "attn/tool/text.hpp"
#include "help/topics.hpp"

namespace attn::app {

std::string mistakes_page() {
  std::string text = R"page(attn help mistakes - the mistakes that attn check names

  attn check answers.json --problem mine.json   names your mistake
  attn explain --fault scale.missing            builds one in

)page";
  std::string_view family;
  for (const Mistake& mistake : mistakes()) {
    const std::string_view code = mistake.code;
    const std::string_view own = code.substr(0, code.find('.'));
    if (!family.empty() && own != family) text += "\n";
    family = own;
    text += "  " + pad_right(code, 28) + mistake.title + "\n";
  }
  text += R"page(
Slips concern single cells. What begins with "equivalent." or "layout." is
right by another road. Neither can be built in with --fault.
)page";
  return text;
}

}  // namespace attn::app
