// What a model generated, in text: how it ended, and what its cache saved.
#include <doctest/doctest.h>

#include <string>

#include "attn/render/generation_report.hpp"
#include "attn/writers.hpp"
#include "support/program.hpp"

namespace attn::testing {
namespace {

/// Three words, and two more.
Generation five_words() {
  Generation made;
  made.prompt = {"the", "cat", "sat"};
  for (const char* word : {"on", "it"}) {
    GeneratedToken& token = made.tokens.emplace_back();
    token.token = word;
    token.multiplications = token.multiplications_without_cache = 10;
  }
  return made;
}

std::string generated_text(const Generation& made) {
  return write_text(generation_document(made, ""), {.width = 200});
}

}  // namespace

TEST_CASE("generation: the last word is in no position, because nothing is read after it") {
  Generation made = five_words();
  CHECK(!has(generated_text(made), "positions"));
  made.end = GenerationEnd::Positions;
  CHECK(has(generated_text(made), "The model has 4 positions, so there is no room for more."));
  made.end = GenerationEnd::EndToken;
  CHECK(has(generated_text(made), "The last token is the end token."));
}

TEST_CASE("generation: what the cache saved is said where it saved anything") {
  Generation made = five_words();
  CHECK(has(generated_text(made), "Multiplications: 20 in all."));
  made.tokens.back().multiplications_without_cache = 15;
  CHECK(has(generated_text(made),
            "Multiplications: 20 in all, 25 without the cache of keys and values."));
}

}  // namespace attn::testing
