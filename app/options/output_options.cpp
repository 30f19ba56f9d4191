// Which format each output gets, and writing them all.
#include <algorithm>
#include <filesystem>

#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"
#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

/// The table of formats; the first is the default.
const std::vector<Format>& formats() {
  static const std::vector<Format> kAll = [] {
    std::vector<Format> all(document_formats().begin(), document_formats().end());
    all.insert(all.end(), data_formats().begin(), data_formats().end());
    return all;
  }();
  return kAll;
}

void choose_format(OutputOptions& o, const std::string& format) {
  if (!o.format.empty() && o.format != format) {
    throw usage_error(
        "format-conflict",
        "both " + o.format + " and " + format + " are asked for, and there is one output",
        "Choose one, and write the other with --also FILE.");
  }
  o.format = format;
}

/// ".jsn" of "trace.jsn"; empty for "-", "notes", ".notes" and "a.b/notes".
std::string ending_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

Error unknown_ending(const std::string& path) {
  std::vector<std::string> usual, all;
  for (const Format& format : formats()) {
    usual.emplace_back(format.endings.front());
    all.insert(all.end(), format.endings.begin(), format.endings.end());
  }
  return usage_error(
      "unknown-format",
      "attn knows no format of the ending of \"" + path + "\"" + did_you_mean(ending_of(path), all),
      "Let the name end in " + listed(usual) + ", or name the format of -o with --format.");
}

/// The format of a file by its extension; nullptr if unknown.
const Format* format_of_ending(const std::string& path) {
  const auto has = [&](std::string_view ending) {
    return !ending.empty() && path.ends_with(ending);
  };
  const auto row = std::find_if(formats().begin(), formats().end(), [&](const Format& format) {
    return std::any_of(format.endings.begin(), format.endings.end(), has);
  });
  return row == formats().end() ? nullptr : &*row;
}

/// The format asked for by name, or what the ending of the file says, or the default. Files of the
/// default's endings may hold any.
const Format* format_of(const std::string& asked, const std::string& path) {
  const Format* of_ending = format_of_ending(path);
  if (asked.empty()) {
    if (of_ending == nullptr && !ending_of(path).empty()) throw unknown_ending(path);
    return of_ending != nullptr ? of_ending : &formats().front();
  }
  const Format* by_name = find_row(formats(), asked);
  const bool any = of_ending == nullptr || of_ending == &formats().front();
  if (any || of_ending == by_name) return by_name;
  throw usage_error("format-conflict",
                    "--format " + asked + " does not go with the file name \"" + path + "\"",
                    "Leave out --format, or choose another extension.");
}

}  // namespace

void add_output_options(Command& command, OutputOptions& o) {
  add_rows(command, Group::Output,
           {choice("--format", "FORMAT", listed(names_in(formats())) + " (default: by FILE)",
                   names_in(formats()), [&o](const std::string& v) { choose_format(o, v); }),
            flag("--json", "the same as --format json", [&o] { choose_format(o, "json"); }),
            choice("--nonfinite", "HOW", "JSON: \"NaN\" as a string, or null",
                   {{"string", NonFinite::Words}, {"null", NonFinite::Null}}, o.nonfinite),
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
  std::vector<Target> targets{{output, format_of(o.format, output)}};
  for (const std::string& path : o.also) targets.push_back({path, format_of("", path)});
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
