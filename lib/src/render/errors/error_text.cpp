// Writes an error for people: headline, places, rule, fix.
#include "attn/render/error_text.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "attn/language.hpp"
#include "attn/render/text.hpp"
#include "render/errors/error_line.hpp"
#include "render/errors/error_places.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostDiagnostics = 5;

std::string headline(const Diagnostic& diagnostic, const ErrorStyle& style) {
  const std::string rest = "[" + shown(diagnostic.id, style) + "]: ";
  const std::ptrdiff_t start = style.ruler.width("error" + rest);
  const std::vector<std::string> lines = wrapped(shown(translated_sentence(diagnostic.what), style),
                                                 style.width - start, style.width - 2, style.ruler);
  std::string text = painted("error", kErrorColor, style) + rest + lines.front() + "\n";
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

/// Diagnostics that are shown together: their sentences, then all places, then what to do.
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

/// The sentences of a group, none of them twice.
std::string headlines(const Group& group, const ErrorStyle& style) {
  std::string all;
  std::set<std::string> said;
  for (const Diagnostic* each : group) {
    if (said.insert(each->what).second) all += headline(*each, style);
  }
  return all;
}

/// The places of a group, none of them twice with the same remark.
std::vector<Spot> spots_of(const Group& group) {
  std::vector<Spot> all;
  std::set<std::tuple<std::string, int, int, std::string, std::string>> seen;
  for (const Diagnostic* each : group) {
    for (const Spot& spot : spots_of(*each)) {
      const Place& at = *spot.place;
      const std::string pointer = is_option(at) ? "" : at.pointer;
      if (seen.emplace(at.file, at.line, at.column, pointer, at.remark).second) all.push_back(spot);
    }
  }
  return all;
}

/// The notes of a group, none of them twice.
std::string notes(const char* word, const Group& group, std::string Diagnostic::*text,
                  const ErrorStyle& style) {
  std::string all;
  std::vector<std::string> said;
  for (const Diagnostic* each : group) {
    if (std::find(said.begin(), said.end(), each->*text) != said.end()) continue;
    said.push_back(each->*text);
    all += note(said.size() == 1 ? translated(word) : "", translated_sentence(said.back()), style);
  }
  return all;
}

std::string group_text(const Group& group, const ErrorStyle& style) {
  std::string text = headlines(group, style);
  const std::string drawing = sketch(group.front()->sketch, style);
  const std::string places = places_text(spots_of(group), style);
  const std::string advice = notes(in_catalogue("rule"), group, &Diagnostic::rule, style) +
                             notes(in_catalogue("fix"), group, &Diagnostic::fix, style) +
                             notes(in_catalogue("more"), group, &Diagnostic::help, style);
  if (!drawing.empty()) text += "\n" + drawing;
  if (!places.empty()) text += "\n" + places;
  const bool needs_gap = !drawing.empty() || !places.empty();
  if (!advice.empty()) text += (needs_gap ? "\n" : "") + advice;
  return text;
}

/// How many errors are not shown, and what to do first.
std::string reminder(const Diagnostic& first, std::size_t hidden, const ErrorStyle& style) {
  std::string text = "\n";
  if (hidden > 0) text += translated("and {n} more", hidden) + "\n";
  if (first.fix.empty()) return hidden > 0 ? text : "";
  for (const std::string& line : wrapped(
           shown(translated("Begin with the first: {fix}", translated_sentence(first.fix)), style),
           style.width, style.width, style.ruler)) {
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
  const std::size_t hidden = all.size() - shown_count + error.omitted();
  if (hidden > 0 || groups.size() > 1) text += reminder(all.front(), hidden, style);
  return text;
}

}  // namespace attn
