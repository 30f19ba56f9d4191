// The pages of help: they fit a terminal, their examples run, and no command or option is missing.
#include "help/help.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "attn/core/version.hpp"
#include "attn/render/text.hpp"
#include "commands.hpp"
#include "help/error_pages.hpp"
#include "support/files.hpp"
#include "support/program.hpp"
#include "support/shell_words.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

/// Bare `attn` and every page of `attn help`.
std::vector<std::pair<std::string, std::string>> pages() {
  std::vector<std::pair<std::string, std::string>> all{{"attn", attn_run({}).out}};
  for (const std::string& name : attn::app::page_names()) {
    const Ran ran = attn_run({"help", name});
    CHECK(ran.exit_code == 0);
    all.emplace_back(name, ran.out);
  }
  return all;
}

/// The commands that a page shows as examples, without those that need a published model.
std::vector<std::string> examples_on(const std::string& page) {
  static const std::regex kPublished(" (gpt2|Llama|model\\.safetensors)\\b");
  std::vector<std::string> commands;
  for (const std::string& line : lines_of(page)) {
    if (std::regex_search(line, kPublished)) continue;
    if (line.rfind("  attn ", 0) == 0) commands.push_back(line.substr(2, line.find("  ", 7) - 2));
  }
  return commands;
}

/// What a page has as code or as commands, which readers copy.
std::set<std::string> typed_on(const attn::Document& page) {
  std::set<std::string> typed;
  for (const attn::Block& block : page.blocks) {
    if (const auto* code = std::get_if<attn::Code>(&block))
      typed.insert(code->lines.begin(), code->lines.end());
    const auto* table = std::get_if<attn::Table>(&block);
    if (table == nullptr || !table->commands) continue;
    for (const auto& row : table->rows) typed.insert(row.front());
  }
  return typed;
}

}  // namespace

TEST_CASE("help: README, packages, help and manual say in the same words what attn is") {
  const std::string purpose = attn::purpose(),
                    sentence = "See" + purpose.substr(3) + ": every matrix";
  CHECK(attn_run({}).out.starts_with("attn - " + purpose + "\n"));
  const std::string man = attn_run({"man"}).out;
  CHECK(has(man, "\nattn \\- " + purpose + "\n"));
  CHECK(has(std::regex_replace(man, std::regex(R"(\\-)"), "-"), "\n" + attn::description() + "\n"));
  const fs::path root(source_dir());
  const std::string readme = read_text(root / "README.md");
  CHECK(readme.starts_with("# attn\n\n" + sentence));
  CHECK(has(
      std::regex_replace(std::regex_replace(readme, std::regex("\n"), " "), std::regex("`"), ""),
      " " + attn::description() + " "));
  CHECK(read_text(root / "app/web/npm/README.md").starts_with("# attn\n\n" + sentence));
}

TEST_CASE("help: the manual has the exit codes of docs/errors.md") {
  const auto codes = attn::app::exit_codes();
  REQUIRE(codes.size() == 6);
  const std::string man = attn_run({"man"}).out;
  for (const auto& row : codes) CHECK(has(man, "\n.TP\n" + row[0] + "\n" + row[1].substr(0, 20)));
}

TEST_CASE("help: every page keeps to 79 columns, without spaces at the ends of lines") {
  for (const auto& page : pages()) {
    CAPTURE(page.first);
    CHECK(page.second.ends_with("\n"));
    CHECK(!page.second.ends_with("\n\n"));
    for (const std::string& line : lines_of(page.second)) {
      CAPTURE(line);
      CHECK(attn::display_width(line) <= 79);
      CHECK((line.empty() || line.back() != ' '));
    }
  }
}

TEST_CASE("help: every example on every page runs, one after the other" *
          doctest::test_suite("long")) {
  const TemporaryFolder folder;
  std::map<std::string, fs::path> exercises;  // by the commands so far, which make the same files
  int count = 0;
  for (const auto& page : pages()) {
    fs::create_directory(folder.path(page.first));
    const WorkingFolder inside(folder.path(page.first));
    std::string made;
    for (const std::string& example : examples_on(page.second)) {
      std::vector<std::string> args = shell_words(example);
      args.erase(args.begin());
      if (args[0] == "exercise" && args.size() > 2) {
        const bool makes = args[1] == "make";
        if (makes) made = example;
        const auto [before, is_new] =
            exercises.try_emplace(made + "; " + example, fs::absolute(args.back()));
        if (!is_new && makes) fs::copy(before->second, args.back(), fs::copy_options::recursive);
        if (!is_new) continue;
      }
      const Ran ran = attn_run(args);
      CAPTURE(page.first);
      CAPTURE(example);
      CAPTURE(ran.err);
      CHECK(ran.exit_code == 0);
      ++count;
    }
  }
  CHECK(count > 30);
}

TEST_CASE("help: attn alone is short, attn --help has everything, a command has its options") {
  const std::string bare = attn_run({}).out;
  const std::string all = attn_run({"--help"}).out;
  CHECK(lines_of(bare).size() <= 20);
  CHECK(has(bare, "attn --help"));
  CHECK(has(bare, "\n  attn lesson "));
  for (const attn::app::CommandRow& row : attn::app::commands()) {
    CAPTURE(row.name);
    const std::string name = row.name;
    if (const std::size_t space = name.find(' '); space != name.npos) {
      CHECK(has(attn_run({"help", name.substr(0, space)}).out,
                "\n  " + name.substr(space + 1) + " "));
      CHECK(attn_run({name.substr(0, space), name.substr(space + 1), "--help"}).out ==
            attn_run({"help", name.substr(0, space), name.substr(space + 1)}).out);
    } else {
      CHECK(has(bare, " " + name));
      CHECK(has(all, "  " + attn::pad_right(name, 15) + row.summary + "\n"));
    }
    const std::string page = attn_run({row.name, "--help"}).out;
    CHECK(page == attn_run({"help", row.name}).out);
    if (std::string(row.name) == "help") continue;
    CHECK(lines_of(page).at(2) == "Examples:");
    attn::app::CommonOptions common;
    for (const attn::app::OptionRow& option : attn::app::make_command(row, common).options) {
      for (const std::string& each : names_of(option)) {
        CAPTURE(each);
        const bool setting = option.group == attn::app::Group::Setting;
        const bool named = std::regex_search(
            page, std::regex("[ (]" + (setting ? each.substr(2) : each) + "([ ,.:)]|$)",
                             std::regex::multiline));
        CHECK(named == (option.group != attn::app::Group::Unlisted));
      }
      using attn::app::Group;
      if (option.group == Group::Unlisted || option.group == Group::Setting) continue;
      for (const std::string& word : option.choices) CHECK(has(page, word));
    }
  }
}

TEST_CASE("help: no command has more than 40 options of its own, check not more than 30") {
  attn::app::CommonOptions common;
  for (const attn::app::Command& command : attn::app::every_command(common)) {
    CAPTURE(command.name);
    std::size_t own = 0, lines = 0;
    for (const attn::app::OptionRow& option : command.options)
      own += option.group < attn::app::Group::Common ? 1 : 0;
    for (const std::string& line : lines_of(attn_run({"help", command.name}).out))
      lines += std::regex_search(line, std::regex("^  (-.|  ),? +--[a-z]|^      --[a-z]")) ? 1 : 0;
    CHECK(own <= (command.name == "check" ? 30 : 40));
    if (command.name != "help") CHECK(lines == own + 10);  // with every command
  }
}

TEST_CASE("help: -h of a command fits 24 lines: usage, three examples at most, a dozen options") {
  for (const attn::app::CommandRow& row : attn::app::commands()) {
    if (std::string(row.name) == "help") continue;
    CAPTURE(row.name);
    const std::string page = attn_run({row.name, "-h"}).out;
    CAPTURE(page);
    CHECK(lines_of(page).size() <= 24);
    CHECK(has(page, "Usage: attn " + std::string(row.name)));
    CHECK(has(page, "attn " + std::string(row.name) + " --help shows all options"));
    CHECK(has(page, "--output"));
    attn::app::CommonOptions common;
    const attn::app::Command command = attn::app::make_command(row, common);
    std::vector<std::string> first;
    for (const attn::app::Example& each : command.examples) {
      if (first.size() < 3) first.push_back(each.command);
    }
    CHECK(!first.empty());
    CHECK(examples_on(page) == first);
    CHECK(command.usual.size() <= 12);
    for (const std::string& name : command.usual) CHECK(has(page, name + " "));
    CHECK(attn_run({"--width", "70", "-h", "--no-such", row.name}).exit_code == 0);
    CHECK(attn_run({row.name, "-h", "--help"}).out == attn_run({"help", row.name}).out);
  }
  CHECK(attn_run({"-h"}).out == attn_run({}).out);
}

TEST_CASE(
    "help: pages follow widths below 80, with every word; only what is typed is never broken" *
    doctest::test_suite("long")) {
  const auto words_in = [](const std::string& text) {
    std::istringstream in(text);
    return std::set<std::string>(std::istream_iterator<std::string>(in), {});
  };
  for (const std::string& name : attn::app::page_names()) {
    CAPTURE(name);
    const std::set<std::string> typed = typed_on(attn::app::help_on(name));
    const std::string page = attn_run({"help", name}).out;
    for (const std::ptrdiff_t width : {40, 60, 80}) {
      const std::string narrow = attn_run({"help", name, "--width", std::to_string(width)}).out;
      for (const std::string& line : lines_of(narrow)) {
        CAPTURE(line);
        CHECK((attn::display_width(line) < width || typed.contains(line.substr(2))));
      }
      const std::set<std::string> all = words_in(page), found = words_in(narrow);
      for (std::string word : all) {
        CAPTURE(word);
        const bool other = found.contains(word + ",") || found.contains(word + ";") ||
                           found.contains(word + ":");  // rows that became sentences
        CHECK((found.contains(word) || other));
      }
      if (width == 40) CHECK(attn_run_on(screen(40), {"help", name}).out == narrow);
    }
    CHECK(attn_run({"help", name, "--width", "200"}).out == page);
  }
}

TEST_CASE("help: at 60 columns the lists of commands, lessons and options fit, whole words only") {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {}, {"help"}, {"lesson"}, {"explain", "--help"}, {"compare", "-h"}}) {
    const std::string text = attn_run_on(screen(60), args).out, wide = attn_run(args).out;
    for (const std::string& line : lines_of(text)) {
      const bool fits = attn::display_width(line) < 60 || line.starts_with("  attn ");
      CHECK_MESSAGE(fits, line);  // what is to be typed is never broken
    }
    const auto words_in = [](const std::string& all) {
      std::istringstream in(all);
      return std::multiset<std::string>(std::istream_iterator<std::string>(in), {});
    };
    CHECK(words_in(text) == words_in(wide));
  }
}

TEST_CASE("help: on narrow screens the last column of a table comes below the others") {
  CHECK(has(attn_run({"help", "masks", "--width", "30"}).out, R"(
  window:LEFT[,RIGHT]
      )"));
  CHECK(has(attn_run({"help", "model-steps", "--width", "50"}).out, R"(
  embedding_sum          X_sum
      all embeddings of a token, added
)"));
  CHECK(has(attn_run({"help", "kinds", "--width", "40"}).out, R"(
  cross; Q from: X; K and V from: the
      memory; hidden: padding; heads: 1
)"));
}

TEST_CASE("help: colours make headings bold, and change no letter") {
  const std::string plain = attn_run({"help", "why"}).out;
  std::string coloured = attn_run({"help", "why", "--color", "always"}).out;
  CHECK(has(coloured, "\x1b[1mWhy several heads?"));
  coloured = std::regex_replace(coloured, std::regex("\x1b\\[[0-9;]*m"), "");
  CHECK(first_difference(plain, coloured) == "");
}

TEST_CASE("manual: ENVIRONMENT lists exactly what the program asks the environment for") {
  const std::string man = attn_run({"man"}).out;
  const std::size_t begin = man.find(".SH ENVIRONMENT");
  const std::string section = man.substr(begin, man.find(".SH", begin + 3) - begin);
  const auto found = [](const std::string& text, const std::regex& pattern) {
    std::set<std::string> names;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
      names.insert((*at)[1]);
    return names;
  };
  std::string asked;
  for (const char* file : {"/app/terminal.cpp", "/app/platform/posix/screen.cpp"})
    asked += read_text(attn::testing::source_dir() + file);
  const std::set<std::string> names = found(asked, std::regex("\"([A-Z_]{4,})\""));
  CHECK(names.size() >= 10);
  CHECK(names == found(section, std::regex("fB([A-Z_]{4,})")));
  CHECK(names == found(attn_run({"help", "colors"}).out, std::regex("\n  ([A-Z_]{4,}) ")));
  for (const char* folder : {"app", "lib"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(attn::testing::source_dir()) / folder)) {
      if (!entry.is_regular_file() || entry.path().filename() == "environment.cpp") continue;
      CAPTURE(entry.path().string());
      CHECK(!has(read_text(entry.path().string()), "getenv("));
    }
  }
}
