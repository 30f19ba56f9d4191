// attn exercise grade: a gradebook with decisions is replaced only by one that has them, too.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "attn/io/sheet_file.hpp"
#include "attn/io/zip_file.hpp"
#include "support/classroom.hpp"
#include "support/compare.hpp"
#include "support/phrases.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

/// Two students with everything right, in the language of that code.
std::vector<ExerciseVariant> in_language(const std::string& code) {
  std::vector<ExerciseVariant> variants = class_variants(2);
  for (ExerciseVariant& each : variants) each.sheet.language = each.key.language = code;
  return variants;
}

/// Grades a class, again and again, into one gradebook.
struct Regrading {
  Regrading(std::string book_for, const std::string& language)
      : room(in_language(language)), program(std::move(book_for)) {
    for (const char* student : {"s001", "s002"})
      room.hand_in(std::string(student) + ".json",
                   class_variants(2)[student == std::string("s002")].key);
    std::ofstream(room.path("roster.csv")) << "student,note,late\ns001,tall,\ns002,,10%\n";
  }

  Ran grade(std::vector<std::string> more) const {
    std::vector<std::string> words{"exercise",
                                   "grade",
                                   room.path("handed-in"),
                                   "--key",
                                   room.path("key"),
                                   "--roster",
                                   room.path("roster.csv"),
                                   "--gradebook",
                                   book()};
    if (!program.empty()) words.insert(words.end(), {"--for", program});
    words.insert(words.end(), more.begin(), more.end());
    return attn_run(words);
  }

  /// The file of decisions with these lines, as options.
  std::vector<std::string> overrides(const std::string& lines) const {
    std::ofstream(room.path("overrides.csv")) << "student,step,points,reason\n" << lines;
    return {"--overrides", room.path("overrides.csv")};
  }

  std::string book() const { return room.path("grades.csv"); }

  Classroom room;
  std::string program;
};

/// Refused, and nothing is changed.
std::string refusal(const Regrading& of, const std::vector<std::string>& more) {
  const std::string before = read_text(of.book());
  const Ran ran = of.grade(more);
  CHECK(ran.exit_code == 4);
  CHECK(has(ran.err, "error[file-exists]: "));
  CHECK(read_text(of.book()) == before);
  return unwrapped(ran.err);
}

constexpr const char* kBoth = "s001,S,1.5,typo; of mine\ns002,q,excused,ill\n";

}  // namespace

TEST_CASE("grade again: a gradebook loses no decision of any student, in any language") {
  for (const char* program : {"", "excel", "moodle"}) {
    for (const char* language : {"", "de", "zh"}) {
      CAPTURE(program);
      CAPTURE(language);
      const Regrading term(program, language);
      REQUIRE(term.grade(term.overrides(kBoth)).exit_code == 0);
      const std::string lost = refusal(term, {});
      CHECK(has(lost, "has decisions that this run would lose: scores of s001, q of s002"));
      CHECK(has(lost, "Add --overrides FILE."));
      const std::string one = refusal(term, term.overrides("s002,q,excused,ill\n"));
      CHECK(has(one, "would lose: scores of s001"));
      CHECK(!has(one, "q of s002"));
      CHECK(has(one, "Add the lines to \"" + term.room.path("overrides.csv") + "\"."));
      CHECK(term.grade(term.overrides("S001,scores,1,\ns002,Q,0,late\n")).exit_code == 0);
      std::filesystem::remove(term.book());
      CHECK(term.grade({}).exit_code == 0);
      CHECK(term.grade({}).exit_code == 0);
    }
  }
}

TEST_CASE("grade again: nor does it lose a penalty") {
  for (const char* program : {"", "moodle"}) {
    for (const char* language : {"", "de", "zh"}) {
      CAPTURE(program);
      CAPTURE(language);
      const Regrading term(program, language);
      REQUIRE(term.grade({"--penalty", "late"}).exit_code == 0);
      const std::string lost = refusal(term, {});
      CHECK(has(lost, "would lose: penalty of s002"));
      CHECK(has(lost, "Add --penalty COLUMN."));
      std::ofstream(term.room.path("roster.csv")) << "student,late\ns001,\ns002,\n";
      CHECK(has(refusal(term, {"--penalty", "late"}), "Fill in the column late of the roster."));
    }
  }
}

TEST_CASE("grade again: a table for Canvas changes no score unless decisions are named") {
  const Regrading term("canvas", "");
  REQUIRE(term.grade(term.overrides(kBoth)).exit_code == 0);
  const std::string lost = refusal(term, {});
  CHECK(has(lost, "has other scores, which may be decisions of yours: s001"));
  CHECK(has(lost, "Add --overrides FILE or --penalty COLUMN"));
  CHECK(term.grade({"--penalty", "late"}).exit_code == 0);
  std::filesystem::remove(term.book());
  CHECK(term.grade({}).exit_code == 0);
  CHECK(term.grade({}).exit_code == 0);
}

TEST_CASE("grade again: what a student calls a file, or writes, is no decision") {
  for (const char* program : {"", "moodle"}) {
    for (const char* language : {"", "de", "zh"}) {
      for (const std::string& forged :
           {"z; q: " + by_hand("3", "0"), "z; q: " + excused("0"),
            std::string("z; q: 3 Punkte von Hand statt 0"),
            std::string("z；q：人工给 3 分，原为 0"), std::string("z; penalty (late): 1")}) {
        CAPTURE(program);
        CAPTURE(language);
        CAPTURE(forged);
        const Regrading term(program, language);
        const std::string sheet = sheet_json(class_variants(2)[0].sheet);
        std::filesystem::remove(term.room.path("handed-in/s001.json"));
        std::filesystem::remove(term.room.path("handed-in/s002.json"));
        term.room.hand_in("s001.zip", write_zip(std::vector<FileToZip>{{"a.json", sheet},
                                                                       {forged + ".json", sheet}}));
        term.room.hand_in("s002.zip", write_zip(std::vector<FileToZip>{{forged + ".jpg", "x"}}));
        REQUIRE(term.grade({}).exit_code == 0);
        const Ran again = term.grade({});
        CHECK_MESSAGE(again.exit_code == 0, again.err);
      }
    }
  }
}
