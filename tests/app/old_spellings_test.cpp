// Options under the names of the version before: done as under today's, and said in one line.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>

#include "old_spellings.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

/// Everything that the files of a folder hold, by their names.
std::map<std::string, std::string> texts_in(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file())
      all[entry.path().lexically_relative(folder).string()] = read_text(entry.path().string());
  }
  return all;
}

/// A row of the table, what is said about it (nothing of a lasting one), and the same command line
/// before and today, which writes into the working folder.
struct OldLine {
  std::string command, old, said;
  Words before, today;
};
const std::vector<OldLine>& old_lines() {
  const auto words = [](const std::string& line) {
    std::istringstream in(line);
    return Words(std::istream_iterator<std::string>(in), {});
  };
  const auto graded = [&](const std::string& old, const std::string& now,
                          const std::string& value) {
    const std::string rest = " key/answers --key key ";
    return OldLine{"check", old, old + " is called attn exercise grade " + now + " now",
                   words("check" + rest + old + value),
                   words("exercise grade" + rest + now + value)};
  };
  static const std::vector<OldLine> kLines{
      graded("--gradebook", "--gradebook", " book.csv"),
      graded("--summary", "--class", " class.json"),
      graded("--reports", "--reports", " reports"),
      graded("--id-regex", "--id-regex", " (.*)"),
      graded("--latest", "--latest", ""),
      {"exercise grade", "--summary", "--summary is called --class now",
       words("exercise grade key/answers --key key --summary class.json"),
       words("exercise grade key/answers --key key --class class.json")},
      {"exercise make", "--force", "--force is called --any-size now",
       words("exercise make --preset self --d-k 4 --force -o made"),
       words("exercise make --preset self --d-k 4 --any-size -o made")},
      {"exercise make", "--blanks", "--blanks is called --blank-cells now",
       words("exercise make --preset self --blanks row -o made"),
       words("exercise make --preset self --blank-cells row -o made")},
      {"exercise make", "--decimals", "--decimals is called --precision now",
       words("exercise make --preset self --decimals 2 -o made"),
       words("exercise make --preset self --precision 2 -o made")},
      {"exercise export", "--to", "", words("exercise export . --to moodle-xml"),
       words("exercise export . --format moodle-xml")},
      {"explain", "--answers", "", words("explain --blank scores -o a.md --answers key.md"),
       words("explain --blank scores -o a.md --solution key.md")},
      {"new", "--force", "--force is not needed now, as -o replaces a file that is there",
       words("new --sample 04-causal --force -o made.json"),
       words("new --sample 04-causal -o made.json")},
      {"lesson", "--force", "--force is not needed now, as -o replaces a file that is there",
       words("lesson sinks --source --force -o made.md"),
       words("lesson sinks --source -o made.md")},
  };
  return kLines;
}

struct DoneInFolder {
  Ran ran;
  std::map<std::string, std::string> files;
};

/// Runs the line in a folder of its own, a copy of an exercise.
DoneInFolder done_as(const Words& args, const std::string& exercise) {
  const TemporaryFolder desk;
  std::filesystem::copy(exercise, desk.path("week"), std::filesystem::copy_options::recursive);
  const WorkingFolder here(desk.path("week"));
  Ran ran = attn_run(args);
  return {std::move(ran), texts_in(".")};
}

}  // namespace

TEST_CASE("old spellings: each does what today's does, and says so in one line" *
          doctest::test_suite("long")) {
  const TemporaryFolder desk;
  const std::string week = desk.path("week");
  REQUIRE(attn_run({"exercise", "make", "--preset", "causal", "-o", week}).exit_code == 0);
  for (const attn::app::OldSpelling& old : attn::app::old_spellings()) {
    CAPTURE(std::string(old.command) + " " + old.old);
    const auto row = std::find_if(old_lines().begin(), old_lines().end(), [&](const OldLine& each) {
      return each.command == old.command && each.old == old.old;
    });
    REQUIRE(row != old_lines().end());
    const DoneInFolder before = done_as(row->before, week), today = done_as(row->today, week);
    const std::string note =
        row->said.empty() ? "" : "note: " + row->said + "; it is done as before\n";
    CHECK(old.lasting == note.empty());
    CHECK_MESSAGE(today.ran.exit_code == 0, today.ran.err);
    CHECK(before.ran.exit_code == 0);
    CHECK(before.ran.out == today.ran.out);
    CHECK(before.ran.err == note + today.ran.err);
    CHECK(before.files == today.files);
  }
}

TEST_CASE("old spellings: a folder called check is no command") {
  const TemporaryFolder desk;
  const WorkingFolder here(desk.path("."));
  REQUIRE(attn_run({"exercise", "make", "--preset", "self", "-o", "check"}).exit_code == 0);
  const Ran ran = attn_run(
      {"exercise", "grade", "check/key/answers", "--key", "check/key", "--gradebook", "book.csv"});
  CHECK(ran.exit_code == 0);
  CHECK(!has(ran.err, "is called"));
  CHECK(attn_run({"exercise", "verify", "check"}).exit_code == 0);
}

TEST_CASE("old spellings: one line about all of them, with an equals sign too, and none if quiet") {
  const TemporaryFolder desk;
  Words args{"exercise", "make", "--preset", "self", "--decimals=2",
             "--blanks", "row",  "--force",  "-o",   desk.path("a")};
  const Ran ran = attn_run(args);
  CHECK(ran.exit_code == 0);
  CHECK(
      ran.err.starts_with("note: --decimals is called --precision now, --blanks is called "
                          "--blank-cells now and --force is called --any-size now; it is done as "
                          "before\n"));
  CHECK(count_of(ran.err, "note:") == 1);
  args.back() = desk.path("b");
  args.emplace_back("--quiet");
  CHECK(attn_run(args).err.empty());
}

TEST_CASE("old spellings: one that a command never had is unknown to it, with today's name") {
  CHECK(has(usage({"explain", "--to", "json"}), "attn explain " + no_option("--to")));
  CHECK(has(usage({"check", "a.json", "--decimals", "3"}), no_option("--decimals")));
  CHECK(has(usage({"exercise", "rules", "--force"}), no_option("--force")));
}
