// The stages of a tokenizer, as a tokenizer.json describes them.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "attn/tensor.hpp"
#include "io/json/value.hpp"

namespace attn {

using Pieces = std::vector<std::string>;

/// What to do about a file of tokens that no library can have written.
inline constexpr const char* kDownloadAgain = "Download the file again.";

/// What to do about a tokenizer.json that no library can have written.
inline constexpr const char* kDownloadTokenizer = "Download the tokenizer.json of the model again.";

/// Changes a text before anything is split: NFC, lower case …
using Normalizer = std::function<std::string(std::string text)>;
/// Splits pieces of a text into smaller ones, from which no token reaches into the next. `first`
/// says that they begin the text.
using PreTokenizer = std::function<Pieces(Pieces pieces, bool first)>;
/// Adds the special tokens to those of a text.
using PostProcessor = std::function<std::vector<Index>(std::vector<Index> ids)>;
/// Turns tokens into pieces of text.
using Decoder = std::function<Pieces(Pieces tokens)>;

Normalizer read_normalizer(const json::Value& value);
PreTokenizer read_pre_tokenizer(const json::Value& value);
PostProcessor read_post_processor(const json::Value& value);
Decoder read_decoder(const json::Value& value);

/// {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}, of a text.
Normalizer read_replace(const json::Value& value);

// What tokenizer.json says about a stage.

/// A member that is there and not null.
std::optional<json::Value> member(const json::Value& object, std::string_view key);
/// The same, but throws Error (id "missing-key").
json::Value required(const json::Value& object, std::string_view key);
std::string text_at(const json::Value& object, std::string_view key, std::string usual = "");
bool flag_at(const json::Value& object, std::string_view key, bool usual = false);
Index count_at(const json::Value& object, std::string_view key, Index usual);
/// Each item of a list, with its place. Throws Error (id "wrong-type") for anything but a list.
std::vector<json::Value> items_at(const json::Value& object, std::string_view key);

/// Error (id "not-supported") about what attn does not have, with what it has.
Error unsupported(const json::Value& value, const std::string& what,
                  const std::vector<std::string>& known);

/// A kind of stage: its word in the file.
template <class Stage>
struct StageRow {
  const char* type;
  Stage (*read)(const json::Value& value);
};

/// The stage that the row of the value's "type" reads; `kind` is "normalizer".
template <class Stage, std::size_t N>
Stage read_stage(const json::Value& value, const StageRow<Stage> (&rows)[N], const char* kind) {
  const std::string type = json::read_text(required(value, "type"));
  std::vector<std::string> known;
  for (const StageRow<Stage>& row : rows) {
    if (type == row.type) return row.read(value);
    known.emplace_back(row.type);
  }
  throw unsupported(value, std::string("the ") + kind + " \"" + type + "\"", known);
}

/// Stages that follow each other: each takes what the one before it made.
template <class Stage>
std::vector<Stage> read_stages(const json::Value& value, std::string_view key,
                               Stage (*read)(const json::Value& value)) {
  std::vector<Stage> stages;
  for (const json::Value& each : items_at(value, key)) stages.push_back(read(each));
  return stages;
}

}  // namespace attn
