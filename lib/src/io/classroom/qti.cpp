// Writes sheets as items of IMS QTI 2.1, for Canvas and others:
// https://www.imsglobal.org/question/qtiv2p1/imsqti_infov2p1.html
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/cloze.hpp"
#include "attn/teach/exercise.hpp"
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

/// An item while it is written: what is declared, shown and scored.
struct Item {
  std::string declared = {}, scored = {};
  int answers = 0;

  /// Declares an answer that is worth `points` if `condition(id)` holds; returns its id.
  template <class Condition>
  std::string add(const std::string& type, const std::string& right, double points,
                  Condition condition) {
    const std::string id = "ANSWER_" + std::to_string(++answers);
    declared += element("responseDeclaration" + attribute("identifier", id) +
                            attribute("cardinality", "single") + attribute("baseType", type),
                        element("correctResponse", element("value", html_text(right)))) +
                "\n";
    const std::string sum =
        element("sum", "<variable identifier=\"SCORE\"/>" +
                           element("baseValue baseType=\"float\"", number(points)));
    scored +=
        element("responseCondition",
                element("responseIf",
                        condition(id) + element("setOutcomeValue identifier=\"SCORE\"", sum))) +
        "\n";
    return id;
  }
};

std::string variable(const std::string& id) {
  return "<variable" + attribute("identifier", id) + "/>";
}
std::string correct(const std::string& id) {
  return "<correct" + attribute("identifier", id) + "/>";
}

/// A box for one number; −∞ is typed as text.
std::string box(Item& item, double right, const Sheet& sheet, double points) {
  const bool finite = std::isfinite(right);
  const std::string within = number(sheet.accept_within);
  const std::string id =
      finite ? item.add("float", number(rounded_to(right, sheet.decimals)), points,
                        [&](const std::string& own) {
                          return element("equal toleranceMode=\"absolute\" tolerance=\"" + within +
                                             " " + within + "\"",
                                         variable(own) + correct(own));
                        })
             : item.add("string", right < 0 ? "-Infinity" : "Infinity", points,
                        [&](const std::string& own) {
                          std::string any = element("stringMatch caseSensitive=\"false\"",
                                                    variable(own) + correct(own));
                          for (const char* word : {"inf", "∞"})
                            any += element("stringMatch caseSensitive=\"false\"",
                                           variable(own) +
                                               element("baseValue baseType=\"string\"",
                                                       (right < 0 ? "-" : "") + std::string(word)));
                          return element("or", any);
                        });
  return "<textEntryInteraction" + attribute("responseIdentifier", id) +
         attribute("expectedLength", "8") + "/>";
}

/// A list to choose from.
std::string choice(Item& item, const std::vector<std::string>& options, const std::string& right,
                   double points) {
  const std::string id = item.add("identifier", right, points, [](const std::string& own) {
    return element("match", variable(own) + correct(own));
  });
  std::string all;
  for (const std::string& option : options)
    all += element("inlineChoice" + attribute("identifier", option), html_text(option));
  return element("inlineChoiceInteraction" + attribute("responseIdentifier", id) +
                     attribute("shuffle", "false"),
                 all);
}

std::string body_of(const ClozeQuestion& question, Item& item) {
  const Sheet& sheet = question.sheet;
  const Trace trace = layout_of(sheet);
  std::string body = element(
      "p", filled("{}, variant {}. Round to {}; ±{} is accepted.", html_text(sheet.exercise),
                  html_text(sheet.variant), counted(sheet.decimals, "decimal"),
                  number_html(sheet.accept_within, sheet.decimal_comma)));
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
    const SheetStep& key =
        question.key.steps[static_cast<std::size_t>(asked - sheet.steps.begin())];
    const auto blanks = std::count_if(asked->blank.begin(), asked->blank.end(),
                                      [](char blank) { return blank != 0; });
    const double points = blanks == 0 ? 0.0 : asked->points / static_cast<double>(blanks);
    body += step_tables(trace, *step, "", [&](std::size_t i) {
      return asked->blank[i] == 0 ? number_html(asked->numbers[i], sheet.decimal_comma)
                                  : box(item, key.numbers[i], sheet, points);
    });
  }
  if (!sheet.bug) return body;
  std::vector<std::string> steps;
  for (const SheetStep& step : sheet.steps) steps.push_back(step.id);
  const BugAnswer& right = *question.key.bug;
  const double half = sheet.bug_points / 2.0;
  return body +
         element("p", "The first wrong step: " +
                          choice(item, steps, right.first_wrong.value_or(""), half)) +
         element("p",
                 "The mistake: " + choice(item, question.codes, right.code.value_or(""), half));
}

std::string item_text(const ClozeQuestion& question, const std::string& id) {
  const Sheet& sheet = question.sheet;
  Item item;
  const std::string body = body_of(question, item);
  const std::string title =
      sheet.exercise + (sheet.student.empty() ? "" : " " + sheet.student) + " " + sheet.variant;
  return kXml +
         element(kItem + attribute("identifier", id) + attribute("title", title) +
                     attribute("adaptive", "false") + attribute("timeDependent", "false"),
                 "\n" + item.declared +
                     element("outcomeDeclaration identifier=\"SCORE\" cardinality=\"single\" "
                             "baseType=\"float\"",
                             element("defaultValue", element("value", "0"))) +
                     "\n" + element("itemBody", element("div", body)) + "\n" +
                     element("responseProcessing", "\n" + item.scored) + "\n") +
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
