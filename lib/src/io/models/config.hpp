// A config.json while it is read.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "attn/error.hpp"
#include "attn/model.hpp"
#include "core/text/complaints.hpp"
#include "io/json/json.hpp"
#include "io/json/value.hpp"

namespace attn {

/// The config, or the object within it that describes the language model; and what is wrong with
/// it.
struct Config {
  const json::Document& file;
  const json::Node* root = &file.root;
  std::string pointer = "";  ///< of `root`
  Complaints complaints = {};
  bool sees = false;  ///< the model is the part of another for text, whose positions are plain ones

  const json::Node* find(const char* key) const {
    const json::Node* node = json::find(*root, key);
    const bool null = node && std::holds_alternative<std::nullptr_t>(node->value);
    return null ? nullptr : node;
  }
  std::string pointer_to(const char* key) const { return pointer + "/" + key; }
  /// Calls `read` with the value of that key, if there is one.
  template <typename Read>
  void with(const char* key, Read read) {
    const json::Node* node = find(key);
    if (!node) return;
    try {
      read(json::Value{file, *node, pointer_to(key)});
    } catch (const Error& error) {
      complaints.add(error);
    }
  }
  std::optional<Index> count(const char* key, Index least = 1) {
    std::optional<Index> found;
    with(key, [&](const json::Value& value) { found = json::read_count(value, least); });
    return found;
  }
  /// A number above 0.
  std::optional<double> number(const char* key);
  std::optional<bool> flag(const char* key) {
    std::optional<bool> found;
    with(key, [&](const json::Value& value) { found = json::read_flag(value); });
    return found;
  }
  void refuse(const char* key, const std::string& what,
              const std::string& fix = "Choose another model.", std::vector<Change> changes = {}) {
    complaints.add({.id = "not-supported",
                    .what = what,
                    .places = {{.pointer = pointer_to(key)}},
                    .fix = fix,
                    .changes = std::move(changes)});
  }
};

struct ModelType;

/// Complains about every key whose value describes a model that attn does not have.
void refuse_unsupported(Config& config);

/// Complains about keys that change numbers in other models than those of this type.
void refuse_keys_of_others(Config& config, const ModelType& type);

/// The norm of queries and keys of models of the config's type; none if they have none, or attn
/// does not know the type.
std::optional<QkNorm> norm_of_type(const json::Node& config);

/// Whether "rope_parameters" holds an object for each type of layer.
bool has_rope_of_types(Config& config);

/// What the attention of each layer does otherwise; the number of layers is among `sizes`.
void read_layers(Config& config, const ModelType& type, ProblemDraft& draft);

}  // namespace attn
