// Eigen under a name of our own, so that what a program does with Eigen changes no digit of attn.
// One function of Eigen compiled twice, with different flags or from different versions, would be
// one function to the linker. attn/eigen.hpp is for programs alone.
#pragma once

#define Eigen attn_eigen
#include <Eigen/Core>

#include "attn/tensor.hpp"

namespace attn {
inline namespace inside {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<Matrix>;
using ConstMatrixView = Eigen::Map<const Matrix>;

/// The matrix of one batch entry and head, rows × columns; the index of an absent axis is ignored.
inline MatrixView view(Tensor& tensor, Index batch, Index head) {
  return {tensor.matrix(batch, head).data(), tensor.rows(), tensor.cols()};
}
inline ConstMatrixView view(const Tensor& tensor, Index batch, Index head) {
  return {tensor.matrix(batch, head).data(), tensor.rows(), tensor.cols()};
}

}  // namespace inside
}  // namespace attn
