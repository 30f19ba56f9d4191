// What the modules of each family of models make: from the table of the family's names.
#include "teach/check/module_steps.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "core/problem/model_kinds.hpp"

namespace attn {
namespace {

/// Modules that make something else than their names say.
struct KindRow {
  std::string_view kind, module;
  const char* ours;
};

constexpr KindRow kKindRows[] = {
    {"gemma", "embed_tokens", ""},  // multiplied by √d_model afterwards
    {"gemma2", "embed_tokens", ""},
    {"granite", "embed_tokens", ""},
    {"bloom", "*.self_attention", "residual1"},  // what goes in is added inside
    {"bloom", "*.mlp", "residual2"},
    {"gpt_oss", "mlp.router", "router_weights"},
    {"deepseek_v2", "mlp.gate", ""},  // numbers of experts
    {"deepseek_v3", "mlp.gate", ""},
};

/// Our words whose steps have other names, or may have.
constexpr std::pair<std::string_view, const char*> kWords[] = {
    {"token_table", "token_embeddings x"},
    {"position_table", "position_embeddings"},
    {"type_table", "token_type_embeddings"},
    {"logits", "raw_logits logits"},
};

/// A module of a kind, and what it makes.
struct ModuleSteps {
  std::string module, ours;
};

/// The table of the kind's modules, with what contains them.
std::vector<ModuleSteps> modules_of(const ModelKind& kind) {
  std::vector<ModuleSteps> all;
  std::string of_attention = "output";
  for (const ModuleName& each : kind.all_modules()) {
    std::string word = each.word;
    const std::string module = each.module;
    const bool halves = kind.is_half_gate() && (word == "linear1" || word == "linear3");
    if (word.find('#') != word.npos) continue;  // experts see some of the tokens
    for (const std::string side : {"encoder.", "decoder."})
      if (word.starts_with(side)) word.erase(0, side.size());
    const auto* named = std::find_if(std::begin(kWords), std::end(kWords),
                                     [&](const auto& pair) { return pair.first == word; });
    all.push_back({module, halves ? "@halves" : named != std::end(kWords) ? named->second : word});
    if (!module.ends_with("LayerNorm")) continue;
    const std::string around = module.substr(0, module.rfind('.'));  // it ends with the norm
    all.push_back({around, word});
    if (around.starts_with(std::string(kind.self_attn) + ".")) of_attention = word;
  }
  all.push_back({std::string("*.") + kind.self_attn, of_attention});
  for (const KindRow& row : kKindRows)
    if (row.kind == kind.name) all.push_back({std::string(row.module), row.ours});
  return all;
}

/// Whether a module is that, or within something else.
bool fits(const std::string& name, const std::string& module) {
  return name == module || name.ends_with("." + module);
}

}  // namespace

std::optional<NameRow> row_of_module(const std::string& kind_name, const std::string& name) {
  std::optional<NameRow> best;
  if (const NameRow* row = name_row_of(name)) best = *row;
  const ModelKind* kind = find_model_kind(kind_name);
  if (kind == nullptr) return best;
  for (const ModuleSteps& each : modules_of(*kind)) {
    if (fits(name, each.module) && (!best || each.module.size() >= best->theirs.size()))
      best = NameRow{kModules, each.module, each.ours};
  }
  return best;
}

bool is_module(const std::string& name) {
  const auto kinds = model_kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const ModelKind& kind) {
    return row_of_module(kind.name, name).has_value();
  });
}

}  // namespace attn
