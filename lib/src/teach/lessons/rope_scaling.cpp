// What eight times longer texts do to the angles of rotary positions, and what scaling does.
#include <cmath>
#include <numbers>

#include "attn/attend.hpp"
#include "teach/lessons/changes.hpp"

namespace attn {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr Index kTrained = 32;            // positions in training
constexpr Index kLastSeen = 2, kFar = 3;  // rows of the sample: positions 31 and 255

/// The sample with another scaling, its angles beside it.
SharedTrace turned(const Telling& lesson, const std::optional<RopeScalingKind>& kind) {
  ProblemDraft draft = lesson.draft();
  Positions& own = draft.positions;
  if (!kind) {
    own.scaling.reset();
  } else if (*kind != own.scaling->kind) {
    RopeScaling other;
    other.kind = *kind;
    other.factor = own.scaling->factor;
    own.scaling = other;
  }
  return std::make_shared<const Trace>(attend(make_problem(draft), shown_angles()));
}

double angle_of(const SharedTrace& trace, Index row, Index pair) {
  return trace->value("angles").at({0, 0, row, pair});
}

void tell_unscaled(Telling& lesson, const SharedTrace& plain, Index pairs) {
  lesson.say(
      "RoPE turns each pair of columns by position times a frequency of its own. This model was "
      "trained on " +
      std::to_string(kTrained) +
      " positions. Now it reads text eight times as long: 'far' is at position 255.");
  lesson.show(plain, {"angles"});
  Table table{{"pair", "turns in training", "turns at 'far'"}, {}, 1};
  bool never_seen = true;
  for (Index pair = 0; pair < pairs; ++pair) {
    const double seen = angle_of(plain, kLastSeen, pair), far = angle_of(plain, kFar, pair);
    table.rows.push_back(
        {std::to_string(pair), lesson.number(seen / kTurn), lesson.number(far / kTurn)});
    if (pair + 1 == pairs) never_seen = seen < kTurn && far > seen;
  }
  lesson.ask("Which pairs meet angles that training never showed them?",
             "Those that had not made a whole turn: the last two. The first ones have been all the "
             "way round, many times.");
  lesson.table(table);
  lesson.claim("The last pair never made a whole turn in training, and turns further now.",
               never_seen);
}

void tell_linear(Telling& lesson, const SharedTrace& plain, const SharedTrace& linear,
                 Index pairs) {
  lesson.say(
      "The first remedy divides all angles by 8 (position interpolation): 255 is turned as 31.875 "
      "was.");
  bool inside = true, slower = true;
  for (Index pair = 0; pair < pairs; ++pair) {
    const double trained = angle_of(plain, 1, pair) * static_cast<double>(kTrained);
    inside = inside && angle_of(linear, kFar, pair) < trained;
    slower = slower && is_close(8.0 * angle_of(linear, 1, pair), angle_of(plain, 1, pair));
  }
  lesson.claim("Linear: every angle is one that training has seen.", inside);
  lesson.ask(
      "What does it cost?",
      "Neighbours are harder to tell apart: from one word to the next, every pair turns only "
      "an eighth as far.");
  lesson.claim("Linear: from one word to the next, each pair turns 8 times less.", slower);
}

void tell_yarn(Telling& lesson, const SharedTrace& plain, const SharedTrace& yarn, Index pairs) {
  lesson.say(
      "YaRN looks at each pair. One that turned often in training keeps its frequency, since no "
      "angle is new to it; one that turned less than once is divided by 8; in between there is a "
      "ramp.");
  lesson.show(yarn, {"angles"});
  const Index last = pairs - 1;
  lesson.claim("YaRN: the first pair turns as before, so neighbours stay apart.",
               is_close(angle_of(yarn, 1, 0), angle_of(plain, 1, 0)));
  lesson.claim(
      "YaRN: the last pair stays within the angles of training.",
      angle_of(yarn, kFar, last) < angle_of(plain, 1, last) * static_cast<double>(kTrained));
  const double factor = yarn->at("q_rotated").parameters.number("attention_factor");
  lesson.say("It also multiplies queries and keys by 0.1·ln 8 + 1 = " + lesson.number(factor) +
             ", because softmax over more keys is flatter.");
  const auto own = [&](const SharedTrace& t) { return t->value("scores").at({0, 0, 0, 0}); };
  lesson.claim("Scores of a word with itself are " + lesson.number(factor * factor) +
                   " times as large: the factor, squared.",
               is_close(own(yarn), factor * factor * own(plain)));
}

}  // namespace

void tell_rope_scaling(Telling& lesson) {
  const SharedTrace plain = turned(lesson, std::nullopt);
  const Index pairs = plain->value("angles").cols();
  tell_unscaled(lesson, plain, pairs);
  tell_linear(lesson, plain, turned(lesson, RopeScalingKind::Linear), pairs);
  tell_yarn(lesson, plain, turned(lesson, RopeScalingKind::Yarn), pairs);
  lesson.next("explain {} --detail full --steps angles,q_rotated", "angles and what they turn");
  lesson.next("lesson order", "why positions at all");
}

}  // namespace attn
