// Sizes of tensors and access to their numbers.
#include "attn/tensor.hpp"

#include <cassert>
#include <mutex>
#include <utility>

#include "core/tensor/blocks.hpp"
#include "core/tensor/slices.hpp"

namespace attn {

/// How matrices share numbers; one for all copies of a tensor.
struct Tensor::Spread {
  explicit Spread(const Shape& of_stored) : stored(of_stored) {}

  Shape stored;  ///< without the axes along which they do
  std::once_flag copied = {};
  std::shared_ptr<double> all = {};
};

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

Tensor Tensor::spread(std::optional<Index> batch, std::optional<Index> heads) const {
  Tensor tensor = *this;
  if (!shape_.batch) tensor.shape_.batch = batch;
  if (!shape_.heads) tensor.shape_.heads = heads;
  const bool shares = numbers_ && tensor.shape_.count() != stored_shape().count();
  if (shares) tensor.spread_ = std::make_shared<Spread>(stored_shape());
  return tensor;
}

const Shape& Tensor::stored_shape() const { return spread_ ? spread_->stored : shape_; }

std::size_t Tensor::size() const {
  return numbers_ ? static_cast<std::size_t>(stored_shape().count()) : 0;
}

NumberSpan Tensor::data() const {
  if (!spread_) return stored();
  std::call_once(spread_->copied, [&] { spread_->all = copied(); });
  return {spread_->all.get(), static_cast<std::size_t>(shape_.count())};
}

std::span<double> Tensor::edit() {
  double* numbers = own();
  return {numbers, size()};
}

std::shared_ptr<double> Tensor::copied() const {
  auto copy = room_for(static_cast<std::size_t>(shape_.count()));
  double* to = copy.get();
  for_each_slice(*this, [&](Index b, Index h) {
    const auto from = matrix(b, h);
    to = std::copy(from.begin(), from.end(), to);
  });
  return copy;
}

double* Tensor::own() {
  if (numbers_.use_count() > 1 || spread_) {
    numbers_ = copied();
    spread_.reset();
  }
  return numbers_.get();
}

Index Tensor::offset(Index batch, Index head) const {
  assert(!shape_.batch || (batch >= 0 && batch < this->batch()));
  assert(!shape_.heads || (head >= 0 && head < heads()));
  const Shape& stored = stored_shape();
  const Index b = stored.batch ? batch : 0;
  const Index h = stored.heads ? head : 0;
  return (b * stored.heads.value_or(1) + h) * rows() * cols();
}

Index Tensor::stored_index(const Cell& cell) const {
  assert(has(cell));
  return offset(cell.batch, cell.head) + cell.row * cols() + cell.col;
}

std::span<double> Tensor::matrix(Index batch, Index head) {
  double* numbers = own();
  return {numbers + offset(batch, head), static_cast<std::size_t>(rows() * cols())};
}

std::span<const double> Tensor::matrix(Index batch, Index head) const {
  return {numbers_.get() + offset(batch, head), static_cast<std::size_t>(rows() * cols())};
}

std::span<double> Tensor::row(Index batch, Index head, Index row) {
  double* numbers = own();
  return {numbers + offset(batch, head) + row * cols(), static_cast<std::size_t>(cols())};
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
  double* numbers = own();
  return numbers[stored_index(cell)];
}

double Tensor::at(const Cell& cell) const { return numbers_.get()[stored_index(cell)]; }

}  // namespace attn
