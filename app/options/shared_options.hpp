// Groups of options that several commands share.
// Each adds its rows to a command and fills in its struct while the command line is parsed; the
// struct must outlive the command.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attn/attend.hpp"
#include "attn/core/format.hpp"
#include "attn/gradient.hpp"
#include "attn/inside.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/problem_options.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/heatmap.hpp"
#include "attn/writers.hpp"
#include "command.hpp"
#include "files/read_problem.hpp"
#include "options/kept_numbers.hpp"

namespace attn::app {

/// --precision, into an int or an optional one.
template <typename Field>
OptionRow precision_row(Field& decimals, int usual = kUsualDecimals) {
  const std::string help = "decimals, 0 to 17 (default " + std::to_string(usual) + ")";
  return again(whole("--precision", help, 0, 17, decimals), Again::Last);
}

/// Which problem, and how the command line changes it.
struct ProblemOptions {
  ProblemSource source;
  std::vector<std::function<void(ProblemFile&)>> changes;
  std::vector<std::string> masks;
  std::vector<std::string> given;  ///< settings and masks as written
  /// A key that is set: its pointer in a file, the value, and both as written.
  struct SetKey {
    std::string pointer, value, written;
  };
  std::vector<SetKey> set;  ///< by options and --set alike
};
void add_problem_options(Command& command, ProblemOptions& options);

/// Lists only these options about the problem on the page of the command; it takes the others too,
/// as settings.
void list_settings(Command& command, std::initializer_list<std::string_view> options);

/// Sets a key of the problem, as --set does; `given` is what was typed. Throws Error (usage).
void add_key_setting(ProblemOptions& options, const KeyValue& setting, const GivenValue& given);

/// Every option that changes the problem, as typed in a shell: "--heads 2", "--text 'the cat'".
std::vector<std::string> given_options(const ProblemOptions& options);

/// --gradient and --upstream.
struct GradientOptions {
  bool asked = false;
  std::string upstream;  ///< a file with the gradient of the output
};
void add_gradient_options(Command& command, GradientOptions& options);

/// What they ask for; nothing if they are not given.
std::optional<GradientChoice> gradient_choice(const GradientOptions& options, double max_memory,
                                              const Streams& streams);

/// --lens, --contributions, --at and --circuits.
void add_inside_options(Command& command, InsideChoice& inside);
/// Throws Error (usage) for an --at without --contributions.
void check_inside(const InsideChoice& inside);
/// Throws Error (usage) for an option that the page or picture of a look inside does not use.
void check_page(const InsideChoice& inside, const Streams& streams);
/// Without the lens and the circuits that a trace has.
InsideChoice missing_in(const Trace& trace, InsideChoice inside);
/// These options as they are typed: " --contributions owl --at 11".
std::string inside_options(const InsideChoice& inside);
/// The lens, or else the contributions, as a picture.
HeatMap picture_inside(const InsideChoice& inside, const Trace& trace, const View& view,
                       const HeatOptions& options = {});

/// The trace that a command is about, and where it came from.
struct LoadedTrace {
  Trace trace;
  std::string source;
};

/// Reads and changes the problem, and checks it; the trace has shapes alone, for four tokens if the
/// problem has no input. No tensor of a checkpoint is read.
LoadedTrace load_outline(const ProblemOptions& options, const Streams& streams);

/// Reads and changes the problem, checks it and computes the trace; or reads the trace, if the file
/// is one. Throws Error (usage) for options that would change a trace. Of a large problem, only the
/// numbers that are `wanted` stay; without `wanted` all stay, and --layer is refused for a whole
/// model. With a `gradient` the trace goes on backwards, and all numbers stay; `inside` adds a look
/// inside a whole model, before the outline is passed to `wanted`.
using Wanted = std::function<Ids(const Trace& outline)>;
LoadedTrace load_trace(const ProblemOptions& options, const Recipe& recipe, const Streams& streams,
                       const Wanted& wanted = {},
                       const std::optional<GradientChoice>& gradient = {},
                       const InsideChoice& inside = {});

/// Reads and changes the problem, and checks it. Throws Error (input) for a trace, (usage) for
/// --layer and a whole model.
ProblemDraft load_problem(const ProblemOptions& options, const Streams& streams);

/// Reads and changes the problem, and passes it to `use`, whose errors get places in the file.
void use_problem(const ProblemOptions& options, const Streams& streams,
                 const std::function<void(const ProblemDraft& draft)>& use);

/// Adds the steps of a --steps to `names`: what is between commas, and "5", "6", "7" for "5-7".
void add_step_names(const std::string& text, std::vector<std::string>& names);

/// The ids of all steps, first the weights: every attention has them.
std::vector<std::string> offered_steps();

/// Which steps, which head, batch entry and query.
void add_selection_options(Command& command, View& view);

/// What to show of a trace, and in how much detail.
struct ViewOptions {
  View view;
  std::vector<std::string> cells;  ///< in the order of the command line
  bool summary = false;
  std::optional<int> precision;  ///< default kUsualDecimals, with --big 2
};
void add_view_options(Command& command, ViewOptions& options);

/// How the result is written.
struct OutputOptions {
  std::vector<Format> formats;             ///< those that the command can write, the default first
  std::string format;                      ///< the one asked for, or ""
  NonFinite nonfinite = NonFinite::Words;  ///< for JSON
  std::vector<std::string> also;           ///< further files, each in the format of its extension
  Markup markup;                           ///< for Markdown and LaTeX
};
/// With the formats for which `holds` is true, and the command's `own`.
void add_output_options(Command& command, OutputOptions& options,
                        bool (*holds)(const Format& format), const std::vector<Format>& own = {});

/// --nonfinite, for commands whose JSON has the numbers of steps.
void add_nonfinite_option(Command& command, OutputOptions& options);

/// For people, or JSON: what a report is written in.
bool is_report(const Format& format);

/// One file (or standard output) that a command writes.
struct Target {
  std::string path;
  const Format* format;  ///< one of OutputOptions::formats
};

/// -o and every --also, each in the format asked for or that of its extension. Throws Error
/// (usage) for formats that do not fit.
std::vector<Target> targets_of(const OutputOptions& options, const Streams& streams);

/// For an option that waits for a person: throws Error (usage) unless there is a terminal, and text
/// goes to it and nowhere else.
void require_person(const std::string& option, const std::string& waits_for,
                    const std::string& shows, const std::vector<Target>& targets,
                    const Terminal& terminal);

/// Writes all targets, each with what `write` passes to the sink, or replaces no file. Says which
/// options about looks have no effect.
void write_targets(const std::vector<Target>& targets, const Streams& streams,
                   const std::function<void(const Target& target, const Sink& sink)>& write);

/// How text looks.
struct TextOptions {
  TextStyle style;
  bool full = false;
  std::optional<Palette> palette;
  std::optional<Layout> layout;
};
void add_text_options(Command& command, TextOptions& options);
/// Those of them that a report without matrices has.
void add_report_options(Command& command, TextOptions& options);
/// Says on standard error which of these options have no effect, if only data is written.
void note_idle_looks(const std::vector<Target>& targets, const Streams& streams);
/// `style` with the characters, width and colours of text written to `path`.
TextStyle plain_style(const std::string& path, const Streams& streams, TextStyle style = {});
/// The style of text written to `path`, which is "" or "-" for standard output.
TextStyle text_style(const TextOptions& options, const std::string& path, const Streams& streams);

/// Passes the document on in the format of `target`.
void write_document(const Document& document, const Target& target, const TextOptions& text,
                    const OutputOptions& output, const Streams& streams, const Sink& sink);

}  // namespace attn::app
