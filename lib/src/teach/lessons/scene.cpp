// Finds what the names of a lesson mean.
#include "teach/lessons/scene.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include "attn/attend.hpp"
#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/problem_options.hpp"
#include "attn/suggest.hpp"
#include "core/operations/positions/rope_frequencies.hpp"
#include "core/trace/hidden_cells.hpp"
#include "teach/lessons/lesson_settings.hpp"

namespace attn {
namespace {

/// Steps whose id depends on the problem.
struct LooseStep {
  std::string_view name;
  const Step* (*find)(const Trace& trace);
};
constexpr LooseStep kLooseSteps[] = {
    {"mixed", [](const Trace& t) { return &mixed_step(t); }},
    {"values", [](const Trace& t) { return &t.input(mixed_step(t), 1); }},
    {"unmasked_scores", [](const Trace& t) { return &t.input(t.at("masked_scores"), 0); }},
    {"first_weights", [](const Trace& t) { return first_weights(t, t.attention()); }},
    {"final_weights", [](const Trace& t) { return t.last_weights(); }},
    {"softmax_scores", [](const Trace& t) { return &t.input(t.at("weights"), 0); }},
    {"queries", [](const Trace& t) { return &t.input(t.at("scores"), 0); }},
    {"keys", [](const Trace& t) { return &t.input(t.at("scores"), 1); }},
};

/// Sizes and settings that are numbers.
struct Fact {
  std::string_view name;
  double (*of)(const Settings& s);
};
constexpr Fact kFacts[] = {
    {"d_k", [](const Settings& s) { return double(s.d_k); }},
    {"d_v", [](const Settings& s) { return double(s.d_v); }},
    {"d_model", [](const Settings& s) { return double(s.d_model.value_or(0)); }},
    {"heads", [](const Settings& s) { return double(s.heads); }},
    {"n_keys", [](const Settings& s) { return double(s.n_keys); }},
    {"n_queries", [](const Settings& s) { return double(s.n_queries); }},
    {"scale", [](const Settings& s) { return s.scale.number; }},
};

/// What is true of the problem as it was given, or not.
struct ProblemFact {
  std::string_view name;
  bool (*of)(const ProblemDraft& d);
};
constexpr ProblemFact kProblemFacts[] = {
    {"has_vocabulary", [](const ProblemDraft& d) { return d.vocabulary.has_value(); }},
    {"has_positions", [](const ProblemDraft& d) { return d.positions.kind != PositionKind::None; }},
    {"has_embeddings", [](const ProblemDraft& d) { return !d.memory && !d.past && !d.q; }},
    {"one_sentence",
     [](const ProblemDraft& d) {
       const bool batch = d.embeddings && d.embeddings->shape.size() > 2;
       return !batch && d.tokens.size() < 2 && !d.q && (d.embeddings || !d.tokens.empty());
     }},
    {"adds_keys",
     [](const ProblemDraft& d) { return d.add_zero_attn || d.weights.contains("bias_k"); }},
    {"norm_after_rope", [](const ProblemDraft& d) { return d.qk_norm.after == QkNormAfter::Rope; }},
    {"angles_need_length",
     [](const ProblemDraft& d) {
       return d.positions.scaling && depends_on_length(*d.positions.scaling);
     }},
    {"masks_scores", [](const ProblemDraft& d) { return acts_before_softmax(d.masking); }},
    {"can_unmask", [](const ProblemDraft& d) { return !d.allowed && d.key_lengths.empty(); }},
};

/// Roles: places in the row that is followed.
struct RoleOfKeys {
  std::string_view name;
  bool visible;
};
constexpr RoleOfKeys kRolesOfKeys[] = {{"visible", true}, {"hidden", false}};

std::vector<double> keys_of(const Followed& row, bool visible) {
  std::vector<double> keys;
  for (std::size_t j = 0; j < row.keys.size(); ++j) {
    const bool seen = std::find(row.visible.begin(), row.visible.end(), j) != row.visible.end();
    if (seen == visible) keys.push_back(static_cast<double>(j));
  }
  return keys;
}

LessonFault no_such_step(const std::string& name) {
  const bool known = find_step_info(name) != nullptr;
  return {"this computation has no step \"" + name + "\"" +
              (known ? "" : did_you_mean(name, step_ids())),
          "attn explain lists the steps of a problem."};
}

std::optional<double> fact_of(const Trace& trace, std::string_view name) {
  for (const Fact& fact : kFacts) {
    if (fact.name == name) return fact.of(trace.attention().settings);
  }
  return std::nullopt;
}

}  // namespace

Scene::Scene(Telling& telling, std::string_view settings, std::string_view row)
    : telling_(telling), settings_(settings), row_text_(row) {}

const ProblemDraft& Scene::draft() {
  if (!draft_) {
    draft_ = telling_.draft();
    apply_settings(*draft_, filled_in(settings_, true));
  }
  return *draft_;
}

const SharedTrace& Scene::trace() {
  if (!trace_) trace_ = computed_with("");
  return trace_;
}

const Followed& Scene::row() {
  if (!row_) {
    row_ = followed(*trace());
    if (!row_text_.empty()) row_ = row(index_in(value(row_text_), trace()->settings().n_queries));
  }
  return *row_;
}

std::string Scene::expanded(std::string_view settings) {
  std::string text(trimmed(filled_in(settings, true)));
  const std::string first = text.substr(0, text.find(' '));
  const auto base = names_.find(first);
  if (base == names_.end() || !base->second.settings) return text;
  return expanded(*base->second.settings) + text.substr(first.size());
}

ProblemDraft Scene::changed(std::string_view settings) {
  ProblemDraft draft = this->draft();
  apply_settings(draft, expanded(settings));
  return draft;
}

SharedTrace Scene::computed_with(std::string_view settings) {
  if (++computed_ > 1000) throw LessonFault{"the lesson computes more than 1000 problems"};
  return computed_as(changed(settings), settings_ + " " + expanded(settings));
}

void Scene::define(std::string_view name, Defined defined) {
  const bool again = names_.contains(name) && !name.starts_with("expect");
  if (again) throw LessonFault{"the name \"" + std::string(name) + "\" is used twice"};
  names_.insert_or_assign(std::string(name), std::move(defined));
}

LessonValue Scene::value(std::string_view expression, std::string_view* at, bool* is_condition) {
  std::string_view rest = expression;
  const Nesting nesting(nested_, 40);
  try {
    LessonValue found = calculate(*this, rest, is_condition);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \n\t"), rest.size()));
    if (!rest.empty())
      throw LessonFault{"the expression ends before this",
                        "Values are joined by + - * / and compared by = == < >."};
    return found;
  } catch (const LessonFault&) {
    if (at != nullptr) *at = rest;
    throw;
  }
}

std::string Scene::text_of_value(const LessonValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  std::vector<std::string> numbers;
  for (const double x : numbers_of(value).data()) numbers.push_back(telling_.number(x));
  return listed(numbers);
}

std::string Scene::text(std::string_view expression, std::string_view* at) {
  const std::string_view name = trimmed(expression);
  if (name == "file") return "{}";
  if (name == "row") return row().token;
  if (name == "each" && each && each_is_key)
    return row().keys.at(static_cast<std::size_t>(whole_number(number_value(*each))));
  for (const RoleOfKeys& role : kRolesOfKeys) {
    if (role.name != name) continue;
    std::vector<std::string> tokens;
    for (const double key : keys_of(row(), role.visible))
      tokens.push_back(row().keys[static_cast<std::size_t>(key)]);
    return listed(tokens);
  }
  return text_of_value(value(expression, at));
}

std::string Scene::filled_in(std::string_view text, bool exact) {
  std::string filled = with_braces(text, [&](std::string_view brace) {
    const LessonValue found = exact ? value(brace) : LessonValue();
    if (!exact) return this->text(brace);
    return std::holds_alternative<Tensor>(found) ? format_exact(one_number(found)) : text_of(found);
  });
  for (std::size_t at = filled.find("\\{"); at != filled.npos; at = filled.find("\\{", at + 1))
    filled.erase(at, 1);
  return without_loose_spaces(std::move(filled));
}

SharedTrace Scene::trace_in(std::string& name) {
  const std::size_t dot = name.find('.');
  const std::string first = name.substr(0, dot);
  const auto found = names_.find(first);
  if (first == "problem") name = dot == name.npos ? "" : name.substr(dot + 1);
  if (found == names_.end()) return trace();
  Defined& defined = found->second;
  const bool is_step = defined.value && !std::holds_alternative<SharedTrace>(*defined.value);
  if (is_step) return trace();
  name = dot == name.npos ? "" : name.substr(dot + 1);
  if (!defined.value) {
    const std::string settings = *defined.settings;
    const SharedTrace made = computed_with(settings);
    found->second.value = made;
    return made;
  }
  return trace_of(*defined.value);
}

std::optional<LessonValue> Scene::named(const std::string& name) {
  if (name == "row") return number_value(row().cell.row);
  if (name == "each" && each) return number_value(*each);
  if (name == "pi") return number_value(std::numbers::pi);
  if (name == "is_own") return number_value(telling_.is_own());
  for (const ProblemFact& fact : kProblemFacts) {
    if (name == fact.name) return number_value(fact.of(telling_.draft()));
  }
  if (name == "last") return number_value(trace()->settings().n_queries - 1);
  for (const RoleOfKeys& role : kRolesOfKeys) {
    if (role.name == name) return list_value(keys_of(row(), role.visible));
  }
  const auto defined = names_.find(name);
  if (defined != names_.end() && defined->second.value) return *defined->second.value;
  std::string rest = name;
  const SharedTrace trace = trace_in(rest);
  if (rest.empty()) return trace;
  if (const Step* step = find_step(*trace, rest)) return step->value;
  if (const auto fact = fact_of(*trace, rest)) return number_value(*fact);
  return std::nullopt;
}

std::vector<std::string> Scene::known_names() {
  std::vector<std::string> names{"row", "visible", "hidden", "last", "each", "problem", "pi"};
  for (const auto& [name, defined] : names_) names.push_back(name);
  for (const auto& loose : kLooseSteps) names.emplace_back(loose.name);
  for (const Step* step : steps_and_givens(*trace())) names.push_back(step->id);
  return names;
}

LessonValue Scene::within(const SharedTrace& trace, const std::string& name) {
  if (const Step* step = find_step(*trace, name)) return step->value;
  if (const auto fact = fact_of(*trace, name)) return number_value(*fact);
  throw no_such_step(name);
}

const Step* Scene::find_step(const Trace& trace, const std::string& id) {
  for (const LooseStep& loose : kLooseSteps) {
    if (id == loose.name) return loose.find(trace);
    const Step* owner = id == std::string(loose.name) + ".grad" ? loose.find(trace) : nullptr;
    if (owner != nullptr) return trace.find(owner->id + ".grad");
  }
  return trace.find(id);
}

const Step& Scene::step(const std::string& name, SharedTrace* of) {
  std::string rest = name;
  *of = trace_in(rest);
  if (const Step* found = find_step(**of, rest)) return *found;
  throw no_such_step(rest);
}

const Step* Scene::step_if_any(const std::string& name, SharedTrace* of) {
  std::string rest = name;
  *of = trace_in(rest);
  const bool known = find_step_info(rest) != nullptr;
  return known && find_step(**of, rest) == nullptr ? nullptr : &step(name, of);
}

bool Scene::has_step(const std::string& name) {
  std::string rest = name;
  const SharedTrace trace = trace_in(rest);
  return find_step(*trace, rest) != nullptr;
}

}  // namespace attn
