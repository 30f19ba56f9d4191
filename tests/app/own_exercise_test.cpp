// attn exercise make with the teacher's own numbers, words and page.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "attn/io/samples.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/teach/grading.hpp"
#include "support/pace.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// A folder with problems, specs that use them, and the exercises made from these.
struct OwnExercise {
  TemporaryFolder folder;

  void problem(const std::string& sample) const {
    attn_run({"new", "--sample", sample, "-o", folder.path(sample + ".json")});
  }
  Ran make(const std::string& spec, const Words& more = {}) {
    Words args{"exercise", "make", "--spec", folder.write("spec.json", spec), "-o", path()};
    args.insert(args.end(), more.begin(), more.end());
    fs::remove_all(path());
    return attn_run(args);
  }
  std::string path() const { return folder.path("week1"); }
  attn::SheetFile sheet(const std::string& name = "sheets/sheet.json") const {
    return attn::parse_sheet(read_text(path() + "/" + name), "");
  }
};

/// Whether every cell of the step is for the student to fill in.
bool is_hidden(const attn::SheetStep& step) {
  return std::find(step.blank.begin(), step.blank.end(), 0) == step.blank.end();
}

}  // namespace

TEST_CASE("own exercise: any steps of one's own problem are hidden, proved and graded") {
  OwnExercise desk;
  desk.problem("04-causal");
  const Ran ran = desk.make(
      R"({"problem": {"file": "04-causal.json"}, "steps": {"scores": 0, "weights": 3}, "blanks": "all"})");
  CAPTURE(ran.err);
  REQUIRE(ran.exit_code == 0);
  CHECK(has(ran.out, "your own numbers"));
  CHECK(!has(ran.out, "mask.missing"));  // it is among the mistakes that show
  const attn::Sheet sheet = desk.sheet().sheet;
  CHECK(sheet.problem.tokens.front().front() == "we");
  REQUIRE(sheet.steps.size() == 2);
  CHECK(!is_hidden(sheet.steps[0]));
  CHECK(is_hidden(sheet.steps[1]));
  CHECK(attn_run({"exercise", "verify", desk.path()}).out == "1 sheet: it passes every check\n");
  const Ran right = attn_run({"check", desk.path() + "/key/answers/sheet.json"});
  CHECK(right.exit_code == 0);
  CHECK(has(right.out, "3 of 3 points"));
}

TEST_CASE("own exercise: without steps, the usual ones that the problem has; every sample but two" *
          doctest::test_suite("long")) {
  OwnExercise desk;
  std::size_t count = 0;
  for (const attn::Sample& sample : attn::samples()) {
    if (++count % kEach != 0) continue;
    CAPTURE(sample.name);
    desk.problem(std::string(sample.name));
    const std::string spec = "{\"problem\": \"" + std::string(sample.name) + ".json\"";
    const Ran ran = desk.make(spec + "}");
    const bool too_exact = sample.name == std::string_view("15-induction") ||
                           sample.name == std::string_view("16-reversal");
    CHECK(ran.exit_code == (too_exact ? 2 : 0));
    if (too_exact) CHECK(has(unwrapped(ran.err), "too strict"));
    if (!too_exact) CHECK(attn_run({"exercise", "verify", desk.path()}).exit_code == 0);
  }
}

TEST_CASE("own exercise: random numbers for one's own tokens, in a spec or with --words" *
          doctest::test_suite("long")) {
  OwnExercise desk;
  const std::string spec = R"({"preset": "causal", "tokens": ["猫", "sat", "on", "it"]})";
  REQUIRE(desk.make(spec).exit_code == 0);
  CHECK(desk.sheet().sheet.problem.tokens.front() == Words{"猫", "sat", "on", "it"});
  CHECK(attn_run({"exercise", "verify", desk.path()}).exit_code == 0);
  REQUIRE(desk.make(spec, {"--words", "a,b,c,d,e"}).exit_code == 0);
  CHECK(desk.sheet().sheet.problem.tokens.front() == Words{"a", "b", "c", "d", "e"});
  REQUIRE(desk.make(spec, {"--tokens", "5"}).exit_code == 0);
  CHECK(desk.sheet().sheet.problem.tokens.empty());
  for (const std::string wrong : {"[]", "[1, 2]", "\"four\"", "[\"a\", 2]", "[\"a\", \" \"]"}) {
    CAPTURE(wrong);
    CHECK(desk.make(R"({"preset": "self", "tokens": )" + wrong + "}").exit_code != 0);
  }
}

TEST_CASE("own exercise: a problem for each student; what is not proved is said" *
          doctest::test_suite("long")) {
  OwnExercise desk;
  desk.problem("01-one-head");
  desk.problem("04-causal");
  const std::string roster = desk.folder.write("roster.csv", "id\na\nb\n");
  const Words options{"--roster", roster, "--salt-file",
                      desk.folder.write("salt", "a salt that is long enough")};
  const Ran each = desk.make(
      R"({"problem": {"students": {"a": {"file": "01-one-head.json"}, "b": "04-causal.json"}}})",
      options);
  CAPTURE(each.err);
  REQUIRE(each.exit_code == 0);
  CHECK(has(unwrapped(each.out), "The sheets are not equally long"));
  CHECK(desk.sheet("sheets/a.json").sheet.problem.tokens.front().front() == "the");
  CHECK(desk.sheet("sheets/b.json").sheet.problem.tokens.front().front() == "we");
  CHECK(attn_run({"exercise", "verify", desk.path()}).exit_code == 0);
  const Ran alike = desk.make(R"({"problem": "04-causal.json"})", options);
  CHECK(
      has(unwrapped(alike.out), "The problem is the same on all sheets, so answers can be copied"));
  CHECK(attn_run({"exercise", "verify", desk.path()}).out == "2 sheets: all pass every check\n");
  const Ran missing = desk.make(R"({"problem": {"students": {"a": "04-causal.json"}}})", options);
  CHECK(missing.exit_code == 3);
  CHECK(has(unwrapped(missing.err), no_such("problem for the student", "b")));
  const Ran nobody = desk.make(R"({"problem": {"students": {"a": "04-causal.json"}}})");
  CHECK(has(unwrapped(nobody.err), "Give a roster that names the students."));
}

TEST_CASE("own exercise: a step of a whole model; which mistakes show is not said to be known") {
  OwnExercise desk;
  desk.problem("24-experts");
  const Ran ran =
      desk.make(R"({"problem": "24-experts.json", "steps": {"layers.0.self_attn.weights": 2}})");
  CAPTURE(ran.err);
  REQUIRE(ran.exit_code == 0);
  CHECK(has(unwrapped(ran.out), "Which mistakes show in the blanks was not tried"));
  CHECK(!has(ran.out, "no two look alike"));
  CHECK(attn_run({"check", desk.path() + "/key/answers/sheet.json"}).exit_code == 0);
}

TEST_CASE("own exercise: one large number in a whole model lets no others pass") {
  OwnExercise desk;
  desk.problem("24-experts");
  const Ran ran = desk.make(
      R"({"problem": "24-experts.json", "blanks": "all", "steps": {"output": 1, "logits": 4}})");
  REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
  const attn::Sheet key = desk.sheet("key/answers/sheet.json").sheet;
  attn::Sheet mine = key;
  const auto numbers = [&](const std::string& id) -> std::vector<double>& {
    return std::find_if(mine.steps.begin(), mine.steps.end(),
                        [&](const attn::SheetStep& each) { return each.id == id; })
        ->numbers;
  };
  numbers("output").front() = 1e4;
  for (double& x : numbers("logits")) x = 0.0;
  const attn::Grade grade = attn::grade_sheet(key, {attn::answers_of(mine), std::nullopt});
  CHECK(grade.report.score < 1.5);
}

TEST_CASE("own exercise: title, instructions and self-check are the teacher's, and not sealed") {
  OwnExercise desk;
  const Ran ran = desk.make(
      R"({"preset": "causal", "title": "The cat", "instructions": "Due Monday.", "self_check": "off"})",
      {"--format", "text"});
  CAPTURE(ran.err);
  REQUIRE(ran.exit_code == 0);
  const std::string text = read_text(desk.path() + "/sheets/sheet.json");
  CHECK(has(text, "\"instructions\": \"Due Monday.\""));
  CHECK(has(text, "\"self_check\": \"off\""));
  const std::string printed = read_text(desk.path() + "/sheets/sheet.txt");
  CHECK(printed.starts_with("The cat "));
  CHECK(has(printed, "Due Monday.\n"));
  CHECK(has(printed, kFillIn));
  attn::Sheet sheet = desk.sheet().sheet;
  CHECK(sheet.instructions == "Due Monday.");
  CHECK(attn::sheet_json(sheet) == text);
  const std::string seal = attn::sheet_seal(sheet);
  sheet.self_check = "causes";
  sheet.instructions = "Due Tuesday.";
  CHECK(attn::sheet_seal(sheet) == seal);
  CHECK(has(unwrapped(desk.make(R"({"preset": "self", "self_check": "on"})").err),
            "expected off, cells or causes, found the string \"on\""));
}

TEST_CASE("own exercise: questions for platforms have its title, instructions and tokens") {
  OwnExercise desk;
  const Ran ran = desk.make(
      R"({"problem": {"tokens": ["a&b", "{1:SA:=x}"], "q": [[1, 0], [0, 1]], "k": [[1, 2], [0, 1]], "v": [[1, 0], [2, 1]]},
          "title": "The <cat>", "instructions": "Due {Monday}.", "steps": {"weights": 2}, "force": true})");
  REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
  const std::string moodle =
      attn_run({"exercise", "export", desk.path(), "--format", "moodle-xml"}).out;
  CHECK(has(moodle, "<b>The &lt;cat&gt;</b>"));
  CHECK(has(moodle, "<p>Due &#123;Monday}.</p>"));
  CHECK(has(moodle, "<th>a&amp;b</th>"));
  CHECK(has(moodle, "<th>&#123;1:SA:=x}</th>"));
  CHECK(!has(moodle, "{1:SA"));
}

TEST_CASE("own exercise: each line of the instructions is a paragraph in every format" *
          doctest::test_suite("long")) {
  OwnExercise desk;
  for (const std::string format : {"text", "markdown", "latex", "html"}) {
    CAPTURE(format);
    const Ran ran =
        desk.make(R"({"preset": "causal", "instructions": "Work in pairs.\n\nDue Monday.\r\n"})",
                  {"--format", format});
    REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
    for (const auto& file : fs::directory_iterator(desk.path() + "/sheets")) {
      if (file.path().extension() == ".json") continue;
      const std::string text = read_text(file.path().string());
      CHECK(has(text, "Due Monday."));
      const bool page = format == "html";  // which also holds the JSON
      CHECK((page ? has(text, "<p>Work in pairs.</p>") : !has(text, "pairs.\\n")));
      CHECK(!has(text, "pairs. Due"));
    }
  }
  const auto exported = attn_run({"exercise", "export", desk.path(), "--format", "moodle-xml"});
  CHECK(has(exported.out, "<p>Work in pairs.</p><p>Due Monday.</p>"));
}

TEST_CASE("own exercise: converting a filled sheet says that only tables keep the answers") {
  OwnExercise desk;
  REQUIRE(desk.make(R"({"preset": "causal"})").exit_code == 0);
  const auto convert = [&](const std::string& sheet, const std::string& ending) {
    const Ran ran = attn_run({"convert", desk.path() + sheet, "-o", desk.folder.path(ending)});
    CHECK(ran.exit_code == 0);
    return unwrapped(ran.err);
  };
  for (const std::string ending : {"a.txt", "a.html", "a.md"}) {
    CHECK(has(convert("/key/answers/sheet.json", ending), "are empty: what was filled in is only"));
    CHECK(!has(convert("/sheets/sheet.json", ending), "are empty"));
  }
  CHECK(!has(convert("/key/answers/sheet.json", "a.csv"), "are empty"));
}

TEST_CASE("own exercise: what does not go with one's own problem is refused at its place") {
  OwnExercise desk;
  desk.problem("04-causal");
  const auto refused = [&](const std::string& spec, const Words& more = {}) {
    const Ran ran = desk.make(spec, more);
    CHECK(ran.exit_code != 0);
    CHECK(!fs::exists(desk.path()));
    return unwrapped(ran.err);
  };
  CHECK(has(refused(R"({"problem": "04-causal.json", "d_k": 3})"),
            "\"d_k\" is for random problems, and this exercise has a \"problem\" of its own"));
  CHECK(has(refused(R"({"problem": "04-causal.json"})", {"--tokens", "3"}), idle("--tokens")));
  CHECK(has(refused(R"({"problem": "../04-causal.json"})"), "is not inside"));
  CHECK(has(refused(R"({"problem": {"q": [[1]], "k": [[1, 2]], "v": [[1]]}})"), "/problem/q"));
  CHECK(has(refused(R"({"problem": "04-causal.json", "steps": {"wieghts": 1}})"), "wieghts"));
  CHECK(has(refused(R"({"problem": {"heads": 8, "q": {"randn": [64, 64], "seed": 1},
                        "k": {"randn": [64, 64], "seed": 2}, "v": {"randn": [64, 64], "seed": 3}}})"),
            "cells, and 10000 are the most"));
  CHECK(has(refused(R"({"problem": "04-causal.json", "mistakes": ["heads.order"]})"),
            unseen("heads.order") + kCannotOccur));
}

TEST_CASE("own exercise: --web writes the page once, and with html a page with each sheet inside") {
  OwnExercise desk;
  const std::string place = "<script type=\"application/json\" id=\"sheet\">";
  const std::string page = desk.folder.write("attn.html", "<body>" + place + "</script></body>");
  const Words options{"--preset", "softmax", "--web", page};
  const std::string spec = R"({"title": "a </script><script>b", "preset": "softmax"})";
  REQUIRE(desk.make(spec, options).exit_code == 0);
  CHECK(read_text(desk.path() + "/attn.html") == "<body>" + place + "{}</script></body>");
  CHECK(!fs::exists(desk.path() + "/sheets/sheet.html"));
  Words both = options;
  both.insert(both.end(), {"--format", "json,html"});
  REQUIRE(desk.make(spec, both).exit_code == 0);
  const std::string own = read_text(desk.path() + "/sheets/sheet.html");
  CHECK(own.starts_with("<body>" + place + "{"));
  CHECK(count_of(own, "</script>") == 1);
  CHECK(has(own, "a \\u003c/script>"));
  CHECK(has(read_text(desk.path() + "/key/answers/sheet.html"), "not to be handed out"));
  CHECK(attn_run({"exercise", "verify", desk.path()}).exit_code == 0);
  const Ran wrong = desk.make(spec, {"--web", desk.folder.write("other.html", "<body></body>")});
  CHECK(wrong.exit_code == 3);
  CHECK(has(unwrapped(wrong.err), "is not attn.html, or was made by another version"));
}
