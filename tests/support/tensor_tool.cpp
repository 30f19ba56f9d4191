// tensor_tool IN OUT: reads arrays and writes them again, both by extension.
// For the test that compares attn with NumPy; exit code 3 and the message for a file that is
// refused.

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "attn/error.hpp"
#include "attn/io/tensor_file.hpp"

namespace {

std::vector<attn::NamedArray> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return attn::array_file_type(bytes, path)->read(bytes, path, attn::want_all, attn::any_size);
}

std::string written(const std::vector<attn::NamedArray>& arrays, const std::string& path) {
  if (path.ends_with(".npy")) return attn::write_npy(arrays.at(0).array);
  return path.ends_with(".npz") ? attn::write_npz(arrays) : attn::write_safetensors(arrays);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  try {
    const std::string in = arguments[1], out = arguments[2];
    std::ofstream(out, std::ios::binary) << written(read(in), out);
  } catch (const attn::Error& error) {
    std::cerr << error.diagnostics()[0].id << ": " << error.what() << "\n";
    return 3;
  }
  return 0;
}
