// Errors as JSON, for programs.
#include "attn/error_text.hpp"

#include "attn/tool/text.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using json::Text;

Text text(const std::string& value) { return value.empty() ? "" : json::quoted(value); }

Text number(int value) { return value > 0 ? std::to_string(value) : ""; }

Text place(const Place& p) {
  return json::object_text({{is_option(p) ? "option" : "file", text(p.file)},
                            {"line", number(p.line)},
                            {"column", number(p.column)},
                            {"pointer", text(p.pointer)},
                            {"remark", text(p.remark)}});
}

Text diagnostic(const Diagnostic& d) {
  return json::object_text({{"id", json::quoted(d.id)},
                            {"what", json::quoted(d.what)},
                            {"places", json::list_text(d.places, place)},
                            {"rule", text(d.rule)},
                            {"fix", text(d.fix)},
                            {"help", text(d.help)}});
}

}  // namespace

std::string error_json(const Error& error) {
  const std::string more =
      error.omitted() > 0 ? ", \"more\": " + std::to_string(error.omitted()) : "";
  return "{\"errors\": " + json_visible(json::list_text(error.diagnostics(), diagnostic)) + more +
         "}\n";
}

}  // namespace attn
