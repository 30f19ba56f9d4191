// Reads answers from a file of any kind.
#include "files/read_answers.hpp"

#include <algorithm>
#include <set>

#include "attn/error.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/problem_tensors.hpp"

namespace attn::app {
namespace {

AnswersFile from_arrays(const ArrayFileType& type, std::string_view bytes, const std::string& name,
                        MemoryBudget budget, const DumpNames& names) {
  if (!type.several) {
    throw input_error(
        {.id = "no-answers",
         .what = "an .npy file holds one array without a name, so its step is unknown",
         .places = {{.file = name}},
         .fix = "Save it under its name: numpy.savez(FILE, weights=weights)."});
  }
  const auto room = [&](const auto& shape) { budget.take(shape, ""); };
  std::set<std::string> scalars;  // which no step is
  for (const ListedArray& each : type.list(bytes, name)) {
    if (each.shape.empty()) scalars.insert(each.name);
  }
  const auto wanted = [&](const std::string& array) {
    return (names.all || is_answer_name(array) || is_name_of_others(array, names.map)) &&
           !scalars.contains(array);
  };
  std::vector<NamedArray> arrays = type.read(bytes, name, wanted, room);
  std::erase_if(arrays, [&](const NamedArray& each) { return scalars.contains(each.name); });
  return {answers_from_arrays(std::move(arrays), name)};
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

OptionRow map_row(NameMap& into) {
  return again(text("--map", "THEIRS=OURS", "a name in the dump, and its step; * is the layer",
                    [&into](const std::string& pair) {
                      const std::size_t sign = pair.find('=');
                      if (sign == pair.npos || sign == 0 || sign + 1 == pair.size()) {
                        throw usage_error("option-value",
                                          "--map takes THEIRS=OURS, not \"" + pair + "\"",
                                          "Write --map blocks.*.queries=h.*.attn.q.");
                      }
                      into.emplace_back(pair.substr(0, sign), pair.substr(sign + 1));
                    }),
               Again::Adds);
}

AnswersFile read_answers(const Input& input, double max_memory, const DumpNames& names) {
  const KindOfFile& kind = input.kind();
  if (kind.kind == InputKind::Foreign) input.require_text("answers as JSON");
  return input.read([&](std::string_view bytes) -> AnswersFile {
    const MemoryBudget budget = input.budget(max_memory);
    const std::string& name = input.name();
    if (kind.arrays != nullptr) return from_arrays(*kind.arrays, bytes, name, budget, names);
    if (kind.kind == InputKind::Sheet) return {{}, {}, parse_sheet(bytes, name, budget)};
    if (kind.kind == InputKind::Trace) return from_trace(bytes, name, budget);
    return {parse_answers(bytes, name, budget)};
  });
}

bool is_dump(const Input& input, const DumpNames& wanted) {
  const KindOfFile& kind = input.kind();
  return input.read([&](std::string_view bytes) {
    if (!input.has_tensors())
      return kind.kind == InputKind::Table ||
             (kind.kind == InputKind::Json && holds_answers(bytes));
    const std::vector<std::string> names = array_names(*kind.arrays, bytes, input.name());
    const bool known =
        std::any_of(names.begin(), names.end(), [&](const std::string& name) {  // not q, k or v
          const bool step = is_answer_name(name) || is_name_of_others(name, wanted.map);
          return step && !is_problem_tensor(name);
        });
    return known || (wanted.all && layer_prefixes(names).empty() &&
                     std::none_of(names.begin(), names.end(), is_problem_tensor));
  });
}

}  // namespace attn::app
