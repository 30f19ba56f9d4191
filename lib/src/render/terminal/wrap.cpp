// Breaks text into lines at spaces, and between the characters of Chinese and Japanese.
#include <algorithm>

#include "attn/render/text.hpp"
#include "render/terminal/width.hpp"

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

/// How much of a word fits into `room`, if it is text without spaces: a line may end after each
/// wide character, but not before punctuation that closes, nor after punctuation that opens.
std::size_t wide_end(std::string_view word, std::ptrdiff_t room, const Ruler& ruler) {
  constexpr std::string_view kClosing = "，。、；：！？）】》」』〉〕〗］｝”’…·％～ー々)],.;:!?%",
                             kOpening = "（【《「『〈〔〖［｛“‘￥＄([";
  std::size_t end = 0;
  bool after_wide = false, opened = false;
  for (std::size_t at = 0; at < word.size();) {
    const Cluster cluster = first_cluster(word.substr(at), ruler);
    const bool wide = cluster.width == 2;
    const bool closing = kClosing.find(cluster.text) != kClosing.npos;
    if (!opened && (wide || after_wide) && !closing) end = at;
    if ((room -= cluster.width) < 0) return end;
    after_wide = wide || (closing && after_wide);  // no line ends in the middle of "0,5"
    opened = kOpening.find(cluster.text) != kOpening.npos;
    at += cluster.text.size();
  }
  return word.size();
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
    std::size_t part = blanks + wide_end(text.substr(blanks, end - blanks),
                                         room - used - static_cast<std::ptrdiff_t>(blanks), ruler);
    const bool fits = used + width <= room || (part == blanks && lines.back().empty());
    if (fits) part = end;
    if (part > blanks) lines.back() += text.substr(0, part);
    used += width;
    text.remove_prefix(part);
    if (fits) continue;
    lines.emplace_back();
    used = 0;
  }
  return lines;
}

}  // namespace attn
