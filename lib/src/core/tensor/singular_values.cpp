// The singular values of a·b are those of the small matrix R_a·R_bᵀ, by Eigen.
#include "core/tensor/singular_values.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>

namespace attn {
namespace {

/// R of an orthogonal matrix times R: what decides lengths and angles of columns.
Matrix upper_part(const Matrix& of) {
  const Eigen::HouseholderQR<Matrix> qr(of);
  return qr.matrixQR().topRows(std::min(of.rows(), of.cols())).triangularView<Eigen::Upper>();
}

}  // namespace

std::vector<double> singular_values_of_product(const Matrix& a, const Matrix& b) {
  std::vector<double> all(static_cast<std::size_t>(std::min({a.rows(), a.cols(), b.cols()})),
                          std::numeric_limits<double>::quiet_NaN());
  if (!a.allFinite() || !b.allFinite()) return all;
  const Matrix core = upper_part(a) * upper_part(b.transpose()).transpose();
  if (!core.allFinite()) return all;
  const Eigen::JacobiSVD<Matrix> found(core);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = found.singularValues()(static_cast<Index>(i));
  return all;
}

}  // namespace attn
