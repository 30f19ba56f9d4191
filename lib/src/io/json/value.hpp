// Reads values of each type.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "attn/core/array.hpp"
#include "attn/mask.hpp"
#include "io/json/json.hpp"

namespace attn::json {

/// A value of a file, with what an error about it needs.
struct Value {
  const Document& file;
  const Node& node;
  std::string pointer;
};

/// Every reader below throws Error; places name only pointers, and SourceMap fills in the lines.

/// An Error (id "wrong-type") that says what is at the pointer instead of what was expected.
Error wrong_type(const Document& file, const std::string& pointer, const std::string& expected,
                 std::string fix);

const std::string& read_text(const Value& value);

/// A finite number.
double read_number(const Value& value);

/// A number, or "-Infinity", "Infinity" or "NaN".
double read_real(const Value& value);

/// true or false.
bool read_flag(const Value& value);

/// The largest count that a file may hold.
inline constexpr std::ptrdiff_t kLargestCount = 2147483647;

/// A whole number from `smallest` to kLargestCount (id "wrong-type" or "out-of-range").
std::ptrdiff_t read_count(const Value& value, std::ptrdiff_t smallest);

std::vector<std::ptrdiff_t> read_counts(const Value& value, std::ptrdiff_t smallest);

/// The version of a file's format: 1, or 1.anything (id "format-version").
void read_version(const Value& value);

/// A list of at least one string.
std::vector<std::string> read_texts(const Value& value);

/// The same, but it may be empty.
std::vector<std::string> read_texts_or_none(const Value& value);

/// A list of strings, or one such list for each batch entry.
TokenLists read_token_lists(const Value& value);

/// What a list of lists of numbers may look like.
struct ArrayForm {
  std::size_t smallest_rank = 2;
  std::size_t largest_rank = 2;
  bool flags = false;       ///< only 0, 1, false and true, instead of numbers
  bool arithmetic = false;  ///< a number may be text such as "1/2"
};

/// Numbers, arithmetic, "-Infinity", "Infinity" and "NaN" in lists within lists, as long as all
/// lists of a level have the same length (ids "ragged-rows", "rank", "wrong-type"); or an object
/// that read_array_source takes.
Array read_array(const Value& value, const ArrayForm& form);

/// What to keep in place of a cell that is neither a number nor a list, and comes after `index`
/// others.
using ReadOther = std::function<double(const Node& cell, std::size_t index)>;

/// The same for numbers in the file itself: no generators, no other files. With `other`, cells may
/// be anything but lists.
Array read_lists(const Value& value, const ArrayForm& form, const ReadOther& other = {});

}  // namespace attn::json
