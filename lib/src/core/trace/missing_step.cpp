// Proposes a similar name, the setting that makes a step appear, or all ids of the trace.
#include "core/trace/missing_step.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/trace/unnumbered.hpp"

namespace attn {
namespace {

constexpr std::string_view kGradient = ".grad";

/// The id of the step that has this id or symbol; "" if there is none in any problem.
std::string id_of(const std::string& name) {
  if (name.ends_with(kGradient) && find_step_info(name) != nullptr) return name;
  for (const std::string& id : step_ids()) {
    if (name == id || name == find_step_info(id)->symbol) return id;
  }
  return "";
}

/// The ids of all steps, each once, without the scopes of a model and without numbers.
std::vector<std::string> plain_ids(const Trace& trace) {
  std::vector<std::string> words;
  for (const Step& step : trace.steps) {
    std::string word(unnumbered(step.local_id()));
    if (std::find(words.begin(), words.end(), word) == words.end())
      words.push_back(std::move(word));
  }
  return words;
}

bool is_gradient(const Step& step) { return step.info().gradient_of != nullptr; }

}  // namespace

std::string meant_step(const Trace& trace, const std::string& name) {
  std::vector<std::string> ids;
  for (const Step& step : trace.steps) {
    ids.push_back(step.id);
    for (const char* known : {step.id.c_str(), step.info().symbol}) {
      if (lowered(known) == lowered(name)) return "; did you mean \"" + std::string(known) + "\"?";
    }
  }
  for (std::string& word : plain_ids(trace)) {
    if (std::find(ids.begin(), ids.end(), word) == ids.end()) ids.push_back(std::move(word));
  }
  return did_you_mean(name, ids);
}

bool add_how_to_get(Diagnostic& diagnostic, const Trace& trace, const std::string& name) {
  const StepInfo* row = find_step_info(id_of(name));
  if (row == nullptr) return false;
  if (row->gradient_of != nullptr) {
    const std::string of(owner_of_gradient(name));
    const bool back = std::any_of(trace.steps.begin(), trace.steps.end(), is_gradient);
    if (row->appears.with[0] == '\0' || (back && trace.find_named(of) != nullptr)) {
      diagnostic.fix =
          "Name another step: masks and positions have no gradient, nor does anything that the "
          "loss does not depend on.";
      return true;
    }
    if (back) row = row->gradient_of;
  }
  if (*row->appears.with == '\0') return false;
  diagnostic.fix = "It appears with " + std::string(row->appears.with) + ".";
  if (*row->appears.setting != '\0')
    diagnostic.changes = {{row->appears.setting, row->appears.value}};
  return true;
}

Error missing_step(const Trace& trace, const std::string& name) {
  const bool elsewhere = !id_of(name).empty();
  Diagnostic found{.id = "no-such-step",
                   .what = (elsewhere ? "this problem has no step \"" : "there is no step \"") +
                           name + "\"" + (elsewhere ? "" : meant_step(trace, name))};
  const std::size_t dots = name.find("..");
  if (dots != name.npos) {
    found.fix = filled("Write a range with -: {}-{}.", name.substr(0, dots), name.substr(dots + 2));
  } else if (!add_how_to_get(found, trace, name)) {
    const std::vector<std::string> ids = plain_ids(trace);
    found.fix =
        (name.find(' ') == name.npos ? "Choose from " : "Write commas between ids. They are ") +
        listed(ids, ids.size()) + ".";
    if (trace.is_model()) found.fix += " Each names the steps of all layers; * matches any text.";
  }
  return {ErrorKind::Usage, {std::move(found)}};
}

Error already_computed(const std::string& things, const std::string& id) {
  const std::string found = id.empty() ? "" : ": " + id;
  return Error(ErrorKind::Usage, {{.id = "already-computed",
                                   .what = "the trace has " + things + " already" + found,
                                   .fix = "Leave the option out, or give the problem."}});
}

}  // namespace attn
