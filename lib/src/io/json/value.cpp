// Reads text, numbers and lists of them, or says what was expected.
#include "io/json/value.hpp"

#include <cmath>
#include <utility>

#include "attn/number_text.hpp"
#include "io/json/token.hpp"

namespace attn::json {
namespace {

/// Throws unless the value is a list that is not empty.
void require_items(const Value& value, const std::string& expected, const std::string& fix) {
  if (is_list(value.node) && item_count(value.node) > 0) return;
  throw wrong_type(value.file, value.pointer, expected, fix);
}

std::ptrdiff_t count_from(const Document& file, const std::string& pointer, double number,
                          std::ptrdiff_t smallest) {
  if (number != std::floor(number)) {
    throw wrong_type(file, pointer, "a whole number", "Write a number without a fraction.");
  }
  if (number >= static_cast<double>(smallest) && number <= static_cast<double>(kLargestCount)) {
    return static_cast<std::ptrdiff_t>(number);
  }
  const std::string range = std::to_string(smallest) + " to " + std::to_string(kLargestCount);
  throw input_error({
      .id = "out-of-range",
      .what = "expected a whole number from " + range + ", found " +
              token_text(file.source.text, offset_of(file, pointer)),
      .places = {{.pointer = pointer}},
      .fix = "Write a number from " + range + ".",
  });
}

}  // namespace

Error wrong_type(const Document& file, const std::string& pointer, const std::string& expected,
                 std::string fix) {
  const std::string text = token_text(file.source.text, offset_of(file, pointer));
  if (expected == "a number" && text.size() > 2 && text.front() == '"') {
    const std::string point = with_point(text.substr(1, text.size() - 2));
    if (text.find(',') != text.npos && parse_number(point))
      fix = "Write " + point + ", with a decimal point and without quotation marks.";
  }
  const std::string found = describe_token(file.source.text, offset_of(file, pointer));
  return input_error({.id = "wrong-type",
                      .what = "expected " + expected + ", found " + found,
                      .places = {{.pointer = pointer}},
                      .fix = std::move(fix)});
}

const std::string& read_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.node.value)) return *text;
  throw wrong_type(value.file, value.pointer, "a string", "Write text in quotation marks.");
}

double read_number(const Value& value) {
  if (const auto* number = std::get_if<double>(&value.node.value)) return *number;
  throw wrong_type(value.file, value.pointer, "a number",
                   "Write a number such as 0.5, without quotation marks.");
}

void read_version(const Value& value) {
  const std::string& version = read_text(value);
  if (version == "1" || version.starts_with("1.")) return;
  throw input_error({
      .id = "format-version",
      .what = "expected format version 1, found \"" + version + "\"",
      .places = {{.pointer = value.pointer}},
      .fix = "Use a newer attn for this file, or write \"format_version\": \"1.0\".",
  });
}

bool read_flag(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value.node.value)) return *flag;
  throw wrong_type(value.file, value.pointer, "true or false",
                   "Write true or false, without quotation marks.");
}

std::ptrdiff_t read_count(const Value& value, std::ptrdiff_t smallest) {
  const auto* number = std::get_if<double>(&value.node.value);
  if (number) return count_from(value.file, value.pointer, *number, smallest);
  throw wrong_type(value.file, value.pointer, "a whole number",
                   "Write a number such as 2, without quotation marks.");
}

std::vector<std::ptrdiff_t> read_counts(const Value& value, std::ptrdiff_t smallest) {
  const std::string expected = "a list of whole numbers", fix = "Write a list such as [3, 4].";
  require_items(value, expected, fix);
  std::vector<std::ptrdiff_t> counts;
  const auto* numbers = std::get_if<Numbers>(&value.node.value);
  if (!numbers) {  // one of them is something else
    for (const Node& item : std::get<Items>(value.node.value)) {
      const std::string pointer = child_pointer(value.pointer, counts.size());
      counts.push_back(read_count({value.file, item, pointer}, smallest));
    }
    return counts;
  }
  const auto is_finite = [](double number) { return std::isfinite(number); };
  if (!std::all_of(numbers->begin(), numbers->end(), is_finite))
    throw wrong_type(value.file, value.pointer, expected, fix);
  for (const double number : *numbers) {
    const std::string pointer = child_pointer(value.pointer, counts.size());
    counts.push_back(count_from(value.file, pointer, number, smallest));
  }
  return counts;
}

std::vector<std::string> read_texts(const Value& value) {
  const std::string fix = "Write a list such as [\"the\", \"cat\"].";
  require_items(value, "a list of strings", fix);
  if (const auto* numbers = std::get_if<Numbers>(&value.node.value)) {
    const auto is_finite = [](double number) { return std::isfinite(number); };
    const auto first = std::find_if(numbers->begin(), numbers->end(), is_finite);
    const auto index = static_cast<std::size_t>(first - numbers->begin());
    throw wrong_type(value.file, child_pointer(value.pointer, index), "a string", fix);
  }
  const auto* items = &std::get<Items>(value.node.value);
  std::vector<std::string> texts;
  for (const Node& item : *items) {
    texts.push_back(read_text({value.file, item, child_pointer(value.pointer, texts.size())}));
  }
  return texts;
}

std::vector<std::string> read_texts_or_none(const Value& value) {
  const bool none = is_list(value.node) && item_count(value.node) == 0;
  return none ? std::vector<std::string>() : read_texts(value);
}

TokenLists read_token_lists(const Value& value) {
  const auto* items = std::get_if<Items>(&value.node.value);
  if (!items || !is_list(items->front())) return {read_texts(value)};
  TokenLists lists;
  for (const Node& item : *items) {
    lists.push_back(read_texts({value.file, item, child_pointer(value.pointer, lists.size())}));
  }
  return lists;
}

}  // namespace attn::json
