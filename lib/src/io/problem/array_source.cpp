// Makes or reads the matrices that a problem describes.
#include "io/problem/array_source.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "attn/io/tensor_file.hpp"
#include "attn/phrases.hpp"
#include "io/arrays/matrix_text.hpp"
#include "io/json/read_object.hpp"
#include "io/json/source.hpp"
#include "io/problem/random_source.hpp"

namespace attn::json {
namespace {

/// Everything that an object in place of a matrix may have.
struct Wish {
  std::vector<std::ptrdiff_t> shape;
  std::string file, tensor;
};

std::vector<std::ptrdiff_t> read_shape(const Value& value) {
  const std::vector<std::ptrdiff_t> shape = read_counts(value, 1);
  make_room(value, shape);
  return shape;
}

void take_shape(const Value& value, Wish& wish) { wish.shape = read_shape(value); }

constexpr Key<Wish> kZeros[] = {{"zeros", take_shape, true}};
constexpr Key<Wish> kOnes[] = {{"ones", take_shape, true}};
constexpr Key<Wish> kEye[] = {{"eye",
                               [](const Value& v, Wish& w) {
                                 const std::ptrdiff_t n = read_count(v, 1);
                                 w.shape = {n, n};
                                 make_room(v, w.shape);
                               },
                               true}};
constexpr Key<Wish> kFile[] = {
    {"file", [](const Value& v, Wish& w) { w.file = read_text(v); }, true},
    {"tensor", [](const Value& v, Wish& w) { w.tensor = read_text(v); }},
};

Array filled(const std::vector<std::ptrdiff_t>& shape, double number) {
  std::size_t count = 1;
  for (const std::ptrdiff_t size : shape) count *= static_cast<std::size_t>(size);
  return {shape, std::vector<double>(count, number)};
}

template <std::size_t N>
Wish read_wish(const Value& value, const Key<Wish> (&keys)[N]) {
  Wish wish;
  read_object(value, keys, wish);
  return wish;
}

Array make_eye(const Value& value) {
  const Wish wish = read_wish(value, kEye);
  const std::ptrdiff_t n = wish.shape[0];
  Array eye = filled(wish.shape, 0.0);
  for (std::ptrdiff_t i = 0; i < n; ++i) eye.data[static_cast<std::size_t>(i * n + i)] = 1.0;
  return eye;
}

Error bad_path(const Value& value, const std::string& what) {
  return input_error({.id = "file-path",
                      .what = what,
                      .places = {{.pointer = child_pointer(value.pointer, "file")}},
                      .rule = "A path is relative to the problem file and must stay in its folder.",
                      .fix = "Put a file of arrays beside the problem file, and write its name."});
}

}  // namespace

void check_path(const Value& value, const std::string& path, bool can_read) {
  const std::filesystem::path relative(std::u8string(path.begin(), path.end())), up(u8"..");
  const bool leaves = std::find(relative.begin(), relative.end(), up) != relative.end();
  if (path.empty() || relative.has_root_path() || leaves) {
    throw bad_path(value, "the file \"" + path +
                              "\" is not inside the problem's folder, or its path has \"..\"");
  }
  if (can_read) return;
  throw bad_path(value, "a problem from standard input cannot name files");
}

Error wrong_ending(const Value& value, const std::string& endings, const std::string& path) {
  return bad_path(value, "expected a file that ends in " + endings + ", found \"" + path + "\"");
}

namespace {

/// The only array, or the one called `tensor`.
std::string chosen_name(const Value& value, const std::vector<std::string>& names,
                        const Wish& wish) {
  if (wish.tensor.empty() && names.size() == 1) return names.front();
  if (std::find(names.begin(), names.end(), wish.tensor) != names.end()) return wish.tensor;
  throw input_error({.id = "unknown-tensor",
                     .what = wish.tensor.empty() ? "\"" + wish.file + "\" has several tensors"
                                                 : "\"" + wish.file + "\" has no tensor called \"" +
                                                       wish.tensor + "\"",
                     .places = {{.pointer = value.pointer}},
                     .fix = names == std::vector<std::string>{""}
                                ? "Leave out \"tensor\": the array of this file has no name."
                                : "Name one of them with \"tensor\": " + listed(names) + "."});
}

Array read_file_entry(const Value& value) {
  const Wish wish = read_wish(value, kFile);
  const ArrayFileType* type = array_file_type(wish.file);
  const bool text = is_matrix_text_file(wish.file);
  if (!type && !text) {
    std::vector<std::string> endings = array_file_endings();
    endings.insert(endings.end(), {".csv", ".tsv", ".txt"});
    throw wrong_ending(value, either(endings), wish.file);
  }
  check_path(value, wish.file, value.file.read_file != nullptr);
  const std::string bytes = value.file.read_file(wish.file, value.pointer);
  if (text) {
    MatrixText read = read_matrix_text(decode_source({bytes}, wish.file).text);
    if (read.fault.empty()) return std::move(read.array);
    throw bad_matrix_text(read.fault, {.file = wish.file});
  }
  const auto room = [&](const auto& shape) { make_room(value, shape); };
  const std::string name = chosen_name(value, array_names(*type, bytes, wish.file, room), wish);
  const auto wanted = [&](const std::string& each) { return each == name; };
  for (NamedArray& each : type->read(bytes, wish.file, wanted, room)) {
    if (each.name == name) return std::move(each.array);
  }
  return {};
}

struct SourceRow {
  const char* key;
  Array (*make)(const Value& value);
  /// The bytes that it makes, 0 for a wrong `size`; nullptr for what is read from a file.
  double (*bytes)(const Node& size) = nullptr;
};

bool is_count(double number) {
  return number >= 1.0 && number <= static_cast<double>(kLargestCount) &&
         number == std::floor(number);
}

double bytes_of_shape(const Node& size) {
  const auto* shape = std::get_if<Numbers>(&size.value);
  if (shape == nullptr || !std::all_of(shape->begin(), shape->end(), is_count)) return 0.0;
  double bytes = sizeof(double);
  for (const double each : *shape) bytes *= each;
  return bytes;
}

double bytes_of_eye(const Node& size) {
  const auto* n = std::get_if<double>(&size.value);
  return n != nullptr && is_count(*n) ? sizeof(double) * *n * *n : 0.0;
}

constexpr SourceRow kSources[] = {
    {"rand", read_random, bytes_of_shape},
    {"randn", read_random, bytes_of_shape},
    {"randint", read_random, bytes_of_shape},
    {"linear", read_random, bytes_of_shape},
    {"zeros", [](const Value& v) { return filled(read_wish(v, kZeros).shape, 0.0); },
     bytes_of_shape},
    {"ones", [](const Value& v) { return filled(read_wish(v, kOnes).shape, 1.0); }, bytes_of_shape},
    {"eye", make_eye, bytes_of_eye},
    {"file", read_file_entry},
};

}  // namespace

Described described_by(const Node& node) {
  for (const SourceRow& row : kSources) {
    const Node* size = find(node, row.key);
    if (size != nullptr) return {row.key, row.bytes == nullptr ? 0.0 : row.bytes(*size)};
  }
  return {};
}

Array read_array_source(const Value& value) {
  for (const SourceRow& row : kSources) {
    if (find(value.node, row.key) != nullptr) return row.make(value);
  }
  throw input_error(
      {.id = "wrong-type",
       .what =
           "expected a matrix, or an object with one of rand, randn, randint, linear, zeros, ones, "
           "eye and file, found an object with none of them",
       .places = {{.pointer = value.pointer}},
       .fix = "Write the numbers, or {\"randn\": [4, 6], \"seed\": 1}."});
}

}  // namespace attn::json
