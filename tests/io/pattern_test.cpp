// The patterns of published tokenizers, matched at each place of a text.
#include "io/tokenizer/pattern.hpp"

#include <doctest/doctest.h>

#include <string>

#include "attn/error.hpp"
#include "io/tokenizer/cut.hpp"

using namespace attn;

namespace {

Pieces pieces_of(std::size_t row, const std::string& text) {
  Pieces pieces;
  split_at(text, cut_published(published_pattern(published_patterns().at(row)))(text), Keep::Apart,
           pieces);
  return pieces;
}

constexpr std::size_t kGpt2 = 0, kLlama3 = 1, kQwen = 2, kGptOss = 6;

}  // namespace

TEST_CASE("patterns: GPT-2 splits words with the space before them") {
  CHECK(pieces_of(kGpt2, "I'll see  12 cats, OK?\n\n x ") ==
        Pieces{"I", "'ll", " see", " ", " 12", " cats", ",", " OK", "?", "\n\n", " x", " "});
  CHECK(pieces_of(kGpt2, "I'LL") == Pieces{"I", "'", "LL"});
}

TEST_CASE("patterns: Llama 3 takes three digits at a time, Qwen one, and both know 'LL") {
  CHECK(pieces_of(kLlama3, "I'LL 12345") == Pieces{"I", "'LL", " ", "123", "45"});
  CHECK(pieces_of(kQwen, "12") == Pieces{"1", "2"});
  CHECK(pieces_of(kLlama3, "a \n b\r\n\r\n  c") == Pieces{"a", " \n", " b", "\r\n\r\n", " ", " c"});
  CHECK(pieces_of(kLlama3, "(x) +y") == Pieces{"(x", ")", " +", "y"});
}

TEST_CASE("patterns: gpt-oss splits where small letters end and capitals begin") {
  CHECK(pieces_of(kGptOss, "camelCase's HTTPServer") == Pieces{"camel", "Case's", " HTTPServer"});
  CHECK(pieces_of(kGptOss, "ABC a/b//\n") == Pieces{"ABC", " a", "/b", "//\n"});
}

TEST_CASE("patterns: long runs take a time that grows as they do" * doctest::test_suite("long")) {
  const std::string many(200000, ' ');
  for (std::size_t row = 0; row < published_patterns().size(); ++row) {
    for (const char* each : {" ", "A", "a", "\n", "'", "1", "-"}) {
      std::string text;
      while (text.size() < 200000) text += each;
      std::size_t size = 0;
      for (const std::string& piece : pieces_of(row, text + "x")) size += piece.size();
      CHECK(size == text.size() + 1);
    }
  }
}

TEST_CASE("patterns: a pattern that nobody published is none") {
  CHECK(published_pattern("\\w+") == nullptr);
  CHECK(published_pattern("") == nullptr);
  for (const std::string_view each : published_patterns()) CHECK(published_pattern(each));
}

TEST_CASE("unicode: bytes that are no characters are replaced as everywhere else") {
  CHECK(unicode::valid_text("\xC0\xAF\xE2\x82\xF4\x90\x80\x80\xED\xA0\x80") ==
        "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(unicode::is_space(0x85));
  CHECK(!unicode::is_space(0x200B));
  CHECK(unicode::folded(0x17F) == 's');
  CHECK(unicode::categories_named("Q") == 0);
}
