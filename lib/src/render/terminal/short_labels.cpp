// Makes labels from tokens: escaped, cut, numbered where they repeat.
#include "render/terminal/short_labels.hpp"

#include <algorithm>
#include <numeric>

namespace attn {
namespace {

std::string label(const std::string& text, std::string_view prefix, std::ptrdiff_t max_width,
                  bool ascii, const Ruler& ruler) {
  const std::ptrdiff_t room = std::max<std::ptrdiff_t>(1, max_width - ruler.width(prefix));
  return std::string(prefix) + ruler.cut(text, room, ellipsis(ascii));
}

/// Which labels occur more than once.
std::vector<bool> repeated(const std::vector<std::string>& labels) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return labels[a] < labels[b]; });
  std::vector<bool> found(labels.size(), false);
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (labels[order[i]] == labels[order[i - 1]]) found[order[i]] = found[order[i - 1]] = true;
  }
  return found;
}

}  // namespace

std::string_view ellipsis(bool ascii) { return ascii ? "~" : "…"; }

std::string shown_token(const std::string& token, bool ascii) {
  std::string text = shown_text(token, ascii);
  const bool has_edges = display_width(text) > 0 && text.front() != ' ' && text.back() != ' ';
  return has_edges ? text : "'" + text + "'";
}

std::vector<std::string> token_labels(std::span<const std::string> tokens, std::ptrdiff_t max_width,
                                      bool ascii, const Ruler& ruler) {
  std::vector<std::string> texts, labels;
  for (const std::string& token : tokens) {
    texts.push_back(shown_token(token, ascii));
    labels.push_back(label(texts.back(), "", max_width, ascii, ruler));
  }
  // A prefixed label may equal a token such as "0:the", which then needs its own position.
  std::vector<bool> numbered(labels.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    const std::vector<bool> twice = repeated(labels);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (numbered[i] || !twice[i]) continue;
      labels[i] = label(texts[i], std::to_string(i) + ":", max_width, ascii, ruler);
      numbered[i] = changed = true;
    }
  }
  return labels;
}

std::vector<std::string> axis_labels(const std::vector<std::string>& names, bool tokens,
                                     std::ptrdiff_t most, const TextStyle& style) {
  if (tokens) return token_labels(names, most, style.ascii, style.ruler);
  std::vector<std::string> labels = names;
  if (style.ascii) {
    for (std::string& label : labels) label = to_ascii(label);
  }
  return labels;
}

std::ptrdiff_t widest(const std::vector<std::string>& texts, const Ruler& ruler) {
  std::ptrdiff_t most = 0;
  for (const std::string& text : texts) most = std::max(most, ruler.width(text));
  return most;
}

}  // namespace attn
