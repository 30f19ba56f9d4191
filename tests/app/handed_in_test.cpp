// attn exercise grade: several files of a student, the mean of the class, and penalties.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "attn/io/sheet_file.hpp"
#include "attn/number_text.hpp"
#include "support/classroom.hpp"
#include "support/compare.hpp"
#include "support/phrases.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

const std::vector<ExerciseVariant>& all_six() { return class_variants(6); }

Ran grade_class(const Classroom& room, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"exercise", "grade", room.path("handed-in"), "--key", room.path("key"),
                             "--gradebook", room.path("grades.csv")});
  return attn_run(more);
}

std::string written_decisions(const Classroom& room, const std::string& lines) {
  return room.hand_in("../overrides.csv", "student,step,points,reason\n" + lines);
}

/// The names of the files in a folder and below, sorted.
std::vector<std::string> names_below(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& each : fs::recursive_directory_iterator(folder)) {
    if (each.is_regular_file())
      names.push_back(each.path().lexically_relative(folder).generic_string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The sheet with one number changed.
Sheet slipped(Sheet sheet) {
  const auto blank = std::find(sheet.steps[0].blank.begin(), sheet.steps[0].blank.end(), 1);
  sheet.steps[0].numbers[static_cast<std::size_t>(blank - sheet.steps[0].blank.begin())] += 1.5;
  return sheet;
}

/// The status line of a class summary and what is above it.
std::string head_of_summary(const std::string& summary) {
  return summary.substr(0, summary.find("\"steps\""));
}

}  // namespace

TEST_CASE("handed in: the report about several files names them, in the one folder of Moodle") {
  const Classroom room(all_six());
  const std::string moodle = "Ann Lee_17_assignsubmission_file_";
  room.hand_in("a.json", slipped(all_six()[0].key));
  room.hand_in(moodle + "/s001.json", all_six()[0].key);
  room.hand_in("s002.json", slipped(all_six()[1].key));
  room.hand_in("s002 (1).json", all_six()[1].key);
  room.hand_in("Bob_18_assignsubmission_file_/s003.jpg", std::string("x"));
  room.hand_in("Bob_18_assignsubmission_file_/deep/s003.png", std::string("x"));
  const std::string reports = room.path("reports");
  REQUIRE(grade_class(room, {"--reports", reports}).exit_code == 0);
  const std::vector<std::string> expected{"Ann Lee_17_assignsubmission_file_/s001.txt",
                                          "Bob_18_assignsubmission_file_/s003.txt",
                                          "s002.txt",
                                          "s004.txt",
                                          "s005.txt",
                                          "s006.txt"};
  CHECK(names_below(reports) == expected);
  const std::string status = "Status not graded: several files were handed in (";
  CHECK(has(unwrapped(read_text(reports + "/" + moodle + "/s001.txt")),
            status + "s001.json, a.json)"));
  CHECK(has(unwrapped(read_text(reports + "/s002.txt")), status + "s002 (1).json, s002.json)"));
  CHECK(has(read_book(room.path("grades.csv")).of("s003").at("file"), "deep/s003.png, Bob_18"));
  REQUIRE(grade_class(room, {"--for", "moodle"}).exit_code == 0);
  CHECK(has(read_text(room.path("grades.csv")),
            "not graded: several files were handed in (s002 (1).json, s002.json)"));
}

TEST_CASE("handed in: of many files, a report names the first ones") {
  const Classroom room(all_six());
  for (int i = 10; i < 30; ++i)
    room.hand_in("s001-" + std::to_string(i) + ".txt", "lost " + std::to_string(i));
  REQUIRE(grade_class(room, {"--reports", room.path("reports"), "--id-regex", "^s..."}).exit_code ==
          0);
  const std::string report = unwrapped(read_text(room.path("reports/s001.txt")));
  CHECK(has(report, "(s001-10.txt, s001-11.txt, "));
  CHECK(has(report, ", s001-21.txt, …)"));
  CHECK(!has(report, "s001-22.txt"));
}

TEST_CASE("handed in: the same answers as a sheet and as its table are one hand-in") {
  const Classroom room(all_six());
  for (std::size_t i = 0; i < 3; ++i) {
    const Sheet mine = i == 0 ? all_six()[i].key : slipped(all_six()[i].key);
    const std::string id = student_id(i + 1);
    room.hand_in(id + ".json", mine);
    room.hand_in(id + ".csv", sheet_csv(i == 2 ? all_six()[i].key : mine));
  }
  Sheet unread = all_six()[3].key;
  room.hand_in("s004.json", unread);
  std::string table = sheet_csv(unread);
  const std::size_t blank = table.find(",,hw1");  // the first line of a blank: its value is before
  table.insert(blank, "x");
  room.hand_in("s004.csv", table);
  REQUIRE(grade_class(room).exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  for (const std::string id : {"s001", "s002"}) {
    CHECK(book.of(id).at("status") == "graded");
    CHECK(book.of(id).at("file") == id + ".json");
    CHECK(has(book.of(id).at("note"), "also handed in: " + id + ".csv, the same answers"));
  }
  CHECK(book.of("s001").at("score") == "10");
  CHECK(book.of("s003").at("status") == "duplicate");  // one number differs
  CHECK(book.of("s004").at("status") == "duplicate");  // one cell cannot be read
}

TEST_CASE("handed in: tables whose matrices have the names that are printed are one hand-in, too") {
  const Classroom room(all_six());
  const auto table = [](const Sheet& sheet, const std::string& weights) {
    std::string text = sheet_csv(sheet);
    const std::string step = "\nweights,";
    for (std::size_t at = text.find(step); at != text.npos; at = text.find(step, at))
      text.replace(at + 1, step.size() - 2, weights);
    REQUIRE(has(text, weights + ","));
    return text;
  };
  const Sheet &one = all_six()[0].key, &two = all_six()[1].key;
  Sheet other = two;
  for (SheetStep& step : other.steps)
    if (step.id == "weights")
      for (double& number : step.numbers) number += 0.5;
  room.hand_in("s001.csv", table(one, "[8/9]"));
  room.hand_in("s001 (1).csv", table(one, "Attention weights"));
  room.hand_in("s001 (2).csv", table(one, "A = softmax(M)"));
  room.hand_in("s001.json", one);
  room.hand_in("s002.csv", table(two, "[8/9]"));
  room.hand_in("s002 (1).csv", table(other, "[8/9]"));
  room.hand_in("s003.csv", table(all_six()[2].key, "[8/9]"));
  room.hand_in("s003 (1).csv", table(all_six()[2].key, "something"));
  REQUIRE(grade_class(room).exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("status") == "graded");
  CHECK(book.of("s001").at("score") == "10");
  CHECK(book.of("s002").at("status") == "duplicate");  // other numbers
  CHECK(book.of("s003").at("status") == "duplicate");  // perhaps of another step
}

TEST_CASE("handed in: whoever has a score is in the mean and the median, and nobody else") {
  const Classroom room(all_six());
  room.hand_in("s001.json", all_six()[0].key);     // 10 of 10
  room.hand_in("s002.json", all_six()[0].key);     // another's: 1 by hand
  room.hand_in("s003.json", std::string("lost"));  // 2 by hand
  room.hand_in("s004.json", std::string("lost"));  // no score
  room.hand_in("s005.json", all_six()[4].key);     // excused from all
  Sheet stranger = all_six()[5].key;
  stranger.student = "x9";
  room.hand_in("x9.json", stranger);  // has a score, but is no student; s006 is missing
  std::string lines = "s002,q,1,asked\ns003,scores,2,asked\n";
  for (const SheetStep& step : all_six()[4].sheet.steps)
    lines += "s005," + step.id + ",excused,ill\n";
  const std::string summary = room.path("class.json");
  const Ran ran =
      grade_class(room, {"--overrides", written_decisions(room, lines), "--class", summary});
  REQUIRE(ran.exit_code == 0);
  std::vector<double> percents;
  for (const BookRow& row : read_book(room.path("grades.csv")).rows) {
    if (row.at("status") != "not_in_roster" && !row.at("percent").empty())
      percents.push_back(std::stod(row.at("percent")));
  }
  CHECK(percents == std::vector<double>{100.0, 10.0, 20.0});
  double sum = 0.0;
  for (const double each : percents) sum += each;
  std::sort(percents.begin(), percents.end());
  const std::string head = head_of_summary(read_text(summary));
  CHECK(has(head, R"("rows": 7, "graded": 3, "excused": 1, )"));
  const std::size_t at = head.find("\"mean_percent\": ") + 16;
  CHECK(close(sum / 3.0, std::stod(head.substr(at))));
  CHECK(has(head, "\"median_percent\": 20,"));
  CHECK(percents[1] == 20.0);
  CHECK(has(ran.out, "3 of 6 graded"));
  CHECK(has(ran.out, "1 excused · 1 not gradable · 1 missing · 1 not in roster\n"));
  CHECK(has(ran.out, "20% of 10 points; mean 43%"));
  CHECK(has(ran.out, "1 sheet is not graded: the gradebook says why"));
}

TEST_CASE("handed in: a penalty takes off at most everything, and more is refused") {
  const Classroom room(all_six());
  room.hand_in("s001.json", all_six()[0].key);
  const auto ran = [&](const std::string& late) {
    const std::string roster = room.hand_in("../roster.csv", "student,late\ns001," + late + "\n");
    return grade_class(room, {"--roster", roster, "--penalty", "late"});
  };
  CHECK(ran("100%").exit_code == 0);
  CHECK(read_book(room.path("grades.csv")).of("s001").at("score") == "0");
  CHECK(ran("10").exit_code == 0);
  for (const auto& [late, says] :
       {std::pair{"120%", "\"120%\" in the column late, of s001, is more than 100%"},
        {"10.5",
         "\"10.5\" in the column late, of s001, is more than the sheet gives, 10 points"}}) {
    const Ran refused = ran(late);
    CHECK(refused.exit_code == 3);
    CHECK(has(unwrapped(refused.err), says));
  }
}

TEST_CASE("handed in: a comma among points in a column of numbers is named as the cause") {
  const Classroom room(all_six());
  room.hand_in("s001.json", all_six()[0].key);
  room.hand_in("s002.json", all_six()[1].key);
  const auto ran = [&](const std::string& one, const std::string& other) {
    const std::string roster =
        room.hand_in("../roster.csv", "student;late\ns001;" + one + "\ns002;" + other + "\n");
    return grade_class(room, {"--roster", roster, "--penalty", "late"});
  };
  const std::string cause =
      "Write a point in place of the comma: another number of the column has one.";
  const std::string decisions = room.hand_in(
      "../o.csv", "student;step;points;reason\ns001;scores;0,5;x\ns002;scores;0.5;x\n");
  CHECK(has(unwrapped(grade_class(room, {"--overrides", decisions}).err), cause));
  CHECK(ran("10,5%", "0,5").exit_code == 0);
  const Ran mixed = ran("10,5%", "0.5");
  CHECK(mixed.exit_code == 3);
  CHECK(has(unwrapped(mixed.err), "\"10,5%\" in the column late, of s001, is no penalty"));
  CHECK(has(unwrapped(mixed.err), cause));
  CHECK(!has(unwrapped(ran("ten", "0.5").err), cause));
}

TEST_CASE("handed in: reports of an earlier run that are not written again are named") {
  const Classroom room(all_six());
  room.hand_in("s001.json", all_six()[0].key);
  const std::string reports = room.path("reports");
  CHECK(!has(grade_class(room, {"--reports", reports}).err, "earlier run"));
  CHECK(!has(grade_class(room, {"--reports", reports}).err, "earlier run"));
  const std::string roster = room.hand_in("../roster.csv", "id\ns001\ns003\ns004\ns005\ns006\n");
  fs::rename(room.path("handed-in/s001.json"), room.path("handed-in/s001"));
  fs::create_directories(room.path("handed-in/Ann_1_assignsubmission_file_"));
  fs::rename(room.path("handed-in/s001"),
             room.path("handed-in/Ann_1_assignsubmission_file_/s001.json"));
  const Ran later = grade_class(room, {"--reports", reports, "--roster", roster});
  CHECK(later.exit_code == 0);
  CHECK(has(later.err, "note: 2 reports in " + reports +
                           " are from an earlier run; delete what is not to be handed back: "
                           "s001.txt, s002.txt\n"));
  CHECK(fs::exists(reports + "/s002.txt"));  // nothing is deleted
  const Ran quiet =
      attn_run({"exercise", "grade", room.path("handed-in"), "--key", room.path("key"), "--reports",
                reports, "--roster", roster, "--quiet"});
  CHECK(quiet.exit_code == 0);
  CHECK(!has(quiet.err, "earlier run"));
}

TEST_CASE("handed in: a report shows what was written in each wrong cell, and no right number") {
  const Classroom room(all_six());
  Sheet sheet = all_six()[0].key;
  std::string expected;
  for (SheetStep& step : sheet.steps) {
    if (step.id != "scores") continue;
    for (std::size_t i = 0; i < step.blank.size(); ++i) {
      if (step.blank[i] == 0) continue;
      step.numbers[i] += 100.25;
      expected += (expected.empty() ? "S[t" : "; S[t") + std::to_string(i / 4) + ", t" +
                  std::to_string(i % 4) + "] = " + format_exact(step.numbers[i]);
    }
  }
  room.hand_in("s001.json", sheet);
  for (const std::string as : {"text", "markdown", "html"}) {
    const std::string reports = room.path("reports-" + as);
    REQUIRE(grade_class(room, {"--reports", reports, "--reports-as", as}).exit_code == 0);
    const std::string ending = as == "text" ? ".txt" : as == "markdown" ? ".md" : ".html";
    std::string report = unwrapped(read_text(reports + "/s001" + ending));
    std::erase(report, '\\');
    CAPTURE(report);
    CHECK(has(report, expected));
    CHECK(!has(unwrapped(read_text(reports + "/s002" + ending)), "You wrote"));
  }
}

TEST_CASE(
    "handed in: an accent may be stored in its letter or behind it, in rosters, names and "
    "decisions") {
  const TemporaryFolder folder;
  const std::string composed = "m\u00FCller", decomposed = "mu\u0308ller";
  const std::string roster = folder.write("roster.csv", "student\n" + composed + "\n"),
                    other = folder.write("other.csv", "student\n" + decomposed + "\n"),
                    salt = folder.write("salt", "a secret of some length"),
                    decisions = folder.write("overrides.csv",
                                             "student,step,points,reason\n" + composed + ",q,1,\n");
  const std::string made = folder.path("week"), grades = folder.path("grades.csv");
  REQUIRE(attn_run({"exercise", "make", "--preset", "self", "--roster", roster, "--salt-file", salt,
                    "-o", made})
              .exit_code == 0);
  fs::create_directory(folder.path("in"));
  fs::copy_file(made + "/key/answers/" + composed + ".json",
                folder.path("in/" + decomposed + ".json"));
  for (const std::string& names : {roster, other}) {
    CHECK(attn_run({"exercise", "grade", folder.path("in"), "--key", made + "/key", "--roster",
                    names, "--gradebook", grades, "--overrides", decisions})
              .exit_code == 0);
    const Book book = read_book(grades);
    const BookRow row = book.of(names == roster ? composed : decomposed);
    CHECK(row.at("status") == "graded");
    CHECK(row.at("percent") == "100");
  }
}
