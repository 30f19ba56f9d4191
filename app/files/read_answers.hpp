// Reads the answers that attn check is about, and the dumps that attn compare may be about.
#pragma once

#include <optional>

#include "attn/io/answers_file.hpp"
#include "attn/io/sheet_file.hpp"
#include "files/input.hpp"

namespace attn::app {

/// Somebody's matrices, and the trace or the sheet that they come from, if there is one.
struct AnswersFile {
  Answers answers;
  std::optional<Trace> trace = {};
  std::optional<SheetFile> sheet = {};
};

/// Reads JSON, a table, a trace, a sheet, or a dump. Throws Error.
AnswersFile read_answers(const Input& input, double max_memory);

/// Whether it holds matrices that are computed already, other than a trace, and not a problem.
bool is_dump(const Input& input);

}  // namespace attn::app
