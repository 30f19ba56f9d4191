// Writes patterns as nested lists, flags as digits, and one number for many that are alike.
#include "render/page/page_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "attn/number_text.hpp"
#include "render/page/html_text.hpp"

namespace attn {
namespace {

template <typename List, typename Write>
std::string list_of(const List& list, Write write) {
  std::string text = "[";
  for (const auto& each : list) text += (text.size() == 1 ? "" : ",") + write(each);
  return text + "]";
}

std::string number(double value) {
  if (std::isfinite(value)) return format_exact(value);
  return std::isnan(value) ? "\"nan\"" : value < 0 ? "null" : "\"inf\"";
}

/// A number that is only shown, with so many digits that it looks exact only if it is, also with
/// the most decimals that the page offers.
std::string shown_number(double value, int precision) {
  if (!std::isfinite(value)) return number(value);
  constexpr int kMostOffered = 6, kToSpare = 4;
  const int whole = std::abs(value) < 10.0 ? 1 : 1 + static_cast<int>(std::log10(std::abs(value)));
  const int digits = whole + std::max(precision, kMostOffered) + kToSpare;
  return format_digits(value, std::clamp(digits, 12, 17));
}

/// One number if all are alike.
std::string counts(const std::vector<std::size_t>& list) {
  const auto other = [&](std::size_t n) { return n != list.front(); };
  if (std::none_of(list.begin(), list.end(), other)) return std::to_string(list.front());
  return list_of(list, [](std::size_t n) { return std::to_string(n); });
}

/// 3, "r", or "r+2".
std::string coordinate(const Coordinate& c) {
  const std::string offset = std::to_string(c.offset);
  if (c.axis == 0) return offset;
  const std::string distance = c.offset == 0 ? "" : c.offset > 0 ? "+" + offset : offset;
  return std::string("\"") + c.axis + distance + "\"";
}

bool is_own(const Coordinate& c, char axis) { return c.axis == axis && c.offset == 0; }

std::string leaf_text(const PatternLeaf& leaf) {
  std::string text =
      "[" + std::to_string(leaf.input) + "," + coordinate(leaf.row) + "," + coordinate(leaf.col);
  if (!is_own(leaf.batch, 'b') || !is_own(leaf.head, 'h'))
    text += "," + coordinate(leaf.batch) + "," + coordinate(leaf.head);
  return text + "]";
}

/// What the script calls an operation: its sign, or the name of its function.
std::string sign(const Expression& e) {
  constexpr std::array kSigns{"",  "",   "+", "·", "-",
                              "/", "e^", "²", "",  "max"};  // in order of Kind
  const std::string sign = kSigns[static_cast<std::size_t>(e.kind)];
  return sign.empty() ? e.text : sign;
}

/// The tree of a pattern; `leaf` is the next of its leaves.
std::string tree_text(const Expression& e, std::vector<PatternLeaf>::const_iterator& leaf) {
  if (e.kind == Expression::Kind::Leaf) return leaf_text(*leaf++);
  if (e.kind == Expression::Kind::Constant)
    return e.text.empty()
               ? number(e.value)
               : "{\"text\":" + page_string(e.text) + ",\"value\":" + number(e.value) + "}";
  std::string text = "[" + page_string(sign(e));
  for (const Expression& part : e.parts) text += "," + tree_text(part, leaf);
  return text + "]";
}

std::string pattern_text(const CellPattern& pattern) {
  if (pattern.replaces) return "{\"replaces\":" + leaf_text(*pattern.replaces) + "}";
  auto leaf = pattern.leaves.begin();
  return tree_text(pattern.how, leaf);
}

/// One digit for each; nothing if none is set.
std::string flags_text(const std::string& name, const std::vector<bool>& flags) {
  if (std::find(flags.begin(), flags.end(), true) == flags.end()) return "";
  std::string text = ",\"" + name + "\":\"";
  for (const bool flag : flags) text += flag ? '1' : '0';
  return text + "\"";
}

std::string step_text(const CellOrigins& step, int precision) {
  const auto strings = [](const std::vector<std::string>& all) {
    return list_of(all, [](const std::string& each) { return page_string(each); });
  };
  const auto any = [](const auto& list, const auto& is) {
    return std::any_of(list.begin(), list.end(), is);
  };
  const Shape& shape = step.shape;
  const std::vector<Index> sizes{shape.batch.value_or(0), shape.heads.value_or(0), shape.rows,
                                 shape.cols};
  std::string text =
      "{\"id\":" + page_string(step.id) + ",\"name\":" + page_string(step.name) +
      ",\"title\":" + page_string(step.title) +
      ",\"shape\":" + list_of(sizes, [](Index size) { return std::to_string(size); }) +
      ",\"rows\":" + list_of(step.rows, strings) + ",\"cols\":" + list_of(step.cols, strings) +
      ",\"inputs\":" + strings(step.inputs) +
      ",\"patterns\":" + list_of(step.patterns, pattern_text);
  if (step.kv_heads) text += ",\"kvHeads\":true";
  const auto is_set = [](std::size_t n) { return n != 0; };
  if (any(step.pattern, is_set)) text += ",\"pattern\":" + counts(step.pattern);
  if (any(step.parts, [](const auto& parts) { return !parts.empty(); }))
    text += ",\"parts\":" + list_of(step.parts, [&](const auto& parts) {
              return list_of(parts, [&](double value) { return shown_number(value, precision); });
            });
  if (any(step.remark, is_set))
    text += ",\"remarks\":" + strings(step.remarks) + ",\"remark\":" + counts(step.remark);
  text += flags_text("rounded", step.rounded) + flags_text("hidden", step.hidden);
  return text + ",\"numbers\":" + list_of(step.numbers, number) + "}";
}

}  // namespace

std::string page_data(const Document& document) {
  const auto text = [&](const CellOrigins& step) { return step_text(step, document.precision); };
  return "{\"precision\":" + std::to_string(document.precision) +
         ",\"steps\":" + list_of(document.cells, text) +
         ",\"unmasked\":" + list_of(document.unmasked, text) + "}";
}

}  // namespace attn
