// Finds values in the tree, by key and by JSON pointer.
#include <algorithm>
#include <charconv>

#include "io/json/json.hpp"
#include "io/json/token.hpp"

namespace attn::json {
namespace {

std::size_t number_offset(std::string_view text, std::size_t list, std::size_t index) {
  std::size_t at = skip_separators(text, list + 1);
  for (std::size_t i = 0; i < index; ++i) at = skip_separators(text, token_end(text, at));
  return at;
}

std::string unescaped(std::string_view segment) {
  std::string key;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    const bool escape = segment[i] == '~' && i + 1 < segment.size();
    key += !escape ? segment[i] : segment[++i] == '1' ? '/' : '~';
  }
  return key;
}

/// A segment of a pointer as an index; `size` if it is not an index of a list of that size.
std::size_t index_of(std::string_view segment, std::size_t size) {
  std::size_t index = size;
  const auto [rest, problem] =
      std::from_chars(segment.data(), segment.data() + segment.size(), index);
  const bool good = problem == std::errc() && rest == segment.data() + segment.size();
  return good && index < size ? index : size;
}

const Member* find_member(const Node& object, std::string_view key) {
  const auto* members = std::get_if<Members>(&object.value);
  if (!members) return nullptr;
  const auto at = std::find_if(members->begin(), members->end(),
                               [&](const Member& member) { return member.key == key; });
  return at == members->end() ? nullptr : &*at;
}

}  // namespace

bool is_list(const Node& node) {
  return std::holds_alternative<Numbers>(node.value) || std::holds_alternative<Items>(node.value);
}

std::size_t item_count(const Node& list) {
  if (const auto* items = std::get_if<Items>(&list.value)) return items->size();
  return std::get<Numbers>(list.value).size();
}

const Node* find(const Node& object, std::string_view key) {
  const Member* member = find_member(object, key);
  return member ? &member->value : nullptr;
}

std::string child_pointer(const std::string& parent, std::string_view key) {
  std::string pointer = parent + "/";
  for (const char c : key) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return pointer;
}

std::string child_pointer(const std::string& parent, std::size_t index) {
  return parent + "/" + std::to_string(index);
}

Offsets offsets_of(const Document& document, std::string_view pointer) {
  const Node* node = &document.root;
  Offsets at{node->offset, node->offset};
  while (pointer.starts_with('/')) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const std::string_view segment = pointer.substr(1, end - 1);
    pointer.remove_prefix(end);
    if (is_list(*node)) {
      const std::size_t size = item_count(*node), index = index_of(segment, size);
      if (index == size) return at;
      const auto* items = std::get_if<Items>(&node->value);
      if (items == nullptr) {
        const std::size_t number = number_offset(document.source.text, node->offset, index);
        return {number, number};
      }
      node = &(*items)[index];
      at = {node->offset, node->offset};
    } else if (const Member* member = find_member(*node, unescaped(segment))) {
      node = &member->value;
      at = {node->offset, member->key_offset};
    } else {
      return at;
    }
  }
  return at;
}

std::size_t offset_of(const Document& document, std::string_view pointer) {
  return offsets_of(document, pointer).value;
}

}  // namespace attn::json
