// A wrong command line.
#include <doctest/doctest.h>

#include "support/phrases.hpp"
#include "support/program.hpp"

using namespace attn::testing;

TEST_CASE("errors: a wrong command line gets a suggestion and exit code 2") {
  struct Row {
    std::vector<std::string> args;
    std::string text;
  };
  const Row rows[] = {
      {{"explian"},
       "error[unknown-command]: " + no_such("command", "explian") + did_you_mean({"explain"})},
      {{"expl"}, "error[unknown-command]: " + no_such("command", "expl")},
      {{"explain", "--msk", "causal"}, "error[unknown-option]: attn explain " + no_option("--msk")},
      {{"explain", "--mas", "causal"}, "error[unknown-option]: attn explain " + no_option("--mas")},
      {{"explain", "--mask"}, "error[missing-value]: --mask needs a value: --mask SPEC"},
      {{"explain", "--mask", "casual"},
       "error[mask-unknown]: " + no_such("mask", "casual") + did_you_mean({"causal"})},
      {{"explain", "a.json", "b.json"}, "error[extra-argument]: attn explain "},
      {{"explain", "--format", "xml"}, "error[option-value]: --format cannot be \"xml\""},
      {{"explain", "--detail", "ful"},
       "error[option-value]: --detail cannot be \"ful\"" + did_you_mean({"full"})},
      {{"explain", "--scale", "big"}, "error[unknown-value]"},
      {{"explain", "--softcap", "0"},
       "error[option-value]: softcap takes a number above 0, not \"0\""},
      {{"explain", "--fill", "abc"}, "error[option-value]: fill "},
      {{"explain", "--heads", "1.5"}, "error[option-value]: heads "},
      {{"explain", "--head", "3"},
       "error[out-of-range]: there is no head 3: this problem has 1 head"},
      {{"explain", "--query", "dog"}, "error[no-such-query]: " + no_such("query", "dog")},
      {{"explain", "--steps", "weigths"},
       "error[no-such-step]: " + no_such("step", "weigths") + did_you_mean({"weights"})},
      {{"explain", "--steps", "mask"}, "error[no-such-step]: " + no_step_here("mask")},
      {{"explain", "--cell", "cat"}, "error[no-such-cell]: \"cat\" does not name a cell"},
      {{"explain", "--cell", "wieghts:0,0"},
       "error[no-such-cell]: \"wieghts:0,0\" does not name a cell"},
      {{"explain", "--cell", "weights:0,9"}, "error[no-such-column]: " + no_such("column", "9")},
      {{"explain", "--text", ""}, "error[option-value]: --text needs at least one word"},
      {{"explain", "--text", "  "}, "error[option-value]: --text needs at least one word"},
      {{"heatmap", ""}, "error[empty-path]: the name given for the problem is empty"},
      {{"explain", "-o", ""}, "error[empty-path]: the name given for -o is empty"},
      {{"new", "--list", "-o", ""}, "error[empty-path]: the name given for -o is empty"},
      {{"explain", "--", "a.json", "b.json"}, "error[extra-argument]: attn explain "},
      {{"new", "--list", "--", "a.json"}, "error[extra-argument]: attn new "},
      {{"explain", "--steps", "W_x"}, "error[no-such-step]: " + no_such("step", "W_x")},
      {{"new"}, "error[missing-option]: attn new needs --list, --sample NAME or --random"},
      {{"new", "--sample", "casual"},
       "error[unknown-sample]: " + no_such("sample", "casual") + did_you_mean({"causal"})},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string text = usage(row.args);
    CHECK(first_difference(row.text, text.substr(0, row.text.size())) == "");
    CHECK(text.find("fix   ") != text.npos);
  }
}

TEST_CASE("errors: no text names a library or shows an exception of one") {
  for (const char* problem :
       {"", "{", "[1,]", "nul", "{\"heads\": 1e999}", "\"\\ud800\"", "{\"a\" 1}"}) {
    const std::string text = complaint(problem);
    for (const char* word : {"nlohmann", "json.exception", "CLI", "std::"})
      CHECK(text.find(word) == text.npos);
  }
}
