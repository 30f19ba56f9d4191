// A look inside a model on the command line: its pages, its files, and what is refused.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/phrases.hpp"
#include "support/program.hpp"

namespace attn::testing {
namespace {

std::string looked_at(std::vector<std::string> args) {
  args.insert(args.begin(), "explain");
  const Ran ran = attn_run(args);
  CHECK_MESSAGE(ran.exit_code == 0, ran.err);
  return ran.out;
}

}  // namespace

TEST_CASE("inside: the lens says what each layer would predict") {
  const std::string all = looked_at({"15-induction", "--lens", "--width", "80"});
  CHECK(has(all, "\nbefore layer 1  map 0.17  jam 0.31  key 0.31  sun 0.28  cup 0.19  sun 0.36\n"));
  CHECK(has(all, "\nat the end      key 1.00  sun 1.00  fox 1.00  map 1.00  cup 1.00  owl 1.00\n"));
  const std::string one = looked_at({"15-induction", "--lens", "--query", "11"});
  CHECK(has(one, "11:cup          most probable"));
  CHECK(has(looked_at({"16-reversal", "--lens", "--steps", "lens.1.logits"}), "<eos>"));
  CHECK(has(looked_at({"15-induction", "--lens", "--format", "html"}), "before layer 1"));
  CHECK(has(looked_at({"15-induction", "--lens", "--format", "csv"}), "lens.2.probabilities,"));
}

TEST_CASE("inside: the table of a lens has as many columns side by side as fit, in a file all") {
  const std::string narrow = looked_at({"15-induction", "--lens", "--width", "60"});
  CHECK(has(narrow, "\n                0:owl     1:key     2:sun     3:fox\n"));
  CHECK(has(narrow, "\n\n                8:sun     9:fox     10:map    11:cup\n"));
  CHECK(has(narrow, "\nat the end      fox 1.00  map 1.00  cup 1.00  owl 1.00\n"));
  CHECK(has(looked_at({"15-induction", "--lens"}), "10:map    11:cup\nbefore layer 0  key 0.28"));
  const std::string one = looked_at({"15-induction", "--lens", "--width", "24"});
  CHECK(has(one, "\nat the end, 11:cup: owl\n"));  // not even one column has room
  const std::string paper = looked_at({"15-induction", "--lens", "--format", "latex"});
  CHECK(has(paper, " & 0:owl & 1:key & 2:sun & 3:fox & 4:map & 5:cup \\\\\n"));
  CHECK(has(paper, " & 6:owl & 7:key & 8:sun & 9:fox & 10:map & 11:cup \\\\\n"));
}

TEST_CASE("inside: where bars have no room, or nobody sees them, the numbers say all") {
  const std::vector<std::string> args{"16-reversal", "--contributions", "e,s", "--at", "4"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), args.begin(), args.end());
    return looked_at(more);
  };
  const std::string narrow = with({"--width", "64"});
  CHECK(has(narrow, "\ndecoder.layers.0.linear2 *                1.58  -1.24   2.82\n"));
  CHECK(!has(narrow, "+++"));
  CHECK(has(with({"--width", "80"}), "linear2 *               +++++++++++++      1.58"));
  CHECK(!has(with({"--layout", "lines"}), "+++"));
}

TEST_CASE("inside: what pages say is in German and in Chinese, too") {
  const std::vector<std::string> lens{"15-induction", "--lens"},
      circuits{"15-induction", "--circuits"},
      contributions{"15-induction", "--contributions", "owl"};
  const auto in = [](std::vector<std::string> args, const char* language) {
    args.insert(args.end(), {"--lang", language});
    return looked_at(args);
  };
  CHECK(has(in(lens, "de"), "Die Logit-Linse: Was nach der letzten Schicht kommt"));
  CHECK(has(in(lens, "de"), "\nvor Schicht 1"));
  CHECK(has(in(lens, "zh"), "\n最后 "));
  CHECK(has(in(circuits, "de"), "Singulärwerte geben an"));
  CHECK(has(in(circuits, "zh"), "奇异值"));
  CHECK(has(in(contributions, "de"), "zum Logit in Zeile 11 (cup) beiträgt"));
  CHECK(has(in(contributions, "zh"), "给第 11 行（cup）的 logit"));
  const std::vector<std::string> english{"So each line", "What each part", "The circuits",
                                         "Left out",     "three largest",  "\nsum"};
  for (const auto& args : {lens, circuits, contributions}) {
    for (const std::string& text : english) CHECK(!has(in(args, "zh"), text));
  }
}

TEST_CASE("inside: contributions add up, with bars, and for two words the difference") {
  const std::string one = looked_at({"15-induction", "--contributions", "owl"});
  CHECK(has(one, "the logit in row 11 (cup):"));
  CHECK(has(one, "\nlayers.1.self_attn.head0 *  ++++++++++++++++  13.11\n"));
  CHECK(has(one, "\nsum                                           12.66\n"));
  const std::string two = looked_at({"15-induction", "--contributions", "key,2", "--at", "6:owl"});
  CHECK(two == looked_at({"15-induction", "--contributions", "key,owl", "--at", "6"}));
  CHECK(has(two, "key − owl"));
  const std::string picture =
      attn_run({"heatmap", "15-induction", "--contributions", "owl", "--steps", "contributions"})
          .out;
  CHECK(has(picture, "b_vocabulary"));
  CHECK(picture == attn_run({"heatmap", "15-induction", "--contributions", "owl"}).out);
}

TEST_CASE(
    "inside: --only, --no-examples and --detail brief leave the page of a look inside short") {
  const std::string lens = looked_at({"15-induction", "--lens"});
  CHECK(lens == looked_at({"15-induction", "--lens", "--only"}));
  CHECK(lens == looked_at({"15-induction", "--lens", "--no-examples"}));
  CHECK(lens == looked_at({"15-induction", "--lens", "--detail", "brief"}));
  CHECK(looked_at({"15-induction", "--lens", "--detail", "full"}).size() > 10 * lens.size());
}

TEST_CASE("inside: a heat map shows the probabilities of the lens in place of weights") {
  const std::string picture = attn_run({"heatmap", "15-induction", "--lens"}).out;
  for (const char* id : {"lens.0.probabilities", "lens.1.probabilities", "lens.2.probabilities"})
    CHECK(has(picture, id));
  CHECK(!has(picture, "self_attn.weights"));
  CHECK(has(usage({"heatmap", "15-induction", "--lens", "--format", "svg"}),
            "--steps lens.0.probabilities"));
}

TEST_CASE("inside: a trace with these steps is read back, with the names of their rows") {
  const std::string json =
      looked_at({"16-reversal", "--contributions", "e", "--at", "4", "--json"});
  const Ran read = attn_run({"explain", "-", "--steps", "logit.contributions"}, json);
  CHECK_MESSAGE(read.exit_code == 0, read.err);
  CHECK(has(read.out, "decoder.layers.0.multihead_attn.head0"));
  const std::string lens = looked_at({"15-induction", "--lens", "--json"});
  CHECK(attn_run({"explain", "-", "--json"}, lens).out == lens);
  CHECK(has(attn_run({"explain", "-", "--lens"}, lens).err, "error[already-computed]"));
}

TEST_CASE("inside: circuits are listed head by head, one head has bars") {
  const std::string all = looked_at({"03-multi-head", "--circuits"});
  CHECK(has(all, "head 0  1.62  1.41  0.62"));
  CHECK(has(all, "head 1  2.45  1.00  1.00"));
  const std::string one = looked_at({"03-multi-head", "--circuits", "--head", "1"});
  CHECK(has(one, "σ0      2.45  ++++++++++++++++"));
  CHECK(!has(one, "\nhead 0"));
  const std::string cross = looked_at({"16-reversal", "--circuits"});  // as docs/inside.md says
  CHECK(has(cross, "\nσ5                               3.43  ++++++++          2.59"));
  CHECK(has(cross, "\nσ6                               1.19  +++ "));
  const std::string layer = looked_at({"15-induction", "--circuits", "--layer", "1"});
  CHECK(has(layer, "layers.1.self_attn"));
  CHECK(!has(layer, "layers.0.self_attn"));
  CHECK(has(layer, "\nσ9                   2.98  +++++             0.46  +\n"));
  CHECK(has(looked_at({"03-multi-head", "--circuits", "--cell", "qk_values:0,0", "--head", "0"}),
            "√"));
  CHECK(has(looked_at({"15-induction", "--circuits", "--steps", "w_qk"}),
            "circuits.layers.1.self_attn.w_qk"));
  CHECK(has(looked_at({"03-multi-head", "--circuits", "--format", "csv"}), "w_ov,"));
  CHECK(has(looked_at({"03-multi-head", "--circuits", "--format", "html"}), "QK"));
  CHECK(has(usage({"explain", "18-latent", "--circuits"}), "error[needs-weights]"));
  CHECK(has(usage({"explain", "--circuits", "--gradient"}), "option-conflict"));
  const std::string json = looked_at({"03-multi-head", "--circuits", "--json"});
  CHECK(attn_run({"explain", "-", "--json"}, json).out == json);
  CHECK(has(attn_run({"explain", "-", "--circuits"}, json).err, "error[already-computed]"));
}

TEST_CASE("inside: what cannot be looked into is refused with the reason") {
  CHECK(has(usage({"explain", "--lens"}), "error[needs-model]"));
  CHECK(has(unwrapped(usage({"explain", "--contributions", "cat"})), "this is no whole model"));
  CHECK(has(usage({"explain", "15-induction", "--contributions", "zebra"}),
            no_such("word", "zebra") + " among the 12"));
  CHECK(has(unwrapped(usage({"explain", "15-induction", "--contributions", "cupp"})),
            "did you mean \"cup\"?"));
  CHECK(has(usage({"explain", "15-induction", "--contributions", "owl", "--at", "owl"}),
            "there are several tokens \"owl\""));
  CHECK(has(usage({"explain", "15-induction", "--at", "3"}), "--at needs --contributions"));
  CHECK(has(usage({"explain", "15-induction", "--contributions", ""}),
            "--contributions needs a word"));
  CHECK(has(usage({"explain", "15-induction", "--lens", "--gradient"}), "option-conflict"));
  CHECK(has(usage({"explain", "15-induction", "--contributions", "owl", "--query", "3"}),
            idle("--query") + ": --at chooses the row"));
}

}  // namespace attn::testing
