#include "attn/tool/text.hpp"
#include "help/error_pages.hpp"
#include "help/topics.hpp"

namespace attn::app {

std::string errors_page() {
  constexpr std::ptrdiff_t kColumn = 19;
  constexpr int kColumns = 4;
  std::string text = R"page(attn help errors - what the words in error[…] mean

The first line says what is wrong. Below it: the place, as file:line:column and
as the path of keys in the file; the line with a caret (^); the rule that was
broken; what to do (fix); and where to read more. After several errors the last
line says with which to begin. --error-format json tells it as a line of JSON.
Any word below may follow attn help:

  attn help shape-mismatch     what the word means, and what to do
)page";
  int column = 0;
  std::string line;
  const auto end_line = [&] {
    if (column > 0) text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    column = 0;
  };
  for (const ErrorWord& word : error_words()) {
    if (*word.id == '\0') {
      end_line();
      text += "\n" + std::string(word.sentence) + "\n";
      continue;
    }
    if (column == kColumns) end_line();
    if (column++ == 0) line = "  ";
    line += pad_right(word.id, kColumn);
  }
  end_line();
  return text;
}

}  // namespace attn::app
