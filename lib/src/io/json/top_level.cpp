// Finds out what a JSON text says it is, without reading all of it.
#include "attn/io/problem_file.hpp"
#include "io/json/json.hpp"
#include "io/json/token.hpp"

namespace attn {

bool json::any_member(std::string_view bytes, const IsMember& is) {
  const Source source = decode_leniently({bytes}, "");
  const std::string_view text = source.text;
  std::size_t depth = 0;
  for (std::size_t at = skip_space(text, 0); at < text.size();) {
    const std::string_view token = text.substr(at, token_end(text, at) - at);
    const std::size_t after = skip_space(text, at + token.size());
    const bool key = depth == 1 && after < text.size() && text[after] == ':' && token.size() > 1;
    at = skip_separators(text, at + token.size());
    if (key && is(token.substr(1, token.size() - 2), text.substr(at))) return true;
    if (token == "{" || token == "[") ++depth;
    if (token == "}" || token == "]") --depth;
    if (depth == 0 || depth > 64) return false;
  }
  return false;
}

std::string stated_format(std::string_view bytes) {
  std::string format;
  json::any_member(bytes, [&](std::string_view key, std::string_view value) {
    if (key != "format") return false;
    const std::string_view token = value.substr(0, json::token_end(value, 0));
    if (token.size() > 1 && token.front() == '"') format = token.substr(1, token.size() - 2);
    return true;
  });
  return format;
}

}  // namespace attn
