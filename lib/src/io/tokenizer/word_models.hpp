// What becomes of one piece of a text: its tokens.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "io/tokenizer/vocabulary.hpp"

namespace attn {

/// Adds the tokens of a piece. Takes any bytes, in a time that grows little faster than they do.
using WordModel = std::function<void(std::string_view piece, std::vector<Index>& ids)>;

/// Throws Error (id "not-supported") for a type of "model" that attn does not have, such as
/// Unigram.
void require_known_model(const json::Value& value);

/// Reads the "model" of a tokenizer.json: BPE, WordPiece. Throws Error: that, and ids
/// "wrong-type", "missing-key", "out-of-range", "unknown-token" (a merge of what is no token).
WordModel read_word_model(const json::Value& value, std::shared_ptr<const Vocabulary> vocabulary);

WordModel read_bpe(const json::Value& value, std::shared_ptr<const Vocabulary> vocabulary);
WordModel read_word_piece(const json::Value& value, std::shared_ptr<const Vocabulary> vocabulary);

/// The id of the model's "unk_token", which stands for what it does not know.
std::optional<Index> unknown_token(const json::Value& value, const Vocabulary& vocabulary);

}  // namespace attn
