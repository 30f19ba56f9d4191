// Finds out what a JSON text says it is, without reading the rest.
#include "io/json/json.hpp"
#include "io/json/token.hpp"

namespace attn::json {

bool has_format(std::string_view bytes, std::string_view format) {
  const Source source = decode_leniently({bytes}, "");
  const std::string wanted = "\"" + std::string(format) + "\"";
  const std::string_view text = source.text;
  std::size_t depth = 0;
  for (std::size_t at = skip_space(text, 0); at < text.size();) {
    const std::string_view token = text.substr(at, token_end(text, at) - at);
    const std::size_t after = skip_space(text, at + token.size());
    const bool key = depth == 1 && after < text.size() && text[after] == ':';
    at = skip_separators(text, at + token.size());
    if (key && token == "\"format\"") return text.substr(at).starts_with(wanted);
    if (token == "{" || token == "[") ++depth;
    if (token == "}" || token == "]") --depth;
    if (depth == 0 || depth > 64) return false;
  }
  return false;
}

}  // namespace attn::json
