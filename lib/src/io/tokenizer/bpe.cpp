// Byte-pair encoding of a piece of text.
// It is taken apart into characters, and pairs of them are merged in the order in which they were
// learned.
#include <array>
#include <cstdio>

#include "attn/error.hpp"
#include "core/text/unicode.hpp"
#include "io/tokenizer/merges.hpp"
#include "io/tokenizer/stage.hpp"
#include "io/tokenizer/word_models.hpp"

namespace attn {
namespace {

using json::Value;

struct Bpe {
  std::shared_ptr<const Vocabulary> vocabulary;
  std::shared_ptr<const Merges> merges;
  std::optional<Index> unknown;
  bool fuses_unknown = false, whole_first = false;
  std::string prefix, suffix;                     ///< of characters inside a word, and of its last
  std::vector<std::optional<Index>> byte_tokens;  ///< <0x00> to <0xFF>; empty: none are used

  void operator()(std::string_view piece, std::vector<Index>& ids) const {
    if (whole_first) {
      if (const auto id = vocabulary->id(piece)) return ids.push_back(*id);
    }
    std::vector<Index> tokens;
    bool after_unknown = false;
    for (std::size_t at = 0; at < piece.size();) {
      const std::size_t bytes = unicode::first_character(piece.substr(at)).bytes;
      std::string character = at == 0 ? "" : prefix;
      character += piece.substr(at, bytes);
      at += bytes;
      if (at == piece.size()) character += suffix;
      after_unknown = add_character(character, after_unknown, tokens);
    }
    tokens = merged(std::move(tokens), *merges);
    ids.insert(ids.end(), tokens.begin(), tokens.end());
  }

 private:
  /// Whether it became the unknown token.
  bool add_character(const std::string& character, bool after_unknown,
                     std::vector<Index>& tokens) const {
    if (const auto id = vocabulary->id(character)) {
      tokens.push_back(*id);
      return false;
    }
    if (add_bytes(character, tokens)) return false;
    if (!unknown) return false;
    if (!after_unknown || !fuses_unknown) tokens.push_back(*unknown);
    return true;
  }

  bool add_bytes(const std::string& character, std::vector<Index>& tokens) const {
    if (byte_tokens.empty()) return false;
    const std::size_t before = tokens.size();
    for (const char byte : character) {
      const std::optional<Index> id = byte_tokens[static_cast<unsigned char>(byte)];
      if (!id) {
        tokens.resize(before);
        return false;
      }
      tokens.push_back(*id);
    }
    return true;
  }
};

/// The two texts of a merge: "Ġ t", or ["Ġ", "t"].
struct Pair {
  std::string_view left, right;
};

Pair pair_at(const Value& merges, std::size_t i) {
  const json::Node& node = std::get<json::Items>(merges.node.value)[i];
  if (const auto* text = std::get_if<std::string>(&node.value)) {
    const std::size_t space = text->find(' ');
    if (space != text->npos && space > 0 && space + 1 < text->size())
      return {std::string_view(*text).substr(0, space), std::string_view(*text).substr(space + 1)};
  } else if (const auto* both = std::get_if<json::Items>(&node.value); both && both->size() == 2) {
    const auto* left = std::get_if<std::string>(&both->front().value);
    const auto* right = std::get_if<std::string>(&both->back().value);
    if (left && right) return {*left, *right};
  }
  throw json::wrong_type(merges.file, json::child_pointer(merges.pointer, i),
                         "a merge: the texts of two tokens", kDownloadTokenizer);
}

Index token_of(std::string_view text, const Vocabulary& vocabulary, const Value& merges,
               std::size_t i) {
  if (const auto id = vocabulary.id(text)) return *id;
  throw input_error({.id = "unknown-token",
                     .what = "the merge needs the token \"" + std::string(text) +
                             "\", which is not in the vocabulary",
                     .places = {{.pointer = json::child_pointer(merges.pointer, i)}},
                     .fix = kDownloadTokenizer});
}

std::shared_ptr<const Merges> read_merges(const Value& value, const Vocabulary& vocabulary,
                                          const std::string& prefix) {
  const Value list = required(value, "merges");
  const auto* items = std::get_if<json::Items>(&list.node.value);
  if (items == nullptr && json::item_count(list.node) > 0)
    throw json::wrong_type(list.file, list.pointer, "a list of merges", kDownloadTokenizer);
  const std::size_t count = items ? items->size() : 0;
  auto merges = std::make_shared<Merges>(count);
  std::string made;
  for (std::size_t i = 0; i < count; ++i) {
    const Pair pair = pair_at(list, i);
    const bool inside = !prefix.empty() && pair.right.starts_with(prefix);
    made = pair.left;
    made += inside ? pair.right.substr(prefix.size()) : pair.right;
    merges->add(token_of(pair.left, vocabulary, list, i), token_of(pair.right, vocabulary, list, i),
                {static_cast<std::int32_t>(i),
                 static_cast<std::int32_t>(token_of(made, vocabulary, list, i))});
  }
  return merges;
}

std::vector<std::optional<Index>> tokens_of_bytes(const Vocabulary& vocabulary) {
  std::vector<std::optional<Index>> tokens;
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::array<char, 8> name{};
    std::snprintf(name.data(), name.size(), "<0x%02X>", byte);
    tokens.push_back(vocabulary.id(name.data()));
  }
  return tokens;
}

}  // namespace

WordModel read_bpe(const Value& value, std::shared_ptr<const Vocabulary> vocabulary) {
  const std::optional<Value> dropout = member(value, "dropout");
  if (dropout && json::read_number(*dropout) != 0.0)
    throw unsupported(*dropout, "merges that are left out at random", {"a dropout of 0"});
  Bpe bpe;
  bpe.unknown = unknown_token(value, *vocabulary);
  bpe.fuses_unknown = flag_at(value, "fuse_unk");
  bpe.whole_first = flag_at(value, "ignore_merges");
  bpe.prefix = text_at(value, "continuing_subword_prefix");
  bpe.suffix = text_at(value, "end_of_word_suffix");
  bpe.merges = read_merges(value, *vocabulary, bpe.prefix);
  if (flag_at(value, "byte_fallback")) bpe.byte_tokens = tokens_of_bytes(*vocabulary);
  bpe.vocabulary = std::move(vocabulary);
  return bpe;
}

}  // namespace attn
