// A problem as JSON: read, written again, computed, shown. Spaces at its end choose how.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "attn/attend.hpp"
#include "attn/gradient.hpp"
#include "attn/io/problem_file.hpp"
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
  const Tensor &expected = trace.value("output"), found = attend_output(problem);
  fuzz::require(
      std::memcmp(expected.data().data(), found.data().data(), expected.data().size_bytes()) == 0,
      "attend_output computes the same bytes");
}

}  // namespace

void try_input(std::string_view bytes) {
  constexpr double kRoom = 1 << 22;  // for enough keys that some are left out
  MemoryBudget budget{kRoom};
  ProblemFile file = parse_problem(bytes, "problem.json", {}, &budget);
  file.draft.max_memory = kRoom;
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
