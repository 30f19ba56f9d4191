// attn exercise: folders of sheets, made, verified, solved and exported.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "attn/io/sheet_file.hpp"
#include "attn/teach/mistakes.hpp"
#include "io/json/writer.hpp"
#include "platform/whole_file.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Every file below a folder, by its path inside it.
std::map<std::string, std::string> files_in(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).string()] = read_text(entry.path());
  }
  return files;
}

/// A class of three, one with an id that must not leave the folder.
struct Class {
  TemporaryFolder folder;
  std::string roster = folder.path("roster.csv"), salt = folder.path("salt.txt");
  std::string path = folder.path("week1");

  Class() { write(roster, "id,name\r\ns001,Ann\r\n../x,\"Lee, Bo\"\r\nmüller,Mü\r\n"); }

  Ran make(const Words& more = {}) {
    Words args{"exercise", "make",     "--preset",   "softmax", "--roster", roster,
               "--format", "json,csv", "--new-salt", salt,      "-o",       path};
    args.insert(args.end(), more.begin(), more.end());
    return attn_run(args);
  }
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("exercise make: a wrong key of a file has its place, and the option that sets it") {
  const TemporaryFolder folder;
  const auto wrong = [&](const std::string& key, const std::string& option) {
    const std::string spec = folder.write("spec.json", "{\"preset\": \"self\",\n " + key + "}");
    const Ran ran = attn_run({"exercise", "make", "--spec", spec, "-o", folder.path("a")});
    CHECK(ran.exit_code == 3);
    CHECK_MESSAGE(has(ran.err, spec + ":2:"), ran.err);
    CHECK_MESSAGE(has(unwrapped(ran.err), "(" + option + ")"), ran.err);
  };
  wrong("\"decimals\": 0", "--precision");
  wrong("\"d_k\": 4", "--any-size");
}

TEST_CASE("exercise: make writes the sheets, the key, the lock and the salt") {
  Class c;
  const Ran ran = c.make();
  CAPTURE(ran.err);
  REQUIRE(ran.exit_code == 0);
  CHECK(ran.err.empty());
  const auto files = files_in(c.path);
  const Words names{"key/answers/%2E.%2Fx.json", "key/answers/müller.json", "key/answers/s001.json",
                    "key/exercise.json",         "key/roster.lock.csv",     "sheets/%2E.%2Fx.csv",
                    "sheets/%2E.%2Fx.json",      "sheets/müller.csv",       "sheets/müller.json",
                    "sheets/s001.csv",           "sheets/s001.json"};
  Words found;
  for (const auto& file : files) found.push_back(file.first);
  CHECK(found == names);
  CHECK(has(ran.out, "Exercise softmax"));
  CHECK(has(ran.out, "3 sheets"));
  CHECK(has(ran.out, "ids from the column \"id\" of " + c.roster));
  CHECK(has(ran.out, "do not show in the blanks"));
  CHECK(has(ran.out, "keep " + c.path + "/key to yourself"));
  CHECK(read_text(c.salt).size() == 65);
}

TEST_CASE("exercise: mistakes that a sheet need not reveal are counted, not named") {
  const TemporaryFolder folder;
  const Ran ran = attn_run({"exercise", "make", "--preset", "causal", "--mistakes", "scale.missing",
                            "-o", folder.path("week")});
  CHECK(ran.exit_code == 0);
  CHECK(has(unwrapped(ran.out), "Grading can name 1 mistake: scale.missing."));
  CHECK(has(unwrapped(ran.out), " that the sheets need not reveal."));
}

TEST_CASE("exercise: the error about a missing salt says what a salt is and how to make one") {
  const Class room;
  const Ran ran = attn_run({"exercise", "make", "--preset", "self", "--roster", room.roster,
                            "--salt-file", room.salt, "-o", room.path});
  CHECK(ran.exit_code == 4);
  CHECK(has(unwrapped(ran.err), ": No such file"));
  CHECK(
      has(unwrapped(ran.err), "The salt is the secret from which the sheets of a class are made."));
  CHECK(has(unwrapped(ran.err), "--new-salt " + room.salt + "."));
}

TEST_CASE("exercise: a roster whose first line looks like a student gets a note") {
  Class c;
  write(c.roster, "s001,Ann\ns002,Bo\n");
  CHECK(has(unwrapped(c.make().err),
            "names its columns, so \"s001\" is not counted as a student; if it is one"));
  const Words check{"check", c.path + "/key/answers", "--key", c.path, "--roster", c.roster};
  CHECK(has(unwrapped(attn_run(check).err), "so \"s001\" is not counted as a student"));
  write(c.roster, "id,name\ns001,Ann\n");
  CHECK(!has(unwrapped(attn_run(check).err), "not counted as a student"));
}

TEST_CASE("exercise: a sheet holds no answer, no seed and no salt") {
  Class c;
  REQUIRE(c.make().exit_code == 0);
  const std::string salt = read_text(c.salt).substr(0, 64);
  const auto files = files_in(c.path);
  const attn::ExerciseKey key = attn::parse_exercise_key(files.at("key/exercise.json"), "");
  CHECK(key.salt == salt);
  CHECK(key.spec.name == "softmax");
  for (const auto& file : files) {
    if (!file.first.starts_with("sheets/")) continue;
    CAPTURE(file.first);
    CHECK(file.second.find(salt) == std::string::npos);
    CHECK(file.second.find("seed") == std::string::npos);
    if (!file.first.ends_with(".json")) continue;
    const attn::SheetFile sheet = attn::parse_sheet(file.second, "");
    CHECK(sheet.seal_fits);
    for (const attn::Answer& answer : sheet.answers.matrices) {
      for (const attn::CellState state : answer.states) CHECK(state != attn::CellState::Filled);
    }
  }
}

TEST_CASE("exercise: whatever tells answers is for its owner alone") {
  Class made;
  REQUIRE(made.make().exit_code == 0);
  const std::string solved = made.path + ".solved.txt", moodle = made.path + ".xml";
  CHECK(attn_run({"exercise", "key", made.path, "--student", "s001", "-o", solved}).exit_code == 0);
  CHECK(attn_run({"exercise", "export", made.path, "--format", "moodle-xml", "-o", moodle})
            .exit_code == 0);
  const fs::perms others = fs::perms::group_all | fs::perms::others_all;
  const auto is_private = [&](const fs::path& path) {
    return (fs::status(path).permissions() & others) == fs::perms::none;
  };
  for (const std::string& path : {made.path + "/key", made.salt, solved, moodle}) {
    CAPTURE(path);
    CHECK(is_private(path));
  }
  for (const auto& entry : fs::recursive_directory_iterator(made.path + "/key")) {
    CAPTURE(entry.path().string());
    if (entry.is_regular_file()) CHECK(is_private(entry.path()));
  }
  CHECK(!is_private(made.path + "/sheets/s001.json"));
  for (const char* end : {".csv", ".html"}) {  // what was filled in comes along
    const std::string answers = made.path + ".solved" + end, blank = made.path + ".blank" + end;
    CHECK(attn_run({"convert", made.path + "/key/answers/s001.json", "-o", answers}).exit_code ==
          0);
    CHECK(attn_run({"convert", made.path + "/sheets/s001.json", "-o", blank}).exit_code == 0);
    CHECK(is_private(answers));
    CHECK(!is_private(blank));
  }
}

TEST_CASE("exercise: of two runs that make the same salt, one fails and leaves the other's") {
  const TemporaryFolder folder;
  const std::string salt = folder.path("salt");
  folder.write("salt", "");  // as if the other run had come first, after this one had looked
  const std::unique_ptr<attn::app::WholeFile> files[] = {
      std::make_unique<attn::app::WholeFile>(salt, attn::app::WholeFile::Kind::Salt)};
  files[0]->write("later");
  files[0]->close();
  CHECK_THROWS_AS(attn::app::put_in_place(files), attn::Error);
  CHECK(read_text(salt).empty());
}

TEST_CASE("exercise: a sheet is not a problem, but has one inside") {
  Class made;
  REQUIRE(made.make().exit_code == 0);
  const std::string sheet = made.path + "/sheets/s001.json";
  const Ran ran = attn_run({"heatmap", sheet});
  CHECK(ran.exit_code == 3);
  CHECK(has(unwrapped(ran.err), "found a worksheet, which has a problem inside"));
  const Ran shown = attn_run({"explain", sheet});  // as it was handed out
  CHECK(shown.exit_code == 0);
  CHECK(has(shown.out, "______"));
  CHECK(has(unwrapped(shown.out), "attn check " + sheet + " says how far you are."));
  CHECK(attn_run({"explain", made.path + "/key/answers/s001.json"}).out.find("______") !=
        std::string::npos);
  CHECK(has(attn_run({"explain", sheet, "--json"}).err, "error[wrong-operand]"));
  CHECK(attn_run({"explain", sheet, "--heads", "2"}).exit_code == 3);
}

TEST_CASE("exercise: the same salt makes the same files, another one makes others") {
  Class c;
  REQUIRE(c.make().exit_code == 0);
  const std::string again = c.folder.path("again"), other = c.folder.path("other");
  const Words args{"exercise", "make",     "--preset", "softmax", "--roster",
                   c.roster,   "--format", "json,csv", "-o"};
  const auto with = [&](const std::string& path, const std::string& salt) {
    Words all = args;
    all.insert(all.end(), {path, "--salt-file", salt});
    return attn_run(all).exit_code;
  };
  CHECK(with(again, c.salt) == 0);
  CHECK(files_in(again) == files_in(c.path));
  const std::string short_salt = c.folder.path("short.txt"), new_salt = c.folder.path("new.txt");
  write(short_salt, "abc\n");
  CHECK(with(other, short_salt) == 3);
  write(new_salt, "0123456789abcdef0123456789\n");
  CHECK(with(other, new_salt) == 0);
  CHECK(files_in(other).at("sheets/s001.json") != files_in(c.path).at("sheets/s001.json"));
}

TEST_CASE("exercise: nothing is written over, and a failure leaves nothing behind") {
  Class c;
  REQUIRE(c.make().exit_code == 0);
  const auto before = files_in(c.path);
  const Ran salt_exists = attn_run({"exercise", "make", "--preset", "softmax", "--new-salt", c.salt,
                                    "-o", c.folder.path("other")});
  CHECK(salt_exists.exit_code == 4);
  CHECK(has(salt_exists.err, "error[file-exists]"));
  CHECK(has(unwrapped(salt_exists.err), "Use it with --salt-file, or choose another name."));
  fs::remove(c.salt);
  const Ran full = c.make();
  CHECK(full.exit_code == 4);
  CHECK(has(full.err, "error[file-exists]"));
  CHECK(files_in(c.path) == before);
  CHECK(!fs::exists(c.salt));
  const std::string nowhere = c.folder.path("new/week2");
  const Ran unwritable = attn_run({"exercise", "make", "--preset", "self", "-o", nowhere,
                                   "--new-salt", c.folder.path("salt") + std::string(300, 'y')});
  CHECK(unwritable.exit_code == 4);
  CHECK(!fs::exists(c.folder.path("new")));
}

TEST_CASE("exercise: the file of an exercise, and what options change") {
  const TemporaryFolder folder;
  const std::string spec = folder.path("spec.json");
  write(spec,
        "{\n  \"preset\": \"softmax\",\n  \"name\": \"week-2\",\n"
        "  \"steps\": {\"scaled_scores\": 0, \"weights\": 4, \"output\": 2.5}\n}\n");
  const Ran ran = attn_run({"exercise", "make", "--spec", spec, "--precision", "2", "--blank-cells",
                            "row", "--seed", "3", "-o", folder.path("a")});
  CAPTURE(ran.err);
  REQUIRE(ran.exit_code == 0);
  CHECK(has(ran.out, "Exercise week-2"));
  CHECK(has(ran.out, "1 sheet · 6.5 points"));
  const attn::SheetFile sheet =
      attn::parse_sheet(read_text(folder.path("a") + "/sheets/sheet.json"), "");
  CHECK(sheet.sheet.decimals == 2);
  CHECK(sheet.sheet.accept_within == 0.02);
  write(spec, "{\n  \"preset\": \"softmax\",\n  \"steps\": {\"weigths\": 4}\n}\n");
  const Ran wrong = attn_run({"exercise", "make", "--spec", spec, "-o", folder.path("b")});
  CHECK(wrong.exit_code == 3);
  CHECK(has(wrong.err, spec + ":3:"));
  CHECK(has(wrong.err, "weigths"));
  write(spec, "{\n  \"preset\": \"softmax\",\n  \"blank\": \"40%\"\n}\n");
  const Ran key = attn_run({"exercise", "make", "--spec", spec, "-o", folder.path("b")});
  CHECK(key.exit_code == 3);
  CHECK(has(unwrapped(key.err), did_you_mean({"blanks"})));
  CHECK(has(key.err, spec + ":3"));
  CHECK(!fs::exists(folder.path("b")));
}

TEST_CASE("exercise: an error about a setting names its option or its place") {
  const TemporaryFolder folder;
  const std::string spec = folder.path("spec.json");
  write(spec, "{\"preset\": \"self\",\n \"mistakes\": [\"scale.mising\"]}");
  const Ran file = attn_run({"exercise", "make", "--spec", spec, "-o", folder.path("a")});
  CHECK(file.exit_code == 3);
  CHECK(has(file.err, spec + ":2:"));
  write(spec, "{\"preset\": \"slef\"}");
  const Ran preset = attn_run({"exercise", "make", "--spec", spec, "-o", folder.path("a")});
  CHECK(preset.exit_code == 3);
  CHECK(has(preset.err, spec + ":1:12"));
  const std::pair<const char*, const char*> sizes[] = {
      {"{\"preset\": \"self\",\n \"tokens\": 100}", ":2:12   /tokens"},
      {"{\"preset\": \"self\",\n \"d_k\": 0}", ":2:9   /d_k"},
      {"{\"preset\": \"cross\",\n \"memory_tokens\": 40}", ":2:19   /memory_tokens"},
      {"{\"preset\": \"self\",\n \"heads\": 4, \"d_k\": 9}", ":2:11   /heads"},
      {"{\"preset\": \"self\",\n \"d_k\": 4}", ":2:9   /d_k"}};
  for (const auto& row : sizes) {
    CAPTURE(row.first);
    write(spec, row.first);
    const Ran size = attn_run({"exercise", "make", "--spec", spec, "-o", folder.path("a")});
    CHECK(size.exit_code == 3);
    CHECK(has(size.err, spec + row.second));
  }
  const Ran option = attn_run({"exercise", "make", "--preset", "self", "--mistakes", "scale.mising",
                               "-o", folder.path("a")});
  CHECK(option.exit_code == 2);
  CHECK(has(option.err, "--mistakes scale.mising"));
  CHECK(has(unwrapped(option.err), did_you_mean({"scale.missing"})));
}

TEST_CASE("exercise: wrong command lines say what to write") {
  const TemporaryFolder folder;
  const std::string o = folder.path("a"), roster = folder.path("roster.csv");
  write(roster, "id\ns1\ns1\n");
  const std::vector<std::pair<Words, std::string>> lines = {
      {{"exercise", "make", "--preset", "self"}, "Write -o DIR"},
      {{"exercise", "make", "-o", o}, "--preset NAME or --spec FILE"},
      {{"exercise", "make", "--preset", "slef", "-o", o}, did_you_mean({"self"})},
      {{"exercise", "make", "--preset", "slef", "-o", o}, "--preset slef"},
      {{"exercise", "make", "--preset", "self", "-o", o, "--precision", "7"}, "1 to 6"},
      {{"exercise", "make", "--preset", "self", "-o", o, "--tokens", "33"}, "1 to 32"},
      {{"exercise", "make", "--preset", "self", "-o", o, "--new-salt", o + "/sheets/salt"},
       "among the sheets"},
      {{"exercise", "make", "--preset", "self", "-o", o, "--roster", roster}, "--new-salt FILE"},
      {{"exercise", "make", "--preset", "self", "-o", o, "--seed", "1", "--salt-file", "x"},
       "each decides the numbers"},
      {{"exercise", "make", "--preset", "self", "-o", o, "--blank-cells", "half"},
       "--blank-cells half"},
      {{"exercise", "make", "--preset", "self", "-o", o, "--format", "jsn"}, "\"jsn\""},
      {{"exercise", "make", "--preset", "find-the-bug", "--format", "csv", "-o", o}, "a table"},
      {{"exercise", "make", "--preset", "find-the-bug", "--blank-cells", "row", "-o", o},
       "Leave out --blank-cells"},
      {{"exercise", "mkae"}, did_you_mean({"make"})},
      {{"exercise", "verify"}, "needs the folder"},
      {{"exercise", "key", o}, "no folder"},
      {{"exercise", "verify", folder.path("")}, "is not an exercise"},
      {{"exercise", "export", o}, "--format moodle-xml"},
      {{"exercize"}, did_you_mean({"exercise"})},
  };
  for (const auto& line : lines) {
    CAPTURE(line.second);
    const Ran ran = attn_run(line.first);
    CAPTURE(ran.err);
    CHECK(ran.exit_code >= 2);
    CHECK(ran.exit_code <= 4);
    CHECK(has(unwrapped(ran.err), line.second));
    CHECK(ran.out.empty());
  }
  const Ran twice = attn_run({"exercise", "make", "--preset", "self", "-o", o, "--roster", roster,
                              "--new-salt", folder.path("salt")});
  CHECK(twice.exit_code == 3);
  CHECK(has(twice.err, "roster.csv:3"));
}

TEST_CASE("exercise: alone it lists its five commands, and two words are one command") {
  const Ran unknown = attn_run({"exercise", "verfy", "week1"});
  CHECK(unknown.exit_code == 2);
  CHECK(
      has(unwrapped(unknown.err), no_such("command", "exercise verfy") + did_you_mean({"verify"})));
  const Ran bare = attn_run({"exercise"});
  CHECK(bare.exit_code == 0);
  for (const char* name : {"make", "verify", "key", "export", "rules"}) {
    CAPTURE(name);
    CHECK(has(bare.out, "\n  " + std::string(name) + " "));
    const std::string page = attn_run({"exercise", name, "--help"}).out;
    CHECK(page.starts_with("attn exercise " + std::string(name) + " - "));
    CHECK(page == attn_run({"help", "exercise", name}).out);
  }
  CHECK(bare.out == attn_run({"exercise", "--help"}).out);
  CHECK(bare.out == attn_run({"help", "exercise"}).out);
}

TEST_CASE("exercise: verify proves the files again, and has a line for each that fails" *
          doctest::test_suite("long")) {
  Class c;
  REQUIRE(c.make().exit_code == 0);
  const Ran good = attn_run({"exercise", "verify", c.path});
  CHECK(good.exit_code == 0);
  CHECK(good.out == "3 sheets: all pass every check\n");
  const std::string sheet = c.path + "/sheets/s001.json", key = c.path + "/key/answers/müller.json";
  const std::string text = read_text(sheet), answers = read_text(key);

  write(sheet, replaced(text, "\"variant\": \"", "\"variant\": \"X"));
  const Ran changed = attn_run({"exercise", "verify", c.path});
  CHECK(changed.exit_code == 1);
  CHECK(has(changed.out, "s001: sheets/s001.json was changed: its seal does not match; "));
  CHECK(has(changed.out, "3 sheets, 1 of which must not be handed out\n"));
  CHECK(lines_of(changed.out).size() == 2);

  write(sheet, answers);  // somebody else's, and solved
  const Ran swapped = attn_run({"exercise", "verify", c.path});
  CHECK(swapped.exit_code == 1);
  CHECK(has(swapped.out, "s001: sheets/s001.json is for the exercise softmax, student \"müller\""));
  CHECK(has(swapped.out, "does not have the givens listed in roster.lock.csv"));

  fs::remove(sheet);
  const Ran gone = attn_run({"exercise", "verify", c.path});
  CHECK(gone.exit_code == 1);
  CHECK(has(gone.out, "s001: " + unreadable(sheet)));
  write(sheet, "{");
  CHECK(has(attn_run({"exercise", "verify", c.path}).out, "s001: sheets/s001.json cannot be read"));

  write(sheet, text);
  write(c.path + "/sheets/notes.txt", "");
  const Ran stranger = attn_run({"exercise", "verify", c.path});
  CHECK(stranger.exit_code == 1);
  CHECK(has(stranger.out, "sheets/notes.txt: belongs to nobody"));
}

TEST_CASE("exercise: verify without the sheets, or after a step was dropped, says that in a line") {
  Class c;
  REQUIRE(c.make().exit_code == 0);
  const std::string key = c.path + "/key/exercise.json", whole = read_text(key);
  write(key, replaced(replaced(whole, "\"weights\": 3", "\"weights\": 0"), "\"output\": 2",
                      "\"output\": 0"));
  const Ran dropped = attn_run({"exercise", "verify", c.path});
  CHECK(dropped.exit_code == 0);  // the sheets that exist are fine
  CHECK(has(dropped.out,
            "key/exercise.json: no sheet would be made of it as it is now: no step has"));
  CHECK(has(dropped.out, "3 sheets in order, but not the exercise as it is now\n"));
  fs::remove_all(c.path + "/sheets");
  const Ran gone = attn_run({"exercise", "verify", c.path});
  CHECK(gone.exit_code == 4);
  CHECK(gone.out.empty());
  CHECK(has(unwrapped(gone.err), no_folder(c.path + "/sheets") + " with the sheets"));
  CHECK(has(unwrapped(gone.err), "Grading needs only the key"));
}

TEST_CASE(
    "exercise: verify demands what every sheet of the class shows, though no mistake is listed") {
  Class c;
  REQUIRE(c.make().exit_code == 0);
  const std::string paths[] = {c.path + "/sheets/s001.json", c.path + "/key/answers/s001.json"};
  const attn::Sheet key = attn::parse_sheet(read_text(paths[1]), "").sheet;
  for (const std::string& path : paths) {  // the output is printed, and the sheet sealed again
    attn::Sheet sheet = attn::parse_sheet(read_text(path), "").sheet;
    sheet.steps.back() = key.steps.back();
    sheet.steps.back().blank.assign(key.steps.back().blank.size(), 0);
    write(path, attn::sheet_json(sheet));
  }
  const Ran ran = attn_run({"exercise", "verify", c.path});
  CHECK(ran.exit_code == 1);
  CHECK(has(ran.out, "s001: " + not_shown("context.weights_transposed")));
  CHECK(has(ran.out, "3 sheets, 1 of which must not be handed out\n"));
}

TEST_CASE("exercise: a long run shows its count on a terminal only, and clears it at the end") {
  Class c;
  attn::app::Terminal terminal = screen(80);
  double clock = 0.0;
  terminal.seconds = [&] { return clock += 0.6; };
  const Ran made = attn_run_on(terminal, {"exercise", "make", "--preset", "softmax", "--roster",
                                          c.roster, "--new-salt", c.salt, "-o", c.path});
  CHECK(has(made.err, "\rmade 3 of 3\r"));
  CHECK(made.err.ends_with("\r           \r"));
  CHECK(has(attn_run_on(terminal, {"exercise", "verify", c.path}).err, "\rproved 2 of 3\r"));
  CHECK(!has(attn_run({"exercise", "verify", c.path}).err, "proved"));
}

TEST_CASE("exercise: verify judges the sheets as they were made, not as grading is now") {
  Class c;
  REQUIRE(c.make().exit_code == 0);
  const std::string path = c.path + "/key/exercise.json", text = read_text(path);
  write(path,
        replaced(replaced(text, "\"decimals\": 3", "\"decimals\": 3, \"accept_within\": 0.02"),
                 "\"weights\": 3", "\"weights\": 4"));
  const Ran ran = attn_run({"exercise", "verify", c.path});
  CHECK(ran.exit_code == 0);
  CHECK(ran.out == "3 sheets: all pass every check\n");
}

TEST_CASE("exercise: --words refuses an empty name") {
  Class c;
  const Ran made = attn_run({"exercise", "make", "--words", "a,,b", "-o", c.path});
  CHECK(made.exit_code == 2);
  CHECK(has(unwrapped(made.err), "--words \"a,,b\" leaves name 2 of 3 empty"));
  CHECK(has(unwrapped(made.err), "Write a name for each token: --words cat,sat."));
  for (const char* words : {"", " ", "a,", ",a", "a, ,b"}) {
    CAPTURE(words);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"exercise", "make", "-o", c.path},
          {"new", "--random"},
          {"explain", "01-one-head"}}) {
      std::vector<std::string> all = command;
      all.insert(all.end(), {"--words", words});
      const Ran ran = attn_run(all);
      CHECK(ran.exit_code == 2);
      CHECK(has(unwrapped(ran.err), "error[option-value]: --words \"" + std::string(words) + "\""));
    }
  }
}

TEST_CASE("exercise: verify says when the tolerance of a sheet is not that of its key") {
  Class c;
  REQUIRE(c.make().exit_code == 0);
  const std::string sheet = c.path + "/sheets/s001.json";
  write(sheet, replaced(read_text(sheet), "\"accept_within\": 0.01", "\"accept_within\": 5"));
  const Ran ran = attn_run({"exercise", "verify", c.path});
  CHECK(ran.exit_code == 1);
  CHECK(has(ran.out, "the sheet accepts ±5, its key ±0.01"));
  CHECK(!has(ran.out, "do not show"));
}

TEST_CASE("exercise: verify finds a key that is wrong and a sheet that another student has, too") {
  Class c;
  REQUIRE(c.make().exit_code == 0);
  const std::string path = c.path + "/key/answers/s001.json";
  attn::SheetFile key = attn::parse_sheet(read_text(path), path);
  for (attn::SheetStep& step : key.sheet.steps) {
    for (std::size_t i = 0; i < step.blank.size(); ++i) {
      if (step.blank[i] != 0) step.numbers[i] += 1.0;
    }
  }
  write(path, attn::sheet_json(key.sheet));
  const Ran wrong = attn_run({"exercise", "verify", c.path});
  CHECK(wrong.exit_code == 1);
  CHECK(wrong.out.starts_with("s001: "));
  const std::string lock = c.path + "/key/roster.lock.csv";
  const std::string text = read_text(lock);
  std::vector<attn::LockedVariant> rows = attn::parse_lock(text, lock);
  rows[1].variant = rows[0].variant;
  write(lock, attn::lock_csv(rows));
  CHECK(has(attn_run({"exercise", "verify", c.path}).out, "the same sheet as \"s001\""));
}

TEST_CASE("exercise: the key shows the solved sheet, every matrix on the way") {
  Class c;
  REQUIRE(c.make().exit_code == 0);
  const Ran ran = attn_run({"exercise", "key", c.path, "--student", "../x"});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "student ../x, variant "));
  CHECK(has(ran.out, "A = softmax("));
  const auto lock = attn::parse_lock(read_text(c.path + "/key/roster.lock.csv"), "");
  CHECK(attn_run({"exercise", "key", c.path, "--variant", lock[1].variant}).out == ran.out);
  CHECK(has(attn_run({"exercise", "key", c.path, "--student", "s001", "--json"}).out,
            "\"format\": \"attn.trace\""));
  const Ran unknown = attn_run({"exercise", "key", c.path, "--student", "s01"});
  CHECK(unknown.exit_code == 2);
  CHECK(has(unknown.err, did_you_mean({"s001"})));
  CHECK(has(attn_run({"exercise", "key", c.path}).err, "--student s001"));
}

TEST_CASE("exercise: a single sheet is nobody's, and its empty name is not suggested") {
  const TemporaryFolder folder;
  const std::string path = folder.path("one");
  REQUIRE(attn_run({"exercise", "make", "--preset", "softmax", "-o", path}).exit_code == 0);
  const Ran ran = attn_run({"exercise", "key", path, "--student", "x"});
  CHECK(ran.exit_code == 2);
  CHECK(has(ran.err, "this exercise has no student \"x\"\n"));
  CHECK(attn_run({"exercise", "verify", path}).out == "1 sheet: it passes every check\n");
  const std::string sheet = path + "/sheets/sheet.json";
  write(sheet, replaced(read_text(sheet), "\"variant\": \"", "\"variant\": \"X"));
  CHECK(has(attn_run({"exercise", "verify", path}).out, "1 sheet, which must not be handed out\n"));
}

TEST_CASE("exercise: find the bug has its answer in the key only") {
  const TemporaryFolder folder;
  const std::string path = folder.path("bug");
  REQUIRE(attn_run({"exercise", "make", "--preset", "find-the-bug", "-o", path}).exit_code == 0);
  const Ran again =
      attn_run({"exercise", "make", "--preset", "find-the-bug", "-o", folder.path("again")});
  CHECK(has(unwrapped(again.out), "Each sheet is worked with one mistake built in: "));
  for (const char* words : {"blank", "0 mistakes", "points  "}) CHECK(!has(again.out, words));
  const attn::SheetFile sheet = attn::parse_sheet(read_text(path + "/sheets/sheet.json"), "");
  const attn::SheetFile key = attn::parse_sheet(read_text(path + "/key/answers/sheet.json"), "");
  REQUIRE(sheet.sheet.bug);
  CHECK(!sheet.sheet.bug->code);
  REQUIRE(key.sheet.bug);
  REQUIRE(key.sheet.bug->code);
  CHECK(has(attn_run({"exercise", "key", path}).out, *key.sheet.bug->code));
  CHECK(attn_run({"exercise", "verify", path}).exit_code == 0);
  const std::string moodle = attn_run({"exercise", "export", path, "--format", "moodle-xml"}).out;
  CHECK(has(moodle, "=" + std::string(attn::find_mistake(*key.sheet.bug->code)->title) + " (" +
                        *key.sheet.bug->code + ")"));
  CHECK(has(moodle, "One step is wrong, and those after it follow from it."));
  CHECK(has(moodle, "Q and K are left out; each has 3 columns."));  // √d_k can be judged
}

TEST_CASE("exercise: rules lists every mistake with its words") {
  const std::string text = attn_run({"exercise", "rules"}).out;
  const std::string json = attn_run({"exercise", "rules", "--json"}).out;
  CHECK(json.starts_with("[\n  {\n    \"code\": \"scale.missing\",\n    \"title\": "));
  for (const attn::Mistake& mistake : attn::mistakes()) {
    CAPTURE(mistake.code);
    CHECK(has(text, std::string(mistake.code) + ": " + mistake.title + ". " + mistake.explanation));
    for (const char* words :
         {mistake.code, mistake.title, mistake.explanation, mistake.hint, mistake.see})
      CHECK(has(json, ": " + attn::json::quoted(words)));
    CHECK(has(text, "    hint            " + std::string(mistake.hint)));
  }
  for (const std::string& line : lines_of(text)) CHECK(!line.ends_with("hint"));
}

TEST_CASE("exercise: questions for platforms have the points that the exercise has now") {
  const TemporaryFolder folder;
  const std::string path = folder.path("week"), exercise = path + "/key/exercise.json";
  REQUIRE(attn_run({"exercise", "make", "--preset", "self", "-o", path}).exit_code == 0);
  const auto moodle = [&] {
    return attn_run({"exercise", "export", path, "--format", "moodle-xml"}).out;
  };
  const std::string before = moodle();
  std::string text = read_text(exercise);
  const std::string scores = "\"scores\": 2";
  REQUIRE(has(text, scores));
  text.replace(text.find(scores), scores.size(), "\"scores\": 0");
  std::ofstream(exercise) << text;
  const auto left_out = count_of(before, ":NUMERICAL:") - count_of(moodle(), ":NUMERICAL:");
  const attn::Sheet sheet = attn::parse_sheet(read_text(path + "/sheets/sheet.json"), "").sheet;
  const auto& step = *std::find_if(sheet.steps.begin(), sheet.steps.end(),
                                   [](const auto& each) { return each.id == "scores"; });
  CHECK(left_out == std::count(step.blank.begin(), step.blank.end(), 1));
}

TEST_CASE("exercise: export and key write nothing into the exercise") {
  Class c;
  REQUIRE(c.make().exit_code == 0);
  const auto before = files_in(c.path);
  for (const Words& args :
       {Words{"export", c.path, "--format", "moodle-xml", "-o", c.path + "/key/exercise.json"},
        {"key", c.path, "--student", "s001", "-o", c.path + "/key/answers/s001.json"}}) {
    Words all{"exercise"};
    all.insert(all.end(), args.begin(), args.end());
    const Ran ran = attn_run(all);
    CHECK(ran.exit_code == 2);
    CHECK(has(ran.err, "error[same-file]"));
  }
  CHECK(files_in(c.path) == before);
}
