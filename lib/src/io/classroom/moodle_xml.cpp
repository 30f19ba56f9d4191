// Writes sheets as Moodle's questions of type "cloze".
// https://docs.moodle.org/en/Embedded_Answers_(Cloze)_question_type
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/cloze.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/mistakes.hpp"
#include "io/classroom/sheet_markup.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

/// What a step is worth, in whole numbers: Moodle takes no others. Its blanks share it, and differ
/// by 1 at most.
struct ClozeWeight {
  std::int64_t all = 0, blanks = 1;

  std::int64_t of(std::size_t blank) const {
    const auto b = static_cast<std::int64_t>(blank);
    return std::max<std::int64_t>(all * (b + 1) / blanks - all * b / blanks, 1);
  }
};

/// How many wrong numbers are listed: `most` in every so many blanks of a step, none in others.
struct Listed {
  std::size_t most = 0, every = 1;

  std::size_t of(std::size_t blank) const { return blank % every == 0 ? most : 0; }
};

/// Text inside a field. Moodle looks for the field's end, decodes entities once, and shows what
/// comes out as HTML; a backslash would end nothing, but most students would read it.
std::string cloze_text(std::string_view text) {
  std::string safe;
  for (const char c : html_text(text)) {
    if (c == '&')
      safe += "&amp;";
    else if (std::string_view("{}~#\\").find(c) != std::string_view::npos)
      safe += "&#" + std::to_string(static_cast<int>(c)) + ";";
    else
      safe += c;
  }
  return safe;
}

std::string right_text() { return "#" + cloze_text(translated("Right.")); }

/// "{3:NUMERICAL:=0.5:0.01#Right.~%0%1:0.01#Did you …?}"
std::string cloze_field(std::int64_t weight, const char* type,
                        const std::vector<std::string>& alternatives) {
  return "{" + std::to_string(weight) + ":" + type + ":" + separated(alternatives, "~") + "}";
}

/// How much of Moodle's weight a point is. The sum is the default mark of the question, the same
/// for a whole class: 99,999 at most, and there is no other way to set it.
double weight_of_point(const Sheet& sheet) {
  constexpr double kMostMarks = 99'999.0;
  const double points = points_of(sheet);
  for (const double weight : {1000.0, 100.0}) {  // points may have two decimals
    if (points * weight <= kMostMarks) return weight;
  }
  return 1.0;
}

ClozeWeight cloze_weight(const Sheet& sheet, double points, std::int64_t blanks) {
  return {std::llround(points * weight_of_point(sheet)), std::max<std::int64_t>(blanks, 1)};
}

/// With the first `most` wrong numbers.
std::string cloze_field(const ClozeBlank& blank, const Sheet& sheet, std::int64_t weight,
                        std::size_t most) {
  if (!std::isfinite(blank.right)) {
    std::vector<std::string> spellings;
    for (const std::string& text : infinity_spellings(blank.right))
      spellings.push_back("=" + text + right_text());
    return cloze_field(weight, "SHORTANSWER", spellings);
  }
  const auto number = [&](double x) {
    return json::number_text(rounded_to(x, sheet.decimals)) + ":" +
           json::number_text(sheet.accept_within);
  };
  std::vector<std::string> alternatives{"=" + number(blank.right) + right_text()};
  for (const WrongNumber& wrong : std::span(blank.wrong).first(std::min(most, blank.wrong.size())))
    alternatives.push_back("%0%" + number(wrong.number) + "#" +
                           cloze_text(translated_sentence(wrong.hint)));
  return cloze_field(weight, "NUMERICAL", alternatives);
}

/// "{2:MULTICHOICE:=right~wrong}"; options are in the order given, and `shown` is what they say.
std::string cloze_choice(const std::vector<std::string>& options, const std::string& right,
                         std::int64_t weight,
                         const std::function<std::string(const std::string&)>& shown) {
  std::vector<std::string> alternatives;
  for (const std::string& option : options)
    alternatives.push_back((describes(option, right) ? "=" : "") + cloze_text(shown(option)));
  return cloze_field(weight, "MULTICHOICE", alternatives);
}

/// The two questions of "find the bug".
std::string bug_html(const ClozeQuestion& question, const Trace& trace) {
  std::vector<std::string> steps;
  for (const SheetStep& step : question.sheet.steps) steps.push_back(step.id);
  const BugAnswer& right = *question.key.bug;
  const ClozeWeight weight = cloze_weight(question.sheet, question.sheet.bug_points, 2);
  const auto step_shown = [&](const std::string& id) { return step_choice(trace, id); };
  return bug_questions_html(
      question.sheet, cloze_choice(steps, right.first_wrong.value_or(""), weight.of(0), step_shown),
      cloze_choice(question.codes, right.code.value_or(""), weight.of(1), mistake_text));
}

std::string question_html(const ClozeQuestion& question, Listed listed) {
  const Sheet& sheet = question.sheet;
  const Trace trace = layout_of(sheet);
  std::string html = question_heading(sheet);
  for (const Step* step : steps_and_givens(trace)) {
    const auto asked = std::find_if(sheet.steps.begin(), sheet.steps.end(),
                                    [&](const SheetStep& each) { return each.id == step->id; });
    if (asked == sheet.steps.end()) {
      const NumberSpan numbers = step->value.data();
      if (step->is_given() && !is_left_out(sheet, step->id))
        html += step_tables(trace, *step, " border=\"1\"", [&](std::size_t i) {
          return number_html(numbers[i], sheet.decimal_comma);
        });
      continue;
    }
    const auto s = static_cast<std::size_t>(asked - sheet.steps.begin());
    const ClozeWeight weight = cloze_weight(sheet, asked->points, std::ssize(question.blanks[s]));
    std::size_t blank = 0;
    const auto field = [&](std::size_t b) {
      return cloze_field(question.blanks[s][b], sheet, weight.of(b), listed.of(b));
    };
    const std::optional<int> decimals = printed_decimals(sheet, *asked);
    html += step_tables(trace, *step, " border=\"1\"", [&](std::size_t i) {
      return asked->blank[i] == 0 ? printed_number(asked->numbers[i], decimals, sheet.decimal_comma)
                                  : field(blank++);
    });
  }
  return sheet.bug ? html + bug_html(question, trace) : html;
}

std::string text_element(const std::string& tag, std::string_view text) {
  return "    " + element(tag, element("text", html_text(text))) + "\n";
}

constexpr std::size_t kMostBytes = 2'000'000;  // what many platforms take

/// All questions; no more are added to a file that is too large already.
std::string quiz(std::string_view category, const std::vector<ClozeQuestion>& questions,
                 Listed listed, bool whole) {
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n  <question type=\"category\">\n" +
      text_element("category", "$course$/" + std::string(category)) + "  </question>\n";
  for (const ClozeQuestion& question : questions) {
    if (!whole && xml.size() > kMostBytes) break;
    const Sheet& sheet = question.sheet;
    const std::string name =
        sheet.exercise + (sheet.student.empty() ? "" : " " + sheet.student) + " " + sheet.variant;
    // As CDATA, which needs half of the bytes: in HTML, the > of ]]> is always an entity.
    xml += "  <question type=\"cloze\">\n" + text_element("name", name) + "    " +
           element("questiontext format=\"html\"",
                   element("text", "<![CDATA[" + question_html(question, listed) + "]]>")) +
           "\n  </question>\n";
  }
  return xml + "</quiz>\n";
}

}  // namespace

std::string moodle_xml(std::string_view category, const std::vector<ClozeQuestion>& questions) {
  constexpr Listed kListed[] = {{100}, {10}, {8},    {6},    {5},    {4}, {3},
                                {2},   {1},  {1, 2}, {1, 3}, {1, 5}, {0}};
  for (const Listed listed : kListed) {
    std::string xml = quiz(category, questions, listed, false);
    if (xml.size() <= kMostBytes) return xml;
  }
  return quiz(category, questions, std::end(kListed)[-1], true);
}

}  // namespace attn
