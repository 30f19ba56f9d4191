// The one spelling of a value, for fingerprints.
#include <map>

#include "io/json/json.hpp"
#include "io/json/writer.hpp"

namespace attn::json {
namespace {

struct Writer {
  std::string operator()(std::nullptr_t) const { return "null"; }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(double number) const { return number_text(number); }
  std::string operator()(const std::string& text) const { return quoted(text); }
  std::string operator()(const Numbers& numbers) const { return list(numbers, number_text); }
  std::string operator()(Forgotten) const { return "[]"; }  // no fingerprint is made of those
  std::string operator()(const Items& items) const { return list(items, compact_text); }

  std::string operator()(const Members& members) const {
    std::map<std::string_view, const Node*> sorted;
    for (const Member& member : members) sorted.emplace(member.key, &member.value);
    std::string text;
    for (const auto& [key, value] : sorted)
      text += (text.empty() ? "" : ",") + quoted(std::string(key)) + ":" + compact_text(*value);
    return "{" + text + "}";
  }

  template <class List, class Write>
  static std::string list(const List& values, Write write) {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "" : ",") + write(value);
    return "[" + text + "]";
  }
};

}  // namespace

std::string compact_text(const Node& node) { return std::visit(Writer{}, node.value); }

}  // namespace attn::json
