// Two answers for one number: in two matrices of a step, in two columns, in two lines.
#include <doctest/doctest.h>

#include <algorithm>

#include "attn/io/sheet_file.hpp"
#include "support/classroom.hpp"
#include "support/phrases.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

const std::vector<ExerciseVariant>& sheets() { return class_variants(2); }

/// The sheet as a file where a matrix S with 9 in each blank comes before the right scores.
std::string with_second_scores(const Sheet& sheet) {
  const auto at = std::find_if(sheet.steps.begin(), sheet.steps.end(),
                               [](const SheetStep& step) { return step.id == "scores"; });
  const auto cols = static_cast<std::size_t>(at->shape.back());
  std::string rows;
  for (std::size_t i = 0; i < at->blank.size(); ++i) {
    rows += i % cols == 0 ? (i == 0 ? "[[" : "], [") : ", ";
    rows += at->blank[i] != 0 ? "9" : "null";
  }
  std::string text = sheet_json(sheet);
  const std::string answers = "\"answers\": {";
  const std::size_t place = text.find(answers);
  REQUIRE(place != text.npos);
  return text.insert(place + answers.size(), "\"S\": " + rows + "]], ");
}

/// The first blank of the scores as "ROW,COL".
std::string first_blank(const Sheet& sheet) {
  for (const SheetStep& step : sheet.steps) {
    if (step.id != "scores") continue;
    const auto at = std::find(step.blank.begin(), step.blank.end(), 1) - step.blank.begin();
    return std::to_string(at / step.shape.back()) + "," + std::to_string(at % step.shape.back());
  }
  return "";
}

}  // namespace

TEST_CASE("two answers: a second matrix for a step is said wherever the sheet is graded") {
  const Classroom room(sheets());
  const Sheet& key = sheets()[0].key;
  room.hand_in("s001.json", with_second_scores(key));
  REQUIRE(room.check({"--reports", room.path("reports")}).exit_code == 0);
  const BookRow row = read_book(room.path("grades.csv")).of("s001");
  CHECK(row.at("scores") == "0");
  CHECK(has(row.at("note"), "file.second_matrix"));
  CHECK(has(row.at("note"), "\"S\" is a second matrix for scores"));
  CHECK(has(row.at("note"), kTwoAnswers));
  CHECK(has(unwrapped(read_text(room.path("reports/s001.txt"))), "[file.second_matrix]"));
  const Ran why = attn_run({"exercise", "grade", room.path("handed-in"), "--key", room.path("key"),
                            "--why", "s001:scores:" + first_blank(key)});
  CHECK(why.exit_code == 0);
  CHECK(has(unwrapped(why.out), "; 9 is not one number: it earns nothing."));
  const Ran alone = attn_run({"check", "-"}, with_second_scores(key));
  CHECK(alone.exit_code == 1);
  CHECK(has(unwrapped(alone.out), "[file.second_matrix]"));
  const Ran german = attn_run({"check", "-", "--lang", "de"}, with_second_scores(key));
  CHECK(has(unwrapped(german.out), "ist eine zweite Matrix für scores"));
  CHECK(has(unwrapped(german.out), "Behalte eine der beiden Matrizen."));
}

TEST_CASE("two answers: a table that has the column value twice is not graded") {
  const Classroom room(sheets());
  std::string table = sheet_csv(sheets()[0].key);
  const std::string more[] = {",value\r\n", ",9\r\n"};
  std::size_t line = 0;
  for (std::size_t at = table.find("\r\n"); at != table.npos; ++line) {
    const std::string& end = more[line == 0 ? 0 : 1];
    table.replace(at, 2, end);
    at = table.find("\r\n", at + end.size());
  }
  REQUIRE(line > 10);
  room.hand_in("s001.csv", table);
  REQUIRE(room.check().exit_code == 0);
  const BookRow row = read_book(room.path("grades.csv")).of("s001");
  CHECK(row.at("status") == "not_gradable");
  CHECK(has(row.at("note"), kTwoColumns));
}
