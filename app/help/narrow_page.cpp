// Pages of help on narrow screens and in 7-bit characters: their lines are wrapped anew.
#include <algorithm>

#include "attn/tool/text.hpp"
#include "help/help.hpp"

namespace attn::app {
namespace {

constexpr std::ptrdiff_t kPageWidth = 79;

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& page) {
  Lines lines;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    lines.push_back(page.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::size_t indent_of(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// Whether `next` is a new line only because its first word had no room on `line`.
bool is_full(const std::string& line, const std::string& next) {
  const std::size_t start = indent_of(next);
  const std::string word = next.substr(start, next.find(' ', start) - start);
  return display_width(line) + 1 + display_width(word) > kPageWidth;
}

/// Lines that belong together: prose, or a word on the left and what it means on the right.
struct Entry {
  std::size_t indent = 0;
  std::string left = {};
  Lines texts = {};        // without any, the lines stay as they are
  Lines lines = {};        // as they are on the page
  std::size_t column = 0;  // where the texts begin
};

bool has_only(const std::string& text, std::string_view others) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || others.find(c) != others.npos;
  });
}

/// Whether a column is a phrase, not part of a picture or a formula.
bool is_phrase(const std::string& text) {
  return std::count(text.begin(), text.end(), ' ') >= 2 && has_only(text, " ,.'_-0123456789") &&
         has_only(text.substr(0, 1), "");
}

/// A line of three columns or more: a list of words may be broken, a picture stays as it is.
Entry many_columns(const std::string& line) {
  Entry entry{.indent = indent_of(line), .lines = {line}};
  std::string words;
  const bool names = has_only(line, " -");  // those of errors: "json-range   wrong-format"
  for (std::size_t at = entry.indent; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words += (words.empty() ? "" : " ") + line.substr(at, end - at);
    at = std::min(line.find_first_not_of(' ', end), line.size());
    if (at == end + 1 && !names) return entry;  // "1 · · ·   1 1 · ·"
  }
  entry.texts = {words};
  return entry;
}

/// Takes the entry that begins with the first of `lines` off the front of them.
Entry next_entry(Lines& lines) {
  const std::string& first = lines.front();
  Entry entry{.indent = indent_of(first)};
  const std::size_t last = first.rfind("  ");
  const bool phrase =
      last != first.npos && last > entry.indent && is_phrase(first.substr(last + 2));
  std::size_t gap = std::min(first.find("  ", entry.indent), first.size());
  if (phrase) gap = first.find_last_not_of(' ', last) + 1;
  const std::size_t right = std::min(first.find_first_not_of(' ', gap), first.size());
  const bool split = right < first.size();
  entry.left = split ? first.substr(entry.indent, gap - entry.indent) : "";
  entry.texts = {first.substr(split ? right : entry.indent)};
  if (entry.texts.front().find("  ") != std::string::npos) {
    entry = many_columns(first);
    lines.erase(lines.begin());
    return entry;
  }
  const auto column =
      split ? static_cast<std::size_t>(display_width(first.substr(0, right))) : entry.indent;
  std::size_t count = 1;
  for (; count < lines.size() && indent_of(lines[count]) == column; ++count) {
    if (lines[count].empty()) break;
    const bool full = is_full(lines[count - 1], lines[count]);
    if (!full && !split) break;
    const std::string text = lines[count].substr(column);
    if (full) entry.texts.back() += " " + text;
    if (!full) entry.texts.push_back(text);
  }
  entry.column = column;
  const auto end = lines.begin() + static_cast<std::ptrdiff_t>(count);
  entry.lines.assign(lines.begin(), end);
  lines.erase(lines.begin(), end);
  return entry;
}

std::string indented(const std::string& text, std::size_t indent, std::ptrdiff_t width) {
  const std::ptrdiff_t room = width - static_cast<std::ptrdiff_t>(indent);
  std::string lines;
  for (const std::string& line : wrapped(text, room, room))
    lines += std::string(line.empty() ? 0 : indent, ' ') + line + "\n";
  return lines;
}

std::string broken(const Entry& entry, std::ptrdiff_t width) {
  std::string text;
  const bool fits = std::all_of(entry.lines.begin(), entry.lines.end(),
                                [&](const std::string& l) { return display_width(l) <= width; });
  if (fits || entry.texts.empty()) {
    for (const std::string& line : entry.lines) text += line + "\n";
    return text;
  }
  const bool beside = !entry.left.empty() && width == kPageWidth &&  // too long only in 7 bits
                      entry.indent + entry.left.size() < entry.column;
  const std::size_t below = entry.indent + (entry.left.empty() ? 0 : 4);
  if (!entry.left.empty() && !beside) text += indented(entry.left, entry.indent, width);
  for (const std::string& each : entry.texts)
    text += indented(each, beside ? entry.column : below, width);
  if (beside) text.replace(entry.indent, entry.left.size(), entry.left);
  return text;
}

/// One column of a line in 7-bit characters. A dot alone in it is a product, as in the tables of
/// shapes; other dots after a space are those of pictures.
std::string cell_in_ascii(const std::string& cell) {
  constexpr std::string_view kDot = " ·";
  if (cell == kDot.substr(1)) return to_ascii(cell);
  std::string text = " " + cell;
  for (std::size_t at = text.find(kDot); at != text.npos; at = text.find(kDot, at))
    text.replace(at, kDot.size(), " .");
  return to_ascii(text.substr(1));
}

/// A line in 7-bit characters, with its columns where they were.
std::string line_in_ascii(const std::string& line) {
  std::string text;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t gap = std::min(line.find("  ", at), line.size());
    const std::size_t next = std::min(line.find_first_not_of(' ', gap), line.size());
    text += cell_in_ascii(line.substr(at, gap - at));
    const auto missing = display_width(line.substr(0, next)) - std::ssize(text);
    if (next < line.size()) text += spaces(std::max<std::ptrdiff_t>(missing, 1));
    at = next;
  }
  return text;
}

Entry in_ascii(Entry entry) {
  entry.left = cell_in_ascii(entry.left);
  for (std::string& line : entry.lines) line = line_in_ascii(line);
  for (std::string& each : entry.texts) each = cell_in_ascii(each);
  return entry;
}

}  // namespace

std::string narrowed(const std::string& page, std::ptrdiff_t width, bool ascii) {
  if (!ascii && width >= kPageWidth) return page;
  Lines lines = lines_of(page);
  std::string text;
  while (!lines.empty()) {
    const Entry entry = next_entry(lines);
    text += broken(ascii ? in_ascii(entry) : entry, std::min(width, kPageWidth));
  }
  return text;
}

}  // namespace attn::app
