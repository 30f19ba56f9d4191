// Questions for Moodle: a class of 120 is one file that platforms take, in any language.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "attn/language.hpp"
#include "attn/teach/cloze.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/compare.hpp"
#include "support/exercises.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr std::size_t kStudents = 120, kMostBytes = 2'000'000;

/// The longest question of the preset's usual sheets, for everybody: no class of it is heavier.
std::vector<ClozeQuestion> heaviest_class(const std::string& preset, const OwnTexts& texts = {}) {
  std::vector<ClozeQuestion> questions;
  for (const ExerciseVariant& each : usual_sheets(preset)) {
    Sheet key = each.key;
    key.mistake_texts = texts;
    questions.push_back(make_cloze(each.sheet, key));
  }
  const auto longest = std::max_element(
      questions.begin(), questions.end(), [](const ClozeQuestion& a, const ClozeQuestion& b) {
        return moodle_xml("a", {a}).size() < moodle_xml("a", {b}).size();
      });
  return std::vector<ClozeQuestion>(kStudents, *longest);
}

/// Whether some header of a table has no text.
bool has_empty_header(const std::string& xml) {
  for (std::size_t at = xml.find("<th"); at != xml.npos; at = xml.find("<th", at + 1)) {
    const std::size_t begin = xml.find('>', at) + 1, end = xml.find("</th>", begin);
    if (xml.substr(begin, end - begin).find_first_not_of(" \n") == std::string::npos) return true;
  }
  return false;
}

/// What the weights in front of the fields of each question add up to.
std::vector<long long> sums_of(const std::string& xml) {
  const std::string begins = "<question type=\"cloze\">";
  std::vector<long long> sums;
  for (std::size_t at = xml.find(begins); at != xml.npos;) {
    const std::size_t end = xml.find(begins, at + 1);
    const std::string question = xml.substr(at, end - at);
    sums.push_back(0);
    for (std::size_t field = question.find('{'); field != question.npos;
         field = question.find('{', field + 1)) {
      const std::size_t colon = question.find_first_not_of("0123456789", field + 1);
      if (colon > field + 1 && question[colon] == ':')
        sums.back() += std::stoll(question.substr(field + 1, colon - field - 1));
    }
    at = end;
  }
  return sums;
}

std::size_t hints_in(const std::string& xml) {
  std::size_t count = 0;
  for (std::size_t at = xml.find("~%0%"); at != xml.npos; at = xml.find("~%0%", at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("Moodle: for 120 students of any preset, below 2 MB, with hints, no header empty" *
          doctest::test_suite("long")) {
  OwnTexts longest;
  for (const std::string& code : mistake_codes()) longest[code].hint = std::string(500, '#');
  for (const ExercisePreset& preset : exercise_presets()) {
    CAPTURE(preset.name);
    if (preset.spec.inverse) continue;  // no platform can judge them
    const std::vector<ClozeQuestion> questions = heaviest_class(preset.name);
    for (const std::string& code : language_codes()) {
      const LanguageInUse language(language_of(code));
      CAPTURE(code);
      const std::string xml = moodle_xml("week", questions);
      CHECK(xml.size() <= kMostBytes);
      CHECK(!has_empty_header(xml));
      if (!preset.spec.find_the_bug) CHECK(hints_in(xml) >= 4 * kStudents);
    }
    CHECK(moodle_xml("week", heaviest_class(preset.name, longest)).size() <= kMostBytes);
  }
}

TEST_CASE("Moodle: whatever is typed into a blank is accepted as one number at most") {
  for (const ExercisePreset& preset : exercise_presets()) {
    CAPTURE(preset.name);
    if (preset.spec.inverse || preset.spec.find_the_bug) continue;
    for (const ExerciseVariant& each : usual_sheets(preset.name)) {
      const double apart = 2.0 * each.sheet.accept_within;
      for (const auto& blanks : make_cloze(each.sheet, each.key).blanks) {
        for (const ClozeBlank& blank : blanks) {
          std::vector<double> numbers{blank.right};
          for (const auto& wrong : blank.wrong) numbers.push_back(wrong.number);
          std::sort(numbers.begin(), numbers.end());
          for (std::size_t i = 1; i < numbers.size(); ++i)
            CHECK(numbers[i] - numbers[i - 1] > apart * (1.0 - 1e-12));
        }
      }
    }
  }
}

TEST_CASE("Moodle: the weights of all questions of a class add up to one number" *
          doctest::test_suite("long")) {
  for (const ExercisePreset& preset : exercise_presets()) {
    CAPTURE(preset.name);
    if (preset.spec.inverse) continue;
    std::vector<std::string> students;
    for (int i = 0; i < 12; ++i) students.push_back("s" + std::to_string(i));
    std::vector<ClozeQuestion> questions;
    for (const ExerciseVariant& each : make_exercise(spec_of(preset.name), "salt", students))
      questions.push_back(make_cloze(each.sheet, each.key));
    const std::vector<long long> sums = sums_of(moodle_xml("week", questions));
    REQUIRE(sums.size() == questions.size());
    const Sheet& sheet = questions.front().sheet;
    const double points = points_of(sheet);
    CHECK(std::count(sums.begin(), sums.end(), std::llround(1000.0 * points)) == std::ssize(sums));
    ClozeQuestion& large = questions.front();  // of 200 points: Moodle's limit is 99,999
    large.sheet.bug_points *= 200.0 / points;
    for (SheetStep& step : large.sheet.steps) step.points *= 200.0 / points;
    const auto sum = static_cast<double>(sums_of(moodle_xml("week", questions)).front());
    CHECK(close(20'000, sum, 0.001));
    if (sheet.bug) continue;
    for (SheetStep& step : large.sheet.steps) step.points = 0.0;  // no blank has a weight below 1
    long long blanks = 0;
    for (const auto& step : large.blanks) blanks += std::ssize(step);
    CHECK(sums_of(moodle_xml("week", questions)).front() == blanks);
  }
}
