// Shows the source lines of an error with carets.
#include "render/errors/error_places.hpp"

#include <algorithm>
#include <utility>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "render/errors/error_line.hpp"
#include "render/errors/source_line.hpp"

namespace attn {
namespace {

constexpr std::ptrdiff_t kLongestPointer = 200;  // a key may be longer than any screen

/// "  --> lesson.json:9:10   /w_q"
std::string place_header(const Place& place, const std::string& pointer, const ErrorStyle& style) {
  std::string where = place.file;
  if (place.line > 0) where += ":" + std::to_string(place.line);
  if (place.line > 0 && place.column > 0) where += ":" + std::to_string(place.column);
  const bool names_pointer = !pointer.empty() && !is_option(place);
  if (names_pointer)
    where += (where.empty() ? "" : "   ") + style.ruler.cut(pointer, kLongestPointer, "…");
  return "  " + painted("-->", kFaintColor, style) + " " + shown(where, style) + "\n";
}

/// The column of line numbers to the left of the source lines.
struct Gutter {
  std::ptrdiff_t width;  // of the numbers
  const ErrorStyle& style;

  std::ptrdiff_t room() const { return style.width - width - 3; }

  std::string line(const std::string& number, const std::string& text) const {
    const std::string bar = painted(pad_left(number, width) + " |", kFaintColor, style);
    return bar + (text.empty() ? "" : " ") + text + "\n";
  }

  std::string remark(const std::string& remark) const {
    std::string text;
    if (remark.empty()) return text;
    for (const std::string& part : wrapped(remark, room(), room(), style.ruler))
      text += line("", part);
    return text;
  }
};

/// "      |      ^ remark", the remark beside the caret if there is room, otherwise below it.
std::string caret_lines(const Gutter& gutter, std::ptrdiff_t caret, char sign,
                        const std::string& remark) {
  constexpr std::ptrdiff_t kEnough = 24;
  const std::string pointer = spaces(caret) + sign;
  const std::ptrdiff_t beside = gutter.room() - caret - 2;
  if (beside < std::min(kEnough, gutter.style.ruler.width(remark))) {
    return gutter.line("", pointer) + gutter.remark(remark);
  }
  std::string text, start = pointer;
  for (const std::string& line : wrapped(remark, beside, beside, gutter.style.ruler)) {
    if (!line.empty()) start += " " + line;
    text += gutter.line("", start);
    start = spaces(caret + 1);
  }
  return text;
}

/// The line of a place.
SourceLine line_of(const Place& place, std::ptrdiff_t room, const ErrorStyle& style) {
  return show_line(place.line_text, place.column - place.first_column + 1, room, style.ascii,
                   style.ruler);
}

/// The line for a later place on it: if the part that is shown already holds the place, only the
/// caret moves.
SourceLine moved(const SourceLine& line, const Place& from, const Place& to, std::ptrdiff_t room,
                 const ErrorStyle& style) {
  const std::ptrdiff_t cut = style.ruler.width(style.ascii ? "..." : "…");
  const auto in_text = [&](int column) { return column - to.first_column + 1; };
  const std::ptrdiff_t caret =
      line.caret + cells_between(to.line_text, in_text(from.column), in_text(to.column),
                                 style.ascii, style.ruler);
  const bool near = from.column >= to.first_column;
  if (near && caret < style.ruler.width(line.text) - cut) return {line.text, caret};
  return line_of(to, room, style);
}

/// The source lines of places in one file, in line order.
std::string snippets(std::vector<Spot> spots, const ErrorStyle& style) {
  std::stable_sort(spots.begin(), spots.end(), [](const Spot& a, const Spot& b) {
    return std::pair(a.place->line, a.place->column) < std::pair(b.place->line, b.place->column);
  });
  const std::string last_number = std::to_string(spots.back().place->line);
  const Gutter gutter = {std::max<std::ptrdiff_t>(5, display_width(last_number)), style};

  std::string text;
  const Place* previous = nullptr;
  SourceLine line;
  for (const auto& [place, is_main] : spots) {
    const bool same_line = previous != nullptr && place->line == previous->line;
    const std::string shown_before = same_line ? line.text : "";
    // One cell less than there is, for a caret after the last character.
    line = same_line ? moved(line, *previous, *place, gutter.room() - 1, style)
                     : line_of(*place, gutter.room() - 1, style);
    if (previous != nullptr && place->line > previous->line + 1) {
      text += painted(spaces(gutter.width + 1) + "...", kFaintColor, style) + "\n";
    }
    if (!same_line || line.text != shown_before) {
      text += gutter.line(std::to_string(place->line), line.text);
    }
    const bool named = is_main || !place->remark.empty() || place->pointer.empty();
    const std::string remark =
        shown(named ? translated_sentence(place->remark) : dotted(place->pointer), style);
    const char sign = is_main ? '^' : '-';
    text +=
        place->column > 0 ? caret_lines(gutter, line.caret, sign, remark) : gutter.remark(remark);
    previous = place;
  }
  return text;
}

/// The spots in the same file as `first`.
std::vector<Spot> beside(const Spot& first, const std::vector<Spot>& spots) {
  std::vector<Spot> same;
  for (const Spot& spot : spots) {
    if (spot.place->line > 0 && spot.place->file == first.place->file) same.push_back(spot);
  }
  return same;
}

}  // namespace

std::vector<Spot> spots_of(const Diagnostic& diagnostic) {
  std::vector<Spot> spots;
  for (const Place& place : diagnostic.places) {
    const bool seen = std::any_of(spots.begin(), spots.end(), [&](const Spot& spot) {
      return spot.place->line > 0 && spot.place->file == place.file;
    });
    spots.push_back({&place, !seen});
  }
  return spots;
}

std::string places_text(const std::vector<Spot>& spots, const ErrorStyle& style) {
  std::string text;
  std::vector<std::string> files;  // already shown
  for (const Spot& spot : spots) {
    const Place& place = *spot.place;
    if (place.line == 0) {
      text += place_header(place, place.pointer, style);
      if (!place.remark.empty()) text += note("", translated_sentence(place.remark), style);
      continue;
    }
    if (std::find(files.begin(), files.end(), place.file) != files.end()) continue;
    files.push_back(place.file);
    const std::vector<Spot> same_file = beside(spot, spots);
    const auto mains = std::count_if(same_file.begin(), same_file.end(),
                                     [](const Spot& each) { return each.is_main; });
    text += place_header(place, mains == 1 ? place.pointer : "", style);
    text += snippets(same_file, style);
  }
  return text;
}

}  // namespace attn
