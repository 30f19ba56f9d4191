// Plurals, lists and other words of messages.
#include "attn/phrases.hpp"

#include <doctest/doctest.h>

namespace attn::testing {

namespace {

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("words: a count agrees with its noun") {
  CHECK(counted(1, "number") == "1 number");
  CHECK(counted(0, "number") == "0 numbers");
  CHECK(counted(2, "key") == "2 keys");
  CHECK(counted(3, "query") == "3 queries");
  CHECK(counted(1, "batch entry") == "1 batch entry");
  CHECK(counted(2, "batch entry") == "2 batch entries");
  CHECK(counted(2, "matrix") == "2 matrices");
  CHECK(there_are(1, "token") == "there is 1 token");
  CHECK(there_are(2, "token") == "there are 2 tokens");
}

TEST_CASE("words: of a name that is too long to read, and of a text, the middle is left out") {
  const std::string usual = "the note has \"a name\"\nand goes on " + std::string(250, 'n');
  CHECK(shortened(usual) == usual);
  const std::string name(15'000'000, 'n');
  const std::string note = shortened("a step called \"" + name + "\" here");
  CHECK(note.size() < 300);
  CHECK(note.starts_with("a step called \"nnn"));
  CHECK(note.ends_with("nnn\" here"));
  CHECK(shortened(note) == note);
  std::string wide, many;
  for (int i = 0; i < 1000; ++i) wide += "é";
  for (int i = 0; i < 100'000; ++i) many += "word ";
  CHECK(shortened(wide).size() == 150 + std::string("…").size() + 40);
  CHECK(shortened(many).size() < 20'000);
}

TEST_CASE("words: a list ends in an ellipsis if it is cut") {
  CHECK(listed({}) == "");
  CHECK(listed({"a"}) == "a");
  CHECK(listed({"a", "b", "c"}) == "a, b, c");
  CHECK(listed({"a", "b", "c"}, 3) == "a, b, c");
  CHECK(listed({"a", "b", "c"}, 2) == "a, b, …");
  CHECK(listed(Words(13, "x")) == "x, x, x, x, x, x, x, x, x, x, x, x, …");
}

TEST_CASE(
    "listed tokens: those that are there twice have their index, blanks have quotation marks") {
  CHECK(listed_tokens({"the", "cat", "the"}, 5) == "0:the, cat, 2:the");
  CHECK(listed_tokens({" cat", ""}, 5) == "' cat', ''");
}

TEST_CASE("words: what acts together ends in and, a choice in or") {
  CHECK(together({"a"}) == "a");
  CHECK(together({"a", "b"}) == "a and b");
  CHECK(together({"a", "b", "c"}) == "a, b and c");
  CHECK(either({"a", "b", "c"}) == "a, b or c");
}

TEST_CASE("words: spaces around a word go, those inside stay") {
  CHECK(trimmed("  a b ") == "a b");
  CHECK(trimmed("") == "");
  CHECK(trimmed("   ") == "");
}

TEST_CASE("words: text is split at every comma") {
  CHECK(split_at_commas("a, b") == Words{"a", " b"});
  CHECK(split_at_commas("") == Words{""});
  CHECK(split_at_commas(",") == Words{"", ""});
}

TEST_CASE("words: letters of all scripts lose their capitals, accents join their letters") {
  CHECK(caseless("Mu\u0308ller") == "m\u00FCller");
  CHECK(caseless("\u1112\u1161\u11AB") == "\uD55C");
  CHECK(caseless("AzÀÖØÞĀĐĹŽŸŒ") == "azàöøþāđĺžÿœ");
  CHECK(caseless("ΆΈΌΏΑΩΫ") == "άέόώαωϋ");
  CHECK(caseless("ЀЯЖҐӁӐԮ") == "ѐяжґӂӑԯ");
  CHECK(caseless("ԱՖḀẾỸＡＺ") == "աֆḁếỹａｚ");
  for (const char* text : {"×÷ß", "ı1_-", "猫 𝔸", "\xC3", "\xE1\xBA", "\xFF\xFE"}) {
    CAPTURE(text);
    CHECK(caseless(text) == text);
  }
}

TEST_CASE("words: what is typed in full width is ASCII in half width, and nothing else changes") {
  CHECK(half_width("０．５，－１／４") == "0.5,-1/4");
  CHECK(half_width("（２％）　？ｑ～！") == "(2%) ?q~!");
  CHECK(half_width("猫 ✓ é 、。") == "猫 ✓ é 、。");
  CHECK(half_width("\xEF\xBC") == "\xEF\xBC");
  CHECK(half_width("\xEF\xBC\xC1") == "\xEF\xBC\xC1");
  CHECK(half_width("") == "");
}

}  // namespace attn::testing
