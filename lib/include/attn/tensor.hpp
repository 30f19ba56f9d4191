// Tensor: a stack of matrices with batch and head axes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "attn/core/array.hpp"

namespace attn {

using Index = std::ptrdiff_t;

/// The place of one number: batch entry, head, row, column, all from 0.
struct Cell {
  Index batch = 0;
  Index head = 0;
  Index row = 0;
  Index col = 0;
  bool operator==(const Cell&) const = default;
};

/// The sizes of a Tensor's axes. An absent batch or head axis differs from one of size 1: it is not
/// shown, and every index along it gives the same matrix (broadcasting).
struct Shape {
  std::optional<Index> batch;
  std::optional<Index> heads;
  Index rows = 0;
  Index cols = 0;

  std::vector<Index> sizes() const;  ///< of the axes that are present, outermost first
  Index count() const;               ///< how many numbers
  Cell cell_at(Index i) const;       ///< the place of number `i`, counted row by row
  bool operator==(const Shape&) const = default;
};

/// The number type that every operation's result is rounded to.
enum class Dtype { Float64, Float32, Bfloat16, Float16 };

/// The numbers of a tensor, to read. Equal if all of them are.
struct NumberSpan : std::span<const double> {
  using std::span<const double>::span;
  NumberSpan(const NumberSpan&) = default;
  NumberSpan& operator=(const NumberSpan&) & = default;  // a.data() = … would change nothing
  std::vector<double> copy() const { return {begin(), end()}; }
  friend bool operator==(const NumberSpan& a, const NumberSpan& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
};

/// A stack of matrices: rows × columns for each batch entry and head, contiguous, row-major,
/// double. A copy costs nothing: it shares the numbers until one of the two is written to; so do
/// the matrices along an axis that was added by `spread`. Only members that are not const write,
/// and they copy shared numbers first; a span to write through must not be used after its tensor
/// was copied. Several threads may read a tensor at the same time; meanwhile none may write to it.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Shape shape, double fill = 0.0);
  Tensor(Shape shape, std::vector<double> data);  ///< data.size() == shape.count()

  /// A shape without numbers, to know how many there would be.
  static Tensor outline(const Shape& shape);
  /// A shape with arbitrary numbers, all of which are about to be overwritten.
  static Tensor unset(const Shape& shape);

  /// The same matrices with these axes, where they are absent: those along a new axis share their
  /// numbers.
  Tensor spread(std::optional<Index> batch, std::optional<Index> heads) const;

  const Shape& shape() const { return shape_; }
  Index batch() const { return shape_.batch.value_or(1); }
  Index heads() const { return shape_.heads.value_or(1); }
  Index rows() const { return shape_.rows; }
  Index cols() const { return shape_.cols; }

  /// The numbers of one batch entry and head, row after row; the index of an absent axis is
  /// ignored. `view` (attn/eigen.hpp) shows them as an Eigen matrix.
  std::span<double> matrix(Index batch, Index head);
  std::span<const double> matrix(Index batch, Index head) const;
  /// One row of that matrix.
  std::span<double> row(Index batch, Index head, Index row);
  std::span<const double> row(Index batch, Index head, Index row) const;

  /// Whether there is such a number; an index along an absent axis does not matter.
  bool has(const Cell& cell) const;
  double& at(const Cell& cell);
  double at(const Cell& cell) const;

  /// All numbers, none of an outline; and the same to write to. Where matrices share theirs, a copy
  /// of all is made once, and kept.
  NumberSpan data() const;
  std::span<double> edit();
  /// The numbers that are in memory: those that matrices share only once.
  NumberSpan stored() const { return {numbers_.get(), size()}; }
  /// Which of the stored numbers is at that place.
  Index stored_index(const Cell& cell) const;

 private:
  struct Spread;
  const Shape& stored_shape() const;
  Index offset(Index batch, Index head) const;
  std::size_t size() const;
  double* own();  ///< the numbers, which no other tensor shares from here on
  std::shared_ptr<double> copied() const;

  Shape shape_;
  std::shared_ptr<double> numbers_;
  std::shared_ptr<Spread> spread_;  ///< null: every matrix has its own numbers
};

}  // namespace attn
