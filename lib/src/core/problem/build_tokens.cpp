// Labels of queries and keys.
#include "attn/phrases.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

std::vector<std::string> numbered(const std::string& prefix, Index n) {
  std::vector<std::string> labels;
  for (Index i = 0; i < n; ++i) labels.push_back(prefix + std::to_string(i));
  return labels;
}

}  // namespace

TokenLists labels(Build& build, const TokenLists& given, const std::string& prefix, Index n,
                  const std::string& pointer, const std::string& rows_of) {
  if (given.empty()) return {numbered(prefix, n)};
  const Index entries = build.problem.batch.value_or(1);
  const std::string name = pointer.substr(pointer.rfind('/') + 1);
  if (given.size() != 1 && static_cast<Index>(given.size()) != entries) {
    build.complaints.add_independent(
        {.id = "token-count",
         .what = filled("{} has {}, but {}", name, counted(std::ssize(given), "list"),
                        there_are(entries, "batch entry")),
         .places = {{.pointer = pointer}},
         .fix = "Give one list of tokens for all, or one for each batch entry."});
  }
  for (std::size_t b = 0; b < given.size(); ++b) {
    if (static_cast<Index>(given[b].size()) == n) continue;
    build.complaints.add_independent(
        {.id = "token-count",
         .what = filled("{} ({}), but {} has {}", there_are(std::ssize(given[b]), "token"),
                        listed_tokens(given[b]), rows_of, counted(n, "row")),
         .places = {{.pointer = given.size() == 1 ? pointer : pointer + "/" + std::to_string(b)}},
         .rule = "Every token has one row.",
         .fix = filled("Name {}, or leave out \"{}\".", counted(n, "token"), name)});
  }
  return given;
}

void build_tokens(Build& build) {
  const ProblemDraft& d = build.draft;
  ProblemFacts& p = build.problem;
  if (p.query_tokens.empty()) {
    p.query_tokens = labels(build, d.tokens, "t", p.n_queries, "/tokens", d.q ? "Q" : "X");
  }
  if (d.memory) {
    p.key_tokens = labels(build, d.memory->tokens, "m", p.n_keys, "/memory/tokens", "memory");
  } else if (p.x || (d.key_tokens.empty() && p.n_keys == p.n_queries)) {
    p.key_tokens = p.query_tokens;
  } else {
    p.key_tokens = labels(build, d.key_tokens, "k", p.n_keys, "/key_tokens", "K");
  }
}

}  // namespace attn
