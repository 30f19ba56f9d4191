// Breaks text into lines at spaces.
#include <algorithm>

#include "attn/render/text.hpp"

namespace attn {
namespace {

/// Where the word at `begin` ends. An option and what is in quotation marks after it are one word:
/// "--text 'the cat'"; a dot between facts is part of the one before it, and so begins no line.
std::size_t word_end(std::string_view text, std::size_t begin) {
  const std::size_t end = std::min(text.find(' ', begin), text.size());
  for (const std::string_view separator : {" · ", " | "}) {
    if (text.substr(end).starts_with(separator)) return end + separator.size() - 1;
  }
  if (!text.substr(begin).starts_with("--") || end + 1 >= text.size()) return end;
  const char quote = text[end + 1];
  if (quote != '"' && quote != '\'') return end;
  const std::size_t closing = text.find(quote, end + 2);
  return closing == text.npos ? end : std::min(text.find(' ', closing), text.size());
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::ptrdiff_t first, std::ptrdiff_t others,
                                 const Ruler& ruler) {
  std::vector<std::string> lines = {""};
  std::ptrdiff_t used = 0;
  while (!text.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    std::size_t end = word_end(text, blanks);
    if (ruler.width(text.substr(blanks, end - blanks)) > others)
      end = std::min(text.find(' ', blanks), text.size());
    const std::ptrdiff_t room = lines.size() == 1 ? first : others;
    const std::ptrdiff_t width = ruler.width(text.substr(0, end));
    if (used + width <= room || lines.back().empty()) {
      lines.back() += text.substr(0, end);
      used += width;
    } else {
      lines.emplace_back(text.substr(blanks, end - blanks));
      used = ruler.width(lines.back());
    }
    text.remove_prefix(end);
  }
  return lines;
}

}  // namespace attn
