// Steps under the names of other programs: a table, and where in a model each name belongs.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/comparison.hpp"
#include "attn/teach/names.hpp"
#include "core/text/ascii.hpp"
#include "core/trace/missing_step.hpp"
#include "teach/check/answer_shape.hpp"
#include "teach/check/equivalent.hpp"

namespace attn {
namespace {

constexpr const char* kLens = "TransformerLens";
constexpr const char* kOutputs = "the outputs of Hugging Face's models";
constexpr const char* kModules = "modules of PyTorch";

/// What a name stands for. `theirs` is the name, or its end after a dot, with * for the first
/// number in it. `ours` are ids within the attention, the layer or the model: the first that there
/// is counts. "@in" and "@out" are what enters and leaves the layer, "@hidden" what leaves the one
/// before, "@qkv" three steps side by side; "~" marks a matrix whose heads come after its tokens;
/// "" is a tensor that attn has no step for.
struct NameRow {
  const char* source;
  const char* theirs;
  const char* ours;
};

constexpr NameRow kNameRows[] = {
    {kLens, "hook_embed", "token_embeddings x"},
    {kLens, "hook_pos_embed", "position_embeddings"},
    {kLens, "blocks.*.hook_resid_pre", "@in"},
    {kLens, "blocks.*.ln1.hook_normalized", "norm1"},
    {kLens, "blocks.*.ln1.hook_scale", ""},
    {kLens, "blocks.*.attn.hook_q", "q"},
    {kLens, "blocks.*.attn.hook_k", "k"},
    {kLens, "blocks.*.attn.hook_v", "v"},
    {kLens, "blocks.*.attn.hook_rot_q", "~q_rotated"},
    {kLens, "blocks.*.attn.hook_rot_k", "~k_rotated"},
    {kLens, "blocks.*.attn.hook_attn_scores", "masked_scores capped_scores scaled_scores scores"},
    {kLens, "blocks.*.attn.hook_pattern", "weights"},
    {kLens, "blocks.*.attn.hook_z", "concat ~context"},
    {kLens, "blocks.*.attn.hook_result", ""},
    {kLens, "blocks.*.hook_attn_out", "output"},
    {kLens, "blocks.*.hook_resid_mid", "residual1"},
    {kLens, "blocks.*.ln2.hook_normalized", "norm2"},
    {kLens, "blocks.*.ln2.hook_scale", ""},
    {kLens, "blocks.*.mlp.hook_pre", "linear1"},
    {kLens, "blocks.*.mlp.hook_pre_linear", "linear3"},
    {kLens, "blocks.*.mlp.hook_post", "gate activation"},
    {kLens, "blocks.*.hook_mlp_out", "linear2"},
    {kLens, "blocks.*.hook_resid_post", "@out"},
    {kLens, "ln_final.hook_normalized", "norm"},
    {kLens, "ln_final.hook_scale", ""},

    {kOutputs, "hidden_states.*", "@hidden"},
    {kOutputs, "attentions.*", "weights"},
    {kOutputs, "last_hidden_state", "output"},

    {kModules, "wte", "token_embeddings"},
    {kModules, "wpe", "position_embeddings"},
    {kModules, "h.*", "@out"},
    {kModules, "ln_1", "norm1"},
    {kModules, "ln_2", "norm2"},
    {kModules, "ln_f", "norm"},
    {kModules, "c_attn", "@qkv"},
    {kModules, "c_proj", "output"},
    {kModules, "*.attn", "output"},
    {kModules, "mlp.c_fc", "linear1"},
    {kModules, "mlp.act", "activation"},
    {kModules, "mlp.c_proj", "linear2"},
    {kModules, "*.mlp", "linear2"},

    {kModules, "embed_tokens", "x"},
    {kModules, "layers.*", "@out"},
    {kModules, "input_layernorm", "norm1"},
    {kModules, "q_proj", "q"},
    {kModules, "k_proj", "k"},
    {kModules, "v_proj", "v"},
    {kModules, "o_proj", "output"},
    {kModules, "out_proj", "output"},
    {kModules, "*.self_attn", "output"},
    {kModules, "*.multihead_attn", "output"},
    {kModules, "post_attention_layernorm", "norm2"},
    {kModules, "mlp.gate_proj", "linear1"},
    {kModules, "mlp.act_fn", "activation"},
    {kModules, "mlp.up_proj", "linear3"},
    {kModules, "mlp.down_proj", "linear2"},
    {kModules, "model.norm", "norm"},
    {kModules, "lm_head", "logits"},

    {kModules, "embeddings.word_embeddings", "token_embeddings"},
    {kModules, "embeddings.position_embeddings", "position_embeddings"},
    {kModules, "embeddings.token_type_embeddings", "token_type_embeddings"},
    {kModules, "embeddings.LayerNorm", "x"},
    {kModules, "bert.embeddings", "x"},
    {kModules, "self.query", "q"},
    {kModules, "self.key", "k"},
    {kModules, "self.value", "v"},
    {kModules, "attention.self", "concat context"},
    {kModules, "attention.output.dense", "output"},
    {kModules, "attention.output.LayerNorm", "norm1"},
    {kModules, "attention.output", "norm1"},
    {kModules, "*.attention", "norm1"},
    {kModules, "intermediate.dense", "linear1"},
    {kModules, "intermediate_act_fn", "activation"},
    {kModules, "*.intermediate", "activation"},
    {kModules, "*.output.dense", "linear2"},
    {kModules, "*.output.LayerNorm", "@out"},
    {kModules, "*.output", "@out"},
    {kModules, "layer.*", "@out"},
    {kModules, "cls.predictions.decoder", "logits"},

    {kModules, "*.norm1", "norm1"},
    {kModules, "*.norm2", "norm2"},
    {kModules, "*.norm3", "norm3"},
    {kModules, "*.linear1", "linear1"},
    {kModules, "*.linear2", "linear2"},
};

/// A name with * for its first number, which is the layer.
struct GeneralName {
  std::string text;
  std::optional<Index> layer;
};

GeneralName general(const std::string& name) {
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string word = name.substr(begin, end - begin);
    const bool number = !word.empty() && word.size() < 7 &&
                        std::all_of(word.begin(), word.end(), [](char c) { return is_digit(c); });
    if (number) return {name.substr(0, begin) + "*" + name.substr(end), std::stoi(word)};
    begin = end + 1;
  }
  return {name, std::nullopt};
}

/// What wrappers put before the names of a model's modules, each with its dot.
constexpr const char* kWrappers[] = {"model.",      "transformer.",    "bert.",   "roberta.",
                                     "distilbert.", "language_model.", "module.", "encoder."};

/// The step of that name, or of what is left of it without its wrappers; nullptr: none.
const Step* find_unwrapped(const Trace& truth, std::string_view name) {
  while (true) {
    if (const Step* step = truth.find_named(name)) return step;
    const auto at = std::find_if(std::begin(kWrappers), std::end(kWrappers),
                                 [&](const char* wrapper) { return name.starts_with(wrapper); });
    if (at == std::end(kWrappers)) return nullptr;
    name.remove_prefix(std::string_view(*at).size());
  }
}

/// The row with the longest pattern.
const NameRow* row_of(const std::string& general_name) {
  const NameRow* best = nullptr;
  for (const NameRow& row : kNameRows) {
    const std::string_view end = row.theirs;
    const bool fits = general_name == end || general_name.ends_with("." + std::string(end));
    if (fits && (best == nullptr || end.size() > std::string_view(best->theirs).size()))
      best = &row;
  }
  return best;
}

const std::string* mapped(const std::string& name, const NameMap& map) {
  const std::string pattern = general(name).text;
  for (const auto& [theirs, ours] : map) {
    if (theirs == name || theirs == pattern) return &ours;
  }
  return nullptr;
}

std::string with_layer(const std::string& pattern, const GeneralName& name) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos || !name.layer) return pattern;
  return pattern.substr(0, star) + std::to_string(*name.layer) + pattern.substr(star + 1);
}

/// Finds the steps of a computation that names stand for.
class Places {
 public:
  explicit Places(const Trace& truth) : truth_(truth) {}

  /// The id of a word in the layer of a name; empty if there is none.
  std::string id(const std::string& word, const GeneralName& name) const;

 private:
  bool is_in(const Step& step, const GeneralName& name, std::optional<Index> layer) const;
  std::string last(const GeneralName& name, Index layer) const;

  const Trace& truth_;
};

/// Whether a step is in that layer, of the stack that the name has, if there are several.
bool Places::is_in(const Step& step, const GeneralName& name, std::optional<Index> layer) const {
  const ModelPlace place = place_of(*step.scope);
  if (!truth_.is_model()) return true;
  if (place.layer != layer) return false;
  if (!layer) return step.scope->name.empty();
  const bool named = ("." + name.text).find("." + place.stack + ".*") != name.text.npos;
  return named || std::none_of(truth_.steps.begin(), truth_.steps.end(), [&](const Step& other) {
           const ModelPlace at = place_of(*other.scope);
           return at.layer && at.stack != place.stack;
         });
}

/// What leaves a layer.
std::string Places::last(const GeneralName& name, Index layer) const {
  const auto at = std::find_if(truth_.steps.rbegin(), truth_.steps.rend(), [&](const Step& step) {
    return is_in(step, name, layer) && place_of(*step.scope).module.empty();
  });
  return at == truth_.steps.rend() ? "" : at->id;
}

std::string Places::id(const std::string& word, const GeneralName& name) const {
  const Index layer = name.layer.value_or(0);
  if (word.starts_with('@') && !truth_.is_model()) return "";
  if (word == "@out") return last(name, layer);
  if (word == "@hidden" || word == "@in") {
    if (layer == 0) return truth_.find("x") == nullptr ? "" : "x";
    const std::string after = last(name, layer - 1);
    const bool normed = word == "@hidden" && last(name, layer).empty() &&
                        truth_.find("norm") != nullptr;  // the last one has passed the last norm
    return normed ? "norm" : after;
  }
  const Step* found = nullptr;
  for (const std::vector<Step>* part : {&truth_.steps, &truth_.givens}) {
    for (const Step& step : *part) {
      if (step.local_id() != word || !is_in(step, name, name.layer)) continue;
      const std::string module = place_of(*step.scope).module;
      const bool named = !module.empty() && name.text.find("." + module) != name.text.npos;
      if (found == nullptr || named) found = &step;
    }
  }
  return found == nullptr ? "" : found->id;
}

/// The columns of q, k and v, which a packed projection makes side by side.
std::vector<Answer> cut(const Answer& packed, const Trace& truth, const std::string (&ids)[3]) {
  std::vector<Answer> parts;
  Index all = 0, first = 0;
  for (const std::string& id : ids) all += id.empty() ? 0 : truth.value(id).cols();
  if (packed.shape.empty() || packed.shape.back() != all) return parts;
  for (const std::string& id : ids) {
    if (id.empty()) return {};
    Answer part{.id = id, .shape = packed.shape};
    part.shape.back() = truth.value(id).cols();
    for (std::size_t i = 0; i < packed.numbers.size(); ++i) {
      const Index col = static_cast<Index>(i) % all;
      if (col >= first && col < first + part.shape.back())
        part.numbers.push_back(packed.numbers[i]);
    }
    first += part.shape.back();
    parts.push_back(std::move(part));
  }
  return parts;
}

/// The answers of a dump by the steps that they are for, at most one for each. Two modules may make
/// the same matrix: of two that differ, the one further from the truth is compared.
class OnePerStep {
 public:
  explicit OnePerStep(const Trace& truth, Dtype dtype) : truth_(truth), dtype_(dtype) {}

  /// `theirs` is the name in the dump.
  void keep(Answer answer, const std::string& theirs, std::vector<std::string>& notes);
  std::vector<Answer> all() && { return std::move(all_); }

 private:
  const Trace& truth_;
  Dtype dtype_;
  std::vector<Answer> all_;
  std::map<std::string, std::pair<std::size_t, std::string>> given_;  // by step: place, their name
};

/// The largest difference from `right`; infinity where the shapes differ.
double largest_gap(const Answer& answer, const NumberSpan right) {
  if (answer.numbers.size() != right.size()) return HUGE_VAL;
  double most = 0.0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double theirs = answer.numbers[i], gap = std::abs(theirs - right[i]);
    const bool same = theirs == right[i] || (std::isnan(theirs) && std::isnan(right[i]));
    if (!same) most = std::max(most, std::isnan(gap) ? HUGE_VAL : gap);
  }
  return most;
}

void OnePerStep::keep(Answer answer, const std::string& theirs, std::vector<std::string>& notes) {
  const Step& step = *truth_.find_named(answer.id);
  const auto [at, is_new] = given_.try_emplace(step.id, all_.size(), theirs);
  if (is_new) return all_.push_back(std::move(answer));
  auto& [place, name] = at->second;
  Answer& first = all_[place];
  const double between = largest_gap(answer, NumberSpan(first.numbers));
  const NumberSpan right = step.value.data();
  std::string dropped = theirs;
  if (largest_gap(answer, right) > largest_gap(first, right)) {
    first = std::move(answer);
    std::swap(dropped, name);
  }
  if (between > usual_tolerance(dtype_).relative * magnitude(truth_, step)) {
    notes.push_back(
        filled("not compared: {}, which is {}, too, and differs from {}", dropped, step.id, name));
  }
}

/// How many layers the names that are known are of.
std::size_t count_layers(const Answers& answers, const NameMap& map) {
  std::set<Index> layers;
  for (const Answer& each : answers.matrices) {
    const GeneralName name = general(each.id);
    if (name.layer && row_of(name.text) != nullptr && mapped(each.id, map) == nullptr)
      layers.insert(*name.layer);
  }
  return layers.size();
}

}  // namespace

bool is_name_of_others(const std::string& name, const NameMap& map) {
  return mapped(name, map) != nullptr || row_of(general(name).text) != nullptr;
}

Answers with_own_names(const Trace& truth, Answers answers, const NameMap& map,
                       NamesOfOthers& found) {
  const Places places(truth);
  if (!truth.is_model() && answers.by_program && count_layers(answers, map) > 1) {
    throw input_error(
        {.id = "no-answers",
         .what = answers.source + " has matrices of several layers, and this problem is one layer",
         .places = {{.file = answers.source}},
         .fix = "Leave out those of other layers."});
  }
  OnePerStep known(truth, answers.dtype);
  std::vector<Answer> others;
  std::vector<std::string> unknown;
  std::set<std::string> sources;
  for (Answer& each : answers.matrices) {
    GeneralName name = general(each.id);
    const std::string theirs = each.id;
    const auto keep = [&](Answer answer) {
      known.keep(std::move(answer), theirs, found.not_compared);
    };
    if (const std::string* ours = mapped(theirs, map)) {
      const Step* step = truth.find_named(with_layer(*ours, name));
      if (step == nullptr) throw missing_step(truth, with_layer(*ours, name));
      each.id = step->id;
      keep(std::move(each));
      continue;
    }
    const Step* same = answers.by_program ? find_unwrapped(truth, theirs) : nullptr;
    if (same != nullptr) {
      if (truth.find_named(theirs) == nullptr) each.id = same->id;
      keep(std::move(each));
      continue;
    }
    const NameRow* row = row_of(name.text);
    if (row == nullptr || !answers.by_program) {
      unknown.push_back(theirs);
      others.push_back(std::move(each));
      continue;
    }
    sources.insert(row->source);
    if (!truth.is_model()) name.layer.reset();
    const std::string_view ours = row->ours;
    if (ours == "@qkv") {
      const std::string ids[] = {places.id("q", name), places.id("k", name), places.id("v", name)};
      std::vector<Answer> parts = cut(each, truth, ids);
      if (parts.empty()) unknown.push_back(theirs);
      for (Answer& part : parts) keep(std::move(part));
      continue;
    }
    bool placed = ours.empty();
    for (std::size_t begin = 0; begin < ours.size();) {
      const std::size_t end = std::min(ours.find(' ', begin), ours.size());
      const bool heads_last = ours[begin] == '~';
      const std::string id =
          places.id(std::string(ours.substr(begin + heads_last, end - begin - heads_last)), name);
      begin = end + 1;
      if (id.empty()) continue;
      Answer own = heads_last ? with_heads_first(std::move(each)) : std::move(each);
      own.id = id;
      const Shape& shape = truth.value(id).shape();
      const std::optional<Answer> flat = in_columns(own);
      if (!has_shape(own, shape) && flat && has_shape(*flat, shape)) own = *flat;
      keep(std::move(own));
      placed = true;
      break;
    }
    if (!placed) unknown.push_back(theirs);
  }
  answers.matrices = std::move(known).all();
  found.lens = sources.contains(kLens);
  if (sources.empty()) {
    std::move(others.begin(), others.end(), std::back_inserter(answers.matrices));
    return answers;
  }
  found.notes.push_back("names of " + together({sources.begin(), sources.end()}) +
                        " are read as those of attn's steps");
  if (!unknown.empty()) found.not_compared.push_back("not compared: " + listed(unknown));
  return answers;
}

}  // namespace attn
