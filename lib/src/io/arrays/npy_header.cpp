// The header of .npy files, versions 1.0 to 3.0 (NumPy Enhancement Proposal 1): magic bytes, two
// bytes of version, the length of a Python dictionary with three keys, and that dictionary.
#include <algorithm>
#include <iterator>
#include <optional>

#include "io/arrays/bytes.hpp"
#include "io/arrays/npy.hpp"
#include "io/arrays/npy_fields.hpp"

namespace attn {
namespace {

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
