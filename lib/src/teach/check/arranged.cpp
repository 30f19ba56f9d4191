// Right matrices that are kept in another way than the step.
// Heads after tokens, keys and values repeated for each query head, scores that are scaled and
// masked already.
#include <algorithm>
#include <cmath>
#include <optional>

#include "attn/phrases.hpp"
#include "core/trace/hidden_cells.hpp"
#include "teach/check/equivalent.hpp"
#include "teach/check/finding.hpp"

namespace attn {
namespace {

/// The same numbers with the columns as `heads` × columns.
std::optional<Answer> in_heads(const Answer& answer, Index heads) {
  if (answer.shape.size() < 2 || answer.shape.back() % heads != 0) return std::nullopt;
  Answer split = answer;
  split.shape.back() /= heads;
  split.shape.insert(split.shape.end() - 1, heads);
  return split;
}

/// One head of each group of `group`, where the heads of a group are alike.
std::optional<Answer> without_copies(const Answer& answer, std::size_t axis, Index group) {
  if (axis >= answer.shape.size() || answer.shape[axis] % group != 0) return std::nullopt;
  Answer first{.id = answer.id, .shape = answer.shape};
  first.shape[axis] /= group;
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < answer.shape.size(); ++i)
    inner *= static_cast<std::size_t>(answer.shape[i]);
  for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
    const std::size_t head = i / inner % static_cast<std::size_t>(answer.shape[axis]);
    const std::size_t copy = head % static_cast<std::size_t>(group);
    const double same = answer.numbers[i - copy * inner], own = answer.numbers[i];
    if (!(std::abs(own - same) <= 1e-6 * std::max(1.0, std::abs(same)))) return std::nullopt;
    if (copy == 0) first.numbers.push_back(own);
  }
  return first;
}

/// An answer in the shape of its step, and the code of what was different.
struct Arranged {
  Answer answer;
  const char* code;
};

std::optional<Arranged> arranged_as(const Answer& answer, const Trace& truth, const Step& step,
                                    const Tolerance& tolerance) {
  constexpr const char *kHeads = "layout.heads", *kRepeated = "equivalent.repeated_kv";
  const Shape& shape = step.value.shape();
  const Settings& s = step.scope->settings;
  const Index group = s.heads / std::max<Index>(s.kv_heads, 1);
  const std::size_t rank = answer.shape.size();
  if (rank < 2 || !answer.states.empty()) return std::nullopt;
  const bool fits = has_shape(answer, shape);
  if (fits && is_truth(answer, truth, step, tolerance)) return std::nullopt;
  std::vector<Arranged> ways;
  const auto add = [&](const char* code, const std::optional<Answer>& way) {
    if (way && has_shape(*way, shape)) ways.push_back({*way, code});
  };
  const Answer turned = with_heads_first(answer);
  if (shape.heads) {
    add(kHeads, turned);
    if (group > 1 && rank > 2) {
      add(kRepeated, without_copies(answer, rank - 3, group));
      add(kRepeated, without_copies(turned, rank - 3, group));
    }
  } else if (rank > 2) {
    add(kHeads, in_columns(answer));
    add(kHeads, in_columns(turned));
  }
  if (!shape.heads && group > 1) {
    std::vector<std::optional<Answer>> split{in_heads(answer, s.heads)};
    if (rank > 2) split.insert(split.end(), {answer, turned});
    for (const std::optional<Answer>& heads : split) {
      const auto once = heads ? without_copies(*heads, heads->shape.size() - 2, group) : heads;
      add(kRepeated, once ? in_columns(*once) : once);
    }
  }
  const auto right = std::find_if(ways.begin(), ways.end(), [&](const Arranged& way) {
    return is_truth(way.answer, truth, step, tolerance);
  });
  if (right != ways.end()) return *right;
  const bool may_be_columns = has_shape(transposed(answer), shape);
  return !fits && !may_be_columns && ways.size() == 1 ? std::optional(ways.front()) : std::nullopt;
}

/// Whether an answer has the numbers of a step; where a mask hides, any that hides too.
bool is_step(const Trace& truth, const Answer& answer, const Step& step,
             const Tolerance& tolerance) {
  if (!has_shape(answer, step.value.shape())) return false;
  const HiddenCells hidden(truth, *step.scope);
  const bool masked = step.info().role == StepRole::MaskedScores;
  const double most = magnitude(truth, step);
  const Closeness close{.tolerance = accepted_gap(tolerance, most)};
  for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
    const Cell cell = step.value.shape().cell_at(static_cast<Index>(i));
    const double theirs = answer.numbers[i];
    if (masked && hidden(cell) && theirs < -1e3 - most) continue;
    if (!close.agree(theirs, step.value.at(cell))) return false;
  }
  return true;
}

/// Calls scores that are scaled, or scaled and masked, by the name of that step.
void name_scores(const Trace& truth, Answers& answers, const Tolerance& tolerance,
                 CheckReport& report) {
  const auto given = [&](const Step& step) {
    return std::any_of(answers.matrices.begin(), answers.matrices.end(),
                       [&](const Answer& each) { return truth.find_named(each.id) == &step; });
  };
  const bool any_queries =
      std::any_of(answers.matrices.begin(), answers.matrices.end(), [&](const Answer& each) {
        const Step* step = truth.find_named(each.id);
        return step != nullptr && step->local_id().starts_with("q");
      });
  for (Answer& each : answers.matrices) {
    const Step* scores = truth.find_named(each.id);
    if (scores == nullptr || scores->local_id() != "scores" || !each.states.empty() ||
        is_step(truth, each, *scores, tolerance))
      continue;
    for (const Step& step : truth.steps) {
      const bool scaled = step.local_id() == "scaled_scores" || step.local_id() == "capped_scores";
      const bool later = scaled ? any_queries : step.info().role == StepRole::MaskedScores;
      if (!later || step.scope != scores->scope || given(step) ||
          !is_step(truth, each, step, tolerance))
        continue;
      Finding finding = finding_of(*find_mistake("equivalent.scores"), 0, 0);
      finding.message = each.id + " is checked as " + step.id + ": " + finding.message;
      report.findings.push_back(std::move(finding));
      each.id = step.id;
      break;
    }
  }
}

}  // namespace

std::optional<Answer> in_columns(const Answer& answer) {
  if (answer.shape.size() < 3) return std::nullopt;
  Answer flat = answer;
  const Index cols = flat.shape.back();
  flat.shape.pop_back();
  flat.shape.back() *= cols;
  return flat;
}

Answer with_heads_first(Answer answer) {
  const std::size_t rank = answer.shape.size();
  if (rank < 3) return answer;
  const std::vector<double> old = answer.numbers;
  const auto rows = static_cast<std::size_t>(answer.shape[rank - 3]),
             heads = static_cast<std::size_t>(answer.shape[rank - 2]),
             cols = static_cast<std::size_t>(answer.shape[rank - 1]);
  std::swap(answer.shape[rank - 3], answer.shape[rank - 2]);
  for (std::size_t i = 0; i < old.size(); ++i) {
    const std::size_t col = i % cols, head = i / cols % heads, row = i / (cols * heads) % rows;
    const std::size_t matrix = i / (cols * heads * rows);
    answer.numbers[((matrix * heads + head) * rows + row) * cols + col] = old[i];
  }
  return answer;
}

Answers arranged(const Trace& truth, Answers answers, const CheckOptions& options,
                 CheckReport& report) {
  const Tolerance tolerance = usual_tolerance(answers, options);
  std::vector<std::pair<const char*, std::vector<std::string>>> found{
      {"layout.heads", {}}, {"equivalent.repeated_kv", {}}};
  for (Answer& each : answers.matrices) {
    const Step* step = truth.find_named(each.id);
    if (step == nullptr) continue;
    std::optional<Arranged> way = arranged_as(each, truth, *step, tolerance);
    if (!way) continue;
    found[way->code == std::string_view("layout.heads") ? 0 : 1].second.push_back(each.id);
    each = std::move(way->answer);
  }
  for (const auto& [code, ids] : found) {
    if (ids.empty()) continue;
    Finding finding = finding_of(*find_mistake(code), 0, 0);
    finding.message = together(ids) + ": " + finding.message;
    report.findings.push_back(std::move(finding));
  }
  name_scores(truth, answers, tolerance, report);
  return answers;
}

}  // namespace attn
