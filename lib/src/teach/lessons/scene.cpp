// Finds what the names of a lesson mean.
#include "teach/lessons/scene.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "attn/attend.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/problem_options.hpp"
#include "attn/suggest.hpp"
#include "teach/lessons/backwards.hpp"
#include "teach/lessons/lesson_settings.hpp"

namespace attn {
namespace {

/// Steps whose id depends on the problem.
struct LooseStep {
  std::string_view name;
  const Step* (*find)(const Trace& trace);
};
constexpr std::array kLooseSteps{
    LooseStep{"mixed", [](const Trace& t) { return &mixed_step(t); }},
    LooseStep{"values", [](const Trace& t) { return &t.input(mixed_step(t), 1); }},
    LooseStep{"unmasked_scores", [](const Trace& t) { return &t.input(t.at("masked_scores"), 0); }},
    LooseStep{"final_weights", [](const Trace& t) { return t.last_weights(); }},
    LooseStep{"softmax_scores", [](const Trace& t) { return &seen_by_softmax(t); }},
};

/// Sizes and settings that are numbers.
struct Fact {
  std::string_view name;
  double (*of)(const Settings& settings);
};
constexpr std::array kFacts{
    Fact{"d_k", [](const Settings& s) { return static_cast<double>(s.d_k); }},
    Fact{"d_v", [](const Settings& s) { return static_cast<double>(s.d_v); }},
    Fact{"d_model", [](const Settings& s) { return static_cast<double>(s.d_model.value_or(0)); }},
    Fact{"heads", [](const Settings& s) { return static_cast<double>(s.heads); }},
    Fact{"n_keys", [](const Settings& s) { return static_cast<double>(s.n_keys); }},
    Fact{"n_queries", [](const Settings& s) { return static_cast<double>(s.n_queries); }},
    Fact{"scale", [](const Settings& s) { return s.scale.number; }},
};

/// Roles: places in the row that is followed.
struct RoleOfKeys {
  std::string_view name;
  bool visible;
};
constexpr std::array kRolesOfKeys{RoleOfKeys{"visible", true}, RoleOfKeys{"hidden", false}};

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
    if (!row_text_.empty()) {
      const double query = one_number(value(row_text_));
      if (!(query >= 0 && query < static_cast<double>(trace()->settings().n_queries)))
        throw LessonFault{"there is no query " + format_exact(query), "Queries count from 0."};
      row_ = row(static_cast<Index>(query));
    }
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
  return computed_as(changed(settings), settings_ + " " + expanded(settings));
}

void Scene::name_settings(std::string_view name, std::string_view settings) {
  const std::string_view base = settings.substr(0, settings.find(' '));
  if (base == name)
    throw LessonFault{"the settings of " + std::string(name) + " begin with itself"};
  names_.insert_or_assign(std::string(name), Defined{std::string(settings)});
}

void Scene::name_value(std::string_view name, LessonValue value) {
  names_.insert_or_assign(std::string(name), Defined{{}, std::move(value)});
}

LessonValue Scene::value(std::string_view expression, std::string_view* at) {
  std::string_view rest = expression;
  try {
    LessonValue found = calculate(*this, rest);
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

std::string Scene::text(std::string_view expression) {
  const std::string_view name = trimmed(expression);
  if (name == "file") return "{}";
  if (name == "row") return row().token;
  if (name == "each" && each && each_is_key) return row().keys.at(static_cast<std::size_t>(*each));
  for (const RoleOfKeys& role : kRolesOfKeys) {
    if (role.name != name) continue;
    std::vector<std::string> tokens;
    for (const double key : keys_of(row(), role.visible))
      tokens.push_back(row().keys[static_cast<std::size_t>(key)]);
    return listed(tokens);
  }
  return text_of_value(value(expression));
}

std::string Scene::filled_in(std::string_view text, bool exact) {
  std::string filled = with_braces(text, [&](std::string_view brace) {
    const LessonValue found = exact ? value(brace) : LessonValue();
    if (!exact) return this->text(brace);
    return std::holds_alternative<Tensor>(found) ? format_exact(one_number(found)) : text_of(found);
  });
  for (std::size_t at = filled.find("\\{"); at != filled.npos; at = filled.find("\\{", at + 1))
    filled.erase(at, 1);
  return filled;
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
  if (name == "row") return number_value(static_cast<double>(row().cell.row));
  if (name == "each" && each) return number_value(*each);
  if (name == "pi") return number_value(std::numbers::pi);
  if (name == "last") return number_value(static_cast<double>(trace()->settings().n_queries - 1));
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
    if (id == std::string(loose.name) + ".grad") return trace.find(loose.find(trace)->id + ".grad");
  }
  return trace.find(id);
}

const Step& Scene::step(const std::string& name, SharedTrace* of) {
  std::string rest = name;
  *of = trace_in(rest);
  if (const Step* found = find_step(**of, rest)) return *found;
  throw LessonFault{
      "there is no step \"" + rest + "\" in this computation" + did_you_mean(rest, step_ids()),
      "attn explain lists the steps of a problem."};
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
