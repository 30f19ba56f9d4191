// The table of models that a tokenizer.json may have; and WordPiece.
#include "io/tokenizer/word_models.hpp"

#include "attn/error.hpp"
#include "io/tokenizer/pattern.hpp"
#include "io/tokenizer/stage.hpp"

namespace attn {
namespace {

using json::Value;

struct ModelRow {
  const char* type;
  WordModel (*read)(const Value& value, std::shared_ptr<const Vocabulary> vocabulary);
};
constexpr ModelRow kModels[] = {{"BPE", read_bpe}, {"WordPiece", read_word_piece}};

/// Old files do not say what they are.
std::string type_of(const Value& value) {
  if (member(value, "merges")) return text_at(value, "type", "BPE");
  return text_at(value, "type",
                 json::is_list(required(value, "vocab").node) ? "Unigram" : "WordPiece");
}

const ModelRow& row_of(const Value& value) {
  const std::string type = type_of(value);
  std::vector<std::string> known;
  for (const ModelRow& row : kModels) {
    if (type == row.type) return row;
    known.emplace_back(row.type);
  }
  throw unsupported(value, "the model \"" + type + "\"", known);
}

constexpr Index kMostInWord = 10000;

/// WordPiece: again and again the longest token that the rest of a word begins with.
struct WordPiece {
  std::shared_ptr<const Vocabulary> vocabulary;
  std::string prefix;  ///< of tokens that do not begin a word: "##"
  std::optional<Index> unknown;
  std::size_t most_characters;

  void operator()(std::string_view word, std::vector<Index>& ids) const {
    const Glyphs glyphs = glyphs_of(word);
    const std::size_t before = ids.size();
    for (std::size_t at = 0; at < word.size();) {
      const auto found = glyphs.size() > most_characters
                             ? std::nullopt
                             : vocabulary->longest(at == 0 ? "" : prefix, word.substr(at));
      if (!found) {
        ids.resize(before);
        if (unknown) ids.push_back(*unknown);
        return;
      }
      ids.push_back(found->id);
      at += found->bytes;
    }
  }
};

}  // namespace

void require_known_model(const Value& value) { row_of(value); }

WordModel read_word_model(const Value& value, std::shared_ptr<const Vocabulary> vocabulary) {
  return row_of(value).read(value, std::move(vocabulary));
}

std::optional<Index> unknown_token(const Value& value, const Vocabulary& vocabulary) {
  const std::optional<Value> text = member(value, "unk_token");
  if (!text) return std::nullopt;
  if (const auto id = vocabulary.id(json::read_text(*text))) return id;
  throw input_error({.id = "unknown-token",
                     .what = "the token \"" + json::read_text(*text) +
                             "\" for what is unknown is not in the vocabulary",
                     .places = {{.pointer = text->pointer}},
                     .fix = kDownloadTokenizer});
}

WordModel read_word_piece(const Value& value, std::shared_ptr<const Vocabulary> vocabulary) {
  const Index most = count_at(value, "max_input_chars_per_word", 100);
  if (most > kMostInWord) {
    throw input_error(
        {.id = "out-of-range",
         .what = "words of " + std::to_string(most) + " characters are too long for WordPiece",
         .places = {{.pointer = value.pointer + "/max_input_chars_per_word"}},
         .fix = "Published models have 100 there."});
  }
  const std::optional<Index> unknown = unknown_token(value, *vocabulary);
  return WordPiece{std::move(vocabulary), text_at(value, "continuing_subword_prefix", "##"),
                   unknown, static_cast<std::size_t>(most)};
}

}  // namespace attn
