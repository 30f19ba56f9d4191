#include "attn/tool/error_json.hpp"

#include <utility>
#include <vector>

#include "io/json/json.hpp"

namespace attn {
namespace {

using Member = std::pair<const char*, std::string>;

std::string text(const std::string& value) { return value.empty() ? "" : json::quoted(value); }

std::string number(int value) { return value > 0 ? std::to_string(value) : ""; }

/// The members that have a value.
std::string object(const std::vector<Member>& members) {
  std::string written;
  for (const auto& [key, value] : members) {
    if (value.empty()) continue;
    written += (written.empty() ? "" : ", ") + json::quoted(key) + ": " + value;
  }
  return "{" + written + "}";
}

template <class Item>
std::string list(const std::vector<Item>& items, std::string (*write)(const Item&)) {
  std::string written;
  for (const Item& item : items) written += (written.empty() ? "" : ", ") + write(item);
  return "[" + written + "]";
}

std::string place(const Place& p) {
  return object({{is_option(p) ? "option" : "file", text(p.file)},
                 {"line", number(p.line)},
                 {"column", number(p.column)},
                 {"pointer", text(p.pointer)},
                 {"remark", text(p.remark)}});
}

std::string diagnostic(const Diagnostic& d) {
  return object({{"id", json::quoted(d.id)},
                 {"what", json::quoted(d.what)},
                 {"places", list(d.places, place)},
                 {"rule", text(d.rule)},
                 {"fix", text(d.fix)},
                 {"help", text(d.help)}});
}

}  // namespace

std::string error_json(const Error& error) {
  return "{\"errors\": " + list(error.diagnostics(), diagnostic) + "}\n";
}

}  // namespace attn
