// Reads the answers that attn check is about.
#pragma once

#include <optional>
#include <string>

#include "attn/answers_file.hpp"
#include "attn/sheet_file.hpp"
#include "command.hpp"

namespace attn::app {

/// Somebody's matrices, and the trace or the sheet that they come from, if there is one.
struct AnswersFile {
  Answers answers;
  std::optional<Trace> trace = {};
  std::optional<SheetFile> sheet = {};
};

/// Reads JSON, a table, a trace, a sheet, or a dump by its extension (standard input: by its first
/// bytes). Throws Error.
AnswersFile read_answers(const std::string& path, double max_memory, const Streams& streams);

}  // namespace attn::app
