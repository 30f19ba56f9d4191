// The library against the oracle, on random problems.

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "support/compare_steps.hpp"
#include "support/oracle.hpp"
#include "support/oracle_parts.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

const std::uint64_t kProblems = 1000;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The sizes that a Settings and a Facts have in common.
template <typename Sizes>
std::vector<Index> sizes_in(const Sizes& s) {
  return {s.has_batch, s.has_heads, s.batch, s.heads, s.kv_heads,
          s.n_queries, s.n_keys,    s.d_k,   s.d_v};
}

bool is_refused(const ProblemDraft& draft) {
  return draft.empty_row == EmptyRow::Error && has_empty_row(draft);
}

}  // namespace

TEST_CASE("attend: every step of random problems agrees with plain loops") {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    CAPTURE(seed);
    const ProblemDraft draft = random_problem(seed);
    if (is_refused(draft)) continue;
    const bool open = seed % 2 == 1;
    const Recipe recipe = open ? opened_softmax() : Recipe();
    CHECK(first_wrong_step(oracle(draft, open), attend(make_problem(draft), recipe),
                           draft.mask_before_scale) == "");
  }
}

TEST_CASE("embedding_table: the sentences of a batch are looked up entry by entry") {
  ProblemDraft draft;
  draft.tokens = {{"a", "b", "a"}, {"b", "c", "c"}};
  draft.embedding_table = {{"a", {1, 0}}, {"b", {0, 1}}, {"c", {-1, 2}}};
  for (const std::string id : {"w_q", "w_k", "w_v"}) {
    draft.weights[id] = Array{{2, 2}, {1, 2, 0, 1}};
  }
  CHECK(first_wrong_step(oracle(draft, false), attend(make_problem(draft))) == "");
}

TEST_CASE("attend: settings and key labels of random problems are those of the draft") {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    CAPTURE(seed);
    const ProblemDraft draft = random_problem(seed);
    if (is_refused(draft)) continue;
    const Facts facts = facts_of(draft);
    const Trace trace = attend(make_problem(draft));
    CHECK(sizes_in(trace.settings()) == sizes_in(facts));
    for (Index b = 0; b < facts.batch; ++b) {
      const auto entry = trace.scope().key_tokens.size() == 1 ? 0 : static_cast<std::size_t>(b);
      CHECK(joined(trace.scope().key_tokens.at(entry)) == joined(key_labels(draft, facts, b)));
    }
  }
}

TEST_CASE("make_problem: empty rows are found if and only if there are any") {
  std::size_t empty = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    CAPTURE(seed);
    const ProblemDraft draft = random_problem(seed);
    if (draft.empty_row == EmptyRow::Error || draft.sinks || draft.weights.contains("sinks"))
      continue;
    CHECK(make_problem(draft)->empty_queries.empty() == !has_empty_row(draft));
    if (has_empty_row(draft)) ++empty;
  }
  CHECK(empty > 100);
}

TEST_CASE("make_problem: an empty row is refused if and only if the policy says error") {
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    CAPTURE(seed);
    const ProblemDraft draft = random_problem(seed);
    if (!is_refused(draft)) continue;
    CHECK_THROWS_AS(make_problem(draft), Error);
    ++refused;
  }
  CHECK(refused > 20);
}

TEST_CASE("random_problem: every step, every policy and every kind of mask occurs") {
  Steps seen;
  std::vector<int> policies(4), modes(4);
  std::string masks;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const ProblemDraft draft = random_problem(seed);
    for (const auto& [id, value] : oracle(draft, true)) seen[id] = value;
    for (const MaskSpec& spec : draft.masks) masks += " " + spec.text;
    if (has_empty_row(draft)) ++policies[static_cast<std::size_t>(draft.empty_row)];
    ++modes[static_cast<std::size_t>(draft.masking)];
  }
  const std::set<std::string> apart{"angles", "k_angles", "dropped_weights"};  // have own tests
  for (const std::string& id : attention_steps())
    CHECK_MESSAGE(seen.contains(id) != apart.contains(id), id);
  for (const int count : policies) CHECK(count > 20);
  for (const int count : modes) CHECK(count > 100);
  for (const MaskKind& kind : mask_kinds()) {
    const bool occurs = masks.find(" " + std::string(kind.name)) != std::string::npos;
    CHECK_MESSAGE(occurs, "no random problem has the mask ", kind.name, ": random_masks.cpp");
  }
}

TEST_CASE("random_problem: all positions occur, also with a past or added keys, and short masks") {
  std::vector<int> kinds(9), kinds_with_past(9), kinds_with_extra(9), scores(3), weights(3);
  int short_masks = 0, batches_apart = 0, masked_first = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const ProblemDraft draft = random_problem(seed);
    const Facts facts = facts_of(draft);
    const auto kind = static_cast<std::size_t>(draft.positions.kind);
    ++kinds[kind];
    ++scores[static_cast<std::size_t>(draft.score)];
    ++weights[static_cast<std::size_t>(draft.normalize)];
    if (draft.mask_before_scale && (has_mask(draft) || draft.bias)) ++masked_first;
    if (facts.n_past > 0) ++kinds_with_past[kind];
    if (facts.n_keys > facts.n_real) ++kinds_with_extra[kind];
    if (kind > 1 && draft.align == Align::KeyLengths && facts.batch > 1) ++batches_apart;
    for (const auto& array : {draft.allowed, draft.bias}) {
      if (array && array->shape.back() > 1 && array->shape.back() < facts.n_real) ++short_masks;
    }
  }
  for (const int count : kinds) CHECK(count > 12);
  for (const int count : kinds_with_past) CHECK(count > 3);
  for (const int count : kinds_with_extra) CHECK(count > 3);
  for (const int count : scores) CHECK(count > 60);
  for (const int count : weights) CHECK(count > 60);
  CHECK(short_masks > 50);
  CHECK(batches_apart > 5);
  CHECK(masked_first > 50);
}

}  // namespace attn::testing
