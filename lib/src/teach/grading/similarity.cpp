// Finds sheets that resemble each other more than chance allows.
#include <algorithm>
#include <cmath>

#include "attn/phrases.hpp"
#include "attn/teach/gradebook.hpp"

namespace attn {
namespace {

constexpr double kByChance = 1e-3;  ///< expected chance resemblances of a sheet that are tolerated
constexpr double kMostOf = 0.8;     ///< share of the wrong cells that must agree
constexpr std::size_t kFewest = 4;  ///< wrong numbers, below which nothing is said

/// One number in a blank, by its place on the sheet.
struct WrittenCell {
  std::size_t step, cell;
  double number;
  bool wrong;      ///< it differs from what the sheet asks for
  bool explained;  ///< by a known mistake, which others make as well
};

/// A graded row with what was written, and those of its wrong cells that say something.
struct Suspect {
  ClassRow* row;
  std::vector<WrittenCell> written, telling;
};

bool agree(const Sheet& sheet, double a, double b) {
  return std::abs(a - b) <= sheet.accept_within * (1.0 + 1e-9);
}

/// The numbers in the blanks.
std::vector<WrittenCell> cells_of(const ClassRow& row) {
  std::vector<WrittenCell> cells;
  const Sheet& key = *row.key;
  for (std::size_t s = 0; s < key.steps.size(); ++s) {
    const auto& reports = row.grade->report.steps;
    const auto report = std::find_if(reports.begin(), reports.end(), [&](const StepReport& each) {
      return each.id == key.steps[s].id;
    });
    const auto& matrices = row.grade->answers.matrices;
    const auto answer = std::find_if(matrices.begin(), matrices.end(), [&](const Answer& each) {
      return each.id == key.steps[s].id;
    });
    if (report == reports.end() || answer == matrices.end()) continue;
    const bool explained = std::any_of(
        report->findings.begin(), report->findings.end(),
        [](const Finding& finding) { return finding.confidence != Confidence::Possible; });
    for (std::size_t c = 0; c < report->cells.size(); ++c) {
      const CellVerdict verdict = report->cells[c];
      const bool wrong = verdict == CellVerdict::Wrong || verdict == CellVerdict::Follows;
      const bool written = wrong || verdict == CellVerdict::Right;
      if (written && c < key.steps[s].numbers.size() && std::isfinite(answer->numbers[c]))
        cells.push_back({s, c, answer->numbers[c], wrong, explained});
    }
  }
  return cells;
}

/// Each wrong number once and without 0: many write the same number everywhere.
std::vector<WrittenCell> telling(const Sheet& sheet, const std::vector<WrittenCell>& written) {
  std::vector<WrittenCell> cells;
  for (const WrittenCell& cell : written) {
    const bool known = std::any_of(cells.begin(), cells.end(), [&](const WrittenCell& each) {
      return agree(sheet, each.number, cell.number);
    });
    if (cell.wrong && !known && !agree(sheet, cell.number, 0.0)) cells.push_back(cell);
  }
  return cells;
}

enum class Match { Yes, No, Impossible };

/// Whether the right number of `key` at that place is the one that was written.
Match matches_key(const Sheet& key, const WrittenCell& cell) {
  if (cell.step >= key.steps.size() || cell.cell >= key.steps[cell.step].numbers.size())
    return Match::Impossible;
  const bool same = agree(key, key.steps[cell.step].numbers[cell.cell], cell.number);
  return same ? Match::Yes : Match::No;
}

/// Whether somebody else wrote the same number there, where both have a blank.
Match matches_answer(const Suspect& other, const WrittenCell& cell) {
  const Sheet& key = *other.row->key;
  const bool asked = cell.step < key.steps.size() &&
                     cell.cell < key.steps[cell.step].blank.size() &&
                     key.steps[cell.step].blank[cell.cell] != 0;
  if (!asked || cell.explained) return Match::Impossible;
  const bool same =
      std::any_of(other.written.begin(), other.written.end(), [&](const WrittenCell& each) {
        return each.step == cell.step && each.cell == cell.cell &&
               agree(key, each.number, cell.number);
      });
  return same ? Match::Yes : Match::No;
}

/// How much of a sheet agrees with another one.
struct Resemblance {
  std::size_t matched = 0, possible = 0;
  double chance = 1.0;  ///< that this much agrees by chance

  bool is_no_chance(std::size_t others) const {
    return possible >= kFewest && chance * static_cast<double>(others) < kByChance &&
           static_cast<double>(matched) >= kMostOf * static_cast<double>(possible);
  }
};

/// The one of `others` that `suspect` resembles in most wrong cells, unless that may be chance. A
/// number that agrees with many sheets says little: the larger their share, the less it counts.
template <typename Other, typename Compare>
const Other* resembled(const Suspect& suspect, const std::vector<Other>& others, Compare compare,
                       Resemblance& best) {
  std::vector<Resemblance> all(others.size());
  for (const WrittenCell& cell : suspect.telling) {
    std::vector<std::size_t> hits;
    std::size_t possible = 0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Match match = compare(others[i], cell);
      if (match == Match::Impossible) continue;
      ++possible;
      ++all[i].possible;
      if (match == Match::Yes) hits.push_back(i);
    }
    // of the other sheets, and of two imaginary ones that agree in a quarter of cases
    const double share =
        (static_cast<double>(hits.size()) - 0.5) / (static_cast<double>(possible) + 1.0);
    for (const std::size_t i : hits) {
      all[i].chance *= share;
      ++all[i].matched;
    }
  }
  const auto most = std::max_element(
      all.begin(), all.end(),
      [](const Resemblance& a, const Resemblance& b) { return a.matched < b.matched; });
  if (most == all.end() || !most->is_no_chance(others.size())) return nullptr;
  best = *most;
  return &others[static_cast<std::size_t>(most - all.begin())];
}

std::string share_text(const Resemblance& r) {
  return std::to_string(r.matched) + " of " +
         counted(static_cast<Index>(r.possible), "wrong number");
}

void flag_variant(const Suspect& suspect, const std::vector<const ClassRow*>& others) {
  Resemblance r;
  const auto* key = resembled(
      suspect, others,
      [](const ClassRow* row, const WrittenCell& cell) { return matches_key(*row->key, cell); }, r);
  if (key == nullptr) return;
  const std::string& name = (*key)->student();
  suspect.row->grade->flags.push_back(
      {"matches_variant_of", share_text(r) + " would be right on the sheet of " + name, name});
}

void flag_twin(const Suspect& suspect, const std::vector<const Suspect*>& others) {
  Resemblance r;
  const auto* twin = resembled(
      suspect, others,
      [](const Suspect* other, const WrittenCell& cell) { return matches_answer(*other, cell); },
      r);
  if (twin == nullptr) return;
  const std::string& name = (*twin)->row->student();
  for (const Flag& flag : suspect.row->grade->flags) {
    if (flag.student == name) return;  // their sheet explains it already
  }
  suspect.row->grade->flags.push_back(
      {"same_wrong_cells_as",
       share_text(r) + " are also those of " + name + ", whose sheet has different givens", name});
}

}  // namespace

void flag_resemblances(std::span<ClassRow> rows) {
  std::vector<Suspect> suspects;
  std::vector<const ClassRow*> variants;
  for (ClassRow& row : rows) {
    if (!row.key) continue;
    const auto same = [&](const ClassRow* each) { return each->key->variant == row.key->variant; };
    if (std::none_of(variants.begin(), variants.end(), same)) variants.push_back(&row);
    if (!row.grade) continue;
    std::vector<WrittenCell> written = cells_of(row);
    std::vector<WrittenCell> wrong = telling(*row.key, written);
    suspects.push_back({&row, std::move(written), std::move(wrong)});
  }
  for (const Suspect& suspect : suspects) {
    const std::string& own = suspect.row->key->variant;
    std::vector<const ClassRow*> keys;
    std::copy_if(variants.begin(), variants.end(), std::back_inserter(keys),
                 [&](const ClassRow* each) { return each->key->variant != own; });
    std::vector<const Suspect*> others;
    for (const Suspect& each : suspects) {
      if (each.row->key->variant != own) others.push_back(&each);
    }
    flag_variant(suspect, keys);
    flag_twin(suspect, others);
  }
}

}  // namespace attn
