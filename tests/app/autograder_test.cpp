// Whose sheet it must be, what Gradescope hands in, and the autograder that is uploaded there.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "attn/io/sheet_file.hpp"
#include "attn/io/submission_metadata.hpp"
#include "attn/io/zip_file.hpp"
#include "support/classroom.hpp"
#include "support/phrases.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

const std::vector<ExerciseVariant>& six_graded() { return class_variants(6); }

std::string metadata_of(const std::string& users) {
  return R"({"id": 1, "assignment": {"title": "hw"}, "users": [)" + users + "]}";
}

struct GradescopeDesk {
  Classroom room{six_graded()};

  std::string write(const std::string& name, const std::string& text) const {
    return room.hand_in("../" + name, text);
  }
  /// attn check of the folder submission, as the autograder runs it.
  Ran grade(std::vector<std::string> more) const {
    std::vector<std::string> args{
        "check", room.path("submission"),  "--key", room.path("key"), "--format", "gradescope",
        "-o",    room.path("results.json")};
    args.insert(args.end(), more.begin(), more.end());
    return attn_run(args);
  }
  std::string results() const { return read_text(room.path("results.json")); }
};

}  // namespace

TEST_CASE("autograder: the one sheet in a folder is graded, whatever its name" *
          doctest::test_suite("long")) {
  const GradescopeDesk desk;
  desk.write("submission/My work (1).JSON.txt", sheet_json(six_graded()[0].key));
  desk.write("submission/Thumbs.db", "x");
  desk.write("submission/page.jpg", "x");
  CHECK(desk.grade({}).exit_code == 0);
  CHECK(has(desk.results(), "\"score\": 10"));
  desk.write("submission/notes.txt", "I am late, sorry");
  CHECK(desk.grade({}).exit_code == 0);
  desk.write("submission/copy.json", sheet_json(six_graded()[0].key));
  CHECK(desk.grade({}).exit_code == 0);
  desk.write("submission/other.json", sheet_json(six_graded()[0].sheet));  // not filled in
  CHECK(desk.grade({}).exit_code == 0);
  Sheet other = six_graded()[0].key;
  for (double& number : other.steps.back().numbers) number += 1.0;
  desk.write("submission/other.json", sheet_json(other));
  CHECK(desk.grade({}).exit_code == 3);
  CHECK(has(desk.results(), "several sheets"));
  CHECK(has(desk.results(), "\"score\": 0"));
}

TEST_CASE("autograder: results are written when there is no sheet, too") {
  const GradescopeDesk desk;
  fs::create_directories(desk.room.path("submission"));
  CHECK(desk.grade({}).exit_code == 3);
  CHECK(has(desk.results(), kNoSheet));
  desk.write("submission/a.txt", "sorry");
  desk.write("submission/b.txt", "sorry, too");
  CHECK(desk.grade({}).exit_code == 3);
  CHECK(has(desk.results(), ": a.txt, b.txt"));
}

TEST_CASE("autograder: another's sheet is wrong_variant, by --student or Gradescope's metadata") {
  const GradescopeDesk desk;
  desk.write("submission/sheet.json", sheet_json(six_graded()[0].key));
  const std::string ann = desk.write("ann.json", metadata_of(R"({"email": "S001@example.edu"})"));
  const std::string bob = desk.write(
      "bob.json", metadata_of(R"({"id": 7, "email": "bob@example.edu", "name": "Bob"})"));
  const std::string roster =
      desk.write("roster.csv", "student,email\ns001,ann@example.edu\ns002,bob@example.edu\n");
  CHECK(desk.grade({"--student", "s001"}).exit_code == 0);
  CHECK(desk.grade({"--student", "s002"}).exit_code == 3);
  CHECK(has(desk.results(), "wrong_variant"));
  CHECK(has(desk.results(), "Hand in the sheet that was made for you."));
  CHECK(has(desk.results(), "\"score\": 0"));
  CHECK(desk.grade({"--metadata", ann}).exit_code == 0);
  CHECK(desk.grade({"--metadata", bob, "--roster", roster}).exit_code == 3);
  CHECK(has(desk.results(), "wrong_variant"));
  const std::string both = desk.write(
      "both.json", metadata_of(R"({"email": "bob@example.edu"}, {"email": "ann@example.edu"})"));
  CHECK(desk.grade({"--metadata", both, "--roster", roster}).exit_code == 0);
  CHECK(desk.grade({"--metadata", desk.write("none.json", "{}")}).exit_code == 3);
  CHECK(desk.grade({"--metadata", ann, "--student", "s001"}).exit_code == 2);
  CHECK(desk.grade({"--roster", roster}).exit_code == 2);
}

TEST_CASE("autograder: whoever is on no list reads that, and not that the key is broken") {
  const GradescopeDesk desk;
  desk.write("submission/sheet.json", sheet_json(six_graded()[0].key));
  const std::string late =
      desk.write("late.json", metadata_of(R"({"email": "x@y.z", "name": "Nobody"})"));
  const std::string roster = desk.write("roster.csv", "student,email\ns001,ann@example.edu\n");
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--roster", roster}}) {
    std::vector<std::string> args{"--metadata", late};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = desk.grade(args);
    CHECK(ran.exit_code == 3);
    CHECK(has(unwrapped(ran.err), "x@y.z, x or Nobody"));  // for the teacher
    const std::string results = desk.results();
    CHECK(has(results, "you are not on the list of students"));
    CHECK(has(results, "\"status\": \"not_in_roster\""));
    CHECK(has(results, "\"score\": 0,"));  // without one, Gradescope shows no reason
    CHECK(!has(results, "broken"));
    CHECK(!has(results, "roster.csv"));
  }
}

TEST_CASE("submission metadata: the names of each member of a group, the surest first") {
  const auto groups = submitters_in(
      metadata_of(R"({"sid": "17", "email": "a@b.c", "name": "Ann"}, {"name": "Bob"}, {"id": 3})"),
      "");
  REQUIRE(groups.size() == 2);
  CHECK(groups[0] == std::vector<std::string>{"17", "a@b.c", "a", "Ann"});
  CHECK(groups[1] == std::vector<std::string>{"Bob"});
  for (const char* text : {"{}", "[]", R"({"users": []})", R"({"users": {"email": "x"}})"})
    CHECK_THROWS_AS(submitters_in(text, ""), Error);
}

TEST_CASE("export to Gradescope: scripts that run, a static program, the key and the roster") {
  const GradescopeDesk desk;
  const std::string roster = desk.write("roster.csv", "id\na\nb\n");
  const std::string salt = desk.write("salt", "a salt that is long enough");
  const std::string week = desk.room.path("week1"), zip = desk.room.path("autograder.zip");
  REQUIRE(attn_run({"exercise", "make", "--preset", "softmax", "--roster", roster, "--salt-file",
                    salt, "-o", week})
              .exit_code == 0);
  std::string elf = std::string(
                        "\x7f"
                        "ELF\x02\x01\x01",
                        7) +
                    std::string(200, '\0');
  const auto exported = [&](const std::string& program, std::vector<std::string> more = {}) {
    std::vector<std::string> args{"exercise",
                                  "export",
                                  week,
                                  "--format",
                                  "gradescope",
                                  "--program",
                                  desk.write("attn", program),
                                  "-o",
                                  zip};
    args.insert(args.end(), more.begin(), more.end());
    return attn_run(args);
  };
  const Ran made = exported(elf, {"--roster", roster});
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  std::vector<std::string> names;
  for (const ZippedFile& each : read_zip(read_text(zip), "")) {
    CHECK(each.broken.empty());
    names.push_back(each.name);
    if (each.name == "run_autograder") {
      CHECK(each.bytes.starts_with("#!/usr/bin/env bash\n"));
      CHECK(has(each.bytes, "--roster roster.csv --format gradescope"));
    }
    if (each.name == "attn") CHECK(each.bytes == elf);
  }
  CHECK(names == std::vector<std::string>{"setup.sh", "run_autograder", "attn", "key/exercise.json",
                                          "key/roster.lock.csv", "key/answers/a.json",
                                          "key/answers/b.json", "roster.csv"});
  CHECK(exported("MZ").exit_code == 3);
  elf[32] = 64;  // program headers, one of which names a loader
  elf[54] = 56;
  elf[56] = 1;
  elf[64] = 3;
  CHECK(has(unwrapped(exported(elf).err), "is not linked statically"));
  CHECK(attn_run({"exercise", "export", week, "--format", "gradescope", "-o", zip}).exit_code == 2);
  CHECK(attn_run({"exercise", "export", week, "--format", "gradescope"}).exit_code == 2);
  CHECK(has(
      unwrapped(
          attn_run({"exercise", "export", week, "--format", "moodle-xml", "--roster", roster}).err),
      idle("--roster") + ": " + kForGradescope));
}
