// The files beside a small model: configuration, texts of tokens, index of weights.
#include <fstream>
#include <sstream>

#include "attn/attend.hpp"
#include "attn/checkpoint.hpp"
#include "attn/hugging_face.hpp"
#include "fuzz.hpp"

using namespace attn;

namespace {

constexpr std::string_view kIndex = "model.safetensors.index.json";

const std::string& weight_bytes() {
  static const std::string bytes = [] {
    std::ifstream file(ATTN_SMALL_MODEL "/model.safetensors", std::ios::binary);
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
  }();
  return bytes;
}

/// The index has these bytes; any other name is the file with all weights.
ModelTensors weights(std::string_view index, const std::string& path) {
  return checkpoint_tensors(path, [&](const std::string& each) {
    const std::string_view bytes = each == kIndex ? index : weight_bytes();
    return TensorFile{each, [bytes](const auto& use) { use(bytes); }};
  });
}

}  // namespace

void try_input(std::string_view bytes) {
  fuzz::attempt([&] { weights(bytes, std::string(kIndex)); });
  fuzz::attempt([&] {
    for (const std::string& text : read_token_texts(bytes, "vocab.json"))
      fuzz::require_visible(text);
  });
  ProblemFile file = read_model_config(bytes, "config.json", weights("", "model.safetensors"));
  file.draft.ids = {{1, 2}};
  file.draft.max_memory = fuzz::kMemory;
  fuzz::require_whole(attend(make_problem(file.draft)), bytes.size());
}
