// attn convert: a problem in another file format.
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "attn/io/problem_file.hpp"
#include "attn/problem_tensors.hpp"
#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

/// The forms of a problem file, by extension.
struct Form {
  const char* extension;
  void (*write)(std::span<const ArrayView> arrays, const Sink& sink);  ///< nullptr: as JSON
};
constexpr std::array kForms{Form{".json", nullptr}, Form{".npz", each_npz_piece},
                            Form{".safetensors", each_safetensors_piece}};

const Form& form_of(const std::string& path) {
  if (path == "-") return kForms[0];
  for (const Form& form : kForms) {
    if (path.ends_with(form.extension)) return form;
  }
  throw usage_error("unknown-format",
                    path.empty() ? "attn convert needs -o FILE"
                                 : "attn cannot write a problem as \"" + path + "\"",
                    "Choose a name that ends in .json, .npz or .safetensors.");
}

}  // namespace

Command convert_command() {
  auto o = std::make_shared<ProblemOptions>();
  Command command;
  command.examples = {
      {"attn convert -o problem.npz", "the built-in sample for NumPy"},
      {"attn convert problem.npz -o problem.json", "and back"},
      {"attn convert --heads 2 --mask causal -o mine.json", "with two heads and a mask"}};
  command.usual = {"--mask", "--heads", "--scale", "--text", "--layer", "--embeddings", "--output"};
  add_problem_options(command, *o);
  command.run = [o](const Streams& streams) {
    const std::string& output = streams.common.output;
    const Form& form = form_of(output);
    const ProblemDraft draft = load_problem(*o, streams);
    const auto write = [&](const Sink& sink) { each_problem_piece(draft, sink); };
    if (form.write == nullptr) return write_json(output, write, streams);
    const std::vector<NamedArray> arrays = tensors_of(draft);
    write_all({{output, [&](const Sink& sink) { form.write(views_of(arrays), sink); }}}, streams);
  };
  return command;
}

}  // namespace attn::app
