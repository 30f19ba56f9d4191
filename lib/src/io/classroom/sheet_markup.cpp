// Writes matrices as tables that HTML, Moodle and QTI all take.
#include "io/classroom/sheet_markup.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/render/formula.hpp"
#include "attn/render/sheet_document.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/mistakes.hpp"
#include "core/trace/axis_names.hpp"
#include "io/classroom/sheet_parts.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

/// Text in which Moodle sees no field, such as {1:NUMERICAL:=2}.
std::string plain_html(std::string_view text) {
  std::string html;
  for (const char c : html_text(text)) html += c == '{' ? std::string("&#123;") : std::string(1, c);
  return html;
}

std::string header_row(const std::vector<std::string>& labels) {
  std::string row = "<td></td>";
  for (const std::string& label : labels) row += element("th", plain_html(label));
  return element("tr", row);
}

}  // namespace

std::string element(const std::string& tag, const std::string& inner) {
  return "<" + tag + ">" + inner + "</" + tag.substr(0, tag.find(' ')) + ">";
}

std::string question_heading(const Sheet& sheet) {
  std::string html;
  const std::string& title = sheet.problem.title;
  if (!title.empty() && title != sheet.exercise)
    html += element("p", element("b", plain_html(title)));
  for (const std::string& line : own_instructions(sheet)) html += element("p", plain_html(line));
  if (sheet.bug)  // nothing to round
    return html + element("p", translated("{exercise}, variant {id}.", html_text(sheet.exercise),
                                          html_text(sheet.variant)));
  return html +
         element("p",
                 translated("{exercise}, variant {id}. Round to {decimals}; ±{number} is accepted.",
                            html_text(sheet.exercise), html_text(sheet.variant),
                            translated_count(sheet.decimals, "decimal"),
                            number_html(sheet.accept_within, sheet.decimal_comma)));
}

std::string bug_questions_html(const Sheet& sheet, const std::string& step,
                               const std::string& code) {
  const std::string left_out = left_out_text(sheet);
  return (left_out.empty() ? "" : element("p", left_out)) +
         element("p", translated("One step is wrong, and those after it follow from it. Which, and "
                                 "why?")) +
         element("p", translated("The first wrong step: {list}", step)) +
         element("p", translated("The mistake: {list}", code));
}

std::string mistake_text(const std::string& code) {
  const Mistake* mistake = find_mistake(code);
  return mistake == nullptr ? code : with_remark(translated(mistake->title), code);
}

std::string step_choice(const Trace& trace, const std::string& id) {
  const Step& step = trace.at(id);
  return with_remark(formula_in_language(trace, step), translated(step.info().title));
}

std::vector<std::string> infinity_spellings(double x) {
  if (x < 0) return {"-Infinity", "-inf", "-∞", "−∞"};
  return {"Infinity", "inf", "∞"};
}

std::string number_html(double x, bool comma) {
  if (std::isinf(x)) return infinity_spellings(x).back();
  std::string text = json::number_text(x + 0.0);
  if (comma) std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

std::optional<int> printed_decimals(const Sheet& sheet, const SheetStep& step) {
  const auto has_more_than = [&](int decimals) {
    const double factor = std::pow(10.0, decimals);
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      const double x = step.numbers[i] * factor;
      if (step.blank[i] == 0 && std::isfinite(x) && std::abs(x - std::round(x)) > 1e-6) return true;
    }
    return false;
  };
  for (int decimals = 0; decimals <= sheet.decimals; ++decimals) {
    if (!has_more_than(decimals)) return decimals;
  }
  return std::nullopt;
}

std::string printed_number(double x, std::optional<int> decimals, bool comma) {
  constexpr double kLong = 1e12;  // all digits of which nobody wants to read
  if (!decimals || !std::isfinite(x) || std::abs(x) >= kLong) return number_html(x, comma);
  std::string text = format_fixed(x + 0.0, *decimals);
  if (comma) std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

std::string step_tables(const Trace& trace, const Step& step, const std::string& attributes,
                        const std::function<std::string(std::size_t)>& cell) {
  const StepInfo& info = step.info();
  std::string html = html_text(step.is_given() ? info.symbol : formula_in_language(trace, step));
  html = element("p", with_remark(element("b", html), html_text(translated(info.title))));
  std::size_t i = 0;
  for (Index b = 0; b < step.value.batch(); ++b) {
    for (Index h = 0; h < step.value.heads(); ++h) {
      if (step.value.heads() > 1) html += element("p", html_text(translated("head {n}", h)));
      std::string rows = header_row(col_names(step, b, h).names);
      for (const std::string& label : row_names(step, b, h).names) {
        std::string row = element("th", plain_html(label));
        for (Index c = 0; c < step.value.cols(); ++c) row += element("td", cell(i++));
        rows += element("tr", row);
      }
      html += element("table" + attributes, element("tbody", rows));
    }
  }
  return html;
}

}  // namespace attn
