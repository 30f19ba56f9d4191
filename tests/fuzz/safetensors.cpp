// Hugging Face's .safetensors files.
#include "arrays.hpp"

using namespace attn;

void try_input(std::string_view bytes) {
  fuzz::try_arrays(*array_file_type(".safetensors"), bytes,
                   [](const auto& all) { return write_safetensors(all); });
}
