// attn heatmap: one step as a picture in the terminal.
#include "attn/heatmap.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct Picture {
  ProblemOptions problem;
  View view;
  TextOptions text;
  OutputOptions output;
  HeatOptions heat;
  HeatLook look;
};

/// Rows between two headers: "auto", "never" or a number.
std::optional<Index> parse_repeat(const std::string& word) {
  if (word == "auto") return std::nullopt;
  return word == "never" ? 0 : whole_number("--repeat-headers", word, 1, 1000000);
}

void add_picture_options(Command& command, Picture& o) {
  HeatOptions& heat = o.heat;
  HeatLook& look = o.look;
  add_rows(command, Group::Own,
           {flag("--compact", "two rows in a line, without numbers", look.compact),
            again(whole("--precision", "decimals, 0 to 17 (default 2)", 0, 17, look.precision),
                  Again::Last),
            choice("--normalize", "HOW", "colours from lowest to highest of",
                   {{"none", Normalize::None},
                    {"row", Normalize::Row},
                    {"col", Normalize::Column},
                    {"all", Normalize::All}},
                   heat.normalize),
            text("--min", "X", "the number that has the lowest colour",
                 [&heat](const std::string& v) { heat.min = real_number("--min", v); }),
            text("--max", "X", "the number that has the highest colour",
                 [&heat](const std::string& v) { heat.max = real_number("--max", v); }),
            flag("--unit", "colours from 0 to 1", heat.unit),
            flag("--diverging", "colours symmetric around 0", heat.diverging),
            text("--repeat-headers", "N", "every N rows, auto (default) or never",
                 [&look](const std::string& v) { look.repeat = parse_repeat(v); })});
}

/// Steps that are only there when softmax is opened up.
bool opens_softmax(const View& view) {
  constexpr std::array kOpened{"row_max", "exp_scores", "row_sum"};
  return std::any_of(view.steps.begin(), view.steps.end(), [&](const std::string& name) {
    return std::any_of(kOpened.begin(), kOpened.end(), [&](const char* id) {
      return name == id || name == find_step_info(id)->symbol;
    });
  });
}

/// Every file that is asked for; all of them can hold a picture.
std::vector<Target> picture_targets(const Picture& o, const std::string& output) {
  std::vector<Target> targets = targets_of(o.output, output, o.problem.source);
  for (const Target& target : targets) {
    if (target.format->picture != nullptr) continue;
    const std::string format(target.format->name);
    throw usage_error("picture-format", "attn heatmap draws text, not " + format,
                      "Write the numbers with attn explain --format " + format + ".");
  }
  return targets;
}

void run_heatmap(Picture& o, const Streams& streams) {
  const std::vector<Target> targets = picture_targets(o, streams.common.output);
  const Recipe recipe = opens_softmax(o.view) ? opened_softmax() : Recipe();
  const LoadedTrace loaded = load_trace(o.problem, recipe, streams);
  o.view.source = loaded.source;
  o.look.palette = o.text.palette;
  const HeatMap map = make_heatmap(loaded.trace, o.view, o.heat);
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    sink(target.format->picture(map, o.look, text_style(o.text, target.path, streams)));
  });
}

}  // namespace

Command heatmap_command() {
  auto o = std::make_shared<Picture>();
  Command command;
  command.examples = {{"attn heatmap --mask causal", "the weights of the sample"},
                      {"attn heatmap --heads 2", "heads side by side"},
                      {"attn heatmap --steps scores", "another step; blue is below 0"},
                      {"attn heatmap --normalize row --precision 3", "each row in all colours"},
                      {"attn heatmap --compact", "small, for many tokens"}};
  add_problem_options(command, o->problem);
  add_selection_options(command, o->view);
  add_picture_options(command, *o);
  add_text_options(command, o->text);
  add_output_options(command, o->output);
  command.run = [o](const Streams& streams) { run_heatmap(*o, streams); };
  return command;
}

}  // namespace attn::app
