// Tokens drawn by their probabilities.
#include "core/attention/drawing.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <vector>

#include "support/compare.hpp"

using namespace attn;

namespace {

std::map<Index, double> shares(const TokenDraw& draw, const std::vector<double>& probabilities) {
  constexpr int kDraws = 20000;
  Drawing drawing(draw);
  std::map<Index, double> found;
  for (int i = 0; i < kDraws; ++i) found[drawing.next(probabilities)] += 1.0 / kDraws;
  return found;
}

}  // namespace

TEST_CASE("drawing: tokens come as often as their probabilities say") {
  const std::vector<double> p{0.1, 0.6, 0.0, 0.3};
  auto found = shares({}, p);
  CHECK(!found.contains(2));
  for (const Index i : {0, 1, 3})
    CHECK(testing::close(p[static_cast<std::size_t>(i)], found[i], 0.05));
}

TEST_CASE("drawing: a temperature sharpens or flattens, and 0 takes the best") {
  const std::vector<double> p{0.2, 0.8};
  auto cold = shares({.temperature = 0.5}, p);
  CHECK(testing::close(0.64 / 0.68, cold[1], 0.02));
  auto hot = shares({.temperature = 2.0}, p);
  CHECK(testing::close(std::sqrt(0.8) / (std::sqrt(0.8) + std::sqrt(0.2)), hot[1], 0.02));
  CHECK(shares({.temperature = 0.0}, p).begin()->first == 1);
  CHECK(shares({.temperature = 1e-300}, p).size() == 1);
}

TEST_CASE("drawing: only the k most probable are drawn from, and each k is one") {
  CHECK(shares({.top_k = 2}, {0.1, 0.5, 0.4}).size() == 2);
  CHECK(shares({.top_k = 9}, {0.1, 0.5, 0.4}).size() == 3);
  CHECK(shares({.top_k = 1}, {0.5, 0.5}).begin()->first == 0);
}
