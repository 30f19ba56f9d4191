// attn compare: two settings of a problem, or two files, step by step.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/render/comparison_report.hpp"
#include "attn/render/explain.hpp"
#include "attn/teach/mistakes.hpp"
#include "files/files.hpp"
#include "files/input.hpp"
#include "files/read_answers.hpp"
#include "options/shared_options.hpp"
#include "options/side_settings.hpp"
#include "options/tolerance.hpp"
#include "platform/shell.hpp"

namespace attn::app {
namespace {

struct Compare {
  ProblemOptions problem;
  GradientOptions gradient;
  SettingRows settings;  ///< its options
  std::vector<std::string> operands;
  SideSettings left{"--left", "", "", {}}, right{"--right", "", "", {}};
  std::optional<Tolerance> tolerance;
  NameMap names;
  std::vector<std::string> steps;  ///< to show; empty: where it begins, and what comes of it
  int precision = kUsualDecimals;
  TextOptions text;
  OutputOptions output;

  /// Which arrays of dumps matter: between two files, those of any name.
  DumpNames dump_names() const { return {names, !left.file.empty() && !right.file.empty()}; }
  bool files() const { return !left.file.empty() || !right.file.empty(); }
};

/// What is on one side, as far as it is known without the other.
struct Loaded {
  std::optional<Trace> trace;
  std::optional<Answers> dump;
  std::vector<std::string> notes = {};  ///< on what of it was not read

  Dtype dtype() const { return dump ? dump->dtype : trace->settings().dtype; }
};

/// The side without settings of its own has those of both.
std::string name_of(const SideSettings& side, const std::vector<std::string>& shared) {
  if (!side.text.empty()) return side.text;
  return "the problem " + (shared.empty() ? "as it is" : "with " + separated(shared, " "));
}

Trace with_fault(const Trace& trace, const std::string& code, const std::string& option) {
  try {
    return with_mistake(trace, code);
  } catch (const Error& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& each : diagnostics) each.places = {{.file = option + " fault=" + code}};
    throw Error(error.kind(), std::move(diagnostics));
  }
}

Error already_computed(const SideSettings& side, const std::string& file) {
  return usage_error("already-computed",
                     (file == "-" ? "standard input" : file) +
                         " holds matrices that are already computed, so " + side.option +
                         " cannot change them",
                     "Leave " + side.settings.front().name + "= out of " + side.option + ".");
}

Loaded load(const SideSettings& side, Compare& o, const Streams& streams) {
  const ProblemOptions shared = o.problem;
  const std::string fault = apply_side(side, o.settings, o.problem);
  const ProblemOptions options = std::exchange(o.problem, shared);
  auto gradient = gradient_choice(o.gradient, options.source.max_memory, streams);
  if (!side.file.empty() && !is_model_path(side.file) && sample_named(side.file) == nullptr) {
    const double max_memory = options.source.max_memory;
    const auto input = open_input(side.file, streams, max_memory);
    const bool dump = is_dump(*input, o.dump_names());
    if (dump && !side.settings.empty()) throw already_computed(side, side.file);
    if (dump) {
      AnswersFile read = read_answers(*input, max_memory, o.dump_names());
      return {std::nullopt, std::move(read.answers), std::move(read.notes)};
    }
    if (input->kind().kind == InputKind::Trace) gradient.reset();  // it may have some
  }
  const Trace trace = [&] {
    try {
      return load_trace(options, {}, streams, {}, gradient).trace;
    } catch (const Error& error) {
      const bool is_trace = error.diagnostics().front().id == "already-computed";
      throw is_trace && !side.settings.empty() ? already_computed(side, options.source.path)
                                               : error;
    }
  }();
  return {fault.empty() ? trace : with_fault(trace, fault, side.option), std::nullopt};
}

void check_sides(const Compare& o) {
  if (o.left.text.empty() && o.right.text.empty()) {
    throw usage_error("missing-value", "attn compare needs --left, --right or both",
                      "Write attn compare --left mask=none --right mask=causal.");
  }
  if (o.left.file.empty() || o.right.file.empty() || o.problem.source.path.empty()) return;
  throw usage_error("option-conflict",
                    "both sides are files, so nothing is computed from " + o.problem.source.path,
                    "Leave out the problem, or one of the sides.");
}

/// Without a tolerance, files may differ by the rounding of their number type, settings only by the
/// last bits.
Tolerance tolerance_of(const Compare& o, const Loaded& left, const Loaded& right) {
  if (o.tolerance) return *o.tolerance;
  if (!o.files()) return {.relative = 1e-12};
  const Tolerance a = usual_tolerance(left.dtype()), b = usual_tolerance(right.dtype());
  return a.relative > b.relative ? a : b;
}

std::string source_of(const Compare& o) {
  return !o.left.file.empty() && !o.right.file.empty() ? "" : name_of(o.problem.source);
}

/// Throws for files that have no step in common.
void check_common(const Comparison& comparison) {
  const bool common =
      std::any_of(comparison.steps.begin(), comparison.steps.end(),
                  [](const StepDifference& step) { return step.in == Presence::Both; });
  if (common) return;
  const auto ids = [&](Presence side) {
    std::vector<std::string> all;
    for (const StepDifference& step : comparison.steps) {
      if (step.in == side) all.push_back(step.id);
    }
    return listed(all);
  };
  throw input_error({.id = "nothing-in-common",
                     .what = "there is no step to compare: the left has " + ids(Presence::Left) +
                             ", the right " + ids(Presence::Right),
                     .fix = "Name files that hold the same step, or leave out one side to compare "
                            "the other with the problem."});
}

/// The comparison of these steps alone.
Comparison only(Comparison comparison, const std::vector<std::string>& ids) {
  std::erase_if(comparison.steps, [&](const StepDifference& step) {
    return std::find(ids.begin(), ids.end(), step.id) == ids.end();
  });
  return comparison;
}

/// One operand is the problem of both sides; two are the sides, as --left and --right take them.
void take_operands(Compare& o) {
  if (o.operands.size() < 2) return;
  if (o.operands.size() > 2)
    throw usage_error("extra-argument", "attn compare compares two files, not three",
                      "Name two files, or one problem with --left and --right.");
  for (const SideSettings* side : {&o.left, &o.right}) {
    if (side->text.empty()) continue;
    throw usage_error("option-conflict",
                      "two files are the two sides, so " + side->option + " has no place",
                      "Leave out " + side->option + ", or name one problem.");
  }
  const auto side = [&](const char* option, const std::string& operand) {
    std::error_code none;
    if (std::filesystem::exists(operand, none)) return SideSettings{option, operand, operand, {}};
    return parse_side(option, operand, o.settings);
  };
  o.left = side("--left", o.operands[0]);
  o.right = side("--right", o.operands[1]);
  if (o.left.file.empty() != o.right.file.empty()) {
    const SideSettings &problem = o.left.file.empty() ? o.right : o.left,
                       &setting = o.left.file.empty() ? o.left : o.right;
    throw usage_error("extra-argument",
                      "\"" + setting.text + "\" is a setting, and \"" + problem.text +
                          "\" a problem: they are not two sides",
                      "Write attn compare " + shell_word(problem.text) + " " + setting.option +
                          " " + setting.text + ".");
  }
  o.problem.source.path.clear();
}

bool run_compare(Compare& o, const Streams& streams) {
  take_operands(o);
  check_sides(o);
  const std::vector<Target> targets = targets_of(o.output, streams);
  Loaded left = load(o.left, o, streams), right = load(o.right, o, streams);
  const Tolerance tolerance = tolerance_of(o, left, right);
  NamesOfOthers found;
  for (auto [dump, other] : {std::pair{&left, &right}, std::pair{&right, &left}}) {
    if (dump->dump && other->trace)
      dump->dump = with_own_names(*other->trace, *std::move(dump->dump), o.names, found);
  }
  if (left.dump) left.trace = trace_of(*left.dump, right.trace ? &*right.trace : nullptr);
  if (right.dump) right.trace = trace_of(*right.dump, &*left.trace);
  for (const auto& notes : {found.notes, found.not_compared, left.notes, right.notes}) {
    for (Trace* trace : {&*left.trace, &*right.trace})
      trace->notes.insert(trace->notes.end(), notes.begin(), notes.end());
  }
  const Comparison comparison = compare(*left.trace, *right.trace, tolerance);
  check_common(comparison);
  const auto ids = steps_of_comparison(comparison, *left.trace, *right.trace, o.steps);
  const Comparison asked = ids.empty() ? comparison : only(comparison, ids);
  const std::vector<std::string> shared = given_options(o.problem);
  const ComparedSide l{name_of(o.left, shared), *left.trace},
      r{name_of(o.right, shared), *right.trace};
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    if (target.format->document != nullptr) {
      Document document = comparison_document(comparison, l, r, source_of(o), o.precision, ids);
      if (target.format->asks_cells) {
        add_cells(document, l.trace, "left");
        add_cells(document, r.trace, "right");
      }
      return write_document(document, target, o.text, o.output, streams, sink);
    }
    const std::string json = comparison_json(asked, l.name, r.name, o.output.nonfinite);
    shown_json(sink, streams)(json);
  });
  return !o.files() || asked.first_different() == nullptr;
}

/// Settings worth offering, one of each mask first.
std::vector<std::string> example_sides() {
  std::vector<std::string> sides;
  for (const MaskKind& kind : mask_kinds()) sides.push_back("mask=" + std::string(kind.example));
  for (const std::string& code : mistake_codes()) sides.push_back("fault=" + code);
  return sides;
}

OptionRow side_row(const std::string& option, const std::string& help, SideSettings& side,
                   const SettingRows& rows) {
  const auto parse = [option, &rows](const std::string& v) { return parse_side(option, v, rows); };
  OptionRow row =
      text(option, "SETTINGS", help, [&side, parse](const std::string& v) { side = parse(v); });
  row.paths = [parse, &rows](const std::string& v) { return paths_in(parse(v), rows); };
  return offer(std::move(row), example_sides);
}

}  // namespace

Command compare_command() {
  auto o = std::make_shared<Compare>();
  Command command;
  command.examples = {
      {"attn compare --left mask=none --right mask=causal", "what a mask changes"},
      {"attn compare --left heads=1 --right heads=2", "steps of one side only"},
      {"attn compare --mask causal --left fill=0 --right fill=-1e9", "0 does not hide"},
      {"attn compare --left fault=scale.missing", "what a mistake changes"}};
  command.usual = {"--left", "--right", "--steps", "--tolerance", "--precision",
                   "--mask", "--heads", "--json",  "--output"};
  add_rows(
      command, Group::Own,
      {side_row("--left", "mask=causal,scale=none …, or a file", o->left, o->settings),
       side_row("--right", "the other side; without it, the problem as it is", o->right,
                o->settings),
       again(list(offer(text("--step,--steps", "ID,…", "compare only these: weights,output or 5-7",
                             [o](const std::string& v) { add_step_names(v, o->steps); }),
                        offered_steps),
                  List::Commas),
             Again::Adds),
       tolerance_row("accept this difference (default for files: 1e-5 relative)", o->tolerance),
       map_row(o->names), precision_row(o->precision)});
  add_problem_options(command, o->problem);
  list_settings(command,
                {"--mask", "--heads", "--scale", "--positions", "--text", "--ids", "--set"});
  command.operand = "[PROBLEM]…";
  command.set_operand = [o, set = command.set_operand](const std::string& path) {
    set(path);
    o->operands.push_back(path);
  };
  std::copy_if(command.options.begin(), command.options.end(), std::back_inserter(o->settings),
               [](const OptionRow& row) {
                 return row.group == Group::Problem || row.group == Group::Setting;
               });
  add_gradient_options(command, o->gradient);
  add_text_options(command, o->text);
  add_output_options(command, o->output, is_report);
  add_nonfinite_option(command, o->output);
  command.ask = [o](const Streams& streams) { return run_compare(*o, streams); };
  return command;
}

}  // namespace attn::app
