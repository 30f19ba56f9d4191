// A sheet as a page to fill in, or on paper.
#include "files/printed_sheet.hpp"

#include <limits>

#include "attn/attend.hpp"
#include "attn/render/sheet_document.hpp"

namespace attn::app {

std::string printed(const Sheet& sheet, const Format& format, const std::string& form) {
  TextStyle style;
  style.markup.standalone = true;
  Document document = sheet_document(sheet, attend(make_problem(sheet.problem)));
  document.form = form;
  return format.document(document, style);
}

Sheet unsolved(Sheet sheet) {
  for (SheetStep& step : sheet.steps) {
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      if (step.blank[i] != 0) step.numbers[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  if (sheet.bug) sheet.bug = BugAnswer{};
  return sheet;
}

}  // namespace attn::app
