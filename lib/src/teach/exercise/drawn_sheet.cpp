// Computes Q, K and V where a sheet gives these, and prints all numbers but those of blanks.
#include "teach/exercise/drawn_sheet.hpp"

#include <algorithm>
#include <limits>

#include "attn/core/random_problem.hpp"
#include "teach/exercise/own_problems.hpp"

namespace attn {
namespace {

/// Q, K and V in place of what they are made from.
ProblemDraft with_qkv(ProblemDraft draft) {
  const Trace trace = attend(make_problem(draft));
  const auto value = [&](const std::string& id) {
    const Tensor& t = trace.value(draft.heads ? id + "_heads" : id);
    return Array{t.shape().sizes(), t.data().copy()};
  };
  draft.q = value("q");
  draft.k = value("k");
  draft.v = value("v");
  draft.embeddings.reset();
  draft.memory.reset();
  draft.weights.clear();
  draft.heads.reset();
  return draft;
}

bool is_projection(const std::string& id) { return id == "q" || id == "k" || id == "v"; }

ProblemDraft drawn_problem(const ExerciseSpec& spec, std::uint64_t seed) {
  ProblemDraft draft = random_draft({.tokens = spec.tokens,
                                     .d_model = spec.d_model,
                                     .heads = spec.heads,
                                     .d_k = spec.d_k,
                                     .memory_tokens = spec.memory_tokens,
                                     .seed = seed});
  if (!spec.words.empty()) draft.tokens = {spec.words};
  draft.title = spec.title.empty() ? spec.name : spec.title;
  draft.description.clear();  // it gives away the seed
  if (spec.qkv_given || spec.find_the_bug) draft = with_qkv(std::move(draft));
  for (const std::string& mask : spec.masks) draft.masks.push_back(parse_mask(mask));
  return draft;
}

}  // namespace

double tolerance_of(const ExerciseSpec& spec) {
  constexpr double kByDecimals[] = {0.1, 0.02, 0.01};  // 1, 2, and 3 or more
  return spec.accept_within.value_or(kByDecimals[std::clamp(spec.decimals, 1, 3) - 1]);
}

Sheet drawn_sheet(const ExerciseSpec& spec, std::uint64_t seed, const std::string& student) {
  Sheet sheet;
  sheet.exercise = spec.name;
  sheet.decimals = spec.decimals;
  sheet.accept_within = tolerance_of(spec);
  sheet.instructions = spec.instructions;
  sheet.self_check = spec.self_check;
  sheet.decimal_comma = spec.decimal_comma;
  sheet.mistake_texts = spec.mistake_texts;
  sheet.inverse = spec.inverse;
  sheet.language = spec.language;
  sheet.bug_points = spec.bug_points;
  sheet.student = student;
  sheet.problem = spec.problems.empty() ? drawn_problem(spec, seed) : own_problem(spec, student);
  for (const AskedStep& step : spec.steps) {
    if (spec.find_the_bug && is_projection(step.id)) continue;  // see handed_out
    sheet.steps.push_back({step.id, {}, step.points});
  }
  return sheet;
}

void print(Sheet& sheet, const SheetModel& paper) {
  for (std::size_t s = 0; s < sheet.steps.size(); ++s) {
    SheetStep& step = sheet.steps[s];
    const auto from = static_cast<std::ptrdiff_t>(paper.begin[s]);
    const auto to = static_cast<std::ptrdiff_t>(paper.begin[s + 1]);
    step.shape = paper.steps[s]->value.shape().sizes();
    step.numbers.assign(paper.numbers.begin() + from, paper.numbers.begin() + to);
    step.blank.assign(paper.blank.begin() + from, paper.blank.begin() + to);
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      if (step.blank[i]) step.numbers[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
}

}  // namespace attn
