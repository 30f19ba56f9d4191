// Options that are given together: twice, or with others that they exclude.
#include <doctest/doctest.h>

#include <algorithm>

#include "commands.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

std::string printed(Words args) {
  args.insert(args.begin(), "explain");
  const Ran ran = attn_run(args);
  CHECK_MESSAGE(ran.exit_code == 0, ran.err);
  return ran.out;
}

}  // namespace

TEST_CASE("explain: a mistake that leaves a step out is no matrix that is missing") {
  const auto explained = [](const char* code) {
    return attn_run({"explain", "--mask", "causal", "--fault", code}).out;
  };
  for (const char* code : {"scale.missing", "values.unprojected", "mask.after_softmax"}) {
    CAPTURE(code);
    CHECK(has(explained(code), "    the same as "));
    CHECK(!has(explained(code), "there is no W"));
  }
}

TEST_CASE("explain: a trace of version 0.2 in which softmax was applied twice is read") {
  std::string trace = attn_run({"explain", "--fault", "softmax.base_2", "--json"}).out;
  const std::size_t at = trace.find("\"base_2\"");
  REQUIRE(at != trace.npos);
  trace.replace(at, 8, "\"twice\"");
  const Ran ran = attn_run({"explain", "-", "--cell", "weights:0,0", "--depth", "0"}, trace);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "A = softmax(softmax(S′))"));
  CHECK(has(ran.out, " / (e^"));
}

TEST_CASE("cell: weight that a mistake gives to a hidden key is not called hidden") {
  const std::string told = attn_run({"explain", "--mask", "causal", "--fault", "softmax.twice",
                                     "--cell", "weights:cat,it"})
                               .out;
  CHECK(has(told, "Masked by causal" + std::string(kSomeWeight)));
  CHECK(!has(told, "Hidden by causal"));
}

TEST_CASE("options together: two values for an option that takes one are reported") {
  CHECK(has(explain_refusal({"--query", "cat", "--query", "the"}),
            "error[option-twice]: --query is given twice: \"cat\" and \"the\""));
  CHECK(has(explain_refusal({"--heads", "1", "--scale=1", "--heads=2"}), given_twice("--heads")));
  CHECK(has(explain_refusal({"-o", "a.txt", "--output", "b.txt"}), given_twice("--output")));
  CHECK(has(explain_refusal({"--detail", "full", "--detail", "brief"}), given_twice("--detail")));
  CHECK(printed({"--query", "cat", "--query", "cat"}) == printed({"--query", "cat"}));
}

TEST_CASE("options together: two values for one setting under two spellings are reported") {
  CHECK(has(explain_refusal({"--normalizing", "sum", "--normalize", "sigmoid"}),
            "error[option-twice]: normalize is set twice: --normalizing sum and --set "
            "normalize=sigmoid"));
  CHECK(has(explain_refusal({"--set", "softcap=2", "--softcap", "3"}), "softcap is set twice"));
  CHECK(has(explain_refusal({"--set", "softcap=2,softcap=3"}), "softcap is set twice"));
  CHECK(printed({"--set", "softcap=2", "--softcap", "2"}) ==
        printed({"--softcap", "2", "--softcap", "2"}));
  CHECK(attn_run({"compare", "--scale", "none", "--left", "scale=1", "--right", "scale=2"})
            .exit_code != 2);
}

TEST_CASE("options together: steps, masks and cells add up") {
  CHECK(printed({"--steps", "weights", "--step", "scores"}) ==
        printed({"--steps", "scores,weights"}));
  CHECK(has(printed({"--mask", "causal", "--mask", "keys:it"}), "mask: causal, keys:it"));
  CHECK(printed({"--cell", "S:1,0", "--cell", "A:1,0"}) ==
        printed({"--cell", "S:1,0"}) + "\n" + printed({"--cell", "A:1,0"}));
  CHECK(printed({"--steps", "5-7,x"}) == printed({"--steps", "1,5,6,7"}));
}

TEST_CASE("options together: a cell of a mistaken computation says which mistake is built in") {
  const std::string cell = printed({"--fault", "scale.missing", "--cell", "scaled_scores:0,0"});
  CHECK(has(cell, built_in("scale.missing")));
}

TEST_CASE("options together: each step that is named must be in the layer that is named") {
  const std::string model = source_dir() + "/samples/15-induction.json";
  for (const char* steps : {"logits", "logits,weights", "weights,logits"}) {
    CHECK(has(explain_refusal({model, "--layer", "0", "--steps", steps}),
              "error[no-such-step]: layer 0 has no step \"logits\""));
  }
  CHECK(has(printed({model, "--layer", "0", "--steps", "weights"}), "layers.0.self_attn.weights"));
}

TEST_CASE("options together: a mistake may change any shape, and the rows still have names") {
  const auto shown = [](const char* sample, const char* code, const char* format) {
    const std::string path = source_dir() + "/samples/" + sample + ".json";
    return printed({path, "--fault", code, "--format", format});
  };
  CHECK(has(shown("11-decode-step", "scores.transposed", "text"), "    cannot      -1\n"));
  for (const char* format : {"text", "csv", "html", "markdown", "latex"}) {
    shown("11-decode-step", "scores.transposed", format);
    shown("09-batch", "axes.batch_token", format);
    for (const char* code :
         {"cross.swapped", "cross.self", "scores.query_query", "scores.transposed"})
      shown("06-translation", code, format);
  }
  CHECK(has(shown("09-batch", "axes.batch_token", "text"), "    query0"));
  const Ran far = attn_run({"explain", "-", "--fault", "scores.transposed", "--query", "3"},
                           R"({"q": [[1], [2], [3], [4]], "k": [[1]], "v": [[1]]})");
  CHECK_MESSAGE(far.exit_code == 0, far.err);
}

TEST_CASE("options together: how text looks has no effect on data, and a note says so") {
  const auto notes = [](Words args) {
    args.insert(args.begin(), "explain");
    return attn_run(args).err;
  };
  CHECK(notes({"--json", "--big", "--sci"}) ==
        "note: " + idle("--big") +
            ": json is for programs\nnote: --sci has no effect: json is for programs\n");
  CHECK(has(notes({"--format", "csv", "--fixed"}), idle("--fixed") + ": csv is"));
  CHECK(has(attn_run({"compare", "--left", "mask=causal", "--json", "--big"}).err, "--big has no"));
  CHECK(notes({"--json", "--sci", "--quiet"}).empty());
  CHECK(notes({"--sci"}).empty());
  CHECK(notes({"--steps", "weights", "--format", "svg", "--sci"}).empty());
  CHECK(!has(notes({"--json", "--sci", "--also", "/dev/null"}), "no effect"));
}

TEST_CASE(
    "options together: a range of steps must go upwards and stay within the steps that exist") {
  CHECK(has(explain_refusal({"--steps", "7-5"}), no_such("step", "7-5")));
  CHECK(has(explain_refusal({"--steps", "5-9"}), no_step_number(9, 8)));
}

TEST_CASE("options together: attn new writes a sample or a random problem, not both") {
  for (const char* kind : {"--list", "--sample=01-one-head"}) {
    for (const char* other : {"--random", "--normal", "--tokens=3", "--d-model=3", "--heads=2",
                              "--d-k=2", "--d-v=2", "--seed=1"}) {
      CAPTURE(other);
      CHECK(has(usage({"new", kind, other}), "error[option-conflict]: "));
    }
  }
  CHECK(has(usage({"new", "--list", "--sample", "3"}), "error[option-conflict]"));
}

TEST_CASE("options together: a note says where --masking or --fill has no effect") {
  CHECK(has(printed({"--masking", "multiply"}), "note: masking multiply has no effect: no mask"));
  CHECK(has(printed({"--fill", "-5"}), "note: fill -5 has no effect: no mask hides a key"));
  CHECK(!has(printed({"--fill", "-5", "--mask", "causal"}), "no effect"));
  for (const char* mode : {"multiply", "renormalize"}) {
    const std::string text = printed({"--mask", "causal", "--masking", mode, "--fill", "3"});
    CHECK(has(text, std::string("note: fill 3 has no effect: masking ") + mode + " leaves scores"));
    CHECK(!has(text, "fill: 3"));
  }
  CHECK(!has(printed({"--masking", "add"}), "fill"));
  CHECK(!has(printed({}), "no effect"));
}

TEST_CASE("options together: a note says where --align or --empty-row has no effect") {
  const char* align = "note: align end has no effect: ";
  const char* empty_row = " has no effect: every query sees a key";
  CHECK(has(printed({"--align", "end"}), align));
  CHECK(has(printed({"--align", "end", "--mask", "padding", "--positions", "sinusoidal"}), align));
  for (const Words& matters :
       {Words{"--mask", "causal"}, {"--mask", "window:1"}, {"--positions", "alibi"}}) {
    const auto with = [&](Words args) {
      args.insert(args.end(), matters.begin(), matters.end());
      return printed(args);
    };
    CHECK(!has(with({"06-translation", "--align", "end"}), align));  // 4 queries and 5 keys
    CHECK(
        has(unwrapped(with({"--align", "end"})), "align start puts the queries at the same keys"));
  }
  for (const std::string policy : {"nan", "uniform"}) {
    CHECK(has(printed({"--empty-row", policy}), "note: empty_row " + policy + empty_row));
    CHECK(!has(printed({"--empty-row", policy, "--mask", "keys:0-4"}), empty_row));
  }
  CHECK(!has(printed({"--empty-row", "error"}), empty_row));  // a check, not a change
}

TEST_CASE("options together: a summary has its numbers in the notation that was asked for") {
  const std::string science = printed({"--summary", "--sci"});
  CHECK(has(science, "e+00"));
  for (const std::string& line : lines_of(science))
    CHECK_MESSAGE((!has(line, "×") || has(line, "e+0") || has(line, "e-0")), line);
  const auto scaled_scores = [](const Words& args) {
    const std::string text = printed(args);
    const std::string rest = text.substr(text.find("\nscaled_scores") + 1);
    return rest.substr(0, rest.find('\n'));
  };
  CHECK(has(scaled_scores({"--scale", "1e6", "--summary"}), "e+0"));
  CHECK(!has(scaled_scores({"--scale", "1e6", "--summary", "--fixed"}), "e+0"));
}

TEST_CASE("options together: of two options for appearance, the last counts") {
  CHECK(printed({"--precision", "1", "--precision", "5"}) == printed({"--precision", "5"}));
  CHECK(printed({"--color", "always", "--color", "never"}) == printed({}));
  CHECK(printed({"--width", "40", "--width", "70"}) == printed({"--width", "70"}));
  CHECK(printed({"--palette", "gray", "--palette", "cividis"}) == printed({}));
  CHECK(printed({"--layout", "lines", "--layout", "grid"}) == printed({}));
}

TEST_CASE("options together: those that exclude each other are reported") {
  const Words pairs[] = {{"--summary", "--cell", "weights:1,0"},
                         {"--only", "--summary"},
                         {"--summary", "--query", "cat"},
                         {"--cell", "1,0", "--steps", "scores"},
                         {"--cell", "1,0", "--query", "cat"},
                         {"--cell", "1,0", "--only"},
                         {"--sci", "--fixed"}};
  for (const Words& pair : pairs) {
    CAPTURE(pair.front());
    const std::string text = explain_refusal(pair);
    CHECK_MESSAGE(has(text, "error[option-conflict]: --"), text);
    CHECK_MESSAGE(has(text, " together: "), text);
  }
}

TEST_CASE("options together: a conflict names options that the command has") {
  attn::app::CommonOptions common;
  for (const attn::app::Command& command : attn::app::every_command(common)) {
    Words names;
    for (const attn::app::OptionRow& option : command.options)
      names.push_back(attn::app::names_of(option).back());
    for (const attn::app::Conflict& conflict : command.conflicts) {
      for (const char* name : {conflict.one, conflict.other}) {
        CAPTURE(name);
        CHECK(std::find(names.begin(), names.end(), name) != names.end());
      }
    }
  }
}

TEST_CASE("options together: JSON errors say whether an option or a file is the place") {
  const std::string option =
      attn_run({"explain", "--mask", "casual", "--error-format", "json"}).err;
  CHECK_MESSAGE(has(option, R"("places": [{"option": "--mask casual")"), option);
  const std::string file = attn_run({"explain", "-", "--error-format", "json"}, "{").err;
  CHECK_MESSAGE(has(file, R"("places": [{"file": "<stdin>")"), file);
}

TEST_CASE("options together: what heads and positions lack is reported for options too") {
  const std::string heads = unwrapped(attn_run({"explain", "--kv-heads", "2"}).err);
  CHECK_MESSAGE(has(heads, "a multiple of 2 (--heads)."), heads);
  const char* narrow = R"({"q": [[1]], "k": [[1]], "v": [[1]]})";
  CHECK(has(complaint(narrow, {"--positions", "rope"}), "pairs of columns, but d_k is 1\n"));
  const char* odd = R"({"q": [[1, 2, 3]], "k": [[1, 2, 3]], "v": [[1]], "positions": "rope"})";
  CHECK(has(complaint(odd), "pairs of columns, but d_k is 3\n"));
  const char* wide = R"({"q": [[1, 2, 3, 4]], "k": [[1, 2, 3, 4]], "v": [[1]],
                         "positions": {"kind": "rope", "rotary_dim": 6}})";
  CHECK(has(unwrapped(complaint(wide)), "but rotary_dim is 6: "));
}
