// Tables of vectors, masks, token ids and labels: how each is written in a problem file.
#include "io/problem/draft_values.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "attn/error.hpp"
#include "attn/phrases.hpp"

namespace attn {
namespace {

using json::Value;
using json::Writer;

constexpr json::ArrayForm kVector{1, 1};

/// Whether a list holds numbers or lists: what "allowed" takes.
bool is_matrix(const json::Node& list) {
  const auto* items = std::get_if<json::Items>(&list.value);
  return !items || !std::holds_alternative<std::string>(items->front().value);
}

/// Whether the first item of a list is a list: then there is one for each batch entry.
bool holds_lists(const json::Node& node) {
  const auto* items = std::get_if<json::Items>(&node.value);
  return items && json::is_list(items->front());
}

/// One list for everything, or one for each batch entry.
template <typename Lists, typename Read>
Lists lists_of(const Value& value, Read read) {
  if (!holds_lists(value.node)) return {read(value)};
  Lists lists;
  for (const json::Node& item : std::get<json::Items>(value.node.value)) {
    lists.push_back(read({value.file, item, json::child_pointer(value.pointer, lists.size())}));
  }
  return lists;
}

/// write(list) adds each.
template <typename Lists, typename Write>
void write_lists(Writer& out, std::string_view key, const Lists& lists, Write write,
                 json::Layout layout = json::Layout::Row) {
  if (lists.empty()) return;
  out.key(key);
  lists.size() == 1 ? write(lists.front()) : void(out.list(lists, layout, write));
}

constexpr const char* kLabelFix =
    "Write a token of the vocabulary, its index, or null for no label.";

LabelDraft label_of(const Value& value) {
  if (std::holds_alternative<std::nullptr_t>(value.node.value)) return {};
  if (const auto* text = std::get_if<std::string>(&value.node.value)) return {{}, *text};
  const auto* index = std::get_if<double>(&value.node.value);
  if (index && *index >= 0) return {json::read_count(value, 0), {}};
  throw json::wrong_type(value.file, value.pointer, "a label", kLabelFix);
}

std::vector<LabelDraft> label_list(const Value& value) {
  std::vector<LabelDraft> labels;
  if (const auto* items = std::get_if<json::Items>(&value.node.value)) {
    for (const json::Node& item : *items) {
      labels.push_back(
          label_of({value.file, item, json::child_pointer(value.pointer, labels.size())}));
    }
    return labels;
  }
  if (!json::is_list(value.node) || json::item_count(value.node) == 0) {
    throw json::wrong_type(value.file, value.pointer, "a list of labels",
                           "Write a list such as [1, null, \"cat\"], one label for each row.");
  }
  const auto& numbers = std::get<json::Numbers>(value.node.value);
  const auto negative =
      std::find_if(numbers.begin(), numbers.end(), [](double x) { return x < 0; });
  if (negative != numbers.end()) {  // -100 in PyTorch
    const auto i = static_cast<std::size_t>(negative - numbers.begin());
    throw json::wrong_type(value.file, json::child_pointer(value.pointer, i), "a label", kLabelFix);
  }
  for (const Index index : json::read_counts(value, 0)) labels.push_back({index, {}});
  return labels;
}

Index id_in(std::string_view text, const std::string& all) {
  text = trimmed(text);
  Index id = -1;
  const auto [stop, failed] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (failed == std::errc() && stop == text.data() + text.size() && id >= 0) return id;
  throw input_error(
      {.id = "option-value",
       .what = "ids takes whole numbers with commas between them, not \"" + all + "\"",
       .fix = "Write 464,3797, for example; a semicolon begins the next batch entry.",
       .changes = {{"ids", "464,3797"}}});
}

}  // namespace

const json::Members& members_of(const Value& value, const char* expected, const char* fix) {
  const auto* members = std::get_if<json::Members>(&value.node.value);
  if (members) return *members;
  throw json::wrong_type(value.file, value.pointer, expected, fix);
}

Value child(const Value& object, const json::Member& member) {
  return {object.file, member.value, json::child_pointer(object.pointer, member.key)};
}

/// In an embedding table every key is a token, even if it begins with _ or $.
void read_into(const Value& value, EmbeddingTable& table) {
  for (const json::Member& member : members_of(value, "an object with a vector for each token",
                                               "Write {\"the\": [1, 0], \"cat\": [0, 1]}.")) {
    table.emplace_back(member.key, json::read_array(child(value, member), kVector).data);
  }
}

void write_member(Writer& out, std::string_view key, const EmbeddingTable& table) {
  std::size_t width = 0;
  for (const auto& [token, vector] : table) width = std::max(width, json::widest(vector));
  out.some_object(key, json::Layout::Lines, [&] {
    for (const auto& [token, vector] : table) {
      const double* numbers = vector.data();
      const auto put = [&](char* at, std::size_t i) { return json::put_number(at, numbers[i]); };
      out.key(token).row(vector.size(), put, width);
    }
  });
}

void read_into(const Value& value, std::vector<MaskSpec>& masks) {
  if (const auto* text = std::get_if<std::string>(&value.node.value)) {
    masks = {parse_mask(*text, value.pointer)};
    return;
  }
  const bool list = json::is_list(value.node);
  if (list && json::item_count(value.node) == 0) return;
  if (!list || is_matrix(value.node)) {
    throw json::wrong_type(
        value.file, value.pointer, "a mask or a list of masks",
        list ? kMatrixOfMask : "Write a mask such as \"causal\" or [\"causal\", \"padding\"].");
  }
  for (const std::string& text : json::read_texts(value)) {
    masks.push_back(parse_mask(text, json::child_pointer(value.pointer, masks.size())));
  }
}

void write_member(Writer& out, std::string_view key, const std::vector<MaskSpec>& masks) {
  write_lists(out, key, masks, [&](const MaskSpec& mask) { out.value(mask.text); });
}

void write_member(Writer& out, std::string_view key, const TokenLists& tokens) {
  const auto write = [&](const std::vector<std::string>& list) { out.value(list); };
  write_lists(out, key, tokens, write, json::Layout::Lines);
}

void read_into(const Value& value, IdLists& ids) {
  ids = lists_of<IdLists>(value, [](const Value& list) { return json::read_counts(list, 0); });
}

void write_member(Writer& out, std::string_view key, const IdLists& ids) {
  write_lists(out, key, ids, [&](const std::vector<Index>& list) { out.value(list); });
}

void read_into(const Value& value, LabelLists& labels) {
  labels = lists_of<LabelLists>(value, label_list);
}

void write_member(Writer& out, std::string_view key, const LabelLists& labels) {
  write_lists(out, key, labels, [&](const std::vector<LabelDraft>& list) {
    out.list(list, json::Layout::Row, [&](const LabelDraft& label) {
      label.text ? out.value(label.text) : out.value(label.index);
    });
  });
}

IdLists ids_in(const std::string& text) {
  IdLists lists;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    std::vector<Index>& list = lists.emplace_back();
    for (std::size_t from = at; from <= end;) {
      const std::size_t comma = std::min(text.find(',', from), end);
      list.push_back(id_in(std::string_view(text).substr(from, comma - from), text));
      from = comma + 1;
    }
    at = end + 1;
  }
  return lists;
}

}  // namespace attn
