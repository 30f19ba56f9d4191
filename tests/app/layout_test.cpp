// Where lines break and where space is left, so that tables and arithmetic read easily.
#include <doctest/doctest.h>

#include <algorithm>

#include "attn/render/text.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

/// What `attn explain` says of a sample at a width.
std::string explained(const char* sample, const char* width, const Words& more = {}) {
  Words args{"explain", "-", "--width", width};
  args.insert(args.end(), more.begin(), more.end());
  return attn_run(args, attn_run({"new", "--sample", sample}).out).out;
}

std::string described(const std::string& text, const char* width) {
  const std::string problem =
      R"({"description": ")" + text + R"(", "q": [[1]], "k": [[1]], "v": [[1]]})";
  return attn_run({"explain", "-", "--width", width}, problem).out;
}

}  // namespace

TEST_CASE("columns: they move closer rather than come in two blocks") {
  const std::string numbers = explained("02-why-scale", "80", {"--steps", "q"});
  CHECK(!has(numbers, "columns 1-"));
  CHECK(has(numbers, "\n    large     1  1  1  1  1  1 -1 -1 -1  1  -1  -1   1   1  -1   1\n"));
  const std::string words = explained("09-batch", "60", {"--steps", "weights", "--batch", "1"});
  CHECK(!has(words, "columns 1-"));
  CHECK(has(words, "\n    query\\key   rain    is falling 3:<pad> 4:<pad>     sum\n"));
}

TEST_CASE("columns: a row may fill the line but for its last cell") {
  const std::string text = explained("03-multi-head", "60", {"--steps", "output"});
  CHECK(has(text, "\n    friends   0.500  -0.296   1.704   0.204  -0.296   1.000\n"));
  CHECK(has(explained("03-multi-head", "59", {"--steps", "output"}),
            "\n    friends   0.500 -0.296  1.704  0.204 -0.296  1.000\n"));
}

TEST_CASE("sums: they move closer rather than leave no room for the strip") {
  const std::string text = explained("10-chinese", "80", {"--steps", "weights"});
  CHECK(has(text, "   1.000  ░░░░░▒░\n"));
  CHECK(has(explained("10-chinese", "82", {"--steps", "weights"}), "    1.000   ░░░░░▒░\n"));
  CHECK(!has(explained("10-chinese", "79", {"--steps", "weights"}), "░"));
}

TEST_CASE("heads: an empty line separates those above from those below") {
  CHECK(has(explained("12-grouped-heads", "80", {"--steps", "context"}), "\n\n    head 3\n"));
  CHECK(has(explained("03-multi-head", "60", {"--steps", "scores"}), "\n\n    head 1\n"));
  CHECK(has(explained("03-multi-head", "80"), "\n\n    W_v    v0 "));
}

TEST_CASE("big: an empty line comes before the legend and before the arithmetic") {
  const std::string text =
      attn_run({"explain", "--big", "--mask", "causal", "--steps", "weights"}).out;
  CHECK(has(text, "\n\n    ·  hidden"));
  CHECK(has(text, "\n\n    e.g. A["));
  CHECK(!has(text, "\n\n\n"));
}

TEST_CASE("big: on 60 columns the strip is left out rather than the space between the numbers") {
  const Words big{"explain", "--big", "--mask", "causal", "--steps", "weights", "--only"};
  Words narrow = big;
  narrow.insert(narrow.end(), {"--width", "60"});
  CHECK(has(attn_run(big).out, "    it         0.21  0.58    0.08  0.13      ·   1.00  ░▓░░·\n"));
  CHECK(has(attn_run(narrow).out, "    it         0.21  0.58    0.08  0.13      ·    1.00\n"));
}

TEST_CASE("arithmetic: a term is moved below its name rather than broken") {
  CHECK(has(explained("06-translation", "80", {"--steps", "weights"}),
            "\n    e.g. A[mange, eating]\n"
            "        ≈ e^2.309 / (e^-0.577 + e^0.577 + e^2.309 + e^1.155 + e^1.155)\n"
            "        ≈ 10.068 / 18.757 ≈ 0.537\n"));
}

TEST_CASE("arithmetic: what is too wide for any line begins below a long name") {
  CHECK(has(explained("03-multi-head", "60", {"--steps", "output"}),
            "\n    e.g. O[long, o1]\n"
            "        ≈ 0.698·0 + 0.471·(-1) + (-0.019)·(-1) + 0.514·0\n"
            "          + 0.204·1 + (-0.572)·(-1) - 0.5 ≈ -0.177\n"));
}

TEST_CASE("arithmetic: a long name goes below what leads to it") {
  for (const Words& more : {Words{"--query", "0"}, Words{"--steps", "weights"},
                            Words{"--detail", "full", "--layer", "0"}}) {
    const std::string text = explained("16-reversal", "60", more);
    for (const std::string& line : lines_of(text)) {
      CAPTURE(line);
      CHECK(display_width(line) < 60);
    }
    CHECK(has(text, "\n    e.g. head 0:\n    decoder.layers.0."));
  }
}

TEST_CASE("prose: a sentence begins a line where that takes no more lines") {
  CHECK(has(explained("07-per-head-weights", "80"),
            "w_o joins both heads.\nTry --steps concat,output to watch it.\n"));
  const std::string three = "One two three four. Five six seven. Eight nine ten eleven.";
  CHECK(has(described(three, "46"), "\nOne two three four. Five six seven. Eight\nnine ten"));
  CHECK(has(described(three, "80"), "\n" + three + "\n"));
  CHECK(has(described("Is it one line? It is not! And this is", "28"),
            "\nIs it one line? It is not!\nAnd this is\n"));
}

TEST_CASE("prose: the last line is not one short word if it need not be") {
  CHECK(has(explained("01-one-head", "80", {"--detail", "full"}),
            "numerator and\n    denominator by e^m.\n"));
  CHECK(has(described("A sentence of four words more or less than it takes to fill", "59"),
            "\nA sentence of four words more or less than it\ntakes to fill\n"));
  CHECK(has(described("A longword-that-cannot-be-broken-at-all it", "40"),
            "\nA longword-that-cannot-be-broken-at-all\nit\n"));
}

TEST_CASE("detail: the reason for a step is indented like what is below it") {
  CHECK(has(attn_run({"explain", "--detail", "full"}).out,
            "\n    Each token enters as a row of numbers, its embedding.\n            x0 "));
}

TEST_CASE("summary: infinities and NaN have columns only where there are any") {
  const std::string plain = attn_run({"explain", "--summary"}).out;
  CHECK(has(plain, "   mean\n"));
  const std::string masked = attn_run({"explain", "--summary", "--mask", "causal"}).out;
  CHECK(has(masked, "   mean  inf\n"));
  const std::string nan =
      attn_run({"explain", "--summary", "--mask", "keys:0-4", "--empty-row", "nan"}).out;
  CHECK(has(nan, "  mean  inf  nan\n"));
}

TEST_CASE("summary: the parameters fit any number of heads only if the heads share d_model") {
  const auto last = [](const char* sample) {
    return attn_run({"explain", "-", "--summary"}, attn_run({"new", "--sample", sample}).out).out;
  };
  CHECK(has(last("03-multi-head"), "4·(6·6 + 6), for any number of heads\n"));
  CHECK(has(last("07-per-head-weights"), "2·(7·8) + 7·6 + 6·7\n"));
}

TEST_CASE("heatmap: half blocks name the rows too, where they are not the columns") {
  const std::string sample = attn_run({"new", "--sample", "06-translation"}).out;
  const Words args{"heatmap", "-", "--compact", "--color", "always"};
  CHECK(has(attn_run(args, sample).out,
            "\n  query:  0:Je  1:mange  2:une  3:pomme\n  key:  0:I  1:am  2:eating"));
  CHECK(!has(attn_run({"heatmap", "--compact", "--color", "always"}).out, "query:"));
}

TEST_CASE("heatmap: half blocks of a batch say whose tokens they name") {
  const std::string sample = attn_run({"new", "--sample", "09-batch"}).out;
  const Words args{"heatmap", "-", "--compact", "--color", "always"};
  CHECK(has(attn_run(args, sample).out,
            "\n  batch 0, key:  0:the  1:sun  2:is  3:warm  4:today\n  batch 1, key:  0:rain"));
}

TEST_CASE("heatmap: the problem comes first and the step is right above its picture") {
  const std::string sample = attn_run({"new", "--sample", "01-one-head"}).out;
  const std::string head = kFirstTitle + std::string("\nstandard input\n\n");
  const std::string grid = attn_run({"heatmap", "-"}, sample).out;
  CHECK(grid.substr(0, head.size()) == head);
  CHECK(has(grid, "  5×5\n          key\n  query "));
  const std::string lines = attn_run({"heatmap", "-", "--layout", "lines"}, sample).out;
  CHECK(lines.substr(0, head.size()) == head);
  CHECK(has(lines, ", 5×5\nquery the: "));
}

TEST_CASE("screen: long output that is shortened names its problem once") {
  const std::string sample = attn_run({"new", "--sample", "09-batch"}).out;
  const std::string text = attn_run_on(screen(80), {"explain", "-"}, sample).out;
  REQUIRE(has(text, kAllSteps));
  CHECK(text.find("A batch of two sentences") == text.rfind("A batch of two sentences"));
  CHECK(text.find("mask: key_lengths") == text.rfind("mask: key_lengths"));
}

TEST_CASE("screen: long output that is shortened says how many lines --full prints") {
  for (const char* name : {"03-multi-head", "09-batch", "12-grouped-heads"}) {
    const std::string sample = attn_run({"new", "--sample", name}).out;
    const std::string text = attn_run_on(screen(60), {"explain", "-"}, sample).out;
    const auto full = lines_of(attn_run_on(screen(60), {"explain", "-", "--full"}, sample).out);
    CAPTURE(name);
    CHECK(has(text, kAllSteps + (std::to_string(full.size()) + " lines")));
  }
}

TEST_CASE("full: matrices are whole, but prose is wrapped if the width is known") {
  const std::string sample = attn_run({"new", "--sample", "15-induction"}).out;
  const auto is_long_prose = [](const std::string& line) {
    return display_width(line) > 80 && !line.starts_with(" ");
  };
  const Words args{"explain", "-", "--full"};
  Words wide = args;
  wide.insert(wide.end(), {"--width", "80"});
  for (const std::string& text :
       {attn_run_on(screen(80), args, sample).out, attn_run(wide, sample).out}) {
    const std::vector<std::string> lines = lines_of(text);
    CHECK(std::none_of(lines.begin(), lines.end(), is_long_prose));
    CHECK(!has(text, "columns 1-"));
    CHECK(!has(text, "showing"));
  }
  const std::vector<std::string> lines = lines_of(attn_run(args, sample).out);
  CHECK(std::any_of(lines.begin(), lines.end(), is_long_prose));
}

TEST_CASE("tables: a row that is a sentence names its first column and what it is part of") {
  const std::string lines = explained("16-reversal", "80", {"--layout", "lines"});
  CHECK(has(lines, "\nencoder.layers.0.self_attn.weights, shape: "));
  CHECK(has(lines, "\ndecoder.layers.0.norm1, shape: "));
  CHECK(has(lines, "\none layer: --layer 0\n"));
  const std::string narrow = explained("16-reversal", "60");
  CHECK(has(narrow, "\ndecoder.layers.0.self_attn.weights, shape: "));
  CHECK(has(narrow, "\n--layer 0\n    one layer\n"));
  CHECK(has(attn_run({"lesson", "gradients", "--width", "60"}).out, "\nscore of: 'we', 'we': "));
  CHECK(has(attn_run({"lesson", "online-softmax", "--width", "60"}).out,
            "\nkeys: 'we', 'cannot'; scores: 0.577, -0.577; maximum:"));
}

TEST_CASE("prose: an option and its value in quotation marks stay together") {
  CHECK(wrapped("Then try --text 'the cat' here", 20, 20) ==
        Words{"Then try", "--text 'the cat'", "here"});
  CHECK(wrapped("Then try --text \"the cat\", too", 20, 20) ==
        Words{"Then try", "--text \"the cat\",", "too"});
  CHECK(wrapped("try --text 'what no line holds'", 20, 20) ==
        Words{"try --text 'what no", "line holds'"});
  CHECK(wrapped("one's own --text 'open", 10, 10) == Words{"one's own", "--text", "'open"});
}

TEST_CASE("facts: no line begins with the dot between them") {
  CHECK(wrapped("mask: causal · scale: none", 14, 14) == Words{"mask: causal ·", "scale: none"});
  CHECK(wrapped("mask: causal | scale: none", 13, 13) == Words{"mask:", "causal |", "scale: none"});
  const std::string folder = source_dir() + "/samples/";
  const std::string text = attn_run({"check", folder + "answers/first-try.json", "--problem",
                                     folder + "01-one-head.json", "--width", "60"})
                               .out;
  CHECK(has(text, "word look? · accepted\nwithin "));
}

TEST_CASE("words: a table of the largest logits takes the place of the matrix") {
  const std::string text = explained("17-english-french", "90", {"--steps", "logits"});
  CHECK(has(text, "\n           largest\n    <bos>   12.975 Je  "));
  CHECK(has(explained("17-english-french", "80", {"--full"}), "\n\nW_o   the weights for O"));
}

TEST_CASE("lines: no empty line takes the place of a title's facts, and no row is indented") {
  const Words args{"compare", "--left", "mask=none", "--right", "mask=causal"};
  Words lines = args, narrow = args;
  lines.insert(lines.end(), {"--layout", "lines"});
  narrow.insert(narrow.end(), {"--width", "40"});
  CHECK(has(attn_run(lines).out, "Left: mask=none | right: mask=causal\nbuilt-in sample"));
  CHECK(has(attn_run(lines).out, "\n1; step: x; "));
  CHECK(has(attn_run(narrow).out, "\n1; step: x; "));
}

TEST_CASE("title: a long one without facts beside it leaves no empty line") {
  const std::string problem = R"({"title": "Why a title may be long enough to need two lines",
      "q": [[1]], "k": [[1]], "v": [[1]]})";
  CHECK(has(attn_run({"heatmap", "-", "--width", "40"}, problem).out, "need\ntwo lines\nstandard"));
}
