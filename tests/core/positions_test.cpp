// Position encodings: rotary, sinusoidal, ALiBi.
// Su et al. 2021, Vaswani et al. 2017, Press et al. 2022. Long rows of numbers were computed with
// NumPy from the papers' formulas.

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "attn/attend.hpp"
#include "attn/eigen.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

const std::vector<PositionKind> kRotary = {PositionKind::Rope, PositionKind::RopeInterleaved};

/// Q and K as given, V of ones.
ProblemDraft attention_of(PositionKind kind, const Array& q, const Array& k) {
  ProblemDraft draft;
  draft.q = q;
  draft.k = k;
  draft.v = Array{{k.shape[0], 1}, std::vector<double>(static_cast<std::size_t>(k.shape[0]), 1.0)};
  draft.positions.kind = kind;
  return draft;
}

/// `row` written `count` times.
Array repeated(const std::vector<double>& row, Index count) {
  Array array{{count, static_cast<Index>(row.size())}, {}};
  for (Index i = 0; i < count; ++i) array.data.insert(array.data.end(), row.begin(), row.end());
  return array;
}

/// X of `length` rows of 6 numbers, one projection for each of Q, K and V, causal.
ProblemDraft self_attention_at(PositionKind kind, Index length) {
  Dice dice(11);
  ProblemDraft draft;
  for (const std::string id : {"w_q", "w_k", "w_v"}) draft.weights[id] = dice.numbers({6, 8});
  draft.embeddings = dice.numbers({length, 6});
  draft.heads = 2;
  draft.masks = {parse_mask("causal")};
  draft.positions.kind = kind;
  return draft;
}

/// X alone, with projections that change nothing.
ProblemDraft with_identity(const Array& x) {
  ProblemDraft draft;
  draft.embeddings = x;
  const Index d = x.shape[1];
  Array identity{{d, d}, std::vector<double>(static_cast<std::size_t>(d * d))};
  for (Index i = 0; i < d; ++i) identity.data[static_cast<std::size_t>(i * d + i)] = 1;
  for (const std::string id : {"w_q", "w_k", "w_v"}) draft.weights[id] = identity;
  draft.positions.kind = PositionKind::Sinusoidal;
  return draft;
}

/// `count` rows of every head, from `first` on.
Array rows_from(const Tensor& tensor, Index first, Index count) {
  Array array{tensor.shape().sizes(), {}};
  array.shape[array.rank() - 2] = count;
  for (Index h = 0; h < tensor.heads(); ++h) {
    for (Index i = first; i < first + count; ++i) {
      for (Index c = 0; c < tensor.cols(); ++c) array.data.push_back(tensor.at({0, h, i, c}));
    }
  }
  return array;
}

}  // namespace

TEST_CASE(
    "rope: a pair is a column of each half, or two neighbours if interleaved; numbers by NumPy") {
  const Array x{{3, 4}, {1, 2, 3, 4, 1, 2, 3, 4, -1, 0.5, 2, 0}};
  CHECK(first_difference(Array{{3, 4},
                               {1, 2, 3, 4,                                                   //
                                -1.9841106485555495, 1.9599006674966641, 2.4623779024123156,  //
                                4.019799668334995, -1.4024480171042208, 0.499900003333289,    //
                                -1.7415910999199664, 0.00999933334666654}},
                         step_of(attention_of(PositionKind::Rope, x, x), "q_rotated")) == "");
  CHECK(first_difference(Array{{3, 4},
                               {1, 2, 3, 4,                                                    //
                                -1.1426396637476532, 1.9220755965441758, 2.9598506679133294,   //
                                4.029799501669162, -0.03850187686569839, -1.1173708450992528,  //
                                1.999600013333156, 0.03999733338666616}},
                         step_of(attention_of(PositionKind::RopeInterleaved, x, x), "k_rotated")) ==
        "");
}

TEST_CASE("rope: pair i turns by base^(-2i/r) from one position to the next") {
  ProblemDraft draft =
      attention_of(PositionKind::Rope, repeated({0, 1, 0, 0}, 3), repeated({1, 0, 0, 0}, 3));
  draft.positions.base = 100;
  const Tensor q = step_of(draft, "q_rotated"), k = step_of(draft, "k_rotated");
  CHECK(close(std::cos(0.2), q.at({0, 0, 2, 1})));
  CHECK(close(std::sin(0.2), q.at({0, 0, 2, 3})));
  CHECK(close(std::cos(2.0), k.at({0, 0, 2, 0})));
  CHECK(close(std::sin(2.0), k.at({0, 0, 2, 2})));
}

TEST_CASE("rope: scores depend on the difference of two positions only") {
  for (const PositionKind kind : kRotary) {
    const Tensor scores = step_of(
        attention_of(kind, repeated({1, -2, 0.5, 3}, 6), repeated({2, 1, -1, 0.5}, 6)), "scores");
    for (Index i = 1; i < 6; ++i) {
      for (Index j = 1; j < 6; ++j) {
        CHECK(close(scores.at({0, 0, i - 1, j - 1}), scores.at({0, 0, i, j})));
      }
      CHECK(std::abs(scores.at({0, 0, i, 0}) - scores.at({0, 0, 0, i})) > 0.01);
    }
  }
}

TEST_CASE("rope: an offset turns queries and keys, and changes no score") {
  for (const PositionKind kind : kRotary) {
    ProblemDraft draft = self_attention_at(kind, 5);
    const Trace before = attend(make_problem(draft));
    draft.positions.offset = 7;
    const Trace after = attend(make_problem(draft));
    CHECK(first_difference(before.value("q_rotated"), after.value("q_rotated")) != "");
    CHECK(first_difference(before.value("scores"), after.value("scores")) == "");
  }
}

TEST_CASE("rope: no row and no pair changes its length") {
  for (const PositionKind kind : kRotary) {
    const Trace trace = attend(make_problem(self_attention_at(kind, 5)));
    const Index step = kind == PositionKind::Rope ? 2 : 1;  // to the other of the pair
    for (const std::string id : {"q", "k"}) {
      const Tensor& before = trace.value(id + "_heads");
      const Tensor& after = trace.value(id + "_rotated");
      CHECK(first_difference(before, after) != "");
      const auto squared = [&](const Tensor& x, Index h, Index i, Index c) {
        return std::pow(x.at({0, h, i, c}), 2) + std::pow(x.at({0, h, i, c + step}), 2);
      };
      for (Index h = 0; h < 2; ++h) {
        for (Index i = 0; i < 5; ++i) {
          for (const Index c : {Index{0}, 3 - step}) {  // the first of each pair of four columns
            CHECK(close(squared(before, h, i, c), squared(after, h, i, c)));
          }
        }
      }
    }
  }
}

TEST_CASE("rope: the row at position 0 is as before, and no other") {
  for (const PositionKind kind : kRotary) {
    const Trace trace = attend(make_problem(self_attention_at(kind, 3)));
    const Tensor &before = trace.value("k_heads"), &after = trace.value("k_rotated");
    for (Index h = 0; h < 2; ++h) {
      CHECK(view(before, 0, h).row(0) == view(after, 0, h).row(0));
      for (Index i = 1; i < 3; ++i) CHECK(view(before, 0, h).row(i) != view(after, 0, h).row(i));
    }
  }
}

TEST_CASE(
    "rope: columns after rotary_dim stay, those before it are rotated as if they were alone") {
  for (const PositionKind kind : kRotary) {
    const Array seven = repeated({1, 2, 3, 4, 5, 6, 7}, 4), four = repeated({1, 2, 3, 4}, 4);
    ProblemDraft wide = attention_of(kind, seven, seven);
    wide.positions.rotary_dim = 4;
    const Tensor whole = step_of(wide, "q_rotated");
    const Tensor alone = step_of(attention_of(kind, four, four), "q_rotated");
    for (Index i = 0; i < 4; ++i) {
      for (Index c = 0; c < 4; ++c) CHECK(whole.at({0, 0, i, c}) == alone.at({0, 0, i, c}));
      for (Index c = 4; c < 7; ++c) CHECK(whole.at({0, 0, i, c}) == static_cast<double>(c + 1));
    }
  }
}

TEST_CASE("rope: both pairings are the same after a permutation of the columns") {
  Dice dice(12);
  const Array q = dice.numbers({4, 6}), k = dice.numbers({4, 6});
  const auto neighbours_apart = [](const Array& halves) {  // columns 0 3 1 4 2 5
    Array mixed = halves;
    for (std::size_t n = 0; n < mixed.data.size(); ++n) {
      const std::size_t col = n % 6;
      mixed.data[n] = halves.data[n - col + col / 2 + col % 2 * 3];
    }
    return mixed;
  };
  const Tensor halves = step_of(attention_of(PositionKind::Rope, q, k), "scores");
  const auto interleaved = PositionKind::RopeInterleaved;
  CHECK(first_difference(halves, step_of(attention_of(interleaved, q, k), "scores")) != "");
  CHECK(first_difference(
            halves, step_of(attention_of(interleaved, neighbours_apart(q), neighbours_apart(k)),
                            "scores")) == "");
}

TEST_CASE("rope and alibi: a decode step with cached keys is the end of the whole sequence") {
  for (const PositionKind kind :
       {PositionKind::Rope, PositionKind::RopeInterleaved, PositionKind::Alibi}) {
    ProblemDraft whole = self_attention_at(kind, 5);
    if (kind != PositionKind::Alibi) whole.positions.offset = 2;
    const Trace trace = attend(make_problem(whole));
    ProblemDraft decode = whole;
    decode.embeddings = rows_from(trace.value("x"), 3, 2);
    const char* keys = kind == PositionKind::Alibi ? "k_heads" : "k_rotated";
    decode.past = ProblemDraft::Past{
        {}, rows_from(trace.value(keys), 0, 3), rows_from(trace.value("v_heads"), 0, 3)};
    for (const char* id : {"scores", "weights", "output"}) {
      CAPTURE(id);
      CHECK(first_difference(rows_from(trace.value(id), 3, 2), step_of(decode, id)) == "");
    }
  }
}

TEST_CASE("rope and alibi: align end puts the last query at the last key") {
  Dice dice(13);
  const Array q = dice.numbers({5, 4}), k = dice.numbers({5, 4});
  for (const PositionKind kind :
       {PositionKind::Rope, PositionKind::RopeInterleaved, PositionKind::Alibi}) {
    const Tensor all = step_of(attention_of(kind, q, k), "weights");
    ProblemDraft last = attention_of(kind, Array{{2, 4}, {q.data.begin() + 12, q.data.end()}}, k);
    CHECK(first_difference(rows_from(all, 3, 2), step_of(last, "weights")) != "");
    last.align = Align::End;
    CHECK(first_difference(rows_from(all, 3, 2), step_of(last, "weights")) == "");
  }
}

TEST_CASE("sinusoidal: sine and cosine of position / 10000^(2i/d_model); numbers by NumPy") {
  const Array expected{
      {3, 6},
      {0, 1, 0, 1, 0, 1,                                                                  //
       0.8414709848078965, 0.5403023058681397, 0.046399223464731285, 0.9989229760406305,  //
       0.0021544330233656045, 0.9999976792064809,                                         //
       0.9092974268256816, -0.4161468365471424, 0.09269850077872725, 0.9956942241237398,  //
       0.0043088560467428125, 0.9999907168366957}};
  CHECK(first_difference(
            expected, step_of(with_identity(repeated({0, 0, 0, 0, 0, 0}, 3)), "positions")) == "");
}

TEST_CASE("sinusoidal: base sets the waves, offset the first row; d_model may be odd") {
  ProblemDraft draft = with_identity(repeated({0, 0, 0, 0, 0}, 2));
  draft.positions.base = 100;
  draft.positions.offset = 7;
  CHECK(first_difference(
            Array{{2, 5},
                  {0.6569865987187891, 0.7539022543433047, 0.8954429617448589, 0.4451762597686391,
                   0.17492741915009652, 0.9893582466233817, -0.14550003380861354,
                   0.9544809013553032, 0.2982720384950091, 0.1996012003725813}},
            step_of(draft, "positions")) == "");
}

TEST_CASE("sinusoidal: Q, K and V are made from X + P, but K and V of a memory without P") {
  Dice dice(14);
  ProblemDraft draft = with_identity(dice.numbers({3, 4}));
  const Trace own = attend(make_problem(draft));
  Array sum{{3, 4}, {}};
  for (std::size_t n = 0; n < 12; ++n) {
    sum.data.push_back(own.value("x").data()[n] + own.value("positions").data()[n]);
  }
  for (const char* id : {"x_positioned", "q", "k", "v"}) {
    CHECK(first_difference(sum, own.value(id)) == "");
  }
  draft.memory = ProblemDraft::Memory{{}, dice.numbers({2, 4})};
  const Trace cross = attend(make_problem(draft));
  CHECK(first_difference(sum, cross.value("q")) == "");
  CHECK(first_difference(draft.memory->embeddings, cross.value("k")) == "");
  CHECK(first_difference(draft.memory->embeddings, cross.value("v")) == "");
}

}  // namespace attn::testing
