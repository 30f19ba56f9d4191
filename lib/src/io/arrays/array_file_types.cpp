// The types of files that hold arrays: one row each.
#include <algorithm>
#include <array>

#include "attn/tensor_file.hpp"
#include "io/arrays/bytes.hpp"

namespace attn {
namespace {

using std::string_view_literals::operator""sv;
using Names = std::vector<std::string>;
using Arrays = std::vector<NamedArray>;

Names npy_names(std::string_view, const std::string&) { return {""}; }

Arrays read_one(std::string_view bytes, const std::string& file, const WantArray&) {
  return {read_npy(bytes, file)};
}

Arrays read_all(std::string_view bytes, const std::string& file, const WantArray&) {
  return read_npz(bytes, file);
}

/// Their header is JSON, after its length in eight bytes, of which the last are 0.
bool is_safetensors(std::string_view bytes) {
  return bytes.size() > 9 && bytes.substr(5, 3) == "\0\0\0"sv && bytes[8] == '{';
}

Names safetensors_names(std::string_view bytes, const std::string& file) {
  Names names;
  for (const TensorInfo& tensor : list_safetensors(bytes, file)) names.push_back(tensor.name);
  return names;
}

/// The numbers of a tensor that nobody wants may be of any kind.
Arrays read_wanted(std::string_view bytes, const std::string& file, const WantArray& wanted) {
  Arrays arrays;
  for (const std::string& name : safetensors_names(bytes, file)) {
    arrays.push_back(wanted(name) ? read_safetensors_tensor(bytes, file, name)
                                  : NamedArray{name, {}, ""});
  }
  return arrays;
}

constexpr std::array kTypes{
    ArrayFileType{".npy", "one NumPy array (.npy)", false,
                  [](std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); }, npy_names,
                  read_one},
    ArrayFileType{".npz", "a ZIP archive, as NumPy's .npz and PyTorch's .pt files are", true,
                  [](std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }, npz_names,
                  read_all},
    ArrayFileType{".safetensors", "tensors (.safetensors)", true, is_safetensors, safetensors_names,
                  read_wanted},
};

}  // namespace

std::span<const ArrayFileType> array_file_types() { return kTypes; }

const ArrayFileType* array_file_type(std::string_view path) {
  const auto* at = std::find_if(kTypes.begin(), kTypes.end(), [&](const ArrayFileType& type) {
    return path.ends_with(type.ending);
  });
  return at == kTypes.end() ? nullptr : at;
}

std::vector<std::string> array_file_endings(bool several_only) {
  std::vector<std::string> endings;
  for (const ArrayFileType& type : kTypes) {
    if (type.several || !several_only) endings.emplace_back(type.ending);
  }
  return endings;
}

}  // namespace attn
