// Errors about matrix products whose sizes do not match, with a sketch.
#pragma once

#include <string>
#include <vector>

#include "attn/error.hpp"
#include "attn/tensor.hpp"

namespace attn {

/// One side of a product A·B.
struct Factor {
  std::string name;     ///< "X"
  std::string pointer;  ///< "/embeddings"
  Index rows = 0, cols = 0;
  std::string width = {};   ///< the name of A's columns: "d_model"
  std::string source = {};  ///< what they come from: "w_v" for C
  Index source_cols = 0, heads = 1;
};

/// `step` cannot be computed, because the columns of A and the rows of B differ in number.
struct Mismatch {
  std::string step;  ///< "Q = X·W_q"
  Factor a, b;
};

/// A and B above their sizes, with carets below the two that should be equal.
std::string product_sketch(const Factor& a, const Factor& b);

/// One diagnostic for each mismatch; those with the same A and the same numbers become one, whose
/// fix names every B.
std::vector<Diagnostic> product_errors(const std::vector<Mismatch>& mismatches);

}  // namespace attn
