// The random numbers of NumPy.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "attn/random_draw.hpp"

namespace attn {

/// numpy.random.RandomState(seed), which is what np.random.seed sets: rand, randn and randint, bit
/// for bit. The seed is below 2³², and the kind of a draw is not Linear.
class NumpyRandomState {
 public:
  explicit NumpyRandomState(std::uint64_t seed) : engine_(static_cast<std::uint32_t>(seed)) {}

  std::vector<double> draw(const Draw& wanted);

 private:
  double uniform();
  double normal();

  std::mt19937 engine_;
  std::optional<double> kept_;  // the second number of a pair
};

/// numpy.random.default_rng(seed): random and integers, bit for bit. The kind of a draw is Uniform
/// or Integers: normal numbers would need NumPy's tables of 768 constants.
class NumpyGenerator {
 public:
  explicit NumpyGenerator(std::uint64_t seed);

  std::vector<double> draw(const Draw& wanted);

 private:
  /// 128 bits.
  struct Wide {
    std::uint64_t high, low;
  };
  static Wide sum(Wide a, Wide b);
  static Wide product(Wide a, Wide b);
  void step();
  std::uint64_t next();
  std::uint32_t next_half();

  Wide state_{0, 0}, increment_{0, 0};
  std::optional<std::uint32_t> half_;  // of the last number
};

}  // namespace attn
