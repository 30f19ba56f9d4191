// An exercise in German: all that a student reads, from the sheet to the result.
#include <doctest/doctest.h>

#include <filesystem>

#include "attn/io/sheet_file.hpp"
#include "attn/number_text.hpp"
#include "attn/teach/grading.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr const char* kGermanHint = "Was geschieht mit den Scores zwischen Q·Kᵀ und dem Softmax?";

/// An exercise whose file says that it is in German, and a sheet without the scale.
struct GermanExercise {
  TemporaryFolder folder;

  GermanExercise() {
    const std::string spec = folder.write(
        "spec.json", R"({"preset": "causal", "language": "de", "mistakes": ["scale.missing"]})");
    const Ran made = attn_run(
        {"exercise", "make", "--spec", spec, "--format", "json,text", "-o", path("week1")});
    CAPTURE(made.err);
    REQUIRE(made.exit_code == 0);
    Sheet sheet = parse_sheet(read_text(path("week1/sheets/sheet.json")), "").sheet;
    const Trace work = with_mistake(computation_of(sheet), "scale.missing");
    for (SheetStep& step : sheet.steps) {
      for (std::size_t i = 0; i < step.numbers.size(); ++i) {
        if (step.blank[i] != 0)
          step.numbers[i] = rounded_to(work.value(step.id).data()[i], sheet.decimals);
      }
    }
    std::filesystem::create_directory(path("in"));
    folder.write("in/sheet.json", sheet_json(sheet));
  }
  std::string path(const std::string& name) const { return folder.path(name); }
};

}  // namespace

TEST_CASE("exercise language: sheets, checks, reports, results and questions are in German") {
  const GermanExercise desk;
  const std::string sheet = desk.path("in/sheet.json"), key = desk.path("week1/key");
  const std::string json = read_text(desk.path("week1/sheets/sheet.json"));
  CHECK(has(json, "\"language\": \"de\""));
  CHECK(has(json, "Schreib in \\\"answers\\\" über jedes null eine Zahl"));
  CHECK(has(read_text(desk.path("week1/sheets/sheet.txt")), "Fülle die Lücken aus"));
  const std::string said = unwrapped(attn_run({"check", sheet}).out);
  CAPTURE(said);
  CHECK(has(said, kGermanHint));
  CHECK(!has(said, "Likely cause"));
  const std::string result = attn_run({"check", sheet, "--key", key, "--format", "gradescope"}).out;
  CAPTURE(result);
  CHECK(has(result, kGermanHint));
  CHECK(has(result, "Lücken richtig."));
  CHECK(has(result, "von 10 Punkten"));
  for (const char* as : {"text", "markdown", "html"}) {
    const std::string reports = desk.path(std::string("reports-") + as);
    REQUIRE(attn_run({"exercise", "grade", desk.path("in"), "--key", key, "--reports", reports,
                      "--reports-as", as})
                .exit_code == 0);
    for (const auto& file : std::filesystem::directory_iterator(reports))
      CHECK(has(unwrapped(read_text(file.path().string())), "Frag dich"));
  }
  const auto book = [&](std::vector<std::string> more) {
    std::vector<std::string> args{"exercise", "grade",       desk.path("in"),   "--key",
                                  key,        "--gradebook", desk.path("g.csv")};
    args.insert(args.end(), more.begin(), more.end());
    REQUIRE(attn_run(args).exit_code == 0);
    return read_text(desk.path("g.csv"));
  };
  CHECK(has(book({"--for", "moodle"}), "Lücken falsch (scale.missing)"));
  CHECK(has(book({}), "blanks wrong (scale.missing)"));  // for the teacher, and for programs
  const std::string moodle =
      attn_run({"exercise", "export", desk.path("week1"), "--format", "moodle-xml"}).out;
  CHECK(has(moodle, "Runde auf 3 Nachkommastellen"));
  CHECK(has(moodle, "#Richtig."));
  CHECK(has(moodle, std::string("#") + kGermanHint));
  CHECK(!has(moodle, "Right."));
}

TEST_CASE("exercise language: --lang decides when sheets are made, and when they are read") {
  const GermanExercise desk;
  const std::string sheet = desk.path("in/sheet.json");
  CHECK(has(attn_run({"check", sheet, "--lang", "en"}).out, "Likely cause"));
  CHECK(has(attn_run({"check", sheet, "--lang", "zh"}).out, "√d_k"));
  CHECK(!has(attn_run({"check", sheet, "--lang", "zh"}).out, "Frag dich"));
  const auto made = [&](const std::string& code) {
    attn_run({"exercise", "make", "--spec", desk.path("spec.json"), "--lang", code, "-o",
              desk.path(code)});
    return read_text(desk.path(code + "/sheets/sheet.json"));
  };
  CHECK(has(made("zh"), "\"language\": \"zh\""));
  const std::string english = made("en");
  CHECK(!has(english, "\"language\""));
  CHECK(has(english, "Write a number over each null"));
}

TEST_CASE("exercise language: what a sheet carries is not sealed; one that is none is refused") {
  const GermanExercise desk;
  const std::string text = read_text(desk.path("week1/sheets/sheet.json"));
  SheetFile file = parse_sheet(text, "");
  CHECK(file.sheet.instructions.empty());  // the usual ones
  CHECK(sheet_json(file.sheet) == text);
  file.sheet.language.clear();
  CHECK(sheet_seal(file.sheet) == file.seal);
  std::string other = text;
  other.replace(other.find("\"language\": \"de\""), 16, "\"language\": \"xx\"");
  CHECK(parse_sheet(other, "").sheet.language.empty());
  const Ran wrong =
      attn_run({"exercise", "make", "--spec",
                desk.folder.write("x.json", R"({"preset": "self", "language": "xx"})"), "-o",
                desk.path("x")});
  CHECK(wrong.exit_code == 3);
  CHECK(has(unwrapped(wrong.err), "expected en, de or zh, found the string \"xx\""));
}
