// A tokenizer.json, and a text to split: the bytes are one, the other is what the project has.
#include "attn/io/tokenizer.hpp"
#include "attn/io/samples.hpp"
#include "fuzz.hpp"

using namespace attn;

namespace {

constexpr std::string_view kText =
    "The cat's 12 hats, naïve 猫 🙂\n\n  e\xCC\x81 <|endoftext|>";

void require_shown(const Tokenizer& tokenizer, std::string_view text) {
  const std::vector<Index> ids = tokenizer.encode(text);
  tokenizer.decode(ids);
  for (const Index id : ids) fuzz::require_visible(tokenizer.shown(id));
  tokens_json(tokenizer, ids);
}

}  // namespace

void try_input(std::string_view bytes) {
  static const Tokenizer own = Tokenizer::read(sample_tokenizers().front().text, "own.json");
  require_shown(own, bytes);
  require_shown(Tokenizer::read(bytes, "tokenizer.json"), kText);
}
