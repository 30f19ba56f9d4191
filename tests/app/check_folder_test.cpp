// attn check FOLDER: the gradebook, each status, flags, and whatever is handed in.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>

#include "attn/io/sheet_file.hpp"
#include "attn/number_text.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/classroom.hpp"
#include "support/phrases.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

const std::vector<ExerciseVariant>& six() { return class_variants(6); }

/// The sheet as it was handed out, with its blanks filled in by `number(step, cell)`.
template <typename Number>
Sheet filled(const ExerciseVariant& variant, Number number) {
  Sheet sheet = variant.sheet;
  for (std::size_t s = 0; s < sheet.steps.size(); ++s) {
    for (std::size_t i = 0; i < sheet.steps[s].numbers.size(); ++i) {
      if (sheet.steps[s].blank[i] != 0) sheet.steps[s].numbers[i] = number(s, i);
    }
  }
  return sheet;
}

Sheet solved(const ExerciseVariant& variant) {
  return filled(variant,
                [&](std::size_t s, std::size_t i) { return variant.key.steps[s].numbers[i]; });
}

/// The sheet filled in with what is right on somebody else's.
Sheet copied_from(const ExerciseVariant& variant, const ExerciseVariant& other) {
  return filled(variant,
                [&](std::size_t s, std::size_t i) { return other.key.steps[s].numbers[i]; });
}

}  // namespace

TEST_CASE("check folder: one row for each student, strangers after them, points possible first") {
  const Classroom room(six());
  room.hand_in("s001.json", solved(six()[0]));
  room.hand_in("s002.json", six()[1].sheet);
  Sheet stranger = solved(six()[2]);
  stranger.student = "x9";
  room.hand_in("x9.json", stranger);
  const Ran ran = room.check();
  CHECK(ran.exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  REQUIRE(book.rows.size() == 7);
  CHECK(book.possible.at("student") == "points possible");
  CHECK(book.possible.at("score") == book.possible.at("max_score"));
  CHECK(book.possible.at("percent") == "100");
  CHECK(book.possible.at("scores") == "2");
  CHECK(book.of("s001").at("status") == "graded");
  CHECK(book.of("s001").at("percent") == "100");
  CHECK(book.of("s001").at("scores") == "2");
  CHECK(book.of("s001").at("variant") == six()[0].sheet.variant);
  CHECK(book.of("s001").at("file") == "s001.json");
  CHECK(book.of("s002").at("status") == "graded");
  CHECK(book.of("s002").at("score") == "0");
  CHECK(book.of("s003").at("status") == "missing");
  CHECK(book.of("s003").at("score").empty());
  CHECK(book.rows.back().at("student") == "x9");
  CHECK(book.rows.back().at("status") == "not_in_roster");
  CHECK(has(book.rows.back().at("note"), sheet_of("s003")));
  CHECK(has(ran.out, "2 of 6 graded"));
  CHECK(has(ran.err, "wrote " + room.path("grades.csv")));
}

TEST_CASE("check folder: several files and folders are one class, each file once") {
  const Classroom room(six());
  const std::string first = room.hand_in("s001.json", solved(six()[0]));
  room.hand_in("late/s002.json", solved(six()[1]));
  const std::string late = room.path("handed-in/late"), grades = room.path("few.csv");
  const std::vector<std::string> args{
      "check",          first,         late,  late + "/./s002.json", "--key",
      room.path("key"), "--gradebook", grades};
  const Ran ran = attn_run(args);
  CHECK_MESSAGE(ran.exit_code == 0, ran.err);
  CHECK(has(ran.out, "2 of 6 graded"));
  const Book book = read_book(grades);
  REQUIRE(book.rows.size() == 6);
  CHECK(book.of("s001").at("file") == first);
  CHECK(book.of("s002").at("file") == late + "/s002.json");
  CHECK(book.of("s002").at("note").empty());
  CHECK(book.of("s003").at("status") == "missing");
  const auto refused = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"check", first, late, "--key", room.path("key")});
    return attn_run(more).err;
  };
  CHECK(has(refused({"--gradebook", first}), "error[same-file]: "));
  CHECK(has(refused({"--gradebook", late + "/s002.json"}), "error[file-exists]: "));
  CHECK(has(refused({"--hint", "1"}), "error[wrong-operand]: --hint is for one file"));
  CHECK(has(refused({room.path("nobody.json")}), "error[cannot-read]: "));
}

TEST_CASE(
    "check folder: whatever is in it, the run goes on; only files such as .DS_Store have no row") {
  const Classroom room(six());
  room.hand_in("s001.json", solved(six()[0]));
  room.hand_in("s002.json", std::string("{\"format\": \"attn.sheet\", "));
  room.hand_in("s003.json", std::string("\x89PNG\r\n\x1a\n\0\0\xff", 11));
  room.hand_in("s004.json", std::string());
  mkfifo(room.path("handed-in/s005.json").c_str(), 0600);
  const std::string huge = room.hand_in("s006.json", std::string("{"));
  fs::resize_file(huge, std::uintmax_t{20} << 20);
  room.hand_in("notes.txt", std::string("hello"));
  room.hand_in(".DS_Store", std::string("x"));
  room.hand_in("__MACOSX/s001.json", std::string("x"));
  fs::create_directory(room.path("handed-in/s003"));
  fs::create_symlink("nowhere", room.path("handed-in/gone.json"));
  const Ran ran = room.check();
  CHECK(ran.exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("percent") == "100");
  const std::pair<const char*, const char*> notes[] = {{"s002", "line 1"},
                                                       {"s003", "found a picture"},
                                                       {"s004", "it is empty"},
                                                       {"s005", kNoRegularFile},
                                                       {"s006", "it is larger than 16 MiB"}};
  for (const auto& each : notes) {
    const std::string student = each.first, note = each.second;
    CAPTURE(student);
    CHECK(book.of(student).at("status") == "not_gradable");
    CHECK(book.of(student).at("score").empty());
    INFO(book.of(student).at("note"));
    CHECK(has(book.of(student).at("note"), note));
    CHECK(!book.of(student).at("note").ends_with("."));  // further notes follow after "; "
  }
  REQUIRE(book.rows.size() == 8);
  CHECK(book.rows[6].at("file") == "gone.json");
  CHECK(book.rows[7].at("file") == "notes.txt");
  CHECK(book.rows[7].at("status") == "not_gradable");
}

TEST_CASE("check folder: a file that may not be read is not gradable") {
  const AsNobody nobody;  // root may read everything
  const Classroom room(six());
  fs::permissions(room.hand_in("s001.json", solved(six()[0])), fs::perms::none);
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("status") == "not_gradable");
  CHECK(has(book.of("s001").at("note"), "Permission denied"));
}

TEST_CASE("check folder: somebody else's sheet, another exercise, several files of one student") {
  const Classroom room(six());
  Sheet taken = solved(six()[1]);
  taken.student = "s001";
  room.hand_in("a.json", taken);
  Sheet other = solved(six()[1]);
  other.exercise = "hw2";
  room.hand_in("b.json", other);
  Sheet begun = six()[2].sheet;
  begun.steps[0].numbers = six()[2].key.steps[0].numbers;
  make_older(room.hand_in("c-old.json", begun), 2);
  make_older(room.hand_in("z-older.json", begun), 3);
  room.hand_in("c.json", solved(six()[2]));
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("status") == "wrong_variant");
  CHECK(book.of("s001").at("score").empty());
  CHECK(book.of("s001").at("note") == sheet_of("s002"));
  CHECK(book.of("s002").at("status") == "not_gradable");
  CHECK(book.of("s002").at("note") == made_for("hw2"));
  CHECK(book.of("s003").at("status") == "duplicate");
  CHECK(book.of("s003").at("file") == "c-old.json, c.json");
  CHECK(book.of("s003").at("note") ==
        "2 files; none was graded; also handed in: z-older.json, a copy");
  CHECK(room.check({"--latest"}).exit_code == 0);
  const Book latest = read_book(room.path("grades.csv"));
  CHECK(latest.of("s003").at("status") == "graded");
  CHECK(latest.of("s003").at("percent") == "100");
  CHECK(latest.of("s003").at("file") == "c.json");
  CHECK(latest.of("s003").at("note") ==
        "the latest of 2 files; also handed in: z-older.json, a copy");
  room.hand_in("c-old.json", begun);  // unpacked again: both are new
  room.hand_in("c.json", solved(six()[2]));
  CHECK(room.check({"--latest"}).exit_code == 0);
  CHECK(has(read_book(room.path("grades.csv")).of("s003").at("note"),
            "2 files; none was graded: their times do not say which is the latest"));
}

TEST_CASE("check folder: --latest takes what was handed in again, as a copy or in another format") {
  const Classroom room(six());
  for (std::size_t student : {0U, 1U}) {
    const std::string id = student_id(student + 1);
    Sheet begun = six()[student].sheet;
    begun.steps[0].numbers = six()[student].key.steps[0].numbers;
    make_older(room.hand_in("a/" + id + ".json", solved(six()[student])), 3);
    make_older(room.hand_in("b/" + id + ".json", begun), 2);
  }
  make_older(room.hand_in("c/s001.json", solved(six()[0])), 1);
  make_older(room.hand_in("c/s002.csv", sheet_csv(solved(six()[1]))), 1);
  REQUIRE(room.check({"--latest"}).exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  for (const char* id : {"s001", "s002"}) {
    CAPTURE(id);
    CHECK(book.of(id).at("percent") == "100");
    CHECK(has(book.of(id).at("note"), "the latest of 2 files; also handed in: c/"));
  }
}

TEST_CASE("check folder: matrices under other names are not taken for empty ones") {
  const Classroom room(six());
  const auto renamed = [](const Sheet& sheet) {
    std::string table = sheet_csv(sheet);
    std::size_t number = 1;
    for (const SheetStep& step : sheet.steps) {
      const std::string name = "[" + std::to_string(number++) + "/9]";
      for (std::size_t at = table.find("\n" + step.id + ","); at != table.npos;
           at = table.find("\n" + step.id + ",", at))
        table.replace(at + 1, step.id.size(), name);
    }
    return table;
  };
  room.hand_in("a/s001.csv", renamed(six()[0].sheet));
  room.hand_in("b/s001.csv", renamed(solved(six()[0])));
  REQUIRE(room.check().exit_code == 0);
  CHECK(read_book(room.path("grades.csv")).of("s001").at("score") != "0");  // of the empty one
}

TEST_CASE("check folder: a sheet without any answer takes the place of no other") {
  const Classroom room(six());
  make_older(room.hand_in("a/s001.json", solved(six()[0])), 2);
  room.hand_in("b/s001.json", six()[0].sheet);  // downloaded again
  make_older(room.hand_in("a/s002.csv", sheet_csv(solved(six()[1]))), 2);
  room.hand_in("b/s002.csv", sheet_csv(six()[1].sheet));
  Sheet words = six()[2].sheet;
  words.decimals = 2;  // not filled in either, but no copy
  make_older(room.hand_in("a/s003.json", words), 2);
  room.hand_in("b/s003.json", six()[2].sheet);
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--latest"}}) {
    CHECK(room.check(more).exit_code == 0);
    const Book book = read_book(room.path("grades.csv"));
    for (const std::string student : {"s001", "s002"}) {
      CAPTURE(student);
      CHECK(book.of(student).at("status") == "graded");
      CHECK(book.of(student).at("percent") == "100");
      CHECK(has(book.of(student).at("note"), "also handed in: b/" + student));
      CHECK(has(book.of(student).at("note"), ", without any answer"));
    }
    CHECK(book.of("s003").at("status") == "graded");
    CHECK(has(book.of("s003").at("note"), "also handed in: b/s003.json"));
  }
}

TEST_CASE("check folder: tables get their student from the file's name, by a pattern or as it is") {
  const Classroom room(six());
  const Sheet sheet = solved(six()[0]);
  std::string cells = "step,row,col,value\n";
  for (const SheetStep& step : sheet.steps) {
    const Index cols = step.shape.back();
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      const auto at = static_cast<Index>(i);
      cells += step.id + "," + std::to_string(at / cols) + "," + std::to_string(at % cols) + "," +
               std::to_string(step.numbers[i]) + "\n";
    }
  }
  room.hand_in("s001.csv", cells);
  room.hand_in("Ann/s002_late.json", std::string("{"));
  CHECK(room.check().exit_code == 0);
  const Book plain = read_book(room.path("grades.csv"));
  CHECK(plain.of("s001").at("percent") == "100");
  CHECK(plain.of("s002").at("status") == "missing");
  CHECK(plain.rows.back().at("file") == "Ann/s002_late.json");
  CHECK(room.check({"--id-regex", "^Ann/(s[0-9]+)"}).exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s002").at("status") == "not_gradable");
  CHECK(book.of("s001").at("percent") == "100");
  CHECK(has(room.check({"--id-regex", "("}).err, "is not a regular expression"));
  CHECK(has(unwrapped(room.check({"--id-regex", "(s)\\1"}).err), "refers back to a group"));
  room.hand_in(std::string(60, 'a') + "!.csv", "step,row,col,value\nweights,0,0,1\n");
  CHECK(room.check({"--id-regex", "^(a+)+$"}).exit_code == 0);  // at once, not after 2⁶⁰ attempts
}

TEST_CASE("check folder: what is printed in the key counts, whatever became of the file") {
  const Classroom room(six());
  Sheet cell = solved(six()[0]);
  const auto& blank = cell.steps[3].blank;
  const auto printed = std::find(blank.begin(), blank.end(), 0) - blank.begin();
  cell.steps[3].numbers[static_cast<std::size_t>(printed)] += 1.0;
  room.hand_in("a.json", cell);
  Sheet points = solved(six()[1]);
  points.steps[0].points = 100.0;
  room.hand_in("b.json", points);
  Sheet easy = solved(six()[2]);
  easy.problem.embeddings->data.assign(easy.problem.embeddings->data.size(), 0.0);
  room.hand_in("c.json", easy);
  Sheet fewer = six()[3].sheet;  // not filled in, and says that no cell is blank
  for (SheetStep& step : fewer.steps) step.blank.assign(step.blank.size(), 0);
  room.hand_in("d.json", fewer);
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  for (const char* student : {"s001", "s002", "s003"}) {
    CAPTURE(student);
    CHECK(book.of(student).at("percent") == "100");
    CHECK(has(book.of(student).at("note"), "file.given_changed"));
  }
  CHECK(book.of("s004").at("score") == "0");
  CHECK(has(book.of("s004").at("note"), "file.given_changed"));
  CHECK(book.of("s001").at("max_score") == book.possible.at("max_score"));
}

TEST_CASE(
    "check folder: another tolerance or other decimals on a sheet are said, and do not count") {
  const Classroom room(six());
  Sheet within = six()[0].sheet, decimals = six()[1].sheet;
  within.accept_within = 1e9;
  decimals.decimals = 0;
  for (Sheet* each : {&within, &decimals}) {
    for (SheetStep& step : each->steps) {
      for (std::size_t i = 0; i < step.blank.size(); ++i) {
        if (step.blank[i] != 0) step.numbers[i] = 7.77;
      }
    }
  }
  room.hand_in("s001.json", within);
  room.hand_in("s002.json", decimals);
  room.hand_in("s003.json", solved(six()[2]));
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  for (const char* student : {"s001", "s002"}) {
    CAPTURE(student);
    CHECK(book.of(student).at("score") == "0");
    CHECK(has(book.of(student).at("note"),
              "file.given_changed (decimals or accept_within were "
              "changed; graded with the key)"));
  }
  CHECK(!has(book.of("s003").at("note"), "file.given_changed"));
}

TEST_CASE("check folder: a hidden sheet is listed, and said to be hidden") {
  const Classroom room(six());
  room.hand_in(".s001.json", solved(six()[0]));
  room.hand_in("._s002.json", solved(six()[1]));  // what macOS writes beside each file
  room.hand_in(".s003.json", solved(six()[2]));
  room.hand_in("s003.json", solved(six()[2]));
  const Ran ran = room.check();
  CHECK(ran.exit_code == 0);
  CHECK(has(unwrapped(ran.err), "2" + std::string(kNotCounted) + ".s001.json, .s003.json"));
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("status") == "missing");
  CHECK(has(book.of("s001").at("note"),
            "only handed in: .s001.json, which is hidden: it is graded "
            "without the dot in its name"));
  CHECK(book.of("s002").at("note") == kNothingHandedIn);
  CHECK(book.of("s003").at("percent") == "100");
  REQUIRE(
      attn_run({"check", room.path("handed-in/.s001.json"), "--key", room.path("key")}).exit_code ==
      0);
}

TEST_CASE("check folder: answers that fit another sheet, and equal wrong cells, are only flagged") {
  const Classroom room(six());
  room.hand_in("1.json", solved(six()[0]));
  room.hand_in("2.json", copied_from(six()[1], six()[0]));
  const auto nonsense = [](std::size_t s, std::size_t i) {
    return 7.25 + 0.5 * static_cast<double>(s) + 0.375 * static_cast<double>(i);
  };
  room.hand_in("3.json", filled(six()[2], nonsense));
  room.hand_in("4.json", filled(six()[3], nonsense));
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("note").empty());
  CHECK(has(book.of("s002").at("note"), "matches_variant_of: s001"));
  CHECK(has(book.of("s003").at("note"), "same_wrong_cells_as: s004"));
  CHECK(has(book.of("s004").at("note"), "same_wrong_cells_as: s003"));
  CHECK(book.of("s002").at("status") == "graded");
  CHECK(book.of("s001").at("percent") == "100");
}

TEST_CASE("check folder: the same number in every blank raises no flag, however many write it") {
  const Classroom room(six());
  for (std::size_t i = 0; i < six().size(); ++i) {
    const double number = i % 2 == 0 ? 0.0 : 17.0;
    room.hand_in(student_id(i + 1) + ".json",
                 filled(six()[i], [number](std::size_t, std::size_t) { return number; }));
  }
  CHECK(room.check().exit_code == 0);
  for (const BookRow& row : read_book(room.path("grades.csv")).rows) {
    CHECK(!has(row.at("note"), "_variant_of"));
    CHECK(!has(row.at("note"), "same_wrong"));
  }
}

TEST_CASE("check folder: hostile ids and cells stay text, and files stay in their folder") {
  std::vector<ExerciseVariant> variants(six().begin(), six().begin() + 3);
  const std::string ids[] = {"../x", "=cmd()", "-1+2"};
  for (std::size_t i = 0; i < variants.size(); ++i)
    variants[i].sheet.student = variants[i].key.student = ids[i];
  const Classroom room(variants);
  for (const ExerciseVariant& each : variants)
    room.hand_in(file_name_of(each.sheet.student) + ".json", solved(each));
  Sheet stranger = solved(variants[0]);
  stranger.student = "@SUM(A1)";
  room.hand_in("+1.json", stranger);
  stranger.student = "\x1b[2J\u202e";
  stranger.exercise = "\x07";
  room.hand_in("bell\x07.json", stranger);
  const std::string roster = room.path("roster.csv");
  TemporaryFolder elsewhere;
  const std::string table = elsewhere.write(
      "roster.csv",
      "id,=name,mail\r\n../x,\"+Ann, \"\"A\"\"\",@ann\r\n=cmd(),\tBob,b\r\n-1+2,C,c\r\n");
  const Ran ran = room.check({"--roster", table, "--reports", room.path("reports")});
  CHECK(ran.exit_code == 0);
  const std::string text = read_text(room.path("grades.csv"));
  for (const char* guarded :
       {",'=name,", ",\"'+Ann, \"", ",'@ann,", "\n'=cmd(),\\tBob,", "\n'-1+2,C,", "\n'@SUM(A1),"})
    CHECK_MESSAGE(has(text, guarded), text);
  for (const std::string& line : lines_of(text))
    CHECK(visible(line.substr(0, line.size() - 1)) + "\r" == line);
  const CsvTable book = parse_csv(text, "grades.csv");  // without the guards
  CHECK(book.header[1] == "=name");
  CHECK(book.rows[1][0] == "../x");
  CHECK(book.rows[1][1] == "+Ann, \"A\"");
  CHECK(book.rows[1][2] == "@ann");
  CHECK(book.rows[2][0] == "=cmd()");
  CHECK(book.rows[2][1] == "\\tBob");
  CHECK(book.rows[3][0] == "-1+2");
  CHECK(book.rows[4][0] == "@SUM(A1)");
  for (const std::size_t row : {1u, 2u, 3u}) CHECK(book.rows[row][4] == "graded");
  std::size_t reports = 0;
  for (const auto& entry : fs::directory_iterator(room.path("reports"))) {
    CHECK(entry.path().extension() == ".txt");
    ++reports;
  }
  CHECK(reports == 3);
  CHECK(!fs::exists(room.path("x.txt")));
}

TEST_CASE(
    "check folder: reports have points, the summary has no names; neither has a right number") {
  const Classroom room(six());
  room.hand_in("1.json", filled(six()[0], [](std::size_t s, std::size_t i) {
                 return 9.25 + 0.5 * static_cast<double>(s) + 0.375 * static_cast<double>(i);
               }));
  room.hand_in("2.json", solved(six()[1]));
  const Ran ran =
      room.check({"--reports", room.path("reports"), "--class", room.path("class.json")});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.err, "6 reports"));
  const std::string report = read_text(room.path("reports/s001.txt"));
  CAPTURE(report);
  CHECK(has(report, "0 of 10 points"));
  CHECK(has(report, "s001"));
  CHECK(has(report, "variant " + six()[0].sheet.variant));
  CHECK(has(read_text(room.path("reports/s002.txt")), kAllRight));
  const std::string missing = read_text(room.path("reports/s003.txt"));
  CHECK(has(missing, "Status          " + std::string(kNothingHandedIn)));
  CHECK(!has(missing, "note: " + std::string(kNothingHandedIn)));
  const std::string summary = read_text(room.path("class.json"));
  CHECK(has(summary, "\"format\": \"attn.class\""));
  CHECK(has(summary, "\"missing\": 4"));
  CHECK(!has(summary, "s001"));
  CHECK(!has(ran.out, "s001"));
  const std::string all = report + summary + ran.out;
  for (const SheetStep& step : six()[0].key.steps) {
    for (const double right : step.numbers) {
      if (right != std::floor(right)) CHECK(!has(all, format_exact(std::abs(right))));
    }
  }
}

TEST_CASE("check folder: --fail-under is about the median, --follow-through between 0 and 1") {
  const Classroom room(six());
  room.hand_in("1.json", solved(six()[0]));
  room.hand_in("2.json", solved(six()[1]));
  room.hand_in("3.json", six()[2].sheet);
  CHECK(room.check({"--fail-under", "90"}).exit_code == 0);
  fs::remove(room.path("handed-in/2.json"));
  CHECK(room.check({"--fail-under", "90"}).exit_code == 1);
  CHECK(room.check({"--fail-under", "50"}).exit_code == 0);
  CHECK(room.check().exit_code == 0);
  CHECK(room.check({"--fail-under", "101"}).exit_code == 2);
  CHECK(room.check({"--follow-through", "1.5"}).exit_code == 2);
  CHECK(room.check({"--follow-through", "nan"}).exit_code == 2);
  fs::remove(room.path("handed-in/1.json"));
  fs::remove(room.path("handed-in/3.json"));
  CHECK(room.check({"--fail-under", "0"}).exit_code == 1);
  CHECK(read_book(room.path("grades.csv")).rows.size() == 6);
}

TEST_CASE("check folder: with one sheet for everybody, the name of a file says whose it is") {
  std::vector<ExerciseVariant> one(six().begin(), six().begin() + 1);
  one[0].sheet.student = one[0].key.student = "";
  const Classroom room(one);
  room.hand_in("ann.json", solved(one[0]));
  room.hand_in("bob.json", one[0].sheet);
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  REQUIRE(book.rows.size() == 2);
  CHECK(book.of("ann").at("percent") == "100");
  CHECK(book.of("bob").at("score") == "0");
  CHECK(book.of("bob").at("status") == "graded");
}

TEST_CASE("check folder: what does not go with a folder, and what it needs") {
  const Classroom room(six());
  CHECK(has(usage({"check", room.path("handed-in")}), "error[needs-key]"));
  for (std::vector<std::string> wrong : {std::vector<std::string>{"--hint", "1"},
                                         {"--reveal"},
                                         {"--exact"},
                                         {"--steps", "scores"},
                                         {"--problem", "p.json"},
                                         {"--mask", "causal"}}) {
    CAPTURE(wrong.front());
    wrong.insert(wrong.begin(), {"check", room.path("handed-in"), "--key", room.path("key")});
    CHECK(has(attn_run(wrong).err, "error[wrong-operand]"));
  }
  CHECK(has(room.check({"--reports", room.path("handed-in")}).err, "error[same-file]"));
  CHECK(has(room.check({"--class", room.path("grades.csv")}).err, "error[same-file]"));
  CHECK(attn_run({"check", room.path("handed-in"), "--key", room.path("handed-in")}).exit_code ==
        4);
  CHECK(room.check({"--json"}).exit_code == 0);
  CHECK(has(room.check({"--json"}).out, "attn.class"));
}

TEST_CASE("check folder: a number that cannot be read costs its cell, and the rest is graded") {
  const Classroom room(six());
  std::string sheet = sheet_json(solved(six()[0]));
  const std::size_t at = sheet.find("\"weights\"", sheet.find("\"answers\""));
  const std::size_t cell = sheet.find("0.", at);  // blank or not: printed cells count as printed
  sheet.replace(cell, sheet.find_first_of(",] ", cell) - cell, "1e999");
  room.hand_in("s001.json", sheet);
  CHECK(room.check().exit_code == 0);
  const BookRow row = read_book(room.path("grades.csv")).of("s001");
  CHECK(row.at("status") == "graded");
  CHECK(std::stod(row.at("percent")) > 90.0);
}

TEST_CASE("check folder: a long run shows its count on a terminal only, and clears it at the end") {
  const Classroom room(six());
  app::Terminal terminal = screen(80);
  double clock = 0.0;
  terminal.seconds = [&] { return clock += 0.3; };
  const std::vector<std::string> args{"exercise", "grade", room.path("handed-in"), "--key",
                                      room.path("key")};
  const std::string counted = attn_run_on(terminal, args).err;
  CHECK(has(counted, "\rgraded 5 of 6\r"));
  CHECK(counted.ends_with("\r             \r"));
  clock = 0.0;
  terminal.seconds = [&] { return clock += 0.1; };
  CHECK(!has(attn_run_on(terminal, args).err, "graded"));
  CHECK(!has(attn_run(args).err, "graded"));
}

TEST_CASE("check folder: no output takes the place of the key, the sheets or the roster") {
  const Classroom room(six());
  const std::string sheet = room.hand_in("s001.json", solved(six()[0]));
  const TemporaryFolder elsewhere;
  const std::string roster = elsewhere.write("roster.csv", "id\r\ns001\r\n");
  const std::string answers = room.path("key/answers"), lock = room.path("key/roster.lock.csv");
  const std::string link = elsewhere.path("link");
  fs::create_directory_symlink(room.path("key"), link);
  const std::string before = read_text(lock);
  room.hand_in("again/s002.json", solved(six()[1]));
  for (const std::vector<std::string>& outputs : {std::vector<std::string>{"--class", lock},
                                                  {"-o", answers + "/s001.json"},
                                                  {"-o", link + "/new.txt"},
                                                  {"--also", room.path("key/class.json")},
                                                  {"--reports", answers},
                                                  {"--roster", roster, "--class", roster}}) {
    CAPTURE(outputs.back());
    const Ran ran = room.check(outputs);
    CHECK(ran.exit_code == 2);
    CHECK(has(ran.err, "error[same-file]"));
    CHECK(!has(ran.err, "with -o"));
  }
  for (const std::vector<std::string>& outputs :
       {std::vector<std::string>{"--class", sheet}, {"--reports", room.path("handed-in/again")}}) {
    CAPTURE(outputs.back());
    CHECK(has(room.check(outputs).err, "error[file-exists]"));
  }
  CHECK(read_text(lock) == before);
  CHECK(read_text(sheet) == sheet_json(solved(six()[0])));
  CHECK(read_text(roster) == "id\r\ns001\r\n");
  const Ran one = attn_run({"check", sheet, "--key", room.path("key"), "-o", lock});
  CHECK(one.exit_code == 2);
  CHECK(room.check({"--roster", roster}).exit_code == 0);
}

TEST_CASE(
    "check folder: outputs of an earlier run among the sheets are written again, not graded") {
  const Classroom room(six());
  room.hand_in("s001.json", solved(six()[0]));
  const std::string book = room.path("handed-in/grades.csv"),
                    reports = room.path("handed-in/reports");
  const std::vector<std::string> args{"check",       room.path("handed-in"),
                                      "--key",       room.path("key"),
                                      "--gradebook", book,
                                      "--class",     room.path("handed-in/class.json"),
                                      "--reports",   reports};
  const Ran first = attn_run(args);
  REQUIRE(first.exit_code == 0);
  const std::string rows = read_text(book);
  const Ran second = attn_run(args);
  CHECK(second.exit_code == 0);
  CHECK(second.out == first.out);
  CHECK(has(first.err, "wrote " + reports + ", 6 reports"));
  CHECK(has(second.err, "replaced " + reports + ", 6 reports"));
  CHECK(read_text(book) == rows);
  room.hand_in("reports/s002.json", solved(six()[1]));  // a sheet would not be seen there
  CHECK(has(attn_run(args).err, "error[file-exists]"));
}

TEST_CASE("check folder: what is erased, left out or of another shape is not tampering") {
  const Classroom room(six());
  const auto text_of = [](const ExerciseVariant& each) { return sheet_json(solved(each)); };
  const auto step_as = [&](const ExerciseVariant& each, const std::string& step,
                           const std::string& value) {
    std::string text = text_of(each);
    const std::size_t start = text.find("\"" + step + "\": [", text.find("\"answers\""));
    REQUIRE(start != text.npos);
    const std::size_t from = text.find('[', start);
    std::size_t to = from, open = 0;
    do {
      open += text[to] == '[';
      open -= text[to] == ']';
      ++to;
    } while (open > 0);
    return text.replace(from, to - from, value);
  };
  room.hand_in("1.json", step_as(six()[0], "scores", "null"));
  room.hand_in("2.json", step_as(six()[1], "scores", "\"I do not know\""));
  room.hand_in("3.json", step_as(six()[2], "scores", "[[1, 2]]"));
  Sheet erased = solved(six()[3]);
  for (SheetStep& step : erased.steps) {
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      if (step.blank[i] == 0) step.numbers[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  room.hand_in("4.json", erased);
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  for (const char* student : {"s001", "s002", "s003", "s004"}) {
    CAPTURE(student);
    INFO(book.of(student).at("note"));
    CHECK(book.of(student).at("status") == "graded");
    CHECK(!has(book.of(student).at("note"), "file.given_changed"));
  }
  CHECK(book.of("s004").at("percent") == "100");
}

TEST_CASE("check folder: a link to a folder and an unreadable folder have their rows") {
  const AsNobody nobody;  // root may read everything
  const Classroom room(six());
  const std::string sheet = room.hand_in("s002/sheet.json", solved(six()[1]));
  const TemporaryFolder elsewhere;
  fs::create_directory_symlink(elsewhere.path(""), room.path("handed-in/s001"));
  fs::permissions(room.path("handed-in/s002"), fs::perms::none);
  const Ran ran = room.check();
  fs::permissions(room.path("handed-in/s002"), fs::perms::owner_all);
  CHECK(ran.exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("status") == "not_gradable");
  CHECK(has(book.of("s001").at("note"), " a link"));
  CHECK(book.of("s002").at("status") == "not_gradable");
  CHECK(has(book.of("s002").at("note"), "cannot be read"));
}

TEST_CASE("check folder: no link is followed, neither to the key nor to a salt") {
  const Classroom room(six());
  const TemporaryFolder elsewhere;
  room.hand_in("s003.json", solved(six()[2]));
  const std::string salt = elsewhere.write("salt", "a secret of the class");
  const std::string answer = room.path("key/answers/s001.json");
  REQUIRE(fs::exists(answer));
  fs::create_symlink(answer, room.path("handed-in/s001.json"));
  fs::create_symlink(salt, room.path("handed-in/s002.json"));
  fs::create_directory_symlink(room.path("key/answers"), room.path("handed-in/s004"));
  const auto check_book = [&](const Ran& ran) {
    CHECK(ran.exit_code == 0);
    CHECK(!has(read_text(room.path("grades.csv")), "a secret"));
    const Book book = read_book(room.path("grades.csv"));
    for (const std::string student : {"s001", "s002"}) {
      CAPTURE(student);
      CHECK(book.of(student).at("status") == "not_gradable");
      CHECK(has(book.of(student).at("note"), " a link"));
    }
    CHECK(book.of("s003").at("percent") == "100");
    return book;
  };
  check_book(room.check());
  // The same where a shell names the files, also one in a folder that is a link.
  std::vector<std::string> named{"check"};
  for (const char* file : {"s001.json", "s002.json", "s003.json", "s004/s005.json"})
    named.push_back(room.path(std::string("handed-in/") + file));
  named.insert(named.end(), {"--key", room.path("key"), "--gradebook", room.path("grades.csv")});
  const Book book = check_book(attn_run(named));
  CHECK(book.of("s005").at("status") == "not_gradable");
  CHECK(has(book.of("s005").at("note"), "does not lie where it was handed in"));

  const std::string link = room.path("link");  // the folder that is named may be one
  fs::create_directory_symlink(room.path("handed-in"), link);
  check_book(
      attn_run({"check", link, "--key", room.path("key"), "--gradebook", room.path("grades.csv")}));
}

TEST_CASE("check folder: each file may take so much memory, and one that takes more is not graded" *
          doctest::test_suite("long")) {
  const Classroom room(six());
  std::string names = "{";
  for (int i = 0; i < 30000; ++i) names += (i == 0 ? "\"n" : ",\"n") + std::to_string(i) + "\":1";
  room.hand_in("s001.json", names + "}");
  Sheet large = six()[1].sheet;
  std::string text = sheet_json(large);
  const std::size_t at = text.find("\"embeddings\":");
  REQUIRE(at != text.npos);
  text.insert(at, "\"memory\": {\"embeddings\": {\"ones\": [20000, 2000]}}, ");
  room.hand_in("s002.json", text);
  text.replace(text.find("{\"ones\": [20000, 2000]}"), 23, "{\"rand\": [3000, 2000], \"seed\": 1}");
  room.hand_in("s004.json", text);  // less, but not as the text from which its seal is made
  room.hand_in("s003.json", solved(six()[2]));
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s004").at("status") == "not_gradable");
  CHECK(has(book.of("s004").at("note"), "256 MiB"));
  CHECK(has(book.of("s001").at("note"), "expected at most 10000 matrices, found 30000"));
  CHECK(book.of("s002").at("status") == "not_gradable");
  CHECK(has(book.of("s002").at("note"), "256 MiB"));
  CHECK(book.of("s003").at("percent") == "100");
  for (const char* limit : {"1K", "256M"}) {
    CHECK(attn_run({"exercise", "grade", room.path("handed-in"), "--key", room.path("key"),
                    "--gradebook", room.path("grades.csv"), "--max-memory", limit})
              .exit_code == 0);
    const std::string note = read_book(room.path("grades.csv")).of("s003").at("note");
    CHECK(has(note, over_limit("1 KiB")) == (limit == std::string("1K")));
  }
}

TEST_CASE("check folder: whatever comes in thousands neither stops a class nor keeps it waiting" *
          doctest::test_suite("long")) {
  const Classroom room(six());
  const auto thousands = [](int count, const std::string& before, const std::string& after) {
    std::string text;
    for (int i = 0; i < count; ++i) text += before + std::to_string(i) + after;
    return text;
  };
  room.hand_in("s001.json",
               "{" + thousands(9000, "\"n", "\": [[1, \"x\"], [2]],") + "\"q\": [[1]]}");
  std::string sheet = sheet_json(six()[1].sheet);
  const std::string answers = "\"answers\": {";
  REQUIRE(has(sheet, answers));
  sheet.insert(sheet.find(answers) + answers.size(), thousands(30000, "\"n", "\": 1,"));
  room.hand_in("s002.json", sheet);
  room.hand_in("s003.csv", "step,row,col,value\n" + thousands(20000, "n", ",0,0,x\n"));
  room.hand_in("s004.json", "{\"format\": \"attn.trace\", \"steps\": {" +
                                thousands(20000, "\"n", "\": {\"data\": 1},") + "\"q\": {}}}");
  room.hand_in("s005.csv", "step,row,col,value\n" + std::string(3'000'000, ','));
  room.hand_in("s006.json", solved(six()[5]));
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("status") == "graded");
  for (const char* student : {"s002", "s003", "s004"}) {
    CAPTURE(student);
    CHECK(book.of(student).at("status") == "not_gradable");
    CHECK(has(book.of(student).at("note"), "expected at most 10000 matrices, found "));
  }
  CHECK(book.of("s005").at("status") == "not_gradable");
  CHECK(book.of("s006").at("percent") == "100");
}

TEST_CASE("check folder: a pipe among the files has an end") {
  const Classroom room(six());
  room.hand_in("s002.json", solved(six()[1]));
  const Ran ran = attn_run({"check", "-", room.path("handed-in"), "--key", room.path("key"),
                            "--gradebook", room.path("grades.csv")},
                           std::string(std::size_t{17} << 20, 'y'));
  CHECK(ran.exit_code == 0);
  const std::string book = read_text(room.path("grades.csv"));
  CHECK(has(book, kTakesAtLeast));
  CHECK(has(book, ",graded,"));
}

TEST_CASE("check folder: a pattern that is nested too deep is refused") {
  const Classroom room(six());
  const std::string deep = std::string(10000, '(') + std::string(10000, ')');
  const Ran ran = room.check({"--id-regex", deep});
  CHECK(ran.exit_code == 2);
  CHECK(has(unwrapped(ran.err), "--id-regex is longer than 1000 characters"));
  CHECK(room.check({"--id-regex", std::string(500, '(') + std::string(500, ')')}).exit_code == 0);
}

TEST_CASE("check folder: an empty folder is said to be empty") {
  const Classroom room(six());
  CHECK(has(room.check().err, "note: no files were found in "));
  room.hand_in("s001.json", solved(six()[0]));
  CHECK(!has(room.check().err, "no files were found"));
}

TEST_CASE("check folder: a folder that does not exist is not taken for a problem") {
  const Classroom room(six());
  for (const std::vector<std::string>& named : {std::vector<std::string>{"nodir"}, {"a", "b"}}) {
    std::vector<std::string> args{"check", "--key", room.path("key")};
    args.insert(args.end(), named.begin(), named.end());
    const Ran ran = attn_run(args);
    CHECK(ran.exit_code == 4);
    CHECK(has(unwrapped(ran.err), "fix Check the name: "));
  }
}

TEST_CASE("check folder: files that are not sheets do not compete, nor do copies") {
  const Classroom room(six());
  room.hand_in("a/s001.json", solved(six()[0]));
  room.hand_in("b/s001.json", solved(six()[0]));
  room.hand_in("s001.pdf", std::string("%PDF-1.7 scanned"));
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("status") == "graded");
  CHECK(book.of("s001").at("percent") == "100");
  CHECK(has(book.of("s001").at("note"), "also handed in: s001.pdf"));
}

TEST_CASE("check folder: a photo or a text document is no sheet, and the student reads that") {
  const Classroom room(class_variants(6));
  room.hand_in("s001.jpg", std::string("x"));
  room.hand_in("s002.docx", std::string("PK\x03\x04[Content_Types].xml word/document.xml"));
  room.hand_in("s003.pages", std::string("PK\x03\x04Index/Document.iwa"));
  room.hand_in("s004.odt", std::string("PK\x03\x04cut off"));
  REQUIRE(room.check({"--reports", room.path("reports")}).exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  const auto report = [&](const char* student) {
    return unwrapped(read_text(room.path(std::string("reports/") + student + ".txt")));
  };
  CHECK(book.of("s001").at("status") == "missing");
  CHECK(book.of("s001").at("file") == "s001.jpg");
  CHECK(has(report("s001"), "Status " + std::string(kNoSheet)));
  CHECK(has(report("s001"), "only handed in: s001.jpg"));
  CHECK(!has(report("s001"), kNothingHandedIn));
  CHECK(has(report("s005"), "Status " + std::string(kNothingHandedIn)));
  const std::string wanted = "expected the sheet that was handed out (.json), found ";
  const std::pair<const char*, const char*> documents[] = {{"s002", "a text document (.docx)"},
                                                           {"s003", "a document of Pages or"},
                                                           {"s004", "a text document (.odt)"}};
  for (const auto& [student, what] : documents) {
    CHECK(book.of(student).at("status") == "not_gradable");
    CHECK(has(book.of(student).at("note"), wanted + what));
    CHECK(has(report(student), wanted + what));
  }
}

TEST_CASE("check folder: an empty file does not compete, whatever is beside it") {
  const Classroom room(six());
  room.hand_in("s001.json", std::string());
  room.hand_in("s001.txt", std::string("my answers"));
  room.hand_in("s002.json", solved(six()[1]));
  room.hand_in("s002.txt", std::string());
  room.hand_in("s003.json", std::string());
  room.hand_in("s003.txt", std::string());
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  for (const char* id : {"s001", "s003"}) CHECK(book.of(id).at("status") == "not_gradable");
  CHECK(book.of("s001").at("file") == "s001.txt");
  CHECK(book.of("s001").at("note").starts_with("line 1: "));
  CHECK(has(book.of("s001").at("note"), "; also handed in: s001.json, which is empty"));
  CHECK(book.of("s002").at("status") == "graded");
  CHECK(book.of("s002").at("note") == "also handed in: s002.txt, which is empty");
  CHECK(book.of("s003").at("note") == "it is empty; also handed in: s003.txt, which is empty");
}

TEST_CASE("check folder: handing in somebody else's sheet as one's own harms nobody else") {
  const Classroom room(six());
  room.hand_in("s001.json", solved(six()[0]));
  room.hand_in("s002.json", solved(six()[0]));
  room.hand_in("late_s003.json", six()[0].sheet);
  CHECK(room.check({"--id-regex", "_(s[0-9]+)"}).exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("status") == "graded");
  CHECK(book.of("s001").at("percent") == "100");
  for (const char* student : {"s002", "s003"}) {
    CHECK(book.of(student).at("status") == "wrong_variant");
    CHECK(book.of(student).at("note") == sheet_of("s001"));
  }
}

TEST_CASE(
    "check folder: an unchanged sheet of another exercise of the same name is named as such") {
  const Classroom room(six());
  Sheet other = six()[0].sheet;  // the same variant, with other blanks
  other.steps[0].blank.front() = other.steps[0].blank.front() == 0 ? 1 : 0;
  room.hand_in("s001.json", sheet_json(other));  // with a seal of its own
  Sheet worth = solved(six()[1]);                // remade with other points
  worth.steps.front().points = 7.0;
  room.hand_in("s002.json", sheet_json(worth));
  other.variant = six()[2].sheet.variant;
  other.student = "s003";
  room.hand_in("s003.json", other);  // changed by hand: the seal is that of the original
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("status") == "wrong_variant");
  CHECK(book.of("s001").at("score").empty());
  CHECK(has(book.of("s001").at("note"), "made for another exercise of the same name"));
  CHECK(book.of("s002").at("percent") == "100");
  CHECK(book.of("s003").at("status") == "graded");
  CHECK(has(book.of("s003").at("note"), "file.given_changed"));
  const auto alone = [&](const std::string& name) {
    return attn_run({"check", room.path("handed-in/" + name), "--key", room.path("key")});
  };
  CHECK(alone("s001.json").exit_code == 3);
  CHECK(has(unwrapped(alone("s001.json").err), "wrong_variant: this sheet is unchanged, but"));
  CHECK(alone("s002.json").exit_code == 0);
  CHECK(alone("s003.json").exit_code == 1);
}

TEST_CASE(
    "check folder: ids and variants in upper or lower case; a folder says whose sheet it holds") {
  const Classroom room(six());
  Sheet loud = solved(six()[0]);
  loud.student = " S001 ";
  std::transform(loud.variant.begin(), loud.variant.end(), loud.variant.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  room.hand_in("x.json", loud);
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(book.of("s001").at("percent") == "100");
  CHECK(book.of("s001").at("note").empty());
  std::vector<ExerciseVariant> one(six().begin(), six().begin() + 1);
  one[0].sheet.student = one[0].key.student = "";
  const Classroom shared(one);
  shared.hand_in("ann/sheet.json", solved(one[0]));
  shared.hand_in("bob/sheet.json", one[0].sheet);
  CHECK(shared.check().exit_code == 0);
  CHECK(read_book(shared.path("grades.csv")).of("ann").at("percent") == "100");
  CHECK(read_book(shared.path("grades.csv")).of("bob").at("score") == "0");
}

TEST_CASE("check folder: strangers are not part of the class, and get no report") {
  const Classroom room(six());
  room.hand_in("s001.json", six()[0].sheet);
  const TemporaryFolder elsewhere;
  const std::string roster = elsewhere.write("roster.csv", "id\r\ns001\r\n");
  room.hand_in("s002.json", solved(six()[1]));  // has a sheet, but is not in that roster
  const Ran ran = room.check({"--roster", roster, "--reports", room.path("reports")});
  CHECK(has(ran.out, "1 of 1 graded"));
  CHECK(has(ran.out, "0% of"));
  CHECK(fs::exists(room.path("reports/s001.txt")));
  CHECK(!fs::exists(room.path("reports/s002.txt")));
}

TEST_CASE("check folder: a table whose decimals all have commas is read") {
  const Classroom room(six());
  std::string table = sheet_csv(solved(six()[0]));
  std::replace(table.begin(), table.end(), ',', ';');
  std::replace(table.begin(), table.end(), '.', ',');
  room.hand_in("s001.csv", table);
  CHECK(room.check().exit_code == 0);
  const BookRow row = read_book(room.path("grades.csv")).of("s001");
  CHECK(row.at("main_code").empty());
  CHECK(!has(row.at("note"), "file.given_changed"));
}

TEST_CASE("check folder: numbers in quotation marks may have commas, if all have them") {
  const Classroom room(six());
  const auto quoted = [&](char mark, char first) {
    std::string sheet = sheet_json(six()[0].sheet);
    Sheet key = solved(six()[0]);
    std::size_t at = sheet.find("\"answers\""), written = 0;
    for (const SheetStep& step : key.steps) {
      for (std::size_t i = 0; i < step.blank.size(); ++i) {
        if (step.blank[i] == 0) continue;
        at = sheet.find("null", at);
        std::string number = format_exact(step.numbers[i]);
        std::replace(number.begin(), number.end(), '.', ++written == 1 ? first : mark);
        sheet.replace(at, 4, "\"" + number + "\"");
      }
    }
    room.hand_in("s001.json", sheet);
    CHECK(room.check().exit_code == 0);
    return std::stod(read_book(room.path("grades.csv")).of("s001").at("percent"));
  };
  CHECK(quoted(',', ',') == 100.0);
  CHECK(quoted('.', '.') == 100.0);
}

TEST_CASE("check folder: matrices with decimal commas outside quotation marks are counted") {
  const Classroom room(six());
  std::string sheet = sheet_json(solved(six()[0]));
  const std::size_t row_0 = sheet.find('[', sheet.find('[', sheet.find("\"answers\"")) + 1);
  sheet.insert(sheet.find(',', row_0), ",5");
  room.hand_in("s001.json", sheet);
  const Ran ran = room.check();
  CHECK(has(ran.out, "cells that are not numbers  cell.unreadable"));
  const BookRow row = read_book(room.path("grades.csv")).of("s001");
  CHECK(has(row.at("note"), "the matrix q cannot be read ("));
}

TEST_CASE(
    "check folder: whoever copies a neighbour, mistakes and all, is flagged; others are not") {
  const Classroom room(six());
  Sheet source = solved(six()[0]);
  std::size_t slips = 0;
  for (SheetStep& step : source.steps) {
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      if (step.blank[i] != 0 && ++slips % 3 == 0) step.numbers[i] += 0.377;
    }
  }
  room.hand_in("1.json", source);
  room.hand_in("2.json", filled(six()[1], [&](std::size_t s, std::size_t i) {
                 return source.steps[s].blank[i] != 0 ? source.steps[s].numbers[i]
                                                      : six()[1].key.steps[s].numbers[i];
               }));
  for (std::size_t i = 2; i < six().size(); ++i)
    room.hand_in(std::to_string(i) + "-own.json", solved(six()[i]));
  CHECK(room.check().exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  CHECK(has(book.of("s002").at("note"), "s001"));
  for (const char* student : {"s003", "s004", "s005", "s006"})
    CHECK(book.of(student).at("note").empty());
}
