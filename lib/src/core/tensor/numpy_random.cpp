// Repeats NumPy's generators and distributions.
// mt19937.c, legacy-distributions.c, distributions.c, pcg64.c and bit_generator.pyx, in
// numpy/random.
#include "attn/numpy_random.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace attn {

double NumpyRandomState::uniform() {
  const auto high = static_cast<double>(engine_() >> 5U);
  const auto low = static_cast<double>(engine_() >> 6U);
  return (high * 0x1p26 + low) * 0x1p-53;
}

/// Marsaglia's polar method: a point inside the unit circle makes two numbers.
double NumpyRandomState::normal() {
  if (kept_) return *std::exchange(kept_, std::nullopt);
  while (true) {
    const double x = 2 * uniform() - 1, y = 2 * uniform() - 1;
    const double square = x * x + y * y;
    if (square >= 1 || square == 0) continue;
    const double factor = std::sqrt(-2 * std::log(square) / square);
    kept_ = factor * x;
    return factor * y;
  }
}

std::vector<double> NumpyRandomState::draw(const Draw& wanted) {
  const auto largest = static_cast<std::uint32_t>(wanted.high - wanted.low - 1);
  std::uint32_t mask = largest;
  for (unsigned shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
  const auto integer = [&] {
    std::uint32_t bits = 0;
    do {
      if (largest != 0) bits = static_cast<std::uint32_t>(engine_()) & mask;
    } while (bits > largest);
    return static_cast<double>(wanted.low + static_cast<std::int64_t>(bits));
  };
  std::vector<double> numbers(wanted.count);
  for (double& x : numbers) {
    x = wanted.std * (wanted.kind == DrawKind::Uniform  ? uniform()
                      : wanted.kind == DrawKind::Normal ? normal()
                                                        : integer());
  }
  return numbers;
}

namespace {

/// SeedSequence(seed).generate_state(4, uint64): O'Neill's seed_seq_fe, for a seed of two words.
std::array<std::uint64_t, 4> seed_state(std::uint64_t seed) {
  std::uint32_t hash = 0x43b0d7e5U;
  const auto mixed = [&hash](std::uint32_t value, std::uint32_t multiplier) {
    value ^= hash;
    hash *= multiplier;
    value *= hash;
    return value ^ (value >> 16U);
  };
  const auto joined = [](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t value = 0xca01f9ddU * a - 0x4973f715U * b;
    return value ^ (value >> 16U);
  };
  std::array<std::uint32_t, 4> pool{static_cast<std::uint32_t>(seed),
                                    static_cast<std::uint32_t>(seed >> 32U), 0, 0};
  for (std::uint32_t& word : pool) word = mixed(word, 0x931e8875U);
  for (std::size_t from = 0; from < pool.size(); ++from) {
    for (std::size_t to = 0; to < pool.size(); ++to) {
      if (from != to) pool[to] = joined(pool[to], mixed(pool[from], 0x931e8875U));
    }
  }
  hash = 0x8b51f9ddU;
  std::array<std::uint64_t, 4> state{};
  for (std::size_t i = 0; i < 2 * state.size(); ++i) {
    const std::uint64_t word = mixed(pool[i % pool.size()], 0x58f38dedU);
    state[i / 2] |= word << (32U * (i % 2));
  }
  return state;
}

/// The upper half of the product.
std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kLow = 0xffffffffU;
  const std::uint64_t a0 = a & kLow, a1 = a >> 32U, b0 = b & kLow, b1 = b >> 32U;
  const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32U);
  const std::uint64_t other = a0 * b1 + (middle & kLow);
  return a1 * b1 + (middle >> 32U) + (other >> 32U);
}

}  // namespace

NumpyGenerator::Wide NumpyGenerator::sum(Wide a, Wide b) {
  const std::uint64_t low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1U : 0U), low};
}

NumpyGenerator::Wide NumpyGenerator::product(Wide a, Wide b) {
  return {a.high * b.low + a.low * b.high + high_product(a.low, b.low), a.low * b.low};
}

NumpyGenerator::NumpyGenerator(std::uint64_t seed) {
  const auto words = seed_state(seed);
  increment_ = {words[2] << 1U | words[3] >> 63U, words[3] << 1U | 1U};
  step();
  state_ = sum(state_, {words[0], words[1]});
  step();
}

void NumpyGenerator::step() {
  constexpr Wide kMultiplier{2549297995355413924U, 4865540595714422341U};
  state_ = sum(product(state_, kMultiplier), increment_);
}

/// PCG64's output: XSL-RR.
std::uint64_t NumpyGenerator::next() {
  step();
  const std::uint64_t bits = state_.high ^ state_.low;
  const auto turn = static_cast<unsigned>(state_.high >> 58U);
  return bits >> turn | bits << ((64U - turn) & 63U);
}

/// The lower half of a number, then the upper one.
std::uint32_t NumpyGenerator::next_half() {
  if (half_) return *std::exchange(half_, std::nullopt);
  const std::uint64_t bits = next();
  half_ = static_cast<std::uint32_t>(bits >> 32U);
  return static_cast<std::uint32_t>(bits);
}

std::vector<double> NumpyGenerator::draw(const Draw& wanted) {
  const auto range = static_cast<std::uint32_t>(wanted.high - wanted.low);
  const std::uint32_t threshold = (UINT32_MAX - (range - 1)) % range;
  const auto integer = [&] {  // Lemire's method
    std::uint64_t product = 0;
    do {
      product = range == 1 ? 0 : std::uint64_t{next_half()} * range;
    } while (range != 1 && static_cast<std::uint32_t>(product) < threshold);
    return static_cast<double>(wanted.low + static_cast<std::int64_t>(product >> 32U));
  };
  std::vector<double> numbers(wanted.count);
  for (double& x : numbers) {
    x = wanted.std * (wanted.kind == DrawKind::Integers
                          ? integer()
                          : static_cast<double>(next() >> 11U) * 0x1p-53);
  }
  return numbers;
}

}  // namespace attn
