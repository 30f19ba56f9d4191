// Reads the problem that a command is about: JSON, arrays, a layer of a checkpoint, or a trace.
#include "files/read_problem.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>

#include "attn/core/threads.hpp"
#include "attn/error.hpp"
#include "attn/hugging_face.hpp"
#include "attn/io/samples.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/language.hpp"
#include "attn/mask.hpp"
#include "attn/phrases.hpp"
#include "attn/problem_tensors.hpp"
#include "files/files.hpp"
#include "files/input.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

/// A file whose bytes count; `pointer` is the part of the problem that needs it.
std::shared_ptr<const Input> open_counted(const std::string& path, const std::string& pointer,
                                          MemoryBudget& budget, const Streams& streams) {
  auto input = open_input(path, streams, budget.limit);
  input->read([&](std::string_view bytes) {
    budget.take_bytes(static_cast<double>(bytes.size()), pointer);
    return true;
  });
  return input;
}

/// A file that the problem names: the path to open, and the one path that all its names lead to.
struct FileBeside {
  std::string name;
  fs::path real;
};

/// Refuses links that lead out of the folder of the file `from`.
FileBeside file_beside(const std::string& from, const std::string& path) {
  const fs::path folder = fs::path(from).parent_path();
  std::error_code failed;
  const fs::path home = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, failed);
  const fs::path real = fs::weakly_canonical(home / path, failed);
  if (failed) throw cannot_open(path, errno_of(failed));
  const auto [end, ignored] = std::mismatch(home.begin(), home.end(), real.begin(), real.end());
  if (end != home.end()) {
    throw input_error({.id = "file-path",
                       .what = "the file \"" + path + "\" leads out of the problem's folder",
                       .fix = "Put the file itself beside the problem."});
  }
  return {(folder / path).string(), real};
}

}  // namespace

ReadFile reader_beside(const std::string& path, MemoryBudget& budget, const Streams& streams) {
  auto known = std::make_shared<std::map<fs::path, std::string>>();
  return [known, path, &budget, &streams](const std::string& other, const std::string& pointer) {
    const FileBeside file = file_beside(path, other);
    const auto at = known->find(file.real);
    if (at != known->end()) return at->second;
    return (*known)[file.real] =
               open_counted(file.name, pointer, budget, streams)->read([](std::string_view bytes) {
                 return std::string(bytes);
               });
  };
}

namespace {

/// Opens checkpoints there.
OpenFile opener_beside(const ProblemSource& source, const Streams& streams) {
  return [&source, &streams](const std::string& path, const std::string&) {
    return tensor_file(open_part(file_beside(source.path, path).name, streams, source.max_memory),
                       source.max_memory);
  };
}

ProblemDraft draft_of(const ProblemSource& source, const Input& input, std::string_view bytes,
                      MemoryBudget& budget, const Streams& streams) {
  const ArrayFileType& type = *input.kind().arrays;
  const std::string& name = input.name();
  const auto listing = [before = budget](const auto& shape) {
    MemoryBudget(before).take(shape, "");
  };
  const std::string prefix =
      chosen_prefix(array_names(type, bytes, name, listing), source.layer, name);
  const auto wanted = [&](const std::string& array) {
    return array.starts_with(prefix) && is_problem_tensor(array.substr(prefix.size()));
  };
  const auto room = [&](const auto& shape) { budget.take_with_copy(shape, ""); };
  const std::vector<NamedArray> arrays = type.read(bytes, name, wanted, room);
  ProblemDraft draft = draft_from_tensors(arrays, prefix, name);
  read_norm_beside(source, draft, streams);
  if (source.layer.number)
    draft.notes.insert(draft.notes.begin(),
                       "layer " + std::to_string(*source.layer.number) + ": " + prefix);
  if (draft.embeddings || draft.q || draft.attention_weights || draft.model ||
      !draft.embedding_table.empty() || !source.embeddings.empty())
    return draft;
  const bool elsewhere =  // only if there is a prefix: without one, it would have been read
      std::any_of(arrays.begin(), arrays.end(),
                  [](const NamedArray& each) { return each.name == "embeddings"; });
  if (elsewhere) {
    throw input_error(
        {.id = "missing-key",
         .what = "the layer " + prefix +
                 " has no input: the name of the array embeddings does not begin with this prefix",
         .places = {{.file = name}},
         .fix = "Rename it " + prefix +
                "embeddings if it is the input of this layer; else give X with --embeddings x.npy.",
         .help = "attn help pytorch"});
  }
  throw input_error({.id = "missing-key",
                     .what = "this file has the weights of a layer, but no input for it",
                     .places = {{.file = name}},
                     .fix = "Give X, one row for each token, with --embeddings x.npy.",
                     .help = "attn help pytorch"});
}

/// Refuses two ways to choose a layer, and any way to choose one in a file that has none.
void check_layer(const LayerChoice& layer, bool tensors) {
  if (!layer.prefix.empty() && layer.number)
    throw usage_error("layer-option", "--prefix and --layer both choose a layer", kKeepOne);
  if (tensors || (layer.prefix.empty() && !layer.number)) return;
  throw usage_error("layer-option",
                    std::string(layer.number ? "--layer" : "--prefix") + " chooses a layer of " +
                        (layer.number ? "a whole model, or of " : "") +
                        "a checkpoint (a file that ends in " +
                        separated(array_file_endings(true), " or ") + ")",
                    "Name such a file, or leave the option out.", "attn help pytorch");
}

/// The file, unless a layer is chosen of a problem that has none.
ProblemFile with_layer(ProblemFile file, const LayerChoice& layer) {
  if (!file.draft.model || !layer.prefix.empty()) check_layer(layer, false);
  return file;
}

std::variant<ProblemFile, Trace> read_text(const ProblemSource& source,
                                           const std::shared_ptr<const Input>& input,
                                           MemoryBudget& budget, const Streams& streams) {
  input->require_text("a problem as JSON");
  return input->read([&](std::string_view bytes) -> std::variant<ProblemFile, Trace> {
    const SharedBytes text = shared_bytes(input, bytes);
    if (input->kind().kind == InputKind::Trace) return parse_trace(text, input->name(), &budget);
    const bool named = source.path != "-";  // only then is there a folder for other files
    return with_layer(
        parse_problem(text, input->name(),
                      named ? reader_beside(source.path, budget, streams) : ReadFile(), &budget,
                      named ? opener_beside(source, streams) : OpenFile()),
        source.layer);
  });
}

std::variant<ProblemFile, Trace> read_path(const ProblemSource& source, MemoryBudget& budget,
                                           const Streams& streams) {
  if (!source.config.empty() || is_model_path(source.path)) {
    ProblemFile model = read_model(source, streams);
    if (source.layer.prefix.empty()) return model;
    return attention_of_model(model, source.layer.prefix);
  }
  const Sample* sample = source.path.empty() ? &samples().front() : sample_named(source.path);
  if (sample != nullptr)
    return with_layer(parse_problem(sample->text, "built-in " + std::string(sample->name)),
                      source.layer);
  const auto input = open_input(source.path, streams, source.max_memory);  // maybe a whole model
  budget = input->budget(source.max_memory);
  if (!input->has_tensors()) return read_text(source, input, budget, streams);
  check_layer(source.layer, true);
  return input->read([&](std::string_view bytes) {
    const SourceMap places(input->name());
    try {
      return ProblemFile{draft_of(source, *input, bytes, budget, streams), places};
    } catch (const Error& error) {
      throw places.locate(error);
    }
  });
}

Array only_array(const std::string& path, const std::string& pointer, MemoryBudget& budget,
                 const Streams& streams) {
  const auto input = open_counted(path, pointer, budget, streams);
  const ArrayFileType* type = input->kind().arrays;
  const auto room = [&](const auto& shape) { budget.take_with_copy(shape, pointer); };
  const std::vector<NamedArray> arrays = input->read([&](std::string_view bytes) {
    if (type != nullptr) return type->read(bytes, input->name(), want_all, room);
    return std::vector<NamedArray>{{"", parse_array(bytes, input->name()), ""}};
  });
  if (arrays.size() == 1) return arrays.front().array;
  throw input_error({.id = "unknown-tensor",
                     .what = "\"" + path +
                             "\" should hold one array, one row for each token, but it holds " +
                             std::to_string(arrays.size()),
                     .fix = "Save it alone, with numpy.save."});
}

/// The array that an option gives in place of what the problem has at `pointer`.
Array array_of(const std::string& option, const std::string& path, const std::string& pointer,
               SourceMap& places, MemoryBudget& budget, const Streams& streams) {
  places.override_with(pointer, option + " " + path);
  try {
    return only_array(path, pointer, budget, streams);
  } catch (const Error& error) {
    throw with_advice_on_file(
        places.locate(error),
        option + " takes a matrix: an .npy file, or JSON such as [[1, 0], [0, 1]].");
  }
}

}  // namespace

Array read_matrix(const std::string& option, const std::string& path, double max_memory,
                  const Streams& streams) {
  MemoryBudget budget{max_memory};
  SourceMap places;
  return array_of(option, path, "/array", places, budget, streams);
}

namespace {

/// Puts the arrays that options give in place of the problem's, and names its tokens.
void apply_files(const ProblemSource& source, ProblemFile& file, MemoryBudget& budget,
                 const Streams& streams) {
  ProblemDraft& draft = file.draft;
  if (!source.embeddings.empty() || !source.memory.empty() ||
      !source.encoder_input.empty()) {  // written for other tokens
    draft.description.clear();
    if (source.path.empty()) draft.title.clear();
  }
  if (!source.embeddings.empty()) {
    draft.embeddings =
        array_of("--embeddings", source.embeddings, "/embeddings", file.places, budget, streams);
    draft.tokens.clear();
  }
  if (!source.memory.empty()) {
    draft.memory = {{},
                    array_of("--memory", source.memory, "/memory", file.places, budget, streams)};
  }
  if (!source.encoder_input.empty()) {
    draft.source = {
        {},
        array_of("--source-rows", source.encoder_input, "/source", file.places, budget, streams)};
  }
  if (!source.tokenizer.empty()) name_tokens(source, file, streams);
  if (source.words.empty()) return;
  if (!draft.tokens.empty()) {
    throw usage_error("option-conflict",
                      "--words names the tokens, but the problem does so already",
                      "Leave out --words, or change \"tokens\" in the problem.");
  }
  draft.tokens = {source.words};
  file.places.override_with("/tokens", "--words " + separated(source.words, ","));
}

}  // namespace

std::vector<std::string> comma_list(const std::string& text) {
  std::vector<std::string> items;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) items.push_back(item);
  return items;
}

std::vector<std::string> token_names(const GivenValue& given) {
  std::vector<std::string> words = split_at_commas(given.value);
  const auto empty = std::find_if(words.begin(), words.end(),
                                  [](const std::string& word) { return trimmed(word).empty(); });
  if (empty == words.end()) return words;
  throw usage_error("option-value",
                    filled("{} \"{}\" leaves name {} of {} empty", given.name, given.value,
                           empty - words.begin() + 1, words.size()),
                    "Write a name for each token: " + given.with("cat,sat") + ".");
}

OptionRow max_memory_row(double& bytes) {
  return text("--max-memory", "SIZE",
              "refuse to use more than this, such as 512M (default 4G, in a browser 1G)",
              [&bytes](const GivenValue& size) { bytes = parsed(size, parse_memory_size); });
}

void add_source_options(Command& command, ProblemSource& source) {
  add_rows(
      command, Group::Problem,
      {file("--config", "FILE", "config.json of the model whose weights are given", PathUse::Input,
            source.config),
       file("--tokenizer", "FILE", "tokenizer.json (vocab.json: names for ids alone)",
            PathUse::Input, source.tokenizer),
       text("--prefix", "NAME.", "use the layer whose tensor names start with NAME.",
            source.layer.prefix),
       whole("--layer", "use or show this layer of a model, from 0", 0, 1000000,
             source.layer.number),
       file("--embeddings", "FILE", "take X from this file (.npy, JSON)", PathUse::Input,
            source.embeddings),
       file("--memory", "FILE", "take keys and values from this file (.npy, JSON)", PathUse::Input,
            source.memory),
       file("--source-rows", "FILE", "take what an encoder reads from this file (.npy, JSON)",
            PathUse::Input, source.encoder_input),
       text("--words", "A,B,C", "names of the tokens, where the problem has none",
            [&source](const GivenValue& words) { source.words = token_names(words); }),
       max_memory_row(source.max_memory),
       text("--threads", "N", "compute on N threads (default: all cores for large problems)",
            [](const GivenValue& n) { use_threads(static_cast<int>(whole_number(n, 1, 1024))); })});
}

std::variant<ProblemFile, Trace> read_problem_or_trace(const ProblemSource& source,
                                                       const Streams& streams) {
  MemoryBudget budget{source.max_memory};
  std::variant<ProblemFile, Trace> read = read_path(source, budget, streams);
  auto* file = std::get_if<ProblemFile>(&read);
  if (file == nullptr) return read;
  apply_files(source, *file, budget, streams);
  file->draft.max_memory = source.max_memory;
  return read;
}

const Sample* find_sample(const std::string& name) {
  const std::string number = (name.size() == 1 ? "0" : "") + name + "-";
  const auto is_it = [&](const Sample& sample) {
    return sample.name == name || sample.name.substr(3) == name || sample.name.starts_with(number);
  };
  const auto at = std::find_if(samples().begin(), samples().end(), is_it);
  return at == samples().end() ? nullptr : &*at;
}

const Sample* sample_named(const std::string& name) {
  std::error_code failed;
  if (find_row(mask_kinds(), name) != nullptr || fs::exists(name, failed)) return nullptr;
  return find_sample(name);
}

std::string name_of(const ProblemSource& source) {
  if (const Sample* sample = sample_named(source.path))
    return translated("built-in sample {name}", std::string(sample->name));
  if (source.path.empty()) return translated("built-in sample (no file given)");
  return source.path == "-" ? "standard input" : source.path;
}

ProblemFile read_problem(const ProblemSource& source, const Streams& streams) {
  std::variant<ProblemFile, Trace> read = read_problem_or_trace(source, streams);
  if (auto* file = std::get_if<ProblemFile>(&read)) return std::move(*file);
  throw input_error({.id = "wrong-format",
                     .what = "expected a problem, found a trace, which is the result of one",
                     .places = {{.file = input_name(source.path)}},
                     .fix = "Give the problem that the trace was computed from."});
}

}  // namespace attn::app
