// attn exercise make --preset inverse: in every format, checked, graded, explained, not exported.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>

#include "attn/io/sheet_file.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// A class of two with sheets in all formats.
struct InverseClass {
  TemporaryFolder folder;
  std::string roster = folder.write("roster.csv", "id\na\nb\n");
  std::string path = folder.path("w");

  Ran make() {
    return attn_run({"exercise", "make", "--preset", "inverse", "--roster", roster, "--salt-file",
                     folder.write("salt", "a salt that is long enough"), "--format",
                     "json,csv,text,markdown,latex,html", "-o", path});
  }
  std::string read(const std::string& name) const { return read_text(path + "/" + name); }
  attn::Sheet key(const std::string& student) const {
    return attn::parse_sheet(read("key/answers/" + student + ".json"), "").sheet;
  }
};

}  // namespace

TEST_CASE(
    "inverse: the sheets are there in every format, say what is right, and pass their proof") {
  InverseClass desk;
  const Ran ran = desk.make();
  CAPTURE(ran.err);
  REQUIRE(ran.exit_code == 0);
  CHECK(has(unwrapped(ran.out), "Any numbers that make the printed steps are right"));
  CHECK(has(unwrapped(ran.out), "attn alone solves 0% of these sheets"));
  for (const char* ending : {"txt", "md", "tex", "html"}) {
    CAPTURE(ending);
    const std::string text = desk.read(std::string("sheets/a.") + ending);
    CHECK(has(unwrapped(text), "Whatever fits is right."));
    CHECK(!has(text, "what each token passes on"));  // V leads to nothing that is asked
  }
  const std::string json = desk.read("sheets/a.json");
  CHECK(has(json, "\"inverse\": true"));
  CHECK(!has(json, "\"q\": [["));
  CHECK(!attn::parse_sheet(json, "").sheet.problem.q);
  CHECK(has(desk.read("sheets/a.csv"), "q,0,"));
  CHECK(attn_run({"exercise", "verify", desk.path}).out == "2 sheets: all pass every check\n");
  CHECK(attn_run({"exercise", "key", desk.path, "--student", "a"}).exit_code == 0);
}

TEST_CASE("inverse: a class is graded by what fits, from JSON and from tables with commas") {
  InverseClass desk;
  REQUIRE(desk.make().exit_code == 0);
  attn::Sheet a = desk.key("a"), b = desk.key("b");
  attn::SheetStep& q = a.steps[0];
  const auto first = std::find(q.blank.begin(), q.blank.end(), 1) - q.blank.begin();
  q.numbers[static_cast<std::size_t>(first)] += 7.0;
  fs::create_directory(desk.folder.path("in"));
  desk.folder.write("in/a.json", attn::sheet_json(a));
  b.decimal_comma = true;
  desk.folder.write("in/b.csv", attn::sheet_csv(b));
  const std::string book = desk.folder.path("g.csv"), key = desk.path + "/key";
  const Words grade{"exercise", "grade", desk.folder.path("in"), "--key", key};
  Words with_book = grade;
  with_book.insert(with_book.end(), {"--gradebook", book});
  const Ran ran = attn_run(with_book);
  CAPTURE(ran.err);
  REQUIRE(ran.exit_code == 0);
  const std::string text = read_text(book);
  CHECK(has(text, ",graded,2,3,66.6667,2,q,evidence.printed,"));
  CHECK(has(text, ",graded,3,3,100,3,"));
  CHECK(!has(text, "given_changed"));
  Words why = grade;
  why.insert(why.end(), {"--why", "a:q:0," + std::to_string(first)});
  const Ran reason = attn_run(why);
  CHECK(reason.exit_code == 0);
  CHECK(has(unwrapped(reason.out),
            kEarnsNothing + std::string(" It is right if these printed numbers come out")));
  CHECK(has(reason.out, "wrong"));
  double& number = q.numbers[static_cast<std::size_t>(first)];
  const double wrong = std::exchange(number, std::nan(""));  // empty: no 0 takes its place
  desk.folder.write("in/a.json", attn::sheet_json(a));
  const std::string empty = unwrapped(attn_run(why).out);
  CHECK(has(empty, "It is right if these printed numbers"));
  CHECK(has(empty, "nothing: a cell has no number"));
  number = 777.0;
  std::string nan = attn::sheet_json(a);
  desk.folder.write("in/a.json", nan.replace(nan.find("777"), 3, "\"NaN\""));
  CHECK(has(unwrapped(attn_run(why).out), std::string("NaN was written. ") + kEarnsNothing));
  number = wrong;
  const std::string edited = desk.folder.write("a.json", attn::sheet_json(a));
  const std::string report = unwrapped(attn_run({"check", edited}).out);
  CHECK(has(report, "A weights 3×3 given"));  // printed: neither right nor 0 of 0
  CHECK(!has(report, "0 of 0"));
  const Ran german = attn_run({"check", edited, "--lang", "de"});
  CHECK(german.exit_code == 1);
  CHECK(has(unwrapped(german.out), "gedruckt"));
  CHECK(!has(german.out, "With these numbers"));
  CHECK(!has(attn_run({"check", edited, "--lang", "zh"}).out, "With these numbers"));
  CHECK(attn_run({"check", edited, "--key", key, "--format", "gradescope"}).exit_code == 1);
}

TEST_CASE("inverse: hints say what must come out, and to change what was written") {
  InverseClass desk;
  REQUIRE(desk.make().exit_code == 0);
  attn::Sheet a = desk.key("a");
  attn::SheetStep& q = a.steps[0];
  for (std::size_t i = 0; i < q.blank.size(); ++i) {
    if (q.blank[i] != 0) q.numbers[i] = 0.0;
  }
  const std::string zeros = desk.folder.write("a.json", attn::sheet_json(a));
  const std::string hint = unwrapped(attn_run({"check", zeros, "--hint", "4"}).out);
  CAPTURE(hint);
  CHECK(has(hint, "S = Q·Kᵀ, "));
  CHECK(has(hint, " must give the printed numbers."));
  CHECK(has(hint, "Which of your numbers is weights["));
  CHECK(has(hint, "Change the row of "));
  CHECK(!has(hint, "Redo"));
  const Ran german = attn_run({"check", zeros, "--reveal", "--lang", "de"});
  CHECK(has(unwrapped(german.out), "Hier: ergibt "));
  CHECK(has(unwrapped(german.out), ", verfehlt "));
}

TEST_CASE("inverse: no learning platform can judge it, and the error says what can") {
  InverseClass desk;
  REQUIRE(desk.make().exit_code == 0);
  for (const char* to : {"moodle-xml", "qti"}) {
    const Ran ran = attn_run(
        {"exercise", "export", desk.path, "--format", to, "-o", desk.folder.path("x.zip")});
    CHECK(ran.exit_code == 2);
    CHECK(has(unwrapped(ran.err), "compares each blank with one number"));
    CHECK(has(unwrapped(ran.err), "--format gradescope"));
  }
  const Ran shows = attn_run({"exercise", "verify", desk.path + "/sheets/a.json"});
  CHECK(shows.exit_code == 2);
  CHECK(has(unwrapped(shows.err), "no mistakes could show"));
}
