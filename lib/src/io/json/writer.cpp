// Puts the text of JSON values together.
#include "io/json/writer.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "attn/tool/number_text.hpp"

namespace attn::json {
namespace {

std::vector<Text> items_of(const Fields& fields) {
  std::vector<Text> items;
  for (const auto& [key, value] : fields) {
    if (!value.empty()) items.push_back(quoted(key) + ": " + value);
  }
  return items;
}

/// What is below `axis`, from number `*next` on, which moves past it.
Text nested_text(const Array& array, std::size_t axis, const double*& next, std::size_t width,
                 std::size_t indent, NumberText write) {
  const auto size = static_cast<std::size_t>(array.shape[axis]);
  if (axis + 1 == array.rank()) {
    next += size;
    return row_text({next - size, next}, width, write);
  }
  std::vector<Text> items;
  for (std::size_t i = 0; i < size; ++i) {
    items.push_back(nested_text(array, axis + 1, next, width, indent + kStep, write));
  }
  return lines_text(items, indent, "[]");
}

}  // namespace

Text number_text(double x) {
  if (!std::isfinite(x)) return real_text(x);
  const bool whole = std::trunc(x) == x && std::abs(x) < 1e15;
  return whole ? format_fixed(x, 0) : format_exact(x);
}

char* put_real(char* at, double x) {
  const auto put = [&](std::string_view word) { return std::copy(word.begin(), word.end(), at); };
  if (!std::isfinite(x)) return put(std::isnan(x) ? "NaN" : x < 0 ? "-Infinity" : "Infinity");
  if (x == 0.0) return put(std::signbit(x) ? "-0.0" : "0.0");  // there are many hidden cells
  char* end = put_exact(at, x);
  const auto is_mark = [](char c) { return c == '.' || c == 'e'; };
  return std::trunc(x) == x && std::none_of(at, end, is_mark) ? std::copy_n(".0", 2, end) : end;
}

char* put_real_value(char* at, double x) {
  if (std::isfinite(x)) return put_real(at, x);
  *at = '"';
  at = put_real(at + 1, x);
  *at = '"';
  return at + 1;
}

Text real_text(double x) {
  char buffer[kRealLength];
  return {buffer, put_real_value(buffer, x)};
}

Text lines_text(const std::vector<Text>& items, std::size_t indent, const char* brackets) {
  const Text line = "\n" + Text(indent + kStep, ' ');
  Text text(1, brackets[0]);
  for (std::size_t i = 0; i < items.size(); ++i) text += (i ? "," : "") + line + items[i];
  return text + "\n" + Text(indent, ' ') + brackets[1];
}

Text texts_text(const std::vector<std::string>& items) { return list_text(items, quoted); }

Text members_text(const Fields& fields) {
  Text text;
  for (const Text& item : items_of(fields)) text += (text.empty() ? "" : ", ") + item;
  return text;
}

Text object_text(const Fields& fields) { return "{" + members_text(fields) + "}"; }

Text object_lines(const Fields& fields, std::size_t indent) {
  const std::vector<Text> items = items_of(fields);
  return items.empty() ? "" : lines_text(items, indent, "{}");
}

Text token_lists_text(const TokenLists& lists, std::size_t indent) {
  if (lists.empty()) return "";
  if (lists.size() == 1) return texts_text(lists.front());
  std::vector<Text> items;
  for (const auto& list : lists) items.push_back(texts_text(list));
  return lines_text(items, indent, "[]");
}

std::size_t widest(const std::vector<double>& numbers, NumberText write) {
  std::size_t width = 0;
  for (const double x : numbers) width = std::max(width, write(x).size());
  return width;
}

Text row_text(const std::vector<double>& row, std::size_t width, NumberText write) {
  return list_text(row, [&](double x) {
    const Text number = write(x);
    return Text(width - std::min(width, number.size()), ' ') + number;
  });
}

Text array_text(const Array& array, std::size_t indent, NumberText write) {
  if (array.rank() == 0) return "[]";
  const double* next = array.data.data();
  const std::size_t width = array.rank() > 1 ? widest(array.data, write) : 0;
  return nested_text(array, 0, next, width, indent, write);
}

}  // namespace attn::json
