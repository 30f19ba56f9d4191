// Writes the document of a sheet in a format, tells sheets by their kind, and empties blanks.
#include "files/printed_sheet.hpp"

#include <filesystem>
#include <limits>

#include "attn/render/sheet_document.hpp"
#include "attn/teach/exercise.hpp"
#include "files/input.hpp"

namespace attn::app {

std::string printed(const Sheet& sheet, const Format& format, const std::string& form) {
  TextStyle style;
  style.markup.standalone = true;
  Document document = sheet_document(sheet, layout_of(sheet));
  document.form = form;
  return format.document(document, style);
}

bool is_sheet(const ProblemSource& source, const Streams& streams) {
  std::error_code failed;
  const bool may_be = source.path == "-" || std::filesystem::is_regular_file(source.path, failed);
  return may_be &&
         open_input(source.path, streams, source.max_memory)->kind().kind == InputKind::Sheet;
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
