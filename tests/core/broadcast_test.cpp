// How `allowed` and `bias` spread to N × h × T_q × T_k, and masks shorter than the keys.
// The latter as in ONNX Attention from opset 24 on.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "support/errors.hpp"
#include "support/infinity.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

using Sizes = std::vector<Index>;

Array filled(const Sizes& shape, double number) {
  Index count = 1;
  for (const Index size : shape) count *= size;
  return {shape, std::vector<double>(static_cast<std::size_t>(count), number)};
}

/// Batch 2, heads 3, 2 queries, 4 keys.
ProblemDraft whole() {
  ProblemDraft draft;
  draft.q = filled({2, 3, 2, 1}, 1);
  draft.k = draft.v = filled({2, 3, 4, 1}, 1);
  return draft;
}

/// No batch and no heads, 2 queries, `n_keys` keys.
ProblemDraft plain(Index n_keys) {
  ProblemDraft draft;
  draft.q = filled({2, 1}, 1);
  draft.k = draft.v = filled({n_keys, 1}, 1);
  return draft;
}

/// "10/11": the rows of the mask for one batch entry and head; 1 = may attend.
std::string visible(const ProblemDraft& draft, Index batch = 0, Index head = 0) {
  const Trace trace = trace_of(draft);
  const Tensor& mask = trace.value("mask");
  std::string text;
  for (Index i = 0; i < mask.rows(); ++i) {
    if (i > 0) text += '/';
    for (Index j = 0; j < mask.cols(); ++j) text += mask.at({batch, head, i, j}) == 1 ? '1' : '0';
  }
  return text;
}

std::string pointer_of_complaint(const ProblemDraft& draft) {
  return error_from([&] { make_problem(draft); }).diagnostics().front().places.at(0).pointer;
}

}  // namespace

TEST_CASE("bias: each rank is aligned with the last axes, and repeats along the others") {
  struct Row {
    Sizes shape;
    Index batch, head, query, key;  // strides in the numbers 0, 1, 2, …; 0 where they repeat
  };
  const Row rows[] = {
      {{4}, 0, 0, 0, 1},          {{2, 4}, 0, 0, 4, 1},        {{3, 2, 4}, 0, 8, 4, 1},
      {{3, 1, 4}, 0, 4, 0, 1},    {{2, 3, 2, 4}, 24, 8, 4, 1}, {{2, 1, 2, 4}, 8, 0, 4, 1},
      {{2, 1, 1, 1}, 1, 0, 0, 0}, {{1, 3, 2, 1}, 0, 2, 1, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(shape_text(row.shape));
    ProblemDraft draft = whole();
    draft.bias = filled(row.shape, 0);
    for (std::size_t n = 0; n < draft.bias->data.size(); ++n) {
      draft.bias->data[n] = static_cast<double>(n);
    }
    const auto expected = row.batch + 2 * row.head + row.query + 3 * row.key;
    CHECK(trace_of(draft).value("bias").at({1, 2, 1, 3}) == static_cast<double>(expected));
  }
}

TEST_CASE("bias: rank 3 without heads is one matrix for each batch entry") {
  ProblemDraft draft = whole();
  draft.q = filled({2, 2, 1}, 1);
  draft.k = draft.v = filled({2, 4, 1}, 1);
  draft.bias = filled({2, 1, 4}, 0);
  draft.bias->data = {0, 0, 0, 0, 1, 2, 3, 4};
  CHECK(trace_of(draft).value("bias").at({0, 0, 1, 2}) == 0);
  CHECK(trace_of(draft).value("bias").at({1, 0, 1, 2}) == 3);
}

TEST_CASE("allowed: keys that a shorter mask does not reach are hidden by that mask") {
  ProblemDraft draft = plain(4);
  draft.allowed = Array{{3}, {1, 0, 1}};
  CHECK(visible(draft) == "1010/1010");
  draft.allowed = Array{{2, 2}, {1, 0, 1, 1}};
  CHECK(visible(draft) == "1000/1100");
  const Problem problem = make_problem(draft);
  CHECK(problem->visibility->names == std::vector<std::string>{"allowed"});
  CHECK(problem->visibility->hider.at(3) == 1);
  ProblemDraft each = whole();
  each.allowed = filled({2, 3, 1, 2}, 1);
  each.allowed->data[10] = 0;  // batch 1, head 2, key 0
  CHECK(visible(each, 0, 2) == "1100/1100");
  CHECK(visible(each, 1, 2) == "0100/0100");
}

TEST_CASE("allowed: a last axis of 1 reaches every key") {
  ProblemDraft draft = plain(4);
  draft.allowed = Array{{2, 1}, {0, 1}};
  CHECK(visible(draft) == "0000/1111");
  draft.allowed = Array{{1}, {1}};
  CHECK(visible(draft) == "1111/1111");
}

TEST_CASE(
    "bias: keys that a shorter bias does not reach get −∞, and a last axis of 1 reaches all") {
  ProblemDraft draft = plain(4);
  draft.bias = Array{{2}, {5, 6}};
  const Trace trace = trace_of(draft);
  CHECK(trace.value("bias").data() ==
        std::vector<double>{5, 6, -kInfinity, -kInfinity, 5, 6, -kInfinity, -kInfinity});
  CHECK(trace.value("weights").at({0, 0, 0, 2}) == 0);
  draft.bias = Array{{1}, {5}};
  CHECK(trace_of(draft).value("bias").data() == std::vector<double>(8, 5.0));
}

TEST_CASE("a shorter mask begins at the first key of the past and does not hide added keys") {
  ProblemDraft draft = plain(2);
  draft.past = ProblemDraft::Past{{}, filled({2, 1}, 1), filled({2, 1}, 1)};
  draft.allowed = Array{{3}, {0, 1, 1}};
  CHECK(visible(draft) == "0110/0110");
  draft.add_zero_attn = true;
  CHECK(visible(draft) == "01101/01101");
  draft.bias = Array{{3}, {1, 2, 3}};
  const Trace trace = trace_of(draft);
  CHECK(trace.value("bias").at({0, 0, 0, 3}) == -kInfinity);
  CHECK(trace.value("bias").at({0, 0, 0, 4}) == 0);
}

TEST_CASE("a row in which a shorter mask leaves nothing visible is an empty row") {
  ProblemDraft draft = plain(3);
  draft.allowed = Array{{2}, {0, 0}};
  CHECK(trace_of(draft).notes.size() == 2);
  draft.allowed.reset();
  draft.masks = {parse_mask("keys:0-1")};
  draft.bias = Array{{2}, {1, 1}};
  CHECK(trace_of(draft).notes.size() == 2);
}

TEST_CASE("a mask with too many keys, or another size along any other axis, is refused") {
  for (const Sizes& shape : std::vector<Sizes>{
           {5}, {3, 4}, {2, 2, 4}, {3, 3, 2, 4}, {2, 2, 2, 4}, {1, 2, 3, 2, 4}, {2, 3, 2, 5}}) {
    CAPTURE(shape_text(shape));
    ProblemDraft draft = whole();
    draft.allowed = filled(shape, 1);
    CHECK(pointer_of_complaint(draft) == "/allowed");
    draft.allowed.reset();
    draft.bias = filled(shape, 1);
    CHECK(pointer_of_complaint(draft) == "/bias");
  }
}

}  // namespace attn::testing
