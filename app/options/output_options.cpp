// Chooses the format of each output, and writes them all.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <tuple>

#include "attn/phrases.hpp"
#include "files/files.hpp"
#include "meant.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

const std::vector<Format>& every_format() {
  static const std::vector<Format> kAll = [] {
    std::vector<Format> all(document_formats().begin(), document_formats().end());
    all.insert(all.end(), data_formats().begin(), data_formats().end());
    return all;
  }();
  return kAll;
}

/// The command can write some formats, but not this one.
Error other_format(const OutputOptions& o, const Format& format) {
  const std::string name(format.name);
  return usage_error("picture-format",
                     "this command writes " + either(names_in(o.formats)) + ", not " + name,
                     format.only_picture() ? "Draw one step: attn heatmap --format " + name + "."
                                           : "Choose one of those; attn explain --format " + name +
                                                 " writes the numbers of a problem.");
}

void choose_output_format(OutputOptions& o, const std::string& format) {
  const std::string exact = exact_choice(format, names_in(o.formats));
  if (!exact.empty() && exact != format) return choose_output_format(o, exact);
  if (find_row(o.formats, format) == nullptr) {
    const Format* other = find_row(every_format(), format);
    throw other != nullptr ? other_format(o, *other)
                           : unknown_choice("--format", format, names_in(o.formats));
  }
  if (!o.format.empty() && o.format != format) {
    throw usage_error(
        "format-conflict",
        "both " + o.format + " and " + format + " are asked for, but there is only one output",
        "Choose one, and write the other with --also FILE.");
  }
  o.format = format;
}

/// ".jsn" of "trace.jsn"; empty for "-", "notes", ".notes" and "a.b/notes".
std::string ending_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

Error unknown_ending(const OutputOptions& o, const std::string& path) {
  std::vector<std::string> endings;
  for (const Format& format : o.formats) endings.emplace_back(format.endings.front());
  const bool pdf = lowered(ending_of(path)) == ".pdf";
  return usage_error("unknown-format", "attn cannot write " + ending_of(path) + " files",
                     (pdf ? "Print the page that -o NAME.html makes, or compile NAME.tex. " : "") +
                         ("It can write " + listed(endings)) +
                         ". For any other name, choose the format of -o with --format.");
}

/// Whether a file's extension is one of the format's.
bool has_ending(const Format& format, const std::string& path) {
  const std::string any_case = lowered(path);
  return std::any_of(format.endings.begin(), format.endings.end(), [&](std::string_view ending) {
    return !ending.empty() && any_case.ends_with(ending);
  });
}

/// The format of a file by its extension; nullptr if unknown.
const Format* format_of_ending(const std::string& path) {
  for (const Format& format : every_format()) {
    if (has_ending(format, path)) return &format;
  }
  return nullptr;
}

/// The format asked for by name, or that of the file's extension, or the default. A file with an
/// extension of the default may hold any format.
const Format* format_of(const OutputOptions& o, const std::string& asked, const std::string& path) {
  const Format* of_ending = format_of_ending(path);
  const Format* usual = &o.formats.front();
  const bool usual_ending = of_ending == nullptr || of_ending->name == usual->name;
  if (asked.empty()) {
    if (of_ending == nullptr && !ending_of(path).empty()) throw unknown_ending(o, path);
    const Format* own = usual_ending ? usual : find_row(o.formats, std::string(of_ending->name));
    if (own == nullptr) throw other_format(o, *of_ending);
    return own;
  }
  const Format* chosen = find_row(o.formats, asked);
  if (usual_ending || has_ending(*chosen, path)) return chosen;
  throw usage_error("format-conflict",
                    "the format " + asked + " does not go with the file name \"" + path + "\"",
                    "Leave out the format, or choose another extension.");
}

bool writes(const std::vector<Target>& targets, std::string_view format) {
  return std::any_of(targets.begin(), targets.end(),
                     [&](const Target& target) { return target.format->name == format; });
}

/// Options that are about one format are refused where it is not written.
void check_markup(const std::vector<Target>& targets, const Streams& streams) {
  constexpr std::tuple<const char*, const char*, const char*> kOptions[] = {
      {"--math", "markdown", "Markdown"}, {"--standalone", "latex", "LaTeX"}};
  for (const auto& [option, format, name] : kOptions) {
    if (first_given(streams, {option}) == nullptr || writes(targets, format)) continue;
    throw usage_error("format-option", no_effect(option, filled("no {} is written", name)),
                      filled("Add --format {}, or leave it out.", format));
  }
}

/// JSON alone has words for what is not finite.
void check_nonfinite(const std::vector<Target>& targets, const Streams& streams) {
  const bool json = std::any_of(targets.begin(), targets.end(),
                                [](const Target& target) { return target.format->is_json; });
  if (json || first_given(streams, {"--nonfinite"}) == nullptr) return;
  throw usage_error("json-only", no_effect("--nonfinite", "no JSON is written"),
                    "Add --json, or leave it out.");
}

}  // namespace

void add_output_options(Command& command, OutputOptions& o, bool (*holds)(const Format& format),
                        const std::vector<Format>& own) {
  std::copy_if(every_format().begin(), every_format().end(), std::back_inserter(o.formats), holds);
  o.formats.insert(o.formats.end(), own.begin(), own.end());
  const bool json = std::any_of(o.formats.begin(), o.formats.end(),
                                [](const Format& format) { return format.is_json; });
  add_rows(command, Group::Output,
           {offer(text("--format", "FORMAT",
                       listed(names_in(o.formats)) + " (default: by the extension of FILE" +
                           (json ? "; --json for short)" : ")"),
                       [&o](const std::string& v) { choose_output_format(o, v); }),
                  [&o] { return names_in(o.formats); })});
  add_rows(
      command, json ? Group::Same : Group::Unlisted,
      {flag("--json", "the same as --format json", [&o] { choose_output_format(o, "json"); })});
  add_rows(
      command, Group::Output,
      {again(file("--also", "FILE", "also write FILE, in the format of its extension (repeatable)",
                  PathUse::Output, [&o](const std::string& v) { o.also.push_back(v); }),
             Again::Adds)});
  if (find_row(o.formats, "markdown") != nullptr) {
    add_rows(command, Group::Output,
             {choice("--math", "HOW", "Markdown: formulas for GitHub (gfm), pandoc, or none",
                     {{"gfm", Math::Gfm}, {"pandoc", Math::Pandoc}, {"none", Math::None}},
                     o.markup.math)});
  }
  if (find_row(o.formats, "latex") != nullptr) {
    add_rows(command, Group::Output,
             {flag("--standalone", "LaTeX: a whole document, not a part to paste",
                   o.markup.standalone)});
  }
}

void add_nonfinite_option(Command& command, OutputOptions& o) {
  add_rows(command, Group::Output,
           {choice("--nonfinite", "HOW", "JSON: \"NaN\" as a string, or null",
                   {{"string", NonFinite::Words}, {"null", NonFinite::Null}}, o.nonfinite)});
}

bool is_report(const Format& format) { return format.document != nullptr || format.name == "json"; }

std::vector<Target> targets_of(const OutputOptions& o, const Streams& streams) {
  const std::string& output = streams.common.output;
  std::vector<Target> targets{{output, format_of(o, o.format, output)}};
  for (const std::string& path : o.also) targets.push_back({path, format_of(o, "", path)});
  check_markup(targets, streams);
  check_nonfinite(targets, streams);
  return targets;
}

void require_person(const std::string& option, const std::string& waits_for,
                    const std::string& shows, const std::vector<Target>& targets,
                    const Terminal& terminal) {
  if (!terminal.out_is_terminal || !terminal.in_is_terminal) {
    throw usage_error("needs-terminal",
                      filled("{} waits for {}, and there is no terminal", option, waits_for),
                      "Leave it out, or run attn in a terminal, without a pipe.");
  }
  const bool text = targets.front().format->document != nullptr;
  if (text && targets.size() == 1 && is_stdout(targets.front().path)) return;
  throw usage_error("option-conflict",
                    filled("{} shows {} on the terminal and writes no file", option, shows),
                    "Leave it out, or write the file in a second run.");
}

void write_targets(const std::vector<Target>& targets, const Streams& streams,
                   const std::function<void(const Target& target, const Sink& sink)>& write) {
  note_idle_looks(targets, streams);
  std::vector<Output> outputs;
  for (const Target& target : targets) {
    outputs.push_back({target.path, [&](const Sink& sink) { write(target, sink); }});
  }
  write_all(outputs, streams);
}

}  // namespace attn::app
