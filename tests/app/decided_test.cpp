// attn exercise grade: what a teacher decides about a step, and what follows from it.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "attn/io/sheet_file.hpp"
#include "support/classroom.hpp"
#include "support/phrases.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

SheetStep& named_step(Sheet& sheet, const std::string& id) {
  for (SheetStep& step : sheet.steps) {
    if (step.id == id) return step;
  }
  throw std::out_of_range(id);
}

/// A class of two; s001 has all scores wrong, and goes on from them.
struct WrongScores {
  Classroom room{class_variants(2)};
  Sheet sheet = class_variants(2)[0].key;
  std::string cell;  ///< the first blank of scaled_scores, as ROW,COL

  WrongScores() {
    SheetStep &scores = named_step(sheet, "scores"), &scaled = named_step(sheet, "scaled_scores");
    for (std::size_t i = 0; i < scores.blank.size(); ++i) {
      if (scores.blank[i] != 0) scores.numbers[i] += 1.5;
      if (scaled.blank[i] == 0) continue;
      scaled.numbers[i] = scores.numbers[i] / std::sqrt(3.0);
      if (cell.empty()) cell = std::to_string(i / 4) + "," + std::to_string(i % 4);
    }
    room.hand_in("s001.json", sheet);
  }
  Ran grade(const std::string& decisions, std::vector<std::string> more = {}) const {
    std::filesystem::remove(room.path("grades.csv"));  // decisions are withdrawn
    const std::string table =
        room.hand_in("../overrides.csv", "student,step,points,reason\n" + decisions);
    more.insert(more.begin(),
                {"exercise", "grade", room.path("handed-in"), "--key", room.path("key"),
                 "--gradebook", room.path("grades.csv"), "--overrides", table});
    return attn_run(more);
  }
  /// What scaled_scores earn with these decisions.
  std::string scaled(const std::string& decisions) const {
    REQUIRE(grade(decisions).exit_code == 0);
    return read_book(room.path("grades.csv")).of("s001").at("scaled_scores");
  }
};

/// exercise.json with other points for the scores: 0 drops them.
void give_scores(const Classroom& room, double points) {
  ExerciseKey key{.spec = exercise_presets()[1].spec, .salt = "salt", .generator = "attn-gen/2"};
  key.spec.name = "hw1";
  for (AskedStep& step : key.spec.steps) step.points = step.id == "scores" ? points : step.points;
  std::ofstream(room.path("key/exercise.json")) << exercise_key_json(key);
}

}  // namespace

TEST_CASE("decided: what follows from a step that was dropped, excused or given points earns") {
  const WrongScores wrong;
  CHECK(wrong.scaled("") == "0");  // fewer than half of the scores earn points
  CHECK(wrong.scaled("s001,scores,excused,ill\n") == "1");
  CHECK(wrong.scaled("s001,scores,1,typo\n") == "1");  // half of 2 points
  CHECK(wrong.scaled("s001,scores,0.5,half\n") == "0");
  CHECK(wrong.scaled("s001,k,excused,ill\n") == "0");  // another step
  CHECK(wrong.scaled("s001,scores,excused,ill\ns001,S',0.25,no\n") == "0.25");
  give_scores(wrong.room, 0.0);
  CHECK(wrong.scaled("") == "1");
  CHECK(read_book(wrong.room.path("grades.csv")).of("s001").at("score") == "8");
}

TEST_CASE("decided: what points by hand replace does not depend on the order of the lines") {
  const WrongScores wrong;
  const std::string scores = "s001,scores,1,typo\n", scaled = "s001,S',0.25,no\n";
  for (const std::string& lines : {scores + scaled, scaled + scores}) {
    CAPTURE(lines);
    CHECK(wrong.scaled(lines) == "0.25");
    const std::string note = read_book(wrong.room.path("grades.csv")).of("s001").at("note");
    CHECK(has(note, "scaled_scores: " + by_hand("0.25", "0") + " (no)"));
    CHECK(has(note, "scores: " + by_hand("1", "0") + " (typo)"));
  }
}

TEST_CASE("decided: whoever is excused from all is not counted among the sheets with a flag") {
  const WrongScores wrong;
  Sheet changed = wrong.sheet;
  SheetStep& scores = named_step(changed, "scores");
  for (std::size_t i = 0; i < scores.blank.size(); ++i) {
    if (scores.blank[i] == 0) scores.numbers[i] += 1.0;
  }
  wrong.room.hand_in("s001.json", changed);
  std::string all;
  for (const SheetStep& step : changed.steps) all += "s001," + step.id + ",excused,ill\n";
  const auto flagged = [&](const std::string& decisions) {
    const std::string summary = wrong.room.path("class.json");
    REQUIRE(wrong.grade(decisions, {"--class", summary}).exit_code == 0);
    return has(read_text(summary), "\"flagged\": 1");
  };
  CHECK(flagged(""));
  CHECK(!flagged(all));
}

TEST_CASE("decided: no decision takes points away that were earned") {
  const WrongScores wrong;
  wrong.room.hand_in("s001.json", class_variants(2)[0].key);
  for (const char* points : {"0", "0.5", "1", "2", "excused"})
    CHECK(wrong.scaled(std::string("s001,scores,") + points + ",\n") == "1");
}

TEST_CASE("decided: --why says that a decision lets a number earn its points") {
  const WrongScores wrong;
  const auto why = [&](const std::string& decisions) {
    const Ran ran = wrong.grade(decisions, {"--why", "s001:S':" + wrong.cell});
    CHECK(ran.exit_code == 0);
    return unwrapped(ran.out);
  };
  const std::string decided =
      "blanks; what follows from it counts all the same, since the teacher decided about "
      "this step";
  const std::string without = why("");
  CHECK(has(without, "fewer than half of the blanks of scores earn points."));
  CHECK(!has(without, decided));
  const std::string with = why("s001,scores,excused,ill\n");
  CHECK(has(with, "It follows: "));
  CHECK(has(with, " of 1 point."));
  CHECK(has(with, "scores: points for 0 of 6 " + decided));
}

TEST_CASE("decided: a report with --follow-through says what a number that follows earns") {
  const WrongScores wrong;
  Sheet sheet = class_variants(2)[0].key;  // one wrong score, and what follows from it
  SheetStep &scores = named_step(sheet, "scores"), &scaled = named_step(sheet, "scaled_scores");
  for (std::size_t i = 0; i < scores.blank.size(); ++i) {
    if (scores.blank[i] == 0 || scaled.blank[i] == 0) continue;
    scores.numbers[i] += 1.5;
    scaled.numbers[i] = scores.numbers[i] / std::sqrt(3.0);
    break;
  }
  wrong.room.hand_in("s001.json", sheet);
  const auto report = [&](const char* share) {
    REQUIRE(wrong.grade("", {"--follow-through", share, "--reports", wrong.room.path("reports")})
                .exit_code == 0);
    return unwrapped(read_text(wrong.room.path("reports/s001.txt")));
  };
  const std::string says = std::string("number that only") + kFollows + " earns ";
  CHECK(has(report("0.5"), says + "50% of its share"));
  CHECK(has(read_book(wrong.room.path("grades.csv")).of("s001").at("note"),
            says + "50% of its share"));
  CHECK(has(report("0"), says + "nothing"));
  CHECK(!has(report("1"), says));
  REQUIRE(wrong
              .grade("s001,S',1,asked\n",
                     {"--follow-through", "0", "--reports", wrong.room.path("reports")})
              .exit_code == 0);
  CHECK(!has(unwrapped(read_text(wrong.room.path("reports/s001.txt"))), says));
  CHECK(!has(read_book(wrong.room.path("grades.csv")).of("s001").at("note"), says));
}

TEST_CASE("decided: what Canvas and Moodle take in place of the points is said to the student") {
  const WrongScores wrong;
  const std::string decisions = "s001,q,excused,ill\n", reports = wrong.room.path("reports");
  const std::string says = "6 of 9 points count as 6.6667 of 10, because of excused steps";
  for (const char* who : {"moodle", "canvas", "excel"}) {
    REQUIRE(wrong.grade(decisions, {"--for", who, "--reports", reports}).exit_code == 0);
    const bool scaled = who != std::string("excel");
    CHECK(has(unwrapped(read_text(reports + "/s001.txt")), says) == scaled);
    const std::string book = read_text(wrong.room.path("grades.csv"));
    CHECK(has(book, ",6.6667") == scaled);
    CHECK(has(book, says) == (who == std::string("moodle")));
  }
  REQUIRE(wrong.grade("", {"--for", "moodle", "--reports", reports}).exit_code == 0);
  CHECK(!has(read_text(reports + "/s001.txt"), "count as"));
}

TEST_CASE("decided: --why blames the empty cell, not a number elsewhere that is too large") {
  const Classroom room(class_variants(2));
  Sheet sheet = class_variants(2)[0].key;
  SheetStep &scaled = named_step(sheet, "scaled_scores"), &weights = named_step(sheet, "weights");
  const auto blank_weight = [&](std::size_t row) {  // the first of the row; 16 if there is none
    for (std::size_t i = 4 * row; i <= 5 * row; ++i) {
      if (weights.blank[i] != 0) return i;
    }
    return std::size_t{16};
  };
  std::vector<std::size_t> large, empty;  // rows
  for (std::size_t i = 4; i < scaled.blank.size(); ++i) {
    const std::size_t row = i / 4;
    const bool used = scaled.blank[i] != 0 && i % 4 <= row && blank_weight(row) < 16;
    if (!used || !empty.empty()) continue;
    if (large.size() < 2) {
      scaled.numbers[i] = 1e9;
      large.push_back(row);
    } else if (row != large.back()) {
      scaled.numbers[i] = std::nan("");
      empty.push_back(row);
    }
  }
  REQUIRE(empty.size() == 1);
  for (const std::size_t row : {large[0], empty[0]}) weights.numbers[blank_weight(row)] += 0.3;
  room.hand_in("s001.json", sheet);
  const auto why = [&](std::size_t row) {
    const std::string cell = std::to_string(row) + "," + std::to_string(blank_weight(row) % 4);
    return unwrapped(attn_run({"exercise", "grade", room.path("handed-in"), "--key",
                               room.path("key"), "--why", "s001:weights:" + cell})
                         .out);
  };
  const char* blames_large = "it uses a number that is too large to go on from.";
  CHECK(has(why(large[0]), blames_large));
  CHECK(has(why(empty[0]), "does not follow"));
  CHECK(!has(why(empty[0]), blames_large));
}

TEST_CASE("decided: --why and the report say which numbers are too large to go on from") {
  const Classroom room(class_variants(2));
  Sheet sheet = class_variants(2)[0].key;
  SheetStep &scaled = named_step(sheet, "scaled_scores"), &weights = named_step(sheet, "weights");
  std::string cell;
  int large = 0;
  for (std::size_t i = 0; i < scaled.blank.size() && large < 2; ++i) {
    if (scaled.blank[i] == 0 || i % 4 > i / 4) continue;
    scaled.numbers[i] = 1e9;
    ++large;
    for (std::size_t j = i - i % 4; j < i - i % 4 + 4; ++j) {
      if (weights.blank[j] == 0) continue;
      weights.numbers[j] = j == i ? 1.0 : 0.0;
      if (std::abs(weights.numbers[j] - class_variants(2)[0].key.steps[5].numbers[j]) > 0.01)
        cell = std::to_string(j / 4) + "," + std::to_string(j % 4);
    }
  }
  REQUIRE(!cell.empty());
  room.hand_in("s001.json", sheet);
  const Ran ran = attn_run({"exercise", "grade", room.path("handed-in"), "--key", room.path("key"),
                            "--why", "s001:weights:" + cell});
  REQUIRE(ran.exit_code == 0);
  const std::string why = unwrapped(ran.out);
  CHECK(has(why, "It does not follow: it uses a number that is too large to go on from."));
  CHECK(has(why, "blanks; 2 numbers are larger than any right one"));
  REQUIRE(room.check({"--reports", room.path("reports")}).exit_code == 0);
  CHECK(has(unwrapped(read_text(room.path("reports/s001.txt"))),
            "2 numbers in scaled_scores are larger than any right one, and nothing follows"));
}
