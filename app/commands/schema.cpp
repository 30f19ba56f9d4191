// attn schema: the JSON Schema of a file format.
#include <memory>

#include "attn/phrases.hpp"
#include "attn/schemas.hpp"
#include "attn/suggest.hpp"
#include "command.hpp"
#include "files/files.hpp"

namespace attn::app {
namespace {

std::vector<std::string> names() { return names_in(schemas()); }

std::string schema_text(const std::string& name) {
  if (const Schema* schema = find_row(schemas(), name)) return std::string(schema->text);
  std::vector<std::string> begun = names();
  std::erase_if(begun, [&](const std::string& each) { return !each.starts_with(name); });
  throw usage_error("unknown-schema",
                    name.empty()
                        ? "attn schema needs the name of a file format"
                        : "there is no schema \"" + name + "\"" + did_you_mean(name, names()),
                    begun.size() == 1 ? "Write attn schema " + begun.front() + "."
                                      : "Name one of " + listed(names()) + ".");
}

}  // namespace

Command schema_command() {
  auto o = std::make_shared<std::string>();
  Command command;
  command.examples = {{"attn schema problem", "what a problem file may hold"},
                      {"attn schema trace -o trace.schema.json", "for a validator or an editor"}};
  command.operand = "FORMAT";
  command.operand_examples = names;
  command.set_operand = [o](const std::string& name) { *o = name; };
  command.run = [o](const Streams& streams) {
    const std::string text = schema_text(*o);
    write_json(
        streams.common.output, [&](const Sink& sink) { sink(text); }, streams);
  };
  return command;
}

}  // namespace attn::app
