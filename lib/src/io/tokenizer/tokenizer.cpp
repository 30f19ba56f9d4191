// A tokenizer: its stages, one after the other.
#include "attn/io/tokenizer.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "attn/io/problem_file.hpp"
#include "core/text/unicode.hpp"
#include "io/json/value.hpp"
#include "io/tokenizer/added_tokens.hpp"
#include "io/tokenizer/byte_letters.hpp"
#include "io/tokenizer/stage.hpp"
#include "io/tokenizer/word_models.hpp"

namespace attn {

using json::Value;

struct Tokenizer::Parts {
  std::shared_ptr<const Vocabulary> vocabulary;  ///< what was learned: words are looked up here
  std::vector<AddedToken> added;
  std::map<Index, const AddedToken*> added_by_id;
  TokenFinder plain, normalized;  ///< what is looked for in the text, and in the normalized text
  Normalizer normalize;
  PreTokenizer split;
  WordModel tokens;
  PostProcessor surround;
  Decoder decode;
  bool in_bytes = false;  ///< a character of a token is a byte
  std::optional<Index> unknown;

  void add(const AddedToken& token);
  void encode(const Section& section, bool first, std::vector<Index>& ids) const;
};

namespace {

template <class Stage>
Stage stage_at(const Value& file, const char* key, Stage (*read)(const Value& value)) {
  const std::optional<Value> value = member(file, key);
  return value ? read(*value) : Stage();
}

/// Whether the file has a stage of the type ByteLevel, alone or in a sequence.
bool has_byte_level(const Value& file) {
  const std::optional<Value> decoder = member(file, "decoder");
  if (!decoder) return false;
  const std::vector<Value> parts = items_at(*decoder, "decoders");
  const auto is = [](const Value& each) { return text_at(each, "type") == "ByteLevel"; };
  return is(*decoder) || std::any_of(parts.begin(), parts.end(), is);
}

}  // namespace

/// An added token may be in the vocabulary, too, but as the same text with the same id.
void Tokenizer::Parts::add(const AddedToken& token) {
  const auto [known, is_new] = added_by_id.emplace(token.id, &token);
  const std::string* learned = vocabulary->text(token.id);
  const std::string& other = learned ? *learned : known->second->text;
  if (other != token.text) throw duplicate_id(token.id, other, token.text, token.pointer);
  const std::optional<Index> id = vocabulary->id(token.text);
  if (!id || *id == token.id) return;
  throw input_error({.id = "duplicate-id",
                     .what = "the added token \"" + token.text + "\" has the id " +
                             std::to_string(token.id) + ", but " + std::to_string(*id) +
                             " in the vocabulary",
                     .places = {{.pointer = token.pointer}},
                     .fix = "Give it the id that it has in the vocabulary."});
}

Tokenizer Tokenizer::read(std::string_view text, const std::string& name, MemoryBudget* budget) {
  SourceMap places(name);
  try {
    const auto document = std::make_shared<json::Document>(json::parse(text, name, budget));
    places = SourceMap(document);
    const Value file{*document, document->root, ""};
    auto parts = std::make_shared<Parts>();
    const Value model = required(file, "model");
    require_known_model(model);
    parts->vocabulary = std::make_shared<const Vocabulary>(required(model, "vocab"));
    parts->added = read_added_tokens(file);
    for (const AddedToken& each : parts->added) parts->add(each);
    parts->unknown = unknown_token(model, *parts->vocabulary);
    parts->normalize = stage_at(file, "normalizer", read_normalizer);
    parts->split = stage_at(file, "pre_tokenizer", read_pre_tokenizer);
    parts->tokens = read_word_model(model, parts->vocabulary);
    parts->surround = stage_at(file, "post_processor", read_post_processor);
    parts->decode = stage_at(file, "decoder", read_decoder);
    parts->in_bytes = has_byte_level(file);
    for (const AddedToken& each : parts->added) {
      if (each.normalized && parts->normalize) {
        parts->normalized.add(parts->normalize(each.text), each);
      } else {
        parts->plain.add(each.text, each);
      }
    }
    Tokenizer made;
    made.parts_ = std::move(parts);
    return made;
  } catch (const Error& error) {
    throw places.locate(error);
  }
}

/// `first`: nothing of the text comes before it.
void Tokenizer::Parts::encode(const Section& section, bool first, std::vector<Index>& ids) const {
  if (section.token) return ids.push_back(section.token->id);
  const std::string text = normalize ? normalize(section.text) : section.text;
  for (const Section& part : normalized.sections(text)) {
    if (part.token) {
      ids.push_back(part.token->id);
    } else {
      const Pieces pieces = split ? split({part.text}, first) : Pieces{part.text};
      for (const std::string& piece : pieces) tokens(piece, ids);
    }
    first = false;
  }
}

std::vector<Index> Tokenizer::encode(std::string_view text, bool special) const {
  std::vector<Index> ids;
  bool first = true;
  for (const Section& section : parts_->plain.sections(unicode::valid_text(text)))
    parts_->encode(section, std::exchange(first, false), ids);
  return special && parts_->surround ? parts_->surround(std::move(ids)) : ids;
}

std::string Tokenizer::decode(std::span<const Index> ids) const {
  Pieces tokens;
  for (const Index id : ids) tokens.push_back(token(id));
  if (parts_->decode) tokens = parts_->decode(std::move(tokens));
  std::string text;
  for (const std::string& each : tokens) {
    if (!parts_->decode && !text.empty()) text += ' ';
    text += each;
  }
  return text;
}

std::optional<Index> Tokenizer::unknown() const { return parts_->unknown; }

const std::string& Tokenizer::token(Index id) const {
  const auto added = parts_->added_by_id.find(id);
  if (added != parts_->added_by_id.end()) return added->second->text;
  if (const std::string* text = parts_->vocabulary->text(id)) return *text;
  throw input_error({.id = "unknown-token",
                     .what = "no token of this tokenizer has the id " + std::to_string(id),
                     .fix = "Its ids end at " + std::to_string(size() - 1) + "."});
}

std::string Tokenizer::shown(Index id) const {
  return shown_token(parts_->in_bytes ? bytes_of_letters(token(id)) : token(id));
}

Index Tokenizer::size() const {
  const Index last = parts_->added_by_id.empty() ? -1 : parts_->added_by_id.rbegin()->first;
  return std::max(parts_->vocabulary->size(), last + 1);
}

}  // namespace attn
