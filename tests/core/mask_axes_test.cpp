// Masks and biases are in memory once for all that they treat alike, and still have every axis.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/io/problem_file.hpp"
#include "core/tensor/dtype.hpp"
#include "support/files.hpp"

namespace attn::testing {
namespace {

Array array_of_ones(const std::vector<Index>& shape) {
  Index count = 1;
  for (const Index size : shape) count *= size;
  return {shape, std::vector<double>(static_cast<std::size_t>(count), 1.0)};
}

/// Batch 2, heads 3, 4 queries, 5 keys.
ProblemDraft draft_with(const std::vector<std::string>& masks) {
  ProblemDraft draft;
  draft.q = array_of_ones({2, 3, 4, 1});
  draft.k = draft.v = array_of_ones({2, 3, 5, 1});
  for (const std::string& mask : masks) draft.masks.push_back(parse_mask(mask));
  return draft;
}

/// How many matrices of the mask are in memory; it has one for each batch entry and head.
std::size_t matrices(const ProblemDraft& draft, const char* id = "mask") {
  const Trace trace = attend(make_problem(draft));
  const Tensor& mask = trace.value(id);
  CHECK(mask.shape() == Shape{2, 3, 4, 5});
  return mask.stored().size() / 20;
}

}  // namespace

TEST_CASE("tensor: matrices along a new axis share their numbers until one is written to") {
  const Tensor one(Shape{{}, {}, 1, 2}, {1.0, 2.0});
  const Tensor spread = one.spread(2, 2);
  CHECK(spread.shape() == Shape{2, 2, 1, 2});
  CHECK(spread.stored().data() == one.stored().data());
  CHECK(spread.at({1, 1, 0, 1}) == 2.0);
  CHECK(spread.row(1, 0, 0).data() == one.row(0, 0, 0).data());
  CHECK(spread.data().copy() == std::vector<double>{1, 2, 1, 2, 1, 2, 1, 2});
  Tensor copy = spread;
  CHECK(copy.data().data() == spread.data().data());  // made once for both
  copy.at({0, 1, 0, 0}) = 7.0;
  CHECK(copy.data().copy() == std::vector<double>{1, 2, 7, 2, 1, 2, 1, 2});
  CHECK(spread.at({0, 1, 0, 0}) == 1.0);

  const Tensor heads(Shape{{}, 2, 1, 1}, {1.0, 2.0});
  CHECK(heads.spread(2, 2).data().copy() == std::vector<double>{1, 2, 1, 2});
  const Tensor entries(Shape{2, {}, 1, 1}, {1.0, 2.0});
  CHECK(entries.spread(2, 2).data().copy() == std::vector<double>{1, 1, 2, 2});
  CHECK(entries.spread(2, 2).stored_index({1, 1, 0, 0}) == 1);
  CHECK(Tensor::outline({{}, {}, 1, 1}).spread(2, 2).data().empty());
}

TEST_CASE("dtype: numbers that are narrow already stay shared") {
  const Tensor mask(Shape{{}, {}, 1, 2}, {1.0, 0.0});
  CHECK(rounded(mask.spread(2, 2), Dtype::Float16).stored().data() == mask.stored().data());
  const Tensor third(Shape{{}, {}, 1, 1}, 1.0 / 3.0);
  CHECK(rounded(third.spread(2, {}), Dtype::Float32).at({1, 0, 0, 0}) ==
        static_cast<double>(static_cast<float>(1.0 / 3.0)));
}

TEST_CASE("mask: it is in memory for each batch entry or head only where they differ") {
  CHECK(matrices(draft_with({"causal", "window:2", "prefix:2", "documents:3,2", "keys:1"})) == 1);
  ProblemDraft draft = draft_with({});
  draft.key_lengths = {3, 3};
  CHECK(matrices(draft) == 1);
  draft.align = Align::KeyLengths;
  draft.masks = {parse_mask("causal")};
  CHECK(matrices(draft) == 1);
  draft.key_lengths = {3, 4};
  CHECK(matrices(draft) == 2);
  draft = draft_with({"padding"});
  draft.k->data[4] = 0.0;
  CHECK(matrices(draft) == 1);  // not zero in every head
  for (const std::size_t head : {0U, 1U, 2U}) draft.k->data[5 * head + 4] = 0.0;
  CHECK(matrices(draft) == 2);
  draft = draft_with({"causal"});
  draft.allowed = array_of_ones({3, 1, 5});
  CHECK(matrices(draft) == 3);
  draft.allowed = array_of_ones({2, 1, 1, 5});
  CHECK(matrices(draft) == 2);
  draft.allowed = array_of_ones({2, 3, 4, 5});
  CHECK(matrices(draft) == 6);
  draft.allowed = array_of_ones({5});
  CHECK(matrices(draft) == 1);
}

TEST_CASE("bias: it is in memory with the axes that it is given with") {
  ProblemDraft draft = draft_with({});
  draft.dtype = Dtype::Float16;
  draft.bias = array_of_ones({4, 5});
  CHECK(matrices(draft, "bias") == 1);
  draft.bias = array_of_ones({2, 1, 1, 5});
  CHECK(matrices(draft, "bias") == 2);
}

TEST_CASE("model: all layers share one mask, and an outline has none") {
  ProblemDraft draft =
      parse_problem(read_test_file("reference/models/llama_tied.json"), "llama.json").draft;
  const Problem problem = make_problem(draft);
  const Trace trace = attend(problem), again = attend(problem);
  const Tensor &first = trace.value("layers.0.self_attn.mask"),
               &second = trace.value("layers.1.self_attn.mask");
  CHECK(first.heads() > 1);
  CHECK(std::ssize(first.stored()) == first.rows() * first.cols());
  CHECK(first.stored().data() == second.stored().data());
  CHECK(first.stored().data() == again.value("layers.0.self_attn.mask").stored().data());
  const Trace shapes = outline(problem);
  CHECK(shapes.at("layers.0.self_attn.mask").is_outline());
  CHECK(shapes.value("layers.0.self_attn.mask").shape() == first.shape());
}

}  // namespace attn::testing
