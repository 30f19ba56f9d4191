// How text looks on a screen, and that a pipe gets everything.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>

#include "attn/io/samples.hpp"
#include "attn/render/color.hpp"
#include "attn/render/text.hpp"
#include "support/models.hpp"
#include "support/plain.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

/// A problem of that many tokens.
std::string problem_of(int tokens) {
  return attn_run(
             {"new", "--random", "--normal", "--tokens", std::to_string(tokens), "--seed", "1"})
      .out;
}

/// The words of a line.
Words spaced_words(const std::string& line) {
  Words words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = line.find_first_not_of(' ', at);
    if (begin == line.npos) break;
    at = std::min(line.find(' ', begin), line.size());
    words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

/// The lines of text that begin with a token's name: t0, t1 …
std::vector<Words> rows_of(const std::string& text) {
  std::vector<Words> rows;
  for (const std::string& line : lines_of(text)) {
    const Words words = spaced_words(line);
    if (words.size() > 1 && words[0][0] == 't' && words[0].size() <= 4 &&
        std::isdigit(words[0][1]) != 0)
      rows.push_back(words);
  }
  return rows;
}

void fits(const std::string& text, std::ptrdiff_t width) {
  for (const std::string& line : lines_of(text)) {
    CAPTURE(line);
    CHECK(display_width(line) <= width);
  }
}

std::string scores_on(std::ptrdiff_t width, int tokens, Words more = {}) {
  Words args{"explain", "-", "--steps", "scores", "--no-examples"};
  args.insert(args.end(), more.begin(), more.end());
  return attn_run_on(screen(width), args, problem_of(tokens)).out;
}

}  // namespace

TEST_CASE("screen: up to 32 columns come in blocks that repeat the row labels") {
  for (const int tokens : {12, 32}) {
    for (const std::ptrdiff_t width : {40, 80}) {
      const std::string text = scores_on(width, tokens);
      CAPTURE(text);
      fits(text, width);
      CHECK(has(text, "columns 1-"));
      CHECK(has(text, " of " + std::to_string(tokens) + "\n"));
      CHECK(!has(text, "showing"));
      std::size_t numbers = 0;
      for (const Words& row : rows_of(text)) numbers += row.size() - 1;
      const auto n = static_cast<std::size_t>(tokens);
      CHECK(numbers >= n * n);
      CHECK(rows_of(text).size() % n == 0);
    }
  }
}

TEST_CASE("screen: beyond 32 columns, only the outer ones are shown, and a line says so") {
  for (const std::ptrdiff_t width : {40, 80}) {
    const std::string text = scores_on(width, 33);
    fits(text, width);
    CHECK(has(text, "    showing 16 of 33 rows; --full"));
    CHECK(has(text, width == 80 ? " of 33 columns; --full prints all\n" : " of 33 columns; "));
    CHECK(has(text, " … "));
    CHECK(rows_of(text).size() == 16);
    for (const Words& row : rows_of(text)) CHECK(row.size() > 3);
    const std::string full = scores_on(width, 33, {"--full"});
    CHECK(!has(full, "…"));
    CHECK(rows_of(full).size() == 33);
  }
}

TEST_CASE("pipe: nothing is shortened or wrapped, one row is one line") {
  const std::string problem = problem_of(200);
  const std::string text = attn_run({"explain", "-", "--steps", "scores"}, problem).out;
  const auto rows = rows_of(text);
  CHECK(rows.size() == 200);
  for (const Words& row : rows) CHECK(row.size() == 201);
  CHECK(!has(text, "…"));
}

TEST_CASE("pipe: long labels, prose and sums stay whole") {
  const std::string word(60, 'w'), sentence(300, 's');
  const std::string out =
      attn_run({"explain", "-"}, R"({"description": "a )" + sentence + R"( b", "tokens": [")" +
                                     word + R"(", "b"], "q": [[1, 2], [3, 4]], "k": [[1, 2],
                                     [3, 4]], "v": [[1, 2], [3, 4]]})")
          .out;
  CHECK(has(out, "\na " + sentence + " b\n"));
  CHECK(has(out, "    " + word + "  "));
  std::string row = "[[1", sum = " = 1·1";
  for (int i = 1; i < 60; ++i) {
    row += ", 1";
    sum += " + 1·1";
  }
  const std::string long_rows = "{\"q\": " + row + "]], \"k\": " + row + "]], \"v\": [[1]]}";
  CHECK(has(attn_run({"explain", "-", "--cell", "scores:0,0"}, long_rows).out, sum + "\n"));
}

TEST_CASE("pipe: --width wraps prose and makes blocks, and leaves nothing out") {
  const std::string text =
      attn_run({"explain", "-", "--steps", "scores", "--width", "40"}, problem_of(40)).out;
  fits(text, 40);
  CHECK(has(text, "columns 1-"));
  CHECK(!has(text, "showing"));
}

TEST_CASE("screen: long labels are cut and given in full below, once") {
  const std::string problem = R"({"tokens": ["internationalization", "the", "the"],
      "q": [[1], [2], [3]], "k": [[1], [2], [3]], "v": [[1], [2], [3]]})";
  const std::string text = attn_run_on(screen(80), {"explain", "-"}, problem).out;
  const std::string full = "    internation…  is  internationalization\n";
  CHECK(has(text, full));
  CHECK(text.find(full) == text.rfind(full));
  CHECK(has(text, "1:the"));
  CHECK(has(attn_run_on(screen(80), {"explain", "-", "--ascii"}, problem).out,
            "internation~  is  internationalization"));
}

TEST_CASE("screen: a last line of commands to go on with, not in a pipe and not if quiet") {
  const auto next = [](const Ran& ran) { return has(ran.out, "\nNext:  attn explain "); };
  CHECK(next(attn_run_on(screen(80), {"explain", "--mask", "causal"})));
  CHECK(!next(attn_run({"explain"})));
  CHECK(!next(attn_run_on(screen(80), {"explain", "--quiet"})));
  CHECK(has(attn_run_on(screen(80), {"explain", "--mask", "keys:the"}).out,
            "\nNext:  attn explain --mask keys:the --cell weights:"));
}

TEST_CASE("colours: stripped, they leave exactly the plain output, for every sample and depth" *
          doctest::test_suite("long")) {
  for (const Sample& sample : samples()) {
    for (const Words& more : {Words{}, Words{"--big"}, Words{"--layout", "lines"},
                              Words{"--summary"}, Words{"--width", "50"}}) {
      Words args{"explain", "-", "--detail", "full"};
      args.insert(args.end(), more.begin(), more.end());
      const std::string plain = attn_run(args, std::string(sample.text)).out;
      args.insert(args.end(), {"--color", "always", "--color-depth", ""});
      for (const char* depth : {"16", "256", "truecolor"}) {
        args.back() = depth;
        const std::string colored = attn_run(args, std::string(sample.text)).out;
        CHECK(colored.size() > plain.size());
        CHECK(first_difference(plain, without_colors(colored)) == "");
      }
    }
  }
}

TEST_CASE("colours: every painted piece is reset, and only weights have a background") {
  const std::string text = attn_run({"explain", "--mask", "causal", "--color", "always"}).out;
  std::size_t open = 0, closed = 0;
  for (std::size_t at = text.find("\x1b["); at != text.npos; at = text.find("\x1b[", at + 1)) {
    const std::string code = text.substr(at + 2, text.find('m', at) - at - 2);
    (code == "0" ? closed : open) += 1;
    const bool known = code == "0" || code == "1" || code == "2" || has(code, "48;5;");
    CHECK(known);
    if (has(code, "48;5;")) CHECK(has(code, ";38;5;"));
  }
  CHECK(open == closed);
  const std::size_t weights = text.find("A = softmax"), output = text.find("O = A·V");
  CHECK(text.find("48;5;") > weights);
  CHECK(text.rfind("48;5;") < output);
}

TEST_CASE("colours: each number is reset, even beside one of the same colour") {
  const std::string even = R"({"q": [[0], [0]], "k": [[1], [2]], "v": [[1], [2]]})";
  const std::string text =
      attn_run({"explain", "-", "--step", "weights", "--only", "--color", "always"}, even).out;
  std::size_t numbers = 0;
  for (std::size_t at = text.find("m 0.5 "); at != text.npos; at = text.find("m 0.5 ", at + 1)) {
    CHECK(text.compare(at + 6, 4, "\x1b[0m") == 0);
    ++numbers;
  }
  CHECK(numbers == 4);
}

TEST_CASE("colours: a weight that is not a number has none") {
  for (const char* depth : {"16", "256", "truecolor"}) {
    const std::string text =
        attn_run({"explain", "--empty-row", "nan", "--mask", "keys:0-4", "--step", "weights",
                  "--color", "always", "--color-depth", depth, "--only"})
            .out;
    CHECK(has(text, "nan"));
    CHECK(!has(text, "m nan"));
  }
}

TEST_CASE("layout lines: a row is a sentence, no spaces are doubled, masked keys are named") {
  for (const Sample& sample : samples()) {
    const std::string text =
        attn_run({"explain", "-", "--layout", "lines"}, std::string(sample.text)).out;
    CHECK(!has(text, "  "));
  }
  const std::string text = attn_run({"explain", "--mask", "causal", "--layout", "lines"}).out;
  CHECK(has(text, "\nquery cat: the 0.182, cat 0.818, dreams masked, it masked, flies masked\n"));
  CHECK(has(text, "\nStep 8 of 9: A = softmax(M), "));
}

TEST_CASE("layout lines: all heads of a step have as many decimals as one of them needs") {
  const std::string heads =
      R"({"q": [[1, 0.25]], "k": [[1, 1], [0, 0]], "v": [[1, 1], [0, 0]], "heads": 2})";
  const std::string text =
      attn_run({"explain", "-", "--layout", "lines", "--step", "scores"}, heads).out;
  CAPTURE(text);
  CHECK(has(text, "k0 1.00, k1 0.00\n"));
  CHECK(has(text, "k0 0.25, k1 0.00\n"));
}

TEST_CASE("big: short labels, two decimals, space between rows, and 60 columns are enough") {
  for (const Sample& sample : samples()) {
    for (const char* step : {"scores", "weights"}) {
      const Words args{"explain", "-", "--big", "--step", step, "--only"};
      const std::string text = attn_run(args, std::string(sample.text)).out;
      if (attn_run({"explain", "-", "--json"}, std::string(sample.text))
              .out.find("\"n_keys\": 5") != std::string::npos) {
        fits(text, 60);
      }
    }
  }
  const std::string text = attn_run({"explain", "--big", "--step", "weights", "--no-examples"}).out;
  CHECK(has(text, " 0.48"));
  CHECK(has(text, "\n\n    cat "));
  CHECK(!has(text, "0.478"));
  CHECK(has(attn_run({"explain", "--big", "--precision", "4", "--step", "weights"}).out, "0.4775"));
}

TEST_CASE("steps: by number as shown, and wrong numbers are reported") {
  const std::string one = attn_run({"explain", "--mask", "causal", "--step", "8"}).out;
  CHECK(one == attn_run({"explain", "--mask", "causal", "--steps", "weights"}).out);
  CHECK(has(one, "[8/9] A = softmax(M)"));
  for (const Words& more :
       {Words{"--json"}, Words{"--format", "csv", "--wide"}, Words{"--summary"}}) {
    Words by_number{"explain", "--step", "7"}, by_id{"explain", "--step", "weights"};
    by_number.insert(by_number.end(), more.begin(), more.end());
    by_id.insert(by_id.end(), more.begin(), more.end());
    CHECK(attn_run(by_number).exit_code == 0);
    CHECK(attn_run(by_number).out == attn_run(by_id).out);
  }
  CHECK(attn_run({"explain", "--step", "99"}).exit_code == 2);
  CHECK(attn_run({"explain", "--step", "0"}).exit_code == 2);
}

TEST_CASE("only: just the matrices; no examples: no worked cells") {
  const std::string only = attn_run({"explain", "--step", "scores", "--only"}).out;
  CHECK(lines_of(only).size() == 6);
  CHECK(!has(only, "="));
  const std::string bare = attn_run({"explain", "--no-examples"}).out;
  CHECK(!has(bare, "e.g."));
  CHECK(has(bare, "share of the query"));
}

TEST_CASE(
    "big: worked cells have the matrices' decimals, and an empty line is left between heads") {
  const std::string text =
      attn_run({"explain", "--big", "--heads", "2", "--steps", "S,A", "--width", "60"}).out;
  std::size_t rounded = 0;
  for (const std::string& line : lines_of(text)) {
    const std::size_t sign = line.rfind("≈ 0.");
    if (sign == line.npos) continue;
    CAPTURE(line);
    CHECK(line.size() - line.rfind('.') == 3);  // a point and two digits
    ++rounded;
  }
  CHECK(rounded > 0);
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (has(lines[i], "    head 1")) CHECK(lines[i - 1].empty());
  }
}

TEST_CASE("narrow: a matrix in blocks of columns has no strip, and no legend for one") {
  const std::string text = attn_run({"explain", "--steps", "weights", "--width", "40"}).out;
  CHECK(has(text, "columns 1-3 of 5"));
  CHECK(!has(text, "░"));
  CHECK(!has(text, "share of the query"));
  const std::string masked =
      attn_run({"explain", "--steps", "weights", "--width", "40", "--mask", "causal"}).out;
  CHECK(has(masked, "    ·  hidden"));
}

TEST_CASE("narrow: arithmetic is not broken within brackets that fit a line") {
  const std::string sample = attn_run({"new", "--sample", "03-multi-head"}).out;
  const std::string text =
      attn_run({"explain", "-", "--width", "60", "--cell", "O[old]"}, sample).out;
  CHECK(has(text, "\n             + 0·(0, 0, 1, 1, 0, 0)\n"));
  for (const std::string& line : lines_of(text))
    CHECK(std::count(line.begin(), line.end(), '(') == std::count(line.begin(), line.end(), ')'));
}

TEST_CASE("summary: entropies of rows that do not add up to 1 say what was done to them") {
  const auto summary = [](const char* mode, const char* layout) {
    return attn_run(
               {"explain", "--mask", "causal", "--summary", "--masking", mode, "--layout", layout})
        .out;
  };
  CHECK(has(summary("multiply", "grid"), "entropy of A_m in bits, rows divided by their sum "));
  CHECK(!has(summary("renormalize", "grid"), "entropy of A_r in bits, rows"));
  CHECK(has(summary("add", "lines"), "\nentropy of A in bits:\n"));
  CHECK(!has(summary("add", "lines"), "step:"));
}

TEST_CASE("summary: shape, range and mean of each step, entropy of the weights") {
  const std::string text = attn_run({"explain", "--mask", "causal", "--summary"}).out;
  CHECK(has(text, "weights        A     5×5     0.000  1.000  0.200"));
  CHECK(has(text, "masked_scores  M     5×5     0.000  2.500  1.100   10"));
  CHECK(has(text, "\nentropy of A in bits   mean  if even\n"));
  // Five queries see 1, 2, 3, 4 and 5 keys: log2(120) / 5.
  CHECK(has(text, "\nall queries           1.178    1.381\n"));
  const std::string even = R"({"q": [[0], [0]], "k": [[1], [2]], "v": [[1], [2]]})";
  CHECK(has(attn_run({"explain", "-", "--summary"}, even).out,
            "\nall queries           1.000    1.000\n"));
  const std::string partial =
      attn_run({"explain", "-", "--mask", "queries:1", "--summary"}, even).out;
  CHECK(has(partial, "\nall queries             1.000    1.000\n"));
}

TEST_CASE("notation: one small number changes nothing; --sci and --fixed decide") {
  const std::string problem = R"({"q": [[0.9], [0.0001]], "k": [[1], [2]], "v": [[1], [2]]})";
  const std::string small = R"({"q": [[0.0009], [0.0001]], "k": [[1], [1]], "v": [[1], [2]]})";
  const auto q = [](const std::string& text, Words more) {
    more.insert(more.begin(), {"explain", "-", "--step", "q"});
    return attn_run(more, text).out;
  };
  CHECK(has(q(problem, {}), "<.001"));
  CHECK(has(q(small, {}), "9e-04"));
  CHECK(has(q(small, {}), "9e-04 means 9·10^-4"));
  CHECK(has(q(small, {"--fixed"}), "<.001"));
  CHECK(has(q(problem, {"--sci"}), "9e-01"));
}

TEST_CASE("also: several files in one run hold the same numbers") {
  const TemporaryFolder folder;
  const std::string json = folder.path("a.json"), csv = folder.path("a.csv"),
                    text = folder.path("a.txt");
  const Ran ran =
      attn_run({"explain", "--mask", "causal", "-o", json, "--also", csv, "--also", text});
  CHECK(ran.exit_code == 0);
  CHECK(ran.out.empty());
  CHECK(read_text(json) == attn_run({"explain", "--mask", "causal", "--json"}).out);
  CHECK(read_text(csv) == attn_run({"explain", "--mask", "causal", "--format", "csv"}).out);
  CHECK(read_text(text) == attn_run({"explain", "--mask", "causal"}).out);
  CHECK(lines_of(ran.err).size() == 3);
  CHECK(attn_run({"explain", "-o", folder.path("A.JSON")}).exit_code == 0);
  CHECK(read_text(folder.path("A.JSON")) == attn_run({"explain", "--json"}).out);
  CHECK(attn_run({"explain", "--also", folder.path("a.pdf")}).exit_code == 2);
  CHECK(attn_run({"explain", "--also", ""}).exit_code == 2);
}

TEST_CASE("nan: printed as such, noted, and warned of on standard error unless quiet") {
  const std::string problem = R"({"q": [[1]], "k": [[1]], "v": [[1]], "mask": "keys:0",
      "empty_row": "nan"})";
  const Ran ran = attn_run({"explain", "-", "--json"}, problem);
  CHECK(ran.exit_code == 0);
  CHECK(ran.err == "warning: nan in weights, output: the notes of attn explain say why\n");
  CHECK(attn_run({"explain", "-", "--quiet"}, problem).err.empty());
  CHECK(has(attn_run({"explain", "-"}, problem).out, "note: "));
  CHECK(attn_run({"explain"}).err.empty());
}

TEST_CASE("screen: everything keeps to 40 and to 60 columns, for every attention") {
  for (const Sample& sample : attention_samples()) {
    for (const std::ptrdiff_t width : {40, 60}) {
      for (const Words& more : {Words{}, Words{"--summary"}, Words{"--detail", "full"}}) {
        Words args{"explain", "-"};
        args.insert(args.end(), more.begin(), more.end());
        CAPTURE(sample.name);
        fits(attn_run_on(screen(width), args, std::string(sample.text)).out, width);
      }
    }
  }
}

TEST_CASE("screen: models keep to 80 columns, and only ids do not fit 60") {
  for (const Sample& sample : samples().subspan(attention_samples().size())) {
    for (const std::ptrdiff_t width : {60, 80}) {
      for (const Words& more : {Words{}, Words{"--layer", "0"}, Words{"--steps", "loss,weights"}}) {
        Words args{"explain", "-"};
        args.insert(args.end(), more.begin(), more.end());
        CAPTURE(sample.name);
        const std::string text = attn_run_on(screen(width), args, std::string(sample.text)).out;
        for (const std::string& line : lines_of(text)) {
          CAPTURE(line);
          CHECK((display_width(line) <= width || (width == 60 && has(line, "layers.0."))));
        }
      }
    }
  }
}

TEST_CASE("screen: commands to go on with are whole or left out, and are about the worked cell") {
  const auto next = [](std::ptrdiff_t width, const Words& more) {
    Words args{"explain", "--mask", "causal"};
    args.insert(args.end(), more.begin(), more.end());
    return lines_of(attn_run_on(screen(width), args).out).back();
  };
  CHECK(next(100, {}) ==
        "Next:  attn explain --mask causal --cell weights:2,1   or   "
        "attn heatmap --mask causal");
  CHECK(next(40, {}) == "Next:  attn heatmap --mask causal");
  CHECK(next(80, {"--cell", "A:1,0"}) ==
        "Next:  attn heatmap --mask causal   or   attn help attention");
}
