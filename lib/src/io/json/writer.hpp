// Writes JSON: pieces of text from which problems, errors and traces are put together.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "attn/array.hpp"
#include "attn/mask.hpp"

namespace attn::json {

/// The text of one value. If it is empty, there is no value and its key is left out.
using Text = std::string;
using Fields = std::vector<std::pair<std::string, Text>>;

constexpr std::size_t kStep = 2;  ///< spaces of indentation for each level

/// The text as a JSON string, with quotation marks; bytes that are not UTF-8 become U+FFFD. Control
/// characters, including U+007F to U+009F, are escaped: none can control a terminal.
Text quoted(const std::string& text);

/// The shortest text that reads back as the same number, except that whole numbers below 1e15 have
/// no exponent: "1", "2.5e-07"; "-Infinity", "Infinity" and "NaN" as strings.
Text number_text(double x);

/// A whole number.
inline Text whole_text(Index n) { return std::to_string(n); }

/// As number_text, but every number has a point or an exponent, as in traces: "1.0", "2.5e-07".
Text real_text(double x);
/// Writes it from `at` on, where there is room for kRealLength, and returns its end; put_real
/// writes no quotation marks.
char* put_real_value(char* at, double x);
char* put_real(char* at, double x);
constexpr std::ptrdiff_t kRealLength =
    40;  ///< the longest takes 25 characters; more may be touched

/// "[1, 2]"
template <typename T, typename Write>
Text list_text(const std::vector<T>& items, Write write) {
  Text text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i ? ", " : "") + write(items[i]);
  return text + "]";
}
Text texts_text(const std::vector<std::string>& items);

/// One item per line between brackets that are `indent` deep.
Text lines_text(const std::vector<Text>& items, std::size_t indent, const char* brackets);

/// "mode": "add", "fill": 0
Text members_text(const Fields& fields);

/// {"mode": "add"}
Text object_text(const Fields& fields);

/// The same with each field on a line of its own, closed at `indent`; no value if there are none.
Text object_lines(const Fields& fields, std::size_t indent);

/// One list for all batch entries, or one for each, on its own line; no value if there are none.
Text token_lists_text(const TokenLists& lists, std::size_t indent);

/// How to write a number: number_text, or a function that writes some numbers differently.
using NumberText = Text (*)(double x);

/// A row of numbers in which each is at least `width` wide.
Text row_text(const std::vector<double>& row, std::size_t width, NumberText write = number_text);

/// The width of the widest of these numbers.
std::size_t widest(const std::vector<double>& numbers, NumberText write = number_text);

/// Nested lists, one row of a matrix on each line.
Text array_text(const Array& array, std::size_t indent, NumberText write = number_text);

}  // namespace attn::json
