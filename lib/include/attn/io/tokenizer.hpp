// From text to the tokens of a model, and back.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/tensor.hpp"

namespace attn {

struct MemoryBudget;  // attn/core/memory_budget.hpp

/// The tokenizer of a published model: Hugging Face's tokenizer.json. It has byte-level BPE (GPT-2,
/// Llama 3, Qwen, gpt-oss, DeepSeek), BPE with byte fallback (Llama 2, Gemma, Mistral) and
/// WordPiece (BERT), and does what the file says: normalizers, pre-tokenizers, added tokens,
/// post-processor.
class Tokenizer {
 public:
  /// Throws Error: "not-supported" for what attn does not have, such as Unigram or a pattern that
  /// no published tokenizer splits with; what reading JSON throws; "missing-key", "unknown-token",
  /// "out-of-range", "duplicate-id"; "too-large" for more than a `budget` has room for.
  static Tokenizer read(std::string_view text, const std::string& name,
                        MemoryBudget* budget = nullptr);

  /// The ids of a text, with the special tokens that the model expects before and after it unless
  /// `special` is false. Bytes that are not UTF-8 become U+FFFD.
  std::vector<Index> encode(std::string_view text, bool special = true) const;

  /// The text of these ids, special tokens included. Bytes that are no characters become U+FFFD.
  /// Throws Error (id "unknown-token") for an id that no token has.
  std::string decode(std::span<const Index> ids) const;

  /// A token as the vocabulary has it: "Ġcat" for " cat". Throws the same.
  const std::string& token(Index id) const;

  /// The same as it can be shown: "␣cat", "<0xE7><0x8C>"; nothing in it is invisible.
  std::string shown(Index id) const;

  /// The id of the token for what the vocabulary does not have, such as [UNK].
  std::optional<Index> unknown() const;

  /// One more than the largest id.
  Index size() const;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

/// What the tokens of a text do not keep, in sentences for people: bytes that are not UTF-8, and
/// characters that decoding the ids does not give back. Empty if they keep all of it.
std::vector<std::string> text_notes(const Tokenizer& tokenizer, std::string_view text);

/// The file that attn tokens --json writes (schema: attn schema tokens).
std::string tokens_json(const Tokenizer& tokenizer, std::span<const Index> ids,
                        const std::vector<std::string>& notes = {});

}  // namespace attn
