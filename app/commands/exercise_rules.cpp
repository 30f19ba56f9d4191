// attn exercise rules: every mistake that grading can name.
#include <memory>

#include "attn/io/sheet_file.hpp"
#include "attn/language.hpp"
#include "attn/teach/mistakes.hpp"
#include "command.hpp"
#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct Rules {
  TextOptions text;
  OutputOptions output;
};

Document rules_document() {
  Document document;
  document.blocks.emplace_back(Title{translated("Mistakes that attn check and grading can name")});
  for (const Mistake& mistake : mistakes()) {
    document.blocks.emplace_back(Paragraph{
        labelled(mistake.code, sentences({translated("{text}.", translated(mistake.title)),
                                          translated(mistake.explanation)}))});
    if (*mistake.hint != '\0')
      document.blocks.emplace_back(
          Paragraph{translated(mistake.hint), Role::Labelled, translated("hint")});
    if (*mistake.see != '\0')
      document.blocks.emplace_back(
          Paragraph{"attn help " + std::string(mistake.see), Role::Labelled, translated("more")});
  }
  return document;
}

}  // namespace

Command exercise_rules_command() {
  auto o = std::make_shared<Rules>();
  Command command;
  command.examples = {{"attn exercise rules", "codes, what they mean, and the hints"},
                      {"attn exercise rules --json", "the same for other programs"}};
  add_output_options(command, o->output, is_report);
  command.run = [o](const Streams& streams) {
    const auto targets = targets_of(o->output, streams);
    write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
      if (target.format->document != nullptr)
        return write_document(rules_document(), target, o->text, o->output, streams, sink);
      shown_json(sink, streams)(mistakes_json());
    });
  };
  return command;
}

}  // namespace attn::app
