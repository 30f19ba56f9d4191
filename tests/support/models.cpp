// Reads the whole models of tests/reference/models.
#include "support/models.hpp"

#include <algorithm>
#include <filesystem>

#include "attn/io/problem_file.hpp"
#include "support/files.hpp"

namespace attn::testing {

std::vector<std::string> model_names() {
  std::vector<std::string> all;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_dir() + "/tests/reference/models")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".json" && !name.ends_with(".expected") &&
        !name.starts_with("hugging_face"))
      all.push_back(name);
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<attn::Sample> attention_samples() {
  std::vector<attn::Sample> all;
  for (const attn::Sample& sample : samples()) {
    if (!parse_problem(sample.text, std::string(sample.name)).draft.model) all.push_back(sample);
  }
  return all;
}

std::string model_file(const std::string& name) { return "reference/models/" + name + ".json"; }

Trace model_trace(const std::string& name, const KeepStep& keeps) {
  const std::string file = model_file(name);
  return attend(make_problem(parse_problem(read_test_file(file), file).draft), {}, keeps);
}

}  // namespace attn::testing
