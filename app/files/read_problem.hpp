// Reads the problem or the trace that a command is about.
#pragma once

#include <string>
#include <variant>

#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/problem_tensors.hpp"
#include "attn/trace.hpp"
#include "command.hpp"

namespace attn::app {

/// Where a problem comes from.
struct ProblemSource {
  std::string path;                  ///< or a sample's name; empty: the first; "-": standard input
  LayerChoice layer;                 ///< of a checkpoint or a whole model
  std::string embeddings;            ///< a file of numbers in place of the problem's embeddings
  std::string memory;                ///< the same for its memory; empty: the problem's own
  std::string encoder_input;         ///< the same for what its encoder reads
  std::string config;                ///< Hugging Face's config.json: the file is a whole model
  std::string tokenizer;             ///< tokenizer.json or vocab.json: the texts of its tokens
  std::vector<std::string> words;    ///< names of the tokens, if the problem has none
  double max_memory = kUsualMemory;  ///< bytes for the problem and its trace
};

/// The built-in sample called "03-multi-head", "multi-head", "03" or "3"; nullptr if there is none.
const Sample* find_sample(const std::string& name);

/// The same where a file may be named, too: nullptr if there is one of that name, or if the word is
/// a mask, such as causal.
const Sample* sample_named(const std::string& name);

/// Where it comes from, in words.
std::string name_of(const ProblemSource& source);

/// What is between commas.
std::vector<std::string> comma_list(const std::string& text);

/// The names of tokens between commas. Throws Error (usage) if one is empty.
std::vector<std::string> token_names(const GivenValue& given);

/// --max-memory; `bytes` must outlive the row.
OptionRow max_memory_row(double& bytes);

/// Adds --config, --tokenizer, --prefix, --layer, --embeddings, --memory, --source-rows, --words,
/// --max-memory and --threads; `source` must outlive the command.
void add_source_options(Command& command, ProblemSource& source);

/// Reads files in the folder of the file at `path`, each once, and refuses links that lead out of
/// it. `budget` and `streams` must outlive it.
ReadFile reader_beside(const std::string& path, MemoryBudget& budget, const Streams& streams);

/// The only array of a file (.npy, .npz, .safetensors, JSON) that an option names. Throws Error.
Array read_matrix(const std::string& option, const std::string& path, double max_memory,
                  const Streams& streams);

/// Whether the path can only be a whole model: a folder with a config.json or weights, or an index.
bool is_model_path(const std::string& path);

/// Reads a whole model as Hugging Face saves it, without token ids. The path is that of the
/// weights, their index, or a folder with either; without a config, it is in the folder.
ProblemFile read_model(const ProblemSource& source, const Streams& streams);

/// Sets the norm of queries and keys of a layer that has gains, from the config.json beside its
/// file, if there is one.
void read_norm_beside(const ProblemSource& source, ProblemDraft& draft, const Streams& streams);

/// Gives the tokens of the draft the names that its tokenizer.json or vocab.json has for them.
void name_tokens(const ProblemSource& source, ProblemFile& file, const Streams& streams);

/// Turns the text of a draft whose model reads ids into those, with the tokenizer that is named, or
/// else with the tokenizer.json beside the model, which names its tokens too. Where there is
/// neither the text stays.
void encode_text(const ProblemSource& source, ProblemFile& file, const Streams& streams);

/// Reads JSON, .npz and .safetensors; a whole model from a folder. Files that
/// a problem names are read relative to its folder and must be inside it. Throws Error.
ProblemFile read_problem(const ProblemSource& source, const Streams& streams);

/// The same, but also takes a trace as JSON.
std::variant<ProblemFile, Trace> read_problem_or_trace(const ProblemSource& source,
                                                       const Streams& streams);

}  // namespace attn::app
