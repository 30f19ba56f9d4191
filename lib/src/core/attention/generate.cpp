// Generating text: the most probable token, fed back again and again.
#include "attn/generate.hpp"

#include <algorithm>
#include <utility>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/tool/phrases.hpp"
#include "core/problem/embedding_table.hpp"
#include "core/problem/model_kinds.hpp"

namespace attn {
namespace {

/// Of all matrix products of a trace: one for each term of each sum.
double multiplications(const Trace& trace) {
  double count = 0.0;
  for (const Step& step : trace.steps) {
    if (step.operation->sizes_meet == SizesMeet::No) continue;
    const double terms = static_cast<double>(trace.input(step, 0).value.cols());
    count += terms * static_cast<double>(step.value.shape().count());
  }
  return count;
}

Error cannot_generate(const char* id, std::string pointer, std::string what, std::string fix) {
  return input_error({.id = id,
                      .what = std::move(what),
                      .places = {{.pointer = std::move(pointer)}},
                      .fix = std::move(fix)});
}

/// Whether a mask hides all keys after a query.
bool hides_later(const MaskSpec& mask) {
  const std::string_view name = mask.kind->name;
  const bool backwards = mask.arguments.size() < 2 || mask.arguments[1] == "0";
  return name == "causal" || (name == "window" && backwards);
}

void check(const ProblemDraft& draft, const ModelKind* kind) {
  if (kind == nullptr) {
    throw cannot_generate("not-supported", "", "only a whole model generates text",
                          "Give a problem with \"model\", such as the sample 15-induction.");
  }
  if (draft.ids.size() > 1 || draft.tokens.size() > 1) {
    throw cannot_generate("not-supported", draft.ids.size() > 1 ? "/ids" : "/tokens",
                          "text is generated for one batch entry at a time, but there are several",
                          "Give one list.");
  }
  const bool ids = kind->input == ModelInput::Ids;
  if (!ids && (draft.embedding_table.empty() || draft.embeddings || draft.tokens.empty())) {
    throw cannot_generate(
        "missing-key", "",
        "generated tokens need an embedding_table with tokens, to be looked up there",
        "Give \"embedding_table\" and \"tokens\" in place of \"embeddings\".");
  }
  if (!kind->generates) {
    throw cannot_generate("not-supported", "/model/kind",
                          filled("{} fills gaps in a text; it does not continue one", kind->what),
                          "Give a model that predicts the next token, such as GPT-2.");
  }
  for (const auto& [key, given] : {std::pair{"allowed", draft.allowed.has_value()},
                                   {"bias", draft.bias.has_value()},
                                   {"key_lengths", !draft.key_lengths.empty()}}) {
    if (!given) continue;
    throw cannot_generate("not-supported", std::string("/") + key,
                          filled("{} has a fixed size, but the text grows", key),
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

/// Whether keys and values stay what they are while the text grows: masks go by position among
/// earlier tokens, and memory masks not at all.
bool can_cache(const ProblemDraft& draft) {
  const auto is_one_of = [](const MaskSpec& mask, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), mask.kind->name) != names.end();
  };
  const auto grows = [&](const MaskSpec& mask) {
    return is_one_of(mask, {"causal", "window", "keys", "padding"});
  };
  const auto goes_by_key = [&](const MaskSpec& mask) {
    return is_one_of(mask, {"keys", "padding"});
  };
  return std::all_of(draft.masks.begin(), draft.masks.end(), grows) &&
         std::all_of(draft.memory_masks.begin(), draft.memory_masks.end(), goes_by_key) &&
         draft.masking != MaskingMode::Multiply && draft.empty_row != EmptyRow::Nan &&
         draft.align == Align::Start;
}

std::vector<std::string> labels_of(const ProblemDraft& draft) {
  if (!draft.tokens.empty()) return draft.tokens.front();
  std::vector<std::string> labels;
  for (const Index id : draft.ids.front()) labels.push_back(std::to_string(id));
  return labels;
}

/// The keys or values of an attention after its past was put in front of them.
Array rows_of(const Trace& trace, const std::string& scope, char letter) {
  const Step* found = nullptr;
  for (const char* ending : {"", "_heads", "_rotated", "_all"}) {
    const Step* step = trace.find(scope + "." + letter + ending);
    if (step != nullptr) found = step;
  }
  const Shape& shape = found->value.shape();
  Array rows{{shape.rows, shape.cols}, found->value.data()};
  if (shape.heads) rows.shape.insert(rows.shape.begin(), *shape.heads);
  return rows;
}

bool is_key_or_value(const std::string& id) {
  const std::string word = id.substr(id.rfind('.') + 1);
  return word.starts_with("k") || word.starts_with("v");
}

/// What a run of a model leaves for the next one.
std::shared_ptr<ModelCache> cache_of(const Trace& trace, bool keys,
                                     std::vector<std::string> tokens) {
  auto cache = std::make_shared<ModelCache>();
  if (const Step* memory = trace.find("memory"))
    cache->memory = Array{{memory->value.rows(), memory->value.cols()}, memory->value.data()};
  if (!keys) return cache;
  cache->tokens = std::move(tokens);
  for (const auto& scope : trace.scopes) {
    const bool decodes = trace.first_of(StepRole::Weights, *scope) != nullptr &&
                         !scope->name.starts_with("encoder.");
    if (!decodes) continue;
    cache->attentions[scope->name] = {rows_of(trace, scope->name, 'k'),
                                      rows_of(trace, scope->name, 'v')};
  }
  return cache;
}

/// The two most probable words after the last row.
GeneratedToken chosen(const Trace& trace, const Step& probabilities) {
  const Tensor& p = probabilities.value;
  const auto row = p.row(0, 0, p.rows() - 1);
  GeneratedToken token;
  const auto best = std::max_element(row.begin(), row.end());
  token.id = best - row.begin();
  token.probability = *best;
  token.runner_up = token.id == 0 ? 1 : 0;
  for (Index i = 0; i < std::ssize(row); ++i) {
    const auto at = [&](Index word) { return row[static_cast<std::size_t>(word)]; };
    if (i != token.id && at(i) > at(token.runner_up)) token.runner_up = i;
  }
  if (row.size() < 2) token.runner_up = token.id;
  token.runner_up_probability = row[static_cast<std::size_t>(token.runner_up)];
  const std::vector<std::string>& words = trace.scope().vocabulary;
  const auto name = [&](Index id) {
    return words.empty() ? std::to_string(id) : words[static_cast<std::size_t>(id)];
  };
  token.token = name(token.id);
  token.runner_up_token = name(token.runner_up);
  return token;
}

/// `draft` with a token more; all of them again, or with what is known only this one.
void append(ProblemDraft& draft, const GeneratedToken& token, bool alone) {
  const auto add = [&](auto& lists, auto item) {
    if (lists.empty()) lists.emplace_back();
    if (alone) lists.front().clear();
    lists.front().push_back(std::move(item));
  };
  if (draft.ids.empty() || !draft.tokens.empty()) add(draft.tokens, token.token);
  if (!draft.ids.empty()) add(draft.ids, token.id);
}

}  // namespace

Generation generate(const ProblemDraft& given, const GenerateOptions& options) {
  const ModelKind* kind = given.model ? find_model_kind(given.model->kind) : nullptr;
  ProblemDraft draft = given;
  draft.labels.clear();
  if (given.text) draft.tokens = {words_of(given)};
  draft.text.reset();
  check(draft, kind);
  ProblemDraft everything = draft;
  const bool cached = options.cache && can_cache(draft);
  Generation made;
  made.prompt = labels_of(draft);
  const KeepStep keeps = [](const std::string& id) {
    return is_key_or_value(id) || id == "memory" || id == "probabilities";
  };
  while (std::ssize(made.tokens) < options.count && !made.ended) {
    const Trace trace = attend(make_problem(draft), {}, keeps);
    const Step* probabilities = trace.find("probabilities");
    if (probabilities == nullptr) {
      throw cannot_generate(
          "missing-key", "/vocabulary", "the model has no vocabulary to choose from",
          "Add \"vocabulary\": {\"tokens\": […], \"w\": d_model rows of numbers}.");
    }
    GeneratedToken token = chosen(trace, *probabilities);
    token.multiplications = multiplications(trace);
    token.multiplications_without_cache = cached && draft.cache
                                              ? multiplications(outline(make_problem(everything)))
                                              : token.multiplications;
    made.ended = given.vocabulary && given.vocabulary->end_token == token.token;
    if (!draft.cache || cached) {
      std::vector<std::string> tokens =
          draft.cache ? draft.cache->tokens : std::vector<std::string>();
      for (const std::string& label : labels_of(draft)) tokens.push_back(label);
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
