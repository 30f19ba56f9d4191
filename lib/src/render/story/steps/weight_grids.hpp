// The weights that steps are made from, as matrices beside each other.
#pragma once

#include <set>
#include <span>
#include <string>

#include "attn/render/explain.hpp"

namespace attn {

/// Adds the weights that the first of `steps` is made from, and those of the steps after it that
/// have all else they need: a headline, then the matrices of at most 32 rows and eight columns. A
/// bias is the last row of its weights. `shown`: ids of those added before, which are left out.
void add_weights(Document& document, const Trace& trace, std::span<const Step* const> steps,
                 const View& view, std::set<std::string>& shown);

}  // namespace attn
