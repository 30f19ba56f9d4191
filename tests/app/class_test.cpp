// A class of 200 simulated students, graded from end to end, against the known truth.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "attn/io/sheet_file.hpp"
#include "support/classroom.hpp"
#include "support/phrases.hpp"
#include "support/wrong_attention.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr std::size_t kStudents = 200;

/// What every sheet shows; a proof for all that it could show takes five times as long.
const std::vector<std::string> kMistakes = {
    "scale.missing", "scale.d_k",       "mask.missing",      "mask.after_softmax",
    "mask.diagonal", "softmax.columns", "scores.transposed", "values.from_w_k"};

double rounded(double x) { return std::isfinite(x) ? std::round(x * 1000) / 1000 : x; }

/// The blanks filled in with what somebody worked out.
Sheet filled_in(const ExerciseVariant& variant, const Attempt& attempt) {
  const Steps steps = worked(attempt);
  Sheet sheet = variant.key;
  for (SheetStep& step : sheet.steps) {
    const auto own = steps.find(step.id);
    if (own == steps.end() || own->second.data.size() != step.numbers.size()) continue;
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      if (step.blank[i] != 0) step.numbers[i] = rounded(own->second.data[i]);
    }
  }
  return sheet;
}

/// The sheet filled in with all of these mistakes, in this order.
Sheet mistaken(const ExerciseVariant& variant, const std::vector<const WrongWay*>& ways) {
  static const std::vector<std::string> all;
  Dice dice(7);
  Spoiling spoiling{{variant.sheet.problem}, dice, all};
  for (const WrongWay* way : ways) way->spoil(spoiling);
  const auto spoilt = spoiling.attempt.habits.touch;
  spoiling.attempt.habits.touch = [&](const std::string& id, attn::testing::Block& block) {
    if (spoilt) spoilt(id, block);
    for (const SheetStep& step : variant.sheet.steps) {  // go on with what is printed
      for (std::size_t i = 0; step.id == id && i < step.blank.size(); ++i) {
        if (step.blank[i] == 0 && block.data.size() == step.blank.size())
          block.data[i] = step.numbers[i];
      }
    }
  };
  return filled_in(variant, spoiling.attempt);
}

/// Everything rounded on the way.
Sheet rounding(const ExerciseVariant& variant) {
  Attempt attempt{variant.sheet.problem};
  attempt.habits.touch = [](const std::string&, attn::testing::Block& block) {
    for (double& x : block.data) x = rounded(x);
  };
  return filled_in(variant, attempt);
}

/// Whether the sheet has what the mistake needs, such as a bias.
bool has_room(const ExerciseVariant& variant, const WrongWay& way) {
  try {
    mistaken(variant, {&way});
    return true;
  } catch (const std::out_of_range&) {
    return false;
  }
}

/// The first way of each mistake that this sheet shows.
std::vector<const WrongWay*> ways_for(const ExerciseVariant& variant, const WrongWays& all) {
  std::vector<const WrongWay*> ways;
  std::set<std::string> seen;
  const std::vector<std::string>& found = variant.proof.found;
  for (const WrongWay& way : all) {
    const bool shown = std::find(found.begin(), found.end(), way.code) != found.end();
    if (way.problem == causal_problem && shown && !seen.contains(way.code) &&
        has_room(variant, way)) {
      seen.insert(way.code);
      ways.push_back(&way);
    }
  }
  return ways;
}

Sheet half_done(const ExerciseVariant& variant) {
  Sheet sheet = variant.key;
  for (std::size_t s = sheet.steps.size() / 2; s < sheet.steps.size(); ++s)
    sheet.steps[s].numbers = variant.sheet.steps[s].numbers;
  return sheet;
}

}  // namespace

TEST_CASE("class: 200 simulated students get the right result, and nine mistakes in ten are named" *
          doctest::test_suite("long")) {
  const std::vector<ExerciseVariant>& all = class_variants(kStudents, kMistakes);
  const Classroom room(all);
  const WrongWays ways = wrong_ways();
  std::map<std::string, std::string> code_of;  // one mistake: student → its code
  for (std::size_t i = 0; i < kStudents; ++i) {
    const ExerciseVariant& own = all[i];
    const std::string id = own.key.student, file = id + ".json";
    if (i < 60) {
      room.hand_in(file, own.key);
    } else if (i < 80) {
      room.hand_in(file, rounding(own));
    } else if (i < 140) {
      const std::vector<const WrongWay*> mine = ways_for(own, ways);
      REQUIRE(mine.size() > 5);
      const WrongWay* way = mine[i % mine.size()];
      code_of[id] = way->code;
      room.hand_in(file, mistaken(own, {way}));
    } else if (i < 150) {
      const std::vector<const WrongWay*> mine = ways_for(own, ways);
      room.hand_in(file, mistaken(own, {mine.front(), mine.back()}));
    } else if (i < 160) {
      room.hand_in(file, half_done(own));
    } else if (i < 170) {
      room.hand_in(file, sheet_json(own.key).substr(0, 400 + i));
    } else if (i < 180) {
      Sheet swapped = all[i + 10].key;
      swapped.student = id;
      room.hand_in(file, swapped);
    } else if (i < 190) {
      Sheet copied = own.key;
      for (std::size_t s = 0; s < copied.steps.size(); ++s)
        copied.steps[s].numbers = all[i - 180].key.steps[s].numbers;
      room.hand_in(file, copied);
    } else if (i < 195) {
      room.hand_in(file, own.key);
      room.hand_in("again/" + file, half_done(own));
    }
  }
  const Ran ran = room.check({"--class", room.path("class.json")});
  CHECK(ran.exit_code == 0);
  const Book book = read_book(room.path("grades.csv"));
  REQUIRE(book.rows.size() == kStudents);
  int named = 0, wrong = 0;
  std::string unnamed;  // student, mistake, and what was named in its place
  for (std::size_t i = 0; i < kStudents; ++i) {
    const BookRow& row = book.rows[i];
    const std::string id = row.at("student"), status = row.at("status"), note = row.at("note");
    CAPTURE(id);
    CAPTURE(note);
    CHECK(id == student_id(i + 1));
    if (i < 80) {
      CHECK(row.at("percent") == "100");
      CHECK(row.at("first_wrong").empty());
    } else if (i < 140) {
      CHECK(status == "graded");
      wrong += !row.at("first_wrong").empty();
      named += row.at("main_code") == code_of[id];
      if (row.at("main_code") != code_of[id])
        unnamed += " " + id + ":" + code_of[id] + ":" + row.at("main_code");
    } else if (i < 150) {
      CHECK(status == "graded");
      CHECK(!row.at("first_wrong").empty());
    } else if (i < 160) {
      CHECK(status == "graded");
      CHECK(row.at("first_wrong").empty());
      CHECK(std::stod(row.at("percent")) < 100.0);
      CHECK(std::stod(row.at("percent")) > 0.0);
    } else if (i < 170) {
      CHECK(status == "not_gradable");
    } else if (i < 180) {
      CHECK(status == "wrong_variant");
      CHECK(note == sheet_of(student_id(i + 11)));
    } else if (i < 190) {
      CHECK(status == "graded");
      CHECK(has(note, "matches_variant_of: " + student_id(i - 179)));
      CHECK(has(note, "file.given_changed"));
    } else {
      CHECK(status == (i < 195 ? "duplicate" : "missing"));
    }
    if (i < 180) CHECK(!has(note, "matches_variant_of"));
    CHECK(!has(note, "same_wrong_cells_as"));
  }
  CHECK(wrong == 60);
  CAPTURE(unnamed);
  CHECK(named >= 54);
  const std::string summary = read_text(room.path("class.json"));
  CHECK(has(summary, "\"graded\": 170, \"not_gradable\": 10, \"missing\": 5"));
  CHECK(has(ran.out, "170 of 200 graded"));
  CHECK(has(ran.out, "10 sheets have a flag: the gradebook says why"));
}
