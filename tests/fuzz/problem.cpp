// A problem as JSON: read, written again, computed, told. Spaces at its end choose how.
#include <cmath>

#include "attn/attend.hpp"
#include "attn/gradient.hpp"
#include "attn/problem_file.hpp"
#include "fuzz.hpp"

using namespace attn;

namespace {

bool has_nan(const Step& step) {
  const auto& numbers = step.value.data();
  return std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); });
}

/// The output alone is the same as among all steps.
void require_same_output(const Problem& problem, const Trace& trace) {
  if (problem->model) return;
  const auto& expected = trace.value("output").data();
  const Tensor output = attend_output(problem);
  const auto& found = output.data();
  const auto near = [](double a, double b) {
    return !(std::abs(a - b) > 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}));
  };
  fuzz::require(std::equal(expected.begin(), expected.end(), found.begin(), found.end(), near),
                "attend_output computes the same");
}

}  // namespace

void try_input(std::string_view bytes) {
  MemoryBudget budget{fuzz::kMemory};
  ProblemFile file = parse_problem(bytes, "problem.json", {}, &budget);
  file.draft.max_memory = fuzz::kMemory;
  const std::string json = problem_json(file.draft);
  fuzz::require(problem_json(parse_problem(json, "again.json").draft) == json,
                "a problem comes back as it was");
  try {
    const Problem problem = make_problem(file.draft);
    Trace trace = attend(problem);
    const bool nan = std::any_of(trace.steps.begin(), trace.steps.end(), has_nan);
    fuzz::require(!nan || !trace.notes.empty(), "a note says where NaN comes from");
    fuzz::attempt([&] { require_same_output(problem, trace); });
    if (bytes.size() % 2 == 0) fuzz::attempt([&] { add_gradients(trace); });
    fuzz::require_whole(trace, bytes.size() / 2);
  } catch (const Error& error) {
    throw file.places.locate(error);
  }
}
