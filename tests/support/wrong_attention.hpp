// The simulated student: attention in plain loops, with a habit exchanged for a wrong one.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/oracle_bench.hpp"
#include "support/small_problems.hpp"

namespace attn::testing {

/// How a student does the parts of attention that can go wrong. Blocks are batch × head × row ×
/// column.
struct Habits {
  std::function<Block(const Block& x, Index heads)> split;
  std::function<Block(const Block& context)> merge;
  std::function<Index(const Facts& facts, Index head)> kv_head;
  std::function<Block(const Facts& facts, const Habits& habits, const Heads& qkv)> score;
  std::function<Block(const Bench& bench)> mask;
  std::function<Block(const Block& past, const Block& fresh)> join;
  std::function<Block(const Bench& bench, const Block& scores, const Block& mask)> hide;
  std::function<Block(const Block& masked, const Block& mask)> softmax;
  std::function<Block(const Facts& facts, const Habits& habits, const Block& weights,
                      const Block& v)>
      mix;
  std::function<Block(const ProblemDraft& draft, const Block& x, const std::string& side)> norm;
  std::function<std::optional<double>(const Bench& bench, Index head)> sink;
  std::function<Block(const Block& x, const Block& gate)> let_through;
  bool norm_and_rope_exchanged = false;
  bool caps_after_mask = false;
  /// Changes a matrix before it is written down and used: slips, rounding.
  std::function<void(const std::string& id, Block& block)> touch;
  /// Changes all that was written down, at the end.
  std::vector<std::function<void(Steps& steps)>> afterwards;
  std::set<std::string> unwritten;  // steps that are not written down
};

/// The right ones.
Habits right_habits();
Block right_split(const Block& x, Index heads);
Block right_merge(const Block& z);
Block right_join(const Block& past, const Block& fresh);
Block right_score(const Facts& facts, const Habits& habits, const Heads& qkv);
Block right_hide(const Bench& bench, const Block& scores, const Block& mask);
Block right_softmax(const Block& masked, const Block& mask);
Block right_mix(const Facts& facts, const Habits& habits, const Block& weights, const Block& v);

/// A problem as the student understands it, and the habits.
struct Attempt {
  ProblemDraft draft;
  Habits habits = right_habits();
};

/// Every step that the student writes down.
Steps worked(const Attempt& attempt);

/// A sheet in the making: the attempt to be spoiled, and which steps will be given (none: all).
struct Spoiling {
  Attempt attempt;
  Dice& dice;
  const std::vector<std::string>& given;

  ProblemDraft& draft() { return attempt.draft; }
  Habits& habits() { return attempt.habits; }
};

/// One way to make a mistake. Several may share a code.
struct WrongWay {
  const char* code;
  const char* variant;  // "" for the only or the usual one
  SmallProblem problem;
  void (*spoil)(Spoiling& spoiling);
};

using WrongWays = std::vector<WrongWay>;

WrongWays wrong_scales();
WrongWays wrong_softmax();
WrongWays wrong_masks();
WrongWays wrong_projections();
WrongWays wrong_products();
WrongWays wrong_heads();
WrongWays wrong_positions();
WrongWays wrong_extras();
WrongWays wrong_gradients();
WrongWays slips();

/// Right ones.
WrongWays right_gradients();

/// Any gradient of the output of a draft.
Array upstream_of(const ProblemDraft& draft);

/// All of the above.
WrongWays wrong_ways();

/// Routes that differ from the usual one and are right.
WrongWays other_roads();

}  // namespace attn::testing
