// Eigen's view of tensors, and matrices to and from arrays, for programs.
#pragma once

#include <Eigen/Core>

#include "attn/core/array.hpp"
#include "attn/tensor.hpp"

namespace attn {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<Matrix>;
using ConstMatrixView = Eigen::Map<const Matrix>;

/// The matrix of one batch entry and head, rows × columns; the index of an absent axis is ignored.
/// The view reads and writes the tensor's own numbers.
inline MatrixView view(Tensor& tensor, Index batch = 0, Index head = 0) {
  return {tensor.matrix(batch, head).data(), tensor.rows(), tensor.cols()};
}
inline ConstMatrixView view(const Tensor& tensor, Index batch = 0, Index head = 0) {
  return {tensor.matrix(batch, head).data(), tensor.rows(), tensor.cols()};
}

/// An Eigen matrix as the Array that a ProblemDraft takes, and back; `array` has rank 2.
inline Array to_array(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  Array array{{matrix.rows(), matrix.cols()},
              std::vector<double>(static_cast<std::size_t>(matrix.size()))};
  MatrixView(array.data.data(), matrix.rows(), matrix.cols()) = matrix;
  return array;
}
inline Eigen::MatrixXd to_matrix(const Array& array) {
  return ConstMatrixView(array.data.data(), array.shape.at(0), array.shape.at(1));
}

}  // namespace attn
