// attn check SHEET: points, the key, find-the-bug, Gradescope.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "attn/attend.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/language.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/classroom.hpp"
#include "support/phrases.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

const ExerciseVariant& first() { return class_variants(6).front(); }

std::string key_json() { return sheet_json(first().key); }

/// The solved sheet with one number of that step changed, in a blank.
Sheet with_slip(const std::string& id) {
  Sheet sheet = first().key;
  for (SheetStep& step : sheet.steps) {
    for (std::size_t i = 0; i < step.blank.size(); ++i) {
      if (step.id != id || step.blank[i] == 0) continue;
      step.numbers[i] += 0.5;
      return sheet;
    }
  }
  return sheet;
}

Ran check(const std::string& sheet, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"check", "-"});
  return attn_run(more, sheet);
}

}  // namespace

TEST_CASE("check sheet: points for each step, the variant, and no right number") {
  const Ran right = check(key_json());
  CHECK(right.exit_code == 0);
  CHECK(has(right.out, "hw1"));
  CHECK(has(right.out, "10 of 10 points"));
  CHECK(has(right.out, "variant " + first().sheet.variant));
  CHECK(has(right.out, "2 of 2 points"));
  CHECK(has(right.out, kAllRight));
  const Ran blank = check(sheet_json(first().sheet));
  CHECK(blank.exit_code == 1);
  CHECK(has(blank.out, "0 of 10 points"));
  CHECK(has(blank.out, kNothingWrong));
  const Ran slip = check(sheet_json(with_slip("output")));
  CHECK(slip.exit_code == 1);
  CHECK(has(slip.out, "← first wrong step"));
  CHECK(!has(slip.out, "instead of"));
  CHECK(has(check(sheet_json(with_slip("output")), {"--reveal"}).out, "instead of"));
}

TEST_CASE("check sheet: what follows is counted apart from what is right, the same everywhere") {
  Sheet sheet = first().key;  // all scores wrong, and what follows from them
  std::size_t blanks = 0;
  const auto step = [&](const char* id) -> SheetStep& {
    return *std::find_if(sheet.steps.begin(), sheet.steps.end(),
                         [&](const SheetStep& each) { return each.id == id; });
  };
  for (std::size_t i = 0; i < step("scores").blank.size(); ++i) {
    if (step("scores").blank[i] != 0) step("scores").numbers[i] += 1.5;
    if (step("scaled_scores").blank[i] == 0) continue;
    step("scaled_scores").numbers[i] = step("scores").numbers[i] / std::sqrt(3.0);
    ++blanks;
  }
  const std::string n = std::to_string(blanks), right = "0 of " + n;
  const std::string remark = "0 of 1 point, " + n + kFollow;
  const auto report = [&](const std::string& format) {
    return check(sheet_json(sheet), {"--format", format}).out;
  };
  CHECK(has(unwrapped(report("text")), right + " " + remark));
  CHECK(has(report("html"), ">" + right + "</td><td class=\"text\">" + remark));
  CHECK(has(report("markdown"), "| " + right + " | " + remark));
  CHECK(has(report("latex"), right + " & " + remark));
  CHECK(has(report("gradescope"),
            right + " blanks right, " + n + std::string(kFollow).substr(0, 12)));
  const std::string json = report("json"), name = "\"id\": \"scaled_scores\"";
  const std::size_t at = json.find(name);
  std::size_t follows = 0;
  for (std::size_t word = json.find("\"follows\"", at);
       word < json.find("\"id\"", at + name.size()); word = json.find("\"follows\"", word + 1))
    ++follows;
  CHECK(follows == blanks + 1);  // and the verdict
}

TEST_CASE("check sheet: the wrong cells of later steps with the same cause are marked, too") {
  Sheet sheet = first().key;
  const Trace wrong = with_mistake(attend(make_problem(first().sheet.problem)), "scale.missing");
  for (SheetStep& step : sheet.steps) {  // nothing is scaled, and printed numbers are not looked at
    for (std::size_t i = 0; i < step.blank.size(); ++i) {
      if (step.blank[i] != 0) step.numbers[i] = wrong.value(step.id).data()[i];
    }
  }
  const std::string text = check(sheet_json(sheet)).out;
  int shown = 0;
  for (const char* symbol : {"S′", "A", "O"}) {
    const std::size_t row = text.find("]  " + std::string(symbol));
    REQUIRE(row != text.npos);
    const bool is_wrong = text.rfind("✗", row) > text.rfind('\n', row);
    const std::size_t heading = text.find("] " + std::string(symbol) + " = ");
    CAPTURE(symbol);
    CHECK((heading != text.npos) == is_wrong);
    if (!is_wrong) continue;
    ++shown;
    const std::size_t end = text.find("] ", heading + 1);
    CHECK(has(text.substr(heading, end - heading), "✗  wrong"));
  }
  CHECK(shown >= 2);
  CHECK(has(text, kAlsoExplains));
}

TEST_CASE("check sheet: blanks with one decimal are rounded too early, whatever is printed") {
  Sheet sheet = first().key;
  for (SheetStep& step : sheet.steps) {  // printed numbers keep their three decimals
    for (std::size_t i = 0; i < step.blank.size(); ++i) {
      if (step.blank[i] != 0) step.numbers[i] = std::round(step.numbers[i] * 10.0) / 10.0;
    }
  }
  CHECK(has(check(sheet_json(sheet), {"--json"}).out, "\"slip.rounded_early\""));
  CHECK(!has(check(sheet_json(with_slip("output")), {"--json"}).out, "\"slip.rounded_early\""));
}

TEST_CASE("check sheet: JSON has points, whose sheet it is, and flags") {
  const Ran ran = check(sheet_json(with_slip("q")), {"--json"});
  CHECK(ran.exit_code == 1);
  CHECK(has(ran.out, "\"exercise\": \"hw1\", \"student\": \"s001\""));
  CHECK(has(ran.out, "\"max_score\": 10"));
  CHECK(has(ran.out, "\"first_wrong\": \"q\""));
  CHECK(has(ran.out, "\"flags\": []"));
}

TEST_CASE("check sheet: a broken seal is a note, and no error") {
  Sheet sheet = first().key;
  std::string text = sheet_json(sheet);
  text.replace(text.find("\"sha256:") + 8, 4, "beef");
  const Ran ran = check(text);
  CHECK(ran.exit_code == 0);
  CHECK(has(unwrapped(ran.out), "note: something printed on this sheet has been changed; your"));
}

TEST_CASE("check sheet: a name written on a sheet for everybody is no change; another one is") {
  Sheet sheet = first().key;
  std::string text = sheet_json(sheet);
  const std::string own = "\"student\": \"s001\"", other = "\"student\": \"s002\"";
  text.replace(text.find(own), own.size(), other);
  CHECK(has(check(text).out, "has been changed"));
  sheet.student.clear();
  text = sheet_json(sheet);
  const std::string none = "\"student\": \"\"";
  text.replace(text.find(none), none.size(), own);
  CHECK(!has(check(text).out, "has been changed"));
}

TEST_CASE("check sheet: a note says whether printed cells were erased or changed") {
  const Classroom room(class_variants(6));
  const auto note = [&](const Sheet& sheet, const std::vector<std::string>& more = {}) {
    std::string text = sheet_json(sheet);
    const std::size_t seal = text.find("sha256:");
    return unwrapped(check(text.replace(seal, 71, sheet_seal(first().key)), more).out);
  };
  const auto printed = [](Sheet& sheet, std::size_t step) -> double& {
    const std::vector<char>& blank = sheet.steps[step].blank;
    const auto at = std::find(blank.begin(), blank.end(), 0) - blank.begin();
    return sheet.steps[step].numbers[static_cast<std::size_t>(at)];
  };
  Sheet sheet = first().key;
  CHECK(!has(note(sheet), "note:"));
  printed(sheet, 0) = std::nan("");
  CHECK(has(note(sheet), "note: 1 printed cell of this sheet has been erased; your"));
  printed(sheet, 3) = std::nan("");
  CHECK(has(note(sheet), "note: 2 printed cells of this sheet have been erased; your"));
  CHECK(has(note(sheet, {"--key", room.path("key")}), "have been erased; graded with"));
  printed(sheet, 1) += 1.0;
  CHECK(has(note(sheet), "have been erased, and something else printed on it has been changed"));
  SheetStep& larger = sheet.steps.front();  // than the matrix that the key computes
  larger.shape = {300, 300};
  larger.numbers.assign(90'000, std::nan(""));
  larger.blank.assign(90'000, 0);
  CHECK(has(note(sheet, {"--key", room.path("key")}), "something else printed on it has been"));
}

TEST_CASE("check sheet: the printed cells of a matrix of another shape are not called erased") {
  std::string text = key_json();
  const std::size_t q = text.find("\"q\": [", text.find("\"answers\"")) + 6;
  const std::size_t row = text.find('[', q);
  const Ran ran = check(text.replace(row, text.find(']', row) + 1 - row, "[1, 2]"));
  CHECK(has(ran.out, "row 0 of q has 2 numbers, row 1 has 3"));
  CHECK(!has(ran.out, "note:"));
}

TEST_CASE("check sheet: with --key, the key is the authority") {
  const Classroom room(class_variants(6));
  Sheet sheet = first().key;
  sheet.steps.front().points = 90.0;
  const Ran ran = check(sheet_json(sheet), {"--key", room.path("key")});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "10 of 10 points"));
  sheet.student = "s002";
  const Ran other = check(sheet_json(sheet), {"--key", room.path("key")});
  CHECK(other.exit_code == 3);
  CHECK(has(other.err, "error[not-gradable]"));
  CHECK(has(other.err, "wrong_variant: "));
  const Ran named =
      check(sheet_json(first().key), {"--key", room.path("key"), "--student", "s002"});
  CHECK(named.exit_code == 3);
  CHECK(has(named.err, "wrong_variant: "));
  Sheet foreign = first().key;
  foreign.exercise = "hw2";
  CHECK(has(check(sheet_json(foreign), {"--key", room.path("key")}).err, "wrong_variant: "));
  std::string renamed = sheet_json(first().key);  // by hand: its seal does not fit
  const std::string name = "\"exercise\": \"" + first().key.exercise;
  renamed.insert(renamed.find(name) + name.size(), "-2");
  CHECK(has(check(renamed, {"--key", room.path("key")}).err, "wrong_variant: "));
  CHECK(
      check(sheet_json(first().key), {"--key", room.path("key"), "--student", "S001"}).exit_code ==
      0);
  const Ran keyless = check(sheet_json(first().key), {"--student", "s002"});
  CHECK(keyless.exit_code == 3);
  CHECK(has(unwrapped(keyless.err), "wrong_variant: this is another student's sheet, not that of"));
  CHECK(check(sheet_json(first().key), {"--student", "S001"}).exit_code == 0);
  sheet.student = "nobody";
  CHECK(has(check(sheet_json(sheet), {"--key", room.path("key")}).err, "no sheet for the student"));
  sheet.student = "";
  CHECK(has(check(sheet_json(sheet), {"--key", room.path("key")}).err, "names no student"));
}

TEST_CASE("check sheet: with --key, a file is handed in: no link, and at most 256 MiB") {
  const Classroom room(class_variants(6));
  const std::string results = room.path("results.json"), link = room.path("handed-in/s001.json");
  const auto graded = [&](const std::string& file, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"check", file, "--key", room.path("key"), "--format", "gradescope",
                               "-o", results});
    return attn_run(more);
  };
  for (const std::string target : {"key/answers/s001.json", "key/answers/s002.json"}) {
    std::filesystem::remove(link);
    std::filesystem::create_symlink(room.path(target), link);
    const Ran ran = graded(link);
    CHECK_MESSAGE(ran.exit_code == 3, ran.err);
    CHECK(has(ran.err, "this file is a link"));
    CHECK(has(read_text(results), "\"score\": 0,"));
  }
  std::string text = sheet_json(first().sheet);
  const std::size_t at = text.find("\"embeddings\":");
  REQUIRE(at != text.npos);
  text.insert(at, "\"memory\": {\"embeddings\": {\"ones\": [20000, 2000]}}, ");
  const std::string large = room.hand_in("s002.json", text);
  CHECK(graded(large).exit_code == 3);
  CHECK(has(read_text(results), over_limit("256 MiB")));
  const std::string right = room.hand_in("s003.json", first().key);
  CHECK(graded(right).exit_code == 0);
}

TEST_CASE("check sheet: --follow-through, --fail-under and --steps") {
  const std::string slip = sheet_json(with_slip("q"));
  CHECK(check(slip, {"--fail-under", "50"}).exit_code == 0);
  CHECK(check(slip, {"--fail-under", "100"}).exit_code == 1);
  CHECK(check(key_json(), {"--fail-under", "100"}).exit_code == 0);
  Sheet unscaled = first().key;
  const Trace wrong = with_mistake(attend(make_problem(unscaled.problem)), "scale.missing");
  for (SheetStep& step : unscaled.steps) {
    for (std::size_t i = 0; i < step.blank.size(); ++i)
      if (step.blank[i] != 0) step.numbers[i] = wrong.value(step.id).data()[i];
  }
  const std::string carried = sheet_json(unscaled);
  CHECK(check(carried).exit_code == 1);
  CHECK(check(slip, {"--follow-through", "1"}).out == check(slip).out);
  const Ran some = check(slip, {"--steps", "k,v"});
  CHECK(some.exit_code == 0);
  CHECK(has(some.out, "2 of 2 points"));
}

TEST_CASE("check sheet: find the bug says what is right, and never which bug it is") {
  const ExerciseVariant& variant = bug_variant();
  const Classroom room({variant});
  const auto graded = [&](const Sheet& each, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--key", room.path("key")});
    return check(sheet_json(each), more);
  };
  REQUIRE(variant.key.bug);
  Sheet sheet = variant.sheet;
  const Ran empty = graded(sheet);
  CHECK(empty.exit_code == 1);
  CHECK(has(empty.out, "not answered yet"));
  sheet.bug = BugAnswer{variant.key.bug->first_wrong, "mask.after_softmax_nonsense"};
  const Ran half = graded(sheet);
  CHECK(half.exit_code == 1);
  CHECK(has(half.out, "another one"));
  for (const Ran& ran : {empty, half, graded(sheet, {"--json"})})
    CHECK(!has(ran.out, *variant.key.bug->code));
  CHECK(has(graded(sheet, {"--json"}).out, "\"first_wrong\": null, \"tolerance\""));
  CHECK(!has(empty.out, *variant.key.bug->first_wrong + " "));
  CHECK(has(unwrapped(half.out), "is not a code: attn exercise rules lists them"));
  CHECK(has(half.out, "Step            right"));
  const Ran right = graded(variant.key);
  CHECK(right.exit_code == 0);
  Sheet capital = variant.key;
  capital.bug->first_wrong->front() =
      static_cast<char>(std::toupper(capital.bug->first_wrong->front()));
  CHECK(graded(capital).exit_code == 0);
  Sheet german = variant.key;
  const Trace layout = layout_of(german);
  const std::vector<const Step*> numbered = numbered_steps(layout, false);
  const auto at = std::find_if(numbered.begin(), numbered.end(), [&](const Step* each) {
    return each->id == german.bug->first_wrong;
  });
  REQUIRE(at != numbered.end());
  const std::string number = std::to_string(at - numbered.begin() + 1);
  const auto& texts = language_of("de").texts;
  const StepInfo& info = (*at)->info();
  for (const std::string& name :
       {"Schritt " + number, "[" + number + "/" + std::to_string(numbered.size()) + "]",
        "Step " + number, "第" + number + "步", texts.at(info.title), texts.at(info.phrase),
        std::string(info.phrase), std::string(info.symbol) + " = softmax(M)"}) {
    CAPTURE(name);
    german.bug->first_wrong = name;
    german.bug->code = texts.at(find_mistake(*variant.key.bug->code)->title);
    CHECK(graded(german).exit_code == 0);
  }
  german.bug->code = *variant.key.bug->code + "。";
  german.bug->first_wrong = variant.key.bug->first_wrong;
  std::string& wide = *german.bug->first_wrong;
  if (const std::size_t point = wide.find('.'); point != wide.npos) wide.replace(point, 1, "．");
  wide += "。";
  CHECK(graded(german).exit_code == 0);
  german.bug->first_wrong = "Unsinn";
  CHECK(has(unwrapped(graded(german, {"--lang", "zh"}).out), "、"));
  CHECK(has(graded(german).out, "attn exercise rules"));
  CHECK(!has(graded(german).out, "attn help mistakes"));
  CHECK(has(graded(variant.key, {"--json"}).out,
            "\"bug\": {\"first_wrong\": \"right\", \"code\": \"right\"}"));
  CHECK(has(graded(sheet, {"--json"}).out, R"("id": "bug.code", "verdict": "wrong")"));
  CHECK(graded(sheet, {"--reveal"}).exit_code == 2);
  CHECK(graded(sheet, {"--hint", "1"}).exit_code == 2);
  for (const std::vector<std::string>& option : {std::vector<std::string>{"--steps", "q"},
                                                 {"--tolerance", "0.1"},
                                                 {"--follow-through", "0.5"}})
    CHECK(has(
        unwrapped(graded(sheet, option).err),
        "error[wrong-operand]: " + option.front() + " has no effect: this sheet asks for a bug"));
  const Ran alone = check(sheet_json(variant.key));
  CHECK(alone.exit_code == 2);
  CHECK(has(alone.err, "error[needs-key]: only its key says which bug is on a find-the-bug sheet"));
  CHECK(check(sheet_json(sheet), {"--steps", "weights"}).exit_code == 2);
}

TEST_CASE("check sheet: --exact is refused, since the numbers of a sheet are rounded") {
  CHECK(has(check(key_json(), {"--exact"}).err, "error[wrong-operand]: " + idle("--exact")));
}

TEST_CASE("check sheet: Gradescope's results, with a test for each step") {
  const TemporaryFolder folder;
  const std::string path = folder.path("results.json");
  const Ran ran = check(sheet_json(with_slip("q")), {"--format", "gradescope", "-o", path});
  CHECK(ran.exit_code == 1);
  const std::string results = read_text(path);
  CHECK(has(results, "\"tests\": ["));
  CHECK(has(results, "\"name\": \"Q  q\", \"number\": \"1\""));
  CHECK(has(results, "\"status\": \"failed\""));
  CHECK(has(results, "\"status\": \"passed\""));
  CHECK(has(results, "\"visibility\": \"visible\""));
  CHECK(has(results, "\"status\": \"graded\""));
  CHECK(has(check(key_json(), {"--format", "gradescope"}).out, "\"score\": 10,"));
  const Classroom room({bug_variant()});
  CHECK(has(
      check(sheet_json(bug_variant().key), {"--key", room.path("key"), "--format", "gradescope"})
          .out,
      "Code of the mistake"));
}

TEST_CASE("check sheet: Gradescope's results are also written when nothing can be graded") {
  const TemporaryFolder folder;
  const std::string path = folder.path("results.json");
  for (const char* broken :
       {"", "{\"format\": \"attn.sheet\",", "{\"scores\": [[1]]}", "\xff\xfe"}) {
    CAPTURE(broken);
    std::filesystem::remove(path);
    const Ran ran = check(broken, {"--format", "gradescope", "-o", path});
    CHECK(ran.exit_code == 3);
    CHECK(has(ran.err, "error["));
    const std::string results = read_text(path);
    CHECK(has(results, "\"score\": 0,"));
    CHECK(has(results, "This file cannot be graded.\\n"));
    CHECK(has(results, "not_gradable"));
  }
  std::filesystem::remove(path);
  const Ran no_key = check(key_json(), {"--key", folder.path("no-key"), "--format", "gradescope",
                                        "-o", path});  // the teacher's fault
  CHECK(no_key.exit_code == 4);
  CHECK(!std::filesystem::exists(path));
  const Classroom room(class_variants(6));
  const std::string key = room.path("key/answers/s001.json");
  for (const std::string& broken : {std::string("{\"format\": "), std::string("{}")}) {
    std::ofstream(key) << broken;
    std::filesystem::remove(path);
    const Ran ran =
        check(key_json(), {"--key", room.path("key"), "--format", "gradescope", "-o", path});
    CHECK(ran.exit_code == 3);
    CHECK(has(ran.err, key));
    const std::string results = read_text(path);
    CHECK(!has(results, "\"score\""));  // not the student's fault
    CHECK(has(results, "the key of the exercise is broken"));
    CHECK(has(results, "\"key_broken\""));
  }
  const Ran none =
      attn_run({"check", folder.path("none.json"), "--format", "gradescope", "-o", path});
  CHECK(none.exit_code == 4);
  CHECK(has(read_text(path), "not_gradable"));
}

TEST_CASE("check sheet: what does not go with a sheet, or needs one") {
  CHECK(has(check(key_json(), {"--roster", "r.csv"}).err, "error[wrong-operand]"));
  CHECK(has(check(key_json(), {"--mask", "causal"}).err, "error[already-computed]"));
  CHECK(has(check(key_json(), {"--problem", "p.json"}).err, "error[already-computed]"));
  const std::string answers = "{\"scores\": [[1]]}";
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--fail-under", "5"}, {"--follow-through", "1"}})
    CHECK(has(check(answers, wrong).err, "error[wrong-operand]"));
}

TEST_CASE("check sheet: the matrices of a sheet alone are graded with the key, as in a folder") {
  const Classroom room(class_variants(6));
  const std::string sheet = key_json();
  const std::size_t from = sheet.find('{', sheet.find("\"answers\":"));
  const std::string bare = sheet.substr(from, sheet.find('}', from) + 1 - from);
  const std::string own = room.hand_in("S001.json", bare), other = room.hand_in("x.json", bare);
  const Ran ran = attn_run({"check", own, "--key", room.path("key")});
  CHECK_MESSAGE(has(ran.out, "10 of 10 points"), ran.err);
  CHECK(has(unwrapped(attn_run({"check", other, "--key", room.path("key")}).err),
            "the key has no sheet for the student \"x\""));
  CHECK(attn_run({"check", own}).exit_code == 2);
}

TEST_CASE("check sheet: the table of a sheet is graded with the key, as in a folder") {
  const Classroom room(class_variants(6));
  const std::string table = room.hand_in("mine.csv", sheet_csv(first().key));
  const Ran ran = attn_run({"check", table, "--key", room.path("key")});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "10 of 10 points"));
  for (const char* id : {" S001 ", "s001"}) {  // as in a folder
    CAPTURE(id);
    Sheet sheet = first().key;
    sheet.student = id;
    const std::string file = room.hand_in("sheet.json", sheet);
    CHECK(has(attn_run({"check", file, "--key", room.path("key")}).out, "10 of 10 points"));
  }
  std::string bare;
  for (const std::string& line : lines_of(sheet_csv(first().key)))
    bare +=
        line.substr(0, line.find(',', line.find(',', line.find(',', line.find(',') + 1) + 1) + 1)) +
        "\n";
  const std::string named = room.hand_in("S001.csv", bare), other = room.hand_in("x.csv", bare);
  CHECK(has(attn_run({"check", named, "--key", room.path("key")}).out, "10 of 10 points"));
  CHECK(has(unwrapped(attn_run({"check", other, "--key", room.path("key")}).err),
            "the key has no sheet for the student \"x\""));
  std::string nameless;  // only the column of students is missing
  for (const std::string& line : lines_of(sheet_csv(first().key))) {
    const std::size_t variant = line.rfind(','), student = line.rfind(',', variant - 1);
    nameless += line.substr(0, student) + line.substr(variant) + "\n";
  }
  CHECK(has(attn_run({"check", room.hand_in("S001.csv", nameless), "--key", room.path("key")}).out,
            "10 of 10 points"));
  std::string two = sheet_csv(first().key);  // of two variants
  two.replace(two.rfind(first().key.variant), 4, "OTHR");
  const std::string mixed = room.hand_in("mixed.csv", two);
  CHECK(has(unwrapped(attn_run({"check", mixed, "--key", room.path("key")}).err),
            "the column variant has both"));
  const Ran no_key = attn_run({"check", table});
  CHECK(no_key.exit_code == 2);
  CHECK(has(unwrapped(no_key.err), "check the sheet itself, the file that ends with .json"));
}
