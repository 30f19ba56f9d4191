#include "core/trace/missing_step.hpp"

#include <algorithm>
#include <array>

#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"

namespace attn {
namespace {

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

/// The id of the step that has this id or symbol; "" if there is none in any problem.
std::string id_of(const std::string& name) {
  for (const std::string& id : step_ids()) {
    if (name == id || name == find_step_info(id)->symbol) return id;
  }
  return "";
}

}  // namespace

std::string meant_step(const Trace& trace, const std::string& name) {
  std::vector<std::string> ids;
  for (const Step& step : trace.steps) {
    ids.push_back(step.id);
    for (const char* known : {step.id.c_str(), step.info().symbol}) {
      if (lowered(known) == lowered(name)) return "; did you mean \"" + std::string(known) + "\"?";
    }
  }
  return did_you_mean(name, ids);
}

std::string how_to_get(const std::string& name) {
  const StepInfo* row = find_step_info(id_of(name));
  if (row == nullptr || *row->appears_with == '\0') return "";
  return "It appears with " + std::string(row->appears_with) + ".";
}

Error missing_step(const Trace& trace, const std::string& name) {
  const bool elsewhere = !id_of(name).empty();
  const std::string how = how_to_get(name);
  std::vector<std::string> ids;
  for (const Step& step : trace.steps) ids.push_back(step.id);
  const std::string all = listed(ids, ids.size()) + ".";
  return {ErrorKind::Usage,
          {{.id = "no-such-step",
            .what = (elsewhere ? "this problem has no step \"" : "there is no step \"") + name +
                    "\"" + (elsewhere ? "" : meant_step(trace, name)),
            .fix = !how.empty()                  ? how
                   : name.find(' ') == name.npos ? "Name some of " + all
                                                 : "Write commas between ids. They are " + all}}};
}

}  // namespace attn
