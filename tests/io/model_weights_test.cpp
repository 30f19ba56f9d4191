// Weights of a whole model in files: one, or several with an index.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "attn/io/problem_file.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/phrases.hpp"
#include "support/errors.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

using Sizes = std::vector<Index>;
using Numbers = std::vector<double>;

/// Files by name, and how often each was read.
struct Folder {
  std::map<std::string, std::string> files;
  std::map<std::string, int> reads;

  OpenFile opener() {
    return [this](const std::string& path, const std::string&) -> TensorFile {
      if (!files.contains(path)) {
        throw Error(ErrorKind::Files, {{.id = "cannot-read", .what = "no " + path, .fix = ""}});
      }
      return {path, [this, path](const std::function<void(std::string_view)>& use) {
                ++reads[path];
                use(files[path]);
              }};
    };
  }
};

ProblemDraft weights_draft(Folder& folder, const std::string& file) {
  return parse_problem(R"({"model": {"kind": "gpt2"}, "weights": {"file": ")" + file + "\"}}",
                       "a.json", {}, nullptr, folder.opener())
      .draft;
}

/// The first diagnostic of the error that the file causes.
Diagnostic refused_model(Folder& folder, const std::string& file) {
  return error_from([&] { weights_draft(folder, file); }).diagnostics().front();
}

std::string some_tensors() {
  const std::vector<NamedArray> arrays{{"wte.weight", {{2, 3}, {1, 2, 3, 4, 5, 6}}, ""},
                                       {"h.0.ln_1.bias", {{2}, {0.5, -1}}, ""}};
  return write_safetensors(arrays);
}

Folder shards() {
  const std::vector<NamedArray> one{{"wte.weight", {{1, 2}, {1, 2}}, ""}};
  const std::vector<NamedArray> two{{"ln_f.weight", {{2}, {3, 4}}, ""},
                                    {"ln_f.bias", {{2}, {5, 6}}, ""}};
  Folder folder;
  folder.files = {{"m/one.safetensors", write_safetensors(one)},
                  {"m/two.safetensors", write_safetensors(two)},
                  {"m/model.safetensors.index.json",
                   R"({"metadata": {"total_size": 48}, "weight_map": {
                     "wte.weight": "one.safetensors", "ln_f.weight": "two.safetensors",
                     "ln_f.bias": "two.safetensors"}})"}};
  return folder;
}

constexpr const char* kIndex = "m/model.safetensors.index.json";

}  // namespace

TEST_CASE("model weights: names and shapes are read at once, numbers when they are needed") {
  Folder folder;
  folder.files["m.safetensors"] = some_tensors();
  const ProblemDraft draft = weights_draft(folder, "m.safetensors");
  REQUIRE(draft.model_weights.size() == 2);
  CHECK(draft.model_weights.at("wte.weight").shape == Sizes{2, 3});
  CHECK(folder.reads["m.safetensors"] == 1);
  CHECK(draft.model_weights.at("h.0.ln_1.bias").read().data == Numbers{0.5, -1});
  CHECK(draft.model_weights.at("wte.weight").read().data == Numbers{1, 2, 3, 4, 5, 6});
  CHECK(draft.model_weights.at("wte.weight").read().shape == Sizes{2, 3});
  CHECK(folder.reads["m.safetensors"] == 4);
}

TEST_CASE("model weights: float32, bfloat16 and float16 become float64") {
  const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                             R"("b":{"dtype":"BF16","shape":[1],"data_offsets":[4,6]},)"
                             R"("c":{"dtype":"F16","shape":[1],"data_offsets":[6,8]}})";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  Folder folder;
  folder.files["m.safetensors"] = bytes + header + std::string("\0\0\xC0\x3F\xC0\xBF\x00\x3E", 8);
  const ProblemDraft draft = weights_draft(folder, "m.safetensors");
  CHECK(draft.model_weights.at("a").read().data == Numbers{1.5});
  CHECK(draft.model_weights.at("b").read().data == Numbers{-1.5});
  CHECK(draft.model_weights.at("c").read().data == Numbers{1.5});
}

TEST_CASE("model weights: an .npz is listed in the same way") {
  Folder folder;
  const std::vector<NamedArray> arrays{{"ln_f.bias", {{2}, {5, 6}}, ""},
                                       {"wte.weight", {{1, 2}, {1, 2}}, ""}};
  folder.files["m.npz"] = write_npz(arrays);
  const ProblemDraft draft = weights_draft(folder, "m.npz");
  REQUIRE(draft.model_weights.size() == 2);
  CHECK(draft.model_weights.at("wte.weight").shape == Sizes{1, 2});
  CHECK(draft.model_weights.at("wte.weight").read().data == Numbers{1, 2});
  CHECK(folder.reads["m.npz"] == 2);
}

TEST_CASE("model weights: an index names several files, and each tensor is found in its own") {
  Folder folder = shards();
  const ProblemDraft draft = weights_draft(folder, kIndex);
  REQUIRE(draft.model_weights.size() == 3);
  CHECK(draft.model_weights.at("wte.weight").read().data == Numbers{1, 2});
  CHECK(draft.model_weights.at("ln_f.bias").read().data == Numbers{5, 6});
  CHECK(folder.reads["m/one.safetensors"] == 2);
  CHECK(folder.reads["m/two.safetensors"] == 2);
}

TEST_CASE("model weights: written as JSON they are numbers, and need no other file") {
  Folder folder = shards();
  const ProblemDraft again =
      parse_problem(problem_json(weights_draft(folder, kIndex)), "b.json").draft;
  CHECK(again.model_weights.empty());
  CHECK(again.weights.at("ln_f.weight").data == Numbers{3, 4});
  CHECK(again.weights.size() == 3);
}

TEST_CASE("model weights: a missing file of an index is reported with what it should hold") {
  Folder folder = shards();
  folder.files.erase("m/two.safetensors");
  CHECK(refused_model(folder, kIndex).what ==
        "no m/two.safetensors; according to m/model.safetensors.index.json, it holds ln_f.weight, "
        "ln_f.bias");
}

TEST_CASE("model weights: a truncated file of an index is reported with the tensor that is cut") {
  Folder folder = shards();
  folder.files["m/two.safetensors"].resize(folder.files["m/two.safetensors"].size() - 8);
  const Diagnostic found = refused_model(folder, kIndex);
  CHECK(found.id == "safetensors-format");
  CHECK(found.what.starts_with(after_header("32", "24 bytes")));
  CHECK(found.what.ends_with("it holds ln_f.weight, ln_f.bias"));
  REQUIRE(found.places.size() == 1);
  CHECK(found.places[0].file == "m/two.safetensors");
  CHECK(found.places[0].remark == "the array \"ln_f.bias\"");
}

TEST_CASE("model weights: an index that names an absent tensor is reported with both files") {
  Folder folder = shards();
  folder.files[kIndex] = R"({"weight_map": {"wte.weight": "two.safetensors"}})";
  const Diagnostic found = refused_model(folder, kIndex);
  CHECK(found.id == "unknown-tensor");
  CHECK(found.what ==
        "this file does not hold wte.weight, although m/model.safetensors.index.json says that it "
        "does");
  CHECK(found.places.at(0).file == "m/two.safetensors");
}

TEST_CASE("model weights: an index that has no map, or leads elsewhere, is refused") {
  struct Row {
    const char* index;
    const char* id;
    const char* pointer;
  };
  const Row rows[] = {
      {R"({"metadata": {}})", "missing-key", ""},
      {R"({"weight_map": []})", "wrong-type", "/weight_map"},
      {R"({"weight_map": {}})", "wrong-type", "/weight_map"},
      {R"({"weight_map": {"a": 1}})", "wrong-type", "/weight_map/a"},
      {R"({"weight_map": {"a": "../one.safetensors"}})", "file-path", "/weight_map/a"},
      {R"({"weight_map": {"a": "/etc/x.safetensors"}})", "file-path", "/weight_map/a"},
      {R"({"weight_map": {"a": "one.onnx"}})", "file-path", "/weight_map/a"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.index);
    Folder folder = shards();
    folder.files[kIndex] = row.index;
    const Diagnostic found = refused_model(folder, kIndex);
    CHECK(found.id == row.id);
    REQUIRE(found.places.size() == 1);
    CHECK(found.places[0].file == kIndex);
    CHECK(found.places[0].pointer == row.pointer);
  }
}

TEST_CASE(
    "model weights: a file is refused with no model, or if it is outside or of another kind") {
  const auto what = [](const std::string& json, bool opens) {
    Folder folder;
    folder.files["m.safetensors"] = some_tensors();
    const OpenFile open = opens ? folder.opener() : OpenFile();
    return refusal_from([&] { parse_problem(json, "a.json", {}, nullptr, open); }).what;
  };
  const std::string model = R"({"model": {"kind": "gpt2"}, )";
  CHECK(what(R"({"weights": {"file": "m.safetensors"}})", true) ==
        "weights from a file are those of a whole model, but there is no \"model\"");
  CHECK(what(model + R"("weights": {"file": "m.safetensors"}})", true) == "");
  CHECK(what(model + R"("weights": {"file": "m.safetensors"}})", false) ==
        "a problem from standard input cannot name files");
  CHECK(what(model + R"("weights": {"file": "../m.safetensors"}})", true) ==
        "the file \"../m.safetensors\" is not inside the problem's folder, or its path has \"..\"");
  CHECK(what(model + R"("weights": {"file": "m.onnx"}})", true) ==
        "expected a file that ends in .npz, .safetensors, .pt, .gguf, .bin or "
        ".safetensors.index.json, "
        "found "
        "\"m.onnx\"");
  CHECK(what(model + R"("weights": {"file": "m.safetensors", "tensor": "a"}})", true) ==
        no_such("key", "tensor") + " in weights");
}

}  // namespace attn::testing
