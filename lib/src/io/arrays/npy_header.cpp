// The header of .npy files, versions 1.0 to 3.0 (NumPy Enhancement Proposal 1).
// Magic bytes, two bytes of version, the length of a Python dictionary with three keys, and that
// dictionary.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "io/arrays/bytes.hpp"
#include "io/arrays/npy.hpp"

namespace attn {
namespace {

/// The Python dictionary in the header of an .npy file.
struct NpyFields {
  std::optional<std::string_view> descr;  ///< "<f8", or a list of fields as it is written
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::ptrdiff_t>> shape;  ///< no size is negative
};

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

/// All three fields, in any order; nothing if the text is not a dictionary of just them.
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

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;  // bytes of magic and version
constexpr const char* kSaveWithNumpy = "Write it again with np.save or np.savez.";

/// NumPy's letter for a type that attn does not read, and what to do about it.
struct OtherType {
  char letter;
  const char* words;
  const char* fix;
};
constexpr const char* kConvert = "Convert it before saving: array.astype(np.float64).";
constexpr OtherType kOtherTypes[] = {
    {'c', "complex numbers", "Save array.real and array.imag as two arrays."},
    {'O', "Python objects", "Save a rectangle of numbers: np.array(rows, dtype=np.float64)."},
    {'U', "text", kConvert},
    {'S', "text", kConvert},
    {'V', "records or raw bytes", "Save each field as its own array of numbers."},
    {'M', "dates", kConvert},
    {'m', "time spans", kConvert},
    {'f', "an unusual kind of float", kConvert},  // float128
    {'?', "an unknown type", kConvert},           // the last row is for everything else
};

Error dtype_error(const Origin& origin, std::string_view descr) {
  const char letter = descr.starts_with('[') ? 'V' : descr.size() > 1 ? descr[1] : '?';
  const auto* row =
      std::find_if(std::begin(kOtherTypes), std::end(kOtherTypes) - 1,
                   [letter](const OtherType& other) { return other.letter == letter; });
  return tensor_error(
      origin, "dtype",
      std::string("expected real numbers, found ") + row->words + " (dtype " + excerpt(descr) + ")",
      row->fix);
}

/// The dictionary's text; the header's size is where it ends.
std::string_view dictionary_text(std::string_view bytes, const Origin& origin) {
  const auto wrong = [&origin](std::string what, const char* fix) {
    return tensor_error(origin, "npy-format", std::move(what), fix);
  };
  if (!bytes.starts_with(kMagic)) {
    throw wrong("expected a NumPy array (.npy), found " + describe_bytes(bytes),
                remedy_for(bytes, kSaveWithNumpy));
  }
  if (bytes.size() < kVersionEnd) throw wrong("the file ends inside its header", kCopyAgain);
  const auto major = static_cast<unsigned>(little_endian(bytes, 6, 1));
  const auto minor = static_cast<unsigned>(little_endian(bytes, 7, 1));
  if (major < 1 || major > 3 || minor != 0) {
    throw wrong("expected version 1.0, 2.0 or 3.0 of the .npy format, found " +
                    std::to_string(major) + "." + std::to_string(minor),
                kSaveWithNumpy);
  }
  const std::size_t begin = kVersionEnd + (major == 1 ? 2 : 4);
  if (bytes.size() < begin) throw wrong("the file ends inside its header", kCopyAgain);
  const auto size =
      static_cast<std::size_t>(little_endian(bytes, kVersionEnd, begin - kVersionEnd));
  if (size > bytes.size() - begin) {
    throw wrong("expected a header of " + bytes_text(size) + ", found " +
                    bytes_text(bytes.size() - begin) + " before the end",
                kCopyAgain);
  }
  return bytes.substr(begin, size);
}

}  // namespace

NpyHeader read_npy_header(std::string_view bytes, const Origin& origin) {
  const std::string_view text = dictionary_text(bytes, origin);
  const std::optional<NpyFields> fields = read_npy_fields(text);
  if (!fields) {
    throw tensor_error(origin, "npy-format",
                       "expected a header such as {'descr': '<f8', 'fortran_order': False, "
                       "'shape': (3, 4)}, found " +
                           excerpt(text),
                       kSaveWithNumpy);
  }
  NpyHeader header;
  header.dtype = *fields->descr;
  const char order = header.dtype.empty() ? '?' : header.dtype.front();
  if (order != '?') header.type = find_numpy_type(std::string_view(header.dtype).substr(1));
  const bool ordered = order == '<' || order == '>';
  if (!header.type || (!ordered && (order != '|' || header.type->size > 1))) {
    throw dtype_error(origin, header.dtype);
  }
  header.big_endian = order == '>';
  header.columns_first = *fields->fortran_order;
  header.shape = *fields->shape;
  header.size = static_cast<std::size_t>(text.data() - bytes.data()) + text.size();
  return header;
}

std::string npy_header(const std::vector<std::ptrdiff_t>& shape) {
  constexpr std::size_t kAlignment = 64;
  std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    text += (axis > 0 ? " " : "") + std::to_string(shape[axis]) +
            (axis + 1 < shape.size() || axis == 0 ? "," : "");
  }
  text += "), }";
  const std::size_t used = kVersionEnd + 2 + text.size() + 1;  // with the line end
  text += std::string((kAlignment - used % kAlignment) % kAlignment, ' ') + '\n';
  std::string header = std::string(kMagic) + '\x01' + '\0';
  append_little_endian(header, text.size(), 2);
  return header + text;
}

}  // namespace attn
