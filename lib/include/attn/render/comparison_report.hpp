// A comparison for people, as a document, and for programs, as JSON.
#pragma once

#include <string>
#include <vector>

#include "attn/document.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/teach/comparison.hpp"

namespace attn {

/// One side of a comparison.
struct ComparedSide {
  std::string name;  ///< "mask=causal", "x.json"
  const Trace& trace;
};

/// The ids of the steps of either side that `names` choose: ids, symbols or numbers as shown.
/// Throws Error (usage, id "no-such-step").
std::vector<std::string> steps_of_comparison(const Comparison& comparison, const Trace& left,
                                             const Trace& right,
                                             const std::vector<std::string>& names);

/// A line for each step, then the numbers of both sides where they begin to differ, of the weights
/// and of the last step; with `ids`, only these steps. Differing cells are marked. `source` is the
/// problem that both sides are settings of; empty if they are files.
Document comparison_document(const Comparison& comparison, const ComparedSide& left,
                             const ComparedSide& right, const std::string& source,
                             int precision = kUsualDecimals,
                             const std::vector<std::string>& ids = {});

/// The comparison as JSON (docs/compare.md); `left` and `right` are the names of the sides.
std::string comparison_json(const Comparison& comparison, const std::string& left,
                            const std::string& right, NonFinite nonfinite = NonFinite::Words);

}  // namespace attn
