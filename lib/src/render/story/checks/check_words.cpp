// Phrases for tolerances, axes, places and facts, and whether two steps have one cause.
#include "render/story/checks/check_words.hpp"

#include <string_view>
#include <utility>
#include <variant>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/check_report.hpp"
#include "attn/teach/mistakes.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/cells/cell_remarks.hpp"
#include "render/story/cells/worked_cell.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

/// Words for facts whose names are no settings of a problem.
std::string fact_name(const std::string& name) {
  constexpr std::pair<std::string_view, const char*> kWords[] = {
      {"factor", in_catalogue("factor")},
      {"fill", in_catalogue("fill")},
      {"made", in_catalogue("comes out as")},
      {"printed", in_catalogue("printed")},
      {"missed", in_catalogue("missed")}};
  for (const auto& [known, words] : kWords) {
    if (known == name) return translated(words);
  }
  return name;
}

/// Whether a code that several steps share means one cause. Each slip, and each piece of evidence,
/// has its own.
bool is_one_cause(const std::string& code) {
  if (code.starts_with("rounding.") || code == "shape.heads") return true;
  return find_mistake(code) != nullptr && !code.starts_with("slip.");
}

}  // namespace

std::string tolerance_text(const Tolerance& t) {
  if (t.relative > 0.0)
    return translated("±{number} times the largest number",
                      with_decimal_mark(format_exact(t.relative)));
  return with_decimal_mark("±" + format_exact(t.absolute));
}

std::string by_hand_text(const StepReport& step) {
  if (step.excused) return translated("excused");
  return translated("{points} by hand", step.max_score == 0.0  // dropped
                                            ? points_text(step.score)
                                            : points_text(step.score, step.max_score));
}

bool same_cause(const StepReport& a, const StepReport& b) {
  return !a.findings.empty() && !b.findings.empty() &&
         a.findings.front().code == b.findings.front().code &&
         is_one_cause(a.findings.front().code);
}

std::string placed(const Diagnostic& d) {
  if (d.places.empty()) return translated_sentence(d.what);
  const Place& place = d.places.front();
  std::string where = place.file;
  if (place.line > 0)
    where += ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  return labelled(where, translated_sentence(d.what));
}

std::string follows_text(std::ptrdiff_t cells) {
  return translated(
      cells == 1 ? "{n} follows from your earlier steps" : "{n} follow from your earlier steps",
      cells);
}

std::string axes_text(const Step& step) {
  const Shape& s = step.value.shape();
  std::vector<std::string> parts;
  if (s.batch) parts.push_back(translated_count(*s.batch, "batch entry"));
  if (s.heads) parts.push_back(translated_count(*s.heads, "head"));
  parts.push_back(rows_text(step));
  parts.push_back(columns_text(step));
  return separated(parts, translated(", "));
}

std::string place_of(std::string row, const Step& step, const Cell& cell) {
  if (step.value.heads() > 1) row = translated("{name} in {head}", row, head_text(step, cell));
  if (step.value.batch() > 1) row = translated("{name} in batch entry {n}", row, cell.batch);
  return row;
}

std::string facts_text(const std::vector<Fact>& facts) {
  std::vector<std::string> texts;
  for (const Fact& fact : facts) {
    const auto* number = std::get_if<double>(&fact.value);
    texts.push_back(fact_name(fact.name) + " " +
                    (number ? short_number(*number, 3) : std::get<std::string>(fact.value)));
  }
  return texts.empty() ? "" : translated(" Here: {facts}.", comma_joined(texts));
}

std::string place_text(const std::string& where) {
  if (where.empty()) return "";
  if (where == "*") return translated("in all layers alike");
  return translated(where.find('*') == where.npos ? "only in {place}" : "in every layer: {place}",
                    where);
}

}  // namespace attn
