#include "options.hpp"

#include <charconv>

#include "attn/error.hpp"
#include "attn/trace_file.hpp"
#include "attn/words.hpp"
#include "files.hpp"

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

/// What --format takes: text, and every format for programs.
std::vector<std::string> format_names() {
  std::vector<std::string> names{"text"};
  for (const TraceFormat& format : trace_formats()) names.emplace_back(format.name);
  return names;
}

}  // namespace

long whole_number(const std::string& option, const std::string& text, long least, long most) {
  long value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed == std::errc() && stop == end && value >= least && value <= most) return value;
  throw Error(ErrorKind::Usage,
              {{.id = "option-value",
                .what = option + " takes a whole number from " + std::to_string(least) + " to " +
                        std::to_string(most) + ", not \"" + text + "\"",
                .fix = "Write " + option + " " + std::to_string(least) + ", for example."}});
}

void add_view_options(Command& command, ViewOptions& o) {
  constexpr long kMost = 1000000000;
  auto& add = command.options;
  add.push_back(
      {"--steps", "ID,…", "only these steps: scores,weights", {}, [&](const std::string& v) {
         o.view.steps = parse_ids(v);
       }});
  add.push_back({"--head", "N", "only this head, from 0", {}, [&](const std::string& v) {
                   o.view.head = whole_number("--head", v, 0, kMost);
                 }});
  add.push_back({"--batch", "N", "only this batch entry, from 0", {}, [&](const std::string& v) {
                   o.view.batch = whole_number("--batch", v, 0, kMost);
                 }});
  add.push_back(
      {"--query", "TOKEN|INDEX", "only the row of this query", {}, [&](const std::string& v) {
         o.view.query = v;
       }});
  add.push_back(
      {"--cell", "STEP:ROW,COL", "how this one number came about", {}, [&](const std::string& v) {
         o.cell = v;
       }});
  add.push_back({"--detail",
                 "LEVEL",
                 "brief, normal or full (softmax opened up)",
                 {"brief", "normal", "full"},
                 [&](const std::string& v) { o.view.detail = parse_detail(v); }});
  add.push_back(
      {"--precision", "N", "decimals, 0 to 17 (default 3)", {}, [&](const std::string& v) {
         o.view.precision = static_cast<int>(whole_number("--precision", v, 0, 17));
       }});
}

void add_output_options(Command& command, OutputOptions& o) {
  auto& add = command.options;
  add.push_back({"--format", "FORMAT", listed(format_names()) + " (default: by FILE)",
                 format_names(), [&](const std::string& v) { o.format = v; }});
  add.push_back({"--json", "", "the same as --format json", {}, [&](const std::string&) {
                   o.format = "json";
                 }});
}

std::string format_of(const OutputOptions& o, const std::string& path) {
  const TraceFormat* by_name = trace_format_of_file(path);
  if (!o.format.empty() && by_name != nullptr && o.format != by_name->name) {
    throw Error(ErrorKind::Usage, {{.id = "format-conflict",
                                    .what = "--format " + o.format +
                                            " does not go with the file name \"" + path + "\"",
                                    .fix = "Leave out --format, or choose another extension."}});
  }
  if (!o.format.empty()) return o.format;
  for (const char* extension : {".html", ".md", ".tex", ".svg"}) {
    if (!path.ends_with(extension)) continue;
    throw Error(ErrorKind::Usage,
                {{.id = "unknown-format",
                  .what = "attn cannot write \"" + path + "\": there is no such format",
                  .fix = "Choose one of " + listed(format_names()) + " with --format."}});
  }
  return by_name != nullptr ? std::string(by_name->name) : "text";
}

TextStyle text_style(const Streams& streams) {
  const CommonOptions& o = streams.common;
  const bool to_screen = o.output.empty() || o.output == "-";
  return {o.ascii || (to_screen && !streams.terminal.utf8),
          o.width.value_or(to_screen ? streams.terminal.width : 80)};
}

}  // namespace attn::app
