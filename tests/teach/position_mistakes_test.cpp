// Mistakes with positions: the arithmetic of each variant, and bases that nobody publishes.
#include <doctest/doctest.h>

#include <string>
#include <variant>

#include "attn/attend.hpp"
#include "attn/check.hpp"
#include "attn/number_text.hpp"
#include "support/derivations.hpp"
#include "support/wrong_sheets.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn::testing {
namespace {

/// The finding of the first wrong step with its numbers; "" if nothing is wrong.
std::string first_finding(const Trace& truth, const ProblemDraft& theirs, const Handed& handed) {
  const CheckReport report =
      check_answers(truth, answers_of(truth, worked({theirs}), handed), CheckOptions{});
  for (const StepReport& step : report.steps) {
    if (report.first_wrong != step.id) continue;
    if (step.findings.empty()) return "no finding";
    std::string said = step.findings[0].code + ":";
    for (const Fact& fact : step.findings[0].facts) {
      if (const auto* number = std::get_if<double>(&fact.value))
        said += " " + fact.name + " " + format_digits(*number, 6);
    }
    return said;
  }
  return "";
}

}  // namespace

TEST_CASE("every variant of a mistake with positions derives its own numbers") {
  for (const SmallProblem kind : {rope_problem, partial_rope_problem, cached_rope_problem,
                                  scaled_rope_problem, far_rope_problem, sinusoidal_problem}) {
    Dice dice(7);
    const Trace truth = attend(make_problem(kind(dice)));
    for (const MistakeRow* row : mistake_rows()) {
      const std::string code = row->words.code;
      if (code.rfind("rope.", 0) != 0 && code.rfind("positions.", 0) != 0) continue;
      for (const Variant& variant : Parts(truth).variants(*row, Spread::Everywhere)) {
        const Trace trace = replay(truth, variant.recipe);
        for (const char* id : {"positions", "q_rotated", "k_rotated"}) {
          CAPTURE(code);
          CAPTURE(id);
          if (trace.find(id) != nullptr) CHECK(first_wrong_derivation(trace, trace.at(id)) == "");
        }
      }
    }
  }
}

TEST_CASE("a base of RoPE that nobody publishes is read off any matrix, and said") {
  for (const double base : {20.0, 777.0, 20000.0}) {
    Dice dice(3);
    const ProblemDraft draft = wide_rope_problem(dice);
    const Trace truth = attend(make_problem(draft));
    ProblemDraft other = draft;
    other.positions.base = base;
    for (const std::size_t handed : {0U, 2U, 4U}) {
      CAPTURE(base);
      CAPTURE(handed);
      const std::string said = first_finding(truth, other, all_handed()[handed]);
      CHECK(said == "rope.base: base " + format_digits(base, 6));
    }
  }
}

TEST_CASE("numbers that no base makes are not taken for another base") {
  Dice dice(3);
  const ProblemDraft draft = wide_rope_problem(dice), other = wide_rope_problem(dice);
  const Trace truth = attend(make_problem(draft));
  ProblemDraft mixed = draft;
  mixed.weights.at("w_q") = other.weights.at("w_q");
  for (const std::size_t handed : {0U, 2U, 4U})
    CHECK(first_finding(truth, mixed, all_handed()[handed]).rfind("rope.base", 0) != 0);
}

}  // namespace attn::testing
