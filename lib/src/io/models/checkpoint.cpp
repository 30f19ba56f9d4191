// Lists the tensors of one file, or of each that an index names, and reads them when asked.
#include "attn/checkpoint.hpp"

#include <map>
#include <memory>
#include <utility>

#include "attn/error.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/phrases.hpp"
#include "core/problem/model_checks.hpp"
#include "io/arrays/tensor_error.hpp"
#include "io/json/read_object.hpp"

namespace attn {
namespace {

using json::Value;
using Open = std::function<TensorFile(const std::string& path)>;

constexpr std::string_view kIndexEnding = ".safetensors.index.json";
constexpr std::string_view kOldIndexEnding = ".bin.index.json";  // PyTorch's

/// The names of the tensors in each file.
using Shards = std::map<std::string, std::vector<std::string>>;

ModelTensors tensors_of(TensorFile opened, const std::string& path) {
  const auto file = std::make_shared<const TensorFile>(std::move(opened));
  std::vector<ListedArray> listed;
  file->read([&](std::string_view bytes) {
    listed = array_file_type(bytes, path)->list(bytes, file->name, file->room);
  });
  ModelTensors tensors;
  for (ListedArray& each : listed) {
    const std::string name = each.name;
    std::vector<std::ptrdiff_t> shape = each.shape;
    tensors[name] = {std::move(shape), [file, each = std::move(each)] {
                       Array array;
                       file->read([&](std::string_view bytes) { array = each.read(bytes); });
                       return array;
                     }};
  }
  return tensors;
}

void read_shard(const Value& value, Shards& shards) {
  const std::string& file = json::read_text(value);
  const bool beside = !file.empty() && file.find_first_of("/\\") == file.npos && file != "..";
  if (!beside || array_file_type(file) == nullptr || !array_file_type(file)->several) {
    throw input_error({.id = "file-path",
                       .what = "expected the name of a file beside the index, such as "
                               "model-00001-of-00002.safetensors, found \"" +
                               file + "\"",
                       .places = {{.pointer = value.pointer}},
                       .fix = "Download the index again, with all files that it names."});
  }
  shards[file];
}

void read_weight_map(const Value& value, Shards& shards) {
  const auto* members = std::get_if<json::Members>(&value.node.value);
  if (!members || members->empty()) {
    throw json::wrong_type(value.file, value.pointer, "an object that names a file for each tensor",
                           "Download the index again.");
  }
  for (const json::Member& member : *members) {
    const Value file{value.file, member.value, json::child_pointer(value.pointer, member.key)};
    read_shard(file, shards);
    shards[json::read_text(file)].push_back(member.key);
  }
}

constexpr json::Key<Shards> kIndexKeys[] = {{"weight_map", read_weight_map, true}};

Shards shards_of(std::string_view text, const std::string& name) {
  SourceMap places(name);
  try {
    const auto document = std::make_shared<json::Document>(json::parse(text, name));
    places = SourceMap(document);
    Shards shards;
    json::read_object({*document, document->root, ""}, kIndexKeys, shards, json::Unknown::Ignored,
                      "an index of tensors");
    return shards;
  } catch (const Error& error) {
    throw places.locate(error);
  }
}

/// The tensors of one file. Errors about it name the index too, since that is why it was opened.
ModelTensors shard_tensors(const std::string& path, const std::vector<std::string>& wanted,
                           const std::string& index, const Open& open) {
  try {
    return tensors_of(open(path), path);
  } catch (const Error& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    diagnostics.front().what += "; according to " + index + ", it holds " + listed(wanted, 2);
    throw Error(error.kind(), std::move(diagnostics), error.omitted());
  }
}

ModelTensors all_shards(const std::string& path, const Open& open) {
  const TensorFile index = open(path);
  Shards shards;
  index.read([&](std::string_view bytes) { shards = shards_of(bytes, index.name); });
  const std::string folder = path.substr(0, path.find_last_of('/') + 1);
  ModelTensors all;
  for (const auto& shard : shards) {
    const std::string& file = shard.first;
    ModelTensors here = shard_tensors(folder + file, shard.second, index.name, open);
    std::vector<std::string> absent;
    for (const std::string& name : shard.second) {
      if (auto found = here.extract(name)) {
        all.insert(std::move(found));
      } else {
        absent.push_back(name);
      }
    }
    if (absent.empty()) continue;
    throw tensor_error({folder + file}, "unknown-tensor",
                       "this file does not hold " + either(absent) + ", although " + index.name +
                           " says that it does",
                       "Download the index again, with all files that it names.");
  }
  return all;
}

}  // namespace

std::vector<std::string> checkpoint_endings() {
  std::vector<std::string> endings = array_file_endings(true);
  endings.emplace_back(kIndexEnding);
  return endings;
}

bool is_checkpoint_index(std::string_view path) {
  return path.ends_with(kIndexEnding) || path.ends_with(kOldIndexEnding);
}

ModelTensors checkpoint_tensors(const std::string& path, const Open& open) {
  ModelTensors tensors =
      is_checkpoint_index(path) ? all_shards(path, open) : tensors_of(open(path), path);
  std::erase_if(tensors, [](const auto& each) { return is_idle_weight(each.first); });
  return tensors;
}

}  // namespace attn
