// A comparison for people, as a document, and for programs, as JSON.
#pragma once

#include <string>

#include "attn/document.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/teach/comparison.hpp"

namespace attn {

/// One side of a comparison.
struct ComparedSide {
  std::string name;  ///< "mask=causal", "x.json"
  const Trace& trace;
};

/// A line for each step, then the first that differs, side by side. Differing cells are marked.
/// `source` is the problem that both sides are settings of; empty if they are files.
Document comparison_document(const Comparison& comparison, const ComparedSide& left,
                             const ComparedSide& right, const std::string& source,
                             int precision = 3);

/// The comparison as JSON (docs/compare.md); `left` and `right` are the names of the sides.
std::string comparison_json(const Comparison& comparison, const std::string& left,
                            const std::string& right, NonFinite nonfinite = NonFinite::Words);

}  // namespace attn
