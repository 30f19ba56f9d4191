// The tokens of a text as JSON.
#include "attn/io/tokenizer.hpp"
#include "io/json/writer.hpp"

namespace attn {

std::string tokens_json(const Tokenizer& tokenizer, std::span<const Index> ids,
                        const std::vector<std::string>& notes) {
  std::vector<std::string> tokens, shown;
  for (const Index id : ids) {
    tokens.push_back(tokenizer.token(id));
    shown.push_back(tokenizer.shown(id));
  }
  return json::file_text(json::Layout::Groups, [&](json::Writer& out) {
    out.format("attn.tokens");
    out.line().add("ids", ids).line().add("tokens", tokens);
    out.line().add("shown", shown).line().add("text", tokenizer.decode(ids));
    out.line().add("notes", notes);
  });
}

}  // namespace attn
