// Deliberately wrong answers, as somebody would hand them in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attn/teach/answers.hpp"
#include "attn/trace.hpp"
#include "support/wrong_attention.hpp"

namespace attn::testing {

/// How much of a computation is handed in.
struct Handed {
  const char* title;
  std::vector<std::string> steps;  // none: all
  bool rounded;                    // to 3 decimals, as on a sheet; otherwise a dump
};

/// All steps; scores, weights, output; weights, output: each in full and rounded.
const std::vector<Handed>& all_handed();

/// Problem number `seed` for a way, and what the student writes down.
struct Sample {
  ProblemDraft draft;
  Steps steps;
};
Sample sample_of(const WrongWay& way, std::uint64_t seed, const Handed& handed);

/// The right computation of a sample; with gradients if the mistake is made in them.
Trace truth_for(const WrongWay& way, const ProblemDraft& draft);

/// The matrices handed in: those of `steps` that the problem has.
Answers answers_of(const Trace& truth, const Steps& steps, const Handed& handed);

/// The first step whose numbers differ by more than `times` the difference that is allowed.
std::optional<std::string> first_visible(const Trace& truth, const Answers& answers,
                                         double times = 1);

}  // namespace attn::testing
