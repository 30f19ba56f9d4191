// Options under the names of the version before: done as under today's, and said in one line.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "old_spellings.hpp"
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

/// A command line for each row of the table, which writes into the working folder; "!" is in place
/// of the option.
struct OldLine {
  std::string command, old;
  Words args;
};
const std::vector<OldLine>& old_lines() {
  static const std::vector<OldLine> kLines{
      {"check", "--summary", {"check", "key/answers", "--key", "key", "!", "class.json"}},
      {"exercise grade",
       "--summary",
       {"exercise", "grade", "key/answers", "--key", "key", "!", "class.json"}},
      {"exercise make",
       "--force",
       {"exercise", "make", "--preset", "self", "--d-k", "4", "!", "-o", "made"}},
      {"exercise make",
       "--blanks",
       {"exercise", "make", "--preset", "self", "!", "row", "-o", "made"}},
      {"exercise make",
       "--decimals",
       {"exercise", "make", "--preset", "self", "!", "2", "-o", "made"}},
      {"exercise export", "--to", {"exercise", "export", ".", "!", "moodle-xml"}},
      {"explain", "--answers", {"explain", "--blank", "scores", "-o", "a.md", "!", "key.md"}},
  };
  return kLines;
}

struct DoneInFolder {
  Ran ran;
  std::map<std::string, std::string> files;
};

/// Runs the line in a folder of its own, in which an exercise has been made.
DoneInFolder done_as(Words args, const std::string& option) {
  std::replace(args.begin(), args.end(), std::string("!"), option);
  const TemporaryFolder desk;
  REQUIRE(attn_run({"exercise", "make", "--preset", "causal", "-o", desk.path("week")}).exit_code ==
          0);
  const WorkingFolder here(desk.path("week"));
  Ran ran = attn_run(args);
  return {std::move(ran), texts_in(".")};
}

}  // namespace

TEST_CASE("old spellings: each does what today's does, and says so in one line") {
  for (const attn::app::OldSpelling& old : attn::app::old_spellings()) {
    CAPTURE(std::string(old.command) + " " + old.old);
    const auto row = std::find_if(old_lines().begin(), old_lines().end(), [&](const OldLine& each) {
      return each.command == old.command && each.old == old.old;
    });
    REQUIRE(row != old_lines().end());
    const DoneInFolder before = done_as(row->args, old.old), now = done_as(row->args, old.now);
    const std::string note = "note: since version 0.3, " + row->old + " is called " + old.now +
                             "; it is done as before\n";
    CHECK(now.ran.exit_code == 0);
    CHECK(before.ran.exit_code == 0);
    CHECK(before.ran.out == now.ran.out);
    CHECK(before.ran.err == note + now.ran.err);
    CHECK(before.files == now.files);
  }
}

TEST_CASE("old spellings: one line about all of them, with an equals sign too, and none if quiet") {
  const TemporaryFolder desk;
  Words args{"exercise", "make", "--preset", "self", "--decimals=2",
             "--blanks", "row",  "--force",  "-o",   desk.path("a")};
  const Ran ran = attn_run(args);
  CHECK(ran.exit_code == 0);
  CHECK(
      ran.err.starts_with("note: since version 0.3, --decimals is called --precision, --blanks is "
                          "called --blank-cells and --force is called --any-size; it is done as "
                          "before\n"));
  CHECK(count_of(ran.err, "note:") == 1);
  args.back() = desk.path("b");
  args.emplace_back("--quiet");
  CHECK(attn_run(args).err.empty());
}

TEST_CASE("old spellings: one that a command never had is unknown to it, with today's name") {
  CHECK(has(usage({"explain", "--to", "json"}), "attn explain has no option \"--to\""));
  CHECK(has(usage({"check", "a.json", "--decimals", "3"}), "has no option \"--decimals\""));
  const TemporaryFolder desk;
  const Ran made = attn_run({"new", "--sample", "04-causal", "-o", desk.path("a.json"), "--force"});
  CHECK(made.exit_code == 0);
  CHECK(!has(made.err, "is called"));
}
