// Everything that students get back is in the catalogues.
// An exercise in a language without letters shows it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "attn/io/sheet_file.hpp"
#include "attn/io/zip_file.hpp"
#include "attn/language.hpp"
#include "attn/teach/mistakes.hpp"
#include "attn/trace.hpp"
#include "support/program.hpp"
#include "support/silence.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr int kSilentStudents = 24;

std::string student(int n) { return (n < 10 ? "s00" : "s0") + std::to_string(n); }

/// `text` with `now` in place of the first `before` after `from`.
std::string changed(std::string text, const std::string& from, const std::string& before,
                    const std::string& now) {
  const std::size_t at = text.find(before, text.find(from));
  if (at != text.npos) text.replace(at, before.size(), now);
  return text;
}

/// A class that hands in what classes hand in.
struct SilentClass {
  TemporaryFolder folder;
  std::string preset;

  explicit SilentClass(std::string name) : preset(std::move(name)) {
    std::string roster = "id\n";
    for (int n = 1; n <= kSilentStudents; ++n) roster += student(n) + "\n";
    const Ran made = attn_run({"exercise", "make", "--preset", preset, "--salt-file",
                               folder.write("salt", "a salt that is long enough"), "--roster",
                               folder.write("roster.csv", roster), "-o", folder.path("week")});
    CAPTURE(made.err);
    REQUIRE(made.exit_code == 0);
    std::filesystem::create_directory(folder.path("in"));
    const std::string empty = sheet(7), numbers = "\"answers\": {";
    const std::string asked = preset == "find-the-bug" ? "\"bug\": {" : numbers;
    hand_in(1, solved(1));
    hand_in(2, filled_in(2, [](std::size_t, double) { return 0.0; }));
    hand_in(3, filled_in(3, [](std::size_t i, double x) { return i % 2 == 0 ? NAN : x; }));
    hand_in(4, "I lost my sheet");
    hand_in(5, changed(solved(5), "", "\"" + preset + "\"", "\"other\""));
    hand_in(6, solved(1));
    hand_in(7, changed(changed(empty, asked, "null", "\"o.5\""), asked, "null", "3,5"));
    hand_in(8, changed(solved(8), numbers, ", ", " "));
    hand_in(9, "");
    hand_in(10, filled_in(10, [](std::size_t i, double x) { return i % 3 == 0 ? -x : 10.0 * x; }));
    hand_in(11, changed(solved(11), numbers, "]", ""));
    std::filesystem::create_directory(folder.path("in/s012"));
    folder.write("in/s012/one.json", solved(12));
    folder.write("in/s012/two.json", sheet(12));
    folder.write("in/s013.jpg", "x");
    folder.write("in/s014.zip", "PK\x03\x04 cut off");
    folder.write("in/s015.zip", zipped("more.zip", zipped("s015.json", solved(15))));
    folder.write("in/s016.zip", zipped("../s016.json", solved(16)));
    folder.write("in/s017.zip", zipped("s017.json", std::string(std::size_t{17} << 20, ' ')));
    folder.write("in/s018.zip", zipped("__MACOSX/x", "x"));
    folder.write("in/s019.zip", "no archive");
    folder.write("in/s020.zip", zipped("a\nb", "x"));
    folder.write("in/s021.zip", write_zip(std::vector<FileToZip>(1001, {"s021.json", "x"})));
    folder.write("in/s022.json", std::string(std::size_t{17} << 20, ' '));
    std::string damaged = zipped("s023.json", solved(13)), locked = damaged;
    damaged[damaged.find("decimals")] = 'x';
    folder.write("in/s023.zip", damaged);
    locked[locked.rfind("PK\x01\x02") + 8] = 1;
    folder.write("in/s024.zip", locked);
  }

  std::string sheet(int n) const {
    return read_text(folder.path("week/sheets/" + student(n) + ".json"));
  }
  std::string solved(int n) const {
    return read_text(folder.path("week/key/answers/" + student(n) + ".json"));
  }
  template <class Number>
  std::string filled_in(int n, Number number) const {
    Sheet sheet = parse_sheet(solved(n), "").sheet;
    std::size_t blank = 0;
    for (SheetStep& step : sheet.steps) {
      for (std::size_t i = 0; i < step.numbers.size(); ++i) {
        if (step.blank[i] != 0) step.numbers[i] = number(blank++, step.numbers[i]);
      }
    }
    if (sheet.bug) sheet.bug = BugAnswer{.first_wrong = "wieghts", .code = "scale.wieghts"};
    return sheet_json(sheet);
  }
  static std::string zipped(const std::string& name, const std::string& bytes) {
    return write_zip(std::vector<FileToZip>{{name, bytes}});
  }
  void hand_in(int n, const std::string& text) const {
    folder.write("in/" + student(n) + ".json", text);
  }
  Ran grade(std::vector<std::string> more) const {
    more.insert(more.begin(),
                {"exercise", "grade", folder.path("in"), "--key", folder.path("week/key")});
    return attn_run(more);
  }
};

/// What Gradescope shows of its results, without the quotation marks of JSON.
std::string outputs_in(const std::string& json) {
  const std::string mark = "\"output\": \"";
  std::string all;
  for (std::size_t at = json.find(mark); at != json.npos; at = json.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size();
    all += json.substr(begin, json.find("\\n\", ", begin) - begin) + "\n";
  }
  for (std::size_t at = all.find('\\'); at != all.npos; at = all.find('\\', at + 1))
    all.replace(at, 2, all[at + 1] == 'n' ? "\n" : all.substr(at + 1, 1));
  return all;
}

/// Names in formulas, of files and of codes.
std::set<std::string> names() {
  std::set<std::string> all{"softmax",     "where",         "mask",   "side",    "json",
                            "zip",         "jpg",           "self",   "inverse", "find",
                            "the",         "bug",           "other",  "wieghts", "same",
                            "place",       "evidence",      "sums",   "range",   "printed",
                            "first_wrong", "code",          "graded", "attn",    "exercise",
                            "rules",       "given_changed", "depth",  "cell",    "unreadable"};
  for (const std::string& id : step_ids()) all.insert(id);
  for (const Mistake& mistake : mistakes()) {
    std::string part;
    for (const char c : std::string(mistake.code) + ".") {
      if (c != '.') part += c;
      if (c == '.') all.insert(std::exchange(part, ""));
    }
  }
  return all;
}

void check_silence(const std::string& what, const std::string& text) {
  static const std::set<std::string> kNames = names();
  for (const std::string& line : lines_of(text)) {
    for (const std::string& word : words_left_in(line, kNames)) {
      const bool is_name = std::all_of(word.begin(), word.end(), [](char c) {
        return std::isupper(static_cast<unsigned char>(c));  // JSON, a part of a variant
      });
      CHECK_MESSAGE(is_name, "no catalogue has the word \"", word, "\" of ", what, ": ", line);
    }
  }
}

}  // namespace

TEST_CASE("untranslated: nothing that comes back of an exercise lacks a catalogue" *
          doctest::test_suite("long")) {
  for (const char* preset : {"self", "find-the-bug", "inverse"}) {
    const SilentClass desk(preset);
    const std::string reports = desk.folder.path("reports"), book = desk.folder.path("book.csv");
    const Language nothing = silent();
    const LanguageInUse language(nothing);
    const Ran graded = desk.grade({"--reports", reports, "--gradebook", book, "--for", "moodle"});
    CAPTURE(graded.err);
    REQUIRE(graded.exit_code == 0);
    CHECK(
        has(graded.err, "note: 1 file is no sheet and not counted: s013.jpg"));  // for the teacher
    check_silence("the summary of the class", graded.out);
    check_silence("the gradebook for Moodle", read_text(book).substr(read_text(book).find('\n')));
    std::size_t count = 0;
    for (const auto& file : std::filesystem::directory_iterator(reports)) {
      check_silence("the report " + file.path().filename().string(),
                    read_text(file.path().string()));
      ++count;
    }
    CHECK(count == kSilentStudents);
    for (int n = 1; n < kSilentStudents; ++n) {
      const std::string id = student(n);
      if (!std::filesystem::exists(desk.folder.path("in/" + id + ".json"))) continue;
      const Ran result =
          attn_run({"check", desk.folder.path("in/" + id + ".json"), "--key",
                    desk.folder.path("week/key"), "--student", id, "--format", "gradescope"});
      CHECK(has(result.out, "\"output\": \"§"));
      check_silence("the result of " + id, outputs_in(result.out));
    }
  }
}

TEST_CASE("untranslated: nor does the reason why a number earns its points" *
          doctest::test_suite("long")) {
  const SilentClass desk("self");
  const Language nothing = silent();
  const LanguageInUse language(nothing);
  for (const char* cell : {"s001:q:", "s002:scaled_scores:", "s003:weights:", "s010:output:"}) {
    for (const char* place : {"0,0", "0,1", "1,1", "2,0", "3,2"}) {
      const Ran ran = desk.grade({"--why", std::string(cell) + place});
      CHECK(ran.exit_code == 0);
      check_silence(std::string("--why ") + cell + place, ran.out);
    }
  }
}

TEST_CASE("untranslated: the summary of the sheets that were made lacks no catalogue" *
          doctest::test_suite("long")) {
  for (const char* preset : {"self", "causal", "softmax", "find-the-bug", "inverse"}) {
    for (const bool is_class : {false, true}) {
      CAPTURE(preset);
      const TemporaryFolder folder;
      std::vector<std::string> args{"exercise", "make", "--preset",
                                    preset,     "-o",   folder.path("week")};
      if (is_class)
        args.insert(args.end(), {"--salt-file", folder.write("salt", "a salt that is long enough"),
                                 "--roster", folder.write("roster.csv", "id\ns001\ns002\ns003\n")});
      const Language nothing = silent();
      const LanguageInUse language(nothing);
      std::string said = attn_run(args).out;
      REQUIRE(has(said, "§"));
      for (const std::string& name :
           {folder.path("week"), folder.path("roster.csv"), std::string(preset)}) {
        for (std::size_t at = said.find(name); at != said.npos; at = said.find(name))
          said.erase(at, name.size());
      }
      check_silence("the summary", said);
    }
  }
}
