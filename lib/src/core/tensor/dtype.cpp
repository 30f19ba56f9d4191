// Rounds by way of float32, like hardware that computes in float32 and stores fewer bits.
#include "core/tensor/dtype.hpp"

#include <algorithm>
#include <utility>

#include "core/tensor/eigen.hpp"

namespace attn {
namespace {

// By way of float32, like hardware that computes in float32 and stores fewer bits.
double as_float32(double x) { return static_cast<double>(static_cast<float>(x)); }
double as_bfloat16(double x) {
  return static_cast<double>(static_cast<float>(Eigen::bfloat16(static_cast<float>(x))));
}
double as_float16(double x) {
  return static_cast<double>(static_cast<float>(Eigen::half(static_cast<float>(x))));
}

double (*rounding(Dtype dtype))(double) {
  return dtype == Dtype::Float32 ? as_float32 : dtype == Dtype::Bfloat16 ? as_bfloat16 : as_float16;
}

}  // namespace

Tensor rounded(Tensor tensor, Dtype dtype) {
  if (dtype == Dtype::Float64) return tensor;
  const auto is_narrow = [round = rounding(dtype)](double x) { return round(x) == x; };
  const NumberSpan numbers = tensor.stored();  // may be shared, such as those of a mask
  if (!std::all_of(numbers.begin(), numbers.end(), is_narrow)) round_to(dtype, tensor.edit());
  return tensor;
}

void round_to(Dtype dtype, std::span<double> numbers) {
  if (dtype == Dtype::Float64) return;
  double (*round)(double) = rounding(dtype);
  for (double& number : numbers) number = round(number);
}

std::optional<Dtype> find_dtype(std::string_view name) {
  const auto* at = std::find(std::begin(kDtypeNames), std::end(kDtypeNames), name);
  if (at == std::end(kDtypeNames)) return std::nullopt;
  return static_cast<Dtype>(at - std::begin(kDtypeNames));
}

}  // namespace attn
