// Reads what tokenizer.json says about its stages.
#include "io/tokenizer/stage.hpp"

namespace attn {

std::optional<json::Value> member(const json::Value& object, std::string_view key) {
  const json::Node* node = json::find(object.node, key);
  if (node == nullptr || std::holds_alternative<std::nullptr_t>(node->value)) return std::nullopt;
  return json::Value{object.file, *node, json::child_pointer(object.pointer, key)};
}

json::Value required(const json::Value& object, std::string_view key) {
  if (std::optional<json::Value> found = member(object, key)) return *found;
  throw input_error({.id = "missing-key",
                     .what = "this part of a tokenizer needs the key \"" + std::string(key) + "\"",
                     .places = {{.pointer = object.pointer}},
                     .fix = kDownloadTokenizer});
}

std::string text_at(const json::Value& object, std::string_view key, std::string usual) {
  const std::optional<json::Value> found = member(object, key);
  return found ? json::read_text(*found) : std::move(usual);
}

bool flag_at(const json::Value& object, std::string_view key, bool usual) {
  const std::optional<json::Value> found = member(object, key);
  return found ? json::read_flag(*found) : usual;
}

Index count_at(const json::Value& object, std::string_view key, Index usual) {
  const std::optional<json::Value> found = member(object, key);
  return found ? json::read_count(*found, 0) : usual;
}

std::vector<json::Value> items_at(const json::Value& object, std::string_view key) {
  const std::optional<json::Value> found = member(object, key);
  std::vector<json::Value> items;
  if (!found) return items;
  const auto* nodes = std::get_if<json::Items>(&found->node.value);
  if (nodes == nullptr) {
    if (json::item_count(found->node) == 0 && json::is_list(found->node)) return items;
    throw json::wrong_type(found->file, found->pointer, "a list", kDownloadTokenizer);
  }
  items.reserve(nodes->size());
  for (std::size_t i = 0; i < nodes->size(); ++i)
    items.push_back({found->file, (*nodes)[i], json::child_pointer(found->pointer, i)});
  return items;
}

Error unsupported(const json::Value& value, const std::string& what,
                  const std::vector<std::string>& known) {
  return input_error({.id = "not-supported",
                      .what = "attn does not have " + what + " of this tokenizer",
                      .places = {{.pointer = value.pointer}},
                      .fix = "It has " + listed(known) + "."});
}

}  // namespace attn
