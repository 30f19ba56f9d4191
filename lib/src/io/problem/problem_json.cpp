#include "attn/problem_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "attn/tool/setting_names.hpp"
#include "io/json/json.hpp"

namespace attn {
namespace {

using json::quoted;

/// The text of one value; empty means that its key is left out.
using Text = std::string;
using Member = std::pair<std::string, Text>;

constexpr std::size_t kStep = 2;  // spaces of indentation for each level

/// The shortest text that reads back as the same number, whole numbers without exponent as long as
/// every digit counts.
Text number_text(double x) {
  if (std::isnan(x)) return quoted("NaN");
  if (std::isinf(x)) return quoted(x < 0 ? "-Infinity" : "Infinity");
  std::array<char, 32> buffer{};
  char* const begin = buffer.data();
  char* const end = begin + buffer.size();
  const bool whole = std::trunc(x) == x && std::abs(x) < 1e15;
  const auto [stop, error] =
      whole ? std::to_chars(begin, end, x, std::chars_format::fixed) : std::to_chars(begin, end, x);
  return {begin, stop};
}

/// "[1, 2]"
template <typename T, typename Write>
Text list_text(const std::vector<T>& items, Write write) {
  Text text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i ? ", " : "") + write(items[i]);
  return text + "]";
}

Text strings_text(const std::vector<std::string>& items) { return list_text(items, quoted); }

/// One item per line, between brackets that stand `indent` deep.
Text lines_text(const std::vector<Text>& items, std::size_t indent, const char* brackets) {
  const Text line = "\n" + Text(indent + kStep, ' ');
  Text text(1, brackets[0]);
  for (std::size_t i = 0; i < items.size(); ++i) text += (i ? "," : "") + line + items[i];
  return text + "\n" + Text(indent, ' ') + brackets[1];
}

/// The members that are not left out; none of them: left out as a whole.
Text object_text(const std::vector<Member>& members, std::size_t indent) {
  std::vector<Text> items;
  for (const auto& [key, value] : members) {
    if (!value.empty()) items.push_back(quoted(key) + ": " + value);
  }
  return items.empty() ? "" : lines_text(items, indent, "{}");
}

/// The same on one line: {"mode": "add"}
Text short_object_text(const std::vector<Member>& members) {
  Text text;
  for (const auto& [key, value] : members) {
    if (!value.empty()) text += (text.empty() ? "{" : ", ") + quoted(key) + ": " + value;
  }
  return text.empty() ? "" : text + "}";
}

/// A list for all entries, or one per batch entry and line.
Text tokens_text(const TokenLists& lists, std::size_t indent) {
  if (lists.empty()) return "";
  if (lists.size() == 1) return strings_text(lists.front());
  std::vector<Text> items;
  for (const auto& list : lists) items.push_back(strings_text(list));
  return lines_text(items, indent, "[]");
}

std::size_t widest(const std::vector<double>& numbers) {
  std::size_t width = 0;
  for (const double x : numbers) width = std::max(width, number_text(x).size());
  return width;
}

/// Numbers from `first` on, each at least `width` wide.
Text row_text(const double* first, std::size_t count, std::size_t width) {
  return list_text(std::vector<double>(first, first + count), [&](double x) {
    const Text number = number_text(x);
    return Text(width - std::min(width, number.size()), ' ') + number;
  });
}

/// What lies below `axis`, from number `*next` on, which moves behind it.
Text nested_text(const Array& array, std::size_t axis, const double*& next, std::size_t width,
                 std::size_t indent) {
  const auto size = static_cast<std::size_t>(array.shape[axis]);
  if (axis + 1 == array.rank()) {
    next += size;
    return row_text(next - size, size, width);
  }
  std::vector<Text> items;
  for (std::size_t i = 0; i < size; ++i) {
    items.push_back(nested_text(array, axis + 1, next, width, indent + kStep));
  }
  return lines_text(items, indent, "[]");
}

Text array_text(const Array& array, std::size_t indent) {
  if (array.rank() == 0) return "[]";
  const double* next = array.data.data();
  const std::size_t width = array.rank() > 1 ? widest(array.data) : 0;
  return nested_text(array, 0, next, width, indent);
}

Text array_text(const std::optional<Array>& array, std::size_t indent) {
  return array ? array_text(*array, indent) : "";
}

Text count_text(const std::optional<Index>& count) { return count ? std::to_string(*count) : ""; }

Text number_text(const std::optional<double>& x) { return x ? number_text(*x) : ""; }

using Draft = ProblemDraft;

Text written_tokens(const Draft& draft) {
  if (!draft.text) return tokens_text(draft.tokens, kStep);
  std::istringstream stream(*draft.text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words.empty() ? "" : strings_text(words);
}

Text written_table(const Draft& draft) {
  std::size_t width = 0;
  for (const auto& [token, vector] : draft.embedding_table) {
    width = std::max(width, widest(vector));
  }
  std::vector<Member> members;
  for (const auto& [token, vector] : draft.embedding_table) {
    members.emplace_back(token, row_text(vector.data(), vector.size(), width));
  }
  return object_text(members, kStep);
}

Text written_memory(const Draft& draft) {
  if (!draft.memory) return "";
  return object_text({{"tokens", tokens_text(draft.memory->tokens, 2 * kStep)},
                      {"embeddings", array_text(draft.memory->embeddings, 2 * kStep)}},
                     kStep);
}

/// Our own names in their usual order, then all others.
Text written_weights(const Draft& draft) {
  std::vector<Member> members;
  WeightArrays others = draft.weights;
  for (const char* name : {"w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o"}) {
    if (const auto node = others.extract(name)) {
      members.emplace_back(name, array_text(node.mapped(), 2 * kStep));
    }
  }
  for (const auto& [name, array] : others) {
    members.emplace_back(name, array_text(array, 2 * kStep));
  }
  members.emplace_back("add_zero_attn", draft.add_zero_attn ? "true" : "");
  return object_text(members, kStep);
}

Text written_past(const Draft& draft) {
  if (!draft.past) return "";
  const auto& tokens = draft.past->tokens;
  return object_text({{"k", array_text(draft.past->k, 2 * kStep)},
                      {"v", array_text(draft.past->v, 2 * kStep)},
                      {"tokens", tokens.empty() ? "" : strings_text(tokens)}},
                     kStep);
}

Text written_masks(const Draft& draft) {
  if (draft.masks.empty()) return "";
  if (draft.masks.size() == 1) return quoted(draft.masks.front().text);
  return list_text(draft.masks, [](const MaskSpec& mask) { return quoted(mask.text); });
}

Text written_masking(const Draft& draft) {
  if (draft.masking == MaskingMode::Replace && !draft.fill) return "";
  return short_object_text(
      {{"mode", quoted(masking_name(draft.masking))}, {"fill", number_text(draft.fill)}});
}

Text written_scale(const Draft& draft) {
  if (draft.scale.kind == ScaleRule::Kind::InverseSqrtDk) return "";
  if (draft.scale.kind == ScaleRule::Kind::None) return quoted("none");
  return number_text(draft.scale.number);
}

/// The kind alone where that says it all.
Text written_positions(const Draft& draft) {
  const Positions& p = draft.positions;
  const Text kind = quoted(positions_name(p.kind));
  const auto number = [](double x) { return number_text(x); };
  const std::vector<Member> parameters = {
      {"base", number_text(p.base)},
      {"rotary_dim", count_text(p.rotary_dim)},
      {"offset", count_text(p.offset)},
      {"slopes", p.slopes.empty() ? "" : list_text(p.slopes, number)}};
  if (!short_object_text(parameters).empty()) {
    std::vector<Member> members = {{"kind", kind}};
    members.insert(members.end(), parameters.begin(), parameters.end());
    return short_object_text(members);
  }
  return p.kind == PositionKind::None ? "" : kind;
}

/// Left out if it is empty or, for the words of a setting, the default.
Text text_or_nothing(const std::string& text) { return text.empty() ? "" : quoted(text); }
Text unless(bool is_default, const char* name) { return is_default ? "" : quoted(name); }

struct Row {
  const char* key;
  Text (*write)(const Draft& draft);
};

constexpr Row kRows[] = {
    {"format", [](const Draft&) { return quoted("attn.problem"); }},
    {"format_version", [](const Draft&) { return quoted("1.0"); }},
    {"title", [](const Draft& d) { return text_or_nothing(d.title); }},
    {"description", [](const Draft& d) { return text_or_nothing(d.description); }},
    {"tokens", written_tokens},
    {"embeddings", [](const Draft& d) { return array_text(d.embeddings, kStep); }},
    {"embedding_table", written_table},
    {"memory", written_memory},
    {"weights", written_weights},
    {"q", [](const Draft& d) { return array_text(d.q, kStep); }},
    {"k", [](const Draft& d) { return array_text(d.k, kStep); }},
    {"v", [](const Draft& d) { return array_text(d.v, kStep); }},
    {"past", written_past},
    {"key_tokens", [](const Draft& d) { return tokens_text(d.key_tokens, kStep); }},
    {"heads", [](const Draft& d) { return count_text(d.heads); }},
    {"kv_heads", [](const Draft& d) { return count_text(d.kv_heads); }},
    {"mask", written_masks},
    {"allowed", [](const Draft& d) { return array_text(d.allowed, kStep); }},
    {"bias", [](const Draft& d) { return array_text(d.bias, kStep); }},
    {"key_lengths",
     [](const Draft& d) {
       return d.key_lengths.empty()
                  ? ""
                  : list_text(d.key_lengths, [](Index n) { return std::to_string(n); });
     }},
    {"align", [](const Draft& d) { return unless(d.align == Align::Start, align_name(d.align)); }},
    {"masking", written_masking},
    {"empty_row",
     [](const Draft& d) {
       return unless(d.empty_row == EmptyRow::Zero, empty_row_name(d.empty_row));
     }},
    {"scale", written_scale},
    {"softcap", [](const Draft& d) { return number_text(d.softcap); }},
    {"positions", written_positions},
    {"dtype",
     [](const Draft& d) { return unless(d.dtype == Dtype::Float64, dtype_name(d.dtype)); }},
};

}  // namespace

std::string problem_json(const ProblemDraft& draft) {
  std::vector<Member> members;
  for (const Row& row : kRows) members.emplace_back(row.key, row.write(draft));
  return object_text(members, 0) + "\n";
}

}  // namespace attn
