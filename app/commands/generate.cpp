// attn generate: the most probable token, fed back again and again.
#include "attn/generate.hpp"

#include <memory>

#include "attn/render/generation_report.hpp"
#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct Generate {
  ProblemOptions problem;
  std::optional<Index> count;
  bool no_cache = false;
  int precision = 3;
  TextOptions text;
  OutputOptions output;
};

void run_generate(Generate& o, const Streams& streams) {
  const std::vector<Target> targets = targets_of(o.output, streams);
  check_nonfinite(targets, streams);
  note_idle_looks(targets, streams);
  Generation made;
  std::string title;
  use_problem(o.problem, streams, [&](const ProblemDraft& draft) {
    GenerateOptions options;
    options.count = o.count.value_or(options.count);
    options.cache = !o.no_cache;
    made = generate(draft, options);
    title = draft.title;
  });
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    if (target.format->document != nullptr) {
      return write_document(generation_document(made, title, o.precision), target, o.text, o.output,
                            streams, sink);
    }
    const std::string json = generation_json(made, o.output.nonfinite);
    shown_json(sink, streams)(json);
  });
}

}  // namespace

Command generate_command() {
  auto o = std::make_shared<Generate>();
  Command command;
  command.examples = {
      {"attn new --sample 15-induction -o model.json", "a small trained model"},
      {"attn generate model.json --count 5", "five tokens, or up to the end token"},
      {"attn generate model.json --no-cache", "compute keys and values again each time"}};
  command.usual = {"--count", "--no-cache", "--precision", "--ids", "--json", "--output"};
  add_rows(command, Group::Own,
           {whole("--count", "at most this many tokens (default 10)", 1, 100000, o->count),
            flag("--no-cache", "compute keys and values again for each token", o->no_cache),
            again(whole("--precision", "decimals, 0 to 17 (default 3)", 0, 17, o->precision),
                  Again::Last)});
  add_problem_options(command, o->problem);
  add_text_options(command, o->text);
  add_output_options(command, o->output, is_report);
  command.run = [o](const Streams& streams) { run_generate(*o, streams); };
  return command;
}

}  // namespace attn::app
