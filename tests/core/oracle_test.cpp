// The library against the oracle, on problems left to chance.

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "support/compare.hpp"
#include "support/oracle.hpp"
#include "support/oracle_parts.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

const std::uint64_t kProblems = 1000;

/// The order of the steps as the public contract has it.
const std::string kOrder =
    "x memory q k v q_heads k_heads v_heads k_all v_all scores scaled_scores capped_scores bias "
    "mask masked_scores row_max exp_scores row_sum weights masked_weights renormalized_weights "
    "query_masked_weights context concat output";

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string expected_order(const Steps& steps) {
  std::istringstream order(kOrder);
  std::vector<std::string> ids;
  for (std::string id; order >> id;) {
    if (steps.count(id) > 0) ids.push_back(id);
  }
  return joined(ids);
}

std::string found_order(const Trace& trace) {
  std::vector<std::string> ids;
  for (const Step& step : trace.steps) ids.push_back(step.id);
  return joined(ids);
}

/// "weights [0, 2, 1] is …" for the first step in which the trace differs; empty if none does.
std::string first_wrong_step(const Steps& expected, const Trace& trace) {
  if (expected_order(expected) != found_order(trace)) {
    return "steps " + found_order(trace) + "; expected " + expected_order(expected);
  }
  for (const Step& step : trace.steps) {
    const std::string difference = first_difference(expected.at(step.id), step.value);
    if (!difference.empty()) return step.id + " " + difference;
  }
  return "";
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

TEST_CASE("attend: every step of random problems agrees with three plain loops") {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    CAPTURE(seed);
    const ProblemDraft draft = random_problem(seed);
    if (is_refused(draft)) continue;
    Recipe recipe;
    recipe.open_softmax = seed % 2 == 1;
    std::string difference;
    try {
      difference =
          first_wrong_step(oracle(draft, recipe.open_softmax), attend(make_problem(draft), recipe));
    } catch (const Error& error) {
      difference = error.diagnostics()[0].id + ": " + error.what();
    }
    CHECK(difference == "");
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
    CHECK(sizes_in(trace.settings) == sizes_in(facts));
    for (Index b = 0; b < facts.batch; ++b) {
      const auto entry = trace.key_tokens.size() == 1 ? 0 : static_cast<std::size_t>(b);
      CHECK(joined(trace.key_tokens.at(entry)) == joined(key_labels(draft, facts, b)));
    }
  }
}

TEST_CASE("make_problem: empty rows are found if and only if there are any") {
  std::size_t empty = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    CAPTURE(seed);
    const ProblemDraft draft = random_problem(seed);
    if (draft.empty_row == EmptyRow::Error) continue;
    CHECK(make_problem(draft).empty_queries.empty() == !has_empty_row(draft));
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
  CHECK(expected_order(seen) == kOrder);
  for (const int count : policies) CHECK(count > 20);
  for (const int count : modes) CHECK(count > 100);
  for (const MaskKind& kind : mask_kinds()) {
    CAPTURE(kind.name);
    CHECK(masks.find(" " + std::string(kind.name)) != std::string::npos);
  }
}

}  // namespace attn::testing
