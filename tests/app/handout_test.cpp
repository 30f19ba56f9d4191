// Handouts: blanks, their keys, and sheets to print.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

/// The text from `from` up to `to`.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  REQUIRE(begin != text.npos);
  return text.substr(begin, text.find(to, begin) - begin);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("handout: the numbers of these steps, and of no others, are blank in every format") {
  const std::vector<std::string> args{"explain", "--mask", "causal", "--blank", "scores,weights"};
  const auto in = [&](const char* format) {
    std::vector<std::string> all = args;
    all.insert(all.end(), {"--format", format});
    const Ran ran = attn_run(all);
    CHECK(ran.exit_code == 0);
    return ran.out;
  };
  CHECK(count(in("text"), " ______") == 50);
  CHECK(count(in("latex"), "\\underline{\\hspace{") == 50);
  CHECK(count(in("markdown"), "|          |") + count(in("markdown"), "          |          ") > 0);
  CHECK(count(in("html"), "<td class=\"blank\">") == 50);
  const std::string weights = between(in("text"), "[8/9]", "[9/9]");
  CHECK(weights.find_first_of("0123456789", weights.find("query\\key")) == weights.npos);
  CHECK(has(in("text"), "0.5  2.0    1.0"));  // scaled scores are given
}

TEST_CASE("handout: no arithmetic shows a number that is blank") {
  const std::string page = attn_run({"explain", "--mask", "causal", "--blank", "scores"}).out;
  CHECK(!has(page, "S["));  // neither in its own step nor in the next one
  CHECK(has(page, "A["));
  CHECK(has(page, "Q["));
  const std::string html =
      attn_run({"explain", "--blank", "scores", "--format", "html", "--mask", "causal"}).out;
  CHECK(!has(html, "\"scores\":"));
}

TEST_CASE("handout: --solution writes the key as a second document") {
  const TemporaryFolder folder;
  const std::string sheet = folder.path("sheet.md"), key = folder.path("key.tex");
  CHECK(attn_run({"explain", "--blank", "scores", "-o", sheet, "--solution", key}).exit_code == 0);
  CHECK(has(read_text(sheet), "|          |"));
  CHECK(read_text(key) == attn_run({"explain", "--format", "latex"}).out);
}

TEST_CASE("handout: what cannot be blank is refused with the reason") {
  CHECK(has(usage({"explain", "--solution", "key.md"}), "error[needs-blank]"));
  CHECK(has(usage({"explain", "--blank", "scores", "--json"}), "error[text-only]"));
  CHECK(has(usage({"explain", "--blank", "wieghts"}), "error[no-such-step]"));
  CHECK(has(usage({"explain", "--blank", "mask", "--mask", "causal"}), "error[no-such-blank]"));
  CHECK(attn_run({"explain", "--blank", "scores", "--summary"}).exit_code == 2);
}

TEST_CASE("handout: exercise sheets can be printed, and their keys too") {
  const TemporaryFolder folder;
  const std::string path = folder.path("week1");
  const Ran made =
      attn_run({"exercise", "make", "--preset", "causal", "--heads", "2", "--mistakes",
                "scale.missing", "--format", "json,text,markdown,latex,html", "-o", path});
  CHECK(made.exit_code == 0);
  const std::string json = read_text(path + "/sheets/sheet.json");
  const std::string answers =
      json.substr(json.find("\"answers\""), json.find("\"blanks\"") - json.find("\"answers\""));
  const std::size_t blanks = count(answers, "null");
  CHECK(blanks > 0);
  const std::string text = read_text(path + "/sheets/sheet.txt");
  CHECK(count(text, " _") == blanks);
  CHECK(has(text, "variant "));
  CHECK(has(text, "points)"));
  CHECK(count(read_text(path + "/sheets/sheet.tex"), "\\underline{\\hspace{") == blanks);
  CHECK(count(read_text(path + "/sheets/sheet.html"), "<td class=\"blank\">") == blanks);
  CHECK(has(read_text(path + "/sheets/sheet.tex"), "\\documentclass"));
  for (const char* ending : {".txt", ".md", ".tex", ".html"}) {
    const std::string key = read_text(path + "/key/answers/sheet" + ending);
    CHECK(!has(key, "______"));
    CHECK(!has(key, "\\underline"));
    CHECK(!has(key, "class=\"blank\""));
    CHECK(key.size() > 1000);
    CHECK(has(key, "Solutions: causal"));
    CHECK(has(key, "For the teacher"));
    CHECK(!has(key, "Fill in"));
    CHECK(has(read_text(path + "/sheets/sheet" + ending), kFillIn));
  }
  CHECK(
      has(read_text(path + "/key/answers/sheet.html"), "<title>Solutions: causal · attn</title>"));
  CHECK(!has(read_text(path + "/key/answers/sheet.json"), "Solutions"));
  CHECK(attn_run({"exercise", "verify", path}).exit_code == 0);
}

TEST_CASE("handout: a sheet numbers its mask, and defines every name in its formulas") {
  const TemporaryFolder folder;
  const auto sheet = [&](const std::string& preset) {
    const std::string path = folder.path(preset);
    CHECK(attn_run({"exercise", "make", "--preset", preset, "--mistakes", "scale.missing",
                    "--format", "text", "-o", path})
              .exit_code == 0);
    return read_text(path + "/sheets/sheet.txt");
  };
  const std::string causal = sheet("causal");
  CHECK(has(causal, "[7/9] mask   " + std::string(kMaskCells)));
  CHECK(has(causal, std::string("    with M = S′, −∞") + kWhereHidden + "\n"));
  CHECK(count(causal, "    ·  hidden") == 1);
  const std::string heads = sheet("multihead");
  CHECK(has(heads, "    with Q_i = Q cut into 2 heads; K_i = K cut into 2 heads\n"));
  CHECK(has(heads, "    with Z = A·V_i; V_i = V cut into 2 heads\n"));
  const std::string key = attn_run({"exercise", "key", folder.path("multihead")}).out;
  const std::size_t concat = key.find("C = Z side by side"), given = key.find("W_o ", concat);
  REQUIRE(given != std::string::npos);
  CHECK(has(key.substr(concat, given - concat), "    t3  "));  // its numbers, which are asked for
  CHECK(!has(sheet("self"), "    with "));
}

TEST_CASE("handout: where a bug lets hidden keys have weight, the sheet shows the weight") {
  const TemporaryFolder folder;
  for (int seed = 0;; ++seed) {
    REQUIRE(seed < 100);
    const std::string path = folder.path(std::to_string(seed));
    REQUIRE(attn_run({"exercise", "make", "--preset", "find-the-bug", "--format", "json,text",
                      "--seed", std::to_string(seed), "-o", path})
                .exit_code == 0);
    if (!has(read_text(path + "/key/answers/sheet.json"), "mask.weak_fill")) continue;
    const std::string text = read_text(path + "/sheets/sheet.txt");
    const std::size_t from = text.find("\n    query\\key", text.find("A = softmax(M)"));
    const std::string weights = text.substr(from, text.find("O = A", from) - from);
    CHECK(has(weights, "0."));
    CHECK_FALSE(has(weights, "·"));
    break;
  }
}

TEST_CASE("handout: a printed find-the-bug sheet asks for the step, its key names it") {
  const TemporaryFolder folder;
  const std::string path = folder.path("bug");
  CHECK(
      attn_run({"exercise", "make", "--preset", "find-the-bug", "--format", "markdown", "-o", path})
          .exit_code == 0);
  CHECK(has(read_text(path + "/sheets/sheet.md"), "**First wrong:** \\_\\_"));
  CHECK(has(read_text(path + "/sheets/sheet.md"),
            "by its code, which attn exercise rules lists: 2 points, half for each."));
  const std::string key = read_text(path + "/key/answers/sheet.md");
  CHECK(!has(key, "\\_\\_\\_"));
  CHECK(has(key, "# Solutions: find-the-bug"));
  CHECK(has(key, "**First wrong:** "));
  CHECK(!has(key, "Which, and why?"));
}
