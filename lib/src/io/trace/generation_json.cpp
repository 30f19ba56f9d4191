// Generated text as JSON.
#include "attn/render/generation_report.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using json::Layout;
using json::Writer;

std::string word_of(GenerationEnd end) {
  switch (end) {
    case GenerationEnd::EndToken:
      return "end_token";
    case GenerationEnd::Positions:
      return "positions";
    case GenerationEnd::Count:
      break;
  }
  return "count";
}

void write_token(Writer& out, const GeneratedToken& t, NonFinite nonfinite) {
  const auto share = [&](double x) { return json::or_null<json::Real>(x, nonfinite); };
  out.add("id", t.id).add("token", t.token).add("probability", share(t.probability));
  out.add("runner_up", t.runner_up_token);
  out.add("runner_up_probability", share(t.runner_up_probability));
  out.add("multiplications", t.multiplications);
  out.add("multiplications_without_cache", t.multiplications_without_cache);
}

}  // namespace

std::string generation_json(const Generation& generation, NonFinite nonfinite) {
  return json::file_text(Layout::Groups, [&](Writer& out) {
    out.format("attn.generate").line().add("prompt", generation.prompt);
    out.line().add("notes", generation.notes).line().add("end", word_of(generation.end));
    const auto write = [&](const GeneratedToken& token) { write_token(out, token, nonfinite); };
    if (!generation.prompt_ids.empty()) out.line().add("prompt_ids", generation.prompt_ids);
    out.some("prompt_text", generation.prompt_text).some("text", generation.text);
    out.line().key("tokens").objects(generation.tokens, Layout::Lines, write);
  });
}

}  // namespace attn
