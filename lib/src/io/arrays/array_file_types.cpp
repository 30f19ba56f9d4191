// The types of files that hold arrays: one row each.
#include <algorithm>
#include <array>
#include <utility>

#include "attn/io/tensor_file.hpp"
#include "io/arrays/bytes.hpp"

namespace attn {
namespace {

using std::string_view_literals::operator""sv;
std::vector<NamedArray> read_one(std::string_view bytes, const std::string& file,
                                 const WantArray& wanted, const MakeRoom& room) {
  if (!wanted("")) return {NamedArray()};
  return {read_npy(bytes, file, room)};
}

/// These files begin with the length of their header in eight bytes, of which the last three are 0;
/// the header is JSON.
bool is_safetensors(std::string_view bytes) {
  return bytes.size() > 9 && bytes.substr(5, 3) == "\0\0\0"sv && bytes[8] == '{';
}

/// The name of the first file of a zip archive: its length is at byte 26, the name at 30.
std::string_view first_in_zip(std::string_view bytes) {
  if (!bytes.starts_with("PK\x03\x04") || bytes.size() < 30) return "";
  return bytes.substr(30, static_cast<std::size_t>(little_endian(bytes, 26, 2)));
}

bool is_npz(std::string_view bytes) { return first_in_zip(bytes).ends_with(".npy"); }
bool is_torch(std::string_view bytes) { return first_in_zip(bytes).ends_with("/data.pkl"); }

constexpr std::array kTypes{
    ArrayFileType{".npy", "one NumPy array (.npy)", false,
                  [](std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); }, read_one,
                  nullptr},
    ArrayFileType{".npz", "a zip archive, as NumPy's .npz and PyTorch's .pt files are", true,
                  is_npz, read_npz, list_npz},
    ArrayFileType{".safetensors", "tensors (.safetensors)", true, is_safetensors, read_safetensors,
                  list_safetensors},
    ArrayFileType{".pt", "PyTorch's tensors (.pt)", true, is_torch, read_torch, list_torch},
    ArrayFileType{".gguf", "a GGUF file of llama.cpp", true,
                  [](std::string_view bytes) { return bytes.starts_with("GGUF"); }, read_gguf,
                  list_gguf},
    ArrayFileType{".bin", "PyTorch's tensors (.bin)", true, is_torch, read_torch, list_torch},
};

}  // namespace

std::span<const ArrayFileType> array_file_types() { return kTypes; }

std::vector<std::string> array_names(const ArrayFileType& type, std::string_view bytes,
                                     const std::string& file_name, const MakeRoom& room) {
  std::vector<std::string> names;
  for (NamedArray& each : type.read(
           bytes, file_name, [](const auto&) { return false; }, room)) {
    names.push_back(std::move(each.name));
  }
  return names;
}

const ArrayFileType* array_file_type(std::string_view path) {
  const auto* at = std::find_if(kTypes.begin(), kTypes.end(), [&](const ArrayFileType& type) {
    return path.ends_with(type.ending);
  });
  return at == kTypes.end() ? nullptr : at;
}

const ArrayFileType* array_file_type(std::string_view bytes, std::string_view path) {
  const auto* at = std::find_if(kTypes.begin(), kTypes.end(),
                                [&](const ArrayFileType& type) { return type.recognises(bytes); });
  return at == kTypes.end() ? array_file_type(path) : at;
}

std::vector<std::string> array_file_endings(bool several_only) {
  std::vector<std::string> endings;
  for (const ArrayFileType& type : kTypes) {
    if (type.several || !several_only) endings.emplace_back(type.ending);
  }
  return endings;
}

}  // namespace attn
