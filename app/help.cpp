#include <algorithm>

#include "attn/text.hpp"
#include "attn/words.hpp"
#include "command.hpp"

namespace attn::app {

std::string command_help(const Command& command) {
  std::string text = "attn " + command.name + " - " + command.summary + "\n\nExamples:\n";
  for (const Example& example : command.examples) {
    text += "  " + pad_right(example.command, 46) + "  " + example.says + "\n";
  }
  text += "\nUsage: attn " + command.name + (command.operand.empty() ? "" : " " + command.operand) +
          " [OPTIONS]\n\nOptions:\n";
  for (const Option& option : command.options) {
    std::string left = option.names;
    const std::size_t comma = left.find(',');
    left =
        comma == left.npos ? "    " + left : left.substr(0, comma) + ", " + left.substr(comma + 1);
    text += "  " + pad_right(left + (option.value.empty() ? "" : " " + option.value), 26) + "  " +
            option.help + "\n";
    if (option.choices.empty()) continue;
    if (option.help.find(option.choices.front()) == option.help.npos)
      text += std::string(30, ' ') + listed(option.choices, option.choices.size()) + "\n";
  }
  return text;
}

}  // namespace attn::app
