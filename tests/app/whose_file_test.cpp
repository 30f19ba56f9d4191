// Whose hand-in a file is, which of several counts, and who is named where students read.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "attn/io/sheet_file.hpp"
#include "attn/io/zip_file.hpp"
#include "attn/uploads.hpp"
#include "support/classroom.hpp"
#include "support/compare.hpp"
#include "support/phrases.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

const std::vector<ExerciseVariant>& pair_of_sheets() { return class_variants(2); }

/// The solved sheet of a student with one wrong number.
Sheet with_slip(Sheet sheet) {
  SheetStep& step = sheet.steps.front();
  const auto blank = std::find(step.blank.begin(), step.blank.end(), 1);
  step.numbers[static_cast<std::size_t>(blank - step.blank.begin())] += 1.5;
  return sheet;
}

/// The solved sheet of s002 that says it is that of s001.
Sheet in_the_name_of_another() {
  Sheet sheet = pair_of_sheets()[1].key;
  sheet.student = "s001";
  return sheet;
}

constexpr const char* kAnn = "Ann Lee_17_assignsubmission_file_/";
constexpr const char* kBob = "Bob Ray_18_assignsubmission_file_/";

struct OneStudent {
  Classroom room{pair_of_sheets()};

  /// The results.json of an autograder for what was handed in.
  std::string results(int exit_code) const {
    const Ran ran =
        attn_run({"check", room.path("handed-in"), "--key", room.path("key"), "--student", "s001",
                  "--format", "gradescope", "-o", room.path("results.json")});
    CHECK(ran.exit_code == exit_code);
    return read_text(room.path("results.json"));
  }
};

}  // namespace

TEST_CASE("whose file: nobody can cancel the grade of another by handing in under that name") {
  for (const bool latest : {false, true}) {
    CAPTURE(latest);
    const Classroom room(pair_of_sheets());
    make_older(room.hand_in("s001.json", pair_of_sheets()[0].key), 5);
    room.hand_in("bob.json", in_the_name_of_another());
    const Ran ran =
        room.check(latest ? std::vector<std::string>{"--latest"} : std::vector<std::string>{});
    REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
    const BookRow row = read_book(room.path("grades.csv")).of("s001");
    CHECK(row.at("status") == "graded");
    CHECK(row.at("score") == "10");
    CHECK(row.at("file") == "s001.json");
    CHECK(row.at("note") == "also handed in: bob.json, which is not the sheet of s001");
  }
}

TEST_CASE("whose file: only somebody else's sheet is still a wrong variant") {
  const Classroom room(pair_of_sheets());
  room.hand_in("bob.json", in_the_name_of_another());
  room.hand_in("lost.txt", std::string("x"));
  REQUIRE(room.check({"--id-regex", "^lost"}).exit_code == 0);
  const BookRow row = read_book(room.path("grades.csv")).of("s001");
  CHECK(row.at("status") == "wrong_variant");
  CHECK(row.at("note") == sheet_of("s002"));
}

TEST_CASE("whose file: in a folder of Moodle, everything is that person's") {
  for (const char* roster : {"id,name\ns001,Ann Lee\ns002,Bob Ray\n",
                             "id,Nachname,Vorname\ns001,Lee,Ann\ns002,Ray,Bob\n",
                             "id,full name\ns001,\"LEE, Ann\"\ns002,\"Ray, Bob\"\n"}) {
    CAPTURE(roster);
    const Classroom room(pair_of_sheets());
    std::ofstream(room.path("roster.csv")) << roster;
    room.hand_in(std::string(kAnn) + "mine.json", pair_of_sheets()[0].key);
    room.hand_in(std::string(kBob) + "s001.json", with_slip(pair_of_sheets()[0].key));
    const Ran ran = room.check({"--roster", room.path("roster.csv")});
    REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
    const std::string table = read_text(room.path("grades.csv"));
    CHECK(has(table, ",graded,10,"));
    CHECK(has(table, ",wrong_variant,"));
    CHECK(has(table, sheet_of("s001")));
    CHECK(!has(table, "duplicate"));
  }
}

TEST_CASE("whose file: of two students of one name, the files themselves say whose they are") {
  const Classroom room(pair_of_sheets());
  std::ofstream(room.path("roster.csv")) << "id,name\ns001,Ann Lee\ns002,Ann Lee\n";
  room.hand_in(std::string(kAnn) + "a.json", pair_of_sheets()[0].key);
  room.hand_in("Ann Lee_18_assignsubmission_file_/a.json", pair_of_sheets()[1].key);
  const Ran ran = room.check({"--roster", room.path("roster.csv")});
  CHECK(has(ran.out, "2 of 2 graded"));
}

TEST_CASE("whose file: neither students nor a class on the screen read names of others") {
  const Classroom room(pair_of_sheets());
  room.hand_in(std::string(kAnn) + "s001.json", pair_of_sheets()[0].key);
  room.hand_in(std::string(kBob) + "s001.json", with_slip(pair_of_sheets()[0].key));
  room.hand_in(std::string(kBob) + "s002.json", std::string("x"));
  room.hand_in("Cem_19_assignsubmission_file_/s002.txt", std::string());
  room.hand_in("Dan_20_assignsubmission_file_/desktop.ini", std::string("x"));
  room.hand_in("dan_LATE_1234_98765_photo.CR3", std::string("x"));
  const Ran ran = room.check({"--reports", room.path("reports"), "--for", "moodle"});
  REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
  CHECK(has(ran.err, ": desktop.ini, photo.CR3\n"));
  const std::string feedback = read_text(room.path("grades.csv"));
  CHECK(has(feedback, " (s001.json, s001.json)"));
  const std::string reports = read_text(room.path("reports/" + std::string(kAnn) + "s001.txt")) +
                              read_text(room.path("reports/" + std::string(kBob) + "s002.txt"));
  for (const std::string& text : {ran.err, feedback, reports}) {
    for (const char* name : {"Bob", "Cem", "Dan", "dan_"}) CHECK(!has(text, name));
  }
}

TEST_CASE("whose file: what was typed into a platform is no sheet") {
  const Classroom room(pair_of_sheets());
  room.hand_in(std::string(kAnn) + "s001.json", pair_of_sheets()[0].key);
  for (const char* name : {"Ann Lee_17_assignsubmission_onlinetext_/onlinetext.html",
                           "lee_1234_text.html", "lee_LATE_1234_98765_text.html"})
    room.hand_in(name, std::string("<p>Here it is</p>"));
  REQUIRE(room.check().exit_code == 0);
  CHECK(read_book(room.path("grades.csv")).rows.size() == 2);
  CHECK(is_online_text("a_1_text.html"));
  CHECK(!is_online_text("my_text.html"));
  CHECK(!is_online_text("onlinetext.html"));
}

TEST_CASE("whose file: the names of uploads") {
  CHECK(moodle_folder("all.zip/" + std::string(kAnn) + "deep/s001.json") + "/" == kAnn);
  CHECK(moodle_folder("Ann/s001.json").empty());
  CHECK(name_in_folder(moodle_folder(kAnn)) == "Ann Lee");
  CHECK(name_in_folder("") == "");
  CHECK(own_name("a/b/lee_1234_98765_my_s001.json") == "my_s001.json");
  CHECK(own_name("anon_x7Yz2_98765_s001.json") == "s001.json");
  CHECK(own_name("my_sheet_1.json") == "my_sheet_1.json");
}

TEST_CASE("whose file: --why takes ids with colons") {
  ExerciseSpec spec = exercise_presets()[1].spec;
  spec.name = "hw1";
  const std::vector<std::string> ids{"a", "a:b"};
  const std::vector<ExerciseVariant> both = make_exercise(spec, "a salt for tests", ids);
  const Classroom room(both);
  for (const ExerciseVariant& each : both)
    room.hand_in(file_name_of(each.key.student) + ".json", each.key);
  for (const std::string& id : ids) {
    const Ran ran = room.check({"--why", id + ":weights:1,0"});
    REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
    CHECK(has(ran.out, id + ": A[t1, t0]"));
  }
}

TEST_CASE("whose file: to an autograder, the files of one student are what they are in a class") {
  OneStudent zip;
  const Sheet& key = pair_of_sheets()[0].key;
  const std::vector<FileToZip> one{{"deep/s001.json", sheet_json(key)}};
  zip.room.hand_in("my.zip", write_zip(one));
  CHECK(has(zip.results(0), "\"score\": 10"));
  OneStudent untouched;
  untouched.room.hand_in("s001.json", pair_of_sheets()[0].sheet);
  untouched.room.hand_in("s001 (1).json", key);
  untouched.room.hand_in("s001.pdf", std::string("%PDF-1.4"));
  CHECK(has(untouched.results(0), "\"score\": 10"));
  untouched.room.hand_in("s001 (2).json", with_slip(key));
  const std::string several = untouched.results(3);
  CHECK(has(several, "several sheets were handed in: s001 (1).json, s001 (2).json"));
  CHECK(!has(several, "pdf"));
  OneStudent broken;
  const std::vector<FileToZip> none{{"s001.json", "I lost it"}};
  broken.room.hand_in("my.zip", write_zip(none));
  CHECK(has(broken.results(3), "none of the files is a sheet: my.zip/s001.json (line 1: "));
}
