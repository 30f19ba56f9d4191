// Reads answers from a file of any kind.
#include "files/read_answers.hpp"

#include <algorithm>

#include "attn/error.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/problem_tensors.hpp"

namespace attn::app {
namespace {

AnswersFile from_arrays(const ArrayFileType& type, std::string_view bytes, const std::string& name,
                        MemoryBudget budget) {
  if (!type.several) {
    throw input_error(
        {.id = "no-answers",
         .what = "an .npy file holds one array without a name, so its step is unknown",
         .places = {{.file = name}},
         .fix = "Save it under its name: numpy.savez(FILE, weights=weights)."});
  }
  const auto room = [&](const auto& shape) { budget.take(shape, ""); };
  return {answers_from_arrays(type.read(bytes, name, is_answer_name, room), name)};
}

AnswersFile from_trace(std::string_view bytes, const std::string& name, MemoryBudget budget) {
  const MemoryBudget before = budget;
  try {
    Trace trace = parse_trace(bytes, name, &budget);
    return {answers_from_trace(trace, name), std::move(trace)};
  } catch (const Error& error) {
    if (error.diagnostics().front().id != "missing-step") throw;
    return {parse_answers(bytes, name, before)};  // part of a trace
  }
}

}  // namespace

AnswersFile read_answers(const Input& input, double max_memory) {
  const KindOfFile& kind = input.kind();
  if (kind.kind == InputKind::Foreign) input.require_text("answers as JSON");
  return input.read([&](std::string_view bytes) -> AnswersFile {
    const MemoryBudget budget = input.budget(max_memory);
    const std::string& name = input.name();
    if (kind.arrays != nullptr) return from_arrays(*kind.arrays, bytes, name, budget);
    if (kind.kind == InputKind::Sheet) return {{}, {}, parse_sheet(bytes, name, budget)};
    if (kind.kind == InputKind::Trace) return from_trace(bytes, name, budget);
    return {parse_answers(bytes, name, budget)};
  });
}

bool is_dump(const Input& input) {
  const KindOfFile& kind = input.kind();
  return input.read([&](std::string_view bytes) {
    if (!input.has_tensors())
      return kind.kind == InputKind::Table ||
             (kind.kind == InputKind::Json && holds_answers(bytes));
    const std::vector<std::string> names = array_names(*kind.arrays, bytes, input.name());
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {  // not q, k or v
      return is_answer_name(name) && !is_problem_tensor(name);
    });
  });
}

}  // namespace attn::app
