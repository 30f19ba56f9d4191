#include "read_problem.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "attn/error.hpp"
#include "attn/problem_tensors.hpp"
#include "attn/samples.hpp"
#include "attn/tensor_file.hpp"
#include "attn/trace_file.hpp"
#include "files.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

/// Reads files beside `problem`, each once, and none that a link leads out of its folder.
ReadFile reader_beside(const std::string& problem, const Streams& streams) {
  auto known = std::make_shared<std::map<std::string, std::string>>();
  const fs::path folder = fs::path(problem).parent_path();
  return [known, folder, &streams](const std::string& path) {
    const auto at = known->find(path);
    if (at != known->end()) return at->second;
    std::error_code failed;
    const fs::path home = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, failed);
    const fs::path real = fs::weakly_canonical(folder / path, failed);
    const auto [end, ignored] = std::mismatch(home.begin(), home.end(), real.begin(), real.end());
    if (end != home.end()) {
      throw Error(ErrorKind::Input,
                  {{.id = "file-path",
                    .what = "the file \"" + path + "\" leads out of the problem's folder",
                    .fix = "Put the file itself beside the problem."}});
    }
    return (*known)[path] = read_input((folder / path).string(), streams);
  };
}

/// The tensors of a checkpoint whose names begin with `prefix`; without one, those of a file small
/// enough to be a problem.
std::vector<NamedArray> tensors_in(const ProblemSource& source, const std::string& bytes) {
  if (source.path.ends_with(".npz")) return read_npz(bytes, source.path);
  std::vector<NamedArray> arrays;
  std::vector<std::string> names;
  for (const TensorInfo& tensor : list_safetensors(bytes, source.path))
    names.push_back(tensor.name);
  const std::vector<std::string> layers = layer_prefixes(names);
  const bool whole_model = source.prefix.empty() &&
                           std::find(layers.begin(), layers.end(), "") == layers.end() &&
                           !layers.empty();
  for (const std::string& name : names) {
    if (whole_model) {
      arrays.push_back({name, {}, ""});  // only the names matter: the layers are listed
    } else if (name.starts_with(source.prefix)) {
      arrays.push_back(read_safetensors_tensor(bytes, source.path, name));
    }
  }
  return arrays;
}

std::variant<ProblemFile, Trace> read_path(const ProblemSource& source, const Streams& streams) {
  if (source.path.empty()) {
    const Sample& sample = samples().front();
    return parse_problem(sample.text, "built-in " + std::string(sample.name));
  }
  const std::string bytes = read_input(source.path, streams);
  if (source.path.ends_with(".npz") || source.path.ends_with(".safetensors")) {
    return ProblemFile{draft_from_tensors(tensors_in(source, bytes), source.prefix, source.path),
                       {}};
  }
  if (is_trace(bytes)) return parse_trace(bytes, source.path == "-" ? "<stdin>" : source.path);
  if (source.path == "-") return parse_problem(bytes, "<stdin>");
  return parse_problem(bytes, source.path, reader_beside(source.path, streams));
}

Array only_array(const std::string& path, const Streams& streams) {
  const std::string bytes = read_input(path, streams);
  if (path.ends_with(".npy")) return read_npy(bytes, path).array;
  const std::vector<NamedArray> arrays =
      path.ends_with(".npz") ? read_npz(bytes, path) : read_safetensors(bytes, path);
  if (arrays.size() == 1) return arrays.front().array;
  throw Error(ErrorKind::Input,
              {{.id = "unknown-tensor",
                .what = "\"" + path + "\" should hold one array, the embeddings, but it holds " +
                        std::to_string(arrays.size()),
                .fix = "Save it alone, with numpy.save."}});
}

}  // namespace

std::variant<ProblemFile, Trace> read_problem_or_trace(const ProblemSource& source,
                                                       const Streams& streams) {
  std::variant<ProblemFile, Trace> read = read_path(source, streams);
  auto* file = std::get_if<ProblemFile>(&read);
  if (file != nullptr && !source.embeddings.empty()) {
    file->draft.embeddings = only_array(source.embeddings, streams);
    file->draft.tokens.clear();
    file->places.override_with("/embeddings", "--embeddings " + source.embeddings);
  }
  return read;
}

ProblemFile read_problem(const ProblemSource& source, const Streams& streams) {
  std::variant<ProblemFile, Trace> read = read_problem_or_trace(source, streams);
  if (auto* file = std::get_if<ProblemFile>(&read)) return std::move(*file);
  throw Error(ErrorKind::Input,
              {{.id = "wrong-format",
                .what = "expected a problem, found a trace, which is the result of one",
                .places = {{.file = source.path}},
                .fix = "Give the problem that the trace was computed from."}});
}

}  // namespace attn::app
