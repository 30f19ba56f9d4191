// Labels of tokens: quoted, cut, never two alike.
#include "render/terminal/short_labels.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "attn/render/text.hpp"
#include "core/trace/axis_names.hpp"

using attn::token_labels;
using Texts = std::vector<std::string>;

TEST_CASE("labels: tokens are their own labels") {
  CHECK(token_labels(Texts{"the", "cat", "猫", "don't"}) == Texts{"the", "cat", "猫", "don't"});
  CHECK(token_labels(Texts{}).empty());
}

TEST_CASE("labels: repeated tokens get their position in front") {
  const Texts tokens = {"<s>", "and", "the", "old", "cat", "sat", "on", "by", "the"};
  const Texts labels = token_labels(tokens);
  CHECK(labels[2] == "2:the");
  CHECK(labels[8] == "8:the");
  CHECK(labels[3] == "old");
}

TEST_CASE("labels: long tokens are cut between clusters") {
  CHECK(token_labels(Texts{"transformers"}) == Texts{"transformers"});
  CHECK(token_labels(Texts{"intelligence!"}) == Texts{"intelligenc…"});
  CHECK(token_labels(Texts{"intelligence!"}, 12, true) == Texts{"intelligenc~"});
  CHECK(token_labels(Texts{"玩机器学习真好"}) == Texts{"玩机器学习…"});
  CHECK(token_labels(Texts{"🇯🇵🇫🇷🇩🇪"}, 5) == Texts{"🇯🇵🇫🇷…"});
  CHECK(token_labels(Texts{"widest"}, 4) == Texts{"wid…"});
}

TEST_CASE("labels: a position survives cutting") {
  const Texts tokens(11, "internationalization");
  const Texts labels = token_labels(tokens);
  CHECK(labels[0] == "0:internati…");
  CHECK(labels[10] == "10:internat…");
  CHECK(token_labels(tokens, 2)[10] == "10:…");
}

TEST_CASE("labels: tokens that look alike after cutting get their positions too") {
  CHECK(token_labels(Texts{"internationalism", "internationalize"}) ==
        Texts{"0:internati…", "1:internati…"});
}

TEST_CASE("labels: no two are alike, whatever the tokens") {
  const std::vector<Texts> cases = {
      {"the", "the", "0:the"}, {"0:the", "the", "the", "1:the", "0:0:the"}, {"", "''", "'"},
      {"\n", "\\n"},           {"1:a", "a", "a", "2:a", "2:2:a"},           {" ", "' '"}};
  for (const Texts& tokens : cases) {
    for (const std::ptrdiff_t width : {1, 3, 12}) {
      const Texts labels = token_labels(tokens, width);
      CHECK(std::set<std::string>(labels.begin(), labels.end()).size() == tokens.size());
    }
  }
}

TEST_CASE("labels: tokens without a visible edge are quoted") {
  CHECK(token_labels(Texts{"", " ", " the", "the", "\u0301"}) ==
        Texts{"''", "' '", "' the'", "the", "'\u0301'"});
}

TEST_CASE("labels: control characters are shown, not obeyed") {
  const Texts labels = token_labels(Texts{"\x1b[2J", "a\nb", "\u202Etac", "\u200B"});
  CHECK(labels == Texts{"\\e[2J", "a\\nb", "\\u{202e}tac", "\\u{200b}"});
  for (const std::string& label : labels) CHECK(label.find('\x1b') == std::string::npos);
}

TEST_CASE("labels: ASCII labels are pure 7-bit and fit as well") {
  for (const std::string& label : token_labels(Texts{"猫", "naïve", "👩\u200D👧", "…"}, 12, true)) {
    CAPTURE(label);
    CHECK(attn::display_width(label) <= 12);
    for (const char c : label) CHECK((c >= 0x20 && c < 0x7F));
  }
}
