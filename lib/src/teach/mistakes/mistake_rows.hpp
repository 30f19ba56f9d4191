// The rows of the table of mistakes, by what they touch.
#pragma once

#include <span>
#include <string_view>

#include "attn/teach/mistakes.hpp"
#include "teach/mistakes/wiring.hpp"

namespace attn {

/// A mistake, and how it changes the computation.
struct MistakeRow {
  Mistake words;
  /// The ways in which people make it; none if it cannot occur in the problem. nullptr: it can only
  /// be recognised.
  Recipes (*variants)(const Wiring& wiring) = nullptr;
  /// Whether a row of the result depends on other queries, so that a few rows cannot rule it out.
  bool mixes_queries = false;
  /// Whether the batch and row axes may be swapped in some of its results.
  bool swaps_axes = false;
};

std::span<const MistakeRow> scale_mistakes();
std::span<const MistakeRow> softmax_mistakes();
std::span<const MistakeRow> mask_mistakes();
std::span<const MistakeRow> projection_mistakes();
std::span<const MistakeRow> head_mistakes();
std::span<const MistakeRow> position_mistakes();
std::span<const MistakeRow> slips();
std::span<const MistakeRow> equivalents();

/// The variants of a mistake that can occur in this computation: every step that they rewire can
/// still be computed.
Recipes variants_of(const MistakeRow& row, const Trace& truth);

/// All of them, in the order of `mistakes()`.
std::span<const MistakeRow* const> mistake_rows();

/// The row of that code, or nullptr.
const MistakeRow* find_mistake_row(std::string_view code);

}  // namespace attn
