// attn help errors: how to read a message, and every word that it can begin with.
#include "attn/tool/text.hpp"
#include "help/error_pages.hpp"
#include "help/topics.hpp"

namespace attn::app {

std::string errors_page() {
  constexpr std::ptrdiff_t kNameColumn = 19;
  constexpr int kColumns = 4;
  std::string text = R"page(attn help errors - what the words in error[…] mean

The first line says what is wrong. Below it: the place, as file:line:column and
as the path of keys in the file; the line with a caret (^); the rule that was
broken; what to do (fix); and where to read more. After several errors the last
line says which to fix first. --error-format json prints one line of JSON. Each
word below has its own page:

  attn help shape-mismatch     what the word means, and what to do
)page";
  std::string group, line;
  int column = 0;
  const auto end_line = [&] {
    if (column > 0) text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    column = 0;
  };
  for (const ErrorPage& page : error_pages()) {
    if (page.group != group || column == kColumns) end_line();
    if (page.group != group) text += "\n" + page.group + "\n";
    group = page.group;
    if (column++ == 0) line = "  ";
    line += pad_right(page.id, kNameColumn);
  }
  end_line();
  return text;
}

}  // namespace attn::app
