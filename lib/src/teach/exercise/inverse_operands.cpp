// Where a problem has its matrices, by the ids that sheets use.
#include "teach/exercise/inverse_operands.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace attn {
namespace {

/// Where a problem, const or not, has a matrix of that id; nullptr if it is among the weights.
template <typename Draft>
auto member_of(Draft& problem, const std::string& id) -> decltype(&problem.q) {
  const std::pair<const char*, decltype(&problem.q)> members[] = {
      {"q", &problem.q}, {"k", &problem.k}, {"v", &problem.v}, {"x", &problem.embeddings}};
  for (const auto& [name, member] : members) {
    if (id == name) return member;
  }
  return nullptr;
}

}  // namespace

bool has_blanks(const SheetStep& step) {
  return std::find(step.blank.begin(), step.blank.end(), 1) != step.blank.end();
}

ProblemDraft with_operands(const Sheet& sheet) {
  ProblemDraft problem = sheet.problem;
  for (const SheetStep& step : sheet.steps) {
    if (!has_blanks(step)) continue;
    Array array{step.shape, step.numbers};
    array.data.resize(step.blank.size());
    for (std::size_t i = 0; i < array.data.size(); ++i) {
      if (step.blank[i] != 0 || std::isnan(array.data[i])) array.data[i] = 0.0;
    }
    if (std::optional<Array>* member = member_of(problem, step.id)) {
      *member = std::move(array);
    } else {
      problem.weights[step.id] = std::move(array);
    }
  }
  return problem;
}

ProblemDraft without_operands(const Sheet& sheet) {
  ProblemDraft problem = sheet.problem;
  for (const SheetStep& step : sheet.steps) {
    if (!has_blanks(step)) continue;
    if (std::optional<Array>* member = member_of(problem, step.id)) {
      member->reset();
    } else {
      problem.weights.erase(step.id);
    }
  }
  return problem;
}

bool gives(const ProblemDraft& problem, const std::string& id) {
  const std::optional<Array>* member = member_of(problem, id);
  const bool there = member != nullptr ? member->has_value() : problem.weights.contains(id);
  return there && !problem.model && problem.layout == MatrixLayout::Rows;
}

}  // namespace attn
