// The options that say how text looks, and the environment variables that they override.
#include <algorithm>
#include <ostream>
#include <utility>

#include "attn/error.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

Layout parse_layout(std::string_view word) {
  if (word == "grid") return Layout::Grid;
  if (word == "lines") return Layout::Lines;
  throw usage_error("unknown-value", "there is no layout \"" + std::string(word) + "\"",
                    "Choose grid or lines.");
}

/// The value of an environment variable, or `otherwise` if it is empty.
template <typename T>
T from_environment(const std::string& name, const std::string& value, T (*parse)(std::string_view),
                   T otherwise) {
  if (value.empty()) return otherwise;
  try {
    return parse(value);
  } catch (const Error& error) {
    throw usage_error_at("the variable " + name + "=" + value, error);
  }
}

/// Terminal colours are for standard output: a file is the same wherever it is written from.
ColorDepth color_of(const CommonOptions& common, const Terminal& terminal, bool to_stdout) {
  if (common.color == ColorChoice::Never) return ColorDepth::None;
  const ColorDepth automatic = to_stdout ? terminal.out_color : ColorDepth::None;
  const ColorDepth always = to_stdout ? terminal.always_color : ColorDepth::Ansi256;
  const ColorDepth depth = common.color == ColorChoice::Always ? always : automatic;
  return depth == ColorDepth::None ? depth : common.depth.value_or(depth);
}

}  // namespace

void add_report_options(Command& command, TextOptions& o) {
  add_rows(
      command, Group::Output,
      {again(choice("--layout", "LAYOUT", "grid, or lines that can be read aloud",
                    {"grid", "lines"}, [&o](const std::string& v) { o.layout = parse_layout(v); }),
             Again::Last),
       flag("--full", "print everything, however long", o.full)});
}

void add_text_options(Command& command, TextOptions& o) {
  TextStyle& style = o.style;
  add_report_options(command, o);
  add_rows(command, Group::Output,
           {flag("--big", "for a projector: short labels, space between rows", style.big),
            choice("--notation", "HOW", "all numbers like 1.5e+00 (--sci), or none (--fixed)",
                   {{"sci", Notation::Scientific}, {"fixed", Notation::Fixed}}, style.notation),
            again(choice("--palette", "NAME", listed(palette_names()), palette_names(),
                         [&o](const std::string& v) { o.palette = parse_palette(v); }),
                  Again::Last)});
  add_rows(command, Group::Same,
           {flag("--sci", "the same as --notation sci", style.notation, Notation::Scientific),
            flag("--fixed", "the same as --notation fixed", style.notation, Notation::Fixed)});
  command.conflicts.push_back({"--sci", "--fixed", "numbers are written one way"});
}

TextStyle plain_style(const std::string& path, const Streams& streams, TextStyle style) {
  const CommonOptions& common = streams.common;
  const Terminal& terminal = streams.terminal;
  const bool to_stdout = is_stdout(path);
  style.ascii = common.ascii || (to_stdout && !terminal.utf8);
  style.ruler = common.ruler;
  style.width = common.width.value_or(to_stdout ? terminal.width : 80);
  style.color = color_of(common, terminal, to_stdout);
  return style;
}

TextStyle text_style(const TextOptions& o, const std::string& path, const Streams& streams) {
  const CommonOptions& common = streams.common;
  const Terminal& terminal = streams.terminal;
  const bool screen = is_stdout(path) && terminal.out_is_terminal;
  TextStyle style = plain_style(path, streams, o.style);
  style.see_all = in_catalogue("--full prints all");
  style.spread_colors = "--normalize all spreads the colours out";
  style.fit = screen ? Fit::Screen : common.width ? Fit::Wrap : Fit::Whole;
  if (o.full && style.splits()) style.fit = Fit::Prose;
  style.palette = o.palette.value_or(from_environment("ATTN_THEME", screen ? terminal.theme : "",
                                                      parse_palette, Palette::Cividis));
  style.layout = o.layout.value_or(
      from_environment("ATTN_LAYOUT", screen ? terminal.layout : "", parse_layout, Layout::Grid));
  return style;
}

void note_idle_looks(const std::vector<Target>& targets, const Streams& streams) {
  const auto has_look = [](const Target& target) {
    return target.format->document != nullptr || target.format->picture != nullptr;
  };
  if (streams.common.quiet || std::any_of(targets.begin(), targets.end(), has_look)) return;
  for (const char* option : {"--layout", "--big", "--notation", "--sci", "--fixed", "--full",
                             "--palette", "--precision", "--only", "--no-examples"}) {
    if (first_given(streams, {option}) == nullptr) continue;
    const std::string name(targets.front().format->name);
    streams.err << "note: " << no_effect(option, name + " is for programs") << "\n" << std::flush;
  }
}

void write_document(const Document& document, const Target& target, const TextOptions& text,
                    const OutputOptions& output, const Streams& streams, const Sink& sink) {
  TextStyle style = text_style(text, target.path, streams);
  style.markup = output.markup;
  const Format& format = *target.format;
  if (format.pieces != nullptr) return format.pieces(document, style, sink);
  sink(format.document(document, style));
}

}  // namespace attn::app
