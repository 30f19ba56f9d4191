// Reads and writes the dictionary in the header; numbers in Fortran order become C order.
#include "io/arrays/npy.hpp"

#include <cassert>
#include <utility>

#include "core/trace/text_pieces.hpp"
#include "io/arrays/bytes.hpp"

namespace attn {
namespace {

/// The numbers of an array whose first axis is fastest, reordered so that the last one is.
std::vector<double> rows_of_columns(const std::vector<double>& columns,
                                    const std::vector<std::ptrdiff_t>& shape) {
  const std::size_t rank = shape.size();
  std::vector<std::ptrdiff_t> strides(rank, 1);
  for (std::size_t axis = 1; axis < rank; ++axis) {
    strides[axis] = strides[axis - 1] * shape[axis - 1];
  }
  std::vector<double> rows;
  rows.reserve(columns.size());
  std::vector<std::ptrdiff_t> index(rank, 0);
  std::ptrdiff_t at = 0;
  while (rows.size() < columns.size()) {
    rows.push_back(columns[static_cast<std::size_t>(at)]);
    for (std::size_t axis = rank; axis-- > 0;) {  // the next index, as an odometer counts
      at += strides[axis];
      if (++index[axis] < shape[axis]) break;
      at -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return rows;
}

/// The bytes after the header, as many as the shape needs.
std::string_view npy_data(std::string_view bytes, const NpyHeader& header, const Origin& origin) {
  if (header.shape.empty()) throw scalar_error(origin);
  const std::optional<std::size_t> count = number_count(header.shape);
  if (!count) throw shape_error(origin, "npy-format", header.shape);
  const std::string_view data = bytes.substr(header.size);
  const std::size_t expected = *count * header.type->size;
  if (data.size() == expected) return data;
  throw tensor_error(
      origin, "npy-format",
      "expected " + bytes_text(expected) + " for the shape " + shape_text(header.shape) + " of " +
          header.dtype + ", found " + bytes_text(data.size()),
      data.size() < expected ? kCopyAgain
                             : "Save one array in each file, or several with np.savez.");
}

}  // namespace

NamedArray read_npy_array(std::string_view bytes, const Origin& origin, const MakeRoom& room) {
  NpyHeader header = read_npy_header(bytes, origin);
  const std::string_view data = npy_data(bytes, header, origin);
  room(header.shape);
  std::vector<double> numbers = header.type->decode(data, header.big_endian);
  if (header.columns_first && header.shape.size() > 1) {
    numbers = rows_of_columns(numbers, header.shape);
  }
  return {origin.array, {std::move(header.shape), std::move(numbers)}, std::move(header.dtype)};
}

NamedArray read_npy(std::string_view bytes, const std::string& file_name, const MakeRoom& room) {
  return read_npy_array(bytes, {file_name}, room);
}

std::size_t ArrayView::size_bytes() const {
  std::size_t bytes = 0;
  for (const auto& part : parts) bytes += part.size_bytes();
  return bytes;
}

std::vector<ArrayView> views_of(std::span<const NamedArray> arrays) {
  std::vector<ArrayView> views;
  for (const NamedArray& each : arrays)
    views.push_back({each.name, each.array.shape, {each.array.data}});
  return views;
}

void each_npy_piece(const ArrayView& array, const Sink& sink) {
  assert(number_count(array.shape) == array.size_bytes() / sizeof(double));
  std::string room;
  sink(npy_header(array.shape));
  for (const auto& part : array.parts) sink(float64_bytes(part, room));
}

std::string write_npy(const Array& array) {
  return in_one_text([&](const Sink& sink) {
    each_npy_piece({"", array.shape, {array.data}}, sink);
  });
}

}  // namespace attn
