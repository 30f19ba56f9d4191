// Cuts text into screenfuls.
#include "commands/screenfuls.hpp"

#include <algorithm>
#include <iterator>

namespace attn::app {
namespace {

constexpr std::ptrdiff_t kPrompt = 2;  // a blank line, and the line to type in

std::ptrdiff_t lines_of(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

std::vector<std::string> screenfuls(std::string_view text, std::ptrdiff_t height,
                                    std::ptrdiff_t above) {
  const std::ptrdiff_t room = height - kPrompt;
  if (height <= 0 || lines_of(text) + above <= room) return {std::string(text)};
  std::vector<std::string_view> paragraphs;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size() - 1);
    const std::size_t next = std::min(text.find_first_not_of('\n', end), text.size());
    paragraphs.push_back(text.substr(0, next));
    text.remove_prefix(next);
  }
  std::string last;
  while (last.empty() ||
         (paragraphs.size() > 1 && lines_of(paragraphs.back()) + lines_of(last) <= room)) {
    last.insert(0, paragraphs.back());
    paragraphs.pop_back();
  }
  std::vector<std::string> pieces;
  std::ptrdiff_t used = above;
  for (const std::string_view paragraph : paragraphs) {
    if (pieces.empty() || used + lines_of(paragraph) > room) {
      pieces.emplace_back();
      used = pieces.size() == 1 ? above : 0;
    }
    pieces.back() += paragraph;
    used += lines_of(paragraph);
  }
  pieces.push_back(last);
  return pieces;
}

}  // namespace attn::app
