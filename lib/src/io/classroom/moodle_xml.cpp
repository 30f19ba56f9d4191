// Writes sheets as Moodle's questions of type "cloze":
// https://docs.moodle.org/en/Embedded_Answers_(Cloze)_question_type
#include <algorithm>
#include <cmath>

#include "attn/attend.hpp"
#include "attn/tool/phrases.hpp"
#include "attn/tool/text.hpp"
#include "core/trace/axis_names.hpp"
#include "io/classroom/cloze_fields.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

/// <tag>text</tag>, in which the text is HTML or XML already.
std::string element(const std::string& tag, const std::string& inner) {
  return "<" + tag + ">" + inner + "</" + tag.substr(0, tag.find(' ')) + ">";
}

std::string cells(const std::string& tag, const std::vector<std::string>& inner) {
  std::string row;
  for (const std::string& each : inner) row += element(tag, each);
  return row;
}

std::string number_html(double x) {
  if (std::isinf(x)) return x < 0 ? "−∞" : "∞";
  return json::number_text(x + 0.0);
}

std::vector<std::string> escaped(std::vector<std::string> labels) {
  for (std::string& label : labels) label = html_text(label);
  return labels;
}

/// The matrices of a step as tables; `cell(i)` is the HTML of number i.
template <class CellHtml>
std::string tables(const Trace& trace, const Step& step, CellHtml cell) {
  const StepInfo& info = step.info();
  std::string html = html_text(step.is_given() ? info.symbol : formula_text(trace, step));
  html = element("p", element("b", html) + " (" + html_text(info.title) + ")");
  std::size_t i = 0;
  for (Index b = 0; b < step.value.batch(); ++b) {
    for (Index h = 0; h < step.value.heads(); ++h) {
      if (step.value.heads() > 1) html += element("p", "head " + std::to_string(h));
      std::string rows =
          element("tr", "<th></th>" + cells("th", escaped(col_names(step, b, h).names)));
      for (const std::string& label : escaped(row_names(step, b, h).names)) {
        std::string row = element("th", label);
        for (Index c = 0; c < step.value.cols(); ++c) row += element("td", cell(i++));
        rows += element("tr", row);
      }
      html += element("table border=\"1\"", rows);
    }
  }
  return html;
}

/// The two questions of "find the bug".
std::string bug_html(const ClozeQuestion& question, long weight) {
  std::vector<std::string> steps;
  for (const SheetStep& step : question.sheet.steps) steps.push_back(step.id);
  const BugAnswer& right = *question.key.bug;
  return element("p", "The first wrong step: " +
                          cloze_choice(steps, right.first_wrong.value_or(""), weight)) +
         element("p",
                 "The mistake: " + cloze_choice(question.codes, right.code.value_or(""), weight));
}

std::string question_html(const ClozeQuestion& question) {
  const Sheet& sheet = question.sheet;
  const Trace trace = attend(make_problem(sheet.problem));
  const ClozeWeights weights = cloze_weights(sheet);
  std::string html = element(
      "p", filled("{}, variant {}. Round to {}; ±{} is accepted.", html_text(sheet.exercise),
                  html_text(sheet.variant), counted(sheet.decimals, "decimal"),
                  json::number_text(sheet.accept_within)));
  for (const Step* step : steps_and_givens(trace)) {
    const auto asked = std::find_if(sheet.steps.begin(), sheet.steps.end(),
                                    [&](const SheetStep& each) { return each.id == step->id; });
    if (asked == sheet.steps.end()) {
      const NumberSpan numbers = step->value.data();
      if (step->is_given())
        html += tables(trace, *step, [&](std::size_t i) { return number_html(numbers[i]); });
      continue;
    }
    const auto s = static_cast<std::size_t>(asked - sheet.steps.begin());
    auto blank = question.blanks[s].begin();
    html += tables(trace, *step, [&](std::size_t i) {
      return asked->blank[i] == 0 ? number_html(asked->numbers[i])
                                  : cloze_field(*blank++, sheet, weights.steps[s]);
    });
  }
  return sheet.bug ? html + bug_html(question, weights.bug) : html;
}

std::string text_element(const std::string& tag, std::string_view text) {
  return "    " + element(tag, element("text", html_text(text))) + "\n";
}

}  // namespace

std::string moodle_xml(std::string_view category, const std::vector<ClozeQuestion>& questions) {
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n  <question type=\"category\">\n" +
      text_element("category", "$course$/" + std::string(category)) + "  </question>\n";
  for (const ClozeQuestion& question : questions) {
    const Sheet& sheet = question.sheet;
    const std::string name =
        sheet.exercise + (sheet.student.empty() ? "" : " " + sheet.student) + " " + sheet.variant;
    xml += "  <question type=\"cloze\">\n" + text_element("name", name) +
           text_element("questiontext format=\"html\"", question_html(question)) +
           "  </question>\n";
  }
  return xml + "</quiz>\n";
}

}  // namespace attn
