// attn man: the manual page.
#include "help/help.hpp"

#include "commands.hpp"
#include "files/files.hpp"

namespace attn::app {

Command man_command() {
  Command command;
  command.examples = {{"attn man -o attn.1", "to read it: man -l attn.1"}};
  command.run = [](const Streams& streams) {
    CommonOptions common;
    write_output(streams.common.output, man_page(every_command(common)), streams);
  };
  return command;
}

}  // namespace attn::app
