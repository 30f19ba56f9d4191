// The tokens of a text as JSON.
#include "attn/io/tokenizer.hpp"
#include "io/json/writer.hpp"

namespace attn {

std::string tokens_json(const Tokenizer& tokenizer, std::span<const Index> ids) {
  std::vector<std::string> tokens;
  for (const Index id : ids) tokens.push_back(tokenizer.token(id));
  return json::file_text(json::Layout::Groups, [&](json::Writer& out) {
    out.format("attn.tokens");
    out.line().add("ids", ids).line().add("tokens", tokens);
    out.line().add("text", tokenizer.decode(ids));
  });
}

}  // namespace attn
