// Traces as files: written for programs, and read back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attn/core/format.hpp"
#include "attn/io/shared_bytes.hpp"
#include "attn/trace.hpp"

namespace attn {

struct MemoryBudget;  // attn/core/memory_budget.hpp
struct NumberTree;    // attn/render/explain.hpp

/// How JSON writes −∞, ∞ and "not a number" in the data of steps.
enum class NonFinite {
  Words,  ///< "-Infinity", "Infinity", "NaN": what parse_trace reads
  Null,   ///< null, for readers that accept only numbers; attn does not read it back
};

// Writers. `steps` limits which steps are written; empty: all. They throw Error (usage, id
// "no-such-step") for a step that is not there.

/// The trace as JSON (docs/trace-format.md): keys in a fixed order, one matrix row per line,
/// numbers that read back bit for bit. With all steps, parse_trace makes the same trace from it.
std::string trace_json(const Trace& trace, const std::vector<std::string>& steps = {},
                       NonFinite nonfinite = NonFinite::Words);

/// The same as JSON Lines: first the trace without its steps, then one step per line, with its id.
std::string trace_ndjson(const Trace& trace, const std::vector<std::string>& steps = {},
                         NonFinite nonfinite = NonFinite::Words);

/// A table with one line per number (RFC 4180): step, batch, head, row, col, row_label, col_label,
/// value. Batch and head are empty where a step has none. Labels are as `visible` shows them, so
/// that no token breaks a line or controls a terminal.
std::string trace_csv(const Trace& trace, const std::vector<std::string>& steps = {});

/// One matrix as a table with its labels. Of several, `batch` and `head` (of the queries) choose
/// one; throws Error (usage, id "one-matrix") if they do not.
std::string step_csv(const Trace& trace, const std::string& step,
                     std::optional<Index> batch = std::nullopt,
                     std::optional<Index> head = std::nullopt);

/// Numbers and what they were made from as JSON (docs/trace-format.md): one number per line.
std::string number_trees_json(const std::vector<NumberTree>& trees,
                              NonFinite nonfinite = NonFinite::Words);

/// What to write of a trace, and how.
struct TraceChoice {
  std::vector<std::string> steps = {};
  NonFinite nonfinite = NonFinite::Words;
};

// Readers.

/// Reads what trace_json or trace_ndjson writes, ignoring unknown keys. Nothing is computed again.
/// Throws Error (input) with file, line and pointer: for JSON that parse_problem would refuse, for
/// another major version ("format-version"), and for parts that do not fit together: steps without
/// their inputs, shapes that an operation cannot have made, data of another shape. What is read
/// counts towards `budget`.
Trace parse_trace(const SharedBytes& bytes, const std::string& name,
                  MemoryBudget* budget = nullptr);
inline Trace parse_trace(std::string_view bytes, const std::string& name,
                         MemoryBudget* budget = nullptr) {
  return parse_trace(SharedBytes{bytes}, name, budget);
}

}  // namespace attn
