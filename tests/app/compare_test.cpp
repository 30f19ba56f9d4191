// attn compare: settings and files on either side, exit codes, what text and JSON say.
#include <doctest/doctest.h>

#include <algorithm>

#include "attn/io/samples.hpp"
#include "attn/render/text.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/plain.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

Ran compared(std::vector<std::string> args, const std::string& input = "") {
  args.insert(args.begin(), "compare");
  return attn_run(args, input);
}

std::string compared_text(const std::vector<std::string>& args) {
  const Ran ran = compared(args);
  CAPTURE(ran.err);
  CHECK(ran.exit_code == 0);
  return ran.out;
}

std::string refused(std::vector<std::string> args, int exit_code = 2) {
  const Ran ran = compared(std::move(args));
  CHECK(ran.exit_code == exit_code);
  CHECK(ran.out.empty());
  return unwrapped(ran.err);
}

/// A problem whose token 1 has that first number.
std::string problem(const std::string& number) {
  return R"({"tokens": ["the", "cat", "sat"], "embeddings": [[1, 0], [)" + number +
         R"(, 1], [1, 1]], "mask": "causal"})";
}

/// The line of the table with that step.
std::string line_of(const std::string& text, const std::string& step) {
  for (const std::string& line : lines_of(text)) {
    if (line.find(" " + step + " ") != line.npos) return line;
  }
  return "";
}

}  // namespace

TEST_CASE("compare: two operands are two sides: files, samples or settings") {
  const auto out = [](std::vector<std::string> args) {
    args.insert(args.begin(), "compare");
    return attn_run(args).out;
  };
  CHECK(out({"mask=causal", "mask=none"}) ==
        out({"--left", "mask=causal", "--right", "mask=none"}));
  CHECK(out({"01", "04"}) == out({"--left", "01", "--right", "04"}));
  const std::string mixed = unwrapped(usage({"compare", "03", "mask=causal"}));
  CHECK(has(mixed, "\"mask=causal\" is a setting, and \"03\" a problem"));
  CHECK(has(mixed, "Write attn compare 03 --right mask=causal."));
}

TEST_CASE("compare command: a mask changes no step before it, and only rows where it hides keys") {
  const std::string text = compared_text({"--left", "mask=none", "--right", "mask=causal"});
  CHECK(has(text, "Left: mask=none | right: mask=causal"));
  CHECK(has(line_of(text, "scores"), "nothing"));
  CHECK(has(line_of(text, "masked_scores"), "right only"));
  CHECK(has(line_of(text, "weights"), "4 of 5 rows   the, the"));
  CHECK(has(text, "[8/9] A = softmax(S′)  |  A = softmax(M)"));
  CHECK(has(text, "0.081*"));
  CHECK(has(text, "A[the, the] is 0.081 on the left and 1 on the right."));
}

TEST_CASE("compare command: heads of different shapes are named with both shapes, never compared") {
  const std::string text = compared_text({"--left", "heads=1", "--right", "heads=2"});
  CHECK(has(line_of(text, "weights"), "shape 1×5×5 | 2×5×5"));
  CHECK(has(text, "The shapes of q_heads differ: 1×5×4 on the left, 2×5×2 on the right."));
  CHECK(has(line_of(text, "output"), "all rows"));
}

TEST_CASE("compare command: after the first difference come the weights and the output") {
  const std::string fills =
      compared_text({"--mask", "causal", "--left", "fill=0", "--right", "fill=-1e9"});
  for (const char* heading : {"[7/9] M = ", "[8/9] A = ", "[9/9] O = "}) CHECK(has(fills, heading));
  CHECK(has(fills, "A[the, the] is 0.292 on the left and 1 on the right."));
  CHECK(!has(fills, "[6/9]"));
  const std::string heads = compared_text({"--left", "heads=1", "--right", "heads=2"});
  CHECK(has(heads, "1×5×5 | 2×5×5\n"));
  CHECK(has(heads, "left, head 0   the"));
  CHECK(has(heads, "right, head 1  the"));
  CHECK(has(heads, "[12/13] C = "));
  CHECK(has(heads, "[13/13] O = "));
}

TEST_CASE("compare command: --steps compares these alone, in text, JSON and the exit code") {
  const std::vector<std::string> sides{"--left", "mask=none", "--right", "mask=causal"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args = sides;
    args.insert(args.end(), more.begin(), more.end());
    return compared(args);
  };
  const std::string text = with({"--steps", "q,mask,9"}).out;
  CHECK(line_of(text, "weights").empty());
  CHECK(has(text, "[2/9] Q = X·W_q"));
  CHECK(has(text, "The same on both sides."));
  CHECK(has(text, "mask   " + std::string(kMaskCells)));
  CHECK(has(text, "    right\n    query\\key  the"));
  CHECK(has(text, "[9/9] O = "));
  CHECK(with({"--steps", "O"}).out == with({"--steps", "output"}).out);
  const std::string json = with({"--steps", "weights,q", "--json"}).out;
  CHECK(count_of(json, "\"id\": ") == 2);
  CHECK(has(json, "\"first_different\": \"weights\""));
  CHECK(has(with({"--steps", "10"}).err, no_step_number(10, 9)));
  CHECK(has(with({"--steps", "wieghts"}).err, did_you_mean({"weights"})));
  const TemporaryFolder folder;
  const std::string x = folder.write("x.json", problem("0")),
                    y = folder.write("y.json", R"({"tokens": ["the", "cat", "sat"],
                      "embeddings": [[1, 0], [0, 1], [1, 1]], "mask": "none"})");
  CHECK(compared({"--left", x, "--right", y}).exit_code == 1);
  CHECK(compared({"--left", x, "--right", y, "--steps", "x,scores"}).exit_code == 0);
}

TEST_CASE("compare command: rows that differ are counted in every head, as they are shown") {
  const std::string text =
      compared_text({"--heads", "2", "--left", "mask=none", "--right", "mask=causal"});
  CHECK(has(line_of(text, "weights"), "8 of 10 rows"));
  CHECK(has(line_of(text, "output"), "4 of 5 rows"));
}

TEST_CASE("compare command: a fill is written in its shortest form") {
  const std::string text =
      compared_text({"--left", "fill=0", "--right", "fill=-1e9", "--mask", "causal"});
  CHECK(has(text, "-1e+09*"));
  CHECK(!has(text, "-1000000000.0"));
  CHECK(has(compared_text({"--left", "fill=-1e9", "--right", "fill=-inf", "--mask", "causal"}),
            "masked_scores  4 of 5 rows"));
}

TEST_CASE("compare command: a mistake against the problem as it is") {
  const std::string text = compared_text({"--left", "fault=scale.missing"});
  CHECK(has(text, "right: the problem as it is"));
  CHECK(has(text, "note: (left) " + built_in("scale.missing")));
  CHECK(has(text, "S′ = S  |  S′ = S / √d_k"));
}

TEST_CASE("compare command: commas and plus signs inside a mask stay there") {
  const std::string both = compared_text({"--left", "mask=causal+window:1,1,scale=none"});
  CHECK(has(both, "Left: mask=causal+window:1,1,scale=none"));
  CHECK(has(line_of(both, "scaled_scores"), "right only"));
  const std::string one = compared({"--left", "mask=causal+window:1,1", "--mask", "causal",
                                    "--mask", "window:1,1", "--json"})
                              .out;
  CHECK(has(one, "\"first_different\": null"));
  CHECK(has(compared({"--left", "mask=keys:0,2", "--right", "mask=keys:0", "--json"}).out,
            "\"first_different\": \"mask\""));
}

TEST_CASE("compare command: settings of the side win over those of the command line") {
  const std::string json =
      compared({"--mask", "causal", "--left", "mask=none", "--right", "scale=none", "--json"}).out;
  CHECK(has(json, R"({"id": "mask", "in": "right")"));
  CHECK(has(json, R"({"id": "scaled_scores", "in": "left")"));
}

TEST_CASE("compare command: a changed row of the embeddings, row by row") {
  const TemporaryFolder folder;
  const std::string x = folder.write("x.json", problem("0")),
                    y = folder.write("y.json", problem("2"));
  const Ran ran = compared({"--left", x, "--right", y});
  CHECK(ran.exit_code == 1);
  CHECK(has(line_of(ran.out, "x"), "row cat "));
  CHECK(has(line_of(ran.out, "weights"), "rows cat, sat "));
  CHECK(has(ran.out, "X[cat, x0] is 0 on the left and 2 on the right."));
  CHECK(compared({"--left", x, "--right", x}).exit_code == 0);
  CHECK(compared({"--left", x, "--right", y, "--tolerance", "10"}).exit_code == 0);
  CHECK(compared({"--left", x, "--right", y, "--tolerance", "1%"}).exit_code == 1);
  CHECK(compared({"--left", x, "--right", y, "--tolerance", "1000%"}).exit_code == 0);
}

TEST_CASE("compare command: another word changes its own row, and later ones in attention") {
  const Ran ran = compared(
      {"-", "--mask", "causal", "--left", "text=the cat sat", "--right", "text=the dog sat"},
      std::string(attn::samples()[12].text));
  for (const char* step : {"x", "q", "k", "v"}) CHECK(has(line_of(ran.out, step), "row cat "));
  CHECK(has(line_of(ran.out, "scores"), "all rows"));
  for (const char* step : {"masked_scores", "weights", "output"})
    CHECK(has(line_of(ran.out, step), "rows cat, sat "));
  CHECK(has(ran.out, "    cat   1*   0    0    1    1    dog   2*   0    0    1    1\n"));
}

TEST_CASE("compare command: traces and dumps are compared with a problem or with each other") {
  const TemporaryFolder folder;
  const std::string x = folder.write("x.json", problem("0")), trace = folder.path("t.json"),
                    dump = folder.path("d.npz"),
                    hand = folder.write("hand.json",
                                        R"({"weights": [[1, 0, 0], [0.5, 0.5, 0], [0, 0, 1]]})");
  attn_run({"explain", x, "--json", "-o", trace});
  attn_run({"explain", x, "--format", "npz", "--steps", "weights,output", "-o", dump});
  CHECK(compared({x, "--left", trace}).exit_code == 0);
  CHECK(compared({x, "--left", dump}).exit_code == 0);
  CHECK(compared({"--left", dump, "--right", trace}).exit_code == 0);
  CHECK(compared({x, "--left", dump, "--right", "scale=none"}).exit_code == 1);
  const Ran ran = compared({x, "--left", hand});
  CHECK(ran.exit_code == 1);
  CHECK(has(line_of(ran.out, "scores"), "right only"));
  CHECK(has(line_of(ran.out, "weights"), "rows cat, sat"));
  CHECK(has(refused({"--left", dump + ",mask=none"}), "Leave mask= out of --left."));
  CHECK(has(refused({"--left", trace + ",mask=none"}), "Leave mask= out of --left."));
  CHECK(has(refused({x, "--left", trace, "--right", dump}), "both sides are files"));
}

TEST_CASE("compare command: numbers that differ look different") {
  const std::string text = compared_text({"--left", "scale=0.5", "--right", "scale=0.50001"});
  CHECK(has(text, "S′[the, the] is 0.5 on the left and 0.50001 on the right."));
}

TEST_CASE("compare command: the default tolerance of files is that of their number type") {
  struct Row {
    const char *dtype, *near, *far, *tolerance;
  };
  const TemporaryFolder folder;
  const std::string x = folder.write("x.json", problem("1"));
  for (const Row& row : {Row{"float64", "1.000001", "1.0001", "1e-05"},
                         {"float32", "1.000001", "1.0001", "1e-05"},
                         {"bfloat16", "1.008", "1.05", "0.02"},
                         {"float16", "1.001", "1.005", "0.002"}}) {
    CAPTURE(row.dtype);
    const std::string near = folder.write("near.json", problem(row.near)),
                      far = folder.write("far.json", problem(row.far));
    const auto with = [&](const std::string& other, const std::vector<std::string>& more = {}) {
      std::vector<std::string> args{"--left", x, "--right", other, "--dtype", row.dtype};
      args.insert(args.end(), more.begin(), more.end());
      return compared(args);
    };
    CHECK(with(near).exit_code == 0);
    CHECK(has(with(near).out, "No number differs by more than " + std::string(row.tolerance)));
    CHECK(with(near, {"--tolerance", "0"}).exit_code == 1);
    CHECK(with(far).exit_code == 1);
  }
}

TEST_CASE("compare command: a problem on standard input serves both sides") {
  const Ran ran = compared({"-", "--left", "mask=none", "--right", "mask=causal"}, problem("0"));
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "standard input"));
  CHECK(has(ran.out, "cat"));
}

TEST_CASE("compare command: what is wrong with a side is reported where it is") {
  CHECK(has(refused({}), "needs --left, --right or both"));
  CHECK(has(refused({"--left", "maks=causal"}), "no setting \"maks\"" + did_you_mean({"mask"})));
  CHECK(has(refused({"--left", "mask=casual"}), did_you_mean({"causal"})));
  CHECK(has(refused({"--left", "mask=casual"}), "--left mask=casual"));
  CHECK(has(refused({"--left", "fault=scale.mising"}), did_you_mean({"scale.missing"})));
  CHECK(has(refused({"--left", "causal"}), "Write --left mask=causal."));
  CHECK(has(refused({"--left", "fill=0,5"}), "Write fill=0.5"));
  CHECK(has(refused({"--right", "dtype=f16"}), "float16"));
  CHECK(has(refused({"--left", "heads=1,heads=2"}), "sets heads twice"));
  CHECK(has(refused({"--left", "mask=causal,window:2,scale=none"}),
            "fix Combine masks with +: mask=causal+window:2."));
  CHECK(has(refused({"--left", "heads=2", "--nonfinite", "null"}), kNoJson));
  CHECK(has(refused({"--left", "no.json"}, 4), "no.json"));
  CHECK(has(refused({"--left", "fault=dropout.on"}, 3), "only be recognised"));
  CHECK(has(refused({"--left", "heads=3"}, 3), "heads"));
}

TEST_CASE("compare command: settings for a trace are refused with the name of its file") {
  const TemporaryFolder folder;
  const std::string trace = folder.path("trace.json");
  CHECK(attn_run({"explain", "-o", trace}).exit_code == 0);
  for (const std::vector<std::string>& sides : std::vector<std::vector<std::string>>{
           {trace, "--left", "heads=2"}, {"--left", trace + ",heads=2"}}) {
    const std::string error = unwrapped(refused(sides));
    CHECK(has(error, "error[already-computed]: " + trace + " holds matrices"));
    CHECK(has(error, "Leave heads= out of --left."));
  }
  const std::string piped = unwrapped(compared({"-", "--left", "heads=2"}, read_text(trace)).err);
  CHECK(has(piped, "error[already-computed]: standard input holds matrices"));
}

TEST_CASE("compare command: steps have the numbers that explain gives them, and a mask has none") {
  const std::vector<std::string> sides{"--left", "mask=none", "--right", "mask=causal"};
  const std::string text = compared_text(sides);
  CHECK(has(text, "\n   mask           right only\n7  masked_scores  right only\n8  weights "));
  CHECK(has(text, "\n[8/9] A = softmax(S′)  |  A = softmax(M)"));
  CHECK(has(attn_run({"explain", "--mask", "causal"}).out, "\n[8/9] A = softmax(M)"));
  const std::string masks = compared_text({"--left", "mask=causal", "--right", "mask=window:1"});
  CHECK(has(masks, "\nmask   " + std::string(kMaskCells) + " "));
}

TEST_CASE("compare command: where the table is too wide, its header is broken into lines") {
  const auto table = [](const char* width) {
    return compared_text({"--left", "mask=none", "--right", "mask=causal", "--width", width});
  };
  CHECK(has(table("70"), "\n   step           what differs  first cell  largest gap  mean gap\n"));
  CHECK(has(table("60"),
            "\n                  what         first     largest   mean\n"
            "   step           differs      cell          gap    gap\n"));
  CHECK(has(table("50"), "\n1; step: x; what differs: nothing\n"));
}

TEST_CASE("compare command: files without a common step are refused") {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.json", R"({"weights": [[1, 2]]})"),
                    b = folder.write("b.json", R"({"output": [[1, 2]]})");
  CHECK(has(refused({"--left", a, "--right", b}, 3), "the left has weights, the right output"));
}

TEST_CASE("compare command: text keeps to the width, and lines can be read aloud") {
  for (const char* width : {"40", "60", "80", "120"}) {
    for (const std::vector<std::string>& sides :
         {std::vector<std::string>{"--left", "mask=none", "--right", "mask=causal"},
          std::vector<std::string>{"--left", "heads=2", "--right", "heads=2,mask=causal"}}) {
      std::vector<std::string> args = sides;
      args.insert(args.end(), {"--width", width});
      for (const std::string& line : lines_of(compared_text(args))) {
        INFO(width << ": " << line);
        CHECK(attn::display_width(line) < std::stoi(width));
      }
    }
  }
  const std::vector<std::string> sides{"--left", "mask=none", "--right", "mask=causal"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), sides.begin(), sides.end());
    return compared_text(more);
  };
  const std::string read = with({"--layout", "lines"});
  CHECK(has(read,
            "8; step: weights; what differs: 4 of 5 rows; first cell: the, the; largest gap: "));
  CHECK(has(read, "query cat: the 0.107 (differs), cat 0.478 (differs)"));
  CHECK(has(read, "flies: the 0.143, cat 0.236"));
  const std::string ascii = with({"--ascii"});
  CHECK(std::all_of(ascii.begin(), ascii.end(), [](char c) { return c >= 0; }));
  CHECK(has(with({"--precision", "1"}), "0.1*"));
  const std::string colored = with({"--color", "always"});
  CHECK(has(colored, "\x1b["));
  CHECK(colored != with({"--color", "always", "--palette", "gray"}));
  CHECK(without_colors(colored) == with({}));
}

TEST_CASE("compare command: tokens of any script stay aligned") {
  const TemporaryFolder folder;
  const auto chinese = [](const char* number) {
    return R"({"tokens": ["猫", "爱", "猫"], "embeddings": [[1, 0], [)" + std::string(number) +
           ", 1], [1, 1]]}";
  };
  const std::string x = folder.write("x.json", chinese("0")),
                    y = folder.write("y.json", chinese("2"));
  const std::string text = compared({"--left", x, "--right", y}).out;
  CHECK(has(line_of(text, "x"), "row 爱"));
  std::ptrdiff_t width = 0;
  for (const char* step : {"x", "scores", "output"}) {
    const std::ptrdiff_t own = attn::display_width(line_of(text, step));
    CHECK((width == 0 || own == width));
    width = own;
  }
}

TEST_CASE("compare command: JSON has a line for each step, with the fields of its schema") {
  const std::string json = compared({"--left", "mask=none", "--right", "heads=2", "--json"}).out;
  CHECK(has(json, R"("format": "attn.compare", "format_version": "1.0")"));
  CHECK(has(json, R"("left": "mask=none", "right": "heads=2")"));
  CHECK(has(json, R"("first_different": "scores")"));
  CHECK(has(json, R"({"id": "v", "in": "both", "max_difference": 0, "mean_difference": 0, )"
                  R"("first_difference": null})"));
  CHECK(has(json, R"({"id": "q_heads", "in": "right", "max_difference": null, )"
                  R"("mean_difference": null, "first_difference": null})"));
  CHECK(has(json, R"("first_difference": null, "left_shape": [5, 5], "right_shape": [2, 5, 5]})"));
  const std::vector<std::string> infinite{"--mask",  "causal",    "--left", "fill=0",
                                          "--right", "fill=-inf", "--json"};
  CHECK(has(compared(infinite).out, R"("max_difference": "Infinity")"));
}

TEST_CASE("compare command: names in a dump that are not steps are noted") {
  const TemporaryFolder folder;
  const std::string dump =
      folder.write("d.json", R"({"weights": [[1, 2]], "wieghts": [[1, 2]], "output": [1]})");
  const Ran ran = compared({"--left", dump});
  CHECK(has(ran.out, "note: (left) " + not_called("wieghts") + did_you_mean({"weights"})));
  CHECK(has(ran.out, "note: (left) output must have 2"));
  CHECK(has(ran.out, "shape 1×2 | 5×5"));
}

TEST_CASE(
    "compare command: in a large step, some cells that differ are shown and all are counted") {
  const TemporaryFolder folder;
  const std::string x = folder.path("x.json");
  attn_run({"new", "--random", "--tokens", "20", "--d-model", "4", "-o", x});
  const Ran ran = compared({x, "--left", "mask=none", "--right", "mask=causal"});
  CAPTURE(ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "144 of 380 cells that differ are shown."));
}
