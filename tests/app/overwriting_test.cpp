// One rule for overwriting: an output replaces a file; a folder that is made is new or empty.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "commands.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

/// Command lines that write a file, which "OUT" names, in a folder with a problem and an exercise.
const std::map<std::string, std::vector<Words>>& lines_that_write() {
  static const std::map<std::string, std::vector<Words>> kLines{
      {"explain",
       {{"-o", "OUT"},
        {"--also", "OUT"},
        {"--blank", "scores", "-o", "sheet.md", "--solution", "OUT"}}},
      {"heatmap", {{"-o", "OUT"}}},
      {"compare", {{"--left", "mask=causal", "-o", "OUT"}}},
      {"lesson", {{"1", "-o", "OUT"}, {"1", "--source", "-o", "OUT"}}},
      {"practice", {{"-o", "OUT"}}},
      {"generate", {{"15-induction", "--count", "1", "-o", "OUT"}}},
      {"tokens", {{"cat", "-o", "OUT"}}},
      {"check", {{"week/key/answers/sheet.json", "-o", "OUT"}}},
      {"exercise", {}},
      {"exercise make", {}},
      {"exercise verify", {}},
      {"exercise key", {{"week", "-o", "OUT"}}},
      {"exercise grade",
       {{"week/key/answers", "--key", "week/key", "-o", "OUT"},
        {"week/key/answers", "--key", "week/key", "--gradebook", "OUT"},
        {"week/key/answers", "--key", "week/key", "--class", "OUT"}}},
      {"exercise export", {{"week", "--format", "moodle-xml", "-o", "OUT"}}},
      {"exercise mutants", {}},
      {"exercise rules", {{"-o", "OUT"}}},
      {"convert", {{"p.json", "-o", "OUT"}}},
      {"new", {{"--sample", "04-causal", "-o", "OUT"}, {"--random", "-o", "OUT"}}},
      {"schema", {{"problem", "-o", "OUT"}}},
      {"completions", {{"bash", "-o", "OUT"}}},
      {"man", {{"-o", "OUT"}}},
      {"help", {{"masks", "-o", "OUT"}}},
  };
  return kLines;
}

/// "exercise grade" in two words, then the rest.
Words line_of(const std::string& command, Words rest, const std::string& out) {
  for (std::string& word : rest) word = word == "OUT" ? out : word;
  const std::size_t space = std::min(command.find(' '), command.size());
  if (space < command.size()) rest.insert(rest.begin(), command.substr(space + 1));
  rest.insert(rest.begin(), command.substr(0, space));
  return rest;
}

}  // namespace

TEST_CASE("overwriting: every command replaces a file that is named as an output, and says so") {
  const TemporaryFolder desk;
  const WorkingFolder here(desk.path("."));
  REQUIRE(attn_run({"new", "--sample", "01-one-head", "-o", "p.json"}).exit_code == 0);
  REQUIRE(attn_run({"exercise", "make", "--preset", "self", "-o", "week"}).exit_code == 0);
  for (const attn::app::CommandRow& row : attn::app::commands()) {
    CAPTURE(row.name);
    REQUIRE(lines_that_write().contains(row.name));
    for (const Words& rest : lines_that_write().at(row.name)) {
      const std::string ending = std::string(row.name) == "convert" ? ".json" : "";
      const std::string fresh = "fresh" + ending, old = desk.write("old" + ending, "old");
      const Ran first = attn_run(line_of(row.name, rest, fresh));
      const Ran again = attn_run(line_of(row.name, rest, old));
      CHECK_MESSAGE(first.exit_code == again.exit_code, again.err);
      CHECK(again.exit_code == 0);
      CHECK(has(first.err, "wrote " + fresh + ", "));
      CHECK(has(again.err, "replaced " + old + ", "));
      CHECK(read_text(old) != "old");
      CHECK(read_text(old) == read_text(fresh));
      std::filesystem::remove(fresh);
    }
  }
}

TEST_CASE("overwriting: a folder that is made must be new or empty, and a salt is never replaced") {
  const TemporaryFolder desk;
  const WorkingFolder here(desk.path("."));
  const std::string roster = desk.write("roster.csv", "student\ns001\n");
  for (const Words& made :
       {Words{"exercise", "make", "--preset", "self", "-o"}, Words{"exercise", "mutants", "-o"}}) {
    CAPTURE(made[1]);
    std::filesystem::create_directory("full");
    desk.write("full/mine.txt", "mine");
    Words line = made;
    line.emplace_back("full");
    const Ran refused = attn_run(line);
    CHECK(refused.exit_code == 4);
    CHECK(has(refused.err, "error[file-exists]"));
    CHECK(std::distance(std::filesystem::directory_iterator("full"), {}) == 1);
    std::filesystem::create_directory("empty");
    line.back() = "empty";
    CHECK(attn_run(line).exit_code == 0);
    std::filesystem::remove_all("empty");
  }
  const std::string salt = desk.write("salt", "mine");
  const Ran refused = attn_run({"exercise", "make", "--preset", "self", "--roster", roster,
                                "--new-salt", salt, "-o", "class"});
  CHECK(refused.exit_code == 4);
  CHECK(read_text(salt) == "mine");
}

TEST_CASE("overwriting: no output replaces a salt, a key or a sheet, of whatever exercise") {
  const TemporaryFolder desk;
  const WorkingFolder here(desk.path("."));
  desk.write("roster.csv", "student\ns001\n");
  REQUIRE(attn_run({"exercise", "make", "--preset", "self", "--roster", "roster.csv", "--new-salt",
                    "salt", "--format", "json,csv", "-o", "week"})
              .exit_code == 0);
  const std::string rows = "\r\nq;0;0;0,5;;week;s001;K7Q2-9MXA\r\n";
  desk.write("excel.csv", "\xef\xbb\xbfStep;row;col;Value;given;exercise;student;Variant" + rows);
  const std::string filled = read_text("week/sheets/s001.csv");
  desk.write("separator.csv", "\xef\xbb\xbfsep=,\r\n" + filled);
  desk.write("empty-line.csv", "\r\n\r\n" + filled);
  for (const auto& kept : {std::pair{"salt", "a salt"},
                           {"week/key/exercise.json", "the key of an exercise"},
                           {"week/key/answers/s001.json", "a sheet of an exercise"},
                           {"week/sheets/s001.json", "a sheet of an exercise"},
                           {"week/sheets/s001.csv", "a sheet of an exercise"},
                           {"excel.csv", "a sheet of an exercise"},
                           {"separator.csv", "a sheet of an exercise"},
                           {"empty-line.csv", "a sheet of an exercise"}}) {
    const std::string file = kept.first, what = kept.second;
    CAPTURE(file);
    const std::string before = read_text(file);
    for (const Words& line :
         {Words{"new", "--random", "-o"}, {"explain", "--also"}, {"man", "-o"}}) {
      Words args = line;
      args.emplace_back(file);
      const Ran ran = attn_run(args);
      CHECK(ran.exit_code == 4);
      CHECK(has(unwrapped(ran.err), "\"" + file + "\" is " + what));
      CHECK(has(unwrapped(ran.err), "never written over"));
    }
    CHECK(read_text(file) == before);
  }
  desk.write("saved", std::string(64, 'a') + "\r\n");  // by an editor
  CHECK(attn_run({"new", "--random", "-o", "saved"}).exit_code == 4);
  desk.write("hash", std::string(40, 'a'));
  desk.write("trace.csv", "step,batch,head,row,col,value\r\nq,0,0,0,0,0.5\r\n");
  desk.write("grades.csv", "student,variant,status,score\r\ns001,K7Q2-9MXA,graded,3\r\n");
  for (const char* replaced : {"hash", "trace.csv", "grades.csv"})
    CHECK(attn_run({"new", "--random", "-o", replaced}).exit_code == 0);
}

TEST_CASE("overwriting: reports replace those of the same exercise, and nothing else" *
          doctest::test_suite("long")) {
  const TemporaryFolder desk;
  const WorkingFolder here(desk.path("."));
  desk.write("roster.csv", "student\ns001\ns002\n");
  for (const Words& made : {Words{"self", "--new-salt"}, {"causal", "--salt-file"}})
    REQUIRE(attn_run({"exercise", "make", "--preset", made[0], "--roster", "roster.csv", made[1],
                      "salt", "-o", made[0]})
                .exit_code == 0);
  const auto grade = [](const std::string& exercise, const std::string& as) {
    return attn_run({"exercise", "grade", exercise + "/key/answers", "--key", exercise + "/key",
                     "--reports", "reports", "--reports-as", as});
  };
  CHECK(has(grade("self", "text").err, "wrote reports, 2 reports"));
  const std::string before = read_text("reports/s001.txt");
  for (const char* as : {"text", "markdown", "html"}) {
    const Ran other = grade("causal", as);
    CHECK(other.exit_code == 4);
    CHECK(has(unwrapped(other.err), "has other files in it than reports of this exercise: \"s00"));
    CHECK(grade("self", as).exit_code == 0);
  }
  CHECK(has(grade("self", "html").err, "replaced reports, 2 reports"));
  CHECK(read_text("reports/s001.txt") == before);
  desk.write("reports/notes.txt", "mine");
  CHECK(has(unwrapped(grade("self", "text").err), "of this exercise: \"notes.txt\""));
}

TEST_CASE("overwriting: reports are known by the exercise and the student, in every format") {
  const TemporaryFolder desk;
  const WorkingFolder here(desk.path("."));
  desk.write("roster.csv", "student\ns_1\ns_2\n");
  REQUIRE(attn_run({"exercise", "make", "--preset", "self", "--name", "week_1", "--roster",
                    "roster.csv", "--new-salt", "salt", "-o", "week"})
              .exit_code == 0);
  std::filesystem::create_directory("in");
  std::filesystem::copy("week/key/answers/s_1.json", "in/s_1.json");
  for (const char* as : {"text", "markdown", "html"}) {
    CAPTURE(as);
    const Words line{"exercise",     "grade",     "in",
                     "--key",        "week/key",  "--roster",
                     "roster.csv",   "--reports", std::string("reports-") + as,
                     "--reports-as", as};
    CHECK(attn_run(line).exit_code == 0);
    CHECK(has(attn_run(line).err, "replaced reports"));
  }
  desk.write("reports-text/s_1.txt", "week_1: my own notes");
  CHECK(attn_run({"exercise", "grade", "in", "--key", "week/key", "--reports", "reports-text"})
            .exit_code == 4);
}

TEST_CASE("overwriting: every page says so") {
  attn::app::CommonOptions common;
  for (const attn::app::Command& command : attn::app::every_command(common)) {
    if (command.name == "help") continue;
    const std::string page = unwrapped(attn_run({"help", command.name}).out);
    CHECK(has(page, command.makes_folder ? "make the folder DIR, unless it has files in it"
                                         : "write FILE, or replace it; - is standard output"));
  }
}
