// attn heatmap: its options reach the picture, wrong ones are refused, a trace will do.
#include <doctest/doctest.h>

#include <algorithm>

#include "attn/render/color.hpp"
#include "attn/render/text.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/plain.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

std::string picture(const std::vector<std::string>& options) {
  std::vector<std::string> args{"heatmap", "--mask", "causal"};
  args.insert(args.end(), options.begin(), options.end());
  const Ran ran = attn_run(args);
  CAPTURE(ran.err);
  CHECK(ran.exit_code == 0);
  return ran.out;
}

Ran refused_map(const std::vector<std::string>& options) {
  std::vector<std::string> args{"heatmap"};
  args.insert(args.end(), options.begin(), options.end());
  Ran ran = attn_run(args);
  CHECK(ran.exit_code == 2);
  CHECK(ran.out.empty());
  return ran;
}

}  // namespace

TEST_CASE("heatmap command: each option changes the picture") {
  const std::string plain = picture({});
  CHECK(has(plain, "░0.18░ █0.82█"));
  CHECK(has(picture({"--precision", "1"}), "░0.2░ █0.8█"));
  CHECK(has(picture({"--sci"}), "1.82e-01"));
  CHECK(has(picture({"--normalize", "row"}), "lowest of its row"));
  CHECK(has(picture({"--normalize", "col"}), "lowest of its column"));
  CHECK(has(picture({"--normalize", "all"}), "0.078 ░░░░"));
  CHECK(picture({"--normalize", "none"}) == plain);
  CHECK(has(picture({"--max", "0.5"}), "█0.82+"));
  CHECK(has(picture({"--min", "0.2"}), "░0.18-"));
  CHECK(has(picture({"--min", "-3"}), "-3 ░░░░"));
  CHECK(has(picture({"--steps", "q", "--unit"}), "above"));
  CHECK(has(picture({"--steps", "q", "--diverging"}), "-2 ██▓▓▒▒░░ 0 ░░▒▒▓▓██ 2"));
  CHECK(has(picture({"--compact"}), "0:the    █····"));
  CHECK(picture({"--repeat-headers", "2"}) != plain);
  CHECK(has(picture({"--ascii"}), ":0.18: #0.82#"));
  CHECK(has(picture({"--query", "cat"}), "cat    ░0.18░"));
  CHECK(!has(picture({"--query", "cat"}), "dreams  ░"));
  CHECK(has(picture({"--heads", "2", "--head", "1"}), "head 1"));
  CHECK(!has(picture({"--heads", "2", "--head", "1"}), "head 0"));
  CHECK(has(picture({"--color", "always", "--color-depth", "256"}), "48;5;221"));
  CHECK(has(picture({"--color", "always", "--color-depth", "256", "--palette", "viridis"}),
            "48;5;220"));
  CHECK(has(picture({"--layout", "lines"}), "query cat: the 0.18, cat 0.82, dreams masked"));
  CHECK(has(picture({"--big"}), "          ██████\n  the     █1.00█"));
}

TEST_CASE("heatmap command: it opens as explain does, source and settings on a line of their own") {
  const std::string text = picture({"--masking", "multiply"});
  CHECK(text.starts_with("built-in sample (no file given) · mask: causal · masking: multiply\n"));
  CHECK(has(text, "\n\n[9/10] A_m = "));
}

TEST_CASE("heatmap command: headers are repeated as often as --repeat-headers says") {
  const std::string problem =
      attn_run({"new", "--random", "--normal", "--tokens", "45", "--seed", "3"}).out;
  const auto headers = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"heatmap", "-"});
    const std::vector<std::string> lines = lines_of(attn_run(options, problem).out);
    return std::count_if(lines.begin(), lines.end(),
                         [](const std::string& line) { return line.starts_with("  query "); });
  };
  CHECK(headers({}) == 3);
  CHECK(headers({"--repeat-headers", "auto"}) == 3);
  CHECK(headers({"--repeat-headers", "never"}) == 1);
  CHECK(headers({"--repeat-headers", "7"}) == 7);
  CHECK(headers({"--repeat-headers", "45"}) == 1);
}

TEST_CASE("heatmap command: without decimals, what rounds to 0 is <1, and only 0 itself is 0") {
  const std::string shown =
      picture({"--set", "normalizing=sum", "--steps", "weights", "--precision", "0"});
  CHECK(has(shown, "dreams   ░<1░  ▓ 1▓  ▒<1▒"));  // 0.5 is rounded up
  CHECK(has(shown, "it       ▒<1▒  ▓ 1▓  ░ 0░"));
  CHECK(has(picture({"--steps", "scaled_scores", "--precision", "0"}), "0 ░░░░▒▒▒▒▓▓▓▓████ 2.5"));
}

TEST_CASE("heatmap command: steps of an opened softmax, and by number") {
  CHECK(has(picture({"--steps", "row_max"}), "m = largest of each row"));
  CHECK(has(picture({"--steps", "E"}), "E = "));
  CHECK(has(picture({"--step", "5"}), "S = Q·Kᵀ"));
}

TEST_CASE("heatmap command: a trace gives the same picture as its problem") {
  const TemporaryFolder folder;
  const std::string path = folder.path("trace.json");
  CHECK(attn_run({"explain", "--mask", "causal", "-o", path}).exit_code == 0);
  for (const char* step : {"weights", "masked_scores", "output"}) {
    const std::string from_trace = attn_run({"heatmap", path, "--steps", step}).out;
    const std::string from_problem = picture({"--steps", step});
    CHECK(from_trace.substr(from_trace.find("\n\n")) ==
          from_problem.substr(from_problem.find("\n\n")));
  }
}

TEST_CASE("heatmap command: on a screen it fits and has colours, with --full it is whole") {
  const Ran narrow = attn_run_on(screen(40, attn::ColorDepth::Ansi256), {"heatmap"});
  for (const std::string& line : lines_of(without_colors(narrow.out))) {
    CHECK(attn::display_width(line) < 40);
  }
  CHECK(has(narrow.out, "\x1b[48;5;"));
  const Ran full = attn_run_on(screen(30), {"heatmap", "--full"});
  CHECK(has(full.out, "▓0.60▓"));
}

TEST_CASE("heatmap command: files, several at once") {
  const TemporaryFolder folder;
  const std::string one = folder.path("one.txt"), two = folder.path("two.txt");
  const Ran ran = attn_run({"heatmap", "-o", one, "--also", two});
  CHECK(ran.exit_code == 0);
  CHECK(ran.out.empty());
  CHECK(read_text(one) == attn_run({"heatmap"}).out);
  CHECK(read_text(two) == read_text(one));
}

TEST_CASE("heatmap command: an SVG picture shows one step") {
  const TemporaryFolder folder;
  const std::string file = folder.path("a.svg"), text = folder.path("a.txt");
  CHECK(attn_run({"heatmap", "-o", file, "--also", text}).exit_code == 0);
  CHECK(read_text(file) == attn_run({"heatmap", "--format", "svg"}).out);
  CHECK(read_text(text) == attn_run({"heatmap"}).out);
  const std::string model = attn::testing::source_dir() + "/samples/17-english-french.json";
  const Ran layer = refused_map({model, "--layer", "0", "--format", "svg"});
  CHECK(has(layer.err, "error[one-step]"));
  const std::string cross = "decoder.layers.0.multihead_attn.weights";
  const Ran drawn = attn_run({"heatmap", model, "--steps", cross, "--format", "svg"});
  CHECK(has(drawn.out, ">" + cross + "</text>"));  // not only in the title, which nobody sees
  const auto explain = [](std::vector<std::string> args) {
    args.insert(args.begin(), {"explain", "--format", "svg"});
    return attn_run(args).err;
  };
  CHECK(has(explain({}), "svg shows one step, and explain shows them all"));
  CHECK(has(explain({"--steps", "q,k"}), "error[one-step]"));
  CHECK(has(explain({"--cell", "weights:1,0"}), idle("--cell") + ": svg shows one step"));
  CHECK(has(explain({"--summary", "--steps", "q"}), idle("--summary")));
  CHECK(has(attn_run({"lesson", "masks", "--format", "svg"}).err, "Draw one step: attn heatmap"));
}

TEST_CASE("heatmap command: an overview as an SVG picture has a box for each run of weights") {
  const std::string problem = R"({"q": [[0], [0], [0]], "k": [[0], [0], [0]], "v": [[1], [2], [3]],
    "mask": "causal"})";
  const Ran ran = attn_run({"heatmap", "-", "--overview", "--format", "svg"}, problem);
  CHECK(ran.exit_code == 0);
  CHECK(count_of(ran.out, "<svg ") == 1);
  // 3 × 3 in 96 units. Row 0 is 1 and two hidden, row 1 twice 1/2 and one hidden, row 2 thrice 1/3.
  const auto boxes = [&](const std::string& size) {
    return count_of(ran.out, size + "\" height=\"32\"");
  };
  CHECK(boxes("width=\"32") == 2);
  CHECK(boxes("width=\"64") == 2);
  CHECK(boxes("width=\"96") == 1);
  CHECK(count_of(ran.out, "height=\"32\" fill=\"#fff\"") == 2);
  CHECK(has(ran.out, "white: hidden</text>"));
  const Ran heads = attn_run({"heatmap", "--heads", "2", "--overview", "--format", "svg"});
  CHECK(has(heads.out, "head 1</text>"));
  CHECK(has(heads.out, "entropy of weights in bits"));
}

TEST_CASE("heatmap command: what it cannot do is refused") {
  CHECK(has(refused_map({"--json"}).err,
            "error[picture-format]: this command writes text or svg, not json"));
  CHECK(has(refused_map({"-o", "x.csv"}).err, "error[picture-format]"));
  CHECK(has(refused_map({"--also", "x.npz"}).err, "error[picture-format]"));
  CHECK(has(refused_map({"--steps", "q,k"}).err, "error[one-step]"));
  CHECK(has(refused_map({"--steps", "wights"}).err, did_you_mean({"weights"})));
  CHECK(has(refused_map({"--min", "2", "--max", "1"}).err, "error[range-order]"));
  CHECK(has(refused_map({"--max", "-1"}).err, "(--max)"));
  CHECK(has(refused_map({"--min", "7"}).err, "(--min)"));
  CHECK(has(refused_map({"--unit", "--max", "1"}).err, "error[range-conflict]"));
  CHECK(has(refused_map({"--min", "low"}).err, "--min takes a number, not \"low\""));
  CHECK(has(refused_map({"--normalize", "rows"}).err, did_you_mean({"row"})));
  CHECK(has(refused_map({"--repeat-headers", "often"}).err,
            "--repeat-headers takes a number of rows, auto or never"));
  CHECK(has(refused_map({"--repeat-headers", "0"}).err, "error[option-value]: --repeat-headers"));
}

TEST_CASE("heatmap command: 400,000 keys are one long line of signs, with a tick for every tenth" *
          doctest::test_suite("long")) {
  const Ran ran =
      attn_run({"heatmap", "-", "--compact", "--ascii"},
               R"({"q": [[1]], "k": {"ones": [400000, 1]}, "v": {"ones": [400000, 1]}})");
  CHECK(ran.exit_code == 0);  // minutes, if placing a tick looked at all before it
  const std::string signs(400000, ':');
  CHECK(has(ran.out, "\n  t0    " + signs + "\n"));
  CHECK(has(ran.out, "    399980    399990\n"));
}
