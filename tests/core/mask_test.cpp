// Every kind of mask against the matrix of ones and zeros that a person would write down.

#include "attn/mask.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/problem.hpp"
#include "core/masks/hiding.hpp"
#include "support/infinity.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

/// Q, K and V of ones with those masks.
ProblemDraft draft_of(Index n_queries, Index n_keys, const std::vector<std::string>& masks = {}) {
  const auto ones = [](Index rows) {
    return Array{{rows, 2}, std::vector<double>(static_cast<std::size_t>(rows) * 2, 1.0)};
  };
  ProblemDraft draft;
  draft.q = ones(n_queries);
  draft.k = ones(n_keys);
  draft.v = ones(n_keys);
  for (const std::string& mask : masks) draft.masks.push_back(parse_mask(mask));
  return draft;
}

/// A draft with a batch of two: queries 0, 1 and keys 0 … 3 in both entries.
ProblemDraft batch_of_two() {
  ProblemDraft draft = draft_of(4, 8);
  draft.q->shape = {2, 2, 2};
  draft.k->shape = {2, 4, 2};
  draft.v->shape = {2, 4, 2};
  return draft;
}

/// A draft with one past key in front of two new ones, and two queries.
ProblemDraft with_past(const std::vector<std::string>& masks) {
  ProblemDraft draft = draft_of(2, 2, masks);
  draft.past = ProblemDraft::Past{{"<pad>"}, Array{{1, 2}, {0, 0}}, Array{{1, 2}, {0, 0}}};
  return draft;
}

/// Who may attend to whom: "10/11" is two rows.
std::string visible_under(const ProblemDraft& draft, Index batch = 0, Index head = 0) {
  const Problem problem = make_problem(draft);
  if (!problem->visibility) return "no mask";
  const Tensor& allowed = problem->visibility->allowed;
  std::string text;
  for (Index i = 0; i < problem->n_queries; ++i) {
    if (i > 0) text += '/';
    for (Index j = 0; j < problem->n_keys; ++j) {
      text += allowed.at({batch, head, i, j}) == 1 ? '1' : '0';
    }
  }
  return text;
}

/// The name of the mask that hid a cell; "" if it is visible.
std::string hider(const ProblemDraft& draft, Index row, Index col) {
  const Problem problem = make_problem(draft);
  const Visibility& visibility = *problem->visibility;
  const Tensor& allowed = visibility.allowed;
  const Cell cell{0, 0, row, col};
  const std::uint16_t hider = visibility.hider_at(cell);
  REQUIRE(visibility.hider.size() == allowed.stored().size());
  CHECK((hider == 0) == (allowed.at(cell) == 1));
  return hider == 0 ? "" : visibility.names.at(hider - 1u);
}

ProblemDraft aligned(ProblemDraft draft, Align align) {
  draft.align = align;
  return draft;
}

/// X instead of Q K V, so that rows of zeros are known to be padding.
ProblemDraft embedded(const std::vector<double>& rows, const std::vector<std::string>& masks) {
  ProblemDraft draft;
  draft.embeddings = Array{{static_cast<Index>(rows.size()), 1}, rows};
  for (const std::string id : {"w_q", "w_k", "w_v"}) draft.weights[id] = Array{{1, 1}, {1}};
  for (const std::string& mask : masks) draft.masks.push_back(parse_mask(mask));
  return draft;
}

}  // namespace

TEST_CASE("mask: none hides nothing, and without any other mask there is no mask") {
  CHECK(visible_under(draft_of(2, 2)) == "no mask");
  CHECK(attend(make_problem(draft_of(2, 2, {"none"}))).find("mask") == nullptr);
  CHECK(visible_under(draft_of(2, 2, {"none", "causal"})) == "10/11");
}

TEST_CASE("mask: causal lets a query see itself and what comes before it") {
  CHECK(visible_under(draft_of(3, 3, {"causal"})) == "100/110/111");
}

TEST_CASE("mask: causal starts at the first key when there are more keys than queries") {
  CHECK(visible_under(draft_of(2, 4, {"causal"})) == "1000/1100");
  CHECK(visible_under(draft_of(4, 2, {"causal"})) == "10/11/11/11");
}

TEST_CASE("mask: a causal mask that hides nothing is noted, but not that of a lone query") {
  const auto notes = [](Index n_queries) {
    return attend(make_problem(draft_of(n_queries, 1, {"causal"}))).notes;
  };
  CHECK(notes(2) == std::vector<std::string>{"the mask causal hides nothing"});
  CHECK(notes(1).empty());
}

TEST_CASE("mask: align end puts the last query at the last key") {
  CHECK(visible_under(aligned(draft_of(2, 4, {"causal"}), Align::End)) == "1110/1111");
  CHECK(visible_under(aligned(draft_of(3, 2, {"causal"}), Align::End)) == "00/10/11");
  CHECK(visible_under(aligned(draft_of(2, 4, {"window:1"}), Align::End)) == "0110/0011");
  CHECK(visible_under(aligned(draft_of(2, 5, {"prefix:1"}), Align::End)) == "11110/11111");
}

TEST_CASE("mask: queries come after the past, whether aligned at the start or the end") {
  CHECK(visible_under(with_past({"causal"})) == "110/111");
  CHECK(visible_under(aligned(with_past({"causal"}), Align::End)) == "110/111");
  ProblemDraft more_keys = with_past({"causal"});
  more_keys.q = Array{{1, 2}, {1, 1}};
  CHECK(visible_under(more_keys) == "110");
  CHECK(visible_under(aligned(more_keys, Align::End)) == "111");
}

TEST_CASE("mask: align key-lengths puts the last query at each entry's last valid key") {
  ProblemDraft draft = batch_of_two();
  draft.masks = {parse_mask("causal")};
  draft.key_lengths = {4, 1};
  draft.align = Align::KeyLengths;
  CHECK(visible_under(draft, 0) == "1110/1111");
  CHECK(visible_under(draft, 1) == "0000/1000");
}

TEST_CASE("mask: window reaches to the left, and to the right only if asked") {
  CHECK(visible_under(draft_of(4, 4, {"window:1"})) == "1000/1100/0110/0011");
  CHECK(visible_under(draft_of(4, 4, {"window:0"})) == "1000/0100/0010/0001");
  CHECK(visible_under(draft_of(4, 4, {"window:1,2"})) == "1110/1111/0111/0011");
  CHECK(visible_under(draft_of(3, 3, {"window:0,1"})) == "110/011/001");
}

TEST_CASE("mask: prefix shows the first keys to all and is causal after them") {
  CHECK(visible_under(draft_of(4, 4, {"prefix:2"})) == "1100/1100/1110/1111");
  CHECK(visible_under(draft_of(2, 2, {"prefix:0"})) == "10/11");
}

TEST_CASE("mask: documents do not see each other") {
  CHECK(visible_under(draft_of(4, 4, {"documents:1,3"})) == "1000/0111/0111/0111");
  CHECK(visible_under(draft_of(4, 4, {"documents:2,2", "causal"})) == "1000/1100/0010/0011");
}

TEST_CASE("mask: a query belongs to the document at its place among the keys") {
  CHECK(visible_under(draft_of(2, 4, {"documents:1,3"})) == "1000/0111");
  CHECK(visible_under(aligned(draft_of(2, 4, {"documents:3,1"}), Align::End)) == "1110/0001");
  CHECK(visible_under(draft_of(3, 2, {"documents:1,1"})) == "10/01/00");
}

TEST_CASE("mask: keys hides columns by number, range and token") {
  ProblemDraft draft = draft_of(2, 5, {"keys:0,2-3"});
  CHECK(visible_under(draft) == "01001/01001");
  draft.masks = {parse_mask("keys:cat,4")};
  draft.key_tokens = {{"the", "cat", "sat", "cat", "on"}};
  CHECK(visible_under(draft) == "10100/10100");
  draft.masks = {parse_mask("keys:1-a")};  // no range: what follows the dash is no number
  draft.key_tokens = {{"a", "1-a", "b", "1", "2"}};
  CHECK(visible_under(draft) == "10111/10111");
}

TEST_CASE("mask: padding with keys hides them as keys does") {
  CHECK(visible_under(draft_of(2, 4, {"padding:2-3"})) == "1100/1100");
}

TEST_CASE("mask: padding without keys goes by the tokens <pad> and [PAD]") {
  ProblemDraft draft = draft_of(1, 4, {"padding"});
  draft.key_tokens = {{"a", "<pad>", "[PAD]", "pad"}};
  CHECK(visible_under(draft) == "1001");
}

TEST_CASE("mask: padding also goes by rows of zeros of X, the memory or a given K") {
  CHECK(visible_under(embedded({1, 0, 2}, {"padding"})) == "101/101/101");
  ProblemDraft cross = embedded({0, 1}, {"padding"});
  cross.memory = ProblemDraft::Memory{{}, Array{{3, 1}, {3, 4, 0}}};
  CHECK(visible_under(cross) == "110/110");
  ProblemDraft given = draft_of(1, 2, {"padding"});
  given.k->data = {0, 0, 1, 1};
  given.key_tokens = {{"a", "b"}};
  CHECK(visible_under(given) == "01");
}

TEST_CASE("mask: a key of the past is padding by its token") {
  CHECK(visible_under(with_past({"padding"})) == "011/011");
  ProblemDraft named = with_past({"padding"});
  named.past->tokens = {"a"};
  CHECK(visible_under(named) == "111/111");
}

TEST_CASE("mask: tokens of a batch are looked up in each entry by itself") {
  ProblemDraft draft = batch_of_two();
  draft.key_tokens = {{"a", "b", "c", "d"}, {"b", "b", "<pad>", "a"}};
  draft.masks = {parse_mask("keys:b")};
  CHECK(visible_under(draft, 0) == "1011/1011");
  CHECK(visible_under(draft, 1) == "0011/0011");
  draft.masks = {parse_mask("padding")};
  CHECK(visible_under(draft, 0) == "1111/1111");
  CHECK(visible_under(draft, 1) == "1101/1101");
}

TEST_CASE("mask: queries hides no key but sets rows of weights to zero") {
  const Trace trace = attend(make_problem(draft_of(3, 2, {"queries:0,2"})));
  CHECK(trace.find("mask") == nullptr);
  CHECK(trace.value("weights").data() == std::vector<double>(6, 0.5));
  CHECK(trace.value("query_masked_weights").data() == std::vector<double>{0, 0, .5, .5, 0, 0});
}

TEST_CASE("allowed: a matrix of ones and zeros is the mask") {
  ProblemDraft draft = draft_of(2, 3);
  draft.allowed = Array{{2, 3}, {1, 0, 1, 0, 1, 1}};
  CHECK(visible_under(draft) == "101/011");
  draft.allowed = Array{{3}, {0, 1, 1}};
  CHECK(visible_under(draft) == "011/011");
  draft.allowed = Array{{2, 1}, {0, 1}};
  CHECK(visible_under(draft) == "000/111");
}

TEST_CASE("allowed: rank 3 is one matrix for each head, or for each batch entry without heads") {
  ProblemDraft heads = draft_of(1, 2);
  heads.heads = 2;
  heads.allowed = Array{{2, 1, 2}, {1, 0, 0, 1}};
  CHECK(visible_under(heads, 0, 0) == "10");
  CHECK(visible_under(heads, 0, 1) == "01");
  ProblemDraft batch = batch_of_two();
  batch.allowed = Array{{2, 1, 4}, {1, 0, 1, 0, 0, 0, 0, 1}};
  CHECK(visible_under(batch, 0) == "1010/1010");
  CHECK(visible_under(batch, 1) == "0001/0001");
}

TEST_CASE("key_lengths: keys at and after the length are hidden") {
  ProblemDraft draft = batch_of_two();
  draft.key_lengths = {3, 0};
  CHECK(visible_under(draft, 0) == "1110/1110");
  CHECK(visible_under(draft, 1) == "0000/0000");
}

TEST_CASE("masks: a key is visible only if all of them allow it") {
  ProblemDraft draft = draft_of(3, 3, {"causal", "keys:0"});
  draft.allowed = Array{{3, 3}, {1, 1, 1, 1, 0, 1, 1, 1, 1}};
  draft.key_lengths = {2};
  CHECK(visible_under(draft) == "000/000/010");
}

TEST_CASE("masks: a hidden cell knows the first mask that hid it, in the order given") {
  CHECK(hider(draft_of(3, 3, {"causal", "keys:0,2"}), 0, 2) == "causal");
  CHECK(hider(draft_of(3, 3, {"keys:0,2", "causal"}), 0, 2) == "keys:0,2");
  CHECK(hider(draft_of(3, 3, {"causal", "keys:0,2"}), 2, 0) == "keys:0,2");
  CHECK(hider(draft_of(3, 3, {"causal", "keys:0,2"}), 1, 1) == "");
}

TEST_CASE("masks: allowed and key_lengths are named too, after the masks") {
  ProblemDraft draft = draft_of(2, 4, {"causal"});
  draft.allowed = Array{{4}, {0, 1, 1, 1}};
  draft.key_lengths = {1};
  CHECK(hider(draft, 0, 0) == "allowed");
  CHECK(hider(draft, 1, 1) == "key_lengths");
  CHECK(hider(draft, 0, 3) == "causal");
}

TEST_CASE("masks: every empty row is reported, and no other row") {
  const auto notes = [](const ProblemDraft& draft) { return attend(make_problem(draft)).notes; };
  CHECK(notes(draft_of(3, 3, {"causal"})).empty());
  ProblemDraft named = draft_of(3, 3, {"causal", "keys:0"});
  named.tokens = {{"the", "cat", "sat"}};
  REQUIRE(notes(named).size() == 1);
  CHECK(notes(named)[0].find("\"the\"") != std::string::npos);
  ProblemDraft by_bias = draft_of(2, 2);
  by_bias.bias = Array{{2, 2}, {0, -kInfinity, 0, 0}};
  CHECK(notes(by_bias).empty());
  by_bias.bias->data[0] = -kInfinity;
  CHECK(notes(by_bias).size() == 1);
}

TEST_CASE("masks: the note on an empty row says what its weights are") {
  struct Row {
    MaskingMode mode;
    double fill;
    EmptyRow policy;
    std::string note;
  };
  const Row rows[] = {
      {MaskingMode::Replace, -kInfinity, EmptyRow::Zero, "weights are all zero"},
      {MaskingMode::Replace, -kInfinity, EmptyRow::Nan, "weights are NaN (empty_row: nan)"},
      {MaskingMode::Replace, -kInfinity, EmptyRow::Uniform, "all 1/2 (empty_row: uniform)"},
      {MaskingMode::Replace, -1e9, EmptyRow::Zero, std::string("all 1/2") + kFillMakesThem},
      {MaskingMode::Add, -1e3, EmptyRow::Zero, "weights are not meaningful"},
      {MaskingMode::Multiply, -kInfinity, EmptyRow::Nan, "weights are all zero"},
      {MaskingMode::Renormalize, -kInfinity, EmptyRow::Uniform, "all 1/2 (empty_row: uniform)"},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.note));
    ProblemDraft draft = draft_of(2, 2, {"keys:0-1"});
    draft.k->data[0] += 1;  // scores that differ
    draft.masking = row.mode;
    draft.fill = row.fill;
    draft.empty_row = row.policy;
    const Trace trace = attend(make_problem(draft));
    REQUIRE(!trace.notes.empty());
    CHECK(trace.notes[0].find(row.note) != std::string::npos);
  }
}

TEST_CASE("masks: empty rows that follow each other share one note") {
  const Trace trace = attend(make_problem(draft_of(4, 2, {"keys:0-1"})));
  REQUIRE(trace.notes.size() == 1);
  CHECK(trace.notes[0] == R"(queries 0 "t0" to 3 "t3" see no key: their weights are all zero)");
}

TEST_CASE("masks: a row that the mask and the bias empty together is reported") {
  ProblemDraft draft = draft_of(2, 2, {"keys:0"});
  draft.bias = Array{{2, 2}, {0, 0, 0, -kInfinity}};
  CHECK(attend(make_problem(draft)).notes.size() == 1);
  draft.empty_row = EmptyRow::Error;
  CHECK_THROWS_AS(make_problem(draft), Error);
}

TEST_CASE("Hiding: a range may be open at its end") {
  Visibility v{Tensor(Shape{{}, {}, 1, 4}, 1.0), std::vector<std::uint16_t>(4), {}};
  MaskSite site;
  site.n_queries = 1;
  site.n_keys = 4;
  Hiding hiding(v, site);
  hiding.begin("later");
  CHECK(hiding.keep(0, 0, {2, std::numeric_limits<Index>::max()}));
  CHECK(v.hider == std::vector<std::uint16_t>{1, 1, 0, 0});
}

TEST_CASE("mask_kinds: every example is a mask of its kind") {
  for (const MaskKind& kind : mask_kinds()) {
    CAPTURE(kind.name);
    const MaskSpec spec = parse_mask(kind.example);
    CHECK(spec.text == kind.example);
    CHECK(spec.kind == &kind);
  }
}

TEST_CASE("parse_mask: arguments are split at commas") {
  CHECK(parse_mask("causal").arguments.empty());
  CHECK(parse_mask("window:2,1").arguments == std::vector<std::string>{"2", "1"});
  CHECK(parse_mask("window: 2, 1").arguments == std::vector<std::string>{"2", "1"});
  CHECK(parse_mask("keys:the,2-4").arguments == std::vector<std::string>{"the", "2-4"});
}

}  // namespace attn::testing
