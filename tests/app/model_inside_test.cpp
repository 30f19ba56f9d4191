// A look inside a model on the command line: its pages, its files, and what is refused.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/render/text.hpp"
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

std::string drawn(std::vector<std::string> args) {
  args.insert(args.begin(), "heatmap");
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
  CHECK(has(two, "\n                            key − owl           key    owl  key − owl\n"));
  CHECK(has(two, "\n* the three largest of key − owl. The step"));
  CHECK(has(two, "2 decimals, computed in float64: shown digits may not add up."));
  const std::string three = looked_at({"15-induction", "--contributions", "owl,key,sun"});
  CHECK(has(three, "\n                            owl                 owl    key    sun\n"));
  CHECK(has(three, "\n* the three largest of owl. The step"));
  CHECK(has(looked_at({"15-induction", "--contributions", "owl", "--sci"}), "  1.31e+01\n"));
  const std::string step =
      drawn({"15-induction", "--contributions", "owl", "--steps", "contributions"});
  CHECK(has(step, "b_vocabulary"));
}

TEST_CASE(
    "inside: --only, --no-examples and --detail brief leave the page of a look inside short") {
  const std::string lens = looked_at({"15-induction", "--lens"});
  CHECK(lens == looked_at({"15-induction", "--lens", "--only"}));
  CHECK(lens == looked_at({"15-induction", "--lens", "--no-examples"}));
  CHECK(lens == looked_at({"15-induction", "--lens", "--detail", "brief"}));
  CHECK(looked_at({"15-induction", "--lens", "--detail", "full"}).size() > 10 * lens.size());
}

TEST_CASE("inside: the picture of a lens has the words of all layers, darker the more probable") {
  const std::string wide = drawn({"15-induction", "--lens", "--width", "80"});
  CHECK(has(wide, "\n                  0:owl  1:key  2:sun  3:fox  4:map  5:cup  6:owl  7:key\n"));
  CHECK(has(wide, "\n  before layer 0  ▒key▒▒ ░jam░░ ░key░░ ▒key▒▒ ░jam░░ ░hat░░ ▒key▒▒ ░jam░░\n"));
  CHECK(has(wide, "\n  at the end      █fox██ █map██ █cup██ █owl██\n"));
  CHECK(has(wide, "\n  0 ░░░░▒▒▒▒▓▓▓▓████ 1\n"));
  CHECK(!has(wide, "self_attn.weights"));
  const std::string narrow = drawn({"15-induction", "--lens", "--width", "60"});
  CHECK(
      has(narrow, "columns 6 to 11\n                  6:owl  7:key  8:sun  9:fox  10:map 11:cup"));
  CHECK(has(drawn({"15-induction", "--lens"}),
            "8:sun  9:fox  10:map 11:cup\n  before layer 0  ▒key"));
  const std::string query = drawn({"15-induction", "--lens", "--query", "11"});
  CHECK(has(query, "  11:cup\n                  most probable\n"));
  CHECK(has(query, "\n  at the end      █owl█ ░map░ ░oak░ ░jam░ ░fox░\n"));
  CHECK(has(drawn({"15-induction", "--lens", "--layout", "lines"}),
            "before layer 0, 0:owl: key 0.28, "));
  CHECK(has(drawn({"15-induction", "--lens", "--layout", "lines"}), "; shade: its probability\n"));
  CHECK(has(drawn({"15-induction", "--lens", "--ascii"}), " #fox##"));
  CHECK(has(drawn({"15-induction", "--lens", "--steps", "lens.2.probabilities"}),
            "lens.2.probabilities:"));
  CHECK(has(usage({"heatmap", "15-induction", "--lens", "--overview"}), "option-conflict"));
}

TEST_CASE("inside: words of any width are in line in the picture of a lens") {
  std::string problem = attn_run({"new", "--sample", "15-induction", "-o", "-"}).out;
  for (const auto& [word, other] :
       {std::pair{"owl", "猫"}, {"key", "🙂"}, {"sun", "👩‍🚀"}, {"fox", " the"}}) {
    const std::string from = "\"" + std::string(word) + "\"", to = "\"" + std::string(other) + "\"";
    for (std::size_t at = problem.find(from); at != problem.npos;
         at = problem.find(from, at + to.size()))
      problem.replace(at, from.size(), to);
  }
  const Ran ran = attn_run({"heatmap", "-", "--lens", "--width", "60"}, problem);
  CHECK_MESSAGE(ran.exit_code == 0, ran.err);
  CHECK(has(ran.out, "██猫"));
  CHECK(has(ran.out, " █' the'█ "));
  std::size_t rows = 0;
  std::ptrdiff_t width = 0;
  for (const std::string& line : lines_of(ran.out)) {
    CHECK(display_width(line) < 60);
    if (!has(line, "before layer") && !has(line, "at the end")) continue;
    if (rows++ % 3 == 0) width = display_width(line);
    CHECK(display_width(line) == width);
  }
  CHECK(rows >= 6);
}

TEST_CASE("inside: files have the pictures, too: SVG, and pages above the table") {
  const std::string lens = drawn({"15-induction", "--lens", "--format", "svg"});
  CHECK(has(lens, ">key<title>key 0.28</title></text>"));
  CHECK(has(lens, ">before layer 1</text>"));
  CHECK(has(lens, "before layer 0, 0:owl: key 0.28"));  // for those who cannot see it
  CHECK(lens == looked_at({"15-induction", "--lens", "--format", "svg"}));
  const std::string parts =
      drawn({"16-reversal", "--contributions", "e,s", "--at", "4", "--format", "svg"});
  CHECK(has(parts, ">multihead_attn.head0</text>"));
  CHECK(has(parts, ">8.17</text>"));
  CHECK(parts ==
        looked_at({"16-reversal", "--contributions", "e,s", "--at", "4", "--format", "svg"}));
  for (const auto& args : {std::vector<std::string>{"15-induction", "--lens"},
                           {"15-induction", "--contributions", "owl"}}) {
    std::vector<std::string> page = args;
    page.insert(page.end(), {"--format", "html"});
    CHECK(has(looked_at(page), "<figure class=\"scroll\""));
    CHECK(has(looked_at(page), "<table class=\"plain alike\">") == (args[1] == "--lens"));
  }
  CHECK(has(usage({"explain", "15-induction", "--circuits", "--format", "svg"}), "--steps w_qk"));
}

TEST_CASE("inside: the picture of contributions has a column for each layer, signed") {
  const std::string one = drawn({"15-induction", "--contributions", "owl"});
  CHECK(has(
      one,
      "\n                   layers\n                      0       1      x             ░-0.20░\n"));
  CHECK(has(one, "\n  self_attn.head0  ░-0.30░ █13.11█   positions     ░-0.05░\n"));
  CHECK(has(one, " 0 ░░▒▒▓▓██ 13.114\n"));
  CHECK(has(drawn({"15-induction", "--contributions", "owl", "--layout", "lines"}),
            " in row 11 (cup)\nowl:\nself_attn.head0: layers.0 -0.30, layers.1 13.11\n"));
  const std::string two = drawn({"16-reversal", "--contributions", "e,s", "--at", "4"});
  CHECK(has(two, "in row 4 (s)\n"));
  CHECK(has(two, "\n  e − s                           e − s, outside of layers\n"));
  CHECK(has(two, "\n  multihead_attn.head0  ▒ 3.39▒\n"));
  const std::string experts = drawn({"24-experts", "--contributions", "red"});
  CHECK(has(experts, "\n  expert.2         ░0.19░\n  expert.3         █1.49█\n"));
  CHECK(
      has(experts, "\n  -1.491 ██▓▓▒▒░░ 0 ░░▒▒▓▓██ 1.491\n"));  // around 0, though nothing is below
  CHECK(has(unwrapped(usage({"heatmap", "16-reversal", "--contributions", "e", "--query", "4"})),
            "--at chooses the row"));
}

TEST_CASE("inside: at a terminal, the picture of the same look is what to type next") {
  const auto next = [](std::vector<std::string> args) {
    args.insert(args.begin(), "explain");
    return attn_run_on(screen(80), args).out;
  };
  CHECK(has(next({"15-induction", "--lens"}), "\nNext:  attn heatmap 15-induction --lens   or   "));
  CHECK(has(next({"15-induction", "--contributions", "key,owl", "--at", "6"}),
            "\nNext:  attn heatmap 15-induction --contributions key,owl --at 6"));
  CHECK(has(next({"03-multi-head", "--circuits"}),
            "\nNext:  attn heatmap 03-multi-head --circuits   or   "));
}

TEST_CASE("inside: the pictures of circuits are the products of each head") {
  const std::string all = drawn({"03-multi-head", "--circuits"});
  CHECK(has(all, "W_QK = W_q·W_kᵀ, each head by itself"));
  CHECK(has(all, "W_OV = W_v·W_o, each head by itself"));
  CHECK(!has(all, "softmax"));
  const std::string layer = drawn({"15-induction", "--circuits", "--layer", "1"});
  CHECK(has(layer, "circuits.layers.1.self_attn.w_ov"));
  CHECK(!has(layer, "layers.0"));
  CHECK(has(usage({"heatmap", "03-multi-head", "--circuits", "--format", "svg"}), "--steps w_qk"));
}

TEST_CASE("inside: a trace with these steps is read back, with the names of their rows") {
  const std::string json =
      looked_at({"16-reversal", "--contributions", "e", "--at", "4", "--json"});
  const Ran read = attn_run({"explain", "-", "--steps", "logit.contributions"}, json);
  CHECK_MESSAGE(read.exit_code == 0, read.err);
  CHECK(has(read.out, "decoder.layers.0.multihead_attn.head0"));
  const std::string lens = looked_at({"15-induction", "--lens", "--json"});
  CHECK(attn_run({"explain", "-", "--json"}, lens).out == lens);
  CHECK(has(attn_run({"explain", "-", "--contributions", "e"}, json).err,
            "Look at the step logit.contributions"));
  CHECK(has(attn_run({"explain", "-", "--lens"}, lens).out,
            "\nat the end      owl 1.00  owl 1.00  sun 1.00"));
  CHECK(has(attn_run({"heatmap", "-", "--lens"}, lens).out, "\n  at the end      █owl██"));
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
  CHECK(has(layer, "\nσ23  "));  // as many as d_k
  CHECK(has(looked_at({"15-induction", "--circuits", "--format", "markdown"}),
            "| layers.0.self\\_attn |      QK |                  |      OV |                  |\n"
            "| :------------------ | ------: | :--------------- | ------: | :--------------- |\n"));
  CHECK(has(looked_at({"03-multi-head", "--circuits", "--head", "1", "--format", "html"}),
            "<td class=\"text\">++++++++++++++++</td>"));
  CHECK(has(looked_at({"15-induction", "--circuits", "--sci"}),
            "\nσ0                  3.73e+01  +++"));
  const std::string no_output = looked_at({"01-one-head", "--circuits"});
  CHECK(has(no_output, "\n      QK\nσ0  3.13"));
  CHECK(has(no_output, "\nWithout W_OV: it needs W_v and W_o.\n"));
  CHECK(!has(one, "\nWithout W_"));
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
  CHECK(has(attn_run({"explain", "-", "--circuits"}, json).out, "\nhead 0  1.62  1.41  0.62"));
}

TEST_CASE("inside: what cannot be looked into is refused with the reason") {
  CHECK(has(usage({"explain", "--lens"}), "error[needs-model]"));
  CHECK(has(usage({"explain", "15-induction", "--lens", "--cell", "11,owl"}), "logits:11,owl"));
  CHECK(has(usage({"explain", "15-induction", "--lens", "--cell", "cup,owl"}), "weights[0,0]"));
  CHECK(has(unwrapped(usage({"explain", "--contributions", "cat"})), "this is no whole model"));
  CHECK(has(usage({"explain", "15-induction", "--contributions", "zebra"}),
            no_such("word", "zebra") + " among the 12"));
  CHECK(has(unwrapped(usage({"explain", "15-induction", "--contributions", "cupp"})),
            did_you_mean({"cup"})));
  CHECK(has(usage({"explain", "15-induction", "--contributions", "owl", "--at", "owl"}),
            in_doubt("owl")));
  CHECK(has(usage({"explain", "15-induction", "--at", "3"}), "--at needs --contributions"));
  CHECK(has(usage({"explain", "15-induction", "--contributions", ""}),
            "--contributions needs a word"));
  CHECK(has(usage({"explain", "15-induction", "--contributions", "owl,2"}), "error[word-twice]"));
  CHECK(looked_at({"15-induction", "--contributions", "owl, key"}) ==
        looked_at({"15-induction", "--contributions", "owl,key"}));
  CHECK(has(usage({"explain", "15-induction", "--lens", "--gradient"}), "option-conflict"));
  CHECK(has(usage({"explain", "15-induction", "--contributions", "owl", "--query", "3"}),
            idle("--query") + ": --at chooses the row"));
}

TEST_CASE("inside: an option that the page of a look inside does not use is refused") {
  const auto refused = [](std::vector<std::string> args, const std::string& option,
                          const std::string& why) {
    INFO(args[0], " ", args[2], " ", option);
    args.push_back(option);
    CHECK(has(unwrapped(usage(args)), idle(option.substr(0, option.find('='))) + ": " + why));
  };
  for (const char* command : {"explain", "heatmap"}) {
    const std::vector<std::string> lens{command, "15-induction", "--lens"},
        parts{command, "15-induction", "--contributions=owl"},
        circuits{command, "15-induction", "--circuits"};
    refused(lens, "--head=0", "a lens is about whole rows");
    refused(lens, "--layer=0", "a lens is about whole rows, of all layers");
    refused(parts, "--head=0", "contributions are of all heads");
    refused(parts, "--layer=1", "contributions are of all heads and layers");
    refused(circuits, "--query=3", "circuits are about weights alone");
  }
  refused({"explain", "15-induction", "--lens"}, "--summary", "a look inside has a page");
  refused({"explain", "15-induction", "--lens"}, "--blank=scores", "a look inside has a page");
  CHECK(has(looked_at({"15-induction", "--lens", "--steps", "lens.1.logits", "--summary"}),
            "lens.1.logits"));
}

}  // namespace attn::testing
