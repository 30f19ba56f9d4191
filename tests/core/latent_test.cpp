// Multi-head latent attention: names, the absorbed form, the cache, and what is refused.
// Names of the paper and of checkpoints. Its numbers are compared with plain loops on random
// problems (oracle_test).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/problem_tensors.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/phrases.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

constexpr Index kHeads = 2, kQRank = 5, kKvRank = 3, kNope = 2, kRope = 4, kV = 3, kModel = 6;

Array turned_over(const Array& a) {
  Array t{{a.shape[1], a.shape[0]}, {}};
  for (Index c = 0; c < a.shape[1]; ++c) {
    for (Index r = 0; r < a.shape[0]; ++r)
      t.data.push_back(a.data[static_cast<std::size_t>(r * a.shape[1] + c)]);
  }
  return t;
}

/// The columns of `one` and of `other`, by heads: [one | other] in each.
Array columns_beside(const Array& one, const Array& other, Index heads) {
  const Index a = one.shape[1] / heads, b = other.shape[1] / heads;
  Array both{{one.shape[0], heads * (a + b)}, {}};
  for (Index r = 0; r < one.shape[0]; ++r) {
    for (Index h = 0; h < heads; ++h) {
      const auto from = [&](const Array& x, Index n) {
        const auto begin = x.data.begin() + r * x.shape[1] + h * n;
        both.data.insert(both.data.end(), begin, begin + n);
      };
      from(one, a);
      from(other, b);
    }
  }
  return both;
}

/// Four tokens, two heads, the paper's names.
ProblemDraft latent_paper() {
  Dice dice(7);
  ProblemDraft draft;
  draft.embeddings = dice.numbers({4, kModel});
  draft.heads = kHeads;
  draft.weights = {{"w_dq", dice.numbers({kModel, kQRank})},
                   {"q_latent_norm", dice.numbers({kQRank})},
                   {"w_uq", dice.numbers({kQRank, kHeads * kNope})},
                   {"w_qr", dice.numbers({kQRank, kHeads * kRope})},
                   {"w_dkv", dice.numbers({kModel, kKvRank})},
                   {"kv_latent_norm", dice.numbers({kKvRank})},
                   {"w_kr", dice.numbers({kModel, kRope})},
                   {"w_uk", dice.numbers({kKvRank, kHeads * kNope})},
                   {"w_uv", dice.numbers({kKvRank, kHeads * kV})},
                   {"w_o", dice.numbers({kHeads * kV, kModel})}};
  draft.positions.kind = PositionKind::Rope;
  draft.masks = {parse_mask("causal")};
  return draft;
}

/// The same weights as a checkpoint of DeepSeek has them.
WeightArrays as_checkpoint(const WeightArrays& own) {
  return {{"q_a_proj.weight", turned_over(own.at("w_dq"))},
          {"q_a_layernorm.weight", own.at("q_latent_norm")},
          {"q_b_proj.weight", turned_over(columns_beside(own.at("w_uq"), own.at("w_qr"), kHeads))},
          {"kv_a_proj_with_mqa.weight",
           turned_over(columns_beside(own.at("w_dkv"), own.at("w_kr"), 1))},
          {"kv_a_layernorm.weight", own.at("kv_latent_norm")},
          {"kv_b_proj.weight", turned_over(columns_beside(own.at("w_uk"), own.at("w_uv"), kHeads))},
          {"o_proj.weight", turned_over(own.at("w_o"))}};
}

ProblemDraft latent_checkpoint() {
  ProblemDraft draft = latent_paper();
  draft.weights = as_checkpoint(draft.weights);
  return draft;
}

std::string latent_complaint(const ProblemDraft& draft) {
  return place_and_what(refusal_from([&] { make_problem(draft); }));
}

/// Keys, values and weights of `draft` for one head of keys: the latents themselves, with queries
/// multiplied by W_UKᵀ and W_UV multiplied by W_O. In plain loops.
ProblemDraft absorbed_by_hand(const ProblemDraft& draft, const Trace& trace) {
  const Tensor &c = trace.value("kv_latent_normed"), &q = trace.value("q_rotated"),
               &k = trace.value("k_rotated");
  const Array &up_k = draft.weights.at("w_uk"), &up_v = draft.weights.at("w_uv"),
              &w_o = draft.weights.at("w_o");
  ProblemDraft one;
  one.masks = draft.masks;
  one.scale = {ScaleRule::Kind::Number, 1 / std::sqrt(static_cast<double>(kNope + kRope))};
  one.q = Array{{1, kHeads, 4, kKvRank + kRope}, {}};
  one.k = Array{{1, 1, 4, kKvRank + kRope}, {}};
  one.v = Array{{1, 1, 4, kKvRank}, {}};
  Array out{{kHeads * kKvRank, kModel}, {}};
  for (Index h = 0; h < kHeads; ++h) {
    for (Index i = 0; i < 4; ++i) {
      for (Index r = 0; r < kKvRank; ++r) {
        double sum = 0;
        for (Index n = 0; n < kNope; ++n)
          sum += q.at({0, h, i, n}) *
                 up_k.data[static_cast<std::size_t>(r * kHeads * kNope + h * kNope + n)];
        one.q->data.push_back(sum);
      }
      for (Index n = 0; n < kRope; ++n) one.q->data.push_back(q.at({0, h, i, kNope + n}));
    }
    for (Index r = 0; r < kKvRank; ++r) {
      for (Index o = 0; o < kModel; ++o) {
        double sum = 0;
        for (Index n = 0; n < kV; ++n)
          sum += up_v.data[static_cast<std::size_t>(r * kHeads * kV + h * kV + n)] *
                 w_o.data[static_cast<std::size_t>((h * kV + n) * kModel + o)];
        out.data.push_back(sum);
      }
    }
  }
  for (Index j = 0; j < 4; ++j) {
    for (Index r = 0; r < kKvRank; ++r) {
      one.k->data.push_back(c.at({0, 0, j, r}));
      one.v->data.push_back(c.at({0, 0, j, r}));
    }
    for (Index n = 0; n < kRope; ++n) one.k->data.push_back(k.at({0, 0, j, kNope + n}));
  }
  one.weights["w_o"] = out;
  return one;
}

bool latents_close(const Tensor& a, const Tensor& b) {
  const auto one = a.data(), other = b.data();
  bool all = one.size() == other.size();
  for (std::size_t i = 0; all && i < one.size(); ++i) all = close(one[i], other[i]);
  return all;
}

}  // namespace

TEST_CASE("latent attention: a checkpoint's names and the paper's are the same numbers") {
  const Trace own = trace_of(latent_paper()), theirs = trace_of(latent_checkpoint());
  for (const char* id : {"q_latent_normed", "q", "kv_latent", "k_nope", "k_rope", "k_heads", "v",
                         "q_rotated", "k_rotated", "scores", "output"}) {
    CAPTURE(id);
    CHECK(first_difference(own.value(id), theirs.value(id)) == "");
  }
  CHECK(own.settings().d_k == kNope + kRope);
  CHECK(own.settings().d_v == kV);
  CHECK(own.value("k_rotated").shape() == Shape{{}, kHeads, 4, kNope + kRope});
  CHECK(close(1 / std::sqrt(6.0), own.settings().scale.number));
}

TEST_CASE("latent attention: the absorbed form gives the same scores and the same output") {
  const ProblemDraft draft = latent_paper();
  const Trace naive = trace_of(draft), direct = trace_of(absorbed_by_hand(draft, naive));
  CHECK(direct.settings().kv_heads == 1);
  CHECK(latents_close(naive.value("scores"), direct.value("scores")));
  CHECK(latents_close(naive.value("weights"), direct.value("weights")));
  CHECK(latents_close(naive.value("output"), direct.value("output")));
}

TEST_CASE("latent attention: kv_rank + rope_dim numbers of a token make all its keys and values") {
  const ProblemDraft draft = latent_paper();
  const Trace trace = trace_of(draft);
  CHECK(trace.value("kv_latent_normed").cols() + trace.value("k_rope").cols() == kKvRank + kRope);
  const Tensor& k = trace.value("k_rotated");
  for (Index j = 0; j < 4; ++j) {
    for (Index c = kNope; c < kNope + kRope; ++c) CHECK(k.at({0, 0, j, c}) == k.at({0, 1, j, c}));
  }
}

TEST_CASE("latent attention: token by token with a past, the rows are those of one run") {
  const Trace whole = trace_of(latent_paper());
  ProblemDraft last = latent_paper();
  const Array x = *last.embeddings;
  last.embeddings = Array{{1, kModel}, {x.data.end() - kModel, x.data.end()}};
  const auto cached = [&](const char* id) {
    const Tensor& all = whole.value(id);
    Array rows{{kHeads, 3, all.cols()}, {}};
    for (Index h = 0; h < kHeads; ++h) {
      for (Index j = 0; j < 3; ++j) {
        const auto row = all.row(0, h, j);
        rows.data.insert(rows.data.end(), row.begin(), row.end());
      }
    }
    return rows;
  };
  last.past = ProblemDraft::Past{{}, cached("k_rotated"), cached("v_heads")};
  const Trace step = trace_of(last);
  for (Index c = 0; c < kModel; ++c)
    CHECK(close(whole.value("output").at({0, 0, 3, c}), step.value("output").at({0, 0, 0, c})));
}

TEST_CASE("latent attention: neighbours put into halves give the scores of neighbours") {
  ProblemDraft halves = latent_checkpoint(), neighbours = latent_checkpoint();
  halves.latent = LatentDraft{.nope_dim = kNope,
                              .rope_dim = kRope,
                              .v_dim = kV,
                              .rope_interleave = true,
                              .eps = std::nullopt};
  neighbours.positions.kind = PositionKind::RopeInterleaved;
  const Trace one = trace_of(halves), other = trace_of(neighbours);
  CHECK(latents_close(one.value("scores"), other.value("scores")));
  CHECK(latents_close(one.value("output"), other.value("output")));
  CHECK_FALSE(latents_close(one.value("q_rotated"), other.value("q_rotated")));
}

TEST_CASE("latent attention: YaRN stretches the scale, too, by mscale_all_dim") {
  ProblemDraft draft = latent_checkpoint();
  RopeScaling yarn;
  yarn.kind = RopeScalingKind::Yarn;
  yarn.factor = 40;
  yarn.original_max_position_embeddings = 4096;
  yarn.mscale = 1.0;
  yarn.mscale_all_dim = 1.0;
  draft.positions.scaling = yarn;
  const auto off = [&](double factor) {
    const double mscale = 0.1 * std::log(factor) + 1;
    return std::abs(trace_of(draft).settings().scale.number - mscale * mscale / std::sqrt(6.0));
  };
  CHECK(off(40) < 1e-15);
  draft.positions.scaling->max_position_embeddings = 8192;  // counts only where no factor is given
  CHECK(off(40) < 1e-15);
  draft.positions.scaling->factor.reset();
  CHECK(off(2) < 1e-15);
  draft.scale = {ScaleRule::Kind::Number, 0.5};
  CHECK(trace_of(draft).settings().scale.number == 0.5);
}

TEST_CASE("latent attention: a layer of a checkpoint by its prefix") {
  const std::string prefix = "model.layers.0.self_attn.";
  std::vector<NamedArray> arrays;
  for (const auto& [name, array] : latent_checkpoint().weights)
    arrays.push_back({prefix + name, array, ""});
  std::vector<std::string> names;
  for (const NamedArray& each : arrays) names.push_back(each.name);
  CHECK(layer_prefixes(names) == std::vector<std::string>{prefix});
  ProblemDraft draft = draft_from_tensors(arrays, prefix, "model.safetensors");
  CHECK(latent_complaint(draft).find("heads is not") == std::string::npos);
  ProblemDraft problem = latent_checkpoint();
  problem.weights = draft.weights;
  CHECK(first_difference(trace_of(problem).value("output"),
                         trace_of(latent_paper()).value("output")) == "");
}

TEST_CASE("latent attention: what makes no sense with it is refused in a sentence") {
  const auto with = [](auto change) {
    ProblemDraft draft = latent_paper();
    change(draft);
    return latent_complaint(draft);
  };
  Dice dice(3);
  CHECK(with([&](ProblemDraft& d) {
          d.weights["w_q"] = dice.numbers({kModel, 12});
        }) == "/weights/w_q w_q makes queries from X, and w_dq and w_uq make them from a latent");
  CHECK(with([&](ProblemDraft& d) {
          d.weights["w_k"] = dice.numbers({kModel, 12});
        }) ==
        "/weights/w_k w_k is given, but in latent attention, keys and values are made from a "
        "latent of a token");
  CHECK(with([](ProblemDraft& d) { d.kv_heads = 1; }) ==
        "/kv_heads in latent attention, every head has keys and values of its own");
  CHECK(with([](ProblemDraft& d) { d.weights.erase("w_qr"); }) ==
        "/weights/w_kr w_qr and w_kr make the columns of queries and keys for RoPE: both, or "
        "neither");
  CHECK(with([](ProblemDraft& d) { d.weights.erase("w_uv"); }) ==
        "/weights latent attention needs w_uv, which weights does not have");
  CHECK(with([](ProblemDraft& d) { d.latent.emplace().rope_dim = 6; }) ==
        "/latent/rope_dim latent says rope_dim 6, but with 2 heads the weights have 4");
  CHECK(with([&](ProblemDraft& d) {
          d.weights["w_uq"] = dice.numbers({4, 4});
        }) ==
        "/weights/w_uq w_uq has 4 rows, but it should have 5: it multiplies the latents that w_dq "
        "makes");
  CHECK(with([](ProblemDraft& d) {
          d.weights = {};
          d.latent.emplace();
        }) == "/latent latent describes latent attention, " + unlike_weights("no w_dkv"));
}

}  // namespace attn::testing
