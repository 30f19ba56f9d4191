// Escapes for Markdown. Sources: CommonMark 0.31, GitHub Flavored Markdown 0.29, pandoc's manual.
#include "render/writers/markdown_text.hpp"

#include <algorithm>

#include "core/text/ascii.hpp"

namespace attn {
namespace {

constexpr std::string_view kMeaningful = "\\`*_[<|{~^&@#$";

/// The character as text: a backslash before it where every reader knows that, or an entity.
/// Python-Markdown knows few backslashes, and GitHub looks for mathematics before it looks at them.
std::string markdown_escape(char c) {
  if (c == '<') return "&lt;";
  if (c == '&') return "&amp;";
  if (std::string_view("\\`*_{}[]()>#+-.!|").find(c) != std::string_view::npos) return {'\\', c};
  return "&#" + std::to_string(static_cast<int>(c)) + ";";
}

bool is_alnum(char c) { return is_digit(c) || is_letter(c); }

/// Whether the character at `i` would make a line that begins with `text` a list, a quote, a rule,
/// a heading or a title block: "- a", "1. a", "a) b", "> a", "===", "% a".
bool opens_block(std::string_view text, std::size_t i) {
  if (i == 0) return std::string_view("-+>=:%").find(text[0]) != std::string_view::npos;
  const bool ends_word = i + 1 == text.size() || text[i + 1] == ' ';
  if ((text[i] != '.' && text[i] != ')') || !ends_word) return false;
  const std::string_view word = text.substr(text[0] == '(' ? 1 : 0, i - (text[0] == '(' ? 1 : 0));
  return std::all_of(word.begin(), word.end(), is_alnum);
}

/// ":tada:"
bool begins_emoji(std::string_view text) {
  const std::size_t end = text.find(':', 1);
  if (!text.starts_with(':') || end == text.npos || end == 1) return false;
  const std::string_view name = text.substr(1, end - 1);
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_alnum(c) || c == '_' || c == '+' || c == '-'; });
}

/// "--" and "..." become other characters in pandoc, ":tada:" a picture, "https://" and "www." a
/// link on GitHub.
bool joins(std::string_view text, std::size_t i) {
  const std::string_view before = text.substr(0, i);
  return (text[i] == '-' && (text.substr(i + 1, 1) == "-" || before.ends_with('-'))) ||
         (text[i] == ':' && text.substr(i + 1, 2) == "//") || begins_emoji(text.substr(i)) ||
         (text[i] == '.' && before.ends_with("www")) ||
         (text[i] == '.' && (text.substr(i + 1, 1) == "." || before.ends_with('.')));
}

std::string with_escapes(std::string_view text, bool starts_line) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = kMeaningful.find(text[i]) != kMeaningful.npos || joins(text, i) ||
                         (starts_line && opens_block(text, i));
    result += escaped ? markdown_escape(text[i]) : std::string(1, text[i]);
  }
  return result;
}

}  // namespace

std::string markdown_words(std::string_view text) { return with_escapes(text, false); }

std::string markdown_line(std::string_view text) { return with_escapes(text, true); }

std::string markdown_code(const std::string& text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const bool ticks = text.starts_with('`') || text.ends_with('`');
  const bool spaced = text.starts_with(' ') && text.ends_with(' ');  // one each is taken off
  const std::string space = ticks || spaced ? " " : "";
  return fence + space + text + space + fence;
}

std::string markdown_table(const Table& table, const Ruler& ruler) {
  std::vector<std::ptrdiff_t> widths(table.header.size(), 3);
  const auto measure = [&](const std::vector<std::string>& row) {
    for (std::size_t j = 0; j < row.size(); ++j)
      widths[j] = std::max(widths[j], ruler.width(row[j]));
  };
  measure(table.header);
  for (const auto& row : table.rows) measure(row);
  std::string text;
  const auto add = [&](const std::vector<std::string>& row) {
    text += "|";
    for (std::size_t j = 0; j < row.size(); ++j) {
      const bool left = table.is_left(j);
      text += " " + (left ? ruler.pad_right(row[j], widths[j]) : ruler.pad_left(row[j], widths[j]));
      text += " |";
    }
    text += "\n";
  };
  add(table.header);
  text += "|";
  for (std::size_t j = 0; j < table.header.size(); ++j) {
    const std::string line(static_cast<std::size_t>(widths[j] - 1), '-');
    text += table.is_left(j) ? " :" + line + " |" : " " + line + ": |";
  }
  text += "\n";
  for (const auto& row : table.rows) add(row);
  return text;
}

}  // namespace attn
