// Steps under the names of other programs: a table, and where in a model each name belongs.
#include <algorithm>
#include <iterator>
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
#include "teach/check/module_steps.hpp"
#include "teach/check/one_per_step.hpp"

namespace attn {
namespace {

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

/// The step of a single attention that a dump of a whole model names with its layer:
/// "layers.0.self_attn.weights"; nullptr: none.
const Step* find_in_layer(const Trace& truth, const GeneralName& name) {
  if (truth.is_model() || !name.layer || name_row_of(name.text) != nullptr) return nullptr;
  return truth.find(std::string_view(name.text).substr(name.text.rfind('.') + 1));
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
  const Step* found = name.layer ? nullptr : truth_.find(word);
  if (found != nullptr) return found->id;
  for (const StepList* part : {&truth_.steps, &truth_.givens}) {
    for (const Step& step : *part) {
      if (step.local_id() != word || !is_in(step, name, name.layer)) continue;
      const std::string module = place_of(*step.scope).module;
      const bool named = !module.empty() && name.text.find("." + module) != name.text.npos;
      if (found == nullptr || named) found = &step;
    }
  }
  return found == nullptr ? "" : found->id;
}

/// The columns of steps that one module makes side by side.
std::vector<Answer> cut(const Answer& packed, const Trace& truth,
                        const std::vector<std::string>& ids) {
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

/// How many layers the names that are known are of.
std::size_t count_layers(const Trace& truth, const Answers& answers, const NameMap& map) {
  std::set<Index> layers;
  for (const Answer& each : answers.matrices) {
    const GeneralName name = general(each.id);
    const bool named = name_row_of(name.text) != nullptr || find_in_layer(truth, name) != nullptr;
    if (name.layer && named && mapped(each.id, map) == nullptr) layers.insert(*name.layer);
  }
  return layers.size();
}

/// Whether an answer with the name of a step is what a module of that name makes: other names are
/// within it, or it has not the shape of the weights.
bool is_module_of(const std::set<std::string>& names, const Answer& answer, const Step& same) {
  const auto within = names.lower_bound(answer.id + ".");
  const bool contains = within != names.end() && within->starts_with(answer.id + ".");
  return contains || (same.is_given() && std::ssize(answer.numbers) != same.value.shape().count());
}

constexpr const char* kPacked[] = {"q", "k", "v"};
constexpr const char* kHalves[] = {"linear1", "linear3", nullptr};

}  // namespace

bool is_name_of_others(const std::string& name, const NameMap& map) {
  return mapped(name, map) != nullptr || is_module(general(name).text);
}

Answers with_own_names(const Trace& truth, Answers answers, const NameMap& map,
                       NamesOfOthers& found) {
  const Places places(truth);
  if (!truth.is_model() && answers.by_program && count_layers(truth, answers, map) > 1) {
    throw input_error(
        {.id = "no-answers",
         .what = answers.source + " has matrices of several layers, and this problem is one layer",
         .places = {{.file = answers.source}},
         .fix = "Leave out those of other layers."});
  }
  OnePerStep known(truth, answers.dtype);
  std::vector<Answer> others;
  std::vector<std::string> unknown;
  std::set<std::string> sources, names;
  for (const Answer& each : answers.matrices) names.insert(each.id);
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
    if (same == nullptr && answers.by_program) same = find_in_layer(truth, name);
    if (same != nullptr && !(truth.is_model() && is_module_of(names, each, *same))) {
      if (truth.find_named(theirs) == nullptr) each.id = same->id;
      keep(std::move(each));
      continue;
    }
    const std::optional<NameRow> row = row_of_module(truth.model, name.text);
    if (!row || !answers.by_program) {
      unknown.push_back(theirs);
      others.push_back(std::move(each));
      continue;
    }
    sources.insert(row->source);
    if (!truth.is_model()) name.layer.reset();
    const std::string_view ours = row->ours;
    if (ours == "@qkv" || ours == "@halves") {
      std::vector<std::string> ids;
      for (const char* word : ours == "@qkv" ? kPacked : kHalves)
        if (word != nullptr) ids.push_back(places.id(word, name));
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
