// Takes a student's problem or the one for all, and drops usual steps that a problem lacks.
#include "teach/exercise/own_problems.hpp"

#include <algorithm>

#include "attn/attend.hpp"
#include "attn/phrases.hpp"
#include "teach/exercise/spec_check.hpp"

namespace attn {

ProblemDraft own_problem(const ExerciseSpec& spec, const std::string& student) {
  auto at = spec.problems.find(student);
  if (at == spec.problems.end()) at = spec.problems.find("");
  if (at == spec.problems.end()) {
    throw student.empty()
        ? spec_error("exercise-spec", "each problem of this exercise is for one student",
                     "Give a roster that names the students.", "problem")
        : spec_error("exercise-spec", "there is no problem for the student \"" + student + "\"",
                     "Add one under \"students\", or leave the student out of the roster.",
                     "problem");
  }
  ProblemDraft draft = at->second;
  if (!spec.title.empty()) draft.title = spec.title;
  if (draft.title.empty()) draft.title = spec.name;
  return draft;
}

std::vector<AskedStep> usual_steps(const ExerciseSpec& spec) {
  std::vector<AskedStep> steps = spec.steps;
  for (const ExercisePreset& preset : exercise_presets()) {
    if (steps.empty() && preset.name == std::string_view("multihead")) steps = preset.spec.steps;
  }
  for (const auto& each : spec.problems) {
    const Trace truth = attend(make_problem(each.second));
    std::erase_if(steps, [&](const AskedStep& step) {
      const Step* found = truth.find(step.id);
      return found == nullptr || (step.points > 0.0 && found->is_given() != spec.inverse);
    });
  }
  if (steps.empty())
    throw spec_error("exercise-spec", "none of the usual steps is part of this problem",
                     "Name the steps to ask for: \"steps\": {\"output\": 2}.", "problem");
  return steps;
}

}  // namespace attn
