// The options that choose a problem and change parts of it.
#include <algorithm>
#include <iterator>
#include <memory>
#include <ostream>
#include <utility>

#include "attn/error.hpp"
#include "attn/hugging_face.hpp"
#include "attn/phrases.hpp"
#include "attn/problem_options.hpp"
#include "command_line.hpp"
#include "files/files.hpp"
#include "files/read_problem.hpp"
#include "options/shared_options.hpp"
#include "options/side_settings.hpp"

namespace attn::app {
namespace {

void require_words(const GivenValue& text) {
  if (text.value.find_first_not_of(" \t\n") != text.value.npos) return;
  throw usage_error("option-value", text.name + " needs at least one word",
                    "Write " + text.with("\"the cat\"") + ", for example.");
}

bool takes(const ProblemOption& row, const std::string& text) {
  try {
    ProblemDraft trial;
    row.apply(text, trial);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Throws the error of a value that the option does not take. With a decimal comma, it says how to
/// write the number.
void try_value(const ProblemOption& row, const GivenValue& given) {
  try {
    ProblemDraft trial;
    row.apply(given, trial);
  } catch (const Error& error) {
    const std::string number = with_point(given);
    if (number.empty() || !takes(row, number)) throw;
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    diagnostics.front().fix = "Write " + given.with(number) + ": decimals come after a point.";
    diagnostics.front().changes.clear();
    throw Error(error.kind(), std::move(diagnostics));
  }
}

/// Remembers that the command line sets a key, under any of its names. Throws Error (usage, id
/// "option-twice") if it sets it to another value, too.
void remember(ProblemOptions& o, const ProblemOptions::SetKey& key) {
  for (const ProblemOptions::SetKey& each : o.set) {
    if (each.pointer != key.pointer || each.value == key.value) continue;
    throw usage_error(
        "option-twice",
        key.pointer.substr(1) + " is set twice: " + each.written + " and " + key.written, kKeepOne);
  }
  o.set.push_back(key);
}

/// An option about the source is set once, too, under any of its names.
void remember_value(OptionRow& row, ProblemOptions& o) {
  if (row.again != Again::Refused) return;
  row.set = [&o, pointer = "/" + row.names.substr(2),
             set = std::move(row.set)](const GivenValue& given) {
    remember(o, {pointer, given.value, given.written()});
    set(given);
  };
}

/// The row of an option that replaces a value of the file; `row` must outlive it.
OptionRow row_of(const ProblemOption& row, ProblemOptions& o) {
  return choice(
      "--" + row.name, row.value, row.help, row.choices, [&o, &row](const GivenValue& given) {
        parsed(given, [&](const auto&) { try_value(row, given); });  // reported at once
        remember(o, {row.pointer, given.value, given.written()});
        o.given.push_back("--" + row.name + " " + given.value);
        o.changes.emplace_back([&row, v = given.value, place = o.given.back()](ProblemFile& file) {
          row.apply(v, file.draft);
          file.places.override_with(row.pointer, place);
        });
      });
}

/// The row of an option that is set as a setting; nullptr for a key without one, and for JSON.
const OptionRow* row_for(const KeyValue& setting, const std::vector<OptionRow>& rows) {
  const bool is_json = setting.value.find_first_of("[{\"") == 0;
  return is_json ? nullptr : find_option(rows, "--" + setting.key);
}

/// --set: the other options about the problem, and keys that have none.
OptionRow set_row(ProblemOptions& o, const std::shared_ptr<const std::vector<OptionRow>>& rows) {
  const auto set_one = [&o, rows](const KeyValue& setting, const GivenValue& given) {
    const OptionRow* row = row_for(setting, *rows);
    if (row == nullptr) return add_key_setting(o, setting, given);
    set(*row, {given.name + " " + setting.key, setting.value, "="});
  };
  OptionRow row =
      again(text("--set", "NAME=VALUE,…", "any setting of the problem: softcap=2,fill=-5",
                 [set_one](const GivenValue& given) {
                   for (const KeyValue& each : parse_settings(given)) set_one(each, given);
                 }),
            Again::Adds);
  row.paths = [rows](const std::string& value) {
    std::vector<NamedPath> paths;
    if (value.find('=') == value.npos) return paths;  // an error when it is set
    for (const KeyValue& each : parse_settings({"--set", value})) {
      const OptionRow* of = row_for(each, *rows);
      if (of == nullptr || !of->paths) continue;
      for (NamedPath& path : of->paths(each.value)) paths.push_back(std::move(path));
    }
    return paths;
  };
  return row;
}

/// --text is not a key of a file: its words become the tokens.
const ProblemOption& text_option() {
  static const ProblemOption row{"text",
                                 "WORDS",
                                 "words of an embedding table, or text to tokenize",
                                 "/text",
                                 {},
                                 [](const std::string& v, ProblemDraft& draft) {
                                   draft.text = v;
                                   draft.labels.clear();  // those of other words
                                 }};
  return row;
}

OptionRow text_row(ProblemOptions& o) {
  OptionRow row = list(row_of(text_option(), o), List::Words);
  row.set = [set = std::move(row.set)](const GivenValue& given) {
    parsed(given, [&](const auto&) { require_words(given); });
    set(given);
  };
  return row;
}

std::vector<std::string> mask_examples() {
  std::vector<std::string> names;
  for (const MaskKind& kind : mask_kinds()) names.emplace_back(kind.example);
  return names;
}

/// "--text 'the cat'" for an option and its value: as it is typed.
std::string typed(const std::string& option) {
  const std::size_t space = option.find(' ');
  return option.substr(0, space + 1) + shell_word(option.substr(space + 1));
}

/// Title and description were written for other settings: the name of somebody's own problem
/// remains, with what was changed.
void say_what_changed(ProblemDraft& draft, const ProblemOptions& options) {
  if (options.given.empty()) return;
  const auto sets = [&](const std::string& pointer) {
    return std::any_of(options.set.begin(), options.set.end(),
                       [&](const ProblemOptions::SetKey& key) { return key.pointer == pointer; });
  };
  if (!sets("/description")) draft.description.clear();
  if (options.source.path.empty() && !sets("/title")) draft.title.clear();
  if (draft.title.empty()) return;
  draft.title += " (with";
  for (const std::string& option : options.given) draft.title += " " + typed(option);
  draft.title += ")";
}

/// The file as the command line changes it.
ProblemFile changed(ProblemFile file, const ProblemOptions& options, const Streams& streams) {
  for (const auto& change : options.changes) change(file);
  encode_text(options.source, file, streams);
  say_what_changed(file.draft, options);
  if (options.masks.empty()) return file;
  file.draft.masks.clear();
  std::string all;
  for (const std::string& mask : options.masks) {
    file.draft.masks.push_back(parse_mask(mask));
    all += (all.empty() ? "--mask " : " --mask ") + mask;
  }
  file.places.override_with("/mask", all);
  return file;
}

/// What `use` returns; errors get places in the file.
template <typename Use>
auto located(const ProblemFile& file, Use use) {
  try {
    return use();
  } catch (const Error& error) {
    throw file.places.locate(error);
  }
}

Error already_computed(const std::string& source, const std::string& option) {
  return usage_error(
      "already-computed",
      option + " would change the problem, but " + source + " is a trace: it is already computed",
      "Give the problem that the trace was computed from, or leave the option out.");
}

/// NaN spreads, and is easily overlooked in a file.
LoadedTrace warned(LoadedTrace loaded, const Streams& streams) {
  const std::vector<std::string> steps = steps_with_nan(loaded.trace);
  if (!steps.empty() && !streams.common.quiet) {
    streams.err << "warning: nan in " << listed(steps) << ": the notes of attn explain say why\n"
                << std::flush;
  }
  return loaded;
}

}  // namespace

std::vector<std::string> given_options(const ProblemOptions& options) {
  const ProblemSource& source = options.source;
  std::vector<std::string> all = options.given;
  if (!source.layer.prefix.empty()) all.push_back("--prefix " + source.layer.prefix);
  if (source.layer.number) all.push_back("--layer " + std::to_string(*source.layer.number));
  if (!source.embeddings.empty()) all.push_back("--embeddings " + source.embeddings);
  if (!source.memory.empty()) all.push_back("--memory " + source.memory);
  if (!source.encoder_input.empty()) all.push_back("--source-rows " + source.encoder_input);
  if (!source.config.empty()) all.push_back("--config " + source.config);
  if (!source.tokenizer.empty()) all.push_back("--tokenizer " + source.tokenizer);
  if (!source.words.empty()) all.push_back("--words " + separated(source.words, ","));
  std::transform(all.begin(), all.end(), all.begin(), typed);
  return all;
}

void add_key_setting(ProblemOptions& o, const KeyValue& setting, const GivenValue& given) {
  parsed(given, [&](const auto&) {  // reported at once
    ProblemDraft trial;
    set_key(setting, trial);
    return true;
  });
  o.given.push_back("--set " + setting.key + "=" + setting.value);
  remember(o, {pointer_of_key(setting.key), setting.value, o.given.back()});
  o.changes.emplace_back([setting, place = o.given.back()](ProblemFile& file) {
    set_key(setting, file.draft);
    file.places.override_with(pointer_of_key(setting.key), place);
  });
}

void add_problem_options(Command& command, ProblemOptions& o) {
  command.operand = "[PROBLEM]";
  command.set_operand = [&o](const std::string& path) {
    require_path("the problem", path);
    o.source.path = path;
  };
  std::vector<OptionRow> rows{
      again(offer(text("--mask", "SPEC", "causal, window:2 …; repeat it to combine masks",
                       [&o](const GivenValue& given) {
                         parsed(given, [](const std::string& v) { return parse_mask(v); });
                         o.masks.push_back(given.value);
                         o.given.push_back("--mask " + given.value);
                       }),
                  mask_examples),
            Again::Adds)};
  for (const ProblemOption& row : problem_options()) rows.push_back(row_of(row, o));
  rows.push_back(text_row(o));
  add_rows(command, Group::Problem, rows);
  const std::size_t before = command.options.size();
  add_source_options(command, o.source);
  for (std::size_t i = before; i < command.options.size(); ++i)
    remember_value(command.options[i], o);
  const auto settings = std::make_shared<std::vector<OptionRow>>();
  std::copy_if(command.options.begin(), command.options.end(), std::back_inserter(*settings),
               [](const OptionRow& row) { return row.group == Group::Problem; });
  add_rows(command, Group::Problem, {set_row(o, settings)});
  list_settings(command, {"--mask", "--heads", "--scale", "--positions", "--text", "--ids",
                          "--layer", "--set"});
}

void list_settings(Command& command, std::initializer_list<std::string_view> options) {
  for (OptionRow& row : command.options) {
    if (row.group != Group::Problem) continue;
    if (std::find(options.begin(), options.end(), names_of(row).back()) == options.end())
      row.group = Group::Setting;
  }
}

namespace {

/// Whether this many numbers may all stay in memory.
bool are_few(Index count, const ProblemSource& source) {
  constexpr Index kFew = 1 << 22;
  const double half = source.max_memory / 2;  // the problem needs some, too
  return count <= kFew && static_cast<double>(count) * sizeof(double) <= half;
}

Index count_of(const Trace& outline) {
  Index count = 0;
  for (const StepList* part : {&outline.steps, &outline.givens}) {
    for (const Step& step : *part) count += step.value.shape().count();
  }
  return count;
}

/// The problem as the options change it, for a command that uses all of it.
ProblemFile whole_problem(ProblemFile file, const ProblemOptions& options, const Streams& streams) {
  if (file.draft.model && options.source.layer.number) {
    throw usage_error("layer-option",
                      "--layer chooses what is shown of a whole model; this command uses all of it",
                      "Leave it out.");
  }
  return changed(std::move(file), options, streams);
}

}  // namespace

LoadedTrace load_trace(const ProblemOptions& options, const Recipe& recipe, const Streams& streams,
                       const Wanted& wanted, const std::optional<GradientChoice>& gradient,
                       const InsideChoice& inside) {
  const std::string source = name_of(options.source);
  auto read = read_problem_or_trace(options.source, streams);
  if (auto* trace = std::get_if<Trace>(&read)) {
    ProblemOptions changing = options;
    if (trace->is_model() && wanted) changing.source.layer.number.reset();  // chooses what is shown
    const std::vector<std::string> given = given_options(changing);
    if (!given.empty()) throw already_computed(source, given.front());
    if (gradient) add_gradients_within(options.source.max_memory, *trace, *gradient);
    add_inside_within(options.source.max_memory, *trace, missing_in(*trace, inside));
    return warned({std::move(*trace), source}, streams);
  }
  ProblemFile file = wanted
                         ? changed(std::get<ProblemFile>(std::move(read)), options, streams)
                         : whole_problem(std::get<ProblemFile>(std::move(read)), options, streams);
  const auto computed = [&](const Problem& problem) {
    // Called without `keeps`, attend advises keeping only the output if memory runs short.
    if (gradient) return attend_and_back(problem, recipe, *gradient);
    if (!wanted) return attend(problem, recipe, [](const std::string&) { return true; });
    Trace shapes = outline(problem, recipe);
    add_inside(shapes, inside);
    const Ids all = all_numbers(shapes);
    const Ids kept = are_few(count_of(shapes), options.source) ? all : wanted(shapes);
    KeepStep keeps;
    if (kept != all) keeps = [&](const std::string& id) { return kept.contains(id); };
    return attend_inside(problem, recipe, keeps, inside);
  };
  const auto use = [&] {
    const Problem problem = make_problem(std::exchange(file.draft, {}));  // two would take memory
    return computed(problem);
  };
  return warned({located(file, use), source}, streams);
}

LoadedTrace load_outline(const ProblemOptions& options, const Streams& streams) {
  const std::string source = name_of(options.source);
  auto read = read_problem_or_trace(options.source, streams);
  if (auto* trace = std::get_if<Trace>(&read)) return warned({std::move(*trace), source}, streams);
  ProblemFile file = changed(std::get<ProblemFile>(std::move(read)), options, streams);
  supply_inputs(file.draft);
  return warned({located(file, [&] { return outline(make_problem(file.draft)); }), source},
                streams);
}

ProblemDraft load_problem(const ProblemOptions& options, const Streams& streams) {
  ProblemFile file = whole_problem(read_problem(options.source, streams), options, streams);
  located(file, [&] { return make_problem(file.draft); });  // only what can be explained is kept
  return std::move(file.draft);
}

void use_problem(const ProblemOptions& options, const Streams& streams,
                 const std::function<void(const ProblemDraft& draft)>& use) {
  const ProblemFile file = whole_problem(read_problem(options.source, streams), options, streams);
  located(file, [&] { use(file.draft); });
}

}  // namespace attn::app
