// A teacher's own words about mistakes: wherever a student reads about one, and escaped there.
#include <doctest/doctest.h>

#include <filesystem>

#include "attn/io/sheet_file.hpp"
#include "attn/number_text.hpp"
#include "attn/suggest.hpp"
#include "attn/teach/grading.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

/// An exercise with texts about mistakes, and a student who made one of these.
struct OwnTextsDesk {
  TemporaryFolder folder;

  std::string path(const std::string& name) const { return folder.path("week1/" + name); }
  Ran make(const std::string& texts) const {
    const std::string spec = R"({"preset": "causal", "mistakes": ["scale.missing"],
                                 "mistake_texts": )" +
                             texts + "}";
    return attn_run({"exercise", "make", "--spec", folder.write("spec.json", spec), "-o",
                     folder.path("week1")});
  }
  /// The sheet as somebody fills it in who makes that mistake; without texts of its own.
  std::string hand_in(const std::string& code) const {
    Sheet sheet = parse_sheet(read_text(path("sheets/sheet.json")), "").sheet;
    const Trace work = with_mistake(computation_of(sheet), code);
    for (SheetStep& step : sheet.steps) {
      for (std::size_t i = 0; i < step.numbers.size(); ++i) {
        if (step.blank[i] != 0)
          step.numbers[i] = rounded_to(work.value(step.id).data()[i], sheet.decimals);
      }
    }
    return folder.write("handed-in.json", sheet_json(sheet));
  }
};

constexpr const char* kTexts =
    R"({"scale.missing": {"message": "√3 <is> missing & \"gone\".", "hint": "See page {12}~ of #1."}, "softmax.columns": "Rows, my friends."})";

}  // namespace

TEST_CASE(
    "own texts: check, with and without the key, reports and results say what the teacher says") {
  const OwnTextsDesk desk;
  const Ran made = desk.make(kTexts);
  CAPTURE(made.err);
  REQUIRE(made.exit_code == 0);
  const std::string file = desk.hand_in("scale.missing"), key = desk.path("key");
  const std::vector<std::vector<std::string>> commands{{"check", file},
                                                       {"check", file, "--key", key},
                                                       {"check", file, "--format", "markdown"},
                                                       {"check", file, "--lang", "de"}};
  for (const std::vector<std::string>& command : commands) {
    const std::string out = unwrapped(attn_run(command).out);
    CAPTURE(out);
    CHECK(has(out, "missing"));
    CHECK(has(out, "page"));
    CHECK(!has(out, find_mistake("scale.missing")->hint));
  }
  CHECK(has(attn_run({"check", file, "--hint=4"}).out, "See page {12}~ of #1."));
  CHECK(has(attn_run({"check", file, "--json"}).out, R"("√3 <is> missing & \"gone\".)"));
  CHECK(has(attn_run({"check", file, "--key", key, "--format", "gradescope"}).out,
            R"(√3 <is> missing & \"gone\". [scale.missing]\nSee page {12}~ of #1.)"));
  CHECK(has(attn_run({"check", file, "--format", "html"}).out, "√3 &lt;is&gt; missing &amp; "));
  std::filesystem::create_directory(desk.folder.path("in"));
  desk.folder.write("in/sheet.json", read_text(file));
  REQUIRE(attn_run({"exercise", "grade", desk.folder.path("in"), "--key", key, "--reports",
                    desk.folder.path("reports")})
              .exit_code == 0);
  CHECK(has(unwrapped(read_text(desk.folder.path("reports/sheet.txt"))), "See page {12}~ of #1."));
}

TEST_CASE("own texts: those of the key's exercise count, and Moodle shows them with its escapes") {
  const OwnTextsDesk desk;
  REQUIRE(desk.make(kTexts).exit_code == 0);
  const std::string file = desk.hand_in("scale.missing");
  const std::string moodle =
      attn_run({"exercise", "export", desk.folder.path("week1"), "--format", "moodle-xml"}).out;
  CHECK(has(moodle, "#See page &#123;12&#125;&#126; of &#35;1."));
  CHECK(!has(moodle, find_mistake("scale.missing")->hint));
  std::string key = read_text(desk.path("key/exercise.json"));
  const std::string before = "See page {12}~ of #1.";
  key.replace(key.find(before), before.size(), "See page 13.");
  desk.folder.write("week1/key/exercise.json", key);
  CHECK(has(attn_run({"check", file, "--key", desk.path("key")}).out, "See page 13."));
  CHECK(has(attn_run({"check", file}).out, "See page {12}~ of #1."));
}

TEST_CASE("own texts: what is written on a sheet is read back, and is not sealed") {
  const OwnTextsDesk desk;
  REQUIRE(desk.make(kTexts).exit_code == 0);
  const std::string text = read_text(desk.path("sheets/sheet.json"));
  SheetFile file = parse_sheet(text, "");
  CHECK(file.seal_fits);
  REQUIRE(file.sheet.mistake_texts.size() == 2);
  CHECK(file.sheet.mistake_texts["softmax.columns"].hint == "Rows, my friends.");
  CHECK(sheet_json(file.sheet) == text);
  file.sheet.mistake_texts.clear();
  CHECK(sheet_seal(file.sheet) == file.seal);
}

TEST_CASE("own texts: a code that is none, and texts that are empty or long, are refused") {
  const OwnTextsDesk desk;
  const auto refused = [&](const std::string& texts) {
    const Ran ran = desk.make(texts);
    CHECK(ran.exit_code == 3);
    return unwrapped(ran.err);
  };
  CHECK(has(refused(R"({"scale.mising": "x"})"),
            no_such("mistake", "scale.mising") + did_you_mean({"scale.missing"})));
  CHECK(has(refused(R"({"scale.missing": " "})"), "found an empty one"));
  CHECK(has(refused(R"({"scale.missing": {"hint": ""}})"), "/mistake_texts/scale.missing/hint"));
  CHECK(has(refused(R"({"scale.missing": ")" + std::string(501, 'x') + "\"}"),
            "the text has 501 characters, and 500 are the most"));
  CHECK(has(refused(R"({"scale.missing": {}})"), "a message or a hint about the mistake"));
  CHECK(has(refused(R"(["scale.missing"])"), kAnObject));
  CHECK(has(refused(R"({"scale.missing": 3})"), "/mistake_texts/scale.missing"));
  CHECK(has(refused(R"({"scale.missing": {"text": "x"}})"), "\"text\""));
  std::string wide;
  for (int i = 0; i < 500; ++i) wide += "猫";
  CHECK(desk.make(R"({"scale.missing": ")" + wide + "\"}").exit_code == 0);
  const std::string spec = desk.folder.write(
      "bug.json", R"({"preset": "find-the-bug", "mistake_texts": {"scale.missing": "x"}})");
  const Ran bug = attn_run({"exercise", "make", "--spec", spec, "-o", desk.folder.path("bug")});
  CHECK(has(unwrapped(bug.err), "texts about mistakes would never be shown"));
}
