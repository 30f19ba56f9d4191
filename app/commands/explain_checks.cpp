// What goes together on the command line of attn explain.
#include "commands/explain.hpp"

#include <algorithm>

#include "attn/core/memory_budget.hpp"
#include "attn/phrases.hpp"

namespace attn::app {

bool holds_cell(const Format& format, const ViewOptions& o) {
  return format.name == "json" && o.cells.size() == 1;
}

bool is_handout(const Explain& o, const Target& target) {
  return !o.blanks.empty() && (o.solution.empty() || target.path != o.solution);
}

namespace {

void check_wide(const Format& format, const View& view) {
  if (format.matrix != nullptr && view.steps.size() == 1) return;
  throw usage_error("wide", "--wide writes one step as a table",
                    "Write --format csv --steps weights --wide, for example.");
}

/// Formats for programs hold whole steps: an option that chooses a part is refused, not ignored.
void check_whole(const Format& format, const ViewOptions& o, const Streams& streams) {
  if (holds_cell(format, o)) return;
  const char* option =
      first_given(streams, {"--cell", "--summary", "--query", "--head", "--batch"});
  if (option == nullptr) return;
  throw usage_error(
      "text-only", no_effect(option, std::string(format.name) + " holds whole steps"),
      "Leave it out and choose with --steps, or take a part with another tool; --json takes one "
      "--cell.");
}

/// A picture shows one step, or a look inside.
void check_picture(const Format& format, const Explain& explain, const Streams& streams) {
  const ViewOptions& o = explain.view;
  const std::string name(format.name);
  if (const char* option = first_given(streams, {"--cell", "--summary"})) {
    throw usage_error("text-only", no_effect(option, name + " shows one step"),
                      "Leave it out and choose a step: --steps weights, for example.");
  }
  const bool inside = explain.inside.lens || explain.inside.contributions;
  if (!o.view.steps.empty() || (inside && shows_inside(explain))) return;
  throw usage_error(
      "one-step", name + " shows one step, and explain shows them all",
      filled("Choose one: --steps {}, for example.", explain.inside.circuits ? "w_qk" : "weights"));
}

void check_handout(const Explain& o, const std::vector<Target>& targets) {
  for (const Target& target : targets) {
    if (!is_handout(o, target) || target.format->document != nullptr) continue;
    throw usage_error("text-only",
                      no_effect("--blank", std::string(target.format->name) + " holds whole steps"),
                      "Write .txt, .md, .tex or .html.");
  }
}

void check_depth(const ViewOptions& o) {
  if (!o.view.depth || !o.cells.empty()) return;
  throw usage_error("needs-cell", no_effect("--depth", "there is no --cell"),
                    "Add --cell weights:1,0, for example.");
}

/// How many numbers a document of a large problem shows.
double numbers_shown(const View& view, const Format& format, const Trace& outline) {
  double all = 0.0;
  for (const Step* step : shown_steps(outline, view)) {
    const bool weights = step->info().role == StepRole::Weights;
    if (format.asks_cells && view.steps.empty() && !weights) continue;  // as in explain_page
    const Shape& shape = step->value.shape();
    double own = static_cast<double>(shape.count());
    if (view.batch) own /= static_cast<double>(shape.batch.value_or(1));
    if (view.head) own /= static_cast<double>(shape.heads.value_or(1));
    if (view.query && step->info().is_pairwise()) own /= static_cast<double>(step->value.rows());
    all += own;
  }
  return all;
}

}  // namespace

void check_documents(const Explain& o, const std::vector<Target>& targets, const Trace& outline) {
  if (o.view.summary || !o.view.cells.empty() || (outline.is_model() && in_summary(o)) ||
      shows_inside(o))
    return;
  for (const Target& target : targets) {
    const Format& format = *target.format;
    if (format.document == nullptr) continue;
    const double bytes_of_number = sizeof(double) + format.bytes_of_number;
    check_document_memory(bytes_of_number * numbers_shown(o.view.view, format, outline),
                          o.problem.source.max_memory, format.name);
  }
}

std::vector<Target> checked_targets(Explain& o, const Streams& streams) {
  check_depth(o.view);
  check_inside(o.inside);
  const bool steps = !o.view.view.steps.empty() || !o.view.cells.empty();
  if (!o.solution.empty() && o.blanks.empty()) {
    throw usage_error("needs-blank", no_effect("--solution", "there is no --blank"),
                      "Add --blank scores,weights, for example.");
  }
  if (!o.solution.empty()) o.output.also.push_back(o.solution);
  std::vector<Target> targets = targets_of(o.output, streams);
  for (const Target& target : targets) {
    if (o.wide) check_wide(*target.format, o.view.view);
    if (!o.wide && target.format->data != nullptr) check_whole(*target.format, o.view, streams);
    if (target.format->only_picture()) check_picture(*target.format, o, streams);
  }
  const bool read = std::any_of(targets.begin(), targets.end(), [](const Target& target) {
    return target.format->document != nullptr || target.format->only_picture();
  });
  if (!steps && !asks_for_all(o) && read) check_page(o.inside, streams);
  check_handout(o, targets);
  if (o.pause) require_person("--pause", "key presses", "text", targets, streams.terminal);
  return targets;
}

}  // namespace attn::app
