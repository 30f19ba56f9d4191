// Adds the parts of a lesson.
#include "teach/lessons/telling.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/tensor/dtype.hpp"
#include "teach/lessons/lesson_settings.hpp"
#include "teach/lessons/lesson_value.hpp"

namespace attn {
namespace {

/// "one-head.json" for "01-one-head".
std::string file_of_sample(const std::string& name) { return name.substr(3) + ".json"; }

/// Digit for digit; NaN is NaN.
bool same_numbers(const Tensor& a, const Tensor& b) {
  return std::equal(a.data().begin(), a.data().end(), b.data().begin(), b.data().end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

/// How many decimals "-0.03" has; nothing for text other than a plain number.
std::optional<std::size_t> decimals_of(std::string_view cell) {
  if (cell.starts_with('-')) cell.remove_prefix(1);
  if (cell.empty() || cell.find_first_not_of("0123456789.") != cell.npos) return std::nullopt;
  const std::size_t point = cell.find('.');
  return point == cell.npos ? 0 : cell.size() - point - 1;
}

/// Adds zeros, so that all plain numbers of a column have the same number of decimals.
void align_decimals(Table& table, std::size_t column) {
  std::size_t most = 0;
  for (const auto& row : table.rows) most = std::max(most, decimals_of(row[column]).value_or(0));
  for (auto& row : table.rows) {
    std::string& cell = row[column];
    const std::size_t decimals = decimals_of(cell).value_or(most);
    if (decimals == most) continue;
    cell += (decimals == 0 ? "." : "") + std::string(most - decimals, '0');
  }
}

}  // namespace

ProblemDraft draft_of_sample(const std::string& name) {
  const auto all = samples();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Sample& each) { return each.name == name; });
  if (found == all.end()) throw LessonFault{"there is no sample \"" + name + "\""};
  return parse_problem(found->text, name).draft;
}

Telling::Telling(const Lesson& lesson, const LessonOptions& options)
    : lesson_(lesson), options_(options) {
  draft_ = options.problem ? *options.problem : draft_of_sample(lesson.sample);
  needs(!is_own() || !draft_.model, "a single attention layer, not a whole model");
  const bool drains = draft_.sinks || draft_.weights.contains("sinks");
  needs(!is_own() || !(drains || draft_.weights.contains("w_gate")),
        "a problem without sinks or gates");
  needs(!is_own() || (draft_.score == ScoreKind::Dot && draft_.normalize == NormalizeKind::Softmax),
        "softmax of dot products");
  dtype_ = std::exchange(draft_.dtype, Dtype::Float64);
  if (dtype_ == Dtype::Float64) return;
  say(std::string("The numbers of this problem are ") +
      kDtypeNames[static_cast<std::size_t>(dtype_)] +
      ". Wherever it names no type, the lesson computes in float64: it is about attention, not "
      "about rounding.");
}

void Telling::table(Table table) {
  for (std::size_t j = table.texts; j < table.header.size(); ++j) align_decimals(table, j);
  parts_.emplace_back(std::move(table));
}

void Telling::show(const std::shared_ptr<const Trace>& trace, const std::vector<std::string>& steps,
                   View view) {
  view.precision = options_.precision;
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(view.steps),
               [&](const std::string& id) { return trace->find(id) != nullptr; });
  if (!view.steps.empty()) parts_.emplace_back(ShownSteps{trace, std::move(view)});
}

void Telling::beside(const std::shared_ptr<const Trace>& trace, const std::string& step,
                     const std::string& caption, View view) {
  view.precision = options_.precision;
  view.steps = {step};
  view.only = true;
  parts_.emplace_back(ShownSteps{trace, std::move(view), caption});
}

/// Whether the problem, changed as "--mask causal" or "--left scale=none" say, has other weights or
/// another output; if the command changes nothing, whether it can be computed.
bool Telling::is_worth_trying(const std::string& command) const {
  ProblemDraft given = draft_;
  given.dtype = dtype_;
  ProblemDraft changed = given;
  bool changes = false;
  std::istringstream words(command);
  try {
    for (std::string word, option; words >> word; option = word) {
      if (option == "--left" || option == "--right") {  // "mask=causal,fill=-10"
        std::replace(word.begin(), word.end(), ',', ' ');
        apply_settings(changed, word);
        changes = true;
      } else if (option.starts_with("--")) {
        changes = apply_option(changed, option.substr(2), word) || changes;
      }
    }
    const Trace a = attend(make_problem(given)), b = attend(make_problem(changed));
    return !changes || !same_numbers(a.value("output"), b.value("output")) ||
           !same_numbers(a.last_weights()->value, b.last_weights()->value);
  } catch (const Error&) {
    return false;
  }
}

void Telling::suggest(const std::string& command, const std::string& says) {
  const bool built_in = !options_.problem && lesson_.sample == samples()[0].name;
  const std::string file = built_in           ? ""
                           : options_.problem ? options_.file
                                              : file_of_sample(lesson_.sample);
  const std::size_t place = command.find(" {}");
  if (place != command.npos && is_own() && !is_worth_trying(command)) return;
  if (place != command.npos && !built_in && !options_.problem && !saved_) {
    parts_.emplace_back(Try{"attn new --sample " + lesson_.sample + " -o " + file,
                            translated("as a file, unless it is there")});
    saved_ = true;
  }
  std::string filled = command;
  if (place != command.npos) filled.replace(place, 3, file.empty() ? "" : " " + file);
  if (options_.problem && command.starts_with("lesson " + lesson_.name))
    filled += " --problem " + file;
  parts_.emplace_back(Try{"attn " + filled, says});
}

std::string Telling::number(double x) const {
  if (!std::isfinite(x)) return format_exact(x);
  const double vanishes = 0.5 * std::pow(10.0, -options_.precision);
  const bool scientific = x != 0.0 && (std::abs(x) >= 1e6 || std::abs(x) < vanishes);
  return scientific ? format_scientific(x, options_.precision)
                    : format_trimmed(x + 0.0, options_.precision);  // + 0: never −0
}

std::string Telling::share(double x) const { return format_fixed(x, options_.precision); }

void Telling::needs(bool fits, const std::string& what) const {
  if (fits) return;
  throw input_error({.id = "lesson-problem",
                     .what = "the lesson \"" + lesson_.name + "\" needs " + what,
                     .fix = "Try it on another problem, or without one of your own."});
}

std::string quoted_token(const std::string& token) {
  return language_code() == "en" ? "'" + token + "'" : translated("\"{name}\"", token);
}

bool is_close(double a, double b, double tolerance) {
  return a == b || std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

std::vector<LessonPart> tell(const Lesson& lesson, const LessonOptions& options) {
  Telling telling(lesson, options);
  perform(*lesson.script, telling);
  return telling.take();
}

}  // namespace attn
