// What is said about words that nothing on the command line asks for.
#include <doctest/doctest.h>

#include "attn/io/samples.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

/// What the program says to do about a wrong command line.
std::string fix_of(const Words& args) {
  const Ran ran = attn_run(args);
  CAPTURE(ran.err);
  CHECK(ran.exit_code == 2);
  const std::string text = unwrapped(ran.err);
  const std::size_t begin = text.find(" fix ") + 5;
  return text.substr(begin, text.find(" more ", begin) - begin);
}

}  // namespace

TEST_CASE("meant: values with spaces between them are put together as the option takes them") {
  CHECK(fix_of({"explain", "--steps", "scores", "weights"}) == "Write --steps scores,weights.");
  CHECK(fix_of({"explain", "--steps", "scores", "7", "--ascii"}) == "Write --steps scores,7.");
  CHECK(fix_of({"explain", "--mask", "causal", "window:1"}) ==
        "Write --mask causal --mask window:1.");
  CHECK(fix_of({"explain", "--cell", "cat", "the"}) == "Write --cell cat,the.");
  CHECK(fix_of({"explain", "--cell", "cat,", "the"}) == "Write --cell cat,the.");
  CHECK(fix_of({"explain", "--cell", "A[cat,", "the]"}) == "Write --cell \"A[cat, the]\".");
  CHECK(fix_of({"explain", "--cell", "cat,the", "1,0"}) == "Write --cell cat,the --cell 1,0.");
  CHECK(fix_of({"explain", "--text", "the", "cat", "flies"}) == "Write --text \"the cat flies\".");
  CHECK(fix_of({"explain", "--heads", "2", "3"}) == "--heads takes one value: write --heads 2.");
  CHECK(fix_of({"heatmap", "--head=0", "1"}) == "--head takes one value: write --head 0.");
}

TEST_CASE("meant: a query and a key after --query are a cell, where there is --cell") {
  CHECK(has(fix_of({"explain", "--query", "cat", "the"}), "write --cell cat,the."));
  CHECK(!has(attn_run({"heatmap", "--query", "cat", "the"}).err, "--cell"));
  CHECK(attn_run({"explain", "--query", "cat", "the.json"}).exit_code == 4);
}

TEST_CASE("meant: a sample after an option with a value of its own is the problem") {
  const Words lines[] = {{"explain", "--mask", "causal", "06"},
                         {"explain", "--mask", "causal", "06-translation"},
                         {"explain", "--mask", "causal", "translation"},
                         {"explain", "--set", "softcap=2", "06-translation"},
                         {"explain", "--set", "softcap=2", "translation"},
                         {"explain", "--steps", "weights", "06"},
                         {"explain", "--steps", "4", "06"},
                         {"explain", "--cell", "weights:cat,the", "01"},
                         {"explain", "--heads", "2", "12"},
                         {"compare", "--left", "softcap=2", "01"},
                         {"heatmap", "--contributions", "key,sun", "15", "--at", "6"}};
  for (const Words& line : lines) {
    CAPTURE(line);
    const Ran ran = attn_run(line);
    CHECK(!has(ran.err, "does not know what to do"));
  }
  CHECK(has(attn_run({"explain", "--mask", "causal", "06"}).out, "translation"));
  CHECK(fix_of({"explain", "--steps", "4", "5"}) == "Write --steps 4,5.");
  CHECK(fix_of({"explain", "--steps", "10", "12"}) == "Write --steps 10,12.");
  CHECK(fix_of({"explain", "--cell", "1", "12"}) == "Write --cell 1,12.");
  CHECK(fix_of({"explain", "--mask", "causal", "padding"}) ==
        "Write --mask causal --mask padding.");
}

TEST_CASE("meant: a setting is written NAME=VALUE; an option is none") {
  CHECK(fix_of({"explain", "--set", "sofcap=2"}) == "Write softcap=2.");
  CHECK(fix_of({"explain", "--set", "softcap:2"}) == "Write --set softcap=2.");
  CHECK(fix_of({"explain", "--set", "softcap = 2"}) == "Write --set softcap=2.");
  CHECK(has(fix_of({"explain", "--set", "window:2"}), "normalizing=sum, for example."));
  CHECK(fix_of({"explain", "--set", "fault=scale.missing"}) == "Write --fault scale.missing.");
  CHECK(fix_of({"explain", "--set", "precision=5"}) == "Write --precision 5.");
  CHECK(fix_of({"explain", "--set", "color=never"}) == "Write --color never.");
}

TEST_CASE("meant: what another command, option or spelling says is named") {
  CHECK(fix_of({"token", "cats"}) == "Write attn tokens cats.");
  CHECK(fix_of({"15"}) == "Write attn lesson 15, or attn explain 15.");
  CHECK(fix_of({"06"}) == "Write attn explain 06.");
  CHECK(fix_of({"explain", "--sample", "06"}) == "Write attn explain 06.");
  CHECK(fix_of({"heatmap", "--fault", "scale.missing"}) ==
        "Write attn explain --fault scale.missing: that command has it.");
  CHECK(fix_of({"heatmap", "--gradient"}) == "Write attn explain --gradient: that command has it.");
  CHECK(fix_of({"tokens", "--decode", "66", "266"}) == "Write --decode 66,266.");
  CHECK(fix_of({"schema", "prob"}) == "Write attn schema problem.");
  CHECK(fix_of({"explain", "--steps", "4..6"}) == "Write a range with -: 4-6.");
  CHECK(has(fix_of({"tokens", "cats", "-o", "x.csv"}), "Choose one of those; attn explain"));
  for (const char* command : {"explain", "heatmap"}) {
    CHECK(has(unwrapped(attn_run({command, "weights"}).err), "write --steps weights."));
    CHECK(has(unwrapped(attn_run({command, "scores,weights"}).err), "--steps scores,weights."));
    CHECK(has(unwrapped(attn_run({command, "window"}).err), "write --mask window:2."));
  }
  CHECK(has(unwrapped(attn_run({"tokens", "cats", "--tokenizer", "nofile"}).err),
            "Name the tokenizer.json of a model, or its folder."));
}

TEST_CASE("meant: a word that occurs twice has the same error after --at and --query") {
  const std::string fix = name_by_index("0, 6");
  CHECK(fix_of({"explain", "15", "--contributions", "key", "--at", "owl"}) == fix);
  CHECK(has(usage({"explain", "15", "--contributions", "key", "--at", "owl"}), "ambiguous-query"));
  CHECK(fix_of({"explain", "15", "--query", "owl"}) == fix);
}

TEST_CASE("meant: what is set or chosen has an effect, or is refused") {
  CHECK(has(attn_run({"explain", "--set", "title=hallo"}).out, "hallo"));
  CHECK(has(attn_run({"explain", "--set", "description=hallo"}).out, "hallo"));
  CHECK(fix_of({"explain", "--cell", "cat,the", "--depth", "2"}) ==
        "Name one number, such as weights:cat,the.");
  CHECK(has(attn_run({"compare", "01", "--left", "softcap=2", "--softcap", "3"}).out,
            "the problem with --softcap 3"));
}

TEST_CASE("meant: a decimal comma is recognised where the number would do") {
  CHECK(has(fix_of({"explain", "--scale", "0,5"}), "Write --scale 0.5: "));
  CHECK(has(fix_of({"explain", "--softcap", "0,5"}), "Write --softcap 0.5: "));
  CHECK(has(fix_of({"heatmap", "--min", "-1,25"}), "Write --min -1.25: "));
  CHECK(!has(fix_of({"explain", "--softcap", "0,0"}), "point"));
  CHECK(!has(fix_of({"explain", "--heads", "0,5"}), "point"));
  CHECK(!has(fix_of({"heatmap", "--min", "1,2,3"}), "point"));
}

TEST_CASE("meant: an example value is one that the option takes") {
  CHECK(fix_of({"explain", "--precision", "20"}) == "Write --precision 17, for example.");
  CHECK(fix_of({"explain", "--mask="}) == "Write --mask causal, for example.");
  CHECK(has(fix_of({"explain", "--fill="}), "Write the value after it"));
}

TEST_CASE("meant: the value of another option gets that option, the key of another name its name") {
  CHECK(has(usage({"heatmap", "--normalize", "sum"}), "Write --normalizing sum; or choose one of"));
  CHECK(has(usage({"heatmap", "--normalize", "rwo"}), did_you_mean({"row"})));
  const Ran key = attn_run({"explain", "-"}, R"({"normalizing": "sum", "embeddings": [[1]]})");
  CHECK(has(unwrapped(key.err), did_you_mean({"normalize"})));
  CHECK(has(usage({"explain", "--set", "softcap"}), "--set takes NAME=VALUE"));
}

TEST_CASE("meant: -v is the version, whatever the command") {
  CHECK(fix_of({"-v"}) == "Write attn --version.");
  CHECK(fix_of({"explain", "-v"}) == "Write attn --version.");
}

TEST_CASE("meant: a value without its option gets it") {
  CHECK(fix_of({"explain", "mine.json", "causal"}) == "Write --mask causal.");
  CHECK(fix_of({"explain", "mine.json", "window:2"}) == "Write --mask window:2.");
}

TEST_CASE("meant: an option that is exactly one option's value is that, others are explained") {
  const auto output = [](std::vector<std::string> args) { return attn_run(std::move(args)).out; };
  const auto same = [&](std::vector<std::string> one, std::vector<std::string> other) {
    const std::string expected = output(std::move(other));
    CHECK(!expected.empty());
    CHECK(output(std::move(one)) == expected);
  };
  same({"explain", "--causal"}, {"explain", "--mask", "causal"});
  same({"explain", "--rope", "--json"}, {"explain", "--positions", "rope", "--json"});
  same({"explain", "--csv"}, {"explain", "--format", "csv"});
  same({"explain", "--window", "2"}, {"explain", "--mask", "window:2"});
  same({"explain", "--no-mask", "--json"}, {"explain", "--mask", "none", "--json"});
  same({"explain", "-mask", "causal"}, {"explain", "--mask", "causal"});
  same({"explain", "-mask=causal"}, {"explain", "--mask", "causal"});
  same({"explain", "--colour", "always"}, {"explain", "--color", "always"});
  same({"explain", "--dtype", "half"}, {"explain", "--dtype", "float16"});
  same({"explain", "--set", "dtype=bf16"}, {"explain", "--dtype", "bfloat16"});
  same({"explain", "--positions", "RoPE"}, {"explain", "--positions", "rope"});
  same({"explain", "--format", "md"}, {"explain", "--format", "markdown"});
  same({"explain", "--tex"}, {"explain", "--format", "latex"});
  same({"explain", "--fill", "-5", "--causal"}, {"explain", "--mask", "causal", "--fill", "-5"});
  CHECK(fix_of({"explain", "--causa"}) != "");
  CHECK(fix_of({"explain", "--no-heads"}) != "");
  CHECK(fix_of({"explain", "--window"}) == "Write --mask window:2.");
  CHECK(fix_of({"explain", "--window", "wide"}) != "");
  CHECK(has(attn_run({"explain", "--none"}).err, no_option("--none")));
}

TEST_CASE("meant: the fix of a misspelt option has its name and its value") {
  CHECK(fix_of({"explain", "--msk", "causal"}) == "Write --mask causal.");
  CHECK(fix_of({"explain", "--msk=causal"}) == "Write --mask causal.");
  CHECK(fix_of({"explain", "--sumary"}) == "Write --summary.");
  CHECK(fix_of({"explain", "--haeds"}) == "Write --heads N.");
  CHECK(fix_of({"explain", "--steps"}) == "Write --steps weights, for example.");
  CHECK(fix_of({"explain", "--zzzzzz"}) == "attn explain --help lists all options.");
  CHECK(fix_of({"explain", "--base", "1"}) == "attn explain --help lists all options.");
  CHECK(fix_of({"convert", "--json"}) == "attn convert --help lists all options.");
}

TEST_CASE("meant: a file after the value of an option is a file") {
  const TemporaryFolder folder;
  const std::string path = folder.write("2", R"({"q": [[1]], "k": [[1]], "v": [[1]]})");
  CHECK(attn_run({"explain", "--precision", "1", path}).exit_code == 0);
  CHECK(attn_run({"explain", "--heads", "2", "mine.json"}).exit_code == 4);
  CHECK(attn_run({"explain", "--mask", "causal", "mine"}).exit_code == 4);
  CHECK(fix_of({"explain", "--mask", "causal", "mine.json", "window:1"}) ==
        "Write --mask window:1.");
}

TEST_CASE("meant: limits of numbers are named where they help") {
  CHECK(has(explain_refusal({"--heads", "0"}), "of at least 1, not"));
  CHECK(has(explain_refusal({"--heads", "1000000001"}), "a whole number of at most 1000000000"));
  CHECK(has(explain_refusal({"--head", "-1"}), "of at least 0, not"));
  CHECK(has(explain_refusal({"--head", "99999999999"}), "a whole number of at most 1000000000"));
  CHECK(has(explain_refusal({"--precision", "18"}), whole_number("0", "17")));
}

TEST_CASE("meant: a wrong value is named once, and what is right once") {
  CHECK(has(explain_refusal({"--scale", "sqrt"}),
            "scale cannot be \"sqrt\"" + did_you_mean({"1/sqrt(d_k)"})));
  CHECK(fix_of({"explain", "--scale", "sqrt"}) == "Write " + std::string(kScales) + ".");
  CHECK(has(explain_refusal({"--step", "softmax"}), did_you_mean({"weights"})));
  CHECK(fix_of({"new", "--sample", "99"}).starts_with("Choose 01-one-head to 2"));
  CHECK(attn_run({"new", "--sample", "3"}).out == attn_run({"new", "--sample", "multi-head"}).out);
  CHECK(fix_of({"explain", "-o", "x.odt"}).starts_with("It can write .txt, .md"));
  CHECK(fix_of({"heatmap", "-o", "x.png"}).starts_with("It can write .txt, .svg. "));
  CHECK(fix_of({"heatmap", "--format", "pdf"}) == "Choose one of text, svg.");
  CHECK(!has(attn_run({"heatmap", "--help"}).out, "npz"));
  CHECK(has(explain_refusal({"--summary", "--json"}),
            idle("--summary") + ": json holds whole steps"));
  const TemporaryFolder folder;
  const Ran ran = attn_run({"explain", "-o", folder.path("no/x.txt")});
  CHECK(has(unwrapped(ran.err), "Make the folder \"" + folder.path("no") + "\" first"));
}

TEST_CASE("meant: a title and a description stay only while the settings are theirs") {
  CHECK(has(attn_run({"explain"}).out, kFirstTitle + std::string("  ")));
  const Words options[] = {{"--heads", "2"},          {"--mask", "causal"}, {"--scale", "none"},
                           {"--masking", "multiply"}, {"--softcap", "30"},  {"--fill", "0"},
                           {"--empty-row", "nan"},    {"--align", "end"},   {"--positions", "rope"},
                           {"--dtype", "float16"}};
  for (const Words& option : options) {
    CAPTURE(option[0]);
    const std::string out = attn_run({"explain", option[0], option[1], "--json"}).out;
    CHECK(!has(out, "One head"));
    CHECK(!has(out, "\"description\""));
    const std::string own = attn_run({"explain", "-", option[0], option[1], "--json"},
                                     std::string(attn::samples().front().text))
                                .out;
    CHECK(has(own, "\"title\": \"" + std::string(kFirstTitle) + " (with " + option[0] + " " +
                       option[1] + ")\""));
  }
  CHECK(has(attn_run({"explain", "--precision", "5", "--json"}).out, "\"description\""));
  const TemporaryFolder folder;
  const std::string x = folder.write("x.json", "[[1, 0, 0, 0, 0, 1], [0, 1, 0, 0, 2, 0]]");
  const std::string other = attn_run({"explain", "--embeddings", x}).out;
  CHECK(has(other, "2 tokens"));
  CHECK(!has(other, "One head"));
  CHECK(!has(other, "'dreams'"));
}
