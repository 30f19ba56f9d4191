// How steps, cells, tokens and pages are named, and what is said where a name does not fit.
#include <doctest/doctest.h>

#include "support/phrases.hpp"
#include "support/program.hpp"

using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

/// Two batch entries, whose tokens differ in the second place.
const char* const kBatch = R"({"tokens": [["the", "cat"], ["the", "rain"]],
  "q": [[[1], [2]], [[1], [2]]], "k": [[[1], [2]], [[1], [2]]], "v": [[[1], [2]], [[1], [2]]]})";

}  // namespace

TEST_CASE("naming: a cell takes the number of its step, as --steps does") {
  const std::string by_id = attn_run({"explain", "--cell", "scaled_scores:cat,the"}).out;
  CHECK(attn_run({"explain", "--cell", "6:cat,the"}).out == by_id);
  CHECK(attn_run({"explain", "--steps", "6"}).out ==
        attn_run({"explain", "--steps", "scaled_scores"}).out);
  CHECK(has(explain_refusal({"--cell", "9:cat,the"}), no_step_number(9, 8)));
  CHECK(has(explain_refusal({"--cell", "6:dog,the"}), no_such("row", "dog")));
}

TEST_CASE("naming: the row of a repeated token is not taken for the number of a step") {
  const char* repeated = R"({"tokens": ["a", "b", "a"], "q": [[1], [2], [3]],
                             "k": [[1], [2], [3]], "v": [[1], [2], [3]]})";
  const std::string cell = attn_run({"explain", "-", "--cell", "2:a,b"}, repeated).out;
  CHECK(cell == attn_run({"explain", "-", "--cell", "2,1"}, repeated).out);
}

TEST_CASE("naming: wrong numbers and symbols of steps are reported with the right ones") {
  for (const char* number : {"0", "9", "1000", "99999999999999999999"}) {
    CAPTURE(number);
    CHECK(has(explain_refusal({"--step", number}), ": the steps are 1"));
  }
  CHECK(has(explain_refusal({"--step", "a"}), no_such("step", "a") + did_you_mean({"A"})));
  CHECK(has(explain_refusal({"--step", "s"}), no_such("step", "s") + did_you_mean({"S"})));
  CHECK(has(explain_refusal({"--step", "WEIGHTS"}), did_you_mean({"weights"})));
  CHECK(has(explain_refusal({"--cell", "a:0,0"}), did_you_mean({"A"})));
}

TEST_CASE("naming: the error about a missing step names the option that brings it, and it does") {
  struct Row {
    const char* step;
    const char* fix;
    Words options;
  };
  const Row rows[] = {
      {"mask", "It appears with a mask (--mask causal).", {"--mask", "causal"}},
      {"M", "It appears with a mask (--mask causal).", {"--mask", "causal"}},
      {"exp_scores", "softmax in separate steps (--detail full).", {"--detail", "full"}},
      {"capped_scores", "a softcap (--softcap 30).", {"--softcap", "30"}},
      {"q_heads", "several heads (--heads 2).", {"--heads", "2"}},
      {"concat", "several heads (--heads 2).", {"--heads", "2"}},
      {"q_rotated", "(--positions rope).", {"--positions", "rope"}},
      {"bias", "(--positions alibi).", {"--positions", "alibi"}},
      {"positions", "(--positions sinusoidal).", {"--positions", "sinusoidal"}},
      {"query_masked_weights", "(--mask queries:0).", {"--mask", "queries:0"}},
      {"masked_weights", "(--masking multiply).", {"--masking", "multiply", "--mask", "causal"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.step);
    Words args{"--steps", row.step};
    const std::string text = explain_refusal(args);
    CHECK_MESSAGE(has(text, no_step_here(row.step)), text);
    CHECK_MESSAGE(has(text, row.fix), text);
    CHECK(has(explain_refusal({"--cell", std::string(row.step) + ":0,0"}), row.fix));
    args.insert(args.begin(), "explain");
    args.insert(args.end(), row.options.begin(), row.options.end());
    CHECK(attn_run(args).exit_code == 0);
  }
}

TEST_CASE("naming: added keys bring the step k_all, as cached keys do, and its text says why") {
  CHECK(has(explain_refusal({"--steps", "k_all"}),
            "\"past\" in the problem, or bias_k or add_zero_attn in its weights."));
  const char* const zero = R"({"embeddings": [[1], [2]], "weights":
    {"w_q": [[1]], "w_k": [[1]], "w_v": [[1]], "add_zero_attn": true}})";
  const Ran ran = attn_run({"explain", "-", "--steps", "k_all,v_all", "--detail", "full"}, zero);
  CHECK(ran.exit_code == 0);
  CHECK(has(unwrapped(ran.out), "What is added belongs to no token"));
  CHECK(!has(ran.out, "earlier tokens"));
}

TEST_CASE("naming: cached, new and added keys each have their own tokens, in a trace too") {
  const std::string problem = R"({"tokens": ["new"],
    "past": {"k": [[1]], "v": [[1]], "tokens": ["old"]}, "embeddings": [[1]],
    "weights": {"w_q": [[1]], "w_k": [[1]], "w_v": [[1]], "bias_k": [2], "bias_v": [3],
                "add_zero_attn": true}})";
  for (const std::string& input : {problem, attn_run({"explain", "-", "--json"}, problem).out}) {
    const std::string table =
        attn_run({"explain", "-", "--format", "csv", "--steps", "past_k,k,extra_k,k_all"}, input)
            .out;
    for (const char* row :
         {"past_k,,,0,0,old,", "k,,,0,0,new,", "extra_k,,,0,0,<bias>,", "extra_k,,,1,0,<zero>,",
          "k_all,,,0,0,old,", "k_all,,,1,0,new,", "k_all,,,2,0,<bias>,"})
      CHECK_MESSAGE(has(table, std::string("\n") + row), table);
  }
}

TEST_CASE("naming: masks and positions have no gradient, with --gradient or without") {
  for (const Words& options : {Words{}, Words{"--mask", "causal"},
                               Words{"--gradient", "--mask", "causal", "--masking", "add"}}) {
    for (const char* step : {"mask.grad", "added_mask.grad", "positions.grad"}) {
      CAPTURE(step);
      for (const Words& choice :
           {Words{"--steps", step}, Words{"--cell", step + std::string(":0,0")}}) {
        Words args = choice;
        args.insert(args.end(), options.begin(), options.end());
        const std::string text = explain_refusal(args);
        CHECK_MESSAGE(has(text, "Name another step: masks and positions have no gradient"), text);
      }
    }
  }
  CHECK(
      has(explain_refusal({"--cell", "w_q.grad:0,0"}), "It appears with gradients (--gradient)."));
  CHECK(has(explain_refusal({"--cell", "concat.grad:0,0", "--gradient"}),
            "It appears with several heads (--heads 2)."));
}

TEST_CASE("naming: for a token of another batch entry, the fix says which one") {
  const Ran ran = attn_run({"explain", "-", "--cell", "weights:rain,the"}, kBatch);
  CHECK(ran.exit_code == 2);
  CHECK_MESSAGE(has(unwrapped(ran.err), "fix Batch entry 1 has it (--batch 1)."), ran.err);
  CHECK(
      attn_run({"explain", "-", "--cell", "weights:rain,the", "--batch", "1"}, kBatch).exit_code ==
      0);
  const Ran none = attn_run({"explain", "-", "--cell", "weights:snow,the"}, kBatch);
  CHECK(has(unwrapped(none.err), "fix Name one (the, cat) or"));
}

TEST_CASE("naming: lists of tokens show what is blank, and number what is repeated") {
  const char* tokens = R"({"tokens": ["the", "", " ", "the"], "q": [[1], [1], [1], [1]],
    "k": [[1], [1], [1], [1]], "v": [[1], [1], [1], [1]]})";
  const Ran row = attn_run({"explain", "-", "--query", "dog"}, tokens);
  CHECK_MESSAGE(has(unwrapped(row.err), "Name one (0:the, '', ' ', 3:the) or"), row.err);
  const Ran mask = attn_run({"explain", "-", "--mask", "keys:dog"}, tokens);
  CHECK_MESSAGE(has(unwrapped(mask.err), "these tokens: 0:the, '', ' ', 3:the."), mask.err);
}

TEST_CASE("naming: queries that see no key share a line") {
  const std::string text = attn_run({"explain", "--mask", "keys:0-4", "--empty-row", "error"}).err;
  CHECK(has(text, "queries 0 \"the\" to 4 \"flies\" see no key"));
  CHECK(has(unwrapped(text), "leave a key for these queries"));
  CHECK(text.find("error[", 1) == text.npos);
}

TEST_CASE("naming: a mask that hides no cell is noted, one that does is not") {
  const auto note = [](const char* mask) {
    return attn_run({"explain", "--mask", mask, "--json"}).out;
  };
  CHECK(has(note("padding"), quoted(hides_nothing("padding", "key", "X"))));
  CHECK(has(note("window:9,9"), "\"the mask window:9,9 hides nothing\""));
  CHECK(!has(note("causal"), "hides nothing"));
  CHECK(!has(note("none"), "hides nothing"));
  CHECK(!has(note("queries:0"), "hides nothing"));
  const std::string twice =
      attn_run({"explain", "--mask", "causal", "--mask", "window:9", "--json"}).out;
  CHECK(!has(twice, "hides nothing"));  // the window hides what comes later, as causal does
}

TEST_CASE("naming: help knows steps, masks and positions by name") {
  const auto page = [](const char* word) {
    const Ran ran = attn_run({"help", word});
    CHECK_MESSAGE(ran.exit_code == 0, ran.err);
    return ran.out.substr(0, ran.out.find(" - "));
  };
  CHECK(page("weights").starts_with("attention weights\n"));  // a word: docs/words.md
  CHECK(page("masked_scores") == "attn help steps");
  CHECK(page("causal") == "attn help masks");
  CHECK(page("none") == "attn help masks");
  CHECK(page("rope") == "attn help json");
  CHECK(page("softmax").starts_with("softmax\n"));
  CHECK(page("inf") == "attn help why");
  CHECK(page("infinity") == "attn help why");
  CHECK(page("gqa") == "attn help kinds");
  CHECK(page("tgt_mask") == "attn help models");
  CHECK(page("masking") == "attn help masks");
  CHECK(page("cell") == "attn help steps");
  CHECK(page("problem") == "attn help json");
}

TEST_CASE("naming: the help of all commands and the manual mention --version") {
  CHECK(has(attn_run({"--help"}).out, "\n      --version "));
  CHECK(has(attn_run({"--help"}).out, "\n      --help "));
  CHECK(has(attn_run({"man"}).out, "\\-\\-version"));
}

TEST_CASE("naming: without tokens, keys are named like the queries if there are as many of both") {
  const char* square = R"({"q": [[1], [2]], "k": [[1], [2]], "v": [[1], [2]]})";
  CHECK(has(attn_run({"explain", "-", "--json"}, square).out,
            R"("tokens": {"query": ["t0", "t1"], "key": ["t0", "t1"]})"));
  const char* wide = R"({"q": [[1]], "k": [[1], [2]], "v": [[1], [2]]})";
  CHECK(has(attn_run({"explain", "-", "--json"}, wide).out, R"("key": ["k0", "k1"])"));
}

TEST_CASE("naming: masked scores are what softmax sees, unless they are scaled after the mask") {
  const auto explained = [](const std::string& masking) {
    return attn_run({"explain", "-"}, R"({"q": [[1], [2]], "k": [[1], [2]], "v": [[1], [2]],
                                          "mask": "causal", "masking": )" +
                                          masking + "}")
        .out;
  };
  CHECK(has(explained(R"({"mode": "replace"})"),
            std::string("M = S′, −∞") + kWhereHidden + "   what softmax sees "));
  const std::string before = explained(R"({"before_scale": true})");
  CHECK(
      has(before, std::string("M = S, −∞") + kWhereHidden + "   the scores after bias and mask "));
  CHECK(!has(before, "what softmax sees"));
}
