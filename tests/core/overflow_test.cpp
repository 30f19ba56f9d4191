// Where a number type ends: −1e9 instead of −∞, and numbers that are too large.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/setting_names.hpp"
#include "support/compare.hpp"
#include "support/infinity.hpp"
#include "support/phrases.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {
const std::vector<Dtype> kAll = {Dtype::Float64, Dtype::Float32, Dtype::Bfloat16, Dtype::Float16};

/// One query with scores 2, 1 and 0.5 (exact in every type); the mask hides the keys `hidden`.
ProblemDraft three_scores(Dtype dtype, MaskingMode mode, double fill, const char* hidden) {
  ProblemDraft draft;
  draft.q = Array{{1, 1}, {1}};
  draft.k = Array{{3, 1}, {2, 1, 0.5}};
  draft.v = Array{{3, 1}, {1, 2, 3}};
  draft.masks = {parse_mask(std::string("keys:") + hidden)};
  draft.masking = mode;
  draft.fill = fill;
  draft.dtype = dtype;
  return draft;
}

using Numbers = std::vector<double>;

Numbers numbers(const ProblemDraft& draft, const char* id) {
  return attend(make_problem(draft)).value(id).data().copy();
}

/// 1/3 as the type has it, three times.
Numbers thirds(Dtype dtype) {
  const double third = dtype == Dtype::Float32    ? 0.3333333432674407958984375
                       : dtype == Dtype::Bfloat16 ? 0.333984375
                                                  : 1.0 / 3;
  return {third, third, third};
}

/// A number that the type has, but not its square.
double large(Dtype dtype) {
  return dtype == Dtype::Float64 ? 1e200 : dtype == Dtype::Float16 ? 300 : 1e30;
}

ProblemDraft one_score(Dtype dtype, const Numbers& q, const Numbers& k) {
  const auto d = static_cast<Index>(q.size());
  ProblemDraft draft;
  draft.q = Array{{1, d}, q};
  draft.k = Array{{1, d}, k};
  draft.v = Array{{1, 1}, {1}};
  draft.dtype = dtype;
  return draft;
}

}  // namespace

TEST_CASE("fill −1e9: is −∞ in float16 and a finite number in the other types") {
  const auto hidden = [](Dtype dtype) {
    return numbers(three_scores(dtype, MaskingMode::Replace, -1e9, "1"), "masked_scores");
  };
  CHECK(hidden(Dtype::Float64) == Numbers{2, -1e9, 0.5});
  CHECK(hidden(Dtype::Float32) == Numbers{2, -1e9, 0.5});
  CHECK(hidden(Dtype::Bfloat16) == Numbers{2, -998244352, 0.5});
  CHECK(hidden(Dtype::Float16) == Numbers{2, -kInfinity, 0.5});
}

TEST_CASE("fill −1e9: a key hidden among visible ones has a weight of exactly 0 in every type") {
  for (const Dtype dtype : kAll) {
    for (const MaskingMode mode : {MaskingMode::Replace, MaskingMode::Add}) {
      ProblemDraft draft = three_scores(dtype, mode, -1e9, "1");
      const Numbers weights = numbers(draft, "weights");
      CHECK(weights[1] == 0);
      draft.fill = -kInfinity;
      CHECK(weights == numbers(draft, "weights"));
    }
  }
}

TEST_CASE("fill −1e9: replacing a whole row makes it uniform; in float16 the row is empty") {
  for (const Dtype dtype : {Dtype::Float64, Dtype::Float32, Dtype::Bfloat16}) {
    CAPTURE(word_of(dtype));
    const ProblemDraft draft = three_scores(dtype, MaskingMode::Replace, -1e9, "0-2");
    CHECK(numbers(draft, "weights") == thirds(dtype));
    CHECK(notes_of(draft).find(std::string("weights are all 1/3") + kFillMakesThem) !=
          std::string::npos);
  }
  ProblemDraft half = three_scores(Dtype::Float16, MaskingMode::Replace, -1e9, "0-2");
  CHECK(numbers(half, "weights") == Numbers{0, 0, 0});
  CHECK(notes_of(half).find("weights are all zero") != std::string::npos);
  half.empty_row = EmptyRow::Nan;
  CHECK(std::isnan(numbers(half, "weights")[0]));
}

TEST_CASE("fill −1e9: added to a whole row it shifts the scores in float64, swallows them below") {
  const auto whole = [](Dtype dtype) { return three_scores(dtype, MaskingMode::Add, -1e9, "0-2"); };
  CHECK(numbers(whole(Dtype::Float64), "masked_scores") == Numbers{2 - 1e9, 1 - 1e9, 0.5 - 1e9});
  CHECK(numbers(whole(Dtype::Float32), "masked_scores") == Numbers{-1e9, -1e9, -1e9});
  CHECK(numbers(whole(Dtype::Bfloat16), "masked_scores") ==
        Numbers{-998244352, -998244352, -998244352});
  CHECK(numbers(whole(Dtype::Float16), "masked_scores") ==
        Numbers{-kInfinity, -kInfinity, -kInfinity});

  const double total = 1 + std::exp(-1) + std::exp(-1.5);  // as without any mask
  const Numbers weights = numbers(whole(Dtype::Float64), "weights");
  CHECK(close(1 / total, weights[0]));
  CHECK(close(std::exp(-1.5) / total, weights[2]));
  CHECK(numbers(whole(Dtype::Float32), "weights") == thirds(Dtype::Float32));
  CHECK(numbers(whole(Dtype::Bfloat16), "weights") == thirds(Dtype::Bfloat16));
  CHECK(numbers(whole(Dtype::Float16), "weights") == Numbers{0, 0, 0});

  CHECK(notes_of(whole(Dtype::Float64)).find("are not meaningful") != std::string::npos);
  CHECK(notes_of(whole(Dtype::Float32)).find("all 1/3, as the fill") != std::string::npos);
  CHECK(notes_of(whole(Dtype::Bfloat16)).find("all 1/3, as the fill") != std::string::npos);
  CHECK(notes_of(whole(Dtype::Float16)).find("are all zero") != std::string::npos);
}

TEST_CASE("fill −65504: float16's lowest number, added, swallows scores or tips over to −∞") {
  ProblemDraft draft = three_scores(Dtype::Float16, MaskingMode::Add, -65504, "0-2");
  CHECK(numbers(draft, "masked_scores") == Numbers{-65504, -65504, -65504});
  draft.k->data = {2, -15, -16};
  CHECK(numbers(draft, "masked_scores") == Numbers{-65504, -65504, -kInfinity});
}

TEST_CASE("bias −1e9: in float16 it hides like −∞, and a row of it is an empty row") {
  ProblemDraft draft = three_scores(Dtype::Float16, MaskingMode::Replace, -kInfinity, "0");
  draft.masks.clear();
  draft.bias = Array{{1}, {-1e9}};
  CHECK(numbers(draft, "weights") == Numbers{0, 0, 0});
  CHECK(notes_of(draft).find("query 0 \"t0\" sees no key: its weights are all zero") == 0);
  draft.empty_row = EmptyRow::Error;
  CHECK_THROWS_AS(make_problem(draft), Error);
  draft.dtype = Dtype::Bfloat16;
  CHECK(numbers(draft, "weights") == thirds(Dtype::Bfloat16));
  CHECK(notes_of(draft) == "");
}

TEST_CASE("overflow: a score too large for the type is ∞, its row NaN, and a note says so") {
  for (const Dtype dtype : kAll) {
    CAPTURE(word_of(dtype));
    const double m = large(dtype);
    const ProblemDraft draft = one_score(dtype, {m}, {m});
    CHECK(numbers(draft, "scores") == Numbers{kInfinity});
    CHECK(std::isnan(numbers(draft, "weights")[0]));
    CHECK(std::isnan(numbers(draft, "output")[0]));
    CHECK(notes_of(draft).find("step scores has a number too large") == 0);
    CHECK(notes_of(one_score(dtype, {m}, {1})) == "");
  }
}

TEST_CASE("overflow: downwards too, where the row of −∞ would pass for an empty one") {
  for (const Dtype dtype : kAll) {
    CAPTURE(word_of(dtype));
    const double m = large(dtype);
    const ProblemDraft draft = one_score(dtype, {m}, {-m});
    CHECK(numbers(draft, "scores") == Numbers{-kInfinity});
    CHECK(notes_of(draft).find("step scores has a number too large") == 0);
  }
}

TEST_CASE("overflow: ∞ − ∞ inside a sum is noted; narrow types round only the sum") {
  const auto difference = [](Dtype dtype) {
    const double m = large(dtype);
    return one_score(dtype, {m, m}, {m, -m});
  };
  CHECK(!std::isfinite(numbers(difference(Dtype::Float64), "scores")[0]));  // NaN, or ∞ by fma
  CHECK(notes_of(difference(Dtype::Float64)).find("step scores has") == 0);
  for (const Dtype dtype : {Dtype::Float32, Dtype::Bfloat16, Dtype::Float16}) {
    CHECK(numbers(difference(dtype), "scores") == Numbers{0});
    CHECK(notes_of(difference(dtype)) == "");
  }
}

TEST_CASE("overflow: an input, a weight or a bias beyond the type is named where it came in") {
  ProblemDraft base;
  base.embeddings = Array{{1, 2}, {1, -1}};
  for (const std::string id : {"w_q", "w_k", "w_v"}) {
    base.weights[id] = Array{{2, 2}, {1, 0, 0, 1}};
  }
  base.dtype = Dtype::Float16;
  CHECK(notes_of(base) == "");
  ProblemDraft input = base;
  input.embeddings->data[0] = 1e6;
  CHECK(notes_of(input).find("step x has a number too large") == 0);
  ProblemDraft weight = base;
  weight.weights["w_q"].data = {1e6, 1e6, 1e6, 1e6};
  CHECK(std::isnan(numbers(weight, "q")[0]));
  CHECK(notes_of(weight).find("w_q has a number too large") == 0);
  ProblemDraft past = base;
  past.past = ProblemDraft::Past{{}, Array{{1, 2}, {-1e6, 0}}, Array{{1, 2}, {0, 0}}};
  CHECK(notes_of(past).find("past_k has a number too large") == 0);
  ProblemDraft bias = base;
  bias.bias = Array{{1}, {1e6}};
  CHECK(notes_of(bias).find("step bias has a number too large") == 0);
}

TEST_CASE("overflow: NaN as the policy for an empty row is not an overflow") {
  ProblemDraft draft = three_scores(Dtype::Float64, MaskingMode::Replace, -kInfinity, "0-2");
  draft.empty_row = EmptyRow::Nan;
  CHECK(notes_of(draft) == "query 0 \"t0\" sees no key: its weights are NaN (empty_row: nan)\n");
}

}  // namespace attn::testing
