// Whether a model can generate, and what it may keep while it does.
#include "core/attention/generate_checks.hpp"

#include <algorithm>
#include <utility>

#include "attn/tool/phrases.hpp"
#include "core/problem/embedding_table.hpp"

namespace attn {
namespace {

/// Whether a mask hides all keys after a query.
bool hides_later(const MaskSpec& mask) {
  const std::string_view name = mask.kind->name;
  const bool backwards = mask.arguments.size() < 2 || mask.arguments[1] == "0";
  return name == "causal" || (name == "window" && backwards);
}

}  // namespace

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

void check_generates(const ProblemDraft& draft, const ModelKind* kind) {
  if (kind == nullptr) {
    throw cannot_generate("not-supported", "", "only a whole model generates text",
                          "Give a problem with \"model\", such as the sample 15-induction.");
  }
  if (draft.ids.size() > 1 || draft.tokens.size() > 1)
    throw several_entries(draft.ids.size() > 1 ? "/ids" : "/tokens");
  const bool ids = kind->input == ModelInput::Ids;
  if (!ids && (draft.embedding_table.empty() || draft.embeddings || draft.tokens.empty())) {
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

bool can_cache(const ProblemDraft& draft) {
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

}  // namespace attn
