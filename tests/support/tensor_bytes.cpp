// Writes .npy and .safetensors, cuts them short or flips bits, and checks how they are refused.
#include "support/tensor_bytes.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <limits>

#include "support/errors.hpp"

namespace attn::testing {
std::string little(std::uint64_t number, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  return bytes;
}

std::string npy_file(const std::string& dictionary, const std::string& data, char major) {
  return std::string("\x93NUMPY") + major + '\0' + little(dictionary.size(), major == 1 ? 2 : 4) +
         dictionary + data;
}

std::string npy_file(const std::string& dtype, const std::string& shape, bool columns_first,
                     const std::string& data) {
  const std::string order = columns_first ? "True" : "False";
  return npy_file(
      "{'descr': '" + dtype + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n",
      data);
}

std::string safetensors_file(const std::string& header, const std::string& data) {
  return little(header.size(), 8) + header + data;
}

std::string patched(std::string bytes, std::size_t at, const std::string& others) {
  return bytes.replace(at, others.size(), others);
}

Array awkward_array(std::vector<std::ptrdiff_t> shape) {
  using Limits = std::numeric_limits<double>;
  const double kinds[] = {0.1,
                          -0.0,
                          Limits::infinity(),
                          -Limits::infinity(),
                          std::bit_cast<double>(0x7FF8000000001234U),  // a NaN with a payload
                          Limits::denorm_min(),
                          Limits::max(),
                          -1e-300};
  std::size_t count = 1;
  for (const std::ptrdiff_t size : shape) count *= static_cast<std::size_t>(size);
  Array array{std::move(shape), {}};
  for (std::size_t i = 0; i < count; ++i) {
    array.data.push_back(i < std::size(kinds) ? kinds[i] : static_cast<double>(i) / 3);
  }
  return array;
}

bool same(const Array& left, const Array& right) {
  const std::size_t bytes = left.data.size() * sizeof(double);
  return left.shape == right.shape && left.data.size() == right.data.size() &&
         (bytes == 0 || std::memcmp(left.data.data(), right.data.data(), bytes) == 0);
}

bool same(const std::vector<NamedArray>& left, const std::vector<NamedArray>& right) {
  bool equal = left.size() == right.size();
  for (std::size_t i = 0; equal && i < left.size(); ++i) {
    equal = left[i].name == right[i].name && same(left[i].array, right[i].array);
  }
  return equal;
}

Diagnostic refusal(const std::function<void()>& action, const std::string& file) {
  const Error error = error_from(action);
  CHECK(error.kind() == ErrorKind::Input);
  REQUIRE(error.diagnostics().size() == 1);
  Diagnostic diagnostic = error.diagnostics()[0];
  REQUIRE(!diagnostic.places.empty());
  for (const Place& place : diagnostic.places) {
    CHECK(place.file == file);
    CHECK(place.line == 0);
  }
  return diagnostic;
}

void check_cut_off(const std::string& bytes, const ReadBytes& read) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK(error_if_refused([&] { read(bytes.substr(0, size)); }));
  }
}

void check_flips(const std::string& bytes, const ReadBytes& read) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x02U, 0x04U, 0x08U, 0x10U, 0x20U, 0x40U, 0x80U, 0xFFU}) {
      CAPTURE(at);
      CAPTURE(flip);
      const auto byte = static_cast<unsigned char>(bytes[at]);
      const std::string flipped = patched(bytes, at, {static_cast<char>(byte ^ flip)});
      CHECK_NOTHROW(error_if_refused([&] { read(flipped); }));
    }
  }
}

}  // namespace attn::testing
