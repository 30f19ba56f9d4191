// What explain_cell prints about a small draft.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "attn/attend.hpp"
#include "attn/render/explain.hpp"
#include "attn/writers.hpp"

namespace attn::testing {

/// Q, K and V of these tokens, two columns each; V has the numbers of Q.
inline ProblemDraft draft_of(std::vector<std::string> tokens) {
  const auto n = static_cast<std::ptrdiff_t>(tokens.size());
  ProblemDraft draft;
  for (auto* part : {&draft.q, &draft.k, &draft.v}) {
    Array array{{n, 2}, {}};
    for (std::ptrdiff_t i = 0; i < 2 * n; ++i)
      array.data.push_back(static_cast<double>(i % 5) - 1.5 + (part == &draft.k ? 0.25 : 0.0));
    *part = array;
  }
  draft.tokens = {std::move(tokens)};
  return draft;
}

/// What explain_cell prints about a cell of a draft, wide.
inline std::string told(const ProblemDraft& draft, const std::string& cell, View view = {},
                        const TextStyle& style = {.width = 700}) {
  return write_text(explain_cell(attend(make_problem(draft)), cell, view), style);
}

}  // namespace attn::testing
