// Writes sheets as JSON, with their seals.
#include <cmath>

#include "attn/sheet_file.hpp"
#include "attn/tool/phrases.hpp"
#include "core/text/sha256.hpp"
#include "io/classroom/sheet_parts.hpp"
#include "io/json/writer.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

using json::Fields;
using json::kStep;
using json::Text;

/// Blanks are null; there is no −0 on a sheet.
Text cell_text(double x) { return std::isnan(x) ? "null" : json::number_text(x + 0.0); }

Text answers_text(const Sheet& sheet, bool emptied) {
  Fields fields;
  for (const SheetStep& step : sheet.steps) {
    Array array{step.shape, step.numbers};
    for (std::size_t i = 0; i < array.data.size(); ++i) {
      if (emptied && step.blank[i] != 0) array.data[i] = std::nan("");
    }
    fields.emplace_back(step.id, json::array_text(array, 2 * kStep, cell_text));
  }
  return fields.empty() ? "{}" : json::object_lines(fields, kStep);
}

Text blanks_text(const Sheet& sheet) {
  Fields fields;
  for (const SheetStep& step : sheet.steps) {
    const Array array{step.shape, {step.blank.begin(), step.blank.end()}};
    fields.emplace_back(step.id, json::array_text(array, 2 * kStep));
  }
  return fields.empty() ? "{}" : json::object_lines(fields, kStep);
}

Text points_text(const Sheet& sheet) {
  Fields fields;
  for (const SheetStep& step : sheet.steps) {
    if (step.points > 0.0) fields.emplace_back(step.id, json::number_text(step.points));
  }
  if (sheet.bug) fields.emplace_back(kBug, json::number_text(sheet.bug_points));
  return json::object_text(fields);
}

Text bug_text(const std::optional<BugAnswer>& bug) {
  if (!bug) return "";
  const auto text = [](const std::optional<std::string>& word) {
    return word ? json::quoted(*word) : "null";
  };
  return json::object_text({{"first_wrong", text(bug->first_wrong)}, {"code", text(bug->code)}});
}

Text problem_text(const Sheet& sheet) {
  const Text text = json::object_lines(written_keys("", sheet.problem, 2 * kStep), kStep);
  return text.empty() ? "{}" : text;
}

/// What the student has to do.
std::string instructions(const Sheet& sheet) {
  if (sheet.bug)
    return "One mistake is built into \"answers\". Write the id of the first wrong step and the "
           "code "
           "of the mistake over the nulls of \"bug\", and change nothing else. Codes: attn "
           "exercise "
           "rules.";
  return "Write a number over each null in \"answers\", rounded to " +
         counted(sheet.decimals, "decimal") + ", and change nothing else.";
}

std::string fingerprint(const Text& text) {
  return "sha256:" + hex(sha256(json::compact_text(json::parse(text, "").root)));
}

}  // namespace

std::string sheet_seal(const Sheet& sheet) {
  return fingerprint(json::object_text({{"exercise", json::quoted(sheet.exercise)},
                                        {"student", json::quoted(sheet.student)},
                                        {"variant", json::quoted(sheet.variant)},
                                        {"problem", problem_text(sheet)},
                                        {"answers", answers_text(sheet, true)},
                                        {"blanks", blanks_text(sheet)},
                                        {"points", points_text(sheet)}}));
}

std::string problem_hash(const Sheet& sheet) { return fingerprint(problem_text(sheet)); }

std::string sheet_json(const Sheet& sheet) {
  return json::object_lines({{"format", json::quoted(kSheetFormat)},
                             {"format_version", json::quoted("1.0")},
                             {"instructions", json::quoted(instructions(sheet))},
                             {"exercise", json::quoted(sheet.exercise)},
                             {"student", json::quoted(sheet.student)},
                             {"variant", json::quoted(sheet.variant)},
                             {"decimals", std::to_string(sheet.decimals)},
                             {"accept_within", json::number_text(sheet.accept_within)},
                             {"problem", problem_text(sheet)},
                             {"answers", answers_text(sheet, false)},
                             {"bug", bug_text(sheet.bug)},
                             {"blanks", blanks_text(sheet)},
                             {"points", points_text(sheet)},
                             {"seal", json::quoted(sheet_seal(sheet))}},
                            0) +
         "\n";
}

}  // namespace attn
