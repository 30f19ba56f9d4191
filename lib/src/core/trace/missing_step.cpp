#include "core/trace/missing_step.hpp"

#include <algorithm>
#include <array>

#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"

namespace attn {
namespace {

/// A step that not every problem has, and what brings it about.
struct Appears {
  std::string_view id;
  const char* with;
};

constexpr const char* kMasked = "a mask, such as --mask causal";
constexpr const char* kOpened = "--detail full, which opens softmax up";
constexpr const char* kHeads = "several heads, such as --heads 2";
constexpr const char* kRope = "--positions rope";
constexpr const char* kWave = "--positions sinusoidal";
constexpr const char* kPast = "\"past\" in the problem";
constexpr std::array kAppears{
    Appears{"x", "\"embeddings\" and \"weights\" in the problem"},
    Appears{"memory", "\"memory\" in the problem"},
    Appears{"positions", kWave},
    Appears{"x_positioned", kWave},
    Appears{"q_heads", kHeads},
    Appears{"k_heads", kHeads},
    Appears{"v_heads", kHeads},
    Appears{"q_rotated", kRope},
    Appears{"k_rotated", kRope},
    Appears{"k_all", kPast},
    Appears{"v_all", kPast},
    Appears{"capped_scores", "a softcap, such as --softcap 30"},
    Appears{"bias", "\"bias\" in the problem, or --positions alibi"},
    Appears{"mask", kMasked},
    Appears{"masked_scores", kMasked},
    Appears{"row_max", kOpened},
    Appears{"exp_scores", kOpened},
    Appears{"row_sum", kOpened},
    Appears{"masked_weights", "--masking multiply and a mask"},
    Appears{"renormalized_weights", "--masking renormalize and a mask"},
    Appears{"query_masked_weights", "a mask of queries, such as --mask queries:0"},
    Appears{"context", "several heads or \"w_o\"; else it is the output"},
    Appears{"concat", kHeads},
};

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
  const std::string id = id_of(name);
  const auto row = std::find_if(kAppears.begin(), kAppears.end(),
                                [&](const Appears& each) { return each.id == id; });
  return row == kAppears.end() ? "" : "It appears with " + std::string(row->with) + ".";
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
