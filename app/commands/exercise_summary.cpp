// Counts blanks, mistakes and ties over all sheets, and says them in a table and sentences.
#include "commands/exercise_summary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "attn/core/array.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/mistakes.hpp"

namespace attn::app {
namespace {

using Words = std::vector<std::string>;
using Variants = std::vector<ExerciseVariant>;

/// "6" or "6 to 8".
std::string range(std::vector<Index> counts) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return std::to_string(*least) + (*least == *most ? "" : " to " + std::to_string(*most));
}

template <class CountOf>
std::string range_of(const Variants& variants, CountOf count_of) {
  std::vector<Index> counts;
  for (const ExerciseVariant& each : variants) counts.push_back(count_of(each));
  return range(std::move(counts));
}

/// "scale.missing (scores not scaled)"
std::string with_title(const std::string& code) {
  const Mistake* mistake = find_mistake(code);
  return mistake == nullptr ? code : code + " (" + mistake->title + ")";
}

Index blanks_in(const SheetStep& step) {
  return std::count_if(step.blank.begin(), step.blank.end(), [](char each) { return each != 0; });
}

Table steps_table(const Variants& variants) {
  const std::vector<SheetStep>& steps = variants.front().sheet.steps;
  if (variants.front().sheet.bug) {  // everything is filled in, and no step has points
    Table table{{"step", "cells"}, {}, 2};
    for (const SheetStep& each : steps) table.rows.push_back({each.id, shape_text(each.shape)});
    return table;
  }
  Table table{{"step", "cells", "blanks", "points"}, {}, 2};
  for (std::size_t s = 0; s < steps.size(); ++s) {
    table.rows.push_back(
        {steps[s].id, shape_text(steps[s].shape),
         range_of(variants, [&](const auto& each) { return blanks_in(each.sheet.steps[s]); }),
         short_text(steps[s].points)});
  }
  return table;
}

/// How many sheets each of these is on.
template <class Key, class ListOf>
std::map<Key, Index> counts(const Variants& variants, ListOf list_of) {
  std::map<Key, Index> all;
  for (const ExerciseVariant& each : variants) {
    for (const Key& key : list_of(each.proof)) ++all[key];
  }
  return all;
}

/// What the sheets of one's own problems do not promise.
void add_unproved(const ExerciseSpec& spec, const Variants& variants, std::vector<Block>& blocks) {
  const auto note = [&](std::string text) {
    blocks.emplace_back(Paragraph{std::move(text), Role::Note});
  };
  if (!variants.front().proof.tried_mistakes)
    note(
        "Which mistakes show in the blanks was not tried: a whole model has too many. attn check "
        "looks for them when it grades.");
  if (spec.problems.empty() || variants.size() == 1) return;
  if (spec.problems.contains(""))
    return note(
        "The problem is the same on all sheets, so answers can be copied: only the blanks "
        "differ.");
  const auto [least, most] =
      std::minmax_element(variants.begin(), variants.end(),
                          [](const auto& a, const auto& b) { return a.proof.work < b.proof.work; });
  if (least->proof.work < most->proof.work)
    note(filled("The sheets are not equally long: {} to {} products.",
                short_text(least->proof.work), short_text(most->proof.work)));
}

/// "": all of them; otherwise "On 3 of 28 sheets, ".
std::string where(Index count, const Variants& variants) {
  return count == std::ssize(variants)
             ? ""
             : filled("On {} of {}, ", count, counted(std::ssize(variants), "sheet"));
}

/// The codes that are on every sheet.
Words found_everywhere(const Variants& variants) {
  Words codes;
  for (const auto& [code, count] :
       counts<std::string>(variants, [](const Proof& proof) { return proof.found; })) {
    if (count == std::ssize(variants)) codes.push_back(code);
  }
  return codes;
}

/// The mistakes that were built in, in a sentence.
Paragraph planted(const Variants& variants) {
  Words codes;
  for (const auto& each :
       counts<std::string>(variants, [](const Proof& proof) { return proof.found; }))
    codes.push_back(each.first);
  return {"Each sheet is worked with one mistake built in: " + either(codes) +
          ". Students name the first wrong step, and the mistake."};
}

/// How much of the sheets needs no student, and what to do about it.
std::string by_attn(const Variants& variants) {
  double share = 0.0;
  for (const ExerciseVariant& each : variants) share += solved_by_attn(each.sheet, each.key);
  const auto percent = std::lround(100.0 * share / static_cast<double>(variants.size()));
  return filled("attn alone solves {}% of {}{}", percent,
                variants.size() == 1 ? "this sheet" : "these sheets",
                percent == 0 ? ": the problem on it cannot be computed."
                             : ": use it to practise, or on paper where nobody has attn.");
}

constexpr Index kFewMistakes = 6;

/// The groups that contain an enabled code, in full; the rest are only counted.
std::string first_enabled(const std::vector<std::pair<std::string, bool>>& groups) {
  Words full;
  for (const auto& [text, enabled] : groups) {
    if (enabled) full.push_back(text);
  }
  const auto rest = std::ssize(groups) - std::ssize(full);
  if (rest > 0)
    full.push_back(filled(full.empty() ? "{} that the sheets need not reveal" : "{} more", rest));
  return separated(full, "; ");
}

/// What grading cannot tell from the blanks, in sentences.
void add_blindness(const Variants& variants, const Words& listed, std::vector<Block>& blocks) {
  using Groups = std::vector<std::pair<std::string, bool>>;
  const auto is_enabled = [&](const std::string& code) {
    return listed.empty() || std::find(listed.begin(), listed.end(), code) != listed.end();
  };
  std::map<Index, Groups, std::greater<>> unseen, alike;  // by the number of sheets
  for (const auto& [code, count] :
       counts<std::string>(variants, [](const Proof& proof) { return proof.blindness.unseen; }))
    unseen[count].emplace_back(with_title(code), is_enabled(code));
  for (const auto& [codes, count] :
       counts<Words>(variants, [](const Proof& proof) { return proof.blindness.tied; })) {
    Words named;
    for (const std::string& code : codes) named.push_back(with_title(code));
    alike[count].emplace_back(separated(named, " and "),
                              std::any_of(codes.begin(), codes.end(), is_enabled));
  }
  for (const auto& [count, codes] : unseen) {
    const std::string on = where(count, variants);
    blocks.emplace_back(Paragraph{on + (on.empty() ? "These" : "these") +
                                  " mistakes do not show in the blanks: " + first_enabled(codes) +
                                  "."});
  }
  for (const auto& [count, groups] : alike) {
    const std::string on = where(count, variants);
    blocks.emplace_back(Paragraph{on + (on.empty() ? "These" : "these") +
                                  " look alike in the blanks, so grading names them together: " +
                                  first_enabled(groups) + "."});
  }
  if (!unseen.empty() || !alike.empty()) return;
  blocks.emplace_back(
      Paragraph{"Every mistake that can occur in these problems shows in the blanks, and no two "
                "look alike."});
}

}  // namespace

std::string short_text(double number) { return format_digits(number, 6); }

Document exercise_summary(const ExerciseSpec& spec, const Variants& variants,
                          const std::string& folder, const std::string& students) {
  const Sheet& first = variants.front().sheet;
  const Proof& first_proof = variants.front().proof;
  double points = first.bug ? first.bug_points : 0.0;
  for (const SheetStep& step : first.steps) points += step.points;
  Document document;
  std::vector<Block>& blocks = document.blocks;
  blocks.emplace_back(Title{"Exercise " + spec.name,
                            {},
                            {counted(std::ssize(variants), "sheet"),
                             short_text(points) + (points == 1.0 ? " point" : " points")}});
  Words facts{filled("answers with {}, accepted within {}", counted(spec.decimals, "decimal"),
                     short_text(first.accept_within)),
              (spec.problems.empty() ? "random problems tried per sheet: "
                                     : "your own numbers · choices of blanks tried per sheet: ") +
                  range_of(variants, [](const auto& each) { return each.tries; })};
  if (!students.empty()) facts.insert(facts.begin(), students);
  blocks.emplace_back(Paragraph{separated(facts, " · "), Role::Facts});
  blocks.emplace_back(steps_table(variants));
  if (first.inverse) {
    blocks.emplace_back(Paragraph{
        "Any numbers that make the printed steps are right. Grading computes; the key is one "
        "solution of many."});
  } else if (first.bug) {
    blocks.emplace_back(planted(variants));
  } else if (first_proof.tried_mistakes) {
    const Words found = found_everywhere(variants);
    blocks.emplace_back(Paragraph{
        filled("Grading can name {}{}", counted(std::ssize(found), "mistake"),
               found.empty()                      ? "."
               : std::ssize(found) > kFewMistakes ? "; attn exercise rules explains each."
                                                  : ": " + separated(found, ", ") + ".")});
    add_blindness(variants, spec.mistakes, blocks);
  }
  add_unproved(spec, variants, blocks);
  blocks.emplace_back(Paragraph{by_attn(variants), Role::Note});
  blocks.emplace_back(Paragraph{
      folder + "/sheets is for the students; keep " + folder + "/key to yourself.", Role::Footer});
  return document;
}

}  // namespace attn::app
