// Answers as files: read from JSON, tables, dumps and traces.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "attn/core/memory_budget.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/teach/answers.hpp"
#include "attn/trace.hpp"

namespace attn {

/// Whether the first character after spaces is "{" or "[", or there is none.
bool begins_like_json(std::string_view bytes);

/// Whether a file is a table of cells: its first line names the columns step, row, col and value.
bool is_answers_table(std::string_view bytes);

/// Reads JSON, {"scores": [[1, "3/4"], [null, "-Infinity"]]}, or a table of cells
/// (docs/check-format.md); `name` is the path for messages. A cell that is not a number, or a value
/// that is not a matrix, is kept and described in Answer::unreadable; the rest is read. Throws
/// Error (input) for what is wrong with the whole file: text that is not JSON, a key given twice
/// ("json-duplicate-key"), a value that is not an object ("wrong-type"), a table without its
/// columns ("answers-table"), what takes more than `budget` has room for.
Answers parse_answers(std::string_view bytes, const std::string& name, MemoryBudget budget = {},
                      DecimalMark mark = DecimalMark::Auto);

/// Whether a JSON text holds answers rather than a problem, whose keys may be names of steps too.
/// Takes any bytes.
bool holds_answers(std::string_view bytes);

/// Whether an array of that name may be meant as a step: its id or its symbol.
bool is_answer_name(const std::string& name);

/// The arrays of a dump, which a program made. Arrays with other names may lack their numbers.
Answers answers_from_arrays(std::vector<NamedArray> arrays, const std::string& name);

/// The steps of a trace, which a program made.
Answers answers_from_trace(const Trace& trace, const std::string& name);

}  // namespace attn
