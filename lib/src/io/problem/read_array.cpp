// Reads matrices written as lists of lists.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "attn/arithmetic.hpp"
#include "attn/core/memory_budget.hpp"
#include "attn/phrases.hpp"
#include "core/masks/mask.hpp"
#include "core/text/ascii.hpp"
#include "io/arrays/matrix_text.hpp"
#include "io/json/expectation.hpp"
#include "io/json/token.hpp"
#include "io/json/value.hpp"
#include "io/problem/array_source.hpp"

namespace attn::json {
namespace {

using Path = std::vector<std::size_t>;

/// The words for a list and for its items; row n of kLevels is for n levels of brackets.
struct Level {
  const char* name;
  const char* item;
};
constexpr Level kLevels[] = {
    {"", ""}, {"row", "number"}, {"matrix", "row"}, {"stack", "matrix"}, {"batch", "stack"},
};

/// Text for a number that JSON does not have: "-Infinity" and its relatives.
struct Nonfinite {
  std::string_view text;
  double number;
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Nonfinite kNonfinite[] = {
    {"-Infinity", -kInfinity}, {"Infinity", kInfinity}, {"NaN", kNan},
    {"-inf", -kInfinity},      {"inf", kInfinity},      {"nan", kNan},
};

/// The number that text means, or nullptr.
const double* nonfinite(const Node& node) {
  const auto* text = std::get_if<std::string>(&node.value);
  const auto* row = std::find_if(std::begin(kNonfinite), std::end(kNonfinite),
                                 [&](const Nonfinite& each) { return text && each.text == *text; });
  return row == std::end(kNonfinite) ? nullptr : &row->number;
}

std::string quantity(std::size_t count, const Level& level) {
  return counted(static_cast<std::ptrdiff_t>(count), level.item);
}

/// Appends the numbers of nested lists to an Array whose shape the first list of each level sets.
class Reader {
 public:
  Reader(const Value& value, const ArrayForm& form, const ReadOther& other)
      : value_(value), form_(form), other_(other) {}
  Array read();

 private:
  void set_shape();
  void read_list(const Node& list);
  void read_cell(const Node& cell);
  double flag(double number) const;
  std::string pointer(const Path& path) const;
  std::string name(const Path& path) const;
  Error wrong_matrix() const;
  Error too_deep() const;
  Error wrong_list() const;
  Error wrong_cell(double number) const;
  Error ragged() const;

  const Value& value_;
  const ArrayForm& form_;
  const ReadOther& other_;
  Path path_;                         // the list or cell being read
  std::vector<const Node*> parents_;  // the lists around it, the outermost first
  Array array_;
};

std::string Reader::pointer(const Path& path) const {
  std::string text = value_.pointer;
  for (const std::size_t index : path) text = child_pointer(text, index);
  return text;
}

/// "row 2 of matrix 1"
std::string Reader::name(const Path& path) const {
  std::string text;
  for (std::size_t i = path.size(); i-- > 0;) {
    const Level& level = kLevels[array_.rank() - i - 1];
    text += (text.empty() ? "" : " of ") + std::string(level.name) + " " + std::to_string(path[i]);
  }
  return text;
}

Error Reader::wrong_matrix() const {
  const bool vector = form_.largest_rank == 1;
  return wrong_type(value_.file, value_.pointer,
                    vector ? "a list of numbers" : "a matrix (list of rows of numbers)",
                    vector ? "Write a list such as [1, 0.5]."
                           : "Write one list for each row, such as [[1, 0], [0.5, 1]].");
}

Error Reader::too_deep() const {
  return input_error({
      .id = "rank",
      .what = "expected at most " +
              counted(static_cast<std::ptrdiff_t>(form_.largest_rank), "level") +
              " of brackets, found " + std::to_string(array_.rank()),
      .places = {{.pointer = value_.pointer}},
      .fix = "Remove a level of brackets.",
  });
}

/// A number or text where a list was expected.
Error Reader::wrong_list() const {
  return wrong_type(value_.file, pointer(path_),
                    std::string("a ") + kLevels[array_.rank() - path_.size()].name,
                    "Write one list for each row, such as [[1, 0], [0.5, 1]].");
}

/// `number` is what the cell means, or 0.
Error Reader::wrong_cell(double number) const {
  const Expectation* expected = expectation_at(value_.pointer, true);
  const bool added = expected && expected->flag && number < 0;
  return wrong_type(value_.file, pointer(path_), form_.flags ? "0, 1, false or true" : "a number",
                    added         ? kAddedMask
                    : expected    ? expected->fix
                    : form_.flags ? "Write 0 or 1, without quotation marks."
                                  : "Write a number, without quotation marks.");
}

std::size_t size_of(const Node& item) { return is_list(item) ? item_count(item) : 0; }

/// The size that most of these lists have; `usual` where no other is more frequent.
std::size_t usual_size(const Items& lists, std::size_t usual) {
  std::map<std::size_t, std::size_t> counts;
  for (const Node& list : lists) counts[size_of(list)] += 1;
  for (const auto& [size, count] : counts) {
    if (count > counts[usual]) usual = size;
  }
  return usual;
}

/// "0,5", if the row has as many commas with a digit on each side as it has surplus numbers.
std::string decimal_comma(std::string_view text, const Node& row, std::size_t too_many) {
  const std::size_t end = text.find(']', row.offset);
  std::string first;
  std::size_t count = 0;
  for (std::size_t at = text.find(',', row.offset); at < end; at = text.find(',', at + 1)) {
    if (!is_digit(text[at - 1]) || !is_digit(text[at + 1]) || ++count > 1) continue;
    const std::size_t begin = text.find_last_of("[, \t\n", at - 1) + 1;
    first = text.substr(begin, token_end(text, at + 1) - begin);
  }
  return count == too_many ? first : "";
}

/// The list at path_ is not as long as the first: finds the odd one among it and the lists beside
/// it.
Error Reader::ragged() const {
  const auto& lists = std::get<Items>(parents_.back()->value);
  Path odd = path_, other(path_.size(), 0);
  std::size_t size = static_cast<std::size_t>(array_.shape[path_.size()]);
  std::size_t found = size_of(lists[odd.back()]);
  const auto first_of = [&](auto fits) {
    return static_cast<std::size_t>(std::find_if(lists.begin(), lists.end(), fits) - lists.begin());
  };
  const std::size_t usual = usual_size(lists, size);
  const std::size_t at = first_of([&](const Node& list) { return size_of(list) != usual; });
  if (at < lists.size()) {  // else these lists agree, and differ from others
    other = path_;
    odd.back() = at;
    other.back() = first_of([&](const Node& list) { return size_of(list) == usual; });
    found = size_of(lists[at]);
    size = usual;
  }
  const Level& level = kLevels[array_.rank() - path_.size()];
  const bool row = path_.size() + 1 == array_.rank();
  std::string fix = row ? "Make both rows the same length."
                        : "Give both the same number of " + plural(level.item) + ".";
  std::size_t shortest = size;
  for (const Node& list : lists) shortest = std::min(shortest, size_of(list));
  std::string comma;
  for (const Node& list : lists) {
    if (row && comma.empty() && size_of(list) > shortest)
      comma = decimal_comma(value_.file.source.text, list, size_of(list) - shortest);
  }
  if (!comma.empty()) {
    fix = "If " + comma + " is one number, write it with a point: " + with_point(comma) +
          ". If not, make both rows the same length.";
  }
  const std::string key = value_.pointer.substr(value_.pointer.rfind('/') + 1);
  return input_error({
      .id = "ragged-rows",
      .what = name(odd) + " of " + key + " has " + quantity(found, level) + ", " + name(other) +
              " has " + std::to_string(size),
      .places = {{.pointer = pointer(odd), .remark = quantity(found, level)},
                 {.pointer = pointer(other), .remark = quantity(size, level)}},
      .rule = "A matrix is a rectangle: all its rows have the same length.",
      .fix = std::move(fix),
  });
}

/// Whether lists and other cells are mixed in a list: a row with a list in a cell.
bool is_mixed(const Items& items) {
  const auto lists = std::count_if(items.begin(), items.end(), is_list);
  return lists > 0 && lists < std::ssize(items);
}

/// The lengths of the list, of its first item, of the first item of that, and so on; where all
/// cells are read by somebody else, to the first row.
void Reader::set_shape() {
  Path path;
  for (const Node* list = &value_.node; list && is_list(*list);) {
    const std::size_t size = item_count(*list);
    if (size == 0) {
      throw wrong_type(value_.file, pointer(path), "at least one number",
                       "Write the numbers, or leave out the key.");
    }
    array_.shape.push_back(static_cast<std::ptrdiff_t>(size));
    const auto* items = std::get_if<Items>(&list->value);
    const bool is_row = other_ && !path.empty() && items && is_mixed(*items);
    list = items && !is_row ? &items->front() : nullptr;
    path.push_back(0);
  }
  const std::size_t rank = array_.rank();
  if (rank < form_.smallest_rank) throw wrong_matrix();
  if (rank > form_.largest_rank) throw too_deep();
  const auto most = static_cast<double>(value_.file.source.text.size() / 2);  // "0,"
  array_.data.reserve(
      static_cast<std::size_t>(std::min(most, array_bytes(array_.shape) / sizeof(double))));
}

double Reader::flag(double number) const {
  if (form_.flags && number != 0.0 && number != 1.0) throw wrong_cell(number);
  return number;
}

void Reader::read_cell(const Node& cell) {
  if (const auto* number = std::get_if<double>(&cell.value)) {
    array_.data.push_back(flag(*number));
    return;
  }
  if (other_) {
    array_.data.push_back(other_(cell, array_.data.size()));
    return;
  }
  const auto* truth = std::get_if<bool>(&cell.value);
  if (truth && form_.flags) {
    array_.data.push_back(*truth ? 1.0 : 0.0);
    return;
  }
  const double* word = nonfinite(cell);
  if (word && !form_.flags) return array_.data.push_back(*word);
  const auto* text = std::get_if<std::string>(&cell.value);
  const auto number = text && form_.arithmetic && !form_.flags ? arithmetic(*text) : std::nullopt;
  if (!number || !std::isfinite(*number)) throw wrong_cell(word ? *word : 0.0);
  array_.data.push_back(*number);
}

void Reader::read_list(const Node& list) {
  const std::size_t depth = path_.size();
  const bool is_row = depth + 1 == array_.rank();
  if (!is_list(list)) throw wrong_list();
  const std::size_t size = item_count(list);
  if (static_cast<std::ptrdiff_t>(size) != array_.shape[depth]) throw ragged();
  path_.push_back(0);
  parents_.push_back(&list);
  if (const auto* numbers = std::get_if<Numbers>(&list.value)) {
    if (!is_row) throw wrong_list();
    for (path_.back() = 0; path_.back() < size; ++path_.back())
      array_.data.push_back(flag((*numbers)[path_.back()]));
  } else {
    for (const Node& item : std::get<Items>(list.value)) {
      if (is_row) {
        read_cell(item);
      } else {
        read_list(item);
      }
      ++path_.back();
    }
  }
  path_.pop_back();
  parents_.pop_back();
}

Array Reader::read() {
  set_shape();
  read_list(value_.node);
  return std::move(array_);
}

Array of_text(const Value& value) {
  MatrixText read = read_matrix_text(std::get<std::string>(value.node.value));
  if (read.fault.empty()) return std::move(read.array);
  throw bad_matrix_text(read.fault, {.pointer = value.pointer});
}

/// Compares what text, a generator or a file gave with what is expected here. A single row is a
/// matrix, and a matrix of one row or one column a list.
Array with_rank(Array array, const Value& value, const ArrayForm& form) {
  const std::size_t rank = array.rank();
  if (rank == 1 && form.smallest_rank == 2) array.shape.insert(array.shape.begin(), 1);
  if (rank == 2 && form.largest_rank == 1 && (array.shape[0] == 1 || array.shape[1] == 1))
    array.shape = {std::ssize(array.data)};
  if (array.rank() >= form.smallest_rank && array.rank() <= form.largest_rank) return array;
  const std::string least = std::to_string(form.smallest_rank);
  const bool one = form.smallest_rank == form.largest_rank;
  throw input_error({
      .id = "rank",
      .what = "expected " + least + (one ? "" : " to " + std::to_string(form.largest_rank)) +
              " axes, found the shape " + shape_text(array.shape),
      .places = {{.pointer = value.pointer}},
      .fix = "Give a matrix of a different shape.",
  });
}

}  // namespace

double read_real(const Value& value) {
  if (const auto* number = std::get_if<double>(&value.node.value)) return *number;
  if (const double* number = nonfinite(value.node)) return *number;
  throw wrong_type(value.file, value.pointer, "a number, \"-Infinity\", \"Infinity\" or \"NaN\"",
                   "Write a number without quotation marks.");
}

Array read_array(const Value& value, const ArrayForm& form) {
  if (std::holds_alternative<Members>(value.node.value))
    return with_rank(read_array_source(value), value, form);
  const auto* text = std::get_if<std::string>(&value.node.value);
  if (text != nullptr && may_be_matrix_text(*text)) return with_rank(of_text(value), value, form);
  const bool row = std::holds_alternative<Numbers>(value.node.value);
  if (row && form.smallest_rank == 2) return with_rank(read_lists(value, {1, 1}), value, form);
  ArrayForm people = form;
  people.arithmetic = true;
  return read_lists(value, people);
}

Array read_lists(const Value& value, const ArrayForm& form, const ReadOther& other) {
  return Reader(value, form, other).read();
}

}  // namespace attn::json
