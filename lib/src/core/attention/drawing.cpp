// Draws tokens: logarithms are divided by the temperature, so that no small one overflows.
#include "core/attention/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"

namespace attn {

Index Drawing::next(std::span<const double> probabilities) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return probabilities[a] > probabilities[b];
  });
  if (draw_.temperature == 0.0) return static_cast<Index>(order.front());
  if (draw_.top_k > 0 && draw_.top_k < std::ssize(order))
    order.resize(static_cast<std::size_t>(draw_.top_k));
  const double largest = std::log(probabilities[order.front()]);
  std::vector<double> sums;
  double sum = 0.0;
  for (const std::size_t i : order)
    sums.push_back(sum += std::exp((std::log(probabilities[i]) - largest) / draw_.temperature));
  const double share = static_cast<double>(numbers_() >> 11) * 0x1p-53;  // 0 … 1, without 1
  const auto at = std::upper_bound(sums.begin(), sums.end(), share * sum) - sums.begin();
  return static_cast<Index>(order[std::min(static_cast<std::size_t>(at), order.size() - 1)]);
}

std::string how_drawn(const TokenDraw& draw) {
  if (draw.temperature == 0.0 || draw.top_k == 1) return "Always the most probable token.";
  const std::string from =
      draw.top_k > 0 ? filled(" from the {} most probable tokens", draw.top_k) : "";
  return filled("Drawn at temperature {}{} (seed {}), not always the most probable token.",
                format_exact(draw.temperature), from, draw.seed);
}

}  // namespace attn
