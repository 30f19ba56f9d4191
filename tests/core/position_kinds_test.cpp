// T5's bias by buckets, learned positions, other orders of sines, and angles of rotary positions.
// Raffel et al. 2020; sines and cosines as Marian and tensor2tensor order them.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/gradient.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

/// `n` tokens with one number each, one head; the table has the number of each bucket.
ProblemDraft buckets_shown(Index n, Index buckets, bool bidirectional) {
  ProblemDraft draft;
  draft.q = draft.k = draft.v = Array{{n, 1}, std::vector<double>(static_cast<std::size_t>(n))};
  draft.positions.kind = PositionKind::T5;
  draft.positions.bidirectional = bidirectional;
  draft.positions.table = Array{{buckets, 1}, {}};
  for (Index i = 0; i < buckets; ++i) draft.positions.table->data.push_back(static_cast<double>(i));
  return draft;
}

/// The first distance of each bucket: n small ones, then ⌈n·(128/n)^(i/n)⌉.
std::vector<Index> first_distances(Index exact, Index all) {
  std::vector<Index> first;
  for (Index i = 0; i < exact; ++i) first.push_back(i);
  for (Index i = 0; i < all - exact; ++i) {
    const double at = static_cast<double>(exact) *
                      std::pow(128.0 / static_cast<double>(exact),
                               static_cast<double>(i) / static_cast<double>(all - exact));
    first.push_back(static_cast<Index>(std::ceil(at - 1e-9)));
  }
  return first;
}

ProblemDraft embedded(Index tokens, Index d_model) {
  Dice dice(51);
  ProblemDraft draft;
  draft.embeddings = dice.numbers({tokens, d_model});
  for (const std::string id : {"w_q", "w_k", "w_v"}) draft.weights[id] = dice.numbers({d_model, 4});
  return draft;
}

std::string complaint_of(const ProblemDraft& draft) {
  return refusal_from([&] { make_problem(draft); }).what;
}

}  // namespace

TEST_CASE("t5: the buckets of the published models, 32 up to a distance of 128") {
  CHECK(first_distances(8, 16) ==
        std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91});
  constexpr Index kSeen = 160;
  for (const bool both : {true, false}) {
    const Tensor bias = step_of(buckets_shown(kSeen, 32, both), "bias");
    const std::vector<Index> first = both ? first_distances(8, 16) : first_distances(16, 32);
    for (Index i = 0; i < kSeen; i += 53) {
      for (Index j = 0; j < kSeen; ++j) {
        const Index distance = j <= i ? i - j : both ? j - i : 0;
        const auto bucket = std::upper_bound(first.begin(), first.end(), distance) - 1;
        const Index later = both && j > i ? 16 : 0;
        CAPTURE(both);
        CAPTURE(j - i);
        CHECK(bias.at({0, 0, i, j}) == static_cast<double>(later + (bucket - first.begin())));
      }
    }
  }
}

TEST_CASE("t5 and other scores are not scaled, unless the problem says so") {
  ProblemDraft draft = buckets_shown(3, 4, true);
  CHECK(trace_of(draft).find("scaled_scores") == nullptr);
  draft.scale.kind = ScaleRule::Kind::InverseSqrtDk;
  CHECK(trace_of(draft).find("scaled_scores") != nullptr);
  draft = embedded(3, 4);
  CHECK(trace_of(draft).find("scaled_scores") != nullptr);
  draft.score = ScoreKind::Distance;
  CHECK(trace_of(draft).find("scaled_scores") == nullptr);
}

TEST_CASE("t5: the gradient of the table is that of all pairs of a bucket, per head") {
  Dice dice(61);
  ProblemDraft draft = embedded(5, 4);
  draft.heads = 2;
  draft.positions.kind = PositionKind::T5;
  draft.positions.bidirectional = false;
  draft.positions.max_distance = 3;
  draft.positions.table = dice.numbers({3, 2});  // distance 0, 1, and all others
  Trace trace = trace_of(draft);
  add_gradients(trace);
  const Tensor &bias = trace.value("bias.grad"), &table = trace.value("bias_table.grad");
  for (Index h = 0; h < 2; ++h) {
    std::array<double, 3> sums{};
    for (Index i = 0; i < 5; ++i) {
      for (Index j = 0; j < 5; ++j)
        sums[static_cast<std::size_t>(std::clamp<Index>(i - j, 0, 2))] += bias.at({0, h, i, j});
    }
    for (Index bucket = 0; bucket < 3; ++bucket)
      CHECK(close(sums[static_cast<std::size_t>(bucket)], table.at({0, 0, bucket, h})));
  }
}

TEST_CASE(
    "sinusoidal-halves: Marian's sines first, exponents 2i/d; an odd width has one more sine") {
  for (const Index d : {6, 5}) {
    ProblemDraft draft = embedded(4, d);
    draft.positions.kind = PositionKind::SinusoidalHalves;
    const Tensor signal = step_of(draft, "positions");
    const Index sines = d / 2 + d % 2;
    for (Index p = 0; p < 4; ++p) {
      for (Index j = 0; j < d;
           ++j) {  // position_enc of transformers' Marian: j // 2, then 0::2, 1::2
        const auto angle = [&](Index column) {
          return static_cast<double>(p) /
                 std::pow(10000.0, 2.0 * static_cast<double>(column / 2) / static_cast<double>(d));
        };
        const double expected =
            j < sines ? std::sin(angle(2 * j)) : std::cos(angle(2 * (j - sines) + 1));
        CHECK(close(expected, signal.at({0, 0, p, j})));
      }
    }
  }
}

TEST_CASE("sinusoidal-t2t: Whisper's sines first, wavelengths from 2π to 2π·10000") {
  ProblemDraft draft = embedded(5, 8);
  draft.positions.kind = PositionKind::SinusoidalT2t;
  const Tensor signal = step_of(draft, "positions");
  const double increment = std::log(10000.0) / 3.0;
  for (Index p = 0; p < 5; ++p) {
    for (Index i = 0; i < 4; ++i) {
      const double angle = static_cast<double>(p) * std::exp(-increment * static_cast<double>(i));
      CHECK(close(std::sin(angle), signal.at({0, 0, p, i})));
      CHECK(close(std::cos(angle), signal.at({0, 0, p, 4 + i})));
    }
  }
  CHECK(complaint_of([] {
          ProblemDraft odd = embedded(2, 3);
          odd.positions.kind = PositionKind::SinusoidalT2t;
          return odd;
        }()) == "sinusoidal-t2t needs as many sines as cosines, but d_model is odd");
}

TEST_CASE("learned: a row of the table for each position, from the offset or by ids") {
  Dice dice(71);
  ProblemDraft draft = embedded(2, 3);
  draft.embeddings = dice.numbers({2, 2, 3});
  draft.positions.kind = PositionKind::Learned;
  draft.positions.table = dice.numbers({5, 3});
  const auto row = [&](const Tensor& signal, Index batch, Index token, Index of) {
    for (Index c = 0; c < 3; ++c)
      CHECK(signal.at({batch, 0, token, c}) ==
            draft.positions.table->data[static_cast<std::size_t>(3 * of + c)]);
  };
  draft.positions.offset = 2;
  Tensor signal = step_of(draft, "positions");
  for (const Index b : {0, 1}) {
    row(signal, b, 0, 2);
    row(signal, b, 1, 3);
  }
  draft.positions.offset.reset();
  draft.positions.ids = {{0, 0}, {4, 1}};
  Trace trace = trace_of(draft);
  signal = trace.value("positions");
  row(signal, 0, 0, 0);
  row(signal, 0, 1, 0);
  row(signal, 1, 0, 4);
  row(signal, 1, 1, 1);
  add_gradients(trace);
  const Tensor &table = trace.value("position_table.grad"), &rows = trace.value("positions.grad");
  CHECK(close(rows.at({0, 0, 0, 2}) + rows.at({0, 0, 1, 2}), table.at({0, 0, 0, 2})));
  CHECK(table.at({0, 0, 2, 0}) == 0);
  draft.positions.ids = {{5, 0}, {0, 1}};
  CHECK(complaint_of(draft) == "the table has 5 rows, but the last position is 5");
}

TEST_CASE("tables of positions that are missing or do not fit are refused") {
  ProblemDraft draft = embedded(2, 3);
  draft.positions.kind = PositionKind::T5;
  CHECK(complaint_of(draft) == "t5 needs a table");
  draft.positions.table = Array{{4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}};
  CHECK(complaint_of(draft) == "the table of t5 has 2 columns, but there is 1 head");
  draft.heads = 2;
  CHECK(complaint_of(draft) == "");
  draft.positions.max_distance = 1;
  CHECK(complaint_of(draft) ==
        "max_distance should be above 1: distances below that have a bucket of their own");
  draft.positions.max_distance.reset();
  draft.positions.num_buckets = 3;
  CHECK(complaint_of(draft) == "num_buckets is 3, but the table has 4 rows");
  draft.positions.num_buckets.reset();
  draft.positions.table = Array{{3, 2}, {1, 2, 3, 4, 5, 6}};
  CHECK(complaint_of(draft) ==
        "bidirectional needs an even number of buckets, at least 4, but there are 3");
  draft.positions.bidirectional = false;
  CHECK(complaint_of(draft) == "");
  draft.positions.kind = PositionKind::Learned;
  draft.positions.bidirectional.reset();
  CHECK(complaint_of(draft) == "the table has 2 columns, but rows of X have 3 numbers");
}

TEST_CASE("angles: position times frequency in full detail, without the attention factor") {
  ProblemDraft draft = embedded(4, 4);
  draft.positions.kind = PositionKind::Rope;
  draft.positions.scaling.emplace();
  draft.positions.scaling->kind = RopeScalingKind::Yarn;
  draft.positions.scaling->factor = 8;
  draft.positions.scaling->original_max_position_embeddings = 4;
  const Problem problem = make_problem(draft);
  const Trace plain = attend(problem), full = attend(problem, full_detail());
  CHECK(plain.find("angles") == nullptr);
  CHECK(full.find("k_angles") == nullptr);  // those of queries
  const Step& angles = full.at("angles");
  CHECK(angles.value.shape() == Shape{{}, {}, 4, 2});
  const Parameters& rotation = full.at("q_rotated").parameters;
  for (Index p = 0; p < 4; ++p) {
    for (Index i = 0; i < 2; ++i)
      CHECK(close(
          static_cast<double>(p) * rotation.numbers("frequencies")[static_cast<std::size_t>(i)],
          angles.value.at({0, 0, p, i})));
  }
  CHECK(rotation.number("attention_factor") > 1.0);
  CHECK(full.value("output").data() == plain.value("output").data());
}

TEST_CASE("angles: keys have their own where they are at other positions") {
  ProblemDraft draft = embedded(2, 4);
  draft.positions.kind = PositionKind::RopeInterleaved;
  draft.memory.emplace();
  draft.memory->embeddings = Dice(3).numbers({3, 4});
  const Trace full = attend(make_problem(draft), full_detail());
  CHECK(full.value("angles").shape() == Shape{{}, {}, 2, 2});
  CHECK(full.value("k_angles").shape() == Shape{{}, {}, 3, 2});
  CHECK(full.value("k_angles").at({0, 0, 2, 0}) == 2.0);
  draft.memory.reset();
  draft.positions.ids = {{7, 3}};
  const Trace listed = attend(make_problem(draft), full_detail());
  CHECK(listed.value("angles").at({0, 0, 0, 0}) == 7.0);
  CHECK(listed.find("k_angles") == nullptr);
}

}  // namespace attn::testing
