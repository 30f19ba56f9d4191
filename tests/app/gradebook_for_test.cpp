// Gradebooks for Canvas, Moodle and Excel, and reports that a platform takes back.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "attn/io/sheet_file.hpp"
#include "attn/io/zip_file.hpp"
#include "support/classroom.hpp"
#include "support/phrases.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

/// A room in which two students handed in, one everything right.
struct Marked {
  Classroom room{class_variants(6)};
  std::string roster = room.hand_in(
      "../roster.csv",
      "id,name,email,section\ns001,\"Lee, Ann\",ann@example.edu,A\ns002,=Bob,bob@example.edu,A\n"
      "s003,Cem,c@example.edu,B\n");

  Marked() {
    room.hand_in("Ann_17_assignsubmission_file_/s001.json", class_variants(6)[0].key);
    room.hand_in("s002.json", class_variants(6)[1].sheet);
    Sheet stranger = class_variants(6)[3].key;
    stranger.student = "x9";
    room.hand_in("x9.json", stranger);
  }
  Ran grade(std::vector<std::string> more) const {
    std::vector<std::string> args{"exercise", "grade",          room.path("handed-in"),
                                  "--key",    room.path("key"), "--roster",
                                  roster,     "--gradebook",    room.path("g.csv")};
    args.insert(args.end(), more.begin(), more.end());
    return attn_run(args);
  }
  std::string text() const { return read_text(room.path("g.csv")); }
};

}  // namespace

TEST_CASE("gradebook for Canvas: its columns, one row for each student, nothing else") {
  const Marked marked;
  REQUIRE(marked.grade({"--for", "canvas"}).exit_code == 0);
  CHECK(marked.text() ==
        "Student,ID,SIS User ID,SIS Login ID,Section,hw1\r\n"
        "\"Lee, Ann\",,s001,ann@example.edu,A,10\r\n"
        "'=Bob,,s002,bob@example.edu,A,0\r\n"
        "Cem,,s003,c@example.edu,B,\r\n");
}

TEST_CASE(
    "gradebook for Moodle: who, the roster's columns, the grade, and feedback without flags") {
  const Marked marked;
  REQUIRE(marked.grade({"--for", "moodle"}).exit_code == 0);
  const CsvTable table = parse_csv(marked.text(), "");
  CHECK(table.header ==
        std::vector<std::string>{"ID number", "name", "email", "section", "hw1", "Feedback"});
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0][4] == "10");
  CHECK(table.rows[0][5].empty());
  CHECK(has(table.rows[1][5], "blanks empty"));
  CHECK(table.rows[2][4] == "-");
  CHECK(table.rows[2][5] == kNothingHandedIn);
}

TEST_CASE(
    "gradebook for Moodle: the feedback says why a file does not count, but not whose it is") {
  const Marked marked;
  marked.room.hand_in("s002.json", class_variants(6)[0].key);
  Sheet other = class_variants(6)[2].key;
  other.exercise = "week9";
  marked.room.hand_in("s003.json", other);
  REQUIRE(marked.grade({"--for", "moodle"}).exit_code == 0);
  const CsvTable table = parse_csv(marked.text(), "");
  CHECK(table.rows[1][5] == kNotYours);
  CHECK(table.rows[2][5] == kNotGradable + ("; " + made_for("week9")));
  const std::string decisions = marked.room.hand_in(
      "../o.csv", "student,step,points,reason\ns003,q,1,asked\ns002,q,excused,ill\n");
  REQUIRE(marked.grade({"--for", "moodle", "--overrides", decisions}).exit_code == 0);
  const CsvTable again = parse_csv(marked.text(), "");
  CHECK(again.rows[1][5] == kNotYours + ("; q: " + excused("0 (ill)")));
  CHECK(again.rows[2][5] ==
        kNotGradable + ("; " + made_for("week9") + "; q: " + by_hand("1", "0 (asked)")));
}

TEST_CASE("gradebooks for others: excused from everything is EX, a dash, or nothing, never 0") {
  const Marked marked;
  std::string lines = "student,step,points,reason\ns002,q,excused,ill\n";
  for (const SheetStep& step : class_variants(6)[0].sheet.steps) {
    for (const char* student : {"s001", "s003"})  // who handed in, and who did not
      lines += std::string(student) + "," + step.id + ",excused,ill\n";
  }
  const std::string decisions = marked.room.hand_in("../o.csv", lines);
  const auto column = [&](const char* who, const std::string& name) {
    REQUIRE(marked.grade({"--for", who, "--overrides", decisions}).exit_code == 0);
    const CsvTable table = parse_csv(marked.text(), "");
    const auto at = std::find(table.header.begin(), table.header.end(), name);
    REQUIRE(at != table.header.end());
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < 3; ++i)
      cells.push_back(table.rows.at(i)[static_cast<std::size_t>(at - table.header.begin())]);
    return cells;
  };
  using Cells = std::vector<std::string>;
  CHECK(column("canvas", "hw1") == Cells{"EX", "0", "EX"});
  CHECK(column("moodle", "hw1") == Cells{"-", "0", "-"});
  CHECK(column("excel", "score") == Cells{"", "0", ""});
  CHECK(column("excel", "percent") == Cells{"", "0", ""});
  CHECK(column("excel", "max_score") == Cells{"0", "9", "0"});
  CHECK(column("excel", "q") == Cells{"excused", "excused", "excused"});
  CHECK(column("excel", "k") == Cells{"excused", "0", "excused"});
}

TEST_CASE(
    "gradebook for Canvas and Moodle: who is excused has a share of what is left, and reads it") {
  const Marked marked;
  const std::string decisions = marked.room.hand_in(
      "../o.csv", "student,step,points,reason\ns001,output,excused,ill\ns001,scores,0,copied\n");
  const std::vector<std::string> overrides{"--overrides", decisions};
  const auto graded = [&](std::vector<std::string> args) {
    args.insert(args.end(), overrides.begin(), overrides.end());
    REQUIRE(marked.grade(args).exit_code == 0);
    return parse_csv(marked.text(), "").rows[0];
  };
  CHECK(graded({"--for", "canvas"})[5] == "7.5");  // 6 of 8, out of 10
  const std::vector<std::string> row = graded({"--for", "moodle"});
  CHECK(row[4] == "7.5");
  CHECK(has(row[5], "scores: " + by_hand("0", "2 (copied)")));
}

TEST_CASE(
    "gradebook for Moodle: the student reads sentences about a mistake, no code, the teacher's "
    "own") {
  for (const std::string own : {"", "See page 12 of the notes."}) {
    std::vector<ExerciseVariant> variants = class_variants(6);
    for (ExerciseVariant& each : variants) {
      if (!own.empty()) each.key.mistake_texts["scale.missing"].message = own;
    }
    const Classroom room(variants);
    Sheet sheet = variants[0].key;
    const auto step = [&](const char* id) -> SheetStep& {
      return *std::find_if(sheet.steps.begin(), sheet.steps.end(),
                           [&](const SheetStep& each) { return each.id == id; });
    };
    for (std::size_t i = 0; i < step("scores").numbers.size(); ++i) {
      if (step("scaled_scores").blank[i] != 0)
        step("scaled_scores").numbers[i] = step("scores").numbers[i];
    }
    room.hand_in("s001.json", sheet);
    const auto note = [&](const std::string& who) {
      REQUIRE(room.check({"--for", who}).exit_code == 0);
      return read_text(room.path("grades.csv"));
    };
    CHECK(has(note("excel"), "blanks wrong (scale.missing)"));
    const std::string feedback = note("moodle");
    CHECK(!has(feedback, "scale.missing"));
    CHECK(has(feedback, "blanks wrong (" + (own.empty() ? kNotScaledSays : own) + " "));
  }
}

TEST_CASE("gradebook for Canvas: its own ID is another column than the one of ids") {
  Marked marked;
  marked.roster =
      marked.room.hand_in("../c.csv", "id,Student,ID,SIS User ID\ns001,\"Lee, Ann\",992,u1\n");
  REQUIRE(marked.grade({"--for", "canvas"}).exit_code == 0);
  CHECK(has(marked.text(), "\"Lee, Ann\",992,u1,,,10"));
}

TEST_CASE("gradebook for Canvas: names in two columns, in English, German and Chinese") {
  for (const std::string header :
       {"Last name,First name", "Nachname,Vorname", "姓,名", "name,first name"}) {
    Marked marked;
    marked.roster = marked.room.hand_in("../n.csv", "id," + header + "\ns001,Lee,Ann\n");
    REQUIRE(marked.grade({"--for", "canvas"}).exit_code == 0);
    CHECK(has(marked.text(), "\"Lee, Ann\",,s001,,,10"));
  }
}

TEST_CASE("gradebook for Excel: a byte order mark, no points possible; .xlsx is refused") {
  const Marked marked;
  REQUIRE(marked.grade({"--for", "excel"}).exit_code == 0);
  CHECK(marked.text().starts_with("\xef\xbb\xbfid,name,email,section,variant,status,score,"));
  CHECK(!has(marked.text(), "points possible"));
  CHECK(has(marked.text(), "x9"));
  const Ran refused = attn_run({"exercise", "grade", marked.room.path("handed-in"), "--key",
                                marked.room.path("key"), "--gradebook", "grades.xlsx"});
  CHECK(refused.exit_code == 2);
  CHECK(has(unwrapped(refused.err), "Write --gradebook grades.csv --for excel"));
  CHECK(attn_run({"exercise", "grade", marked.room.path("handed-in"), "--key",
                  marked.room.path("key"), "--for", "excel"})
            .exit_code == 2);
}

TEST_CASE("gradebook for Excel: commas and semicolons where the sheets have them") {
  ExerciseSpec spec = exercise_presets()[0].spec;
  spec.name = "komma";
  spec.decimal_comma = true;
  const std::vector<std::string> ids{"a"};
  const auto made = make_exercise(spec, "a salt for tests", ids);
  const Classroom room(made);
  Sheet half = made[0].key;
  for (SheetStep& step : half.steps) {
    const auto blank = std::find(step.blank.begin(), step.blank.end(), 1) - step.blank.begin();
    if (blank < std::ssize(step.blank)) step.numbers[static_cast<std::size_t>(blank)] = 77.0;
  }
  room.hand_in("a.json", half);
  REQUIRE(attn_run({"exercise", "grade", room.path("handed-in"), "--key", room.path("key"),
                    "--gradebook", room.path("g.csv"), "--for", "excel"})
              .exit_code == 0);
  const std::string text = read_text(room.path("g.csv"));
  CHECK(text.starts_with("\xef\xbb\xbfstudent;variant;status;score;"));
  const CsvTable table = parse_csv(text, "");
  CHECK(has(table.rows[0][3], ","));  // the score
  CHECK(!has(table.rows[0][3], "."));
}

TEST_CASE("reports as HTML and Markdown, in the folders in which Moodle takes them back") {
  const Marked marked;
  for (const auto& [format, ending, begin] :
       {std::tuple{"html", ".html", "<!doctype html>"}, {"markdown", ".md", "# hw1"}}) {
    const std::string folder = marked.room.path(std::string("reports") + ending);
    REQUIRE(marked.grade({"--reports", folder, "--reports-as", format}).exit_code == 0);
    const std::string ann =
        read_text(folder + "/Ann_17_assignsubmission_file_/s001" + std::string(ending));
    CHECK(ann.starts_with(begin));
    CHECK(has(ann, "s001"));
    CHECK(has(read_text(folder + "/s003" + ending), kNothingHandedIn));
    CHECK(!std::filesystem::exists(folder + "/x9" + ending));
  }
  CHECK(marked.grade({"--reports-as", "html"}).exit_code == 2);
}

TEST_CASE("reports for Canvas have the names of the uploads, whose ids it finds students by") {
  const auto& six = class_variants(6);
  const Classroom room(six);
  const std::string long_name(200, 'x');
  const std::string inside = "bob_1_90_s002.json";  // names the upload of somebody else
  room.hand_in("lee_1234_98765_s001.json", six[0].key);
  room.hand_in("bo_LATE_12_90_my sheet.json", six[1].sheet);
  room.hand_in("cem_13_91_week.zip",
               write_zip(std::vector<FileToZip>{{inside, sheet_json(six[2].key)}}));
  room.hand_in("anon_x7Yz2_92_" + long_name + ".JSON", six[3].key);
  room.hand_in("a/dee_15_93_x.json", six[4].key);
  room.hand_in("b/dee_15_93_x.json", six[5].key);
  const std::string cut = file_name_of("_" + long_name);
  for (const auto& [format, ending] :
       {std::pair<std::string, std::string>{"html", ".html"}, {"markdown", ".md"}}) {
    const std::string folder = room.path("canvas" + ending);
    const std::vector<std::string> args{"exercise",
                                        "grade",
                                        room.path("handed-in"),
                                        "--key",
                                        room.path("key"),
                                        "--gradebook",
                                        room.path("g.csv"),
                                        "--reports",
                                        folder,
                                        "--reports-as",
                                        format};
    std::vector<std::string> canvas = args;
    canvas.insert(canvas.end(), {"--for", "canvas"});
    const Ran ran = attn_run(canvas);
    REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
    for (const auto& report : {std::pair<std::string, std::string>{"lee_1234_98765_s001", "s001"},
                               {"bo_LATE_12_90_my%20sheet", "s002"},
                               {"cem_13_91_week", "s003"},
                               {"anon_x7Yz2_92" + cut, "s004"},
                               {"dee_15_93_x", "s005"},
                               {"s006", "s006"}}) {  // the name is taken
      CAPTURE(report.first);                         // clang captures no binding
      CHECK(has(read_text(folder + "/" + report.first + ending), report.second));
    }
    CHECK(has(attn_run(canvas).err, "replaced " + folder + ", 6 reports\n"));
    const std::string later = attn_run(args).err;  // by the names of students
    CHECK(has(later, "5 reports in " + folder + " are from an earlier run"));
    CHECK(has(later, "lee_1234_98765_s001" + ending));
    const std::string report = read_text(folder + "/lee_1234_98765_s001" + ending);
    for (const std::string& own : {std::string("hw1: my notes"), "hw1\nabout s001\n" + report,
                                   std::string("<h1>hw1</h1>\n# hw1\n- s001\n"),
                                   report + "<script type=\"application/json\" id=\"sheet\">{}"}) {
      if (own.starts_with(report) && ending != ".html") continue;
      const std::string named = "/lee_1_2_notes" + ending;
      room.hand_in("../canvas" + ending + named, own);
      CHECK(attn_run(canvas).exit_code == 4);
      CHECK(read_text(folder + named) == own);
    }
  }
}
