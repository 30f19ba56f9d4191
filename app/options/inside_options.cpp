// The options that look inside a whole model, or a head.
#include <algorithm>
#include <vector>

#include "attn/phrases.hpp"
#include "attn/render/inside.hpp"
#include "options/shared_options.hpp"
#include "platform/shell.hpp"

namespace attn::app {

namespace {

ContributionChoice& contributions_of(InsideChoice& inside) {
  if (!inside.contributions) inside.contributions.emplace();
  return *inside.contributions;
}

}  // namespace

void add_inside_options(Command& command, InsideChoice& inside) {
  add_rows(
      command, Group::Problem,
      {flag("--lens", "what each layer of a model would predict", inside.lens),
       text("--contributions", "WORD,…", "what each head and layer adds to the logit of a word",
            [&inside](const std::string& words) {
              contributions_of(inside).words = comma_list(words);
            }),
       text("--at", "TOKEN|INDEX", "the row whose logit that is (default: the last)",
            [&inside](const std::string& token) { contributions_of(inside).at = token; }),
       flag("--circuits", "W_QK, W_OV of each head, and singular values", inside.circuits)});
}

void check_inside(const InsideChoice& inside) {
  if (!inside.contributions || !inside.contributions->words.empty()) return;
  if (inside.contributions->at.empty())
    throw usage_error("missing-value", "--contributions needs a word",
                      "Name a word of the vocabulary, by text or index.");
  throw usage_error("missing-option", "--at needs --contributions",
                    "Add --contributions WORD, a word of the vocabulary.");
}

void check_page(const InsideChoice& inside, const Streams& streams) {
  struct Row {
    bool asked;
    std::vector<const char*> options;
    const char *why, *fix;
  };
  const char* const name_steps = "Leave it out, or choose steps: attn help inside names them.";
  const bool parts = inside.contributions.has_value();
  const Row rows[] = {
      {parts, {"--query"}, "--at chooses the row of the logit", "Write --at in place of --query."},
      {parts, {"--head", "--layer"}, "contributions are of all heads and layers", name_steps},
      {inside.lens, {"--head", "--layer"}, "a lens is about whole rows, of all layers", name_steps},
      {inside.circuits, {"--query", "--batch"}, "circuits are about weights alone", name_steps},
      {inside.any(), {"--summary", "--blank"}, "a look inside has a page of its own", name_steps}};
  for (const Row& row : rows) {
    for (const char* option : row.options) {
      if (row.asked && first_given(streams, {option}) != nullptr)
        throw usage_error("option-conflict", no_effect(option, row.why), row.fix);
    }
  }
}

InsideChoice missing_in(const Trace& trace, InsideChoice inside) {
  inside.lens = inside.lens && trace.find("lens.0.probabilities") == nullptr;
  const auto& layer = inside.layer;
  inside.circuits = inside.circuits &&
                    std::none_of(trace.steps.begin(), trace.steps.end(), [&](const Step& step) {
                      return step.info().role == StepRole::SingularValues &&
                             (!layer || place_of(*step.scope).layer == layer);
                    });
  return inside;
}

std::string inside_options(const InsideChoice& inside) {
  std::string text = inside.lens ? " --lens" : "";
  if (inside.circuits) text += " --circuits";
  if (!inside.contributions) return text;
  text += " --contributions " + shell_word(separated(inside.contributions->words, ","));
  const std::string& at = inside.contributions->at;
  return text + (at.empty() ? "" : " --at " + shell_word(at));
}

HeatMap picture_inside(const InsideChoice& inside, const Trace& trace, const View& view,
                       const HeatOptions& options) {
  return inside.lens ? picture_lens(trace, view, options)
                     : picture_contributions(trace, view, options);
}

}  // namespace attn::app
