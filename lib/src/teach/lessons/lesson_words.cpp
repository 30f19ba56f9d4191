// Puts the values of expressions into the words of a lesson.
#include "teach/lessons/lesson_words.hpp"

#include <algorithm>
#include <utility>

#include "attn/language.hpp"
#include "attn/phrases.hpp"

namespace attn {
namespace {

/// Whether a brace repeats its row of a table: {each hidden}, {for below(4)}; {each-1} does not.
bool repeats(std::string_view brace) {
  if (brace.starts_with("for ")) return true;
  return brace.size() > 5 && brace.starts_with("each ") &&
         std::string_view("+-*/^=<>").find(brace[5]) == brace.npos;
}

/// Lines that follow each other, as one.
std::string on_one_line(std::string text) {
  for (std::size_t end = 0; (end = text.find('\n')) != text.npos;)
    text.replace(end, std::min(text.find_first_not_of(" \n", end), text.size()) - end, " ");
  return text;
}

}  // namespace

std::string LessonWords::sentence(std::string_view text) {
  Braces braces;
  return located(text, [&](auto*) {
    const std::string marked = with_braces(text, [&](std::string_view each) {
      braces.push_back(each);
      return "\x01" + std::to_string(braces.size() - 1) + "\x02";
    });
    std::vector<std::string> paragraphs;
    for (const Block& each : read_markdown(on_one_line(marked)).blocks) {
      if (const auto* words = std::get_if<Paragraph>(&each)) paragraphs.push_back(words->text);
    }
    return filled(separated(paragraphs, " "), braces);
  });
}

/// `text` with values in place of its marks.
std::string LessonWords::filled(const std::string& text, const Braces& braces) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\x01') {
      result += text[at++];
      continue;
    }
    const std::string_view brace = braces.at(std::stoul(text.substr(at + 1)));
    if (!brace.starts_with("for "))
      result += located(
          brace, [&](auto* place) { return scene_.text(repeats(brace) ? "each" : brace, place); });
    at = text.find('\x02', at) + 1;
  }
  return without_loose_spaces(std::move(result));
}

void LessonWords::prose(const ScriptBlock& block) {
  for (const Block& each : block.prose) {
    if (const auto* words = std::get_if<Paragraph>(&each))
      paragraph(*words, block.braces);
    else if (const auto* grid = std::get_if<Table>(&each))
      table(*grid, block.braces);
    else if (const auto* items = std::get_if<List>(&each))
      list(*items, block.braces);
    else if (const auto* title = std::get_if<Title>(&each))
      lesson_.add(Title{.text = filled(title->text, block.braces), .level = 2});
    else if (const auto* lines = std::get_if<Code>(&each))
      code(*lines, block.braces);
  }
}

/// A paragraph that is a brace alone may be a table.
void LessonWords::paragraph(const Paragraph& paragraph, const Braces& braces) {
  const std::string& words = paragraph.text;
  if (words.starts_with('\x01') && words.find('\x02') + 1 == words.size()) {
    const LessonValue found = value(braces.at(std::stoul(words.substr(1))));
    if (const auto* table = std::get_if<Table>(&found)) return lesson_.table(*table);
  }
  const std::string said = filled(words, braces);
  if (!said.empty()) lesson_.say(said);
}

void LessonWords::list(List list, const Braces& braces) {
  for (List::Item& item : list.items) item = {filled(item.term, braces), filled(item.text, braces)};
  lesson_.add(std::move(list));
}

void LessonWords::code(Code code, const Braces& braces) {
  for (std::string& line : code.lines) line = filled(line, braces);
  lesson_.add(std::move(code));
}

/// A row whose first cell begins with {each KEYS}, or {for NUMBERS}, is there for each of them.
void LessonWords::table(Table table, const Braces& braces) {
  for (std::string& cell : table.header) cell = filled(cell, braces);
  for (const auto& row : std::exchange(table.rows, {})) {
    const std::string& first = row.front();
    const std::string_view brace =
        first.starts_with('\x01') ? braces.at(std::stoul(first.substr(1))) : std::string_view();
    std::vector<double> all{0.0};
    if (repeats(brace))
      all = value(trimmed(brace.substr(brace.find(' '))),
                  [](const LessonValue& found) { return numbers_of(found).data().copy(); });
    for (const double each : all) {
      if (repeats(brace)) scene_.each = each;
      scene_.each_is_key = brace.starts_with("each ");
      auto& line = table.rows.emplace_back();
      for (const std::string& cell : row) line.push_back(filled(cell, braces));
    }
    scene_.each.reset();
  }
  table.hangs = false;
  lesson_.table(std::move(table));
}

}  // namespace attn
