// What a mask hides is not computed where nobody sees it.
#include "core/operations/narrowing.hpp"

#include <algorithm>
#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/products/products.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

/// Whether a link after number `at` reads one before it.
bool is_bypassed(const std::vector<RowLink>& chain, std::size_t at) {
  return std::any_of(chain.begin() + static_cast<std::ptrdiff_t>(at) + 1, chain.end(),
                     [&](const RowLink& link) {
                       return std::any_of(link.inputs.begin(), link.inputs.end(),
                                          [&](const RowLink::Input& input) {
                                            return input.tensor == nullptr && input.link < at;
                                          });
                     });
}

/// The link whose mask decides which columns of the links before it are needed: Q·Kᵀ, and what is
/// made from it cell by cell, none of it kept or read later. 0: there is none.
std::size_t hiding_link(const std::vector<RowLink>& chain) {
  if (chain.front().operation != &multiply_transposed || chain.front().is_kept) return 0;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (!chain[i].operation->by_cells) return 0;
    if (chain[i].operation == &hide && chain[i].inputs[1].tensor != nullptr)
      return is_bypassed(chain, i) ? 0 : i;
    if (chain[i].is_kept) return 0;
  }
  return 0;
}

bool reads_only(const RowLink& link, std::size_t earlier) {
  return link.inputs[0].tensor == nullptr && link.inputs[0].link == earlier;
}

/// Whether the mask is followed by softmax, which turns what is hidden into exactly 0, and that by
/// a product with finite values, and nothing else reads the results of mask and softmax.
bool hides_from_product(const std::vector<RowLink>& chain, std::size_t hiding) {
  if (chain.size() < hiding + 3) return false;
  const RowLink &hidden = chain[hiding], &shares = chain[hiding + 1], &product = chain[hiding + 2];
  return !hidden.is_kept && hidden.parameters->number("fill") == -HUGE_VAL &&
         shares.operation == &softmax && !shares.is_kept && reads_only(shares, hiding) &&
         !fills_rows(*shares.parameters) && product.operation == &multiply &&
         !is_set(*product.parameters, "transposed") && reads_only(product, hiding + 1) &&
         !is_bypassed(chain, hiding + 2) && product.inputs[1].tensor != nullptr &&
         !is_small(kProductStep, product.shape) &&
         !not_finite_among(product.inputs[1].tensor->data()).any();
}

}  // namespace

Narrowing narrowing_of(const std::vector<RowLink>& chain) {
  const std::size_t hiding = hiding_link(chain);
  return {hiding, hiding > 0 && hides_from_product(chain, hiding) ? hiding + 2 : hiding};
}

Columns visible_columns(const Rows<const double>& mask) {
  constexpr Index kStep = kProductStep;
  const Index steps = (mask.cols + kStep - 1) / kStep;
  const auto is_seen = [&](Index step) {
    const Index first = step * kStep, count = std::min(kStep, mask.cols - first);
    for (Index r = 0; r < mask.rows; ++r) {
      if (!all_zero(mask.row(r).subspan(static_cast<std::size_t>(first),
                                        static_cast<std::size_t>(count))))
        return true;
    }
    return false;
  };
  Index first = 0, end = steps;
  while (first < end && !is_seen(first)) ++first;
  while (end > first && !is_seen(end - 1)) --end;
  if (first == end) return {0, mask.cols};
  if (end == steps && mask.cols - first * kStep < kStep) first = std::max(first - 1, Index{0});
  return {first * kStep, std::min(end * kStep, mask.cols)};
}

}  // namespace attn::ops
