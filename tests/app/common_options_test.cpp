// What every command takes: before its name or after it, with the same meaning everywhere.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>

#include "attn/error.hpp"
#include "commands.hpp"
#include "platform/whole_file.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

Words joined(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

TEST_CASE("common options: before the command and after it they give the same bytes") {
  const Words commands[] = {{"explain", "--mask", "causal"},
                            {"explain", "--cell", "weights:1,0"},
                            {"new", "--list"},
                            {"schema", "trace"},
                            {"help", "masks"},
                            {"help"},
                            {"convert", "-o", "-"}};
  const Words options[] = {{"--ascii", "--width", "60"}, {"--width=60"}, {"--color", "never"},
                           {"--no-color", "--quiet"},    {"-o", "-"},    {"--color=always"}};
  for (const Words& command : commands) {
    for (const Words& option : options) {
      CAPTURE(command.front());
      CAPTURE(option.front());
      const Ran before = attn_run(joined(option, command));
      const Ran after = attn_run(joined(command, option));
      CHECK(before.exit_code == 0);
      CHECK(first_difference(before.out, after.out) == "");
      CHECK(before.err == after.err);
      CHECK(!before.out.empty());
    }
  }
  CHECK(attn_run({"--json", "--mask", "causal", "explain"}).out ==
        attn_run({"explain", "--mask", "causal", "--json"}).out);
  CHECK(attn_run({"--precision", "1", "explain"}).out !=
        attn_run({"--precision", "2", "explain"}).out);
}

TEST_CASE("common options: every command has them, and a name takes a value in all or in none") {
  std::map<std::string, bool> takes_value;
  for (const attn::app::CommandRow& row : attn::app::commands()) {
    attn::app::CommonOptions common;
    Words names;
    for (const attn::app::OptionRow& option : attn::app::make_command(row, common).options) {
      for (const std::string& name : names_of(option)) {
        CAPTURE(name);
        CHECK(std::count(names.begin(), names.end(), name) == 0);
        names.push_back(name);
        const bool value = !option.value.empty();
        if (name == "--summary") continue;  // a switch of explain, a file of check
        CHECK(takes_value.try_emplace(name, value).first->second == value);
      }
    }
    for (const char* name :
         {"-o", "--output", "--color", "--no-color", "--ascii", "--width", "--quiet"}) {
      CAPTURE(std::string(row.name) + " " + name);
      CHECK(std::count(names.begin(), names.end(), name) == 1);
    }
  }
}

TEST_CASE("common options: alone they say how the help looks") {
  CHECK(attn_run({"--width", "79", "--quiet"}).out == attn_run({}).out);
  const TemporaryFolder folder;
  const std::string path = folder.path("masks.txt");
  CHECK(attn_run({"help", "masks", "-o", path, "--ascii"}).out.empty());
  CHECK(has(read_text(path), "  0  1  .  .  .  .   0  1  .  .  .  ."));
  CHECK(attn_run({"--width", "x"}).exit_code == 2);
  const Ran ran = attn_run({"--mask", "causal"});
  CHECK(ran.exit_code == 2);
  CHECK(first_difference(ran.err,
                         R"(error[missing-command]: there is no command before the option "--mask"
  fix   Name one first: attn explain --mask …
  more  attn --help
)") == "");
}

TEST_CASE("common options: messages about the rest of the line obey them") {
  for (const Words& args : {Words{"--ascii", "--mask", "causal"}, {"--mask", "x", "--ascii"}}) {
    for (const char c : attn_run(args).err) REQUIRE(static_cast<unsigned char>(c) < 128);
  }
  CHECK(has(attn_run({"explain", "--msk", "--color", "always"}).err, "\x1b["));
  CHECK(!has(attn_run({"explain", "--msk"}).err, "\x1b["));
}

TEST_CASE("common options: a bad value hides no other option from the message about it") {
  const Words wrong[] = {{"explain", "--color", "foo", "--error-format", "json"},
                         {"explain", "--width", "x", "--error-format=json"},
                         {"explain", "--error-format", "json", "-o"},
                         {"explain", "--width", "--error-format", "json"},
                         {"explain", "-o", "", "--error-format", "json"}};
  for (const Words& args : wrong) {
    CAPTURE(args[1]);
    CHECK(attn_run(args).err.starts_with("{\"errors\": [{\"id\": "));
  }
  CHECK(has(attn_run({"-o", "help", "explain", "--sci=2"}).err, "more  attn explain --help"));
}

TEST_CASE("options: of two for appearance, the last on the command line counts") {
  const auto same = [](const Words& both, const Words& last) {
    CAPTURE(both.front());
    const Words look{"explain", "--steps", "q", "--only"};
    CHECK(attn_run(joined(look, both)).exit_code == 0);
    CHECK(attn_run(joined(look, both)).out == attn_run(joined(look, last)).out);
    CHECK(attn_run(joined(both, look)).out == attn_run(joined(look, last)).out);
  };
  same({"--no-color", "--color", "always"}, {"--color", "always"});
  same({"--color", "always", "--no-color"}, {"--no-color"});
  same({"--precision", "1", "--precision=4"}, {"--precision", "4"});
  CHECK(attn_run({"explain", "--color", "always"}).out != attn_run({"explain"}).out);
}

TEST_CASE("common options: --help and --version win over every other word") {
  const std::string page = attn_run({"help", "explain"}).out;
  CHECK(attn_run({"--help", "explain"}).out == page);
  CHECK(attn_run({"--no-such", "--width", "90", "explain", "--help"}).out == page);
  CHECK(attn_run({"--sample", "help", "explain", "--help"}).out == page);
  CHECK(attn_run({"--sample=help", "--mask", "help", "explain", "--help"}).out == page);
  const TemporaryFolder folder;
  {
    const WorkingFolder inside(folder.path(""));
    CHECK(attn_run({"-o", "help", "explain", "--help"}).exit_code == 0);
  }
  CHECK(read_text(folder.path("help")) == page);
  CHECK(attn_run({"explain", "--mask", "--help", "a", "b"}).out == page);
  CHECK(attn_run({"explian", "--help"}).out == attn_run({"--help"}).out);
  CHECK(attn_run({"--help"}).out == attn_run({"help"}).out);
  CHECK(attn_run({"--ascii", "--version"}).out == attn_run({"--version"}).out);
  CHECK(attn_run({"explain", "--", "--help"}).exit_code == 4);
}

TEST_CASE("options: a missing value, or one too many, is reported") {
  const auto first_line = [](const Words& args) {
    const Ran ran = attn_run(args);
    CHECK(ran.exit_code == 2);
    CHECK(ran.out.empty());
    return ran.err.substr(0, ran.err.find('\n'));
  };
  const std::string mask = "error[missing-value]: --mask needs a value: --mask SPEC";
  CHECK(first_line({"explain", "--mask"}) == mask);
  CHECK(first_line({"explain", "--mask", "--heads", "2"}) == mask);
  CHECK(first_line({"explain", "--mask=", "--heads", "2"}) == mask);
  CHECK(first_line({"explain", "--ascii=false"}) == "error[option-value]: --ascii takes no value");
  CHECK(first_line({"-o"}) == "error[missing-value]: --output needs a value: --output FILE");
  CHECK(first_line({"explain", "--mask=--heads"}) ==
        "error[mask-unknown]: " + no_such("mask", "--heads"));
}

TEST_CASE("files: what was written is reported with its size, unless --quiet") {
  const TemporaryFolder folder;
  const std::string path = folder.path("trace.json");
  const Ran ran = attn_run({"explain", "-o", path});
  const std::size_t tenths = read_text(path).size() / 100;
  CHECK(ran.err == "wrote " + path + ", " + std::to_string(tenths / 10) + "." +
                       std::to_string(tenths % 10) + " kB\n");
  CHECK(attn_run({"explain", "-o", path, "--quiet"}).err.empty());
  const std::string small = folder.path("x.txt");
  const std::string said = attn_run({"--version", "-o", small}).err;
  CHECK(said == "wrote " + small + ", " + std::to_string(read_text(small).size()) + " bytes\n");
  CHECK(attn_run({"explain", "-o", "/dev/null"}).err.empty());
  CHECK(attn_run({"explain", "-o", folder.path("no/x.txt")}).err.rfind("error[cannot-write]", 0) ==
        0);
}

TEST_CASE("files: a read-only file is not replaced, and the longest names work") {
  const TemporaryFolder folder;
  const std::string old = folder.write("old.txt", "old");
  std::filesystem::permissions(old, std::filesystem::perms::owner_read);
  const Ran ran = attn_run({"explain", "-o", old});
  CHECK(ran.exit_code == 4);
  CHECK(has(unwrapped(ran.err), "is read-only"));
  CHECK(has(unwrapped(ran.err), "chmod u+w"));
  CHECK(read_text(old) == "old");
  const std::string longest = folder.path(std::string(251, 'x') + ".md");
  CHECK(attn_run({"explain", "-o", longest}).exit_code == 0);
  CHECK(!read_text(longest).empty());
}

TEST_CASE("files: when one cannot take its place, those that already did are taken back") {
  const TemporaryFolder folder;
  const std::string old = folder.write("old.txt", "old"), fresh = folder.path("fresh.txt"),
                    folder_now = folder.path("later");
  std::vector<std::unique_ptr<attn::app::WholeFile>> files;
  for (const std::string& path : {old, fresh, folder_now}) {
    files.push_back(
        std::make_unique<attn::app::WholeFile>(path, attn::app::WholeFile::Kind::Usual));
    files.back()->write("new");
    files.back()->close();
  }
  std::filesystem::create_directory(folder_now);  // meanwhile: a file cannot replace it
  CHECK_THROWS_AS(attn::app::put_in_place(files), attn::Error);
  files.clear();
  CHECK(read_text(old) == "old");
  CHECK(!std::filesystem::exists(fresh));
  std::size_t left = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("")))
    left += entry.path() != old && entry.path() != folder_now;
  CHECK(left == 0);
}

TEST_CASE("files: when one of several cannot be written, none is replaced and nothing is printed") {
  const TemporaryFolder folder;
  const std::string old = folder.write("old.txt", "old"), nowhere = folder.path("no/x.txt");
  for (const char* command : {"explain", "heatmap"}) {
    CHECK(attn_run({command, "-o", old, "--also", nowhere}).exit_code == 4);
    CHECK(read_text(old) == "old");
    const Ran ran = attn_run({command, "--also", nowhere});
    CHECK(ran.exit_code == 4);
    CHECK(ran.out.empty());
    const Ran both = attn_run({command, "--also", folder.path("new.txt")});
    CHECK(both.out == read_text(folder.path("new.txt")));
    std::filesystem::remove(folder.path("new.txt"));
  }
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path("")), {}) == 1);
}

TEST_CASE("--version: the first line is attn's, the others say what it was built with") {
  const std::string text = attn_run({"--version"}).out;
  CHECK(std::regex_match(
      text, std::regex("attn \\d+\\.\\d+\\.\\d+\n([A-Za-z+0-9 ]+ \\d+(\\.\\d+)*\n)+")));
  for (const char* name : {"\nEigen 3.", "\nJSON for Modern C++ 3.", "\nCLI11 2.", "\nUnicode 1"}) {
    CAPTURE(std::string(name));
    CHECK(has(text, name));
  }
}
