#include <memory>

#include "attn/error.hpp"
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
  bool wide = false;
};

void check_wide(const TraceFormat* format, const View& view) {
  if (format != nullptr && format->name == "csv" && view.steps.size() == 1) return;
  throw Error(ErrorKind::Usage, {{.id = "wide",
                                  .what = "--wide writes one step as a table",
                                  .fix = "Write --format csv --steps weights --wide, for example.",
                                  .help = "attn explain --help"}});
}

/// Formats for programs hold whole steps: what chooses less of them is refused, not ignored.
void check_whole(const TraceFormat& format, const ViewOptions& o) {
  const std::pair<const char*, bool> options[] = {{"--cell", !o.cell.empty()},
                                                  {"--query", o.view.query.has_value()},
                                                  {"--head", o.view.head.has_value()},
                                                  {"--batch", o.view.batch.has_value()}};
  for (const auto& [name, given] : options) {
    if (!given) continue;
    throw Error(ErrorKind::Usage,
                {{.id = "text-only",
                  .what = std::string(name) + " chooses what text shows; " +
                          std::string(format.name) + " holds whole steps",
                  .fix = "Leave it out and choose with --steps, or take a part with another tool.",
                  .help = "attn explain --help"}});
  }
}

std::string explained(Explain& o, const Streams& streams) {
  const TraceFormat* format = find_trace_format(format_of(o.output, streams.common.output));
  View& view = o.view.view;
  if (o.wide) check_wide(format, view);
  if (!o.wide && format != nullptr) check_whole(*format, o.view);
  Recipe recipe;
  recipe.open_softmax = view.detail == Detail::Full;
  const LoadedTrace loaded = load_trace(o.problem, recipe, streams);
  const Trace& trace = loaded.trace;
  if (o.wide) return step_csv(trace, view.steps[0], view.batch, view.head);
  if (format != nullptr) return format->write(trace, view.steps);
  view.source = loaded.source;
  const Document document =
      o.view.cell.empty() ? explain(trace, view) : explain_cell(trace, o.view.cell, view);
  return write_text(document, text_style(streams));
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
  add_rows(command, Group::Output,
           {flag("--wide", "csv: one step as a matrix with labels", o->wide)});
  command.run = [o](const Streams& streams) {
    refuse_same_file(o->problem.source.path, streams.common.output);
    refuse_same_file(o->problem.source.embeddings, streams.common.output);
    write_output(streams.common.output, explained(*o, streams), streams);
    return 0;
  };
  return command;
}

}  // namespace attn::app
