// attn convert: a problem, or a sheet, in another file format.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/core/format.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/problem_tensors.hpp"
#include "attn/render/text.hpp"
#include "files/exercise_language.hpp"
#include "files/files.hpp"
#include "files/input.hpp"
#include "files/printed_sheet.hpp"
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

/// A sheet as a table, with what was filled in, or with empty blanks: a page, or to print.
std::string converted(const Sheet& sheet, const std::string& path) {
  if (path.ends_with(".csv")) return sheet_csv(sheet);
  for (const Format& format : document_formats()) {
    const bool fits = std::any_of(format.endings.begin(), format.endings.end(), [&](auto ending) {
      return !ending.empty() && path.ends_with(ending);
    });
    if (fits && format.document != nullptr)
      return printed_form(unsolved(sheet), sheet_json(sheet), format);
  }
  throw usage_error(
      "unknown-format",
      path.empty() ? "attn convert needs -o FILE" : "attn cannot write a sheet as \"" + path + "\"",
      "Choose a name that ends in .html, .md, .tex, .txt or .csv.");
}

/// Whether a blank is filled in.
bool has_answers(const Sheet& sheet) {
  return std::any_of(sheet.steps.begin(), sheet.steps.end(), [](const SheetStep& step) {
    for (std::size_t i = 0; i < step.blank.size(); ++i) {
      if (step.blank[i] != 0 && !std::isnan(step.numbers.at(i))) return true;
    }
    return false;
  });
}

void convert_sheet(const ProblemOptions& o, const Streams& streams) {
  const std::vector<std::string> given = given_options(o);
  if (!given.empty()) {
    throw usage_error("already-computed",
                      given.front() + " would change the problem, but a sheet contains its own",
                      "Leave it out.");
  }
  const std::string& path = o.source.path;
  const auto parse = [](std::string_view bytes, const std::string& name) {
    return parse_sheet(bytes, name).sheet;
  };
  const std::string& output = streams.common.output;
  const Sheet sheet = parse_input(path, streams, parse, o.source.max_memory);
  Streams own = streams;
  own.secret = has_answers(sheet);
  const ExerciseLanguage language(sheet.language, sheet.decimal_comma, streams);
  write_output(output, converted(sheet, output), own);
  if (own.secret && !output.ends_with(".csv") && !streams.common.quiet)
    streams.err << "note: the blanks of " << visible(output) << " are empty: what was filled in is "
                << "only in " << visible(path) << "\n"
                << std::flush;
}

}  // namespace

Command convert_command() {
  auto o = std::make_shared<ProblemOptions>();
  Command command;
  command.examples = {
      {"attn convert -o problem.npz", "the sample, for NumPy"},
      {"attn convert problem.npz -o problem.json", "and back"},
      {"attn convert --heads 2 --mask causal -o mine.json", "with two heads and a mask"}};
  command.usual = {"--mask", "--heads", "--scale", "--text", "--layer", "--set", "--output"};
  add_problem_options(command, *o);
  command.run = [o](const Streams& streams) {
    if (is_sheet(o->source, streams)) return convert_sheet(*o, streams);
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
