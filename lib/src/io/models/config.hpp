// A config.json while it is read.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "attn/error.hpp"
#include "core/text/complaints.hpp"
#include "io/json/json.hpp"
#include "io/json/value.hpp"

namespace attn {

/// The config, and what is wrong with it.
struct Config {
  const json::Document& file;
  Complaints complaints = {};

  const json::Node* find(const char* key) const {
    const json::Node* node = json::find(file.root, key);
    const bool null = node && std::holds_alternative<std::nullptr_t>(node->value);
    return null ? nullptr : node;
  }
  /// Calls `read` with the value of that key, if there is one.
  template <typename Read>
  void with(const char* key, Read read) {
    const json::Node* node = find(key);
    if (!node) return;
    try {
      read(json::Value{file, *node, std::string("/") + key});
    } catch (const Error& error) {
      complaints.add(error);
    }
  }
  void refuse(const char* key, const std::string& what,
              const std::string& fix = "Choose another model.", std::vector<Change> changes = {}) {
    complaints.add({.id = "not-supported",
                    .what = what,
                    .places = {{.pointer = std::string("/") + key}},
                    .fix = fix,
                    .changes = std::move(changes)});
  }
};

/// Complains about every key whose value describes a model that attn does not have.
void refuse_unsupported(Config& config);

}  // namespace attn
