// attn exercise grade: a class, single numbers explained, and what a teacher changes afterwards.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "attn/io/sheet_file.hpp"
#include "attn/teach/gradebook.hpp"
#include "support/classroom.hpp"
#include "support/compare.hpp"
#include "support/phrases.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

const std::vector<ExerciseVariant>& two() { return class_variants(2); }

Ran grade(const Classroom& room, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"exercise", "grade", room.path("handed-in"), "--key", room.path("key"),
                             "--gradebook", room.path("grades.csv")});
  return attn_run(more);
}

/// A blank of a step, as ROW,COL, and where it is among the numbers.
struct BlankAt {
  std::string text;
  std::size_t index;
};
BlankAt blank_in(const SheetStep& step) {
  const auto cols = static_cast<std::size_t>(step.shape.back());
  for (std::size_t i = 0; i < step.blank.size(); ++i) {
    if (step.blank[i] != 0) return {std::to_string(i / cols) + "," + std::to_string(i % cols), i};
  }
  return {};
}

SheetStep& step_of(Sheet& sheet, const std::string& id) {
  for (SheetStep& step : sheet.steps) {
    if (step.id == id) return step;
  }
  throw std::out_of_range(id);
}

/// The solved sheet of s001 with one wrong score, and the scaled score that follows from it.
Sheet slip_and_what_follows(BlankAt& place) {
  Sheet sheet = two()[0].key;
  SheetStep& scores = step_of(sheet, "scores");
  place = blank_in(scores);
  scores.numbers[place.index] += 1.5;
  step_of(sheet, "scaled_scores").numbers[place.index] =
      scores.numbers[place.index] / std::sqrt(3.0);
  return sheet;
}

/// The key's exercise.json with other points or another tolerance.
void write_exercise(const Classroom& room, double points, std::optional<double> within) {
  ExerciseKey key{.spec = exercise_presets()[1].spec, .salt = "salt", .generator = "attn-gen/2"};
  key.spec.name = "hw1";
  key.spec.accept_within = within;
  for (AskedStep& step : key.spec.steps) step.points = step.id == "scores" ? points : step.points;
  std::ofstream(room.path("key/exercise.json")) << exercise_key_json(key);
}

/// Four find-the-bug sheets: s001 has both answers right, s002 none, s003 only the code; s004 is
/// missing.
struct BugRoom {
  std::vector<Sheet> keys;
  Classroom room;

  BugRoom() : BugRoom(four_of(bug_variant())) {}
  explicit BugRoom(const std::vector<ExerciseVariant>& variants) : room(variants) {
    for (const ExerciseVariant& each : variants) keys.push_back(each.key);
    room.hand_in("s001.json", keys[0]);
    room.hand_in("s002.json", variants[1].sheet);
    Sheet half = variants[2].sheet;
    half.bug = BugAnswer{"qqq", keys[2].bug->code};
    room.hand_in("s003.json", half);
  }
  /// The file with these decisions.
  std::string decide(const std::string& lines) const {
    return room.hand_in("../overrides.csv", "student,step,points,reason\n" + lines);
  }

  static std::vector<ExerciseVariant> four_of(const ExerciseVariant& variant) {
    std::vector<ExerciseVariant> all(4, variant);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i].sheet.student = all[i].key.student = student_id(i + 1);
    return all;
  }
};

}  // namespace

TEST_CASE("grade: it does what check does with a folder, which says so in one line") {
  const Classroom room(two());
  room.hand_in("s001.json", two()[0].key);
  const Ran ran = grade(room);
  CHECK(ran.exit_code == 0);
  CHECK(!has(ran.err, "note:"));
  const std::string book = read_text(room.path("grades.csv"));
  const Ran old = attn_run({"check", room.path("handed-in"), "--key", room.path("key")});
  CHECK(old.out == ran.out);
  CHECK(has(old.err, "note: attn exercise grade is the command for a class"));
  CHECK(read_text(room.path("grades.csv")) == book);
  CHECK(attn_run({"exercise", "grade"}).exit_code == 2);
  CHECK(has(attn_run({"exercise", "grade", room.path("handed-in")}).err, "error[needs-key]"));
}

TEST_CASE("grade: --why says why a number earns its points, and what was used") {
  const Classroom room(two());
  BlankAt place;
  Sheet sheet = slip_and_what_follows(place);
  room.hand_in("s001.json", sheet);
  const auto why = [&](const std::string& what) {
    const Ran ran = grade(room, {"--why", what});
    CHECK(ran.exit_code == 0);
    return unwrapped(ran.out);
  };
  const std::string wrong = why("s001:scores:" + place.text);
  CHECK(has(wrong, "It does not follow: from what is printed and what this student wrote before"));
  CHECK(has(wrong, std::string(". ") + kEarnsNothing));
  std::vector<ExerciseVariant> printed_scores = two();
  for (Sheet* each : {&printed_scores[0].sheet, &printed_scores[0].key}) {
    step_of(*each, "scores") = step_of(printed_scores[0].key, "scores");
    step_of(*each, "scores").blank.assign(step_of(*each, "scores").blank.size(), 0);
  }
  const Classroom other(printed_scores);
  other.hand_in("s001.json", printed_scores[0].key);
  const Ran without = grade(
      other, {"--why", "s001:scaled_scores:" + blank_in(step_of(sheet, "scaled_scores")).text});
  CHECK(without.exit_code == 0);
  CHECK(!has(without.out, ": points for "));
  const std::string follows = why("S001:scaled_scores:" + place.text);
  CHECK(has(follows, "It follows: from what is printed and what this student wrote before"));
  CHECK(has(follows, " of 1 point."));
  const auto blanks = static_cast<int>(blank_in(step_of(sheet, "scores")).index);
  CHECK(blanks >= 0);
  CHECK(has(follows, "scores: "));
  CHECK(has(follows, ": points for "));
  CHECK(
      has(why("s001:q:" + blank_in(step_of(sheet, "q")).text), "is right, within ±0.01. It earns"));
  step_of(sheet, "scores").numbers[place.index] = std::nan("");
  room.hand_in("s001.json", sheet);
  CHECK(has(why("s001:scores:" + place.text), "The cell is empty"));
  CHECK(has(why("s001:scaled_scores:" + place.text),
            "It does not follow: it uses a cell that is empty."));
  CHECK(grade(room, {"--why", "s002:q:0,0"}).exit_code == 3);
  CHECK(has(unwrapped(grade(room, {"--why", ":q:0,0"}).err),
            "Write one of these in front of the colon: s001, s002."));
  const SheetStep& scores = step_of(sheet, "scores");
  for (std::size_t i = 0; i < scores.blank.size(); ++i) {
    if (scores.blank[i] != 0) continue;
    const auto at = static_cast<Index>(i), cols = scores.shape.back();
    const std::string printed =
        why("s001:scores:" + std::to_string(at / cols) + "," + std::to_string(at % cols));
    CHECK(has(printed, " is printed on the sheet."));
    CHECK(!has(printed, "·"));  // no arithmetic with what the student wrote
    CHECK(!has(printed, " right"));
  }
  CHECK(has(grade(room, {"--why", "s003:q:0,0"}).err, "--why names \"s003\", who is no student"));
  for (const char* cell : {"q:9,9", "q:0,0,0", "q:-1,0"}) {
    const Ran ran = grade(room, {"--why", std::string("s001:") + cell});
    CHECK(ran.exit_code == 2);
    CHECK(has(ran.err, std::string("--> --why s001:") + cell));
  }
  CHECK(has(grade(room, {"--why", "s001"}).err, "--why takes STUDENT:STEP:ROW,COL"));
}

TEST_CASE(
    "grade: --why says what a right number does not follow from, and why there are no cells") {
  const Classroom room(two());
  BlankAt place;
  Sheet sheet = slip_and_what_follows(place);
  Sheet key = two()[0].key;
  step_of(sheet, "scaled_scores") = step_of(key, "scaled_scores");
  room.hand_in("s001.json", sheet);
  const std::string right =
      unwrapped(grade(room, {"--why", "s001:scaled_scores:" + place.text}).out);
  CHECK(has(right, "was written, and"));
  CHECK(has(right, "of 1 point. What this student wrote before makes "));
  CHECK(!has(unwrapped(grade(room, {"--why", "s001:q:0,1"}).out), "wrote before makes"));
  const auto refused = [&](const std::string& matrix) {
    room.hand_in("s001.json", "{\"weights\": " + matrix + ", \"q\": [[1]]}");
    const Ran ran = grade(room, {"--why", "s001:weights:0,0"});
    CHECK(ran.exit_code == 3);
    return unwrapped(ran.err);
  };
  CHECK(has(refused("[[1, 2]]"), "weights was handed in as 1×2 in place of 4×4"));
  CHECK(has(refused("7"), "weights was handed in, but not as a matrix"));
  CHECK(
      has(unwrapped(grade(room, {"--why", "s001:x:0,0"}).err), "x is not asked for on this sheet"));
}

TEST_CASE("grade: --why takes the head before row and column, and says so where it is missing" *
          doctest::test_suite("long")) {
  ExerciseSpec spec = find_preset("multihead").spec;
  spec.name = "heads";
  const std::vector<std::string> ids{"s001"};
  const std::vector<ExerciseVariant> one = make_exercise(spec, "a salt for tests", ids);
  const Classroom room(one);
  room.hand_in("s001.json", one[0].key);
  const Ran ran = grade(room, {"--why", "s001:scores:1,2,0"});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "s001: S[t2, t0] of head 1"));
  const Ran refused = grade(room, {"--why", "s001:scores:2,0,0"});
  CHECK(refused.exit_code == 2);
  CHECK(has(unwrapped(refused.err), "write scores:1,ROW,COL for the last one"));
  CHECK(has(unwrapped(grade(room, {"--why", "s001"}).err), "s001:weights:1,0,2, which is head 1"));
}

TEST_CASE("grade: --why needs no name where everybody has the same sheet and one was handed in") {
  std::vector<ExerciseVariant> one{two()[0]};
  one[0].sheet.student = one[0].key.student = "";
  const Classroom room(one);
  room.hand_in("ann.json", one[0].key);
  const Ran ran = grade(room, {"--why", ":q:" + blank_in(step_of(one[0].key, "q")).text});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "ann: "));
}

TEST_CASE("grade: points by hand and excused steps count, and grading again keeps them") {
  const Classroom room(two());
  BlankAt place;
  room.hand_in("s001.json", slip_and_what_follows(place));
  room.hand_in("s002.json", two()[1].sheet);
  const std::string table = room.path("overrides.csv");
  std::ofstream(table)
      << "student,step,points,reason\nS001,S,2,typo in class\ns002,q,excused,ill\n";
  for (int again = 0; again < 2; ++again) {
    CHECK(grade(room, {"--overrides", table}).exit_code == 0);
    const Book book = read_book(room.path("grades.csv"));
    CHECK(book.of("s001").at("scores") == "2");
    CHECK(book.of("s001").at("score") == "10");
    CHECK(has(book.of("s001").at("note"), "scores: " + by_hand("2", "")));
    CHECK(has(book.of("s001").at("note"), "(typo in class)"));
    CHECK(book.of("s002").at("max_score") == "9");
    CHECK(book.of("s002").at("q") == "excused");
  }
  for (const char* line : {"s009,q,1,", "s001,nope,1,", "s001,q,-1,", "s001,q,many,",
                           "s001,q,1e308,", "s001,q,1.5,", "s001,,1,", ",,,"}) {
    std::ofstream(table) << "student,step,points,reason\n" << line << "\n";
    const Ran ran = grade(room, {"--overrides", table});
    CHECK(ran.exit_code == 3);
    CHECK(has(ran.err, "error[table]: line 2: "));
  }
  std::ofstream(table) << "student,step,points,reason\ns001,q,1,\nS001,Q,excused,\n";
  CHECK(has(grade(room, {"--overrides", table}).err, "line 3: q of s001 is decided already"));
}

TEST_CASE("grade: points by hand count without a file, and for one that cannot be read") {
  const Classroom room(two());
  room.hand_in("s002.json", std::string("I lost it"));
  const std::string table = room.path("overrides.csv");
  std::ofstream(table) << "student,step,points,reason\ns001,q,1,asked\ns002,S,2,asked\n";
  const Ran ran = grade(room, {"--overrides", table, "--class", room.path("class.json"),
                               "--reports", room.path("reports")});
  CHECK(ran.exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  for (const char* student : {"s001", "s002"}) CHECK(book.of(student).at("status") == "graded");
  CHECK(book.of("s001").at("score") == "1");
  CHECK(book.of("s001").at("q") == "1");
  CHECK(book.of("s001").at("k") == "0");
  CHECK(has(book.of("s001").at("note"), kNothingHandedIn + ("; q: " + by_hand("1", "0"))));
  CHECK(book.of("s002").at("score") == "2");
  CHECK(has(book.of("s002").at("note"), "expected JSON, found I; scores: 2 points by hand"));
  CHECK(has(ran.out, "2 of 2 graded"));
  const std::string step = R"("id": "q", "points": 1, "right": 0, "follows": 0, "wrong": 0, )";
  CHECK(has(read_text(room.path("class.json")), step + R"("empty": 0)"));
  const auto report = [&](const char* name) {
    return unwrapped(read_text(room.path(std::string("reports/") + name)));
  };
  CHECK(has(report("s001.txt"), "1 of 10 points"));
  CHECK(has(report("s001.txt"), "Status " + std::string(kNothingHandedIn)));
  CHECK(!has(report("s001.txt"), "note: " + std::string(kNothingHandedIn)));
  CHECK(has(report("s002.txt"), "Status " + std::string(kNotGradable)));
  CHECK(has(report("s002.txt"), "xpected JSON, found I"));
  CHECK(!has(report("s002.txt"), "blank"));
}

TEST_CASE("grade: who handed in nothing and is excused stays missing, without a score or 0 %") {
  const Classroom room(two());
  room.hand_in("s001.json", two()[0].key);
  const std::string table = room.path("overrides.csv"), summary = room.path("class.json");
  std::ofstream(table) << "student,step,points,reason\ns002,q,excused,ill\n";
  std::ofstream all(room.path("all.csv"));
  all << "student,step,points,reason\n";
  for (const SheetStep& step : two()[1].sheet.steps) all << "s002," << step.id << ",excused,ill\n";
  all.close();
  for (const std::string& decisions : {table, room.path("all.csv")}) {
    const Ran ran = grade(room, {"--overrides", decisions, "--class", summary});
    CHECK(ran.exit_code == 0);
    CHECK(has(ran.out, "1 of 2 graded"));
    const auto row = read_book(room.path("grades.csv")).of("s002");
    CHECK(row.at("status") == "missing");
    CHECK(row.at("score").empty());
    CHECK(row.at("percent").empty());
    CHECK(row.at("max_score") == (decisions == table ? "9" : "0"));  // 10, q gives 1
    CHECK(row.at("q") == "excused");
    CHECK(row.at("k") == (decisions == table ? "" : "excused"));
    CHECK(has(row.at("note"), kNothingHandedIn + ("; q: " + excused("0 (ill)"))));
    CHECK(has(read_text(summary), R"("median_percent": 100, "mean_percent": 100)"));
  }
  const Ran why = grade(room, {"--overrides", table, "--why", "s002:q:0,0"});
  CHECK(why.exit_code == 3);
  CHECK(has(unwrapped(why.err), "nothing of \"s002\" is graded: " + std::string(kNothingHandedIn) +
                                    "; q: " + excused("0 (ill)")));
  CHECK(grade(room, {"--overrides", room.path("all.csv"), "--for", "canvas"}).exit_code == 0);
  CHECK(has(read_text(room.path("grades.csv")), "s002,,s002,,,EX\r\n"));
}

TEST_CASE("grade: --why says what was found where nothing is graded, and how to go on") {
  const Classroom room(two());
  const auto why = [&](const std::string& cell) {
    return unwrapped(grade(room, {"--why", cell}).err);
  };
  room.hand_in("s001.json", two()[0].key);
  Sheet other = two()[0].key;
  const std::vector<char>& blank = other.steps[0].blank;
  const auto first = std::find(blank.begin(), blank.end(), 1) - blank.begin();
  other.steps[0].numbers[static_cast<std::size_t>(first)] += 1.0;
  room.hand_in("s001/again.json", other);
  const std::string several = why("s001:q:0,0");
  CHECK(has(several, "none was graded (s001"));
  CHECK(has(several, "again.json"));
  CHECK(has(several, "attn exercise grade FILE --key KEY --why s001:q:0,0."));
  const std::string missing = why("s002:q:0,0");
  CHECK(has(missing, "nothing of \"s002\" is graded: missing"));
  CHECK(has(missing, "Name a student who handed in a sheet."));
  room.hand_in("s002.json", "{");
  CHECK(has(why("s002:q:0,0"), "Mend or replace the file, and grade again."));
}

TEST_CASE("grade: points by hand give no step a mean, and --why says the reason") {
  const Classroom room(two());
  const std::string table = room.path("overrides.csv"), summary = room.path("class.json");
  std::ofstream(table) << "student,step,points,reason\ns001,q,1,asked\n";
  const Ran ran = grade(room, {"--overrides", table, "--class", summary});
  CHECK(has(read_text(summary), R"("empty": 0, "mean_percent": null})"));
  CHECK(!has(ran.out, " 0%"));
  const std::string cell = blank_in(two()[0].sheet.steps.front()).text;
  const Ran why = grade(room, {"--overrides", table, "--why", "s001:q:" + cell});
  CHECK(has(unwrapped(why.out), "graded by hand: q: " + by_hand("1", "0 (asked)")));
  CHECK(has(grade(room, {"--overrides", table, "--why", "s001:scores:0,0"}).out,
            "graded by hand: no points"));
  room.hand_in("s001.json", two()[0].key);
  const std::string about =
      unwrapped(grade(room, {"--overrides", table, "--why", "s001:q:" + cell}).out);
  CHECK(has(about, "q: " + by_hand("1", "1 (asked)")));
  CHECK(has(about, "was written, and"));
  CHECK(!has(about, "graded by hand"));
}

TEST_CASE("grade: points by hand are no grade of somebody else's sheet, and the report says why") {
  const Classroom room(two());
  room.hand_in("s001.json", two()[0].key);
  room.hand_in("s002.json", two()[0].key);
  const std::string table = room.path("overrides.csv");
  std::ofstream(table) << "student,step,points,reason\ns002,S,0.25,asked\n";
  const Ran ran = grade(room, {"--overrides", table, "--reports", room.path("reports")});
  CHECK(ran.exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s002").at("status") == "wrong_variant");
  CHECK(book.of("s002").at("score") == "0.25");
  CHECK(book.of("s002").at("note") ==
        sheet_of("s001") + "; scores: " + by_hand("0.25", "0 (asked)"));
  CHECK(has(ran.out, "2 of 2 graded"));  // it is a score
  const std::string report = unwrapped(read_text(room.path("reports/s002.txt")));
  CHECK(has(report, "0.25 of 10 points"));
  CHECK(has(report, "Status " + std::string(kNotYours)));
  CHECK(has(report, "Your teacher scores: " + by_hand("0.25", "0 (asked)")));
}

TEST_CASE("grade: the questions of a find-the-bug sheet take points by hand, as steps do") {
  const BugRoom bugs;
  const Classroom& room = bugs.room;
  const std::string table = bugs.decide(
      "s001,bug.code,0.25,copied\ns002,Bug,1.5,said it\ns003,bug.first_wrong,excused,typo\n");
  const std::string summary = room.path("class.json"), reports = room.path("reports");
  const Ran ran = grade(room, {"--overrides", table, "--class", summary, "--reports", reports});
  REQUIRE(ran.exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  const auto cells = [&](const char* student) {
    const BookRow& row = book.of(student);
    std::string all = row.at("score") + " of " + row.at("max_score");
    for (const char* part : kBugParts) all += ", " + row.at(part);
    return all;
  };
  CHECK(cells("s001") == "1.25 of 2, 1, 0.25");
  CHECK(cells("s002") == "1.5 of 2, 0.75, 0.75");
  CHECK(cells("s003") == "1 of 1, excused, 1");
  CHECK(book.of("s001").at("note") == "bug.code: " + by_hand("0.25", "1 (copied)"));
  CHECK(has(book.of("s002").at("note"), "bug: " + by_hand("1.5", "0 (said it)")));
  CHECK(book.of("s003").at("percent") == "100");
  const std::string json = read_text(summary);
  CHECK(has(json, R"("id": "bug.first_wrong", "points": 1, "right": 1, "follows": 0, "wrong": 0, )"
                  R"("empty": 1, "mean_percent": 87.5})"));  // of s001 and s002
  CHECK(has(json, R"("id": "bug.code", "points": 1, "right": 2, )"));
  const auto report = [&](const char* name) {
    return unwrapped(read_text(room.path(std::string("reports/") + name)));
  };
  CHECK(has(report("s002.txt"), "1.5 of 2 points"));
  CHECK(has(report("s002.txt"), "Your teacher bug: " + by_hand("1.5", "0 (said it)")));
  CHECK(has(report("s003.txt"), "1 of 1 point"));
  CHECK(has(report("s001.txt"), "Step right Mistake 0.25 of 1 point by hand"));
  CHECK(has(report("s003.txt"), "Step excused Mistake right"));
  for (const char* decided : {"s001.txt", "s002.txt", "s003.txt"}) {
    CHECK(!has(report(decided), "another one"));
    CHECK(!has(report(decided), "Work out each step"));
  }
  for (const BookRow& row : book.rows) CHECK(row.at("first_wrong").empty());  // no step is wrong
}

TEST_CASE("grade: who is excused from a find-the-bug sheet has no score, and EX for Canvas") {
  const BugRoom bugs;
  const std::string table = bugs.decide("s001,bug,excused,ill\ns004,bug.code,0.5,asked\n");
  REQUIRE(grade(bugs.room, {"--overrides", table}).exit_code == 0);
  const Book book = read_book(bugs.room.path("grades.csv"));
  CHECK(book.of("s001").at("score").empty());
  CHECK(book.of("s001").at("max_score") == "0");
  CHECK(book.of("s001").at("bug.code") == "excused");
  CHECK(book.of("s004").at("status") == "graded");  // by hand alone
  CHECK(book.of("s004").at("score") == "0.5");
  REQUIRE(grade(bugs.room, {"--overrides", table, "--for", "canvas"}).exit_code == 0);
  CHECK(has(read_text(bugs.room.path("grades.csv")), "s001,,s001,,,EX\r\n"));
  const std::string half = bugs.decide("s003,bug.first_wrong,excused,ill\ns003,bug.code,0.5,\n");
  REQUIRE(grade(bugs.room, {"--overrides", half, "--for", "moodle"}).exit_code == 0);
  const CsvTable moodle = parse_csv(read_text(bugs.room.path("grades.csv")), "");
  CHECK(moodle.rows.at(2).at(1) == "1");  // half of 1 point, out of the 2 of everybody
}

TEST_CASE("grade: a line that does not fit a find-the-bug sheet is refused with what would") {
  const BugRoom bugs;
  for (const auto& [lines, says] :
       {std::pair{"s001,scores,1,\n", "line 2: the sheet has no step \"scores\""},
        {"s001,bug.code,1.5,\n", "line 2: 1.5 is more than bug.code gives, 1 point"},
        {"s001,bug,2.5,\n", "line 2: 2.5 is more than bug gives, 2 points"},
        {"s001,bug,1,\ns001,bug.code,1,\n", "line 3: bug.code of s001 is decided already"}}) {
    const Ran ran = grade(bugs.room, {"--overrides", bugs.decide(lines)});
    CHECK(ran.exit_code == 3);
    CHECK(has(unwrapped(ran.err), says));
  }
}

TEST_CASE("grade: --why says what was answered on a find-the-bug sheet, and what is right") {
  const BugRoom bugs;
  const std::string table = bugs.decide("s001,bug,1,copied\ns004,bug,1,asked\n");
  const auto why = [&](const std::string& what) {
    const Ran ran = grade(bugs.room, {"--overrides", table, "--why", what});
    CHECK(ran.exit_code == 0);
    return unwrapped(ran.out);
  };
  const BugAnswer& right = *bugs.keys[0].bug;
  const std::string own = why("s001:bug.code");
  CHECK(has(own, "s001: bug.code bug: " + by_hand("1", "2 (copied)")));
  CHECK(has(own, "\"" + *right.code + "\" was written, which is right. It earns 1 of 1 point."));
  CHECK(has(why("s002:bug.code"), "Nothing was written: it earns nothing."));
  CHECK(has(why("s003:BUG.first_wrong"), "\"qqq\" was written; " + *bugs.keys[2].bug->first_wrong +
                                             " is right. " + kEarnsNothing));
  CHECK(has(why("s004:bug.code"), "graded by hand: bug: " + by_hand("1", "0 (asked)")));
  const Ran none = grade(bugs.room, {"--why", "s001:scores:0,0"});
  CHECK(none.exit_code == 2);
  CHECK(has(unwrapped(none.err), "Write --why s001:bug.first_wrong or --why s001:bug.code."));
}

TEST_CASE("grade: the class counts students, and a mean leaves out who was excused") {
  const Classroom room(two());
  room.hand_in("s001.json", two()[0].key);
  room.hand_in("s002.json", two()[1].sheet);
  room.hand_in("nobody.json", std::string("{}"));
  const std::string table = room.path("overrides.csv"), summary = room.path("class.json");
  std::ofstream(table) << "student,step,points,reason\ns002,q,excused,ill\n";
  const Ran ran = grade(room, {"--overrides", table, "--class", summary});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "2 of 2 graded"));
  const std::string json = read_text(summary);
  CHECK(has(json, R"("id": "q", "points": 1, "right": 1, "follows": 0, "wrong": 0, "empty": 0, )"
                  R"("mean_percent": 100})"));
  CHECK(has(json, R"("id": "k", "points": 1, "right": 1, "follows": 0, "wrong": 0, "empty": 1, )"
                  R"("mean_percent": 50})"));
  std::ofstream all(table);
  all << "student,step,points,reason\n";
  for (const SheetStep& step : two()[1].sheet.steps) all << "s002," << step.id << ",excused,ill\n";
  all.close();
  CHECK(grade(room, {"--overrides", table, "--class", summary}).exit_code == 0);
  CHECK(has(read_text(summary), "\"mean_percent\": 100, \"hardest_step\": null"));
  CHECK(read_book(room.path("grades.csv")).of("s002").at("first_wrong").empty());
  CHECK(grade(room, {"--overrides", table, "--reports", room.path("reports")}).exit_code == 0);
  const std::string report = read_text(room.path("reports/s002.txt"));
  CHECK(has(report, "excused"));
  CHECK(!has(report, "0 of 0 points"));
}

TEST_CASE("grade: a mistake in a step from which a student is excused is none of the class") {
  const Classroom room(two());
  for (const ExerciseVariant& each : two()) {
    Sheet sheet = each.key;  // forgets to scale, and goes wrong once more at the end
    SheetStep &scaled = step_of(sheet, "scaled_scores"), &output = step_of(sheet, "output");
    for (std::size_t i = 0; i < scaled.blank.size(); ++i) {
      if (scaled.blank[i] != 0) scaled.numbers[i] = step_of(sheet, "scores").numbers[i];
    }
    output.numbers[blank_in(output).index] += 1.5;
    room.hand_in(sheet.student + ".json", sheet);
  }
  const std::string table = room.path("overrides.csv"), summary = room.path("class.json");
  const auto cause = [&](const std::string& decisions) {
    std::ofstream(table) << "student,step,points,reason\n" << decisions;
    const Ran ran = grade(room, {"--overrides", table, "--class", summary});
    REQUIRE(ran.exit_code == 0);
    const std::string json = read_text(summary);
    const std::size_t at = std::min(json.find("\"code\": \"scale.missing\""), json.size());
    const std::string line = json.substr(at, json.find('}', at) - at);
    return line.substr(std::min(line.find("\"students\""), line.size()));
  };
  CHECK(cause("") == R"("students": 2, "of": 2)");
  CHECK(read_book(room.path("grades.csv")).of("s001").at("main_code") == "scale.missing");
  CHECK(cause("s001,S',excused,ill\n") == R"("students": 1, "of": 2)");
  const BookRow row = read_book(room.path("grades.csv")).of("s001");
  CHECK(row.at("first_wrong") == "output");
  CHECK(!has(row.at("main_code") + row.at("other_codes"), "scale.missing"));
  std::string all;
  for (const SheetStep& step : two()[0].sheet.steps) all += "s001," + step.id + ",excused,ill\n";
  CHECK(cause(all) == R"("students": 1, "of": 1)");
  const BookRow none = read_book(room.path("grades.csv")).of("s001");
  CHECK(none.at("first_wrong").empty());
  CHECK((none.at("main_code") + none.at("other_codes")).empty());
}

TEST_CASE("grade: points by hand for a dropped step are points, and excused is excused") {
  const Classroom room(two());
  for (const ExerciseVariant& each : two()) room.hand_in(each.key.student + ".json", each.key);
  write_exercise(room, 0.0, std::nullopt);
  const std::string table = room.path("overrides.csv");
  std::ofstream(table) << "student,step,points,reason\ns001,scores,0,\ns002,scores,excused,\n";
  REQUIRE(grade(room, {"--overrides", table, "--reports", room.path("reports")}).exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("scores") == "0");
  CHECK(book.of("s002").at("scores") == "excused");
  const std::string by_hand = read_text(room.path("reports/s001.txt"));
  CHECK(has(by_hand, " 0 points by hand"));
  CHECK(!has(by_hand, "excused"));
  CHECK(has(read_text(room.path("reports/s002.txt")), " excused"));
}

TEST_CASE("grade: points by hand have the decimals of the gradebook, in words and numbers") {
  const Classroom room(two());
  room.hand_in("s001.json", two()[0].key);
  room.hand_in("s002.json", two()[1].key);
  const std::string table = room.path("overrides.csv");
  for (const auto& [points, cell, says] :
       {std::tuple{"1.00004", "1", "scores: " + by_hand("1", "2")},
        {"1.0005", "1.0005", "scores: " + by_hand("1.0005", "2")},
        {"1.0625", "1.0625", "scores: " + by_hand("1.0625", "2")}}) {
    std::ofstream(table) << "student,step,points,reason\ns001,S," << points << ",\n";
    REQUIRE(grade(room, {"--overrides", table}).exit_code == 0);
    const BookRow row = read_book(room.path("grades.csv")).of("s001");
    CHECK(row.at("scores") == cell);
    CHECK(row.at("note") == says);
  }
}

TEST_CASE("grade: a column of the roster says what is taken off") {
  const Classroom room(two());
  room.hand_in("s001.json", two()[0].key);
  room.hand_in("s002.json", two()[1].key);
  const std::string roster = room.path("roster.csv");
  std::ofstream(roster) << "student,late\ns001,10%\ns002,2.5\n";
  CHECK(grade(room, {"--roster", roster, "--penalty", "late"}).exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("score") == "9");
  CHECK(book.of("s002").at("score") == "7.5");
  CHECK(has(book.of("s001").at("note"), "penalty (late): 1 of 10 points taken off (10%)"));
  CHECK(has(book.of("s002").at("note"), "penalty (late): 2.5 of 10 points taken off"));
  const Ran why = grade(room, {"--roster", roster, "--penalty", "late", "--why",
                               "s001:q:" + blank_in(two()[0].sheet.steps.front()).text});
  CHECK(has(why.out, "\npenalty (late): 1 of 10 points taken off (10%)\n"));
  CHECK(!has(why.out, "Without this decision"));
  CHECK(has(grade(room, {"--roster", roster, "--penalty", "lat"}).err, "has no column \"lat\""));
}

TEST_CASE("grade: the report of a student says what was decided, in the language of the exercise") {
  std::vector<ExerciseVariant> german = two();
  for (ExerciseVariant& each : german) each.sheet.language = each.key.language = "de";
  const Classroom english(two()), room(german);
  for (const Classroom* each : {&english, &room}) {
    each->hand_in("s001.json", two()[0].key);
    each->hand_in("s002.json", two()[1].key);
    std::ofstream(each->path("roster.csv")) << "student;late\ns001;0,5\ns002;10%\n";
    std::ofstream(each->path("overrides.csv")) << "student;step;points;reason\ns001;S;1,5;copied\n"
                                                  "s002;q;excused;\n";
    CHECK(grade(*each, {"--roster", each->path("roster.csv"), "--penalty", "late", "--overrides",
                        each->path("overrides.csv"), "--reports", each->path("reports")})
              .exit_code == 0);
    CHECK(read_book(each->path("grades.csv")).of("s001").at("score") == "9");
    CHECK(
        has(read_book(each->path("grades.csv")).of("s001").at("note"), "0.5 of 9.5 points taken"));
  }
  const auto report = [](const Classroom& of, const std::string& name) {
    return unwrapped(read_text(of.path("reports/" + name)));
  };
  const std::string late = report(english, "s001.txt");
  CHECK(has(late, "9 of 10 points"));
  CHECK(
      has(late, "Your teacher scores: " + by_hand("1.5", "2 (copied)") + "; penalty (late): 0.5"));
  CHECK(has(report(english, "s002.txt"),
            "q: " + excused("1") + "; penalty (late): 0.9 of 9 points taken off (10%)"));
  CHECK(has(report(room, "s001.txt"), "Deine Lehrkraft scores: 1.5 Punkte von Hand statt 2"));
  CHECK(has(report(room, "s001.txt"), "(copied); Abzug (late): 0.5 von 9.5 Punkten"));
  CHECK(has(report(room, "s002.txt"), "q: erlassen statt 1"));
}

TEST_CASE("grade: what is no matrix is said in German and Chinese as a whole") {
  for (const auto& [code, says] :
       {std::pair{"de",
                  "Erwartet: eine Matrix (eine Liste von Zeilen aus Zahlen); gefunden: die Zahl 7 "
                  "Weiter Schreib eine Liste für jede Zeile"},
        {"zh", "应为矩阵（由各行数字组成的列表），却是数字 7 下一步 请为每一行写一个列表"}}) {
    std::vector<ExerciseVariant> variants = two();
    for (ExerciseVariant& each : variants) each.sheet.language = each.key.language = code;
    const Classroom room(variants);
    room.hand_in("s001.json", std::string(R"({"weights": 7, "q": [[1]]})"));
    CHECK(grade(room, {"--reports", room.path("reports")}).exit_code == 0);
    CHECK(has(unwrapped(read_text(room.path("reports/s001.txt"))), says));
  }
}

TEST_CASE("grade: a report agrees with what was decided about a step") {
  const Classroom room(two());
  Sheet sheet = two()[0].key;  // all scores wrong, and what follows from them
  for (std::size_t i = 0; i < step_of(sheet, "scores").blank.size(); ++i) {
    if (step_of(sheet, "scores").blank[i] != 0) step_of(sheet, "scores").numbers[i] += 1.5;
    if (step_of(sheet, "scaled_scores").blank[i] != 0)
      step_of(sheet, "scaled_scores").numbers[i] =
          step_of(sheet, "scores").numbers[i] / std::sqrt(3.0);
  }
  room.hand_in("s001.json", sheet);
  const std::string table = room.path("overrides.csv");
  const auto report = [&](const std::string& points) {
    std::ofstream(table) << "student,step,points,reason\ns001,S′," << points << ",objection\n";
    REQUIRE(grade(room, {"--overrides", table, "--reports", room.path("reports")}).exit_code == 0);
    return unwrapped(read_text(room.path("reports/s001.txt")));
  };
  const std::string unearned = follows("scaled_scores");
  std::ofstream(table) << "student,step,points,reason\n";
  REQUIRE(grade(room, {"--overrides", table, "--reports", room.path("reports")}).exit_code == 0);
  CHECK(has(unwrapped(read_text(room.path("reports/s001.txt"))), unearned));
  const std::string full = report("1");
  CHECK(has(full, " 1 of 1 point by hand, "));
  CHECK(has(full, kFollow));
  CHECK(!has(full, unearned));
  CHECK(has(report("0"), " 0 of 1 point by hand, "));
  CHECK(!has(read_book(room.path("grades.csv")).of("s001").at("note"), "scaled_scores: 0 of"));
  const std::string excused = report("excused");
  CHECK(has(excused, " excused, "));
  CHECK(!has(excused, unearned));
}

TEST_CASE("grade: what finding the bug is worth can be changed in exercise.json, and is listed") {
  const BugRoom bugs;
  const Classroom& room = bugs.room;
  ExerciseKey key{
      .spec = find_preset("find-the-bug").spec, .salt = "salt", .generator = "attn-gen/2"};
  key.spec.name = bugs.keys[0].exercise;
  const auto write = [&](const std::string& text) {
    std::ofstream(room.path("key/exercise.json")) << text;
  };
  const std::string text = exercise_key_json(key);
  const auto with = [&](const std::string& from, const std::string& to) {
    REQUIRE(has(text, from));
    return std::string(text).replace(text.find(from), from.size(), to);
  };
  write(text);
  CHECK(!has(grade(room).err, "has changed"));
  write(with("\"bug\": 2", "\"bug\": 6"));
  CHECK(has(unwrapped(grade(room).err), "has changed: points of bug: 6 in place of 2"));
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.possible.at("bug.code") == "3");
  CHECK(book.of("s001").at("score") == "6");
  CHECK(book.of("s003").at("score") == "3");
  CHECK(!has(book.of("s001").at("note"), "were changed"));  // not by the student
  key.spec.accept_within = 0.25;
  write(exercise_key_json(key));
  CHECK(has(unwrapped(grade(room).err), "accept_within: 0.25 in place of 0.01"));
  write(with("\"weights\": 0", "\"weights\": 4"));  // not silently ignored
  const Ran refused = grade(room);
  CHECK(refused.exit_code == 3);
  CHECK(has(unwrapped(refused.err), "weights has points"));
  CHECK(has(unwrapped(refused.err), "what finding the mistake is worth as \"bug\""));
  write(
      with("\"scores\": 0,\n      \"scaled_scores\": 0,\n      \"weights\": 0,\n      "
           "\"output\": 0,\n      \"bug\": 2",
           R"("scores": 1, "scaled_scores": 1, "weights": 1, "output": 1)"));  // as written before
  const Ran same = grade(room);
  CHECK(same.exit_code == 0);
  CHECK(!has(same.err, "has changed"));
}

TEST_CASE("grade: changed points and tolerance of exercise.json count, and are listed") {
  const Classroom room(two());
  BlankAt place;
  Sheet sheet = slip_and_what_follows(place);
  room.hand_in("s001.json", sheet);
  write_exercise(room, 2.0, std::nullopt);
  CHECK(!has(grade(room).err, "has changed"));
  const double before = std::stod(read_book(room.path("grades.csv")).of("s001").at("scores"));
  write_exercise(room, 6.0, std::nullopt);
  CHECK(has(unwrapped(grade(room).err), "points of scores: 6 in place of 2"));
  const Book book = read_book(room.path("grades.csv"));
  CHECK(close(3.0 * before, std::stod(book.of("s001").at("scores")), 1e-3));
  CHECK(book.possible.at("score") == "14");
  CHECK(!has(book.of("s001").at("note"), "were changed"));  // not by the student
  write_exercise(room, 2.0, 2.0);
  CHECK(has(unwrapped(grade(room).err), "accept_within: 2 in place of 0.01"));
  CHECK(read_book(room.path("grades.csv")).of("s001").at("score") == "10");
  write_exercise(room, 0.0, std::nullopt);  // dropped: of no points there is no mean
  const std::string summary = room.path("class.json");
  CHECK(has(unwrapped(grade(room, {"--class", summary}).err), "points of scores: 0 in place of 2"));
  const std::string text = read_text(summary);
  const std::string dropped = text.substr(text.find("\"id\": \"scores\""));
  CHECK(has(dropped.substr(0, dropped.find('}')), "\"mean_percent\": null"));
}

TEST_CASE("grade: --why takes whole numbers as positions, also where tokens are numbers" *
          doctest::test_suite("long")) {
  const TemporaryFolder desk;
  const auto why = [&](const std::string& preset, const std::string& words,
                       const std::string& place) {
    const std::string folder = desk.path(preset);
    if (!std::filesystem::exists(folder))
      attn_run({"exercise", "make", "--preset", preset, "--words", words, "--new-salt",
                folder + "-salt", "-o", folder});
    return attn_run({"exercise", "grade", folder + "/key/answers", "--key", folder + "/key",
                     "--why", ":" + place});
  };
  const auto told = [&](const std::string& place) { return why("causal", "1,2,3,4", place).out; };
  CHECK(told("weights:1,2").starts_with("sheet: A[2, 3]\n"));
  CHECK(told("8/9: 3 , 0").starts_with("sheet: A[4, 1]\n"));
  CHECK(told("q:1,2").starts_with("sheet: Q[2, q2]\n"));
  CHECK(told("A[1, 2]").starts_with("sheet: A[1, 2]\n"));  // as it is printed
  const Ran beyond = why("causal", "1,2,3,4", "weights:4,4");
  CHECK(beyond.exit_code == 2);
  CHECK(has(beyond.err, "there is no row \"4\"\n"));
  CHECK(has(beyond.err, "--why :weights:4,4\n"));
  CHECK(has(unwrapped(beyond.err), "the last is 3."));
  const auto in_head = [&](const std::string& place) { return why("multihead", "3,0,2,1", place); };
  CHECK(in_head("weights:1,2,0").out.starts_with("sheet: A[2, 3] of head 1\n"));
  CHECK(in_head("weights:1,2").out.starts_with("sheet: A[0, 2] of head 0\n"));
  CHECK(has(unwrapped(in_head("weights:2,0,0").err), "\"weights:2,0,0\" does not"));
}
