// Repeats ATen to the last digit: its two ways to normal numbers, and Cephes' ln, sin and cos.
#include "attn/torch_random.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>

#include "core/text/bit_cast.hpp"

// ATen makes normal numbers in two ways, depending on how many: DistributionTemplates.h and
// DistributionsHelper.h (fewer than 16, in double), normal_fill_AVX2 (16 and more, in float32).

namespace attn {
namespace {

constexpr std::size_t kBlock = 16;

struct SinCos {
  float sin;
  float cos;
};

// Logarithm, sine and cosine of Moshier's Cephes library (logf.c, sinf.c), in the arrangement of
// Pommier's avx_mathfun.h that PyTorch uses. They are not correctly rounded, and those of other
// libraries differ in the last digits. std::fma is where PyTorch's compiler fused a product and a
// sum into one instruction; no other sum here has a product that a compiler could fuse.

/// c[0]·xⁿ + … + c[n], by Horner's rule.
template <std::size_t N>
float polynomial(const float (&c)[N], float x) {
  float y = c[0];
  for (std::size_t i = 1; i < N; ++i) y = std::fma(y, x, c[i]);
  return y;
}

/// ln x, for a normal x > 0: x = m · 2ᵉ with m from √½ to √2.
float log_cephes(float x) {
  constexpr float kC[] = {7.0376836292e-2F,  -1.1514610310e-1F, 1.1676998740e-1F,
                          -1.2420140846e-1F, 1.4249322787e-1F,  -1.6668057665e-1F,
                          2.0000714765e-1F,  -2.4999993993e-1F, 3.3333331174e-1F};
  const auto bits = bit_cast<std::uint32_t>(x);
  float e = static_cast<float>(bits >> 23U) - 126.0F;
  float m = bit_cast<float>((bits & 0x007fffffU) | 0x3f000000U);  // 0.5 ≤ m < 1
  if (m < std::numbers::sqrt2_v<float> / 2) {
    e -= 1;
    m = (m - 1) + m;
  } else {
    m -= 1;
  }
  const float square = m * m;
  const float tail = std::fma(polynomial(kC, m) * m, square, e * -2.12194440e-4F);
  return std::fma(e, 0.693359375F, m + std::fma(-0.5F, square, tail));
}

/// Sine and cosine of 0 ≤ x ≤ 2π: the distance to the nearest multiple of π/2, and which it is.
SinCos sincos_cephes(float x) {
  constexpr float kSin[] = {-1.9515295891e-4F, 8.3321608736e-3F, -1.6666654611e-1F};
  constexpr float kCos[] = {2.443315711809948e-5F, -1.388731625493765e-3F, 4.166664568298827e-2F};
  const int octant = static_cast<int>(x * 1.27323954473516F);  // 4/π
  const int quarter = (octant + 1) / 2;
  const auto turned = static_cast<float>(2 * quarter);
  x = std::fma(turned, -0.78515625F, x);  // π/4 in three parts
  x = std::fma(turned, -2.4187564849853515625e-4F, x);
  x = std::fma(turned, -3.77489497744594108e-8F, x);
  const float square = x * x;
  const float cosine = std::fma(polynomial(kCos, square) * square, square, -0.5F * square) + 1;
  const float sine = std::fma(polynomial(kSin, square) * square, x, x);
  switch (quarter % 4) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

/// Turns 16 uniform numbers into normal ones by Box and Muller: numbers i and i + 8 are the radius
/// and the angle of a point, of which i gets the cosine and i + 8 the sine.
void make_normal(float* block) {
  for (std::size_t i = 0; i < kBlock / 2; ++i) {
    float& first = block[i];
    float& second = block[i + kBlock / 2];
    const float radius = std::sqrt(-2 * log_cephes(1 - first));
    const SinCos point = sincos_cephes(2 * std::numbers::pi_v<float> * second);
    first = radius * point.cos;
    second = radius * point.sin;
  }
}

}  // namespace

float TorchRandom::uniform() { return static_cast<float>(engine_() & 0xffffffU) * 0x1p-24F; }

void TorchRandom::fill_uniform(std::vector<float>& numbers) {
  for (float& x : numbers) x = uniform();
}

/// Uniform between −bound and bound: kaiming_uniform_ with a = √5 for the weight, 1/√in for the
/// bias. uniform_real_distribution of ATen's TransformationHelper.h makes product and sum in one
/// instruction.
void TorchRandom::fill_linear(std::vector<float>& numbers, const Draw& wanted) {
  const double root = std::sqrt(static_cast<double>(wanted.inputs));
  const double bound = wanted.bias ? 1 / root : std::sqrt(3.0) * (std::sqrt(2.0 / 6.0) / root);
  const auto low = static_cast<float>(-bound), high = static_cast<float>(bound);
  for (float& x : numbers) x = std::fma(uniform(), high - low, low);
}

/// 16 numbers and more, in blocks of 16. A block that would reach past the end is moved back and
/// drawn anew.
void TorchRandom::fill_in_blocks(std::vector<float>& numbers) {
  fill_uniform(numbers);
  const std::size_t rest = numbers.size() % kBlock;
  for (std::size_t i = 0; i + rest < numbers.size(); i += kBlock) make_normal(&numbers[i]);
  if (rest == 0) return;
  float* last = &numbers[numbers.size() - kBlock];
  for (std::size_t i = 0; i < kBlock; ++i) last[i] = uniform();
  make_normal(last);
}

/// Fewer than 16 numbers, two by two, in double. The second of a pair that is not needed is kept
/// for the next call that draws few.
void TorchRandom::fill_in_pairs(std::vector<float>& numbers) {
  const auto uniform53 = [&] {
    const std::uint64_t high = engine_();
    const std::uint64_t low = engine_();
    return static_cast<double>((high << 32U | low) & ((std::uint64_t{1} << 53U) - 1)) * 0x1p-53;
  };
  for (float& x : numbers) {
    if (kept_) {
      x = static_cast<float>(*kept_);
      kept_.reset();
      continue;
    }
    const double angle = 2 * std::numbers::pi * uniform53();
    const double radius = std::sqrt(-2 * std::log1p(-uniform53()));
    x = static_cast<float>(radius * std::cos(angle));
    kept_ = radius * std::sin(angle);
  }
}

void TorchRandom::fill_normal(std::vector<float>& numbers) {
  numbers.size() < kBlock ? fill_in_pairs(numbers) : fill_in_blocks(numbers);
}

std::vector<double> TorchRandom::draw(const Draw& wanted) {
  std::vector<double> all(wanted.count);
  if (wanted.kind == DrawKind::Integers) {
    const auto range = static_cast<std::uint32_t>(wanted.high - wanted.low);
    for (double& x : all)
      x = static_cast<double>(wanted.low + static_cast<std::int64_t>(engine_() % range));
    return all;
  }
  std::vector<float> numbers(wanted.count);
  if (wanted.kind == DrawKind::Uniform) fill_uniform(numbers);
  if (wanted.kind == DrawKind::Normal) fill_normal(numbers);
  if (wanted.kind == DrawKind::Linear) fill_linear(numbers, wanted);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = numbers[i] * static_cast<float>(wanted.std);
  return all;
}

void TorchRandom::skip(const Draw& drawn) {
  const std::size_t rest = drawn.count % kBlock;
  if (drawn.kind != DrawKind::Normal) return engine_.discard(drawn.count);
  if (drawn.count < kBlock) return void(draw(drawn));
  engine_.discard(drawn.count + (rest == 0 ? 0 : kBlock));
}

namespace {

Array first_drawn(const std::vector<std::ptrdiff_t>& shape, std::uint64_t seed, Draw wanted) {
  wanted.count = 1;
  for (const std::ptrdiff_t size : shape) wanted.count *= static_cast<std::size_t>(size);
  return {shape, TorchRandom(seed).draw(wanted)};
}

}  // namespace

Array rand(const std::vector<std::ptrdiff_t>& shape, std::uint64_t seed) {
  return first_drawn(shape, seed, {.kind = DrawKind::Uniform});
}

Array randn(const std::vector<std::ptrdiff_t>& shape, std::uint64_t seed, double std) {
  return first_drawn(shape, seed, {.kind = DrawKind::Normal, .std = std});
}

}  // namespace attn
