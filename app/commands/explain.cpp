// attn explain: every step, some cells, or the numbers for other programs.
#include <algorithm>
#include <iterator>
#include <memory>

#include "attn/explain.hpp"
#include "attn/heatmap.hpp"
#include "attn/mistakes.hpp"
#include "attn/tool/text.hpp"
#include "attn/trace_file.hpp"
#include "commands/pause.hpp"
#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct Explain {
  ProblemOptions problem;
  ViewOptions view;
  TextOptions text;
  OutputOptions output;
  bool wide = false, pause = false, gradient = false;
  std::vector<std::string> blanks;   ///< steps to leave blank, as written
  std::string answers;               ///< a file for the document without blanks
  std::string upstream;              ///< a file with the gradient of the output
  std::optional<std::string> fault;  ///< the code of a mistake to build in
};

void check_wide(const Format& format, const View& view) {
  if (format.matrix != nullptr && view.steps.size() == 1) return;
  throw usage_error("wide", "--wide writes one step as a table",
                    "Write --format csv --steps weights --wide, for example.");
}

/// Whether a format holds a number, or those of a row, and what they were made from.
bool holds_cell(const Format& format, const ViewOptions& o) {
  return format.name == "json" && o.cells.size() == 1;
}

/// Formats for programs hold whole steps: an option that chooses a part is refused, not ignored.
void check_whole(const Format& format, const ViewOptions& o) {
  if (holds_cell(format, o)) return;
  const std::pair<const char*, bool> options[] = {{"--cell", !o.cells.empty()},
                                                  {"--summary", o.summary},
                                                  {"--query", o.view.query.has_value()},
                                                  {"--head", o.view.head.has_value()},
                                                  {"--batch", o.view.batch.has_value()}};
  for (const auto& [name, given] : options) {
    if (!given) continue;
    throw usage_error("text-only",
                      std::string(name) + " chooses what text shows; " + std::string(format.name) +
                          " holds whole steps",
                      "Leave it out and choose with --steps, or take a part with another tool; "
                      "--json takes one --cell.");
  }
}

/// A picture shows one whole step.
void check_picture(const Format& format, const ViewOptions& o) {
  const std::string name(format.name);
  for (const auto& [option, given] :
       {std::pair{"--cell", !o.cells.empty()}, std::pair{"--summary", o.summary}}) {
    if (!given) continue;
    throw usage_error("text-only",
                      std::string(option) + " is about text; " + name + " shows one step",
                      "Leave it out and choose a step: --steps weights, for example.");
  }
  if (!o.view.steps.empty()) return;
  throw usage_error("one-step", name + " shows one step, and explain shows them all",
                    "Choose one: --steps weights, for example.");
}

/// Blanks are for documents; the answers may be in any format.
bool is_handout(const Explain& o, const Target& target) {
  return !o.blanks.empty() && (o.answers.empty() || target.path != o.answers);
}

void check_handout(const Explain& o, const std::vector<Target>& targets) {
  for (const Target& target : targets) {
    if (!is_handout(o, target) || target.format->document != nullptr) continue;
    throw usage_error(
        "text-only",
        "--blank makes a hand-out; " + std::string(target.format->name) + " holds whole steps",
        "Write .txt, .md, .tex or .html.");
  }
}

/// Every output that is asked for, each in a format that can hold it.
std::vector<Target> checked_targets(Explain& o, const std::string& output) {
  if (!o.answers.empty() && o.blanks.empty()) {
    throw usage_error("needs-blank", "--answers is about --blank",
                      "Add --blank scores,weights, for example.");
  }
  if (!o.answers.empty()) o.output.also.push_back(o.answers);
  std::vector<Target> targets = targets_of(o.output, output, o.problem.source);
  for (const Target& target : targets) {
    if (o.wide) check_wide(*target.format, o.view.view);
    if (!o.wide && target.format->data != nullptr) check_whole(*target.format, o.view);
    if (target.format->only_picture()) check_picture(*target.format, o.view);
  }
  check_handout(o, targets);
  check_nonfinite(o.output, targets);
  return targets;
}

/// What `use` makes of a --cell; errors in its text name the option as their place.
template <typename Use>
auto about_cell(const Use& use, const Trace& trace, const std::string& cell, const View& view) {
  try {
    return use(trace, cell, view);
  } catch (const Error& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& each : diagnostics) {
      for (Place& place : each.places) place.file = "--cell " + cell;
    }
    throw Error(error.kind(), std::move(diagnostics));
  }
}

/// Whether no option chooses what to show.
bool shows_all(const Explain& o) {
  const View& v = o.view.view;
  return v.steps.empty() && o.blanks.empty() && o.view.cells.empty() && !v.only && v.examples &&
         v.detail == Detail::Normal && !v.batch && !v.query && !v.layer;
}

/// Whether a model is summarised: all of it would be too long for anybody.
bool in_summary(const Explain& o) {
  const View& v = o.view.view;
  return o.view.summary ? v.steps.empty() && !v.layer : shows_all(o) && !o.text.full;
}

/// How to see more of a model.
void add_ways_on(Document& document, const Explain& o, const Trace& trace) {
  ModelPlace last;
  for (const auto& scope : trace.scopes) {
    if (place_of(*scope).layer) last = place_of(*scope);
  }
  const std::string layer = std::to_string(last.layer.value_or(0));
  document.blocks.emplace_back(
      Table{{"option", "what it shows"},
            {{"--layer " + layer, "one layer"},
             {"--steps '" + last.stack + "." + layer + ".*'", "some steps"},
             {"--steps weights", "the same step of all layers"},
             {"--cell " + example_cell(trace, o.view.view), "how one number is made"},
             {"--full", "everything"}},
            2});
}

/// The document with the blanks that were asked for. Throws Error (usage) for a step that is not
/// in it.
Document handout(const Explain& o, const Trace& trace, Document document) {
  View named;
  named.steps = o.blanks;
  std::vector<std::string> ids;
  for (const Step* step : shown_steps(trace, named)) {
    ids.push_back(step->id);
    const bool shown =
        std::any_of(document.blocks.begin(), document.blocks.end(), [&](const Block& block) {
          const Grid* grid = std::get_if<Grid>(&block);
          return grid != nullptr && (grid->step == step->id || grid->last_step == step->id);
        });
    if (shown) continue;
    throw usage_error("no-such-blank",
                      "the matrix of " + step->id + " is not in this document, so it has no blanks",
                      "Leave it out, or show it with --detail full or --steps " + step->id + ".");
  }
  return with_blanks(std::move(document), ids);
}

/// `asks`: the document goes to a format that shows how each number was made.
Document document_of(const Explain& o, const Trace& trace, const View& view, bool asks) {
  if (trace.is_model() && in_summary(o)) {
    Document document = summarize_model(trace, view);
    add_ways_on(document, o, trace);
    return document;
  }
  if (o.view.summary) return summarize(trace, view);
  if (o.view.cells.empty()) return asks ? explain_page(trace, view) : explain(trace, view);
  Document document;
  if (o.fault) document.blocks.emplace_back(Note{trace.notes.front()});
  for (const std::string& cell : o.view.cells) {
    Document one = about_cell(explain_cell, trace, cell, view);
    document.precision = one.precision;
    std::move(one.blocks.begin(), one.blocks.end(), std::back_inserter(document.blocks));
  }
  if (asks) add_cells(document, trace);
  return document;
}

/// What to type next, for a person at a terminal.
Next next_commands(const Explain& o, const Trace& trace) {
  std::string problem =
      o.problem.source.path.empty() ? "" : " " + shell_word(o.problem.source.path);
  for (const std::string& option : given_options(o.problem)) problem += " " + option;
  std::vector<std::string> commands{"attn heatmap" + problem, "attn help attention"};
  if (trace.is_model() && in_summary(o))
    return {{"attn heatmap" + problem + " --overview", "attn help models"}};
  if (o.fault) problem += " --fault " + *o.fault;
  if (o.gradient)
    problem += o.upstream.empty() ? " --gradient" : " --upstream " + shell_word(o.upstream);
  const std::string cell = example_cell(trace, o.view.view);
  if (o.view.cells.empty() && !cell.empty()) {
    commands.insert(commands.begin(), "attn explain" + problem + " --cell " + cell);
  }
  return {commands};
}

constexpr std::ptrdiff_t kLongText = 200;  // lines

/// Whether no option asks for a part of the story or for a certain look.
bool is_whole_story(const Explain& o, const TextStyle& style) {
  return style.fit == Fit::Screen && style.layout == Layout::Grid && !style.big && shows_all(o) &&
         !o.view.summary && !o.view.view.head;
}

/// In place of a text of many lines: the summary, the weights as a picture, and how to see the
/// rest.
std::string in_short(const Trace& trace, const View& view, const Format& format,
                     const TextStyle& style, std::ptrdiff_t lines) {
  const auto drawn = [&](const View& weights) {
    HeatMap map = make_heatmap(trace, weights);
    map.title.clear();  // the summary has said so
    map.facts.clear();
    HeatLook look;
    look.compact = true;
    return format.picture(map, look, style);
  };
  const std::string rest = "All steps take " + std::to_string(lines) +
                           " lines: --full prints them, --steps " + trace.last_weights()->id +
                           " only this one, -o FILE writes a file.";
  std::string picture = drawn(view);
  if (std::count(picture.begin(), picture.end(), '\n') > kLongText / 2) {
    View first = view;
    first.batch = first.head = 0;
    picture = drawn(first);
  }
  return format.document(summarize(trace, view), style) + "\n" + picture + "\n" +
         format.document({{Paragraph{rest}}}, style);
}

/// What goes to `path`: on a screen with commands to type next.
Document document_for(const Target& target, const Explain& o, const Trace& trace,
                      const Streams& streams) {
  const bool blank = is_handout(o, target);
  Document document = document_of(o, trace, o.view.view, target.format->asks_cells && !blank);
  if (blank) document = handout(o, trace, std::move(document));
  const bool screen = is_stdout(target.path) && streams.terminal.out_is_terminal;
  if (screen && !streams.common.quiet && o.problem.source.path != "-" && !o.view.view.only)
    document.blocks.push_back(next_commands(o, trace));
  return document;
}

std::string text_of(const Explain& o, const Trace& trace, const Target& target,
                    const Streams& streams) {
  const Format& format = *target.format;
  const TextStyle style = text_style(o.text, target.path, streams);
  const Document document = document_for(target, o, trace, streams);
  const std::string text = document_text(document, target, o.text, o.output, streams);
  const auto lines = std::count(text.begin(), text.end(), '\n');
  const bool too_long = lines > kLongText && is_whole_story(o, style) && !trace.is_model() &&
                        format.picture != nullptr && trace.last_weights() != nullptr;
  return too_long ? in_short(trace, o.view.view, format, style, lines) : text;
}

/// For --pause: one step after the other.
void show_steps(const Explain& o, const Trace& trace, const Target& screen,
                const Streams& streams) {
  const TextStyle style = text_style(o.text, screen.path, streams);
  std::vector<std::string> pages;
  for (const Document& part : steps_apart(document_for(screen, o, trace, streams)))
    pages.push_back(screen.format->document(part, style));
  show_pages(pages, streams);
}

/// Passes on what is written in `format`, in 7 bits with --ascii; bytes that are not text stay.
Sink narrowed(const Sink& sink, const Format& format, const Streams& streams) {
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

/// Which numbers of a model an output shows.
Ids wanted_by(const Target& target, const Explain& o, const Trace& outline) {
  const View& view = o.view.view;
  if (target.format->document == nullptr && !holds_cell(*target.format, o.view)) {
    const std::vector<std::string> ids = ids_of(outline, view);
    return ids.empty() ? all_numbers(outline)
                       : numbers_in_file(outline, chosen_steps(outline, ids));
  }
  if (target.format->document != nullptr && in_summary(o)) return numbers_of_summary(outline);
  Ids ids;
  for (const std::string& cell : o.view.cells)
    ids.merge(numbers_of(outline, about_cell(steps_for_cell, outline, cell, view)));
  if (o.view.cells.empty()) ids = numbers_of(outline, shown_steps(outline, view));
  return ids;
}

void write_to(const Target& target, const Explain& o, const Trace& trace, const Sink& sink,
              const Streams& streams) {
  const View& view = o.view.view;
  const Format& format = *target.format;
  if (format.document != nullptr) return sink(text_of(o, trace, target, streams));
  if (format.only_picture()) {
    const HeatLook look{.precision = view.precision, .palette = o.text.palette};
    const TextStyle style = text_style(o.text, target.path, streams);
    return sink(format.picture(make_heatmap(trace, view), look, style));
  }
  const Sink narrow = narrowed(sink, format, streams);
  const std::vector<std::string> ids = ids_of(trace, view);
  const NonFinite nonfinite = o.output.nonfinite.value_or(NonFinite::Words);
  if (holds_cell(format, o.view)) {
    const auto trees = about_cell(number_trees, trace, o.view.cells.front(), view);
    return narrow(number_trees_json(trees, nonfinite));
  }
  if (o.wide) {
    narrow(format.matrix(trace, ids.front(), view.batch, view.head));
  } else {
    format.data(trace, {ids, nonfinite}, narrow);
  }
}

/// --pause is for a person at a terminal.
void check_pause(const Explain& o, const std::vector<Target>& targets, const Terminal& terminal) {
  if (!o.pause) return;
  if (!terminal.out_is_terminal || !terminal.in_is_terminal) {
    throw usage_error("needs-terminal", "--pause waits for keys, and there is no terminal",
                      "Leave it out, or run attn in a terminal, without a pipe.");
  }
  const bool text = targets.front().format->document != nullptr;
  if (text && targets.size() == 1 && is_stdout(targets.front().path)) return;
  throw usage_error("option-conflict", "--pause shows text on the terminal and writes no file",
                    "Leave it out, or write the file in a second run.");
}

void check_depth(const ViewOptions& o) {
  if (!o.view.depth || !o.cells.empty()) return;
  throw usage_error("needs-cell", "--depth is about --cell",
                    "Add --cell weights:1,0, for example.");
}

/// What --gradient and --upstream ask for.
std::optional<GradientChoice> gradient_choice(const Explain& o, const Streams& streams) {
  if (!o.gradient) return std::nullopt;
  GradientChoice choice{.parts = o.view.view.detail == Detail::Full};
  if (o.upstream.empty()) return choice;
  choice.upstream = read_matrix("--upstream", o.upstream, o.problem.source.max_memory, streams);
  choice.source = "--upstream " + o.upstream;
  return choice;
}

void run_explain(Explain& o, const Streams& streams) {
  check_depth(o.view);
  const std::vector<Target> targets = checked_targets(o, streams.common.output);
  check_pause(o, targets, streams.terminal);
  View& view = o.view.view;
  view.depth_name = "--depth";
  view.precision = o.view.precision.value_or(o.text.style.big ? 2 : 3);
  const Recipe recipe = view.detail == Detail::Full ? opened_softmax() : Recipe();
  view.layer = o.problem.source.layer.number;
  const auto wanted = [&](const Trace& outline) {
    if (o.fault) return all_numbers(outline);
    Ids ids;
    for (const Target& target : targets) ids.merge(wanted_by(target, o, outline));
    return ids;
  };
  const std::optional<GradientChoice> gradient = gradient_choice(o, streams);
  LoadedTrace loaded =
      load_trace(o.problem, recipe, streams, wanted, o.fault ? std::nullopt : gradient);
  if (o.fault) loaded.trace = with_mistake(loaded.trace, *o.fault);
  if (o.fault && gradient) add_gradients(loaded.trace, *gradient);
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
      {"attn explain --mask causal", "all steps on the built-in sample"},
      {"attn explain --cell weights:1,0", "how one number is made"},
      {"attn explain --heads 2 --steps scores,weights", "some steps, with two heads"},
      {"attn explain --json", "the numbers for other programs"}};
  command.usual = {"--mask",    "--heads",  "--scale",     "--steps", "--cell", "--head",
                   "--summary", "--detail", "--precision", "--pause", "--json", "--output"};
  add_problem_options(command, o->problem);
  add_rows(
      command, Group::Problem,
      {offer(text("--fault", "CODE", "build in a known mistake, such as scale.missing",
                  [o](const std::string& code) { o->fault = code; }),
             mistake_codes),
       flag("--gradient", "go on backwards: how the loss changes with each number", o->gradient),
       text("--upstream", "FILE", "the same, from this gradient of the output (.npy, JSON)",
            [o](const std::string& path) {
              o->upstream = path;
              o->gradient = true;
            })});
  add_view_options(command, o->view);
  add_rows(command, Group::View,
           {flag("--pause", "one step at a time; b goes back, q ends", o->pause),
            again(list(offer(text("--blank", "ID,…", "a hand-out: leave the numbers of steps blank",
                                  [o](const std::string& v) { add_step_names(v, o->blanks); }),
                             step_ids),
                       List::Commas),
                  Again::Adds),
            text("--answers", "FILE", "the same without blanks, as the key of a hand-out",
                 [o](const std::string& path) {
                   require_path("--answers", path);
                   o->answers = path;
                 })});
  command.conflicts.insert(
      command.conflicts.end(),
      {{"--pause", "--summary", "a summary is one page"},
       {"--pause", "--cell", "--pause is about steps, --cell about one number"},
       {"--blank", "--cell", "--blank is about steps, --cell about one number"},
       {"--blank", "--summary", "a summary has no matrices"}});
  add_text_options(command, o->text);
  add_output_options(command, o->output, [](const Format& format) {
    return format.document != nullptr || format.data != nullptr || format.only_picture();
  });
  add_rows(command, Group::Output,
           {flag("--wide", "CSV: one step as a matrix with labels", o->wide)});
  command.run = [o](const Streams& streams) { run_explain(*o, streams); };
  return command;
}

}  // namespace attn::app
