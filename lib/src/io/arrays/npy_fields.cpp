// Reads the Python dictionary in the header of an .npy file.
#include "io/arrays/npy_fields.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace attn {
namespace {

/// Reads pieces of a Python literal, each with the space before it, from the front of `rest`.
struct Scanner {
  std::string_view rest;

  void skip_space() {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  }

  bool accept(std::string_view word) {
    skip_space();
    const bool found = rest.starts_with(word);
    if (found) rest.remove_prefix(word.size());
    return found;
  }

  /// A comma, which may be missing before the closing bracket.
  bool accept_separator(std::string_view closing) {
    return accept(",") || (skip_space(), rest.starts_with(closing));
  }

  std::string_view take(std::size_t size) {
    const std::string_view front = rest.substr(0, size);
    rest.remove_prefix(size);
    return front;
  }
};

std::optional<std::string_view> read_string(Scanner& scanner) {
  const bool twofold = scanner.accept("\"");
  if (!twofold && !scanner.accept("'")) return std::nullopt;
  const std::size_t end = scanner.rest.find(twofold ? '"' : '\'');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = scanner.take(end);
  scanner.take(1);
  return text;
}

/// A string, or a list of fields as written; nothing else in the header has square brackets.
std::optional<std::string_view> read_dtype(Scanner& scanner) {
  scanner.skip_space();
  if (!scanner.rest.starts_with('[')) return read_string(scanner);
  const std::size_t end = scanner.rest.rfind(']');
  if (end == std::string_view::npos) return std::nullopt;
  return scanner.take(end + 1);
}

std::optional<bool> read_boolean(Scanner& scanner) {
  if (scanner.accept("True")) return true;
  if (scanner.accept("False")) return false;
  return std::nullopt;
}

/// "(3, 4)", also with Python 2's "3L".
std::optional<std::vector<std::ptrdiff_t>> read_tuple(Scanner& scanner) {
  std::vector<std::ptrdiff_t> sizes;
  if (!scanner.accept("(")) return std::nullopt;
  while (!scanner.accept(")")) {
    std::ptrdiff_t size = 0;
    const char* begin = scanner.rest.data();
    const auto [end, error] = std::from_chars(begin, begin + scanner.rest.size(), size);
    if (error != std::errc() || size < 0) return std::nullopt;
    scanner.take(static_cast<std::size_t>(end - begin));
    scanner.accept("L");
    if (!scanner.accept_separator(")")) return std::nullopt;
    sizes.push_back(size);
  }
  return sizes;
}

/// The value of one key; false for unknown keys, repeated keys and values of another kind.
bool read_field(Scanner& scanner, std::string_view key, NpyFields& fields) {
  if (key == "descr" && !fields.descr) {
    fields.descr = read_dtype(scanner);
    return fields.descr.has_value();
  }
  if (key == "fortran_order" && !fields.fortran_order) {
    fields.fortran_order = read_boolean(scanner);
    return fields.fortran_order.has_value();
  }
  if (key == "shape" && !fields.shape) {
    fields.shape = read_tuple(scanner);
    return fields.shape.has_value();
  }
  return false;
}

}  // namespace

std::optional<NpyFields> read_npy_fields(std::string_view text) {
  Scanner scanner{text};
  NpyFields fields;
  if (!scanner.accept("{")) return std::nullopt;
  while (!scanner.accept("}")) {
    const std::optional<std::string_view> key = read_string(scanner);
    if (!key || !scanner.accept(":") || !read_field(scanner, *key, fields)) return std::nullopt;
    if (!scanner.accept_separator("}")) return std::nullopt;
  }
  scanner.skip_space();
  const bool complete = fields.descr && fields.fortran_order && fields.shape;
  return complete && scanner.rest.empty() ? std::optional(std::move(fields)) : std::nullopt;
}

}  // namespace attn
