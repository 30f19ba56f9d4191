// attn help: the page of a command, a topic, an error or a mistake.
#include "help/help.hpp"

#include <memory>

namespace attn::app {

Command help_command() {
  auto name = std::make_shared<std::string>("help");
  Command command;
  command.operand = "[COMMAND|TOPIC]";
  command.operand_examples = [] {
    std::vector<std::string> names = page_names();
    std::erase_if(names, [](const std::string& each) { return each.find(' ') != each.npos; });
    return names;
  };
  command.set_operand = [name](const std::string& given) { *name = given; };
  command.run = [name](const Streams& streams) { print_page(help_on(*name), streams); };
  return command;
}

}  // namespace attn::app
