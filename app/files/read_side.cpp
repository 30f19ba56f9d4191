// Reads dumps, and distinguishes them from problems.
#include "files/read_side.hpp"

#include <algorithm>

#include "attn/answers_file.hpp"
#include "attn/tool/problem_tensors.hpp"
#include "attn/trace_file.hpp"
#include "files/files.hpp"
#include "platform/mapped_file.hpp"
#include "files/read_answers.hpp"

namespace attn::app {
namespace {

/// Whether some array can only be a step. Problems have q, k and v too.
bool is_dump(const ArrayFileType& type, const std::string& path, const Streams& streams) {
  return MappedFile(path, streams).read([&](std::string_view bytes) {
    const std::vector<std::string> names = array_names(type, bytes, path);
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
      return is_answer_name(name) && !is_problem_tensor(name);
    });
  });
}

}  // namespace

std::optional<Answers> read_dump(const std::string& path, double max_memory,
                                 const Streams& streams) {
  const ArrayFileType* type = array_file_type(path);
  if (type != nullptr && type->several) {
    if (!is_dump(*type, path, streams)) return std::nullopt;
    return read_answers(path, max_memory, streams).answers;
  }
  const std::string bytes = read_input(path, streams);
  if (is_trace(bytes) || !holds_answers(bytes, path)) return std::nullopt;
  return parse_answers(bytes, path, max_memory);
}

}  // namespace attn::app
