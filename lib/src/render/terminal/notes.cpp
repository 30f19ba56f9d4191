// Writes the words around matrices.
#include "render/terminal/notes.hpp"

#include <algorithm>
#include <utility>

#include "attn/language.hpp"
#include "attn/render/text.hpp"
#include "render/terminal/width.hpp"

namespace attn {
namespace {

/// The least width of a last line: a fifth of the others. Chinese and Japanese fill their lines,
/// and avoid only a last line of one character and a full stop.
std::ptrdiff_t least_of(std::string_view text, std::ptrdiff_t others, const Ruler& ruler) {
  constexpr std::ptrdiff_t kShort = 20, kTwoWide = 4;
  std::ptrdiff_t wide = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const Cluster cluster = first_cluster(rest, ruler);
    wide += cluster.width == 2;
    rest.remove_prefix(cluster.text.size());
  }
  const bool has_spaces = std::count(text.begin(), text.end(), ' ') >= wide;
  return has_spaces ? std::min(others / 5, kShort) : kTwoWide + 1;
}

/// Lines of text; the last is not much shorter than the others if it need not be.
std::vector<std::string> filled_lines(std::string_view text, std::ptrdiff_t first,
                                      std::ptrdiff_t others, const Ruler& ruler) {
  std::vector<std::string> lines = wrapped(text, first, others, ruler);
  const std::ptrdiff_t least = least_of(text, others, ruler);
  for (std::ptrdiff_t less = 1; less <= least; ++less) {
    if (lines.size() < 2 || ruler.width(lines.back()) >= least) break;
    std::vector<std::string> narrower = wrapped(text, first - less, others - less, ruler);
    if (narrower.size() > lines.size()) break;
    lines = std::move(narrower);
  }
  return lines;
}

/// The length of the first sentence, without the space after it. A title before other facts,
/// "Where? · mask: causal", is not one, nor does a full stop in a list of tokens end one.
std::size_t sentence_length(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char before = text[i - 1];
    const std::string_view rest = text.substr(i);
    const bool goes_on =
        rest.starts_with(" · ") || rest.starts_with(" | ") || rest.starts_with("  ");
    if (text[i] == ' ' && (before == '.' || before == '?' || before == '!') && !goes_on) return i;
  }
  return text.size();
}

/// Lines of text, with each sentence on lines of its own where that takes no more of them.
std::vector<std::string> prose_lines(std::string_view text, std::ptrdiff_t first,
                                     std::ptrdiff_t others, const Ruler& ruler) {
  std::vector<std::string> plain = filled_lines(text, first, others, ruler), lines;
  while (!text.empty() && plain.size() > 1) {
    const std::size_t length = sentence_length(text);
    const auto add =
        filled_lines(text.substr(0, length), lines.empty() ? first : others, others, ruler);
    lines.insert(lines.end(), add.begin(), add.end());
    text.remove_prefix(std::min(text.size(), length + 1));
  }
  return lines.empty() || lines.size() > plain.size() ? plain : lines;
}

}  // namespace

std::string prose(const std::string& text, const TextStyle& style, std::string_view first,
                  std::string_view indent, const Paint& paint) {
  const std::string words = shown_text(text, style.ascii);
  std::vector<std::string> lines{words};
  if (style.fit != Fit::Whole) {
    const std::ptrdiff_t room = style.width - 1;
    lines = prose_lines(words, room - style.ruler.width(first), room - style.ruler.width(indent),
                        style.ruler);
  }
  std::string all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    StyledLine line(style.ruler);
    all += line.add(std::string(i == 0 ? first : indent)).add(lines[i], paint).text(style.color);
  }
  return all;
}

std::string left_out_note(const Excerpt& shown, std::size_t all, const char* english,
                          const TextStyle& style, std::string_view indent) {
  if (!shown.gap) return "";
  const std::string note = translated(english, shown.members.size(), all) +
                           (style.see_all.empty() ? "" : "; " + translated(style.see_all));
  return prose(note, style, indent, indent);
}

void Legend::add(const StyledLine& entry) {
  constexpr const char* kBetweenEntries = "     ";
  const bool starts = lines_.back().width() == 0;
  const std::ptrdiff_t needed =
      lines_.back().width() + ruler_.width(kBetweenEntries) + entry.width();
  if (!starts && needed > room_) {
    lines_.push_back(entry);
  } else {
    lines_.back().add(starts ? "" : kBetweenEntries).add(entry);
  }
}

void Legend::add(const std::string& sign, const std::string& meaning) {
  add(StyledLine(ruler_).add(sign, kDim).add("  " + meaning));
}

std::string Legend::text(std::string_view indent, ColorDepth depth) const {
  std::string all;
  if (lines_.front().width() == 0) return all;
  for (const StyledLine& line : lines_)
    all += StyledLine(ruler_).add(std::string(indent)).add(line).text(depth);
  return all;
}

}  // namespace attn
