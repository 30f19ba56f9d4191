// Errors as JSON, for programs.
#include "attn/render/error_text.hpp"

#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using json::Layout;
using json::Writer;

void write_place(Writer& out, const Place& p) {
  out.some(is_option(p) ? "option" : "file", p.file).some("line", p.line).some("column", p.column);
  out.some("pointer", shortened(p.pointer)).some("remark", shortened(p.remark));
}

void write_diagnostic(Writer& out, const Diagnostic& d) {
  const auto write = [&](const Place& p) { write_place(out, p); };
  out.add("id", d.id)
      .add("what", shortened(d.what))
      .key("places")
      .objects(d.places, Layout::Row, write);
  out.some("rule", d.rule).some("fix", shortened(d.fix)).some("help", d.help);
}

}  // namespace

std::string error_json(const Error& error) {
  return json_visible(json::file_text(Layout::Row, [&](Writer& out) {
    const auto write = [&](const Diagnostic& d) { write_diagnostic(out, d); };
    out.key("errors").objects(error.diagnostics(), Layout::Row, write);
    out.some("more", error.omitted());
  }));
}

}  // namespace attn
