// Writes sheets as JSON, with their seals.
#include <algorithm>
#include <cmath>

#include "attn/io/sheet_file.hpp"
#include "attn/language.hpp"
#include "core/text/sha256.hpp"
#include "io/classroom/sheet_parts.hpp"
#include "io/classroom/spec_fields.hpp"
#include "io/json/writer.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

using json::Layout;
using json::Writer;

/// Blanks are null; there is no −0 on a sheet.
char* put_cell(char* at, double x) {
  return std::isnan(x) ? std::copy_n("null", 4, at) : json::put_number(at, x + 0.0);
}

void write_answers(Writer& out, const Sheet& sheet, bool emptied) {
  out.key("answers").object(Layout::Lines, [&] {
    for (const SheetStep& step : sheet.steps) {
      Array array{step.shape, step.numbers};
      for (std::size_t i = 0; i < array.data.size(); ++i) {
        if (emptied && step.blank[i] != 0) array.data[i] = std::nan("");
      }
      out.key(step.id).array(array, put_cell);
    }
  });
}

void write_blanks(Writer& out, const Sheet& sheet) {
  out.key("blanks").object(Layout::Lines, [&] {
    for (const SheetStep& step : sheet.steps)
      out.key(step.id).array({step.shape, {step.blank.begin(), step.blank.end()}});
  });
}

void write_points(Writer& out, const Sheet& sheet) {
  out.key("points").object([&] {
    for (const SheetStep& step : sheet.steps) {
      if (step.points > 0.0) out.add(step.id, step.points);
    }
    if (sheet.bug) out.add(kBug, sheet.bug_points);
  });
}

void write_problem(Writer& out, const Sheet& sheet) {
  out.object(Layout::Lines, [&] { write_keys(out, "", sheet.problem); });
}

void write_name(Writer& out, const Sheet& sheet) {
  out.add("exercise", sheet.exercise).add("student", sheet.student).add("variant", sheet.variant);
}

/// Of the object whose members write(out) adds, in its one spelling.
template <class Write>
std::string fingerprint(Write write) {
  Writer out(json::Spacing::Canonical);
  return "sha256:" + hex(sha256(out.object([&] { write(out); }).text()));
}

}  // namespace

std::string left_out_text(const Sheet& sheet) {
  const std::optional<Array>& v = sheet.problem.v;
  return sheet.bug && v ? translated("Q and K are left out; each has {columns}. ",
                                     translated_count(v->shape.back(), "column"))
                        : "";
}

std::string usual_instructions(const Sheet& sheet) {
  const LanguageInUse language(language_of(sheet.language));
  if (!sheet.bug) {
    const bool checks = sheet.self_check != "off";
    const std::string decimals = translated_count(sheet.decimals, "decimal");
    return (sheet.inverse
                ? translated("Write a number over each null in \"answers\", rounded to {decimals}, "
                             "so that the printed matrices come out (whatever fits is right), and "
                             "change nothing else. ",
                             decimals)
                : translated("Write a number over each null in \"answers\", rounded to {decimals}, "
                             "and change nothing else. ",
                             decimals)) +
           (sheet.decimal_comma ? translated("Write 0.5, or \"0,5\" in quotation marks. ") : "") +
           (checks ? translated("To check it: attn check and the name of this file. ") : "") +
           translated("Hand in this file.");
  }
  return translated("One mistake is built into \"answers\". ") + left_out_text(sheet) +
         translated(
             "Write the name of the first wrong step and the code of the mistake over the nulls of "
             "\"bug\", change nothing else, and hand in this file. Codes: attn exercise rules.");
}

std::string sheet_seal(const Sheet& sheet) {
  return fingerprint([&](Writer& out) {
    write_name(out, sheet);
    write_problem(out.key("problem"), sheet);
    write_answers(out, sheet, true);
    write_blanks(out, sheet);
    write_points(out, sheet);
  });
}

std::string problem_hash(const Sheet& sheet) {
  return fingerprint([&](Writer& out) { write_keys(out, "", sheet.problem); });
}

std::string sheet_json(const Sheet& sheet) {
  return json::file_text(Layout::Lines, [&](Writer& out) {
    out.add("format", kSheetFormat).add("format_version", "1.0");
    out.add("instructions",
            sheet.instructions.empty() ? usual_instructions(sheet) : sheet.instructions);
    write_name(out, sheet);
    out.add("decimals", sheet.decimals).add("accept_within", sheet.accept_within);
    if (!sheet.self_check.empty()) out.add("self_check", sheet.self_check);
    if (sheet.decimal_comma) out.add("decimal_mark", "comma");
    if (!sheet.language.empty()) out.add("language", sheet.language);
    write_own_texts(out, sheet.mistake_texts);
    if (sheet.inverse) out.add("inverse", true);
    write_problem(out.key("problem"), sheet);
    write_answers(out, sheet, false);
    if (sheet.bug) {
      out.key(kBug).object(
          [&] { out.add("first_wrong", sheet.bug->first_wrong).add("code", sheet.bug->code); });
    }
    write_blanks(out, sheet);
    write_points(out, sheet);
    out.add("seal", sheet_seal(sheet));
  });
}

}  // namespace attn
