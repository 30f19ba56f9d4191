// Puts the steps of a trace in JSON Lines into its first object.
#include "io/trace/trace_lines.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "attn/phrases.hpp"
#include "io/json/json.hpp"
#include "io/json/token.hpp"

namespace attn {
namespace {

std::string_view next_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  return trimmed(line);
}

/// The id of a step as it is in the text, in quotation marks; "" without one.
std::string quoted_id(std::string_view step) {
  std::string id;
  json::any_member(step, [&](std::string_view key, std::string_view value) {
    if (key == "id") id = value.substr(0, json::token_end(value, 0));
    return key == "id";
  });
  return id;
}

}  // namespace

SharedBytes joined_lines(const SharedBytes& text) {
  std::string_view rest = text.bytes;
  const std::string_view head = next_line(rest);
  if (!head.ends_with('}') || trimmed(rest).empty()) return text;
  auto joined = std::make_shared<std::string>(head.substr(0, head.size() - 1));
  *joined += ", \"steps\": {";
  for (const char* comma = "\n"; !trimmed(rest).empty(); comma = ",\n") {
    const std::string_view step = next_line(rest);
    const std::string id = quoted_id(step);
    if (!id.starts_with('"')) return text;
    joined->append(comma).append(id).append(": ").append(step);
  }
  *joined += "}}";
  return {*joined, joined};
}

}  // namespace attn
