// Counts blanks, mistakes and ties over all sheets, and says them in a table and sentences.
#include "commands/exercise_summary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "attn/core/array.hpp"
#include "attn/language.hpp"
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
  return *least == *most ? std::to_string(*least) : translated("{least} to {most}", *least, *most);
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
  return mistake == nullptr ? code : with_remark(code, translated(mistake->title));
}

Index blanks_in(const SheetStep& step) {
  return std::count_if(step.blank.begin(), step.blank.end(), [](char each) { return each != 0; });
}

Table steps_table(const Variants& variants) {
  const std::vector<SheetStep>& steps = variants.front().sheet.steps;
  if (variants.front().sheet.bug) {  // everything is filled in, and no step has points
    Table table{{translated("step"), translated("cells")}, {}, 2};
    for (const SheetStep& each : steps) table.rows.push_back({each.id, shape_text(each.shape)});
    return table;
  }
  Table table{
      {translated("step"), translated("cells"), translated("blanks"), translated("points")}, {}, 2};
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

/// What somebody may fill in without work, on the sheet where it earns most beside what it may.
const Proof& best_guess(const Variants& variants) {
  const auto most = std::max_element(variants.begin(), variants.end(),
                                     [](const ExerciseVariant& a, const ExerciseVariant& b) {
                                       return a.proof.guess_share() < b.proof.guess_share();
                                     });
  return most->proof;
}

/// What sheets do not promise whose blanks or problems are the teacher's own.
void add_unproved(const ExerciseSpec& spec, const Variants& variants, std::vector<Block>& blocks) {
  const auto note = [&](std::string text) {
    blocks.emplace_back(Paragraph{std::move(text), Role::Note});
  };
  if (!variants.front().proof.tried_mistakes)
    note(
        translated("Which mistakes show in the blanks was not tried: a whole model has too many. "
                   "attn check looks for them when it grades."));
  if (const Proof& most = best_guess(variants);
      most.guess_share() > most_for_guesses(ExerciseSpec{})) {
    const bool chosen = spec.blanks.kind == BlankRule::Kind::Share || spec.inverse;
    note(sentences(
        {translated("Without work, {n}% of a sheet can be earned: by {what}.",
                    std::lround(100.0 * most.guess_score), translated_sentence(most.guess)),
         chosen ? ""
                : translated("It is less where attn chooses the blanks (--blank-cells "
                             "40%).")}));
  }
  if (spec.problems.empty() || variants.size() == 1) return;
  if (spec.problems.contains(""))
    return note(
        translated("The problem is the same on all sheets, so answers can be copied: only the "
                   "blanks differ."));
  const auto [least, most] =
      std::minmax_element(variants.begin(), variants.end(),
                          [](const auto& a, const auto& b) { return a.proof.work < b.proof.work; });
  if (least->proof.work < most->proof.work)
    note(translated("The sheets are not equally long: {least} to {most} products.",
                    short_text(least->proof.work), short_text(most->proof.work)));
}

/// A sentence about a list that holds for all sheets, or one about `count` of them.
struct ForSheets {
  const char *all, *some;
};
constexpr ForSheets kUnseen{
    in_catalogue("These mistakes do not show in the blanks: {list}."),
    in_catalogue("On {n} of {sheets}, these mistakes do not show in the blanks: {list}.")};
constexpr ForSheets kAlike{
    in_catalogue("These look alike in the blanks, so grading names them together: {list}."),
    in_catalogue("On {n} of {sheets}, these look alike in the blanks, so grading names them "
                 "together: {list}.")};

std::string said_of(Index count, const Variants& variants, const ForSheets& sentence,
                    const std::string& list) {
  const auto all = std::ssize(variants);
  return count == all ? translated(sentence.all, list)
                      : translated(sentence.some, count, translated_count(all, "sheet"), list);
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
  return {
      translated("Each sheet is worked with one mistake built in: {codes}. Students name the "
                 "first wrong step, and the mistake.",
                 translated_choice(codes))};
}

/// How much of the sheets needs no student, and what to do about it.
std::string by_attn(const Variants& variants) {
  double share = 0.0;
  for (const ExerciseVariant& each : variants) share += solved_by_attn(each.sheet, each.key);
  const auto percent = std::lround(100.0 * share / static_cast<double>(variants.size()));
  if (variants.front().sheet.bug)
    return translated(
        "With a problem made of the printed scores, attn earns {n}% of the points: use "
        "find-the-bug to practise, or on paper where nobody has attn.",
        percent);
  if (variants.size() == 1)
    return percent == 0
               ? translated(
                     "attn alone solves {n}% of this sheet: the problem on it cannot be "
                     "computed.",
                     percent)
               : translated(
                     "attn alone solves {n}% of this sheet: use it to practise, or on paper "
                     "where nobody has attn.",
                     percent);
  return percent == 0
             ? translated(
                   "attn alone solves {n}% of these sheets: their problems cannot be "
                   "computed.",
                   percent)
             : translated(
                   "attn alone solves {n}% of these sheets: use them to practise, or on paper "
                   "where nobody has attn.",
                   percent);
}

constexpr Index kFewMistakes = 6;

/// The groups that contain an enabled code, in full while `room` lasts; the rest are only counted.
std::string first_enabled(const std::vector<std::pair<std::string, bool>>& groups, Index& room) {
  Words full;
  for (const auto& [text, enabled] : groups) {
    if (enabled && room-- > 0) full.push_back(text);
  }
  const auto rest = std::ssize(groups) - std::ssize(full);
  if (rest > 0)
    full.push_back(full.empty() ? translated("{n} that the sheets need not reveal", rest)
                                : translated("{n} more", rest));
  return clauses(full);
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
    alike[count].emplace_back(without_loose_spaces(translated_list(named)),
                              std::any_of(codes.begin(), codes.end(), is_enabled));
  }
  const auto say = [&](const auto& by_count, const ForSheets& sentence) {
    Index room = kFewMistakes;
    std::ptrdiff_t more = 0;
    for (const auto& [count, groups] : by_count) {
      if (room > 0)
        blocks.emplace_back(
            Paragraph{said_of(count, variants, sentence, first_enabled(groups, room))});
      else
        more += std::ssize(groups);
    }
    if (more > 0)
      blocks.emplace_back(Paragraph{translated("{n} more, each on fewer sheets.", more)});
  };
  say(unseen, kUnseen);
  say(alike, kAlike);
  if (!unseen.empty() || !alike.empty()) return;
  blocks.emplace_back(Paragraph{
      translated("Every mistake that can occur in these problems shows in the blanks, and "
                 "no two look alike.")});
}

}  // namespace

std::string short_text(double number) { return format_digits(number, 6); }

Document exercise_summary(const ExerciseSpec& spec, const Variants& variants,
                          const std::string& folder, const std::string& students) {
  const Sheet& first = variants.front().sheet;
  const Proof& first_proof = variants.front().proof;
  const double points = points_of(first);
  Document document;
  std::vector<Block>& blocks = document.blocks;
  blocks.emplace_back(Title{
      translated("Exercise {name}", spec.name),
      {},
      {translated_count(std::ssize(variants), "sheet"),
       points == 1.0 ? translated("1 point") : translated("{n} points", short_text(points))}});
  const std::string tries = range_of(variants, [](const auto& each) { return each.tries; });
  Words facts{translated("answers with {decimals}, accepted within {number}",
                         translated_count(spec.decimals, "decimal"),
                         short_text(first.accept_within))};
  if (!spec.problems.empty()) facts.push_back(translated("your own numbers"));
  facts.push_back(spec.problems.empty()
                      ? translated("random problems tried per sheet: {n}", tries)
                      : translated("choices of blanks tried per sheet: {n}", tries));
  if (!students.empty()) facts.insert(facts.begin(), students);
  blocks.emplace_back(Paragraph{separated(facts, " · "), Role::Facts});
  blocks.emplace_back(steps_table(variants));
  if (first.inverse) {
    blocks.emplace_back(
        Paragraph{translated("Any numbers that make the printed steps are right. Grading computes; "
                             "the key is one solution of many.")});
  } else if (first.bug) {
    blocks.emplace_back(planted(variants));
  } else if (first_proof.tried_mistakes) {
    const Words found = found_everywhere(variants);
    const std::string count = translated_count(std::ssize(found), "mistake");
    blocks.emplace_back(Paragraph{
        found.empty() ? translated("Grading can name {mistakes}.", count)
        : std::ssize(found) > kFewMistakes
            ? translated("Grading can name {mistakes}; attn exercise rules explains each.", count)
            : translated("Grading can name {mistakes}: {codes}.", count,
                         separated(found, translated(", ")))});
    add_blindness(variants, spec.mistakes, blocks);
  }
  add_unproved(spec, variants, blocks);
  blocks.emplace_back(Paragraph{by_attn(variants), Role::Note});
  blocks.emplace_back(Paragraph{
      translated("{folder}/sheets is for the students; keep {folder}/key to yourself.", folder),
      Role::Footer});
  return document;
}

}  // namespace attn::app
