// The documents of attn explain: all steps, a summary, some cells, a handout.
#include <algorithm>
#include <iterator>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "attn/document.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/heatmap.hpp"
#include "attn/render/inside.hpp"
#include "attn/render/text.hpp"
#include "command.hpp"
#include "commands/explain.hpp"

namespace attn::app {
namespace {

/// The document in pieces: one for each step, the first with the opening.
std::vector<Document> steps_apart(Document document) {
  std::vector<Document> parts(1);
  bool in_step = false;
  for (Block& block : document.blocks) {
    const bool begins = std::holds_alternative<StepHeading>(block);
    if (begins && in_step) parts.emplace_back();
    in_step = in_step || begins;
    parts.back().precision = document.precision;
    parts.back().blocks.push_back(std::move(block));
  }
  return parts;
}

/// Prints the pages and waits for a key after each: b goes back, q ends, any other continues.
void show_pages(const std::vector<std::string>& pages, const Streams& streams) {
  for (std::size_t at = 0; at < pages.size();) {
    const bool last = at + 1 == pages.size();
    const std::string prompt = filled("-- {} of {}: any key {}, b goes back, q ends --", at + 1,
                                      pages.size(), last ? "ends" : "continues");
    streams.out << pages[at] << "\n" << prompt << std::flush;
    const char key = streams.terminal.read_key();
    streams.out << "\r" << std::string(prompt.size(), ' ') << "\r" << std::flush;
    if (key == 'q') return;
    if (key == 'b') {
      at -= at > 0 ? 1 : 0;
    } else {
      ++at;
    }
  }
}

/// Whether no option names steps, cells or a layer to show.
bool names_nothing(const Explain& o) {
  const View& v = o.view.view;
  return v.steps.empty() && o.blanks.empty() && o.view.cells.empty() &&
         (!v.layer || o.inside.circuits);
}

/// Whether no option chooses what to show.
bool shows_all(const Explain& o) {
  const View& v = o.view.view;
  return names_nothing(o) && !v.layer && !v.only && v.examples && v.detail == Detail::Normal &&
         !v.batch && !v.query;
}

}  // namespace

bool shows_inside(const Explain& o) {
  return o.inside.any() && names_nothing(o) && !o.view.summary && !asks_for_all(o);
}

bool asks_for_all(const Explain& o) {
  return o.text.full || o.pause || o.view.view.detail == Detail::Full;
}

bool in_summary(const Explain& o) {
  const View& v = o.view.view;
  return o.view.summary ? v.steps.empty() && !v.layer : shows_all(o) && !o.text.full;
}

namespace {

/// How to see more of a model.
void add_ways_on(Document& document, const Explain& o, const Trace& trace) {
  ModelPlace last;
  for (const auto& scope : trace.scopes) {
    const bool attends = trace.first_of(StepRole::Weights, *scope) != nullptr;  // unlike a lens
    if (attends && place_of(*scope).layer) last = place_of(*scope);
  }
  const std::string layer = std::to_string(last.layer.value_or(0));
  document.blocks.emplace_back(
      Table{{translated("option"), translated("what it shows")},
            {{"--layer " + layer, translated("one layer")},
             {"--steps '" + last.stack + "." + layer + ".*'", translated("some steps")},
             {"--steps weights", translated("the same step of all layers")},
             {"--cell " + example_cell(trace, o.view.view), translated("how one number is made")},
             {"--full", translated("everything")}},
            2,
            true});
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
  if (shows_inside(o)) {
    View few = view;
    few.precision = o.view.precision.value_or(2);
    if (o.inside.circuits) return show_circuits(trace, few);
    Document document = o.inside.lens ? show_lens(trace, few) : show_contributions(trace, few);
    if (asks) document.picture = page_picture(picture_inside(o.inside, trace, view));
    return document;
  }
  if (trace.is_model() && in_summary(o)) {
    View few = view;
    few.precision = o.view.precision.value_or(2);  // its table is wide
    Document document = summarize_model(trace, few);
    add_ways_on(document, o, trace);
    if (asks) document.picture = page_overview(trace, view);
    return document;
  }
  if (o.view.summary) return summarize(trace, view);
  if (o.view.cells.empty()) return asks ? explain_page(trace, view) : explain(trace, view);
  Document document;
  if (o.fault) document.blocks.emplace_back(Paragraph{trace.notes.front(), Role::Note});
  for (const std::string& cell : o.view.cells) {
    Document one = about_cell(explain_cell, trace, cell, view);
    document.precision = one.precision;
    std::move(one.blocks.begin(), one.blocks.end(), std::back_inserter(document.blocks));
  }
  if (asks) add_cells(document, trace);
  return document;
}

/// `is_long`: the document does not fit on the screen.
std::vector<std::string> next_commands(const Explain& o, const Trace& trace, bool is_long) {
  std::string problem =
      o.problem.source.path.empty() ? "" : " " + shell_word(o.problem.source.path);
  for (const std::string& option : given_options(o.problem)) problem += " " + option;
  std::vector<std::string> commands{"attn heatmap" + problem, "attn help attention"};
  if (shows_inside(o))
    return {"attn heatmap" + problem + inside_options(o.inside), "attn help models"};
  if (trace.is_model() && in_summary(o))
    return {"attn heatmap" + problem + " --overview", "attn help models"};
  if (o.fault) problem += " --fault " + *o.fault;
  const std::string& from = o.gradient.upstream;
  if (o.gradient.asked) problem += from.empty() ? " --gradient" : " --upstream " + shell_word(from);
  const std::string cell = example_cell(trace, o.view.view);
  if (o.view.cells.empty() && !cell.empty()) {
    commands.insert(commands.begin(), "attn explain" + problem + " --cell " + cell);
  }
  if (is_long && shows_all(o) && !o.view.summary && !o.pause)
    commands.insert(commands.begin(), "attn explain" + problem + " --pause");
  return commands;
}

/// For a person at a terminal: as many of them as fit in a line.
std::string next_text(const std::vector<std::string>& commands, const TextStyle& style) {
  std::string text;
  for (const std::string& command : commands) {
    const std::string longer =
        text + (text.empty() ? translated("Next:") + "  " : "   " + translated("or") + "   ") +
        command;
    if (style.ruler.width(longer) < style.width) text = longer;
  }
  return text;
}

constexpr std::ptrdiff_t kLongText = 200;  // lines

/// Whether no option asks for a part of the story or for a certain look.
bool is_whole_story(const Explain& o, const TextStyle& style) {
  return style.fit == Fit::Screen && style.layout == Layout::Grid && !style.big && shows_all(o) &&
         !o.view.summary && !o.view.view.head;
}

/// In place of long text: the summary, the weights as a picture, and how to see the rest.
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
  const std::string rest = translated(
      "All steps together have {n} lines: --full prints them, -o FILE writes them to a file. "
      "--steps {step} prints the numbers of this picture.",
      lines, trace.last_weights()->id);
  std::string picture = drawn(view);
  if (std::count(picture.begin(), picture.end(), '\n') > kLongText / 2) {
    View first = view;
    first.batch = first.head = 0;
    picture = drawn(first);
  }
  return format.document(summarize(trace, view), style) + "\n" + picture + "\n" +
         format.document({{Paragraph{rest}}}, style);
}

/// Whether a document and the prompt after it take more lines than a screen has.
bool is_longer(const Document& document, const Target& target, const TextStyle& style,
               std::ptrdiff_t height) {
  if (height == 0) return false;
  const std::string text = target.format->document(document, style);
  return std::count(text.begin(), text.end(), '\n') >= height;
}

/// What goes to `target`: as text on a screen, with commands to type next.
Document document_for(const Target& target, const Explain& o, const Trace& trace,
                      const TextStyle& style, const Streams& streams) {
  const bool blank = is_handout(o, target);
  Document document = document_of(o, trace, o.view.view, target.format->asks_cells && !blank);
  if (blank) document = handout(o, trace, std::move(document));
  const bool screen = is_stdout(target.path) && streams.terminal.out_is_terminal &&
                      target.format->document == write_text;
  if (screen && !streams.common.quiet && o.problem.source.path != "-" && !o.view.view.only) {
    const bool is_long = is_longer(document, target, style, streams.terminal.height);
    const std::string text = next_text(next_commands(o, trace, is_long), style);
    if (!text.empty()) document.blocks.emplace_back(Paragraph{text});
  }
  return document;
}

}  // namespace

void write_explanation(const Explain& o, const Trace& trace, const Target& target,
                       const Streams& streams, const Sink& sink) {
  const Format& format = *target.format;
  const TextStyle style = text_style(o.text, target.path, streams);
  const Document document = document_for(target, o, trace, style, streams);
  const auto write = [&](const TextOptions& look, const Sink& to) {
    write_document(document, target, look, o.output, streams, to);
  };
  const bool may_be_short = is_whole_story(o, style) && !trace.is_model() &&
                            format.picture != nullptr && trace.last_weights() != nullptr;
  if (!may_be_short) return write(o.text, sink);
  std::string text;
  write(o.text, [&text](std::string_view piece) { text += piece; });
  if (std::count(text.begin(), text.end(), '\n') <= kLongText) return sink(text);
  TextOptions full = o.text;
  full.full = true;
  std::ptrdiff_t lines = 0;
  write(full, [&lines](std::string_view piece) {
    lines += std::count(piece.begin(), piece.end(), '\n');
  });
  sink(in_short(trace, o.view.view, format, style, lines));
}

void show_steps(const Explain& o, const Trace& trace, const Target& screen,
                const Streams& streams) {
  const TextStyle style = text_style(o.text, screen.path, streams);
  std::vector<std::string> pages;
  for (const Document& part : steps_apart(document_for(screen, o, trace, style, streams)))
    pages.push_back(screen.format->document(part, style));
  show_pages(pages, streams);
}

}  // namespace attn::app
