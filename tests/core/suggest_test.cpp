// Guesses at misspelt words.
#include "attn/suggest.hpp"

#include <doctest/doctest.h>

namespace attn::testing {
namespace {

using Words = std::vector<std::string>;

const Words kMaskWords = {"none", "causal", "window", "prefix", "padding", "keys"};

}  // namespace

TEST_CASE("suggestions: one letter too few, too many, wrong, or swapped") {
  CHECK(suggestions("casal", kMaskWords) == Words{"causal"});
  CHECK(suggestions("caussal", kMaskWords) == Words{"causal"});
  CHECK(suggestions("windaw", kMaskWords) == Words{"window"});
  CHECK(suggestions("prefxi", kMaskWords) == Words{"prefix"});
  CHECK(suggestions("cta", {"cat", "dog"}) == Words{"cat"});
}

TEST_CASE("suggestions: two mistakes are forgiven from five letters on, one from two, none below") {
  CHECK(suggestions("ke", {"key"}) == Words{"key"});
  CHECK(suggestions("ky", {"keys"}).empty());
  CHECK(suggestions("kes", {"keys"}) == Words{"keys"});
  CHECK(suggestions("kxxs", {"keys"}).empty());
  CHECK(suggestions("kexss", {"keys"}) == Words{"keys"});
  CHECK(suggestions("kex", {"keys"}).empty());
  CHECK(suggestions("k", {"q", "v"}).empty());
  CHECK(suggestions("", {"a", "b"}).empty());
}

TEST_CASE("suggestions: dashes and capitals of an option are neither mistakes nor letters") {
  const Words options = {"--mask", "--heads", "-o"};
  CHECK(suggestions("--base", options).empty());
  CHECK(suggestions("-mask", options) == Words{"--mask"});
  CHECK(suggestions("-Haeds", options) == Words{"--heads"});
  CHECK(suggestions("-O", options) == Words{"-o"});
  CHECK(suggestions("-p", options).empty());
}

TEST_CASE("suggestions: never more than two mistakes, however long the word") {
  CHECK(suggestions("renormalizad_weigths", {"renormalized_weights"}) ==
        Words{"renormalized_weights"});
  CHECK(suggestions("renormalixad_weigths", {"renormalized_weights"}).empty());
}

TEST_CASE("suggestions: the nearest come first, at most three, equals in their own order") {
  const Words known = {"w_k", "w_q", "w_v", "b_q", "w_o"};
  CHECK(suggestions("w_q", known) == Words{"w_q", "w_k", "w_v"});
  CHECK(suggestions("w_x", known) == Words{"w_k", "w_q", "w_v"});
}

TEST_CASE("suggestions: nothing that is far off") {
  CHECK(suggestions("banana", kMaskWords).empty());
  CHECK(suggestions("causal", {}).empty());
}

TEST_CASE("did_you_mean: the end of a sentence with one, two or three words, or nothing") {
  CHECK(did_you_mean("casual", kMaskWords) == "; did you mean \"causal\"?");
  CHECK(did_you_mean("w_x", {"w_q", "w_k"}) == "; did you mean \"w_q\" or \"w_k\"?");
  CHECK(did_you_mean("w_x", {"w_q", "w_k", "w_v", "w_o"}) ==
        "; did you mean \"w_q\", \"w_k\" or \"w_v\"?");
  CHECK(did_you_mean("banana", kMaskWords) == "");
}

}  // namespace attn::testing
