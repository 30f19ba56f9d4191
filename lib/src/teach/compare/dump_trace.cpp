// The matrices of a dump as a trace, to be compared with another.
#include <algorithm>
#include <memory>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/comparison.hpp"
#include "core/trace/missing_step.hpp"
#include "teach/check/graded_answer.hpp"

namespace attn {
namespace {

/// The step or given of that id or symbol, or nullptr.
const StepInfo* meaning_of(const std::string& name) {
  if (const StepInfo* info = find_step_info(name)) return info;
  for (const std::string& id : step_ids()) {
    const StepInfo* info = find_step_info(id);
    if (name == info->symbol) return info;
  }
  return nullptr;
}

/// The shape of an array with two to four axes, which are, from the last: columns, rows, heads,
/// batch.
std::optional<Shape> shape_of(const std::vector<Index>& sizes) {
  const std::size_t n = sizes.size();
  if (n < 2 || n > 4) return std::nullopt;
  Shape shape{{}, {}, sizes[n - 2], sizes[n - 1]};
  if (n > 2) shape.heads = sizes[n - 3];
  if (n > 3) shape.batch = sizes[n - 4];
  return shape;
}

/// "t0", "t1" …
TokenLists tokens(Index n) {
  TokenLists lists(1);
  for (Index i = 0; i < n; ++i) lists.front().push_back("t" + std::to_string(i));
  return lists;
}

/// For a matrix that belongs to no computation: the facts that name its axes.
std::shared_ptr<const Scope> scope_of(const StepInfo& info, const Shape& shape) {
  auto scope = std::make_shared<Scope>();
  Settings& s = scope->settings;
  s.has_batch = shape.batch.has_value();
  s.has_heads = shape.heads.has_value();
  s.batch = shape.batch.value_or(1);
  s.heads = s.kv_heads = shape.heads.value_or(1);
  scope->query_tokens = tokens(shape.rows);
  scope->key_tokens = tokens(info.is_pairwise() ? shape.cols : shape.rows);
  return scope;
}

/// Of a matrix that is no step.
constexpr StepInfo kAnyMatrix{"", "", "", "", "", "row", "column", "r", "c"};

/// A row for a list of numbers, a batch for all axes before the last three.
Shape any_shape(std::vector<Index> sizes) {
  while (sizes.size() < 2) sizes.insert(sizes.begin(), 1);
  while (sizes.size() > 4) {
    sizes[1] *= sizes[0];
    sizes.erase(sizes.begin());
  }
  return *shape_of(sizes);
}

/// The id that an answer has in the trace: its own name, or that of the step whose symbol it is, if
/// no other answer has that name.
std::string id_of(const Answer& answer, const StepInfo& info, const Answers& answers) {
  const bool own = &info == &kAnyMatrix || find_step_info(answer.id) != nullptr ||
                   std::any_of(answers.matrices.begin(), answers.matrices.end(),
                               [&](const Answer& each) { return each.id == info.id; });
  return own ? answer.id : info.id;
}

/// The step that an answer is compared with.
const Step* twin_of(const std::string& id, const Answer& answer, const Trace* like) {
  if (like == nullptr) return nullptr;
  const Step* same = like->find(id);
  return same == nullptr ? like->find_named(answer.id) : same;
}

Error no_answers(const Answers& answers) {
  const std::vector<std::string> ids = step_ids();
  return input_error({.id = "no-answers",
                      .what = answers.source + " has no matrix named after a step",
                      .places = {{.file = answers.source}},
                      .fix = "The step names are " + listed(ids, ids.size()) + "."});
}

}  // namespace

Trace trace_of(const Answers& answers, const Trace* like) {
  Trace trace;
  trace.title = answers.source;
  const bool any_names =
      answers.by_program &&
      (like == nullptr || std::all_of(like->steps.begin(), like->steps.end(),
                                      [](const Step& step) { return step.is_given(); }));
  for (const Answer& answer : answers.matrices) {
    if (!answer.unreadable.empty()) throw Error(ErrorKind::Input, answer.unreadable);
    const StepInfo* info = meaning_of(answer.id);
    std::optional<Shape> own = shape_of(answer.shape);
    if (any_names && (info == nullptr || !own) && !answer.numbers.empty()) {
      info = &kAnyMatrix;
      own = any_shape(answer.shape);
    }
    if (info == nullptr) {
      trace.notes.push_back("no step is called \"" + answer.id + "\"" +
                            (like == nullptr ? "" : meant_step(*like, answer.id)));
    } else if (!own) {
      trace.notes.push_back(answer.id + " must have 2 to 4 axes");
    }
    if (info == nullptr || !own) continue;
    const std::string id = id_of(answer, *info, answers);
    const Step* twin = twin_of(id, answer, like);
    std::optional<Tensor> fitting =
        twin == nullptr ? std::nullopt : in_shape(answer, twin->value.shape());
    Step step{.id = twin == nullptr ? id : twin->id,
              .operation = find_operation("given"),
              .parameters = {},
              .inputs = {},
              .scope = fitting ? twin->scope : scope_of(*info, *own),
              .meaning = twin == nullptr ? info : twin->meaning,
              .value = fitting ? std::move(*fitting) : Tensor(*own, answer.numbers)};
    if ((step.is_no_step() && !any_names) || trace.find(step.id) != nullptr) continue;
    trace.scopes.push_back(step.scope);
    trace.steps.push_back(std::move(step));
  }
  if (trace.steps.empty()) throw no_answers(answers);
  const std::vector<std::string> ids = step_ids();
  const auto place = [&](const Step& step) {
    return std::find(ids.begin(), ids.end(), step.info().id) - ids.begin();
  };
  if (any_names) return trace;
  trace.steps.rearrange([&](auto& steps) {
    std::stable_sort(steps.begin(), steps.end(),
                     [&](const Step& a, const Step& b) { return place(a) < place(b); });
  });
  return trace;
}

}  // namespace attn
