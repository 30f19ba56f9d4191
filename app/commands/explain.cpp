#include <memory>

#include "attn/attend.hpp"
#include "attn/explain.hpp"
#include "attn/trace_file.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "options.hpp"

namespace attn::app {
namespace {

struct Explain {
  ProblemOptions problem;
  ViewOptions view;
  OutputOptions output;
};

std::string explained(Explain& o, const Streams& streams) {
  const LoadedProblem loaded = load_problem(o.problem, streams);
  Recipe recipe;
  recipe.open_softmax = o.view.view.detail == Detail::Full;
  const Trace trace = attend(loaded.problem, recipe);
  if (format_of(o.output) == "json") return trace_json(trace, o.view.view.steps);
  o.view.view.source = loaded.source;
  const Document document = o.view.cell.empty() ? explain(trace, o.view.view)
                                                : explain_cell(trace, o.view.cell, o.view.view);
  return write_text(document, text_style(o.output, streams));
}

}  // namespace

Command explain_command() {
  auto o = std::make_shared<Explain>();
  Command command;
  command.name = "explain";
  command.summary = "print every step with shapes, formulas and numbers";
  command.examples = {
      {"attn explain --mask causal", "all steps on the built-in sample"},
      {"attn explain --cell weights:1,0", "how one number is made"},
      {"attn explain --heads 2 --steps scores,weights", "some steps, with two heads"},
      {"attn explain --json", "the numbers for other programs"}};
  add_problem_options(command, o->problem);
  add_view_options(command, o->view);
  add_output_options(command, o->output);
  command.run = [o](const Streams& streams) {
    write_output(o->output.path, explained(*o, streams), streams);
    return 0;
  };
  return command;
}

}  // namespace attn::app
