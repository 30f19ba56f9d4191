#include <memory>
#include <utility>

#include "attn/problem_file.hpp"
#include "attn/trace_file.hpp"
#include "io/json/json.hpp"
#include "io/json/token.hpp"
#include "io/trace/read_step.hpp"
#include "io/trace/read_trace_head.hpp"

namespace attn {
namespace {

using json::Value;
using File = std::shared_ptr<const json::Document>;

/// Calls read(root) and gives the errors that come of it their lines.
template <typename Read>
auto located(const File& file, Read read) {
  try {
    return read(Value{*file, file->root, ""});
  } catch (const Error& error) {
    throw SourceMap(file).locate(error);
  }
}

Value child(const Value& parent, const json::Node& node, const std::string& key) {
  return {parent.file, node, json::child_pointer(parent.pointer, key)};
}

Error missing_step(const std::string& id, const std::string& pointer, const std::string& where) {
  return input_error({.id = "missing-step",
                      .what = "\"order\" names the step \"" + id + "\", but " + where,
                      .places = {{.pointer = pointer}},
                      .fix = "Write the trace again with attn."});
}

/// The members of "givens" that attn knows.
void read_givens(const Value& root, Trace& trace) {
  const json::Node* givens = json::find(root.node, "givens");
  const auto* members = givens ? std::get_if<json::Members>(&givens->value) : nullptr;
  if (givens != nullptr && members == nullptr) {
    throw json::wrong_type(root.file, "/givens", "an object with a matrix for each name",
                           "Write the keys and their values in braces.");
  }
  if (members == nullptr) return;
  const Value object = child(root, *givens, "givens");
  for (const json::Member& member : *members) {
    const bool known = find_step_info(member.key) != nullptr && !is_step_id(member.key);
    if (known) read_given(child(object, member.value, member.key), member.key, trace);
  }
}

/// What only all steps together tell.
void finish(Trace& trace) {
  Settings& s = trace.settings;
  s.has_heads = s.heads > 1;
  for (const Step& step : trace.steps) s.has_heads |= step.value.shape().heads.has_value();
}

Trace from_object(Source source) {
  const File file = std::make_shared<const json::Document>(json::parse(std::move(source)));
  return located(file, [](const Value& root) {
    Trace trace;
    const std::vector<std::string> order = read_trace_head(root, trace);
    read_givens(root, trace);
    const json::Node* steps = json::find(root.node, "steps");
    if (steps == nullptr && !order.empty())
      throw missing_step(order[0], "", "there are no \"steps\"");
    for (std::size_t i = 0; i < order.size(); ++i) {
      const json::Node* step = json::find(*steps, order[i]);
      if (step == nullptr) {
        throw missing_step(order[i], json::child_pointer("/order", i),
                           "\"steps\" does not have it");
      }
      read_step(child(child(root, *steps, "steps"), *step, order[i]), order[i], trace);
    }
    finish(trace);
    return trace;
  });
}

/// Reads the step of a line, which has to be the one that comes next.
void read_line(const Value& root, const std::string& expected, Trace& trace) {
  const json::Node* id = json::find(root.node, "id");
  const std::string found = id ? json::read_text({root.file, *id, "/id"}) : "";
  if (found != expected) {
    throw missing_step(expected, id ? "/id" : "",
                       found.empty() ? "this line has no \"id\"" : "here stands \"" + found + "\"");
  }
  read_step(root, expected, trace);
}

Trace from_lines(std::vector<Source> lines) {
  const File head = std::make_shared<const json::Document>(json::parse(std::move(lines[0])));
  Trace trace;
  const std::vector<std::string> order = located(head, [&](const Value& root) {
    std::vector<std::string> ids = read_trace_head(root, trace);
    read_givens(root, trace);
    return ids;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + 1 >= lines.size()) {
      located(head, [&](const Value&) -> int {
        throw missing_step(order[i], json::child_pointer("/order", i), "the file ends before it");
      });
    }
    const File line = std::make_shared<const json::Document>(json::parse(std::move(lines[i + 1])));
    located(line, [&](const Value& root) { return read_line(root, order[i], trace), 0; });
  }
  finish(trace);
  return trace;
}

/// Whether a line is a list or object from its first bracket to its last.
bool is_whole(std::string_view line) {
  std::size_t depth = 0;
  for (std::size_t at = json::skip_space(line, 0); at < line.size();
       at = json::skip_separators(line, json::token_end(line, at))) {
    if (line[at] == '{' || line[at] == '[') ++depth;
    if ((line[at] == '}' || line[at] == ']') && depth-- == 1) return true;
    if (depth == 0) return false;
  }
  return false;
}

/// The lines of a file whose first line is a value of its own, without empty ones; else nothing.
std::vector<Source> lines_of(const Source& source) {
  std::vector<Source> lines;
  const std::string_view text = source.text;
  const std::size_t start = json::skip_space(text, 0);
  if (!is_whole(text.substr(start, text.find('\n', start) - start))) return lines;
  int number = source.first_line;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (json::skip_space(line, 0) < line.size()) {
      lines.push_back({source.name, std::string(line), number});
    }
    at = end + 1;
  }
  return lines;
}

}  // namespace

Trace parse_trace(std::string_view bytes, const std::string& name) {
  Source source = decode_source(bytes, name);
  std::vector<Source> lines = lines_of(source);
  return lines.size() > 1 ? from_lines(std::move(lines)) : from_object(std::move(source));
}

bool is_trace(std::string_view bytes) {
  Source source;
  try {
    source = decode_source(bytes, "");
  } catch (const Error&) {
    return false;
  }
  const std::string_view text = source.text;
  std::size_t depth = 0;
  for (std::size_t at = json::skip_space(text, 0); at < text.size();) {
    const std::string_view token = text.substr(at, json::token_end(text, at) - at);
    const std::size_t after = json::skip_space(text, at + token.size());
    const bool key = depth == 1 && after < text.size() && text[after] == ':';
    at = json::skip_separators(text, at + token.size());
    if (key && token == "\"format\"") return text.substr(at).starts_with("\"attn.trace\"");
    if (token == "{" || token == "[") ++depth;
    if (token == "}" || token == "]") --depth;
    if (depth == 0 || depth > 64) return false;
  }
  return false;
}

}  // namespace attn
