// An exercise in German: all that a student reads, from the sheet to the result.
#include <doctest/doctest.h>

#include <filesystem>

#include "attn/io/sheet_file.hpp"
#include "attn/number_text.hpp"
#include "attn/teach/grading.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/phrases.hpp"
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
  CHECK(!has(said, kLikelyCause));
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
  CHECK(
      has(book({"--for", "moodle"}), "Lücken falsch (Die Scores sind nicht durch √d_k geteilt. "));
  CHECK(has(book({}), "blanks wrong (scale.missing)"));  // for the teacher, and for programs
  const std::string moodle =
      attn_run({"exercise", "export", desk.path("week1"), "--format", "moodle-xml"}).out;
  CHECK(has(moodle, "Runde auf 3 Nachkommastellen"));
  CHECK(has(moodle, "#Richtig."));
  CHECK(has(moodle, std::string("#") + kGermanHint));
  CHECK(!has(moodle, "Right."));
}

TEST_CASE("exercise language: explain shows a sheet, and errors speak, in the sheet's language") {
  const GermanExercise desk;
  const std::string sheet = desk.path("in/sheet.json"), text = read_text(sheet);
  const std::string shown = unwrapped(attn_run({"explain", sheet}).out);
  CHECK(has(shown, "Fülle die Lücken aus"));
  CHECK(!has(shown, kFillIn));
  CHECK(has(unwrapped(attn_run({"explain", sheet, "--lang", "en"}).out), kFillIn));
  const auto error = [&](std::string from, const std::string& to, std::vector<std::string> more) {
    std::string broken = text;
    if (!from.empty()) broken.replace(broken.find(from), from.size(), to);
    more.insert(more.begin(), {"check", desk.folder.write("broken.json", broken)});
    return unwrapped(attn_run(more).err);
  };
  CHECK(has(error("\"decimals\": 3", "\"decimals\": \"drei\"", {}),
            "Erwartet: eine ganze Zahl; gefunden: die Zeichenkette „drei“"));
  CHECK(has(error("\"decimals\": 3,", "\"decimals\": 3", {}), "Schreib "));
  CHECK(has(error("\"decimals\": 3", "\"decimals\": \"drei\"", {"--lang", "en"}), "expected "));
  CHECK(has(error("\"decimals\": 3", "\"decimals\": \"drei\"", {"--error-format", "json"}),
            "expected "));
  const std::string bugs = desk.path("bugs");
  REQUIRE(attn_run({"exercise", "make", "--preset", "find-the-bug", "--lang", "de", "-o", bugs})
              .exit_code == 0);
  const std::string bug = bugs + "/sheets/sheet.json";
  CHECK(has(read_text(bug), "attn exercise rules --lang de."));
  const std::string refused = unwrapped(attn_run({"check", bug}).err);
  CHECK(has(refused, "error[needs-key]: "));
  CHECK(!has(refused, "only its key"));
}

TEST_CASE("exercise language: --lang decides when sheets are made, and when they are read") {
  const GermanExercise desk;
  const std::string sheet = desk.path("in/sheet.json");
  CHECK(has(attn_run({"check", sheet, "--lang", "en"}).out, kLikelyCause));
  CHECK(has(attn_run({"check", sheet, "--lang", "zh"}).out, "√d_k"));
  app::Terminal terminal = screen(80);
  terminal.language = "en";
  CHECK(has(attn_run_on(terminal, {"check", sheet}).out, kLikelyCause));
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

namespace {

/// An exercise of two students with decimal commas; `hand_in` grades what one of them hands in.
struct CommaExercise {
  TemporaryFolder folder;
  std::string key = folder.path("week/key");

  explicit CommaExercise(const std::string& language, const std::string& preset = "self") {
    const std::string spec = folder.write(
        "spec.json", R"({"preset": ")" + preset + R"(", "decimal_mark": "comma")" + language + "}");
    const Ran made =
        attn_run({"exercise", "make", "--spec", spec, "--roster",
                  folder.write("roster.csv", "id\ns001\ns002\n"), "--salt-file",
                  folder.write("salt", "a salt that is long enough"), "-o", folder.path("week")});
    CAPTURE(made.err);
    REQUIRE(made.exit_code == 0);
    std::filesystem::create_directory(folder.path("in"));
  }
  std::string solved(const char* student) const {
    return read_text(key + "/answers/" + student + ".json");
  }
  /// The solved sheet of s001 with one row of weights that adds up to too much.
  std::string with_a_slip() const {
    Sheet sheet = parse_sheet(solved("s001"), "").sheet;
    for (SheetStep& step : sheet.steps) {
      if (step.id != "weights") continue;
      for (std::size_t i = 0; i < step.numbers.size(); ++i)
        if (step.blank[i] != 0) step.numbers[i] += 0.125;
    }
    return sheet_json(sheet);
  }
  std::string report_on(const std::string& text) const {
    folder.write("in/s001.json", text);
    const Ran ran = attn_run({"exercise", "grade", folder.path("in"), "--key", key, "--gradebook",
                              folder.path("book.csv"), "--reports", folder.path("reports")});
    CAPTURE(ran.err);
    REQUIRE(ran.exit_code == 0);
    return unwrapped(read_text(folder.path("reports/s001.txt")));
  }
  std::string result_of(const std::string& text) const {
    return attn_run({"check", folder.write("in/s001.json", text), "--key", key, "--student", "s001",
                     "--format", "gradescope"})
        .out;
  }
};

}  // namespace

TEST_CASE("exercise language: whose sheet somebody handed in, only the teacher reads") {
  const CommaExercise desk(R"(, "language": "de")");
  const std::string report = desk.report_on(desk.solved("s002"));
  CHECK(has(report, "Es ist nicht dein Blatt"));
  CHECK(!has(report, "s002"));
  CHECK(has(read_text(desk.folder.path("book.csv")), sheet_of("s002")));
  CHECK(!has(desk.result_of(desk.solved("s002")), "s002"));
  CHECK(!has(unwrapped(attn_run({"check", desk.folder.path("week/key/answers/s002.json"),
                                 "--student", "s001"})
                           .err),
             "\"s002\""));
}

TEST_CASE("exercise language: why a file cannot be graded is in the language of the exercise") {
  const CommaExercise german(R"(, "language": "de")"), chinese(R"(, "language": "zh")");
  CHECK(has(german.report_on("I lost it"), "Hinweis: Zeile 1: Erwartet: JSON; gefunden: I"));
  CHECK(has(german.result_of("I lost it"), "Zeile 1: Erwartet: JSON; gefunden: I. Das ist kein"));
  CHECK(has(chinese.report_on("I lost it"), "注意：第 1 行：应为 JSON，却是 I"));
  CHECK(has(chinese.result_of("I lost it"), "\\n第 1 行：应为 JSON，却是 I。这不是"));
}

TEST_CASE("exercise language: reports have the decimal mark of the sheets, in any language") {
  const std::pair<const char*, const char*> all[] = {
      {R"(, "language": "de")", "erlaubte Abweichung ±0,01"}, {"", "accepted within ±0,01"}};
  for (const auto& [language, within] : all) {
    const CommaExercise desk(language);
    const std::string report = desk.report_on(desk.with_a_slip());
    CAPTURE(report);
    CHECK(has(report, within));
    CHECK(has(report, "[evidence.sums]"));
    const std::size_t at = report.find("[evidence.sums]");
    CHECK(has(report.substr(at - 40, 40), ","));
    CHECK(!has(report.substr(at - 40, 40), "0."));
    for (std::size_t i = 1; i + 1 < report.size(); ++i) {
      const auto digit = [&](std::size_t j) { return report[j] >= '0' && report[j] <= '9'; };
      const bool decimal = report[i] == '.' && digit(i - 1) && digit(i + 1);
      CHECK_MESSAGE(!decimal, report.substr(i < 30 ? 0 : i - 30, 60));
    }
    const std::string why = attn_run({"exercise", "grade", desk.folder.path("in"), "--key",
                                      desk.key, "--why", "s001:scaled_scores:0,0"})
                                .out;
    CHECK(has(why, "±0,01"));
  }
}

TEST_CASE("exercise language: a solved sheet has one decimal mark and one language") {
  const CommaExercise desk(R"(, "language": "de")", "find-the-bug");
  const std::string key =
      attn_run({"exercise", "key", desk.folder.path("week"), "--student", "s001"}).out;
  CAPTURE(key);
  CHECK(has(unwrapped(key), "Kennung s001, Variante "));
  CHECK(has(unwrapped(key), "Der erste falsche Schritt auf dem Blatt ist "));
  for (std::size_t i = 1; i + 1 < key.size(); ++i) {
    const auto digit = [&](std::size_t j) { return key[j] >= '0' && key[j] <= '9'; };
    CHECK_MESSAGE(!(key[i] == '.' && digit(i - 1) && digit(i + 1)), key.substr(i - 1, 30));
  }
}

TEST_CASE("exercise language: sheets with commas say how to write one in JSON, and grades notice") {
  const CommaExercise desk("");
  const SheetFile file = parse_sheet(desk.solved("s001"), "");
  CHECK(has(sheet_json(file.sheet), R"(Write 0.5, or \"0,5\" in quotation marks.)"));
  CHECK(has(desk.report_on(desk.solved("s001")), kAllRight));
  Answers answers = file.answers;
  for (Answer& each : answers.matrices) {
    if (each.id != "weights") continue;
    each.shape.back() *= 2;  // 0,5 is two numbers
    each.numbers.resize(2 * each.numbers.size(), 0.5);
    each.states.clear();
  }
  const Grade grade = grade_sheet(file.sheet, {answers, {}});
  REQUIRE(!grade.report.notes.empty());
  CHECK(
      has(grade.report.notes.back(), "if decimals in weights have a comma, write 0.5, or \"0,5\""));
}

TEST_CASE("exercise language: the steps of a find-the-bug question have formulas and titles") {
  const CommaExercise desk(R"(, "language": "de")", "find-the-bug");
  const std::string moodle =
      attn_run({"exercise", "export", desk.folder.path("week"), "--format", "moodle-xml"}).out;
  CAPTURE(moodle);
  CHECK(has(moodle, "S′ = S / √d_k (skalierte Scores)"));
  CHECK(!has(moodle, "~scaled_scores~"));
  const Sheet sheet = parse_sheet(desk.solved("s001"), "").sheet;
  for (const SheetStep& step : sheet.steps) {
    if (step.id != "weights") continue;
    for (const double x : step.numbers) {  // 0,5 beside 0,123 is 0,500
      std::string number = format_fixed(x, 3);
      number[1] = ',';
      CHECK(has(moodle, "<td>" + number + "</td>"));
    }
  }
}

TEST_CASE("exercise language: mistakes that look alike are a list, in the summary of any language" *
          doctest::test_suite("long")) {
  const auto summary = [](const std::string& code) {
    const TemporaryFolder folder;
    return unwrapped(attn_run({"exercise", "make", "--preset", "self", "--blank-cells", "row",
                               "--lang", code, "-o", folder.path("week")})
                         .out);
  };
  CHECK(has(summary("en"), "swapped), projection.fused_cut ("));
  CHECK(has(summary("en"), ") and queries_keys.swapped ("));
  CHECK(has(summary("de"), "vertauscht), projection.fused_cut ("));
  CHECK(has(summary("de"), ") und queries_keys.swapped ("));
  const std::string chinese = summary("zh");
  CHECK(has(chinese, "）、projection.fused_cut（"));
  CHECK(has(chinese, "）和 queries_keys.swapped（"));
}
