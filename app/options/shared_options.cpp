#include "options/shared_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "attn/error.hpp"
#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"
#include "attn/trace_file.hpp"
#include "files/files.hpp"

namespace attn::app {
namespace {

/// The ids between commas, without the spaces around them.
std::vector<std::string> parse_ids(const std::string& text) {
  std::vector<std::string> ids;
  for (const std::string& part : split_at_commas(text)) ids.emplace_back(trimmed(part));
  return ids;
}

Detail parse_detail(const std::string& word) {
  if (word == "brief") return Detail::Brief;
  return word == "full" ? Detail::Full : Detail::Normal;
}

void choose_format(OutputOptions& o, const std::string& format) {
  if (!o.format.empty() && o.format != format) {
    throw Error(ErrorKind::Usage, {{.id = "format-conflict",
                                    .what = "both " + o.format + " and " + format +
                                            " are asked for, and there is one output",
                                    .fix = "Choose one, and write the other with --also FILE."}});
  }
  o.format = format;
}

/// ".jsn" of "trace.jsn"; empty for "-", "notes", ".notes" and "a.b/notes".
std::string ending_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

/// Text is what goes to files without an ending, and to those with one that says so.
bool is_text_file(const std::string& path) {
  constexpr std::array kEndings{"", ".txt", ".text", ".log", ".ans"};
  return std::find(kEndings.begin(), kEndings.end(), ending_of(path)) != kEndings.end();
}

Error unknown_ending(const std::string& path) {
  std::vector<std::string> endings{".txt"};
  for (const TraceFormat& format : trace_formats()) {
    for (const std::string_view each : format.extensions) {
      if (!each.empty()) endings.emplace_back(each);
    }
  }
  return {ErrorKind::Usage,
          {{.id = "unknown-format",
            .what = "attn knows no format of the ending of \"" + path + "\"" +
                    did_you_mean(ending_of(path), endings),
            .fix = "Let the name end in " + listed(endings) +
                   ", or name the format of -o with --format."}}};
}

/// What --format takes: text, and every format for programs.
std::vector<std::string> format_names() {
  std::vector<std::string> names{"text"};
  for (const TraceFormat& format : trace_formats()) names.emplace_back(format.name);
  return names;
}

/// The format asked for, or what the extension of the output file says, or "text".
std::string format_of(const OutputOptions& o, const std::string& path) {
  const TraceFormat* by_name = trace_format_of_file(path);
  if (!o.format.empty() && by_name != nullptr && o.format != by_name->name) {
    throw Error(ErrorKind::Usage, {{.id = "format-conflict",
                                    .what = "--format " + o.format +
                                            " does not go with the file name \"" + path + "\"",
                                    .fix = "Leave out --format, or choose another extension."}});
  }
  if (!o.format.empty()) return o.format;
  if (by_name == nullptr && !is_text_file(path)) throw unknown_ending(path);
  return by_name != nullptr ? std::string(by_name->name) : "text";
}

}  // namespace

void add_selection_options(Command& command, View& view) {
  constexpr long kMost = 1000000000;
  add_rows(command, Group::View,
           {again(offer(text("--step,--steps", "ID,…",
                             "only these, by id or number: 7 or scores,weights",
                             [&view](const std::string& v) {
                               for (std::string& id : parse_ids(v))
                                 view.steps.push_back(std::move(id));
                             }),
                        step_ids),
                  Again::Adds),
            whole("--head", "only this head, from 0", 0, kMost, [&view](long n) { view.head = n; }),
            whole("--batch", "only this batch entry, from 0", 0, kMost,
                  [&view](long n) { view.batch = n; }),
            text("--query", "TOKEN|INDEX", "only the row of this query",
                 [&view](const std::string& v) { view.query = v; })});
}

void add_view_options(Command& command, ViewOptions& o) {
  View& view = o.view;
  add_selection_options(command, view);
  add_rows(command, Group::View,
           {again(text("--cell", "STEP:ROW,COL", "how this one number came about (repeatable)",
                       [&o](const std::string& v) { o.cells.push_back(v); }),
                  Again::Adds),
            whole("--depth", "levels below --cell (default: what fits 24 lines)", 0, 1000,
                  [&view](long n) { view.depth = static_cast<int>(n); }),
            flag("--summary", "a line for each step: shape, range, mean", o.summary),
            flag("--only", "nothing but the matrices", view.only),
            flag("--no-examples", "without the worked cells", [&view] { view.examples = false; }),
            choice("--detail", "LEVEL", "brief, normal or full (softmax opened up)",
                   {"brief", "normal", "full"},
                   [&view](const std::string& v) { view.detail = parse_detail(v); }),
            again(whole("--precision", "decimals, 0 to 17 (default 3)", 0, 17,
                        [&o](long n) { o.precision = static_cast<int>(n); }),
                  Again::Last)});
  command.conflicts.insert(
      command.conflicts.end(),
      {{"--summary", "--cell", "one is a line for each step, the other one number of a step"},
       {"--summary", "--only", "a summary has no matrices"},
       {"--summary", "--query", "a summary is about whole steps"},
       {"--cell", "--steps", "a cell names its step: --cell weights:1,0"},
       {"--cell", "--query", "a cell names its row: --cell weights:1,0"},
       {"--cell", "--only", "a cell is told in arithmetic, not as a matrix"}});
}

void add_output_options(Command& command, OutputOptions& o) {
  add_rows(command, Group::Output,
           {choice("--format", "FORMAT", listed(format_names()) + " (default: by FILE)",
                   format_names(), [&o](const std::string& v) { choose_format(o, v); }),
            flag("--json", "the same as --format json", [&o] { choose_format(o, "json"); }),
            choice("--nonfinite", "HOW", "JSON: \"NaN\" as a string, or null", {"string", "null"},
                   [&o](const std::string& v) {
                     o.nonfinite = v == "null" ? NonFinite::Null : NonFinite::Words;
                   }),
            again(text("--also", "FILE", "write FILE too, in its format (repeatable)",
                       [&o](const std::string& v) {
                         require_path("--also", v);
                         o.also.push_back(v);
                       }),
                  Again::Adds)});
}

void refuse_input_as_output(const ProblemSource& inputs, const std::string& output) {
  refuse_same_file(inputs.path, output);
  refuse_same_file(inputs.embeddings, output);
}

std::vector<Target> targets_of(const OutputOptions& o, const std::string& output,
                               const ProblemSource& inputs) {
  std::vector<Target> targets{{output, find_trace_format(format_of(o, output))}};
  for (const std::string& path : o.also)
    targets.push_back({path, find_trace_format(format_of({}, path))});
  std::vector<std::string> paths;
  for (const Target& target : targets) {
    refuse_input_as_output(inputs, target.path);
    paths.push_back(target.path);
  }
  refuse_twice(paths);
  return targets;
}

void write_targets(const std::vector<Target>& targets, const Streams& streams,
                   const std::function<void(const Target& target, const Sink& sink)>& write) {
  std::vector<Output> outputs;
  for (const Target& target : targets) {
    outputs.push_back({target.path, [&](const Sink& sink) { write(target, sink); }});
  }
  write_all(outputs, streams);
}

}  // namespace attn::app
