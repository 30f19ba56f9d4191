// Generating text: the most probable token, fed back again and again.
#include "attn/generate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attn/attend.hpp"
#include "core/attention/generate_checks.hpp"
#include "core/attention/model_cache.hpp"
#include "core/problem/build.hpp"
#include "core/problem/build_model.hpp"
#include "core/problem/embedding_table.hpp"
#include "core/trace/multiplications.hpp"

namespace attn {
namespace {

constexpr const char* kNoCache =
    "Keys and values are not kept between tokens: with these masks and settings, the rows of "
    "earlier tokens may change as the text grows.";

/// The two most probable words after the last row.
GeneratedToken chosen(const Trace& trace, const Step& probabilities) {
  const Tensor& p = probabilities.value;
  const auto row = p.row(0, 0, p.rows() - 1);
  GeneratedToken token;
  const auto best = std::max_element(row.begin(), row.end());
  token.id = best - row.begin();
  if (!std::isfinite(*best)) {
    throw cannot_generate("not-finite", "/weights",
                          "the probabilities of the next token are not numbers",
                          "A summary of the steps shows where the first NaN comes from.");
  }
  token.probability = *best;
  token.runner_up = token.id == 0 ? 1 : 0;
  for (Index i = 0; i < std::ssize(row); ++i) {
    const auto at = [&](Index word) { return row[static_cast<std::size_t>(word)]; };
    if (i != token.id && at(i) > at(token.runner_up)) token.runner_up = i;
  }
  if (row.size() < 2) token.runner_up = token.id;
  token.runner_up_probability = row[static_cast<std::size_t>(token.runner_up)];
  const std::vector<std::string>& words = trace.scope().vocabulary;
  token.token = word_of_id(token.id, words);
  token.runner_up_token = word_of_id(token.runner_up, words);
  return token;
}

/// Why a token is the last one; Count if nothing but the number of tokens makes it so.
GenerationEnd end_after(const GeneratedToken& token, Index length, const Trace& trace,
                        const ProblemDraft& draft) {
  const std::vector<Index>& ids = draft.model->end_ids;
  const bool end_id = std::find(ids.begin(), ids.end(), token.id) != ids.end();
  const bool end_word = draft.vocabulary && draft.vocabulary->end_token == token.token;
  if (end_id || end_word) return GenerationEnd::EndToken;
  const Step* positions = trace.find("position_table");
  const bool full = positions != nullptr && length > positions->value.rows();
  return full ? GenerationEnd::Positions : GenerationEnd::Count;
}

/// `draft` with one more token: after all the others, or alone where those are cached.
void append(ProblemDraft& draft, const GeneratedToken& token, bool alone) {
  const auto add = [&](auto& lists, auto item) {
    if (lists.empty()) lists.emplace_back();
    if (alone) lists.front().clear();
    lists.front().push_back(std::move(item));
  };
  draft.text.reset();  // its words are among the tokens
  if (draft.ids.empty() || !draft.tokens.empty()) add(draft.tokens, token.token);
  if (!draft.ids.empty()) add(draft.ids, token.id);
}

}  // namespace

Generation generate(const ProblemDraft& given, const GenerateOptions& options) {
  const ModelKind* kind = given.model ? find_model_kind(given.model->kind) : nullptr;
  ProblemDraft draft = given;
  draft.labels.clear();
  if (given.text) draft.tokens = {text_words(given)};
  check_generates(draft, kind);
  ProblemDraft everything = draft;
  const bool cached = options.cache && can_cache(draft);
  Generation made;
  const KeepStep keeps = [](const std::string& id) {
    return is_key_or_value(id) || id == "memory" || id == "probabilities";
  };
  while (std::ssize(made.tokens) < options.count && made.end == GenerationEnd::Count) {
    const Problem problem = make_problem(draft);
    if (problem->batch) throw several_entries("");
    const Trace trace = attend(problem, {}, keeps);
    if (made.tokens.empty()) {
      made.prompt = problem->query_tokens.front();
      if (options.cache && !cached) made.notes.emplace_back(kNoCache);
    }
    const Step* probabilities = trace.find("probabilities");
    if (probabilities == nullptr) {
      throw cannot_generate("missing-key", "/vocabulary",
                            "the model has no vocabulary to choose from", kAddVocabulary);
    }
    GeneratedToken token = chosen(trace, *probabilities);
    token.multiplications = multiplications(trace);
    token.multiplications_without_cache = cached && draft.cache
                                              ? multiplications(outline(make_problem(everything)))
                                              : token.multiplications;
    const auto length = std::ssize(made.prompt) + std::ssize(made.tokens) + 1;
    made.end = end_after(token, length, trace, given);
    if (!draft.cache || cached) {
      std::vector<std::string> tokens =
          draft.cache ? draft.cache->tokens : std::vector<std::string>();
      for (const std::string& each : problem->query_tokens.front()) tokens.push_back(each);
      auto cache = cache_of(trace, cached, std::move(tokens));
      if (!everything.cache) everything.cache = cache_of(trace, false, {});
      draft.cache = std::move(cache);
    }
    append(draft, token, cached);
    append(everything, token, false);
    made.tokens.push_back(std::move(token));
  }
  return made;
}

}  // namespace attn
