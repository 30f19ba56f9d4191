// Reads sheets, empty or filled in.
#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "attn/io/sheet_file.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/trace.hpp"
#include "io/answers/answer_cell.hpp"
#include "io/answers/answers_json.hpp"
#include "io/classroom/sheet_parts.hpp"
#include "io/classroom/spec_fields.hpp"
#include "io/json/read_object.hpp"
#include "io/json/writer.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

using json::Value;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// What is in a sheet, before its parts are put together.
struct Parts {
  Sheet sheet;
  SourceMap places;  // of the whole file
  std::vector<Answer> answers;
  std::vector<std::pair<std::string, Array>> blanks;
  std::map<std::string, double> points;
  std::string seal;
  bool commas = false;  // whether decimals in answers may have them
};

/// Throws Error: ids "wrong-type" for what is no object, "too-large" for one of too many steps.
const json::Members& members_of(const Value& object, const char* example) {
  const auto* members = std::get_if<json::Members>(&object.node.value);
  if (members != nullptr && members->size() > kMostMatrices)
    throw too_many_matrices(members->size(), {.pointer = object.pointer});
  if (members != nullptr) return *members;
  throw json::wrong_type(object.file, object.pointer, std::string("an object such as ") + example,
                         "Write the steps and their values in braces.");
}

/// Calls read(name, value) for each member that is not a comment.
template <class Read>
void for_each_member(const Value& object, const char* example, Read read) {
  for (const json::Member& member : members_of(object, example)) {
    if (member.key.starts_with('_') || member.key.starts_with('$')) continue;
    read(member.key,
         Value{object.file, member.value, json::child_pointer(object.pointer, member.key)});
  }
}

double number_from(const Value& value, double least, const char* what) {
  const double number = json::read_number(value);
  if (number >= least) return number;
  throw json::wrong_type(value.file, value.pointer, what, "Write a number such as 1.");
}

/// Text or a number as text, or nothing where the answer is a blank.
std::optional<std::string> read_word(const Value& value) {
  if (std::holds_alternative<std::nullptr_t>(value.node.value)) return std::nullopt;
  if (const auto* number = std::get_if<double>(&value.node.value))
    return json::number_text(*number);
  const std::string_view word = trimmed(json::read_text(value));
  if (read_answer_cell(word).state == CellState::Empty) return std::nullopt;
  return std::string(word);
}

constexpr json::Key<BugAnswer> kBugKeys[] = {
    {"first_wrong", [](const Value& v, BugAnswer& bug) { bug.first_wrong = read_word(v); }},
    {"code", [](const Value& v, BugAnswer& bug) { bug.code = read_word(v); }},
};

constexpr json::Key<Parts> kSheetKeys[] = {
    {"format", [](const Value&, Parts&) {}},
    {"format_version", [](const Value& v, Parts&) { json::read_version(v); }},
    {"instructions", [](const Value& v, Parts& p) { p.sheet.instructions = json::read_text(v); }},
    {"self_check", [](const Value& v, Parts& p) { p.sheet.self_check = json::read_text(v); }},
    {"decimal_mark",
     [](const Value& v, Parts& p) {
       p.sheet.decimal_comma = read_decimal_mark(v) == DecimalMark::Comma;
     }},
    {"language",
     [](const Value& v, Parts& p) { p.sheet.language = language_of(json::read_text(v)).code; }},
    {"mistake_texts",
     [](const Value& v, Parts& p) { p.sheet.mistake_texts = read_own_texts(v, false); }},
    {"inverse", [](const Value& v, Parts& p) { p.sheet.inverse = json::read_flag(v); }},
    {"exercise", [](const Value& v, Parts& p) { p.sheet.exercise = json::read_text(v); }, true},
    {"student", [](const Value& v, Parts& p) { p.sheet.student = json::read_text(v); }, true},
    {"variant", [](const Value& v, Parts& p) { p.sheet.variant = json::read_text(v); }, true},
    {"decimals",
     [](const Value& v, Parts& p) { p.sheet.decimals = static_cast<int>(json::read_count(v, 0)); },
     true},
    {"accept_within",
     [](const Value& v, Parts& p) {
       p.sheet.accept_within = number_from(v, 0.0, "a number of at least 0");
     },
     true},
    {"problem", [](const Value& v, Parts& p) { read_keys(v, "", p.sheet.problem); }, true},
    {"answers",
     [](const Value& v, Parts& p) {
       members_of(v, R"({"scores": [[1, null]]})");
       p.answers = read_answers(v, p.places, nullptr, p.commas);
     },
     true},
    {"blanks",
     [](const Value& v, Parts& p) {
       for_each_member(v, R"({"scores": [[0, 1]]})", [&](const auto& id, const Value& matrix) {
         p.blanks.emplace_back(
             id, json::read_lists(matrix, {.smallest_rank = 2, .largest_rank = 4, .flags = true}));
       });
     },
     true},
    {"points",
     [](const Value& v, Parts& p) {
       for_each_member(v, R"({"scores": 5})", [&](const auto& id, const Value& points) {
         p.points[id] = number_from(points, 0.0, "points, a number of at least 0");
       });
     },
     true},
    {kBug,
     [](const Value& v, Parts& p) {
       read_object(v, kBugKeys, p.sheet.bug.emplace(), json::Unknown::Ignored);
     }},
    {"seal", [](const Value& v, Parts& p) { p.seal = json::read_text(v); }},
};

std::vector<Index> without_leading_ones(std::vector<Index> shape) {
  while (shape.size() > 2 && shape.front() == 1) shape.erase(shape.begin());
  return shape;
}

/// The matrix as it belongs on the sheet: what is printed becomes Given. One of another shape stays
/// as it is.
void mark_given(const SheetStep& step, Answer& answer) {
  if (without_leading_ones(answer.shape) != without_leading_ones(step.shape)) return;
  answer.shape = step.shape;
  answer.states.resize(step.blank.size(), CellState::Filled);
  for (std::size_t i = 0; i < step.blank.size(); ++i) {
    if (step.blank[i] == 0) answer.states[i] = CellState::Given;
  }
}

/// Whether a sheet asks for decimal commas, or its answers have them throughout.
bool has_commas(const json::Node& root) {
  const json::Node *mark = json::find(root, "decimal_mark"), *answers = json::find(root, "answers");
  const auto* word = mark == nullptr ? nullptr : std::get_if<std::string>(&mark->value);
  return (word != nullptr && decimal_mark_named(*word) == DecimalMark::Comma) ||
         (answers != nullptr && has_comma_texts(*answers));
}

/// How a name means a step.
enum class Named { ById, BySymbol, AsPeopleWrite };

/// Whether a matrix of that name is meant for a step in that way, or in a stricter one.
bool names(const std::string& name, const std::string& step, Named way) {
  const StepInfo* info = find_step_info(step);
  if (name == step || info == nullptr || way == Named::ById) return name == step;
  return way == Named::BySymbol ? name == info->symbol : is_name_of(name, *info);
}

}  // namespace

Answers answers_on(Sheet& sheet, Answers answers) {
  std::set<const Answer*> taken;
  for (const Named way : {Named::ById, Named::BySymbol, Named::AsPeopleWrite}) {
    for (SheetStep& step : sheet.steps) {
      const auto at =
          std::find_if(answers.matrices.begin(), answers.matrices.end(), [&](const Answer& each) {
            return !taken.contains(&each) && names(each.id, step.id, way);
          });
      const bool known = std::any_of(taken.begin(), taken.end(),
                                     [&](const Answer* each) { return each->id == step.id; });
      if (known || at == answers.matrices.end()) continue;
      taken.insert(&*at);
      at->id = step.id;
      mark_given(step, *at);
      if (at->shape == step.shape) step.numbers = at->numbers;
    }
  }
  return answers;
}

SheetFile parse_sheet(std::string_view bytes, const std::string& name, MemoryBudget budget,
                      DecimalMark mark) {
  const auto file =
      std::make_shared<json::Document>(json::parse(bytes, name, &budget, json::OddWords::Quoted));
  file->budget = &budget;
  Parts parts;
  parts.places = SourceMap(file);
  const double text = budget.used;
  parts.commas = mark == DecimalMark::Auto ? has_commas(file->root) : mark == DecimalMark::Comma;
  try {
    read_object({*file, file->root, ""}, kSheetKeys, parts, json::Unknown::Ignored, "a sheet");
    constexpr double kAsText = 4.0;  // the seal is made from arrays as text, and of a copy of them
    budget.take_bytes(kAsText * (budget.used - text), "/problem");
  } catch (const Error& error) {
    throw parts.places.locate(error);
  }
  file->budget = nullptr;
  Sheet& sheet = parts.sheet;
  sheet.problem.max_memory = budget.limit;
  if (sheet.bug) sheet.bug_points = parts.points[kBug];
  if (sheet.instructions == usual_instructions(sheet)) sheet.instructions.clear();
  for (auto& [id, blank] : parts.blanks) {
    sheet.steps.push_back({.id = id,
                           .shape = blank.shape,
                           .points = parts.points[id],
                           .numbers = std::vector<double>(blank.data.size(), kNan),
                           .blank = {blank.data.begin(), blank.data.end()}});
  }
  Answers answers = answers_on(sheet, {.source = name, .matrices = std::move(parts.answers)});
  const bool seal_fits = parts.seal == sheet_seal(sheet);
  return {std::move(sheet), SourceMap(file, "/problem"), std::move(answers), seal_fits,
          std::move(parts.seal)};
}

}  // namespace attn
