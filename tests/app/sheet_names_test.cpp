// Sheets as students write them: other names of steps, and what gradebooks and sheets say.
#include <doctest/doctest.h>

#include <algorithm>

#include "attn/attend.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/language.hpp"
#include "attn/teach/gradebook.hpp"
#include "attn/teach/grading.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/classroom.hpp"
#include "support/phrases.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

const std::vector<ExerciseVariant>& named_variants() { return class_variants(6); }

std::string replaced_in(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

/// The number that is printed on the sheet before a step: "3/6".
std::string printed_number(const Sheet& sheet, const std::string& id) {
  const Trace trace = attend(make_problem(sheet.problem));
  const std::vector<const Step*> numbered = numbered_steps(trace, false);
  const auto at = std::find(numbered.begin(), numbered.end(), &trace.at(id));
  REQUIRE(at != numbered.end());
  return std::to_string(at - numbered.begin() + 1) + "/" + std::to_string(numbered.size());
}

}  // namespace

TEST_CASE("sheet names: a step is named in any case, by symbol, title or printed number") {
  const Trace trace = attend(make_problem(named_variants()[0].sheet.problem));
  const auto id_of = [&](const char* text) {
    const Step* step = step_meant(trace, text);
    return step == nullptr ? std::string("none") : step->id;
  };
  for (const char* text : {"Scaled Scores", "scaled-scores", " SCALED_SCORES ", "S'", "s′", "S’"})
    CHECK(id_of(text) == "scaled_scores");
  CHECK(id_of("A") == "weights");
  CHECK(id_of("attention weights") == "weights");
  CHECK(id_of("m") == "masked_scores");
  CHECK(id_of(printed_number(named_variants()[0].sheet, "weights").c_str()) == "weights");
  const std::string number = printed_number(named_variants()[0].sheet, "weights");
  CHECK(id_of(("[" + number + "]").c_str()) == "weights");
  for (const auto& [language, title] :
       {std::pair{"de", "skalierte Scores"}, {"zh", "缩放后的分数"}}) {
    CHECK(id_of(title) == "none");
    const LanguageInUse in_use(language_of(language));
    CHECK(id_of(title) == "scaled_scores");
    CHECK(id_of("scaled scores") == "scaled_scores");
  }
  for (const char* text : {"", "[", "[]", "wieghts", "6/99", "0", "99", "1/0", "-1", "99999999999"})
    CHECK(id_of(text) == "none");
}

TEST_CASE("sheet names: a name may be copied from a sheet or a report, in quotation marks or not") {
  const Trace trace = attend(make_problem(named_variants()[0].sheet.problem));
  const auto id_of = [&](const std::string& text) {
    const Step* step = step_named(trace, text);
    return step == nullptr ? std::string("none") : step->id;
  };
  const std::string number = printed_number(named_variants()[0].sheet, "weights"),
                    alone = number.substr(0, number.find('/'));
  const StepInfo& info = trace.at("weights").info();
  for (const std::string& text :
       {std::string("„A“"), std::string("“A”"), std::string("\"A\""), std::string("「A」"),
        std::string("‘A’"), std::string("'weights'"), std::string("„A.“"), std::string("“A”."),
        "Schritt " + alone, "„Schritt " + number + "“", "第 " + alone + " 步", "[" + number + "] A",
        "[" + number + "] A = softmax(M)", std::string("A = softmax(M)"), std::string(info.title),
        std::string(info.phrase), std::string("Aufmerksamkeitsgewichte"), std::string("Gewichte"),
        language_of("zh").texts.at(info.phrase)}) {
    CAPTURE(text);
    CHECK(id_of(text) == "weights");
  }
  CHECK(id_of("‘S’’") == "scaled_scores");
  for (const std::string& text :
       {std::string(""), std::string("„“"), std::string("Gewichte2"), "[" + number + "] S",
        std::string("[9/99] A"), std::string("["), std::string("[]"), std::string(2000, 'A')}) {
    CAPTURE(text);
    CHECK(id_of(text) == "none");
  }
  const std::string not_scaled = kNotScaled;
  for (const std::string& text :
       {std::string("scale.missing"), std::string("[scale.missing]"),
        std::string("„scale.missing“"), not_scaled, not_scaled + " [scale.missing]",
        std::string("\"Scale Missing.\"")})
    CHECK(code_named(text) == "scale.missing");
  for (const char* text : {"", "[", "]", "[]", "[scale.missing", "scale.mising"})
    CHECK(find_mistake(code_named(text)) == nullptr);
}

TEST_CASE("sheet names: one rule for a sheet, the first wrong step, and points by hand") {
  const Sheet& key = named_variants()[0].key;
  const std::string text = sheet_json(key);
  const std::size_t answers = text.find("\"answers\"");
  const std::string head = text.substr(0, answers), rest = text.substr(answers);
  for (const std::string name : {"„A“", "Gewichte", "A = softmax(M)", "Schritt 8"}) {
    CAPTURE(name);
    const Classroom room(named_variants());
    const std::string renamed = head + replaced_in(rest, "\"weights\"", "\"" + name + "\"");
    room.hand_in("s001.json", renamed);
    const std::string table =
        room.hand_in("../overrides.csv", "student,step,points,reason\ns001," + name + ",0,asked\n");
    REQUIRE(room.check().exit_code == 0);
    CHECK(read_book(room.path("grades.csv")).of("s001").at("percent") == "100");
    REQUIRE(room.check({"--overrides", table}).exit_code == 0);
    CHECK(read_book(room.path("grades.csv")).of("s001").at("weights") == "0");
    const Ran alone = attn_run({"check", "-"}, renamed);
    CHECK(alone.exit_code == 0);
    CHECK(!has(alone.out, "erased"));
  }
}

TEST_CASE("sheet names: another matrix is no step, and a name that means nothing is said") {
  const Classroom room(named_variants());
  const Sheet& key = named_variants()[0].key;
  const std::string text = sheet_json(key);
  const std::size_t answers = text.find("\"answers\"");
  const std::string head = text.substr(0, answers), rest = text.substr(answers);
  // A helper of another shape, named like the end of a title, does not push the step out.
  room.hand_in("s001.json",
               head + replaced_in(rest, "\"answers\": {", "\"answers\": {\"Gewichte\": [[1, 2]],"));
  const std::string unknown = head + replaced_in(rest, "\"output\"", "\"Ausgabe2\"");
  REQUIRE(room.check().exit_code == 0);
  CHECK(read_book(room.path("grades.csv")).of("s001").at("percent") == "100");
  room.hand_in("s001.json", unknown);
  REQUIRE(room.check().exit_code == 0);
  const std::string note = read_book(room.path("grades.csv")).of("s001").at("note");
  CHECK(has(note, "output: 5 of 5 blanks empty"));
  CHECK(has(note, not_called("Ausgabe2")));
  const Ran alone = attn_run({"check", "-"}, unknown);
  CHECK(has(unwrapped(alone.out), not_called("Ausgabe2")));
  CHECK(!has(alone.out, "erased"));
}

TEST_CASE("sheet names: a sheet whose matrices are renamed keeps its points, and its seal") {
  const Classroom room(named_variants());
  const Sheet& key = named_variants()[0].key;
  const std::string number = printed_number(key, "output");
  std::string text = sheet_json(key);
  const std::size_t answers = text.find("\"answers\"");
  std::string head = text.substr(0, answers), rest = text.substr(answers);
  rest = replaced_in(rest, "\"scaled_scores\"", "\"Scaled scores\"");
  rest = replaced_in(rest, "\"weights\"", "\"a\"");
  room.hand_in("s001.json", head + rest);
  room.hand_in("s002.json", "{\"6/9\": 1, \"" + number + "\": [[1]]}");
  REQUIRE(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("percent") == "100");
  CHECK(book.of("s001").at("note").empty());
  CHECK(has(book.of("s002").at("note"), "output: another shape"));
  const Ran alone = attn_run({"check", "-"}, head + rest);
  CHECK(alone.exit_code == 0);
  CHECK(!has(alone.out, "changed"));
  const std::string own = printed_number(key, "weights");
  const Ran numbered =
      attn_run({"check", "-"}, replaced_in(head + rest, "\"a\"", "\"" + own + "\""));
  CHECK(numbered.exit_code == 0);
  CHECK(!has(numbered.out, "erased"));  // its printed cells are under that number
  CHECK(!has(numbered.out, "changed"));
}

TEST_CASE("sheet names: a sheet of another language understands the titles that it prints") {
  Sheet key = named_variants()[0].key;
  key.language = "de";
  std::string text = sheet_json(key);
  const std::size_t answers = text.find("\"answers\"");
  const std::string head = text.substr(0, answers),
                    rest = replaced_in(text.substr(answers), "\"scaled_scores\"",
                                       "\"Skalierte Scores\"");
  const Ran ran = attn_run({"check", "-", "--json"}, head + rest);
  CHECK(ran.exit_code == 0);
  CHECK(!has(ran.out, "printed cell"));
}

TEST_CASE("sheet names: the answer to find the bug may be a title, a symbol or a printed number") {
  const ExerciseVariant& bug = bug_variant();
  const BugAnswer& right = *bug.key.bug;
  const Trace truth = attend(make_problem(bug.key.problem));
  const std::vector<const Step*> numbered = numbered_steps(truth, false);
  const auto at = std::find(numbered.begin(), numbered.end(), &truth.at(*right.first_wrong));
  const std::string number =
      std::to_string(at - numbered.begin() + 1) + "/" + std::to_string(numbered.size());
  const std::string title = truth.at(*right.first_wrong).info().title;
  for (const std::string& name : {number, title, *right.first_wrong}) {
    CAPTURE(name);
    Sheet sheet = bug.sheet;
    sheet.bug = BugAnswer{name, *right.code};
    const Grade grade = grade_sheet(bug.key, {answers_of(sheet), sheet.bug});
    CHECK(grade.report.score == grade.report.max_score);
  }
  Sheet sheet = bug.sheet;
  sheet.bug = BugAnswer{"The Third. One", "scale"};
  const Grade grade = grade_sheet(bug.key, {answers_of(sheet), sheet.bug});
  CHECK(grade.report.score == 0.0);
  const std::string note = grade.report.notes.front();
  CHECK(has(note,
            "\"The Third. One\" is no step of this sheet, which has "
            "scores (S), scaled_scores (S′), weights (A), output (O)"));
  CHECK(has(losses_of(grade).front(), no_step_of_sheet("The Third. One")));
  CHECK(losses_of(grade).back().starts_with("bug.code: \"scale\" is not"));
  const LanguageInUse german(language_of("de"));
  CHECK(has(translated_sentence(note), "„The Third. One“ ist kein Schritt dieses Blattes; es hat"));
}

TEST_CASE("gradebook: where points are missing, the note says why") {
  const Classroom room(named_variants());
  Sheet slip = named_variants()[0].key;
  SheetStep& step = slip.steps.back();
  const auto blank = std::find(step.blank.begin(), step.blank.end(), 1) - step.blank.begin();
  step.numbers[static_cast<std::size_t>(blank)] += 5.0;
  room.hand_in("s001.json", slip);
  room.hand_in("s002.json", named_variants()[1].sheet);
  room.hand_in("s003.json", named_variants()[2].key);
  REQUIRE(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(has(book.of("s001").at("note"), step.id + ": 1 of "));
  CHECK(has(book.of("s002").at("note"), " empty"));
  CHECK(book.of("s003").at("note").empty());
  CHECK(book.of("s004").at("note") == kNothingHandedIn);
}

TEST_CASE("sheets say how they are checked and handed in") {
  const std::string json = sheet_json(named_variants()[0].sheet);
  CHECK(has(json, "To check it: attn check and the name of this file. Hand in this file."));
  CHECK(has(sheet_json(bug_variant().sheet), "hand in this"));
  Sheet off = named_variants()[0].sheet;
  off.self_check = "off";
  CHECK(!has(sheet_json(off), "attn check"));
  const TemporaryFolder folder;
  const std::string sheet = folder.write("s001.json", json), text = folder.path("s001.txt");
  REQUIRE(attn_run({"convert", sheet, "-o", text}).exit_code == 0);
  CHECK(has(unwrapped(read_text(text)),
            "Hand in this sheet on paper, or its .json file, which attn "
            "check marks before you hand it in."));
}

TEST_CASE("a page to fill in opens the file that it saved") {
  const TemporaryFolder folder;
  const std::string sheet = folder.write("s001.json", sheet_json(named_variants()[0].sheet));
  const std::string page = folder.path("s001.html");
  REQUIRE(attn_run({"convert", sheet, "-o", page}).exit_code == 0);
  CHECK(has(read_text(page), "open a saved file"));
  CHECK(has(read_text(page), " of this sheet"));
}
