// Reads answers from a file of any kind.
#include "files/read_answers.hpp"

#include "attn/error.hpp"
#include "attn/tensor_file.hpp"
#include "attn/trace_file.hpp"
#include "files/files.hpp"
#include "platform/mapped_file.hpp"

namespace attn::app {
namespace {

AnswersFile from_arrays(const ArrayFileType& type, std::string_view bytes, const std::string& name,
                        double max_memory) {
  if (!type.several) {
    throw input_error(
        {.id = "no-answers",
         .what = "an .npy file holds one array without a name, so its step is unknown",
         .places = {{.file = name}},
         .fix = "Save it under its name: numpy.savez(FILE, weights=weights)."});
  }
  MemoryBudget budget{max_memory};
  const auto room = [&](const auto& shape) { budget.take(shape, ""); };
  return {answers_from_arrays(type.read(bytes, name, is_answer_name, room), name)};
}

}  // namespace

AnswersFile read_answers(const std::string& path, double max_memory, const Streams& streams) {
  require_answers(path);
  if (const ArrayFileType* type = array_file_type(path)) {
    const MappedFile file(path, streams);
    return file.read(
        [&](std::string_view bytes) { return from_arrays(*type, bytes, path, max_memory); });
  }
  const std::string bytes = read_input(path, streams);
  const std::string name = path == "-" ? "<stdin>" : path;
  for (const ArrayFileType& type : array_file_types()) {
    if (path == "-" && type.recognises(bytes)) return from_arrays(type, bytes, name, max_memory);
  }
  if (is_sheet(bytes)) {
    SheetFile sheet = parse_sheet(bytes, name, max_memory);
    return {.answers = {}, .sheet = std::move(sheet)};
  }
  if (!is_answers_table(bytes) && !path.ends_with(".csv"))
    refuse_foreign_file(bytes, name, "answers as JSON");
  if (!is_trace(bytes)) return {parse_answers(bytes, name, max_memory)};
  MemoryBudget budget{max_memory};
  try {
    Trace trace = parse_trace(bytes, name, &budget);
    return {answers_from_trace(trace, name), std::move(trace)};
  } catch (const Error& error) {
    if (error.diagnostics().front().id != "missing-step") throw;
    return {parse_answers(bytes, name, max_memory)};  // part of a trace
  }
}

}  // namespace attn::app
