// e^x for whole rows.
#pragma once

#include <span>

namespace attn {

/// out[i] = e^(x[i] − shift), exactly 0 where x[i] is −∞; `out` may be `x`. Within 1 ulp of the
/// true value, and the same bits from every compiler and on every machine with IEEE arithmetic:
/// nothing is contracted or reordered. (Eigen's exp is not 0 at −∞, and depends on the machine.)
void exponentials(std::span<const double> x, double shift, std::span<double> out);

}  // namespace attn
