// Writes sheets as items of IMS QTI 2.1, for Canvas and others.
// https://www.imsglobal.org/question/qtiv2p1/imsqti_infov2p1.html
#include <algorithm>
#include <cmath>
#include <functional>
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

constexpr const char* kXml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
constexpr const char* kItem =
    "assessmentItem xmlns=\"http://www.imsglobal.org/xsd/imsqti_v2p1\" "
    "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
    "xsi:schemaLocation=\"http://www.imsglobal.org/xsd/imsqti_v2p1 "
    "http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd\"";
constexpr const char* kManifest =
    "manifest xmlns=\"http://www.imsglobal.org/xsd/imscp_v1p1\" "
    "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
    "xsi:schemaLocation=\"http://www.imsglobal.org/xsd/imscp_v1p1 "
    "http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd\"";

std::string number(double x) { return json::number_text(x + 0.0); }

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + html_text(value) + "\"";
}

std::string variable(const std::string& id) {
  return "<variable" + attribute("identifier", id) + "/>";
}
std::string correct(const std::string& id) {
  return "<correct" + attribute("identifier", id) + "/>";
}

/// Whether the number that was typed is `right`, as an expression.
std::string near(const std::string& id, const std::string& right, double within) {
  return element("equal toleranceMode=\"absolute\" tolerance=\"" + number(within) + " " +
                     number(within) + "\"",
                 variable(id) + right);
}

/// An item while it is written: what is declared, shown and scored, and what is said to whoever
/// made a known mistake.
struct Item {
  std::string declared = {}, scored = {};
  std::vector<std::string> hints = {};
  int answers = 0;

  /// The identifier of what is said.
  std::string hint(const std::string& text) {
    const auto at = std::find(hints.begin(), hints.end(), text);
    const auto index = at - hints.begin();
    if (at == hints.end()) hints.push_back(text);
    return "HINT_" + std::to_string(index + 1);
  }

  /// Declares an answer that is worth `points` if `condition(id)` holds, and gets a hint if it is
  /// near one of the first of `wrong`; returns its id.
  template <class Condition>
  std::string add(const std::string& type, const std::string& right, double points,
                  Condition condition, const std::vector<WrongNumber>& wrong = {},
                  double within = 0.0) {
    constexpr std::size_t kMostHints = 6;  // for one blank: each takes some 300 bytes
    const std::string id = "ANSWER_" + std::to_string(++answers);
    declared += element("responseDeclaration" + attribute("identifier", id) +
                            attribute("cardinality", "single") + attribute("baseType", type),
                        element("correctResponse", element("value", html_text(right)))) +
                "\n";
    const std::string sum =
        element("sum", "<variable identifier=\"SCORE\"/>" +
                           element("baseValue baseType=\"float\"", number(points)));
    std::string cases =
        element("responseIf", condition(id) + element("setOutcomeValue identifier=\"SCORE\"", sum));
    for (std::size_t i = 0; i < std::min(kMostHints, wrong.size()); ++i) {
      const std::string typed = element("baseValue baseType=\"float\"", number(wrong[i].number));
      const std::string all =
          element("multiple", "<variable identifier=\"FEEDBACK\"/>" +
                                  element("baseValue baseType=\"identifier\"",
                                          hint(translated_sentence(wrong[i].hint))));
      cases +=
          element("responseElseIf", near(id, typed, within) +
                                        element("setOutcomeValue identifier=\"FEEDBACK\"", all));
    }
    scored += element("responseCondition", cases) + "\n";
    return id;
  }
};

std::string is_spelled(const std::string& id, double infinity) {
  std::string any;
  for (const std::string& text : infinity_spellings(infinity))
    any += element("stringMatch caseSensitive=\"false\"",
                   variable(id) + element("baseValue baseType=\"string\"", text));
  return element("or", any);
}

/// A box for one number; −∞ is typed as text.
std::string box(Item& item, const ClozeBlank& blank, const Sheet& sheet, double points) {
  const double right = blank.right;
  const bool finite = std::isfinite(right);
  const std::string id =
      finite ? item.add(
                   "float", number(rounded_to(right, sheet.decimals)), points,
                   [&](const std::string& own) {
                     return near(own, correct(own), sheet.accept_within);
                   },
                   blank.wrong, sheet.accept_within)
             : item.add("string", infinity_spellings(right).front(), points,
                        [&](const std::string& own) { return is_spelled(own, right); });
  return "<textEntryInteraction" + attribute("responseIdentifier", id) +
         attribute("expectedLength", "8") + "/>";
}

/// A list to choose from; `shown` is what the options say. Those that describe the right one are
/// right, too.
std::string choice(Item& item, const std::vector<std::string>& options, const std::string& right,
                   double points, const std::function<std::string(const std::string&)>& shown) {
  const std::string id = item.add("identifier", right, points, [&](const std::string& own) {
    std::string any = element("match", variable(own) + correct(own));
    bool several = false;
    for (const std::string& option : options) {
      if (option == right || !describes(option, right)) continue;
      any += element("match", variable(own) + element("baseValue baseType=\"identifier\"", option));
      several = true;
    }
    return several ? element("or", any) : any;
  });
  std::string all;
  for (const std::string& option : options)
    all += element("inlineChoice" + attribute("identifier", option), html_text(shown(option)));
  return element("inlineChoiceInteraction" + attribute("responseIdentifier", id) +
                     attribute("shuffle", "false"),
                 all);
}

std::string body_of(const ClozeQuestion& question, Item& item) {
  const Sheet& sheet = question.sheet;
  const Trace trace = layout_of(sheet);
  std::string body = question_heading(sheet);
  for (const Step* step : steps_and_givens(trace)) {
    const auto asked = std::find_if(sheet.steps.begin(), sheet.steps.end(),
                                    [&](const SheetStep& each) { return each.id == step->id; });
    if (asked == sheet.steps.end()) {
      if (!step->is_given() || is_left_out(sheet, step->id)) continue;
      const NumberSpan numbers = step->value.data();
      body += step_tables(trace, *step, "", [&](std::size_t i) {
        return number_html(numbers[i], sheet.decimal_comma);
      });
      continue;
    }
    auto blank = question.blanks[static_cast<std::size_t>(asked - sheet.steps.begin())].begin();
    const auto blanks = std::count_if(asked->blank.begin(), asked->blank.end(),
                                      [](char each) { return each != 0; });
    const double points = blanks == 0 ? 0.0 : asked->points / static_cast<double>(blanks);
    const std::optional<int> decimals = printed_decimals(sheet, *asked);
    body += step_tables(trace, *step, "", [&](std::size_t i) {
      return asked->blank[i] == 0 ? printed_number(asked->numbers[i], decimals, sheet.decimal_comma)
                                  : box(item, *blank++, sheet, points);
    });
  }
  if (!sheet.bug) return body;
  std::vector<std::string> steps;
  for (const SheetStep& step : sheet.steps) steps.push_back(step.id);
  const BugAnswer& right = *question.key.bug;
  const double half = sheet.bug_points / 2.0;
  const std::string step = choice(item, steps, right.first_wrong.value_or(""), half,
                                  [&](const std::string& id) { return step_choice(trace, id); });
  return body + bug_questions_html(
                    sheet, step,
                    choice(item, question.codes, right.code.value_or(""), half, mistake_text));
}

std::string item_text(const ClozeQuestion& question, const std::string& id) {
  const Sheet& sheet = question.sheet;
  Item item;
  const std::string body = body_of(question, item);
  std::string hints;
  for (const std::string& text : item.hints)
    hints += element("modalFeedback" + attribute("outcomeIdentifier", "FEEDBACK") +
                         attribute("identifier", item.hint(text)) + attribute("showHide", "show"),
                     html_text(text)) +
             "\n";
  const std::string title =
      sheet.exercise + (sheet.student.empty() ? "" : " " + sheet.student) + " " + sheet.variant;
  return kXml +
         element(kItem + attribute("identifier", id) + attribute("title", title) +
                     attribute("adaptive", "false") + attribute("timeDependent", "false"),
                 "\n" + item.declared +
                     element("outcomeDeclaration identifier=\"SCORE\" cardinality=\"single\" "
                             "baseType=\"float\"",
                             element("defaultValue", element("value", "0"))) +
                     "\n<outcomeDeclaration identifier=\"FEEDBACK\" cardinality=\"multiple\" "
                     "baseType=\"identifier\"/>\n" +
                     element("itemBody", element("div", body)) + "\n" +
                     element("responseProcessing", "\n" + item.scored) + "\n" + hints) +
         "\n";
}

}  // namespace

std::vector<PackagedFile> qti_package(const std::string& exercise,
                                      const std::vector<ClozeQuestion>& questions) {
  std::vector<PackagedFile> files{{"imsmanifest.xml", ""}};
  std::string resources;
  for (const ClozeQuestion& question : questions) {
    const std::string id = "item" + std::to_string(files.size());
    const std::string path = "items/" + id + ".xml";
    files.push_back({path, item_text(question, id)});
    resources += element("resource" + attribute("identifier", id + "_file") +
                             attribute("type", "imsqti_item_xmlv2p1") + attribute("href", path),
                         "<file" + attribute("href", path) + "/>") +
                 "\n";
  }
  files.front().text =
      kXml +
      element(kManifest + attribute("identifier", "MANIFEST_" + exercise),
              "\n" +
                  element("metadata", element("schema", "QTIv2.1 Package") +
                                          element("schemaversion", "1.0.0")) +
                  "\n<organizations/>\n" + element("resources", "\n" + resources) + "\n") +
      "\n";
  return files;
}

}  // namespace attn
