// How many learned numbers the projections of an attention have.
#pragma once

#include <optional>
#include <string>

#include "attn/trace.hpp"

namespace attn {

/// The count, and the sum that it comes from.
struct ParameterCount {
  Index total = 0;
  std::string formula;         ///< "4·(6·6 + 6)", "2·(6·4) + 6·2"
  bool for_any_heads = false;  ///< heads share d_model columns: their number changes nothing
};

/// The weights and biases of the projections; nothing where Q, K and V are given.
std::optional<ParameterCount> parameter_count(const Trace& trace, const Scope& scope);

}  // namespace attn
