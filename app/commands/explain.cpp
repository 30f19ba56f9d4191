// attn explain: every step, some cells, or the numbers for other programs.
#include <memory>

#include "attn/io/sheet_file.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/heatmap.hpp"
#include "attn/render/sheet_document.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/mistakes.hpp"
#include "commands/explain.hpp"
#include "files/exercise_language.hpp"
#include "files/input.hpp"
#include "files/printed_sheet.hpp"

namespace attn::app {
namespace {

/// Passes on what is written in `format`, in 7 bits with --ascii; bytes that are not text stay.
Sink narrowed(const Sink& sink, const Format& format, const Streams& streams) {
  if (format.is_json) return shown_json(sink, streams);
  if (!streams.common.ascii || format.narrow == nullptr) return sink;
  return [sink, narrow = format.narrow](std::string_view piece) { sink(narrow(piece)); };
}

/// The ids of the chosen steps; empty for all.
std::vector<std::string> ids_of(const Trace& trace, const View& view) {
  std::vector<std::string> ids;
  const bool layer = view.layer && trace.is_model();
  if (view.steps.empty() && !layer) return ids;
  View all = view;
  if (view.steps.empty()) all.detail = Detail::Full;  // with the mask
  for (const Step* step : shown_steps(trace, all)) ids.push_back(step->id);
  return ids;
}

/// Which numbers an output needs.
Ids wanted_by(const Target& target, const Explain& o, const Trace& outline) {
  const View& view = o.view.view;
  if (shows_inside(o) && (target.format->document != nullptr || target.format->only_picture()))
    return numbers_of_probabilities(outline);
  if (target.format->document == nullptr && !holds_cell(*target.format, o.view)) {
    const std::vector<std::string> ids = ids_of(outline, view);
    return ids.empty() ? all_numbers(outline)
                       : numbers_in_file(outline, chosen_steps(outline, ids));
  }
  if (target.format->document != nullptr && in_summary(o) && outline.is_model())
    return numbers_of_summary(outline);
  if (o.view.summary) {
    return in_summary(o) ? all_numbers(outline)
                         : numbers_of_summary(outline, shown_steps(outline, view));
  }
  Ids ids;
  for (const std::string& cell : o.view.cells)
    ids.merge(numbers_of(outline, about_cell(steps_for_cell, outline, cell, view)));
  if (o.view.cells.empty()) ids = numbers_of(outline, shown_steps(outline, view));
  return ids;
}

/// For --wide: a name means a step of every layer of a model.
const std::string& only_id(const std::vector<std::string>& ids, const View& view) {
  if (ids.size() == 1) return ids.front();
  throw usage_error("wide",
                    "--wide writes one step as a table, and " + view.steps.front() + " names " +
                        counted(std::ssize(ids), "step"),
                    "Name one: --steps " + ids.front() + ".");
}

void write_to(const Target& target, const Explain& o, const Trace& trace, const Sink& sink,
              const Streams& streams) {
  const View& view = o.view.view;
  const Format& format = *target.format;
  if (format.document != nullptr) return write_explanation(o, trace, target, streams, sink);
  if (format.only_picture()) {
    const bool inside = shows_inside(o) && !o.inside.circuits;
    const HeatLook look{.precision = inside ? o.view.precision.value_or(2) : view.precision,
                        .palette = o.text.palette};
    const TextStyle style = text_style(o.text, target.path, streams);
    return sink(format.picture(
        inside ? picture_inside(o.inside, trace, view) : make_heatmap(trace, view), look, style));
  }
  const Sink narrow = narrowed(sink, format, streams);
  const std::vector<std::string> ids = ids_of(trace, view);
  if (holds_cell(format, o.view)) {
    const auto trees = about_cell(number_trees, trace, o.view.cells.front(), view);
    return narrow(number_trees_json(trees, o.output.nonfinite));
  }
  if (o.wide) {
    narrow(format.matrix(trace, only_id(ids, view), view.batch, view.head));
  } else {
    format.data(trace, {ids, o.output.nonfinite}, narrow);
  }
}

/// --outline: the shapes of all steps, for which no weight is read.
void write_outline(Explain& o, const std::vector<Target>& targets, const Streams& streams) {
  for (const Target& target : targets) {
    if (target.format->document != nullptr) continue;
    throw usage_error("option-conflict",
                      "--outline shows shapes alone, and this output would hold numbers",
                      "Leave out --outline, or write text, Markdown, LaTeX or HTML.");
  }
  const LoadedTrace loaded = load_outline(o.problem, streams);
  o.view.view.source = loaded.source;
  o.view.view.layer = o.problem.source.layer.number;
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    write_document(list_shapes(loaded.trace, o.view.view), target, o.text, o.output, streams, sink);
  });
}

/// A sheet is shown as it was handed out: no option chooses a part of it, or adds something.
void check_sheet_options(const Streams& streams) {
  const char* option = first_given(
      streams, {"--steps", "--head", "--batch", "--query", "--cell", "--summary", "--only",
                "--no-examples", "--detail", "--precision", "--outline", "--pause", "--blank",
                "--fault", "--gradient", "--upstream", "--lens", "--contributions", "--circuits"});
  if (option != nullptr)
    throw usage_error("wrong-operand", no_effect(option, "a sheet is shown as it was handed out"),
                      "Leave it out.");
}

/// A sheet: what is given, the formulas, and boxes; then how to check it.
void write_sheet(const Explain& o, const std::vector<Target>& targets, const Streams& streams) {
  check_sheet_options(streams);
  const std::string& path = o.problem.source.path;
  const auto parse = [](std::string_view bytes, const std::string& name) {
    return parse_sheet(bytes, name).sheet;
  };
  const Sheet sheet = unsolved(parse_input(path, streams, parse, o.problem.source.max_memory));
  const ExerciseLanguage language(sheet.language, sheet.decimal_comma, streams);
  Document document = sheet_document(sheet, layout_of(sheet));
  document.blocks.emplace_back(Paragraph{
      sheet.bug ? translated("Hand it in: only the teacher's key says which mistake it is.")
                : translated("{command} says how far you are.", "attn check " + shell_word(path)),
      Role::Footer});
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    if (target.format->document == nullptr) {
      throw usage_error("wrong-operand",
                        "\"" + path + "\" is a sheet, whose numbers are to be found",
                        "Write it as text, Markdown, LaTeX or HTML, or check it: attn check.");
    }
    write_document(document, target, o.text, o.output, streams, sink);
  });
}

void run_explain(Explain& o, const Streams& streams) {
  const std::vector<Target> targets = checked_targets(o, streams);
  if (is_sheet(o.problem.source, streams) && given_options(o.problem).empty())
    return write_sheet(o, targets, streams);
  if (o.outline) return write_outline(o, targets, streams);
  View& view = o.view.view;
  view.depth_name = "--depth";
  view.precision = o.view.precision.value_or(o.text.style.big ? 2 : kUsualDecimals);
  view.notation = o.text.style.notation;
  const Recipe recipe = view.detail == Detail::Full ? full_detail() : Recipe();
  view.layer = o.inside.layer = o.problem.source.layer.number;
  const auto wanted = [&](const Trace& outline) {
    if (!o.gradient.asked) check_documents(o, targets, outline);
    if (o.fault) return all_numbers(outline);
    Ids ids;
    for (const Target& target : targets) ids.merge(wanted_by(target, o, outline));
    return ids;
  };
  const bool backward = o.fault && is_made_backwards(*o.fault);
  o.gradient.asked = o.gradient.asked || backward;
  auto gradient = gradient_choice(o.gradient, o.problem.source.max_memory, streams);
  if (gradient) gradient->parts = view.detail == Detail::Full;
  LoadedTrace loaded = load_trace(o.problem, recipe, streams, wanted,
                                  o.fault && !backward ? std::nullopt : gradient, o.inside);
  if (o.fault) loaded.trace = with_mistake(loaded.trace, *o.fault);
  if (o.fault && gradient && !backward)
    add_gradients_within(o.problem.source.max_memory, loaded.trace, *gradient);
  if (gradient) check_documents(o, targets, loaded.trace);  // which steps there are is known now
  view.source = loaded.source;
  if (o.pause) return show_steps(o, loaded.trace, targets.front(), streams);
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    write_to(target, o, loaded.trace, sink, streams);
  });
}

}  // namespace

Command explain_command() {
  auto o = std::make_shared<Explain>();
  Command command;
  command.examples = {
      {"attn explain --mask causal", "every step of the sample"},
      {"attn explain --cell weights:1,0", "how one number is made"},
      {"attn explain --heads 2 --steps scores,weights", "some steps, with two heads"},
      {"attn explain --json", "the numbers for other programs"}};
  command.usual = {"--mask",    "--heads",  "--scale",     "--steps", "--cell", "--head",
                   "--summary", "--detail", "--precision", "--pause", "--json", "--output"};
  add_problem_options(command, o->problem);
  list_settings(command,
                {"--mask", "--heads", "--scale", "--positions", "--text", "--layer", "--set"});
  add_rows(command, Group::Problem,
           {offer(text("--fault", "CODE", "build in a known mistake, such as scale.missing",
                       [o](const std::string& code) { o->fault = code; }),
                  mistake_codes)});
  add_gradient_options(command, o->gradient);
  add_inside_options(command, o->inside);
  add_view_options(command, o->view);
  add_rows(command, Group::View,
           {flag("--outline", "the shapes of all steps; reads no weights", o->outline),
            flag("--pause", "one step at a time; b goes back, q ends", o->pause),
            again(list(offer(text("--blank", "ID,…", "a handout: leave the numbers of steps blank",
                                  [o](const std::string& v) { add_step_names(v, o->blanks); }),
                             offered_steps),
                       List::Commas),
                  Again::Adds),
            file("--solution", "FILE", "the same without blanks, as the key of a handout",
                 PathUse::Output, o->solution)});
  command.conflicts.insert(
      command.conflicts.end(),
      {{"--pause", "--summary", "a summary is one page"},
       {"--pause", "--cell", "--pause is about steps, --cell about one number"},
       {"--blank", "--cell", "--blank is about steps, --cell about one number"},
       {"--blank", "--summary", "a summary has no matrices"},
       {"--lens", "--gradient", "a gradient is of the model's own steps"},
       {"--lens", "--upstream", "a gradient is of the model's own steps"},
       {"--lens", "--fault", "a lens shows the model as it is"},
       {"--lens", "--contributions", "each has a page of its own"},
       {"--contributions", "--gradient", "a gradient is of the model's own steps"},
       {"--contributions", "--upstream", "a gradient is of the model's own steps"},
       {"--contributions", "--fault", "contributions are those of the model as it is"},
       {"--outline", "--contributions", "an outline has no numbers"},
       {"--circuits", "--lens", "each has a page of its own"},
       {"--circuits", "--contributions", "each has a page of its own"},
       {"--circuits", "--gradient", "a gradient is of the problem's own steps"},
       {"--circuits", "--upstream", "a gradient is of the problem's own steps"},
       {"--circuits", "--fault", "circuits are those of the right computation"},
       {"--outline", "--circuits", "an outline has no numbers"},
       {"--outline", "--summary", "an outline has no numbers to sum up"},
       {"--outline", "--lens", "an outline has no numbers"},
       {"--outline", "--cell", "an outline has no numbers"},
       {"--outline", "--pause", "an outline is one page"},
       {"--outline", "--blank", "an outline has no matrices"},
       {"--outline", "--fault", "an outline has no numbers"},
       {"--outline", "--gradient", "an outline has no numbers"}});
  add_text_options(command, o->text);
  add_output_options(command, o->output, [](const Format& format) {
    return format.document != nullptr || format.data != nullptr || format.only_picture();
  });
  add_nonfinite_option(command, o->output);
  add_rows(command, Group::Output,
           {flag("--wide", "CSV: one step as a matrix with labels", o->wide)});
  command.run = [o](const Streams& streams) { run_explain(*o, streams); };
  return command;
}

}  // namespace attn::app
