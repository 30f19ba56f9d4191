// Generated text as JSON.
#include <cmath>

#include "attn/generation_report.hpp"
#include "attn/version.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using json::quoted;
using json::Text;

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

/// A count, which may be too large for a 64-bit integer.
Text count_text(double count) { return json::number_text(count); }

Text token_text(const GeneratedToken& t, NonFinite nonfinite) {
  const auto share = [&](double x) {
    return nonfinite == NonFinite::Null && !std::isfinite(x) ? Text("null") : json::real_text(x);
  };
  return json::object_text(
      {{"id", std::to_string(t.id)},
       {"token", quoted(t.token)},
       {"probability", share(t.probability)},
       {"runner_up", quoted(t.runner_up_token)},
       {"runner_up_probability", share(t.runner_up_probability)},
       {"multiplications", count_text(t.multiplications)},
       {"multiplications_without_cache", count_text(t.multiplications_without_cache)}});
}

}  // namespace

std::string generation_json(const Generation& generation, NonFinite nonfinite) {
  std::vector<Text> tokens;
  for (const GeneratedToken& token : generation.tokens)
    tokens.push_back(token_text(token, nonfinite));
  std::string out = "{\n  " +
                    json::members_text({{"format", quoted("attn.generate")},
                                        {"format_version", quoted("1.0")},
                                        {"generator", quoted("attn " + version())}}) +
                    ",\n  " +
                    json::members_text({{"prompt", json::texts_text(generation.prompt)}}) +
                    ",\n  " + json::members_text({{"notes", json::texts_text(generation.notes)}}) +
                    ",\n  \"end\": " + quoted(word_of(generation.end)) + ",\n  \"tokens\": [";
  for (const Text& token : tokens) out += (&token == tokens.data() ? "\n    " : ",\n    ") + token;
  return out + (tokens.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace attn
