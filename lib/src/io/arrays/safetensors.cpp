// Reads one tensor at a time, and writes a header in JSON that says where each is.
#include "io/arrays/safetensors.hpp"

#include <algorithm>
#include <cassert>

#include "attn/io/tensor_file.hpp"
#include "core/trace/text_pieces.hpp"
#include "io/arrays/bytes.hpp"
#include "io/arrays/number_type.hpp"
#include "io/arrays/tensor_error.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

constexpr std::size_t kAlignment = 8;  // of the tensors' bytes in the file

NamedArray read_tensor(const StoredTensor& tensor, const std::string& file, const MakeRoom& room) {
  const Origin origin = {file, tensor.name};
  const NumberType* type = find_safetensors_type(tensor.dtype);
  if (!type) {
    throw tensor_error(origin, "dtype",
                       "expected numbers as F64, F32, F16, BF16, whole numbers or BOOL, found " +
                           excerpt(tensor.dtype),
                       "Convert it before saving: tensor.to(torch.float32).");
  }
  if (tensor.shape.empty()) throw scalar_error(origin);
  room(tensor.shape);
  return {tensor.name, {tensor.shape, type->decode(tensor.bytes, false)}, tensor.dtype};
}

std::string header_json(std::span<const ArrayView> arrays) {
  json::Writer header(json::Spacing::Compact);
  std::size_t begin = 0;
  const auto write = [&](const ArrayView& named) {
    assert(number_count(named.shape) == named.size_bytes() / sizeof(double));
    if (named.name == "__metadata__") {
      throw tensor_error({}, "safetensors-format",
                         "a .safetensors file cannot hold a tensor named \"__metadata__\"",
                         "Give the array another name.");
    }
    const std::size_t end = begin + named.size_bytes();
    header.key(named.name).object([&] {
      header.add("dtype", "F64").add("shape", named.shape);
      header.add("data_offsets", std::vector{begin, end});
    });
    begin = end;
  };
  header.object([&] { std::for_each(arrays.begin(), arrays.end(), write); });
  return header.text();
}

}  // namespace

std::vector<NamedArray> read_safetensors(std::string_view bytes, const std::string& file_name,
                                         const WantArray& wanted, const MakeRoom& room) {
  std::vector<NamedArray> arrays;
  for (const StoredTensor& tensor : read_safetensors_header(bytes, file_name, room)) {
    arrays.push_back(wanted(tensor.name) ? read_tensor(tensor, file_name, room)
                                         : NamedArray{tensor.name, {}, ""});
  }
  return arrays;
}

std::vector<ListedArray> list_safetensors(std::string_view bytes, const std::string& file_name,
                                          const MakeRoom& room) {
  std::vector<ListedArray> listed;
  for (const StoredTensor& tensor : read_safetensors_header(bytes, file_name, room)) {
    const auto begin = static_cast<std::size_t>(tensor.bytes.data() - bytes.data());
    listed.push_back({tensor.name, tensor.shape, [tensor, begin, file_name](std::string_view all) {
                        StoredTensor here = tensor;
                        here.bytes = all.substr(begin, tensor.bytes.size());
                        return read_tensor(here, file_name, any_size).array;
                      }});
  }
  return listed;
}

void each_safetensors_piece(std::span<const ArrayView> arrays, const Sink& sink) {
  std::string header = header_json(arrays);
  header.resize((header.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  std::string bytes;
  append_little_endian(bytes, header.size(), sizeof(std::uint64_t));
  sink(bytes + header);
  for (const ArrayView& named : arrays) {
    for (const auto& part : named.parts) sink(float64_bytes(part, bytes));
  }
}

std::string write_safetensors(std::span<const NamedArray> arrays) {
  return in_one_text([&](const Sink& sink) { each_safetensors_piece(views_of(arrays), sink); });
}

}  // namespace attn
