// Reads answers from a file of any kind.
#include "files/read_answers.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "attn/error.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/problem_tensors.hpp"

namespace attn::app {
namespace {

/// Whether one array cannot be read: a single number, text, objects.
bool is_about_array(const Error& error) {
  const std::string& id = error.diagnostics().front().id;
  return id == "rank" || id == "dtype";
}

/// The arrays of a dump that can be read, each read alone, and what is wrong with the others.
/// Throws `error` if there is none.
template <class Read>
Answers readable_arrays(const std::vector<std::string>& names, Read read, const std::string& file,
                        const Error& error) {
  std::vector<NamedArray> arrays;
  std::vector<Answer> others;
  for (const std::string& name : names) {
    try {
      for (NamedArray& each : read([&](const std::string& array) { return array == name; })) {
        if (each.name == name) arrays.push_back(std::move(each));
      }
    } catch (const Error& wrong) {
      if (!is_about_array(wrong)) throw;
      others.push_back({.id = name, .unreadable = wrong.diagnostics()});
    }
  }
  if (arrays.empty()) throw Error(error);
  Answers answers = answers_from_arrays(std::move(arrays), file);
  std::move(others.begin(), others.end(), std::back_inserter(answers.matrices));
  return answers;
}

AnswersFile from_arrays(const ArrayFileType& type, std::string_view bytes, const std::string& name,
                        MemoryBudget budget, const DumpNames& names) {
  if (!type.several) {
    throw input_error(
        {.id = "no-answers",
         .what = "an .npy file holds one array without a name, so its step is unknown",
         .places = {{.file = name}},
         .fix = "Save it under its name: numpy.savez(FILE, weights=weights)."});
  }
  const auto budgeted = [&] {
    return [left = budget](const auto& shape) mutable { left.take(shape, ""); };
  };
  std::set<std::string> scalars;  // which no step is
  for (const ListedArray& each : type.list(bytes, name, budgeted())) {
    if (each.shape.empty()) scalars.insert(each.name);
  }
  const WantArray wanted = [&](const std::string& array) {
    return (names.all || is_answer_name(array) || is_name_of_others(array, names.map)) &&
           !scalars.contains(array);
  };
  const auto read = [&](const WantArray& some) {
    std::vector<NamedArray> arrays = type.read(bytes, name, some, budgeted());
    std::erase_if(arrays, [&](const NamedArray& each) { return scalars.contains(each.name); });
    return arrays;
  };
  AnswersFile file;
  if (!scalars.empty()) {
    file.notes.push_back("not compared, for they are single numbers without axes: " +
                         listed({scalars.begin(), scalars.end()}));
  }
  try {
    file.answers = answers_from_arrays(read(wanted), name);
    return file;
  } catch (const Error& error) {
    if (!is_about_array(error)) throw;
    std::vector<std::string> some = array_names(type, bytes, name);
    std::erase_if(some, [&](const std::string& array) { return !wanted(array); });
    file.answers = readable_arrays(some, read, name, error);
    return file;
  }
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

AnswersFile read_answers(const Input& input, double max_memory, const DumpNames& names,
                         DecimalMark mark) {
  const KindOfFile& kind = input.kind();
  if (kind.kind == InputKind::Foreign) input.require_text(in_catalogue("answers as JSON"));
  return input.read([&](std::string_view bytes) -> AnswersFile {
    const MemoryBudget budget = input.budget(max_memory);
    const std::string& name = input.name();
    if (kind.arrays != nullptr) return from_arrays(*kind.arrays, bytes, name, budget, names);
    if (kind.kind == InputKind::Sheet) return {{}, {}, parse_sheet(bytes, name, budget, mark)};
    if (kind.kind == InputKind::Trace) return from_trace(bytes, name, budget);
    return {parse_answers(bytes, name, budget, mark)};
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
