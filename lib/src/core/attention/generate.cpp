// Checks that the text can grow, keeps keys and values where they stay, and appends the best word.
#include "attn/generate.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/model.hpp"
#include "attn/phrases.hpp"
#include "attn/problem.hpp"
#include "core/attention/drawing.hpp"
#include "core/attention/model_run.hpp"
#include "core/operations/positions/rope_frequencies.hpp"
#include "core/problem/build.hpp"
#include "core/problem/build_model.hpp"
#include "core/problem/embedding_table.hpp"
#include "core/problem/model_kinds.hpp"
#include "core/trace/multiplications.hpp"

namespace attn {
namespace {

/// Whether a mask hides all keys after a query.
bool hides_later(const MaskSpec& mask) {
  const std::string_view name = mask.kind->name;
  const bool backwards = mask.arguments.size() < 2 || mask.arguments[1] == "0";
  return name == "causal" || (name == "window" && backwards);
}

Error cannot_generate(const char* id, std::string pointer, std::string what, std::string fix) {
  return input_error({.id = id,
                      .what = std::move(what),
                      .places = {{.pointer = std::move(pointer)}},
                      .fix = std::move(fix)});
}

Error several_entries(std::string pointer) {
  return cannot_generate("not-supported", std::move(pointer),
                         "text is generated for one batch entry at a time, but there are several",
                         "Give one list.");
}

/// Throws Error (ids "not-supported", "missing-key") if the model cannot continue the text.
void check_generates(const ProblemDraft& draft, const ModelKind* kind) {
  if (kind == nullptr) {
    throw cannot_generate("not-supported", "", "only a whole model generates text",
                          "Give a problem with \"model\", such as the sample 15-induction.");
  }
  if (kind->plan == ModelPlan::Part)
    throw cannot_generate("not-supported", "/model/kind",
                          filled("{} is a part of a layer, which predicts no words", kind->name),
                          "Give a model that predicts the next token, such as 15-induction.");
  if (draft.ids.size() > 1 || draft.tokens.size() > 1)
    throw several_entries(draft.ids.size() > 1 ? "/ids" : "/tokens");
  if (kind->reads_ids() && !kind->starts_from_ids(draft)) {
    throw cannot_generate("not-supported", "/embeddings",
                          "generated tokens have ids, but this text has rows of numbers",
                          "Give \"ids\" in place of \"embeddings\".");
  }
  if (!kind->reads_ids() &&
      (draft.embedding_table.empty() || draft.embeddings || draft.tokens.empty())) {
    throw cannot_generate(
        "missing-key", "",
        "generated tokens are looked up in an embedding_table, and this problem uses none",
        "Give \"embedding_table\" and \"tokens\" in place of \"embeddings\".");
  }
  if (!kind->generates) {
    throw cannot_generate("not-supported", "/model/kind",
                          filled("{} fills gaps in text, but does not continue it", kind->what),
                          "Give a model that predicts the next token, such as GPT-2.");
  }
  for (const auto& [key, given] : {std::pair{"allowed", draft.allowed.has_value()},
                                   {"bias", draft.bias.has_value()},
                                   {"positions/ids", !draft.positions.ids.empty()},
                                   {"key_lengths", !draft.key_lengths.empty()}}) {
    if (!given) continue;
    throw cannot_generate("not-supported", std::string("/") + key,
                          filled("{} has a fixed size, but the text grows", key),
                          "Use \"mask\": \"causal\".");
  }
  for (const MaskSpec& mask : draft.masks) {
    if (std::string_view(mask.kind->name) != "documents") continue;
    throw cannot_generate("not-supported", "/mask",
                          "documents have fixed sizes, but the text grows",
                          "Use \"mask\": \"causal\".");
  }
  const bool causal = draft.masks.empty()
                          ? kind->causal
                          : std::any_of(draft.masks.begin(), draft.masks.end(), hides_later);
  if (!causal) {
    throw cannot_generate("not-supported", "/mask",
                          "without a causal mask, tokens look at those after them, which do not "
                          "exist yet",
                          "Set \"mask\": \"causal\".");
  }
}

/// Whether keys and values stay the same while the text grows: masks hide by the positions of
/// query and key alone (unlike padding, which may depend on rows that are not kept), memory masks
/// by key alone, and no other setting, such as a finite fill or angles that depend on the length,
/// lets a later token change an earlier row.
bool can_cache(const ProblemDraft& draft) {
  const auto by_length = [](const auto& settings) {
    return settings.scaling && depends_on_length(*settings.scaling);
  };
  const std::vector<LayerSettings>& layers = draft.model->layers;
  if (by_length(draft.positions) || std::any_of(layers.begin(), layers.end(), by_length))
    return false;
  const auto is_one_of = [](const MaskSpec& mask, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), mask.kind->name) != names.end();
  };
  const auto grows = [&](const MaskSpec& mask) {
    return is_one_of(mask, {"none", "causal", "window", "keys"});
  };
  const auto goes_by_key = [&](const MaskSpec& mask) {
    return is_one_of(mask, {"none", "keys", "padding"});
  };
  return std::all_of(draft.masks.begin(), draft.masks.end(), grows) &&
         std::all_of(draft.memory_masks.begin(), draft.memory_masks.end(), goes_by_key) &&
         draft.masking != MaskingMode::Multiply &&
         (!draft.fill_is_finite() || draft.masking == MaskingMode::Renormalize) &&
         draft.empty_row != EmptyRow::Nan && draft.align == Align::Start;
}

/// The keys or values of an attention after its past was put in front of them.
Tensor rows_of(const Trace& trace, const Scope& scope, const std::string& letter) {
  const std::string id = scope.name + "." + letter;
  const Step* last = trace.steps.last_in(scope, [&](const Step& step) {
    if (!step.id.starts_with(id)) return false;
    const std::string ending = step.id.substr(id.size());
    return ending.empty() || ending == "_heads" || ending == "_normed" || ending == "_rotated" ||
           ending == "_all";
  });
  for (const char* given : {"_heads", ""})
    if (last == nullptr) last = trace.find(id + given);
  return last->value;
}

/// Whether the step of that id is, or becomes, keys or values, which cache_of reads.
bool is_key_or_value(const std::string& id) {
  const std::string word = id.substr(id.rfind('.') + 1);
  return word.starts_with("k") || word.starts_with("v");
}

/// The encoder's output; with `keys`, the keys and values of all `tokens` so far, too.
std::shared_ptr<ModelCache> cache_of(const Trace& trace, bool keys,
                                     std::vector<std::string> tokens) {
  auto cache = std::make_shared<ModelCache>();
  if (const Step* memory = trace.find("memory")) cache->memory = memory->value;
  if (!keys) return cache;
  cache->tokens = std::move(tokens);
  for (const auto& scope : trace.scopes) {
    const bool decodes = trace.first_of(StepRole::Weights, *scope) != nullptr &&
                         !scope->name.starts_with("encoder.");
    if (!decodes) continue;
    cache->attentions[scope->name] = {rows_of(trace, *scope, "k"), rows_of(trace, *scope, "v")};
  }
  return cache;
}

constexpr const char* kNoCache =
    "Keys and values are not kept between tokens: with these masks and settings, the rows of "
    "earlier tokens may change as the text grows.";

/// Whether all weights, as numbers, take at most so many bytes.
bool fit_in(double memory, const ProblemDraft& draft) {
  double bytes = 0.0;
  for (const auto& [name, tensor] : draft.model_weights) bytes += array_bytes(tensor.shape);
  for (const auto& [name, array] : draft.weights) bytes += array_bytes(array.shape);
  return bytes <= memory;
}

/// The word after the last row, and the most probable other one.
GeneratedToken chosen(const Trace& trace, const Step& probabilities, Drawing* drawing) {
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
  if (drawing != nullptr) token.id = drawing->next(row);
  token.probability = row[static_cast<std::size_t>(token.id)];
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
  if (positions == nullptr) positions = trace.find("decoder.position_table");
  const Index first = find_model_kind(draft.model->kind)->first_position;
  const bool full = positions != nullptr && first + length > positions->value.rows();
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
  start_decoder(draft);
  const bool cached = options.cache && can_cache(draft);
  if (options.count > 1 && fit_in(draft.max_memory / 2, draft))
    draft.held = std::make_shared<HeldWeights>();
  double of_memory = 0.0;
  Generation made;
  std::optional<Drawing> drawing;
  if (options.draw) {
    drawing.emplace(*options.draw);
    made.notes.push_back(how_drawn(*options.draw));
  }
  if (!draft.ids.empty()) made.prompt_ids = draft.ids.front();
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
    GeneratedToken token = chosen(trace, *probabilities, drawing ? &*drawing : nullptr);
    const auto length = std::ssize(made.prompt) + std::ssize(made.tokens);
    token.multiplications = token.multiplications_without_cache = multiplications(trace);
    if (made.tokens.empty()) of_memory = multiplications(trace, "memory");  // its keys and values
    if (cached && draft.cache)  // each of which would make all rows, not one
      token.multiplications_without_cache =
          static_cast<double>(length) * token.multiplications + of_memory;
    made.end = end_after(token, length + 1, trace, given);
    if (!draft.cache || cached) {
      std::vector<std::string> tokens =
          draft.cache ? draft.cache->tokens : std::vector<std::string>();
      for (const std::string& each : problem->query_tokens.front()) tokens.push_back(each);
      draft.cache = cache_of(trace, cached, std::move(tokens));
    }
    append(draft, token, cached);
    made.tokens.push_back(std::move(token));
  }
  return made;
}

}  // namespace attn
