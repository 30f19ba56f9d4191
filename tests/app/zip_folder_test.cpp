// A .zip of a learning platform in place of a folder, and files that are never sheets.
#include <doctest/doctest.h>

#include "attn/io/sheet_file.hpp"
#include "attn/io/zip_file.hpp"
#include "support/classroom.hpp"
#include "support/phrases.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

const std::vector<ExerciseVariant>& six_zipped() { return class_variants(6); }

Ran grade_zip(const Classroom& room, const std::string& zip) {
  return attn_run({"exercise", "grade", zip, "--key", room.path("key"), "--gradebook",
                   room.path("grades.csv")});
}

std::string zipped(const std::string& name, const std::string& bytes) {
  return write_zip(std::vector<FileToZip>{{name, bytes}});
}

/// Zeros, nearly 16 MiB, in each of so many files z0.json, z1.json, …, in an archive of few bytes.
std::string zipped_zeros(int files) {
  constexpr std::size_t kRuns = 65027, kSize = 1 + 258 * kRuns;
  std::string bits = "11000110000";  // the only block, with the usual codes; a zero
  for (std::size_t i = 0; i < kRuns; ++i) bits += "1100010100000";  // 258 times the last byte
  bits.append(7, '0');                                              // the end
  bits.resize((bits.size() + 7) / 8 * 8, '0');
  std::string deflated(bits.size() / 8, '\0');
  for (std::size_t i = 0; i < bits.size(); ++i)
    deflated[i / 8] = static_cast<char>(deflated[i / 8] | (bits[i] - '0') << (i % 8));
  const auto number = [](std::size_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i, value /= 256) text += static_cast<char>(value % 256);
    return text;
  };
  const std::string sum = zipped("z", std::string(kSize, '\0')).substr(14, 4);
  std::string all, directory;
  for (int i = 0; i < files; ++i) {
    const std::string about = number(20, 2) + number(0, 2) + number(8, 2) + number(0, 4) + sum +
                              number(deflated.size(), 4) + number(kSize, 4) + number(7, 2) +
                              number(0, 2);
    const std::string name = "z" + std::to_string(i) + ".json";
    directory +=
        "PK\x01\x02" + number(20, 2) + about + number(0, 10) + number(all.size(), 4) + name;
    all += "PK\x03\x04" + about + name + deflated;
  }
  const auto count = static_cast<std::size_t>(files);
  return all + directory + "PK\x05\x06" + number(0, 4) + number(count, 2) + number(count, 2) +
         number(directory.size(), 4) + number(all.size(), 4) + number(0, 2);
}

}  // namespace

TEST_CASE("zip: the archive of a platform is graded as its folder would be") {
  const Classroom room(six_zipped());
  const std::vector<FileToZip> files{
      {"Ann Lee_17_assignsubmission_file_/s001.json", sheet_json(six_zipped()[0].key)},
      {"Bob_18_assignsubmission_file_/sheet.json", sheet_json(six_zipped()[1].sheet)},
      {"__MACOSX/Ann/._s001.json", "x"},
      {"Thumbs.db", "x"},
      {"desktop.ini", "x"},
      {"ehthumbs.db", "x"},
      {"IMG_1.DNG", "x"},
      {"page.avif", "x"},
      {"Cem_19_assignsubmission_file_/s003.JPG", "x"},
      {"empty/", ""}};
  const std::string zip = room.hand_in("../all.zip", write_zip(files));
  const Ran ran = grade_zip(room, zip);
  REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.rows.size() == 6);
  CHECK(book.of("s001").at("percent") == "100");
  CHECK(book.of("s001").at("file") == files[0].name);
  CHECK(book.of("s002").at("score") == "0");
  CHECK(book.of("s003").at("status") == "missing");
  CHECK(has(book.of("s003").at("note"), "only handed in: s003.JPG"));
  CHECK(has(ran.err, "6" + std::string(kNotCounted)));
  CHECK(has(ran.err, "Thumbs.db"));
  const Ran named = attn_run({"check", zip, "--key", room.path("key")});
  CHECK(named.exit_code == 0);
  CHECK(has(named.out, "2 of 6 graded"));
}

TEST_CASE("zip: huge files may not take all that there is for a class, and keep no sheet out" *
          doctest::test_suite("long")) {
  const Classroom room(six_zipped());
  const auto huge = [](std::size_t student, std::size_t half_mebibytes) {
    return sheet_json(six_zipped()[student].key) + std::string(half_mebibytes << 19, ' ');
  };
  room.hand_in("s001.json", huge(0, 29));
  room.hand_in("s002.zip", zipped("s002.json", huge(1, 30)));
  room.hand_in("s003.zip", zipped("s003.json", huge(2, 31)));
  room.hand_in("s004.json", six_zipped()[3].key);
  const Ran ran = grade_zip(room, room.path("handed-in"));
  REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
  const Book book = read_book(room.path("grades.csv"));
  for (const char* id : {"s001", "s002", "s004"}) {
    CAPTURE(id);
    CHECK(book.of(id).at("score") == "10");
  }
  CHECK(book.of("s003").at("status") == "not_gradable");
  CHECK(has(book.of("s003").at("note"), " bytes, more than a sixteenth of what other"));
  CHECK(book.of("s003").at("file") == "s003.zip/s003.json");
}

TEST_CASE("zip: padded sheets of some students leave the usual sheets of others" *
          doctest::test_suite("long")) {
  const Classroom room(six_zipped());
  const std::string sheet = sheet_json(six_zipped()[0].key);
  std::size_t left = std::size_t{256} << 20;
  std::vector<FileToZip> members;
  for (int student = 1; left >= 16 * sheet.size(); ++student) {
    std::size_t own = 0;
    members.clear();
    while (left >= 16 * sheet.size() && own + left / 16 < std::size_t{60} << 20) {
      const std::size_t size = left / 16;
      members.push_back({"s" + std::to_string(members.size()) + ".json",
                         sheet + std::string(size - sheet.size(), ' ')});
      own += size;
      left -= size;
    }
    room.hand_in("a_" + std::to_string(student) + "_1_s001.zip", write_zip(members));
  }
  room.hand_in("s002.json", six_zipped()[1].key);
  const Ran ran = grade_zip(room, room.path("handed-in"));
  REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
  CHECK(read_book(room.path("grades.csv")).of("s002").at("score") == "10");
}

TEST_CASE("zip: hostile members get a row each, and nothing leaves the archive") {
  const Classroom room(six_zipped());
  const std::string sheet = sheet_json(six_zipped()[0].key);
  const std::string zip = room.hand_in(
      "../evil.zip", write_zip(std::vector<FileToZip>{{"../s001.json", sheet},
                                                      {"/etc/s002.json", sheet},
                                                      {"C:\\s003.json", sheet},
                                                      {"a/../../s004.json", sheet},
                                                      {"s005.json", std::string(17 << 20, ' ')},
                                                      {"s006.json", sheet},
                                                      {"s006.json", "{}"}}));
  const Ran ran = grade_zip(room, zip);
  REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
  const Book book = read_book(room.path("grades.csv"));
  for (const char* id : {"s001", "s002", "s003", "s004"}) {
    CAPTURE(id);
    CHECK(book.of(id).at("status") == "not_gradable");
  }
  CHECK(has(book.of("s005").at("note"), "it takes 17825792 bytes"));
  CHECK(has(book.of("s006").at("status"), "wrong_variant"));
}

TEST_CASE(
    "zip: the archive of a student is opened, one inside it is not, and none is passed over") {
  const Classroom room(six_zipped());
  const std::string first = sheet_json(six_zipped()[0].key);
  Sheet unnamed = six_zipped()[1].key;
  unnamed.student.clear();
  const std::vector<FileToZip> files{
      {"Ann_17_assignsubmission_file_/mine.zip", zipped("s001/sheet.json", first)},
      {"s002.zip", zipped("sheet.csv", sheet_csv(unnamed))},
      {"s003.ZIP", zipped("more.zip", zipped("s003.json", first))},
      {"s004.zip", "PK\x03\x04 cut off"},
      {"s005.zip", zipped("__MACOSX/._s005.json", "x")},
      {"s006.zip", zipped("s006.jpg", "x")}};
  for (const FileToZip& each : files) room.hand_in(each.name, each.bytes);
  const std::string all = room.hand_in("../all.zip", write_zip(files));
  for (const std::string& from : {all, room.path("handed-in")}) {
    CAPTURE(from);
    const std::string reports = room.path(from == all ? "of-zip" : "of-folder");
    const Ran ran = attn_run({"exercise", "grade", from, "--key", room.path("key"), "--gradebook",
                              room.path("grades.csv"), "--reports", reports});
    REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
    const Book book = read_book(room.path("grades.csv"));
    CHECK(book.rows.size() == 6);
    CHECK(book.of("s001").at("score") == "10");
    CHECK(book.of("s001").at("file") == files[0].name + "/s001/sheet.json");
    CHECK(has(read_text(reports + "/Ann_17_assignsubmission_file_/s001.txt"), "is right"));
    CHECK(book.of("s002").at("score") == "10");  // named by the archive alone
    CHECK(book.of("s003").at("note") == "it is an archive inside an archive: unpack it");
    CHECK(book.of("s004").at("status") == "not_gradable");
    CHECK(book.of("s005").at("note") == "it is an archive with nothing in it");
    CHECK(book.of("s006").at("note") == "only handed in: s006.jpg, which cannot be a sheet");
  }
}

TEST_CASE("zip: one student's archive of zeros takes nothing from those after it" *
          doctest::test_suite("long")) {
  const Classroom room(six_zipped());
  room.hand_in("s001.zip", zipped_zeros(5));
  room.hand_in("s001.json", six_zipped()[0].key);
  room.hand_in("s002.zip", zipped("sheet.json", sheet_json(six_zipped()[1].key)));
  REQUIRE(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("score") == "10");
  CHECK(has(book.of("s001").at("note"),
            "also handed in: s001.zip/z3.json, which cannot be read as a sheet"));
  CHECK(has(book.of("s001").at("note"), "s001.zip/z4.json, which cannot be read: "));
  CHECK(book.of("s002").at("score") == "10");
}

TEST_CASE("zip: --latest goes by the time of a student's archive, not by what is said in it") {
  const Classroom room(six_zipped());
  const auto hand_in = [&](std::size_t student, int archive_age) {
    const Sheet& key = six_zipped()[student].key;
    Sheet begun = six_zipped()[student].sheet;
    begun.steps[0].numbers = key.steps[0].numbers;
    const std::string id = student_id(student + 1);
    make_older(room.hand_in(id + ".zip", zipped("sheet.json", sheet_json(begun))), archive_age);
    make_older(room.hand_in(id + ".json", key), 2);
  };
  hand_in(0, 3);
  hand_in(1, 1);
  REQUIRE(room.check({"--latest"}).exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("file") == "s001.json");
  CHECK(book.of("s002").at("file") == "s002.zip/sheet.json");
  const std::string all =
      room.hand_in("../all.zip", zipped("s001.json", sheet_json(six_zipped()[0].key)));
  const Ran mixed = attn_run({"exercise", "grade", all, room.path("handed-in"), "--latest", "--key",
                              room.path("key"), "--gradebook", room.path("grades.csv")});
  REQUIRE_MESSAGE(mixed.exit_code == 0, mixed.err);
  CHECK(read_book(room.path("grades.csv")).of("s001").at("status") == "duplicate");
}

TEST_CASE("zip: what the teacher typed hides nothing, and a folder may be called s1.zip") {
  const Classroom room(six_zipped());
  const std::string sheet = sheet_json(six_zipped()[0].key);
  room.hand_in("../.hw/class.zip", zipped("s001.zip", zipped("sheet.json", sheet)));
  room.hand_in("../.hw/s002.zip", zipped("sheet.json", sheet_json(six_zipped()[1].key)));
  room.hand_in("s003.zip/s003.json", six_zipped()[2].key);
  const Ran ran = attn_run({"exercise", "grade", room.path(".hw/class.zip"),
                            room.path(".hw/s002.zip"), room.path("handed-in"), "--key",
                            room.path("key"), "--gradebook", room.path("grades.csv")});
  REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.rows.size() == 6);
  for (const char* id : {"s001", "s002", "s003"}) {
    CAPTURE(id);
    CHECK(book.of(id).at("score") == "10");
  }
}

TEST_CASE("zip: the innermost archive says whose sheet is in it") {
  const Classroom room(six_zipped());
  Sheet unnamed = six_zipped()[1].key;
  unnamed.student.clear();
  const std::string inner = zipped("sheet.csv", sheet_csv(unnamed));
  const std::string outer = room.hand_in("../s001.zip", zipped("s002.zip", inner));
  const std::string other = room.hand_in("s003.json", six_zipped()[2].key);
  const Ran ran = attn_run({"exercise", "grade", outer, other, "--key", room.path("key"),
                            "--gradebook", room.path("grades.csv")});
  REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
  CHECK(read_book(room.path("grades.csv")).of("s002").at("score") == "10");
}

TEST_CASE("zip: what is no archive is not graded; one file that is named keeps its name") {
  const Classroom room(six_zipped());
  room.hand_in("s001.zip", std::string("my answers"));
  REQUIRE(room.check().exit_code == 0);
  CHECK(read_book(room.path("grades.csv")).of("s001").at("status") == "not_gradable");
  const std::string one = room.hand_in("s002.json", six_zipped()[1].key);
  REQUIRE(grade_zip(room, one).exit_code == 0);
  CHECK(read_book(room.path("grades.csv")).of("s002").at("file") == "s002.json");
}

TEST_CASE(
    "zip: to an autograder, too, a sheet and its table with the same answers are one hand-in") {
  const Classroom room(six_zipped());
  const Sheet& key = six_zipped()[0].key;
  room.hand_in("a.csv", sheet_csv(key));
  room.hand_in("s001.json", key);
  const auto check = [&] {
    return attn_run({"check", room.path("handed-in"), "--key", room.path("key"), "--format",
                     "gradescope", "-o", room.path("results.json")});
  };
  CHECK(check().exit_code == 0);
  CHECK(has(read_text(room.path("results.json")), "\"score\": 10"));
  room.hand_in("a.csv", sheet_csv(six_zipped()[0].sheet));  // not filled in
  CHECK(check().exit_code == 0);
  CHECK(has(read_text(room.path("results.json")), "\"score\": 10"));
}
