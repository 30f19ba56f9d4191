// What rounding to a narrow number type does to a whole model.
#pragma once

#include <vector>

#include "teach/check/near_ties.hpp"

namespace attn {

/// Rounding adds up from layer to layer: widens each tolerance to four times what it does to the
/// step if everything is computed in that number type, because other programs sum in other orders.
/// Routers choose the same experts there. Returns how far their scores may be off.
RouterTolerances allow_rounding(const Trace& truth, Dtype dtype,
                                std::vector<GradedAnswer>& answers);

}  // namespace attn
