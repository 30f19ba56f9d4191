#include "attn/error_text.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/text.hpp"
#include "render/source_line.hpp"
#include "render/wrap.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostDiagnostics = 5;
constexpr const char* kBoldRed = "1;31";
constexpr const char* kDim = "2";

std::string painted(const std::string& text, const char* color, const ErrorStyle& style) {
  return style.color ? "\x1b[" + std::string(color) + "m" + text + "\x1b[0m" : text;
}

std::string shown(const std::string& text, const ErrorStyle& style) {
  return style.ascii ? to_ascii(visible(text)) : visible(text);
}

std::string spaces(std::ptrdiff_t count) {
  return std::string(static_cast<std::size_t>(count), ' ');
}

std::string headline(const Diagnostic& diagnostic, const ErrorStyle& style) {
  const std::string rest = "[" + shown(diagnostic.id, style) + "]: ";
  const std::ptrdiff_t start = display_width("error" + rest);
  const std::vector<std::string> lines =
      wrapped(shown(diagnostic.what, style), style.width - start, style.width - 2);
  std::string text = painted("error", kBoldRed, style) + rest + lines.front() + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) text += "  " + lines[i] + "\n";
  return text;
}

std::string sketch(std::string_view lines, const ErrorStyle& style) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    text += shown(std::string(lines.substr(0, end)), style) + "\n";
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text;
}

/// "  rule  Each row …": the word, then the text beside it.
std::string note(const char* word, const std::string& text, const ErrorStyle& style) {
  if (text.empty()) return "";
  constexpr std::ptrdiff_t kIndent = 8;
  std::string result = pad_right("  " + std::string(word), kIndent);
  const std::ptrdiff_t room = style.width - kIndent;
  for (const std::string& line : wrapped(shown(text, style), room, room)) {
    result += result.back() == '\n' ? spaces(kIndent) + line : line;
    result += "\n";
  }
  return result;
}

bool is_option(const Place& place) { return place.file.starts_with("-"); }

/// "  --> lesson.json:9:10   /w_q"
std::string place_header(const Place& place, const ErrorStyle& style) {
  std::string where = place.file;
  if (place.line > 0) where += ":" + std::to_string(place.line);
  if (place.line > 0 && place.column > 0) where += ":" + std::to_string(place.column);
  const bool names_pointer = !place.pointer.empty() && !is_option(place);
  if (names_pointer) where += (where.empty() ? "" : "   ") + place.pointer;
  return "  " + painted("-->", kDim, style) + " " + shown(where, style) + "\n";
}

/// The column of line numbers left of source lines.
struct Gutter {
  std::ptrdiff_t width;  // of the numbers
  const ErrorStyle& style;

  std::ptrdiff_t room() const { return style.width - width - 3; }

  std::string line(const std::string& number, const std::string& text) const {
    const std::string bar = painted(pad_left(number, width) + " |", kDim, style);
    return bar + (text.empty() ? "" : " ") + text + "\n";
  }

  std::string remark(const std::string& remark) const {
    std::string text;
    if (remark.empty()) return text;
    for (const std::string& part : wrapped(remark, room(), room())) text += line("", part);
    return text;
  }
};

/// "      |      ^ remark", the remark beside the caret if there is room, else below it.
std::string caret_lines(const Gutter& gutter, std::ptrdiff_t caret, char sign,
                        const std::string& remark) {
  constexpr std::ptrdiff_t kEnough = 24;
  const std::string pointer = spaces(caret) + sign;
  const std::ptrdiff_t beside = gutter.room() - caret - 2;
  if (beside < std::min(kEnough, display_width(remark))) {
    return gutter.line("", pointer) + gutter.remark(remark);
  }
  std::string text, start = pointer;
  for (const std::string& line : wrapped(remark, beside, beside)) {
    if (!line.empty()) start += " " + line;
    text += gutter.line("", start);
    start = spaces(caret + 1);
  }
  return text;
}

/// A place, and whether its diagnostic is about it rather than about how it came to be.
struct Spot {
  const Place* place;
  bool is_main;
};

/// The source lines of places in one file, in line order.
std::string snippets(std::vector<Spot> spots, const ErrorStyle& style) {
  std::stable_sort(spots.begin(), spots.end(), [](const Spot& a, const Spot& b) {
    return std::pair(a.place->line, a.place->column) < std::pair(b.place->line, b.place->column);
  });
  const std::string last_number = std::to_string(spots.back().place->line);
  const Gutter gutter = {std::max<std::ptrdiff_t>(5, display_width(last_number)), style};

  std::string text, previous_text;
  int previous = 0;
  for (const auto& [place, is_main] : spots) {
    // One cell less than there is, for a caret behind the last character.
    const SourceLine line =
        show_line(place->line_text, place->column, gutter.room() - 1, style.ascii);
    if (previous > 0 && place->line > previous + 1) {
      text += painted(spaces(gutter.width + 1) + "...", kDim, style) + "\n";
    }
    if (place->line != previous || line.text != previous_text) {
      text += gutter.line(std::to_string(place->line), line.text);
    }
    const std::string remark = shown(place->remark, style);
    const char sign = is_main ? '^' : '-';
    text +=
        place->column > 0 ? caret_lines(gutter, line.caret, sign, remark) : gutter.remark(remark);
    previous = place->line;
    previous_text = line.text;
  }
  return text;
}

std::string places_text(const std::vector<Spot>& spots, const ErrorStyle& style) {
  std::string text;
  std::vector<std::string> files;  // those done
  for (const auto& [place, is_main] : spots) {
    if (place->line == 0) {
      text += place_header(*place, style);
      if (!place->remark.empty()) text += note("", place->remark, style);
      continue;
    }
    if (std::find(files.begin(), files.end(), place->file) != files.end()) continue;
    files.push_back(place->file);
    std::vector<Spot> same_file;
    for (const Spot& other : spots) {
      if (other.place->line > 0 && other.place->file == files.back()) same_file.push_back(other);
    }
    text += place_header(*place, style) + snippets(same_file, style);
  }
  return text;
}

/// Diagnostics that are told together: their sentences, then all places, then what to do.
using Group = std::vector<const Diagnostic*>;

std::vector<Group> grouped(std::span<const Diagnostic> diagnostics) {
  std::vector<Group> groups;
  for (const Diagnostic& each : diagnostics) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      const Diagnostic& first = *group.front();
      return first.id == each.id && first.sketch.empty() && each.sketch.empty();
    });
    if (same == groups.end()) {
      groups.push_back({&each});
    } else {
      same->push_back(&each);
    }
  }
  return groups;
}

/// The notes of a group, each different one once.
std::string notes(const char* word, const Group& group, std::string Diagnostic::*text,
                  const ErrorStyle& style) {
  std::string all;
  std::vector<std::string> told;
  for (const Diagnostic* each : group) {
    if (std::find(told.begin(), told.end(), each->*text) != told.end()) continue;
    told.push_back(each->*text);
    all += note(told.size() == 1 ? word : "", told.back(), style);
  }
  return all;
}

std::string group_text(const Group& group, const ErrorStyle& style) {
  std::string text;
  std::vector<Spot> spots;
  for (const Diagnostic* each : group) {
    text += headline(*each, style);
    for (const Place& place : each->places) spots.push_back({&place, &place == &each->places[0]});
  }
  const std::string drawing = sketch(group.front()->sketch, style);
  const std::string places = places_text(spots, style);
  const std::string advice = notes("rule", group, &Diagnostic::rule, style) +
                             notes("fix", group, &Diagnostic::fix, style) +
                             notes("more", group, &Diagnostic::help, style);
  if (!drawing.empty()) text += "\n" + drawing;
  if (!places.empty()) text += "\n" + places;
  const bool needs_gap = !drawing.empty() || !places.empty();
  if (!advice.empty()) text += (needs_gap ? "\n" : "") + advice;
  return text;
}

/// What to do first, once the errors fill more than one look.
std::string reminder(const Diagnostic& first, std::size_t hidden, const ErrorStyle& style) {
  std::string text = "\n";
  if (hidden > 0) text += "and " + std::to_string(hidden) + " more\n";
  if (first.fix.empty()) return hidden > 0 ? text : "";
  for (const std::string& line :
       wrapped("Begin with the first: " + shown(first.fix, style), style.width, style.width)) {
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string error_text(const Error& error, const ErrorStyle& style) {
  const std::vector<Diagnostic>& all = error.diagnostics();
  const std::size_t shown_count = std::min(all.size(), kMostDiagnostics);
  const std::vector<Group> groups = grouped(std::span(all).first(shown_count));
  std::string text;
  for (const Group& group : groups) text += (text.empty() ? "" : "\n") + group_text(group, style);
  const std::size_t hidden = all.size() - shown_count;
  if (hidden > 0 || groups.size() > 1) text += reminder(all.front(), hidden, style);
  return text;
}

}  // namespace attn
