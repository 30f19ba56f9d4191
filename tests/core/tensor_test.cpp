// Shapes, and where a tensor keeps its numbers.
#include "attn/tensor.hpp"
#include "attn/eigen.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace attn::testing {
namespace {

/// 0, 1, 2, … in memory order.
Tensor counting(const Shape& shape) {
  Tensor tensor(shape);
  for (std::size_t n = 0; n < tensor.data().size(); ++n) tensor.edit()[n] = static_cast<double>(n);
  return tensor;
}

}  // namespace

TEST_CASE("shape: sizes lists the axes that are there, outermost first") {
  CHECK(Shape{std::nullopt, std::nullopt, 3, 4}.sizes() == std::vector<Index>{3, 4});
  CHECK(Shape{std::nullopt, 2, 3, 4}.sizes() == std::vector<Index>{2, 3, 4});
  CHECK(Shape{5, std::nullopt, 3, 4}.sizes() == std::vector<Index>{5, 3, 4});
  CHECK(Shape{5, 2, 3, 4}.sizes() == std::vector<Index>{5, 2, 3, 4});
}

TEST_CASE("shape: count is the product of all sizes") {
  CHECK(Shape{std::nullopt, std::nullopt, 3, 4}.count() == 12);
  CHECK(Shape{5, 2, 3, 4}.count() == 120);
  CHECK(Shape{5, 2, 0, 4}.count() == 0);
}

TEST_CASE("shape: an axis of size 1 is not the same as no axis") {
  CHECK(Shape{1, std::nullopt, 3, 4} != Shape{std::nullopt, std::nullopt, 3, 4});
  CHECK(Shape{1, 2, 3, 4} == Shape{1, 2, 3, 4});
}

TEST_CASE("shape_text: sizes with a multiplication sign between them") {
  CHECK(shape_text({4, 6}) == "4×6");
  CHECK(shape_text({7}) == "7");
  CHECK(shape_text({}) == "empty");
}

TEST_CASE("tensor: numbers are stored row by row, head by head, batch entry by batch entry") {
  const Tensor tensor = counting({2, 3, 4, 5});
  CHECK(tensor.at({0, 0, 0, 1}) == 1);
  CHECK(tensor.at({0, 0, 1, 0}) == 5);
  CHECK(tensor.at({0, 1, 0, 0}) == 20);
  CHECK(tensor.at({1, 0, 0, 0}) == 60);
  CHECK(tensor.at({1, 2, 3, 4}) == 119);
}

TEST_CASE("tensor: a slice is the matrix of one batch entry and head") {
  const Tensor tensor = counting({2, 3, 4, 5});
  CHECK(view(tensor, 1, 2).rows() == 4);
  CHECK(view(tensor, 1, 2).cols() == 5);
  CHECK(view(tensor, 1, 2)(0, 0) == 100);
  CHECK(view(tensor, 1, 2)(3, 1) == 116);
}

TEST_CASE("tensor: what is written through a slice or a cell is read back by both") {
  Tensor tensor({std::nullopt, 2, 2, 2}, 7.0);
  CHECK(tensor.data() == std::vector<double>(8, 7.0));
  view(tensor, 0, 1)(1, 0) = 3;
  CHECK(tensor.at({0, 1, 1, 0}) == 3);
  tensor.at({0, 0, 0, 1}) = 4;
  CHECK(tensor.data() == std::vector<double>{7, 4, 7, 7, 7, 7, 3, 7});
}

TEST_CASE("tensor: an absent axis gives the same matrix for every index") {
  const Tensor matrix = counting({std::nullopt, std::nullopt, 2, 3});
  CHECK(matrix.batch() == 1);
  CHECK(matrix.heads() == 1);
  CHECK(matrix.at({4, 9, 1, 2}) == 5);
  const Tensor heads = counting({std::nullopt, 2, 2, 3});
  CHECK(heads.at({4, 1, 0, 0}) == 6);
}

}  // namespace attn::testing
