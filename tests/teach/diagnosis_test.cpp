// Each mistake is named, and nobody who made none is accused of one.
#include "support/diagnosis.hpp"

#include <doctest/doctest.h>

#include "attn/teach/mistakes.hpp"
#include "support/honest_sheets.hpp"
#include "support/pace.hpp"
#include "support/two_mistakes.hpp"
#include "support/wrong_models.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

std::string name_of(const WrongWay& way) { return std::string(way.code) + " " + way.variant; }

bool is_simulated(const std::string& code) {
  if (code == "experts.order") return true;  // expert_mistakes_test.cpp
  for (const WrongWay& way : wrong_ways()) {
    if (way.code == code) return true;
  }
  for (const WrongModel& way : wrong_models()) {
    if (way.code == code) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("every simulated mistake has a row in the table, and every mistake there is simulated") {
  for (const WrongWay& way : wrong_ways()) CHECK_MESSAGE(find_mistake(way.code), way.code);
  for (const Mistake& mistake : mistakes()) {
    const std::string code = mistake.code;
    const bool harmless = code.rfind("equivalent.", 0) == 0 || code.rfind("layout.", 0) == 0;
    CHECK_MESSAGE((harmless || is_simulated(code)), code);
    const bool mended = std::string(mistake_fix(code)).size() > 10;
    CHECK_MESSAGE(mended != (harmless || code.rfind("slip.", 0) == 0), code);
  }
}

TEST_CASE("each mistake is named, or tied with what cannot be told from it" *
          doctest::test_suite("long")) {
  const WrongWays ways = wrong_ways();
  for (std::size_t n = 0; n < ways.size(); n += kEach) {
    const bool is_slip = std::string(ways[n].code).rfind("slip.", 0) == 0;
    for (const std::size_t kind : {n, n + 3}) {  // one exact, one rounded
      const Handed& handed = all_handed()[kind % all_handed().size()];
      if (is_slip && !handed.rounded) continue;  // programs make none
      CAPTURE(name_of(ways[n]));
      CAPTURE(kind % all_handed().size());
      const Diagnosis diagnosis = diagnose(ways[n], 1, handed);
      CAPTURE(diagnosis.said);
      CHECK(diagnosis.outcome != Outcome::NotNamed);
      CHECK(diagnosis.outcome != Outcome::Misnamed);
    }
  }
}

TEST_CASE("nobody who rounds every number to 3 decimals and carries on is accused") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    CHECK(accusation(seed) == "");
  }
}

TEST_CASE("a right answer by a different route is right") {
  for (const WrongWay& road : other_roads()) {
    for (const std::size_t handed : {0U, 1U}) {
      CAPTURE(name_of(road));
      CAPTURE(handed);
      CHECK(accusation(road, 1, all_handed()[handed]) == "");
    }
  }
}

TEST_CASE("two mistakes: the first wrong step is the right one, and nearly always both are named" *
          doctest::test_suite("long")) {
  int pairs = 0, named = 0;
  for (std::uint64_t seed = 1; pairs < 60; ++seed) {
    const auto found = two_mistakes(seed, all_handed()[seed % 2]);
    if (!found) continue;
    ++pairs;
    CAPTURE(found->said);
    CHECK(found->right_place);
    if (found->both_named) ++named;
  }
  CHECK(named >= 57);  // 95 %
}

TEST_CASE("two mistakes that cannot be computed together are not taken for a pair") {
  for (const std::uint64_t seed : {615U, 1342U, 2202U}) {  // two operations in place of softmax
    CAPTURE(seed);
    const auto found = two_mistakes(seed, all_handed()[0]);
    CHECK((!found || found->right_place));
  }
}

TEST_CASE("dropout and an unusual scale are seen in the output alone, with their number") {
  const Handed output{"output, exact", {"output"}, false};
  for (const WrongWay& way : wrong_ways()) {
    const std::string name = name_of(way);
    if (name != "dropout.on " && name != "scale.other any") continue;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      CAPTURE(name);
      CAPTURE(seed);
      const Diagnosis diagnosis = diagnose(way, seed, output);
      CAPTURE(diagnosis.said);
      CHECK(diagnosis.outcome != Outcome::NotNamed);
      CHECK(diagnosis.outcome != Outcome::Misnamed);
    }
  }
}
