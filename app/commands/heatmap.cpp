// attn heatmap: one step as a picture, in the terminal or in a file.
#include "attn/render/heatmap.hpp"

#include <algorithm>
#include <memory>

#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct Picture {
  ProblemOptions problem;
  InsideChoice inside;
  View view;
  TextOptions text;
  OutputOptions output;
  HeatOptions heat;
  HeatLook look;
  bool overview = false;
};

/// Rows between two headers: "auto", "never" or a number.
std::optional<Index> parse_repeat(const GivenValue& given) {
  const std::string& word = given.value;
  if (word == "auto") return std::nullopt;
  if (word == "never") return 0;
  if (word.find_first_of("0123456789") == word.npos) {
    throw usage_error("option-value",
                      given.name + " takes a number of rows, auto or never, not \"" + word + "\"",
                      "Write " + given.with("20") + ", for example.");
  }
  return whole_number(given, 1, 1000000);
}

void add_picture_options(Command& command, Picture& o) {
  HeatOptions& heat = o.heat;
  HeatLook& look = o.look;
  add_rows(command, Group::Own,
           {flag("--compact", "two rows per line, without numbers", look.compact),
            flag("--overview", "all heads of all layers as small pictures", o.overview),
            precision_row(look.precision, 2),
            choice("--normalize", "HOW", "stretch the colours over each row, column or all",
                   {{"none", Normalize::None},
                    {"row", Normalize::Row},
                    {"col", Normalize::Column},
                    {"all", Normalize::All}},
                   heat.normalize),
            text("--min", "X", "the number that gets the lowest colour",
                 [&heat](const GivenValue& given) { heat.min = real_number(given); }),
            text("--max", "X", "the number that gets the highest colour",
                 [&heat](const GivenValue& given) { heat.max = real_number(given); }),
            flag("--unit", "colours from 0 to 1", heat.unit),
            flag("--diverging", "colours symmetric around 0", heat.diverging),
            text("--repeat-headers", "N", "repeat the header every N rows, or: auto, never",
                 [&look](const GivenValue& given) { look.repeat = parse_repeat(given); })});
}

/// Whether a named step appears only with more detail.
bool needs_detail(const View& view) {
  const std::vector<std::string> ids = step_ids();
  return std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
    const StepInfo& info = *find_step_info(id);
    const bool named =
        std::any_of(view.steps.begin(), view.steps.end(),
                    [&](const std::string& name) { return name == id || name == info.symbol; });
    return named && info.appears.setting == std::string_view("detail");
  });
}

/// Whether the picture is one of its own, and not of a step.
bool shows_inside(const Picture& o) {
  return o.view.steps.empty() && (o.inside.lens || o.inside.contributions);
}

/// The steps to picture where none is named: of circuits, the products.
std::vector<std::string> usual_steps(const Picture& o, const Trace& trace) {
  if (!o.inside.circuits) return pictured_steps(trace, o.view);
  std::vector<std::string> ids;
  for (const Step& step : trace.steps) {
    if (step.info().id == std::string_view("w_qk") || step.info().id == std::string_view("w_ov"))
      ids.push_back(step.id);
  }
  return ids;
}

/// One view for each picture.
std::vector<View> views_of(const Picture& o, const Trace& trace) {
  if (!o.view.steps.empty()) return {o.view};
  std::vector<View> views;
  for (const std::string& id : usual_steps(o, trace)) {
    views.push_back(o.view);
    views.back().steps = {id};
  }
  return views;
}

/// A file with a picture holds one step.
void check_pictures(const std::vector<Target>& targets, const Picture& o, const Trace& trace) {
  for (const Target& target : targets) {
    if (!target.format->only_picture()) continue;
    const std::string name(target.format->name);
    if (o.overview || shows_inside(o)) continue;
    const std::vector<View> views = views_of(o, trace);
    if (views.size() > 1)
      throw usage_error("one-step", name + " shows one step, not " + std::to_string(views.size()),
                        "Name one: --steps " + views.front().steps.front() + ".");
  }
}

void run_heatmap(Picture& o, const Streams& streams) {
  check_inside(o.inside);
  if (o.view.steps.empty()) check_page(o.inside, streams);
  const std::vector<Target> targets = targets_of(o.output, streams);
  const Recipe recipe = needs_detail(o.view) ? full_detail() : Recipe();
  o.view.layer = o.inside.layer = o.problem.source.layer.number;
  const auto wanted = [&](const Trace& outline) {
    if (o.overview) return numbers_of_weights(outline);
    if (shows_inside(o)) return numbers_of_probabilities(outline);
    Ids ids = numbers_of_weights(outline);
    for (const View& view : views_of(o, outline))
      ids.merge(numbers_in_file(outline, shown_steps(outline, view)));
    return ids;
  };
  const LoadedTrace loaded = load_trace(o.problem, recipe, streams, wanted, {}, o.inside);
  const Trace& trace = loaded.trace;
  check_pictures(targets, o, trace);
  o.view.source = loaded.source;
  o.look.palette = o.text.palette;
  std::vector<HeatMap> maps;
  if (shows_inside(o)) {
    maps.push_back(picture_inside(o.inside, trace, o.view, o.heat));
  } else if (!o.overview) {
    for (const View& view : views_of(o, trace)) maps.push_back(make_heatmap(trace, view, o.heat));
  }
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    const TextStyle style = text_style(o.text, target.path, streams);
    if (o.overview) sink(target.format->overview(trace, o.view, o.look, style));
    for (const HeatMap& map : maps) {
      if (&map != &maps.front()) sink("\n");
      sink(target.format->picture(map, o.look, style));
    }
  });
}

}  // namespace

Command heatmap_command() {
  auto o = std::make_shared<Picture>();
  Command command;
  command.examples = {{"attn heatmap --mask causal", "the weights of the sample"},
                      {"attn heatmap --heads 2", "heads side by side"},
                      {"attn heatmap --steps v", "another step; below 0 is blue"},
                      {"attn heatmap --normalize row --precision 3", "each row uses all colours"},
                      {"attn heatmap --compact", "a small picture, for many tokens"},
                      {"attn heatmap 15-induction --lens", "what each layer would predict"}};
  command.usual = {"--compact", "--precision", "--normalize", "--mask",    "--heads",
                   "--scale",   "--steps",     "--head",      "--palette", "--output"};
  add_problem_options(command, o->problem);
  add_inside_options(command, o->inside);
  add_selection_options(command, o->view);
  add_picture_options(command, *o);
  add_text_options(command, o->text);
  add_output_options(command, o->output,
                     [](const Format& format) { return format.picture != nullptr; });
  command.conflicts.insert(command.conflicts.end(),
                           {{"--overview", "--steps", "an overview is about weights"},
                            {"--overview", "--query", "an overview is about whole matrices"},
                            {"--overview", "--normalize", "an overview has one range, 0 to 1"},
                            {"--overview", "--min", "an overview has one range, 0 to 1"},
                            {"--overview", "--max", "an overview has one range, 0 to 1"},
                            {"--overview", "--diverging", "an overview has one range, 0 to 1"},
                            {"--overview", "--lens", "an overview is about weights"},
                            {"--overview", "--contributions", "an overview is about weights"},
                            {"--overview", "--circuits", "an overview is about weights"},
                            {"--lens", "--contributions", "each is a picture of its own"},
                            {"--circuits", "--lens", "each has pictures of its own"},
                            {"--circuits", "--contributions", "each has pictures of its own"},
                            {"--contributions", "--query", "--at chooses the row of the logit"}});
  command.run = [o](const Streams& streams) { run_heatmap(*o, streams); };
  return command;
}

}  // namespace attn::app
