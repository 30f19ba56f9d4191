// Sizes of tensors and access to their numbers.
#include "attn/tensor.hpp"

#include <cassert>
#include <utility>

#include "core/tensor/blocks.hpp"

namespace attn {
std::string shape_text(const std::vector<std::ptrdiff_t>& sizes) {
  std::string text;
  for (const std::ptrdiff_t size : sizes) text += (text.empty() ? "" : "×") + std::to_string(size);
  return text.empty() ? "empty" : text;
}

std::vector<Index> Shape::sizes() const {
  std::vector<Index> sizes;
  if (batch) sizes.push_back(*batch);
  if (heads) sizes.push_back(*heads);
  sizes.push_back(rows);
  sizes.push_back(cols);
  return sizes;
}

Index Shape::count() const { return batch.value_or(1) * heads.value_or(1) * rows * cols; }

Cell Shape::cell_at(Index i) const {
  const Index row = i / cols, head = row / rows, n_heads = heads.value_or(1);
  return {head / n_heads, head % n_heads, row % rows, i % cols};
}

Tensor::Tensor(Shape shape, double fill) : Tensor(unset(shape)) {
  std::fill_n(numbers_.get(), size(), fill);
}

Tensor::Tensor(Shape shape, std::vector<double> data) : shape_(shape) {
  assert(static_cast<Index>(data.size()) == shape_.count());
  const auto kept = std::make_shared<std::vector<double>>(std::move(data));
  numbers_ = {kept, kept->data()};
}

Tensor Tensor::outline(const Shape& shape) {
  Tensor tensor;
  tensor.shape_ = shape;
  return tensor;
}

Tensor Tensor::unset(const Shape& shape) {
  Tensor tensor = outline(shape);
  tensor.numbers_ = room_for(static_cast<std::size_t>(shape.count()));
  return tensor;
}

double* Tensor::own() {
  if (numbers_.use_count() > 1) {
    auto copy = room_for(size());
    std::copy_n(numbers_.get(), size(), copy.get());
    numbers_ = std::move(copy);
  }
  return numbers_.get();
}

Index Tensor::offset(Index batch, Index head) const {
  const Index b = shape_.batch ? batch : 0;
  const Index h = shape_.heads ? head : 0;
  assert(b >= 0 && b < this->batch() && h >= 0 && h < heads());
  return (b * heads() + h) * rows() * cols();
}

std::span<double> Tensor::matrix(Index batch, Index head) {
  return {own() + offset(batch, head), static_cast<std::size_t>(rows() * cols())};
}

std::span<const double> Tensor::matrix(Index batch, Index head) const {
  return {numbers_.get() + offset(batch, head), static_cast<std::size_t>(rows() * cols())};
}

std::span<double> Tensor::row(Index batch, Index head, Index row) {
  return {own() + offset(batch, head) + row * cols(), static_cast<std::size_t>(cols())};
}

std::span<const double> Tensor::row(Index batch, Index head, Index row) const {
  return {numbers_.get() + offset(batch, head) + row * cols(), static_cast<std::size_t>(cols())};
}

bool Tensor::has(const Cell& cell) const {
  const auto within = [](Index i, Index n) { return i >= 0 && i < n; };
  return (!shape_.batch || within(cell.batch, batch())) &&
         (!shape_.heads || within(cell.head, heads())) && within(cell.row, rows()) &&
         within(cell.col, cols());
}

double& Tensor::at(const Cell& cell) {
  assert(has(cell));
  return own()[offset(cell.batch, cell.head) + cell.row * cols() + cell.col];
}

double Tensor::at(const Cell& cell) const {
  assert(has(cell));
  return numbers_.get()[offset(cell.batch, cell.head) + cell.row * cols() + cell.col];
}

}  // namespace attn
