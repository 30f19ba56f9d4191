// Hugging Face's tokenizer.json and GPT-2's vocab.json: the text of each token.
#include <algorithm>
#include <map>
#include <memory>

#include "attn/error.hpp"
#include "attn/hugging_face.hpp"
#include "core/problem/build_model.hpp"
#include "io/json/value.hpp"
#include "io/tokenizer/byte_letters.hpp"
#include "io/tokenizer/stage.hpp"
#include "io/tokenizer/vocabulary.hpp"

namespace attn {
namespace {

using json::Value;

constexpr std::string_view kGpt2Space = "\xC4\xA0";       // Ġ
constexpr std::string_view kLlamaSpace = "\xE2\x96\x81";  // ▁

/// Text by id.
struct Tokens {
  std::map<Index, std::string> texts;

  void add(const std::string& text, Index id, const std::string& pointer) {
    if (id < kMostTokens) {
      texts[id] = text;
      return;
    }
    throw input_error({.id = "out-of-range",
                       .what = "the token \"" + shown_token(text) + "\" has the id " +
                               std::to_string(id) + ", which no vocabulary reaches",
                       .places = {{.pointer = pointer}},
                       .fix = kDownloadAgain});
  }
  std::ptrdiff_t beginning_with(std::string_view space) const {
    return std::count_if(texts.begin(), texts.end(), [&](const auto& each) {
      return each.second.size() > space.size() && each.second.starts_with(space);
    });
  }
};

/// {"the": 262, …}
void read_ids(const Value& value, Tokens& tokens) {
  for (const json::Member& member : std::get<json::Members>(value.node.value)) {
    const Value id{value.file, member.value, json::child_pointer(value.pointer, member.key)};
    tokens.add(member.key, json::read_count(id, 0), id.pointer);
  }
}

/// [["the", -3.2], …]: the ids count from 0.
void read_pieces(const Value& value, Tokens& tokens) {
  Index id = 0;
  for (const json::Node& item : std::get<json::Items>(value.node.value)) {
    const std::string pointer = json::child_pointer(value.pointer, static_cast<std::size_t>(id));
    const auto* parts = std::get_if<json::Items>(&item.value);
    if (!parts) {
      throw json::wrong_type(value.file, pointer, "a token with its score", kDownloadAgain);
    }
    tokens.add(json::read_text({value.file, parts->front(), pointer + "/0"}), id, pointer);
    ++id;
  }
}

void read_vocabulary(const Value& value, Tokens& tokens) {
  if (std::holds_alternative<json::Members>(value.node.value)) return read_ids(value, tokens);
  if (std::holds_alternative<json::Items>(value.node.value)) return read_pieces(value, tokens);
  throw json::wrong_type(value.file, value.pointer, "an object that gives each token its id",
                         "Give the tokenizer.json or vocab.json of the model.");
}

/// Tokens that were added to the trained ones: [{"id": 50256, "content": "<|endoftext|>"}].
void read_added(const Value& value, Tokens& tokens) {
  const auto* items = std::get_if<json::Items>(&value.node.value);
  for (std::size_t i = 0; items && i < items->size(); ++i) {
    const std::string pointer = json::child_pointer(value.pointer, i);
    const json::Node* id = json::find((*items)[i], "id");
    const json::Node* content = json::find((*items)[i], "content");
    if (!id || !content) continue;
    tokens.add(json::read_text({value.file, *content, pointer + "/content"}),
               json::read_count({value.file, *id, pointer + "/id"}, 0), pointer);
  }
}

Tokens tokens_of(const json::Document& file) {
  Tokens tokens;
  const json::Node* model = json::find(file.root, "model");
  const json::Node* vocabulary = model ? json::find(*model, "vocab") : nullptr;
  if (!vocabulary) {
    read_vocabulary({file, file.root, ""}, tokens);
  } else {
    read_vocabulary({file, *vocabulary, "/model/vocab"}, tokens);
    const json::Node* added = json::find(file.root, "added_tokens");
    if (added) read_added({file, *added, "/added_tokens"}, tokens);
  }
  if (!tokens.texts.empty()) return tokens;
  throw input_error({.id = "wrong-type",
                     .what = "this file has no tokens",
                     .places = {{.pointer = vocabulary ? "/model/vocab" : ""}},
                     .fix = "Give the tokenizer.json or vocab.json of the model."});
}

}  // namespace

std::vector<std::string> read_token_texts(std::string_view text, const std::string& name) {
  SourceMap places(name);
  try {
    const auto document = std::make_shared<json::Document>(json::parse(text, name));
    places = SourceMap(document);
    const Tokens tokens = tokens_of(*document);
    const bool in_bytes = tokens.beginning_with(kGpt2Space) > tokens.beginning_with(kLlamaSpace);
    std::vector<std::string> texts;
    for (const auto& [id, token] : tokens.texts) {
      while (std::ssize(texts) < id) texts.push_back(word_of_id(std::ssize(texts), {}));
      texts.push_back(shown_token(in_bytes ? bytes_of_letters(token) : token));
    }
    return texts;
  } catch (const Error& error) {
    throw places.locate(error);
  }
}

}  // namespace attn
