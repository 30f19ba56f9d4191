// Describes what a class did: how many were graded, each step, the causes.
#include <array>
#include <cmath>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/gradebook.hpp"
#include "attn/teach/mistakes.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostCauses = 12;

std::string percent(double x) { return std::to_string(std::lround(x)) + "%"; }

/// What became of rows without a grade, by RowStatus.
constexpr std::array<const char*, kRowStatuses> kOthers{
    "",
    in_catalogue("{n} not gradable"),
    in_catalogue("{n} missing"),
    in_catalogue("{n} wrong variant"),
    in_catalogue("{n} duplicate"),
    in_catalogue("{n} not in roster"),
};

/// "1 excused", "2 missing", "1 not gradable": with those graded, all rows.
std::vector<std::string> other_rows(const ClassSummary& summary) {
  std::vector<std::string> texts;
  if (summary.excused > 0) texts.push_back(translated("{n} excused", summary.excused));
  for (std::size_t i = 1; i < kRowStatuses; ++i) {
    if (summary.others[i] > 0) texts.push_back(translated(kOthers.at(i), summary.others[i]));
  }
  return texts;
}

/// How many rows have no grade, though something was handed in.
Index ungraded(const ClassSummary& summary) {
  Index count = 0;
  for (const RowStatus each :
       {RowStatus::NotGradable, RowStatus::WrongVariant, RowStatus::Duplicate})
    count += summary.others[static_cast<std::size_t>(each)];
  return count;
}

Table steps_table(const ClassSummary& summary) {
  Table table{{translated("step"), translated("points"), translated("right"), translated("follows"),
               translated("wrong"), translated("blank"), translated("mean")},
              {},
              1};
  for (const ClassStep& step : summary.steps) {
    table.rows.push_back({step.id, short_number(step.points, 3), std::to_string(step.right),
                          std::to_string(step.follows), std::to_string(step.wrong),
                          std::to_string(step.empty),
                          step.mean_percent ? percent(*step.mean_percent) : "–"});
  }
  return table;
}

/// "9 of 28" for each of the most frequent mistakes.
Table causes_table(const ClassSummary& summary) {
  Table table{{translated("mistake"), translated("code"), translated("students")}, {}, 2};
  for (const ClassCause& cause : summary.causes) {
    if (table.rows.size() == kMostCauses) break;
    table.rows.push_back({translated(cause.title), cause.code,
                          translated("{n} of {all}", cause.students, summary.graded)});
  }
  return table;
}

}  // namespace

Document ungraded_document(const std::string& exercise, const ClassRow& row) {
  Document document;
  Title title{exercise, {}, {}};
  if (has_score(row))
    title.facts.push_back(points_text(row.grade->report.score, row.grade->report.max_score));
  document.blocks.emplace_back(std::move(title));
  document.blocks.emplace_back(Paragraph{row.student(), Role::Facts});
  if (const std::string fate = fate_said(row); !fate.empty())
    document.blocks.emplace_back(Paragraph{fate, Role::Labelled, translated("Status")});
  for (const std::string& note : notes_for_student(row))
    document.blocks.emplace_back(Paragraph{shortened(translated_sentence(note)), Role::Note});
  return document;
}

Document class_document(const ClassSummary& summary) {
  Document document;
  const auto add = [&](auto block) { document.blocks.push_back(std::move(block)); };
  add(Title{
      summary.exercise, {}, {translated("{n} of {all} graded", summary.graded, summary.students)}});
  if (const auto others = other_rows(summary); !others.empty())
    add(Paragraph{separated(others, " · "), Role::Facts});
  if (const Index count = ungraded(summary); count > 0)
    add(Paragraph{translated(count == 1 ? "1 sheet is not graded: the gradebook says why"
                                        : "{n} sheets are not graded: the gradebook says why",
                             count),
                  Role::Note});
  if (!summary.median_percent) return document;
  add(steps_table(summary));
  add(Paragraph{translated("right, follows, wrong and blank: how many students"), Role::Aside});
  add(Paragraph{translated("{percent} of {points}; mean {mean}", percent(*summary.median_percent),
                           points_text(summary.points), percent(*summary.mean_percent)),
                Role::Labelled, translated("Median")});
  if (summary.hardest_step)
    add(Paragraph{*summary.hardest_step, Role::Labelled, translated("Hardest step")});
  if (!summary.causes.empty()) add(causes_table(summary));
  if (const auto more = std::ssize(summary.causes) - static_cast<Index>(kMostCauses); more > 0)
    add(Paragraph{translated("and {mistakes}", translated_count(more, "more mistake")),
                  Role::Aside});
  if (summary.flagged > 0) {
    add(Paragraph{
        translated(summary.flagged == 1 ? "1 sheet has a flag: the gradebook says why"
                                        : "{n} sheets have a flag: the gradebook says why",
                   summary.flagged),
        Role::Note});
  }
  return document;
}

}  // namespace attn
