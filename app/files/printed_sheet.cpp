// Writes the document of a sheet in a format, tells sheets by their kind, and empties blanks.
#include "files/printed_sheet.hpp"

#include <filesystem>
#include <iterator>
#include <limits>
#include <utility>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/sheet_document.hpp"
#include "attn/teach/cloze.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/mistakes.hpp"
#include "files/input.hpp"

namespace attn::app {

namespace {

Document document_of(Sheet sheet, const Naming& naming) {
  const Trace layout = layout_of(sheet);
  const auto slip = naming.slips.find(sheet.student);
  if (naming.where != Naming::Where::Title) sheet.student.clear();
  Document document = sheet_document(sheet, layout);
  if (naming.where != Naming::Where::Slip || slip == naming.slips.end()) return document;
  std::get<Title>(document.blocks.front()).level = 2;
  const std::string dashes = " – – – – – – – – – – ";
  document.blocks.insert(document.blocks.begin(),
                         {Title{slip->second, {}, {translated("variant {id}", sheet.variant)}},
                          Paragraph{std::string(trimmed(
                              dashes + translated("fold back, or cut off, here") + dashes))}});
  return document;
}

std::string standalone(const Document& document, const Format& format) {
  TextStyle style;
  style.markup.standalone = true;
  return format.document(document, style);
}

/// The page for the teacher, who hands the sheets out.
std::vector<Block> cover(const std::vector<Sheet>& sheets) {
  Table table{{translated("student"), translated("variant")}, {}, 2};
  for (const Sheet& sheet : sheets) table.rows.push_back({sheet.student, sheet.variant});
  return {Title{translated("Who gets which sheet: {exercise}", sheets.front().exercise)},
          std::move(table)};
}

}  // namespace

std::string printed(const Sheet& sheet, const Format& format, const Naming& naming) {
  return standalone(document_of(sheet, naming), format);
}

std::string printed_form(const Sheet& sheet, const std::string& form, const Format& format,
                         const Naming& naming, const Sheet* key) {
  Document document = document_of(sheet, naming);
  document.form = form;
  if (sheet.bug) {
    for (const std::string& code : key ? make_cloze(sheet, *key).codes : mistake_codes())
      document.mistakes.emplace_back(code, translated(find_mistake(code)->title));
  }
  return standalone(document, format);
}

std::string printed_together(const std::vector<Sheet>& sheets, const Format& format,
                             const Naming& naming) {
  Document all;
  all.precision = sheets.front().decimals;
  all.written_on = true;
  if (naming.where == Naming::Where::List) all.blocks = cover(sheets);
  for (const Sheet& sheet : sheets) {
    std::vector<Block> blocks = document_of(sheet, naming).blocks;
    std::move(blocks.begin(), blocks.end(), std::back_inserter(all.blocks));
  }
  return standalone(all, format);
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
