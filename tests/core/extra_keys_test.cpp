// Keys and values added at the end: bias_k and bias_v, and a row of zeros.
// add_bias_kv and add_zero_attn, as in PyTorch's nn.MultiheadAttention.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/infinity.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

using Words = std::vector<std::string>;

/// Two heads of two columns, three queries, four keys; nothing added yet.
ProblemDraft four_keys() {
  Dice dice(51);
  ProblemDraft draft;
  draft.q = dice.numbers({3, 4});
  draft.k = dice.numbers({4, 4});
  draft.v = dice.numbers({4, 4});
  draft.heads = 2;
  return draft;
}

ProblemDraft with_bias_row(ProblemDraft draft) {
  draft.weights["bias_k"] = Array{{1, 1, 4}, {0.5, -1, 2, 0.25}};
  draft.weights["bias_v"] = Array{{1, 1, 4}, {10, 20, 30, 40}};
  return draft;
}

ProblemDraft with_zero_row(ProblemDraft draft) {
  draft.add_zero_attn = true;
  return draft;
}

/// The same by hand: what is added is part of the keys and values themselves.
ProblemDraft by_hand(ProblemDraft draft) {
  const auto append = [](Array& array, const std::vector<double>& row) {
    array.data.insert(array.data.end(), row.begin(), row.end());
    ++array.shape[0];
  };
  if (draft.weights.count("bias_k") > 0) {
    append(*draft.k, draft.weights.at("bias_k").data);
    append(*draft.v, draft.weights.at("bias_v").data);
    draft.weights.clear();
  }
  if (draft.add_zero_attn) {
    append(*draft.k, {0, 0, 0, 0});
    append(*draft.v, {0, 0, 0, 0});
    draft.add_zero_attn = false;
  }
  return draft;
}

/// "10/11": the rows of 1 = may attend in one head.
std::string visible_keys(const ProblemDraft& draft, Index head = 0) {
  const Trace trace = trace_of(draft);
  const Tensor& mask = trace.value("mask");
  std::string text;
  for (Index i = 0; i < mask.rows(); ++i) {
    if (i > 0) text += '/';
    for (Index j = 0; j < mask.cols(); ++j) text += mask.at({0, head, i, j}) == 1 ? '1' : '0';
  }
  return text;
}

std::string complaint(const ProblemDraft& draft) {
  return place_and_what(refusal_from([&] { make_problem(draft); }));
}

}  // namespace

TEST_CASE("extra keys: the weights get a column for each, named <bias> and <zero>") {
  const auto key_names = [](const ProblemDraft& draft) {
    return trace_of(draft).scope().key_tokens.at(0);
  };
  CHECK(key_names(with_bias_row(four_keys())) == Words{"k0", "k1", "k2", "k3", "<bias>"});
  CHECK(key_names(with_zero_row(four_keys())) == Words{"k0", "k1", "k2", "k3", "<zero>"});
  const ProblemDraft both = with_zero_row(with_bias_row(four_keys()));
  CHECK(key_names(both) == Words{"k0", "k1", "k2", "k3", "<bias>", "<zero>"});
  const Trace trace = trace_of(both);
  CHECK(trace.settings().n_keys == 6);
  CHECK(trace.value("weights").shape() == Shape{{}, 2, 3, 6});
  CHECK(trace.value("k_all").shape() == Shape{{}, 2, 6, 2});
  CHECK(trace.value("k").shape() == Shape{{}, {}, 4, 4});
}

TEST_CASE("extra keys: every number is that of keys and values with the rows written by hand") {
  for (const ProblemDraft& draft : {with_bias_row(four_keys()), with_zero_row(four_keys()),
                                    with_zero_row(with_bias_row(four_keys()))}) {
    const Trace added = trace_of(draft), written = trace_of(by_hand(draft));
    CHECK(first_difference(written.value("k_heads"), added.value("k_all")) == "");
    CHECK(first_difference(written.value("v_heads"), added.value("v_all")) == "");
    for (const char* id : {"scores", "weights", "context", "output"}) {
      CAPTURE(id);
      CHECK(first_difference(written.value(id), added.value(id)) == "");
    }
  }
}

TEST_CASE("extra keys: the row of zeros scores 0 and only takes its share") {
  const ProblemDraft draft = with_zero_row(four_keys());
  const Trace with = trace_of(draft), without = trace_of(four_keys());
  for (Index h = 0; h < 2; ++h) {
    for (Index i = 0; i < 3; ++i) {
      CHECK(with.value("scores").at({0, h, i, 4}) == 0);
      const double rest = 1 - with.value("weights").at({0, h, i, 4});
      for (Index c = 0; c < 2; ++c) {
        CHECK(close(rest * without.value("context").at({0, h, i, c}),
                    with.value("context").at({0, h, i, c})));
      }
    }
  }
}

TEST_CASE(
    "extra keys: every batch entry has the same, and each grouped head its own part of them") {
  Dice dice(52);
  ProblemDraft draft;
  draft.q = dice.numbers({2, 4, 3, 2});
  draft.k = dice.numbers({2, 2, 5, 2});
  draft.v = dice.numbers({2, 2, 5, 1});
  draft.weights["bias_k"] = Array{{4}, {1, 2, 3, 4}};
  draft.weights["bias_v"] = Array{{2}, {5, 6}};
  draft.add_zero_attn = true;
  const Trace trace = trace_of(draft);
  const Tensor &k = trace.value("k_all"), &v = trace.value("v_all");
  CHECK(k.shape() == Shape{2, 2, 7, 2});
  for (Index b = 0; b < 2; ++b) {
    for (Index h = 0; h < 2; ++h) {
      CHECK(k.at({b, h, 5, 0}) == static_cast<double>(1 + 2 * h));
      CHECK(k.at({b, h, 5, 1}) == static_cast<double>(2 + 2 * h));
      CHECK(v.at({b, h, 5, 0}) == static_cast<double>(5 + h));
      CHECK(k.at({b, h, 6, 0}) == 0);
      CHECK(v.at({b, h, 6, 0}) == 0);
    }
  }
}

TEST_CASE("extra keys: they come after the past and the new keys") {
  ProblemDraft draft = with_zero_row(with_bias_row(four_keys()));
  draft.past = ProblemDraft::Past{
      {"before"}, Array{{2, 1, 2}, {7, 7, 8, 8}}, Array{{2, 1, 2}, {9, 9, 9, 9}}};
  const Trace trace = trace_of(draft);
  CHECK(trace.scope().key_tokens.at(0) ==
        Words{"before", "k0", "k1", "k2", "k3", "<bias>", "<zero>"});
  CHECK(trace.value("k_all").at({0, 1, 0, 0}) == 8);
  CHECK(trace.value("k_all").at({0, 1, 1, 0}) == draft.k->data[2]);
  CHECK(trace.value("k_all").at({0, 1, 5, 0}) == 2);
  CHECK(trace.value("k_all").at({0, 1, 6, 0}) == 0);
}

TEST_CASE("extra keys: a row with all other keys hidden is no longer empty") {
  ProblemDraft draft = four_keys();
  draft.masks = {parse_mask("keys:0-3")};
  draft.empty_row = EmptyRow::Error;
  CHECK_THROWS_AS(make_problem(draft), Error);
  const Trace zero = trace_of(with_zero_row(draft));
  CHECK(zero.notes.empty());
  CHECK(zero.value("weights").at({0, 1, 2, 4}) == 1);
  CHECK(zero.value("output").data() == std::vector<double>(12, 0.0));
  const Trace bias = trace_of(with_bias_row(draft));
  CHECK(bias.notes.empty());
  CHECK(bias.value("output").at({0, 0, 2, 3}) == 40);

  draft.masks.clear();
  draft.bias = Array{{1}, {-kInfinity}};
  CHECK(trace_of(with_zero_row(draft)).value("weights").at({0, 0, 0, 4}) == 1);
}

TEST_CASE("extra keys: align end, windows, documents and prefixes are measured without them") {
  ProblemDraft draft = with_zero_row(with_bias_row(four_keys()));
  draft.align = Align::End;
  draft.masks = {parse_mask("causal")};
  CHECK(visible_keys(draft) == "110011/111011/111111");
  draft.masks = {parse_mask("window:0")};
  CHECK(visible_keys(draft) == "010011/001011/000111");
  draft.masks = {parse_mask("documents:2,2")};
  CHECK(visible_keys(draft) == "110011/001111/001111");
  draft.align = Align::Start;
  draft.masks = {parse_mask("prefix:2")};
  CHECK(visible_keys(draft) == "110011/110011/111011");
  draft.masks = {parse_mask("keys:3")};
  draft.key_lengths = {2};
  CHECK(visible_keys(draft) == "110011/110011/110011");
}

TEST_CASE("extra keys: allowed and bias of every rank have the width of the other keys") {
  const ProblemDraft draft = with_zero_row(four_keys());
  const std::vector<std::vector<Index>> shapes = {{4}, {1, 4}, {2, 1, 4}, {1, 2, 1, 4}};
  for (const std::vector<Index>& shape : shapes) {
    CAPTURE(shape.size());
    Array row{shape, {1, 0, 0, 1}};
    if (shape.size() > 2) row.data = {1, 0, 0, 1, 0, 1, 0, 0};
    ProblemDraft allowed = draft, bias = draft;
    allowed.allowed = row;
    CHECK(visible_keys(allowed, 0) == "10011/10011/10011");
    CHECK(visible_keys(allowed, 1) ==
          (shape.size() > 2 ? "01001/01001/01001" : "10011/10011/10011"));
    bias.bias = row;
    const Trace trace = trace_of(bias);
    for (Index h = 0; h < 2; ++h) {
      CHECK(trace.value("bias").at({0, h, 2, 0}) == (h == 1 && shape.size() > 2 ? 0 : 1));
      CHECK(trace.value("bias").at({0, h, 2, 4}) == 0);
    }
  }
  ProblemDraft wide = draft;
  wide.allowed = Array{{5}, {1, 1, 1, 1, 1}};
  CHECK(complaint(wide).rfind("/allowed ", 0) == 0);
}

TEST_CASE("extra keys: no mask hides them, so none can name them") {
  ProblemDraft draft = with_zero_row(with_bias_row(four_keys()));
  draft.masks = {parse_mask("keys:4")};
  CHECK(complaint(draft) == "/mask the mask \"keys:4\" names key 4, but the keys are 0 to 3");
  draft.masks = {parse_mask("keys:<bias>")};
  CHECK(complaint(draft) ==
        "/mask the mask \"keys:<bias>\" names \"<bias>\", but no key has that name");
  draft.masks.clear();
  draft.key_lengths = {5};
  CHECK(complaint(draft).rfind("/key_lengths/0 ", 0) == 0);
}

TEST_CASE("extra keys: multiply and renormalize leave them their weights") {
  ProblemDraft draft = with_zero_row(four_keys());
  draft.masks = {parse_mask("keys:0-3")};
  draft.masking = MaskingMode::Multiply;
  const Trace multiplied = trace_of(draft);
  CHECK(multiplied.value("masked_weights").at({0, 0, 0, 4}) ==
        multiplied.value("weights").at({0, 0, 0, 4}));
  draft.masking = MaskingMode::Renormalize;
  CHECK(trace_of(draft).value("renormalized_weights").at({0, 0, 0, 4}) == 1);
}

TEST_CASE("extra keys: they have no position: rope does not turn them, alibi does not bias them") {
  for (const PositionKind kind : {PositionKind::Rope, PositionKind::RopeInterleaved}) {
    ProblemDraft draft = with_bias_row(four_keys());
    draft.positions.kind = kind;
    const Trace trace = trace_of(draft);
    CHECK(trace.value("k_rotated").rows() == 4);
    for (Index c = 0; c < 4; ++c) {
      CHECK(trace.value("k_all").at({0, c / 2, 4, c % 2}) ==
            draft.weights.at("bias_k").data[static_cast<std::size_t>(c)]);
    }
  }
  ProblemDraft draft = with_zero_row(with_bias_row(four_keys()));
  draft.positions.kind = PositionKind::Alibi;
  draft.bias = Array{{1}, {7}};
  const Trace trace = trace_of(draft);
  for (Index i = 0; i < 3; ++i) {
    CHECK(trace.value("bias").at({0, 0, i, i}) == 7);
    CHECK(trace.value("bias").at({0, 0, i, 3}) < 7);
    CHECK(trace.value("bias").at({0, 0, i, 4}) == 0);
    CHECK(trace.value("bias").at({0, 0, i, 5}) == 0);
  }
}

TEST_CASE("extra keys: what does not fit is refused") {
  ProblemDraft half = with_bias_row(four_keys());
  half.weights.erase("bias_v");
  CHECK(complaint(half).find("bias_k and bias_v belong together") != std::string::npos);
  ProblemDraft narrow = with_bias_row(four_keys());
  narrow.weights["bias_k"] = Array{{3}, {1, 2, 3}};
  CHECK(complaint(narrow).rfind("/weights/bias_k bias_k has 3 numbers", 0) == 0);
  ProblemDraft infinite = with_bias_row(four_keys());
  infinite.weights["bias_v"].data[3] = kInfinity;
  CHECK(complaint(infinite).rfind("/weights/bias_v", 0) == 0);
}

}  // namespace attn::testing
