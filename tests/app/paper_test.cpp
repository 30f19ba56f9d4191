// Sheets on paper: A4 and Letter, blanks to write in, one document for a class, without names.
#include <doctest/doctest.h>

#include <filesystem>

#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

/// A class of two with sheets as LaTeX and HTML.
struct PaperClass {
  TemporaryFolder folder;
  std::string path = folder.path("week1");

  Ran make(const std::vector<std::string>& more, const std::string& preset = "causal") const {
    std::vector<std::string> args{
        "exercise",    "make",
        "--preset",    preset,
        "-o",          path,
        "--roster",    folder.write("roster.csv", "id\nann.lee\nbob\n"),
        "--salt-file", folder.write("salt", "a salt that is long enough")};
    args.insert(args.end(), more.begin(), more.end());
    return attn_run(args);
  }
  std::string text(const std::string& name) const { return read_text(path + "/" + name); }
};

}  // namespace

TEST_CASE("paper: sheets are portrait for A4 and Letter, with blanks for a hand" *
          doctest::test_suite("long")) {
  const PaperClass desk;
  REQUIRE(desk.make({"--format", "json,latex,html"}).exit_code == 0);
  const std::string tex = desk.text("sheets/bob.tex"), html = desk.text("sheets/bob.html");
  CHECK(has(tex, "a4paper,portrait,left=15mm,top=15mm,width=180mm,height=249mm,footskip=7mm"));
  CHECK(has(tex, "\\rule{0pt}{8mm}\\underline{\\hspace{15mm}}"));
  CHECK(has(tex, "\\par\\nopagebreak"));
  CHECK(has(html, "@page { size: portrait; margin: 15mm; }"));
  CHECK(has(html, "td.blank { min-width: 15mm; height: 8mm; }"));
  CHECK(!has(desk.text("key/answers/bob.tex"), "nopagebreak"));  // nothing to write in
  const Ran page = attn_run({"explain", "--format", "html"});
  CHECK(!has(page.out, "size: portrait"));
}

TEST_CASE("paper: wide matrices are in smaller letters, not on larger paper") {
  const TemporaryFolder folder;
  const std::string path = folder.path("wide");
  const std::string spec =
      folder.write("spec.json",
                   R"({"problem": {"q": {"randint": [18, 3], "seed": 1, "low": -2, "high": 3},
                      "k": {"randint": [18, 3], "seed": 2, "low": -2, "high": 3},
                      "v": {"randint": [18, 3], "seed": 3, "low": -2, "high": 3}},
          "steps": {"weights": 1}, "blanks": "all"})");
  const Ran made =
      attn_run({"exercise", "make", "--spec", spec, "--format", "json,latex", "-o", path});
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  const std::string tex = read_text(path + "/sheets/sheet.tex");
  CHECK(has(tex, "width=180mm"));
  CHECK(has(tex, "{\\footnotesize\n\\[\n\\resizebox{\\ifdim\\width>\\linewidth"));
  CHECK(has(tex, "\\usepackage{amsmath}\\usepackage{graphicx}\n"));
  CHECK(has(tex, "\\hspace{7mm}"));
}

TEST_CASE("paper: --merge writes one document, a page for each student" *
          doctest::test_suite("long")) {
  const PaperClass desk;
  REQUIRE(desk.make({"--format", "json,latex,html", "--merge"}).exit_code == 0);
  const std::string tex = desk.text("all-sheets.tex"), html = desk.text("all-sheets.html");
  CHECK(count_of(tex, "\\documentclass") == 1);
  CHECK(count_of(tex, "\\clearpage") == 1);
  for (const std::string& text : {tex, html}) {
    CHECK(has(text, "student ann.lee"));
    CHECK(has(text, "student bob"));
  }
  CHECK(count_of(html, "class=\"sheet\"") == 1);
  CHECK(count_of(html, "id=\"step-scores\"") == 1);
  CHECK(attn_run({"exercise", "verify", desk.path}).exit_code == 0);
}

TEST_CASE(
    "paper: --slips puts each name on a strip above its sheet, which shows only the variant") {
  const PaperClass desk;
  const std::string roster = desk.folder.write(
      "names.csv",
      "id,Last Name,penalty,first_name,Username,Group name,PRÉNOM\n"
      "ann.lee,Lee,10%,Ann,login,blue,\nbob,\"O'Neil <b>\",,猫,login,blue,Élie\n");
  const auto make = [&](std::vector<std::string> more) {
    fs::remove_all(desk.path);
    std::vector<std::string> args{
        "exercise",    "make",
        "--preset",    "causal",
        "-o",          desk.path,
        "--salt-file", desk.folder.write("salt", "a salt that is long enough"),
        "--format",    "json,latex,html,text"};
    args.insert(args.end(), more.begin(), more.end());
    return attn_run(args);
  };
  const Ran made = make({"--roster", roster, "--merge", "--slips"});
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  const std::string tex = desk.text("all-sheets.tex"), html = desk.text("all-sheets.html");
  CHECK(count_of(tex, "\\clearpage") == 1);  // a slip and its sheet are on one page
  CHECK(count_of(html, "class=\"sheet\"") == 1);
  for (const std::string& text : {tex, html}) {
    CHECK(count_of(text, "fold back, or cut off, here") == 2);
    for (const char* other : {"10% ·", "login", "blue"}) CHECK(!has(text, other));
    CHECK(!has(text, "student ann.lee"));
    CHECK(!has(text, "Who gets which sheet"));
  }
  CHECK(count_of(tex, "ann.lee $\\cdot$ Lee $\\cdot$ Ann\\par") == 1);
  CHECK(count_of(html, "<h1>ann.lee · Lee · Ann</h1>") == 1);
  CHECK(has(html, "bob · O'Neil &lt;b&gt; · 猫 · Élie"));
  CHECK(has(tex, "{ctex}"));  // for 猫
  const std::string own = desk.text("sheets/ann.lee.txt");
  CHECK(own.starts_with("ann.lee · Lee · Ann "));
  CHECK(own.find("fold back") < own.find("causal"));
  CHECK(has(desk.text("sheets/ann.lee.html"), "<h1>ann.lee"));
  CHECK(!has(desk.text("key/answers/ann.lee.txt"), "fold back"));
  CHECK(has(make({"--slips"}).err, "--slips needs names"));
  CHECK(make({"--roster", roster, "--slips", "--anonymous"}).exit_code == 2);
}

TEST_CASE("paper: a sheet with a mistake to find begins on a page of its own, too") {
  const PaperClass desk;
  REQUIRE(desk.make({"--format", "json,latex,html", "--merge", "--anonymous"}, "find-the-bug")
              .exit_code == 0);
  const std::string tex = desk.text("all-sheets.tex"), html = desk.text("all-sheets.html");
  CHECK(count_of(tex, "\\clearpage") == 2);
  CHECK(count_of(html, "class=\"sheet\"") == 2);
  CHECK(has(tex, "a4paper,portrait"));
}

TEST_CASE("paper: --anonymous leaves names to a page in front, and grading knows whose it is") {
  const PaperClass desk;
  REQUIRE(desk.make({"--format", "json,latex,html", "--merge", "--anonymous"}).exit_code == 0);
  CHECK(!has(desk.text("sheets/bob.tex"), "student bob"));
  CHECK(has(desk.text("sheets/bob.json"), "\"student\": \"bob\""));
  const std::string tex = desk.text("all-sheets.tex");
  CHECK(count_of(tex, "\\clearpage") == 2);
  CHECK(count_of(tex, "ann.lee") == 1);
  CHECK(has(tex, "Who gets which sheet: causal"));
  fs::remove_all(desk.path);
  const Ran refused = desk.make({"--anonymous"});
  CHECK(refused.exit_code == 2);
  CHECK(has(unwrapped(refused.err), idle("--anonymous") + ": " + kNoDocument));
}
