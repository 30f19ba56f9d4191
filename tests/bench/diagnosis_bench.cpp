// How often `attn check` names a mistake: the table of docs/diagnosis.md.
//
//   attn_diagnosis [COUNT] [PREFIX]    COUNT problems (200) for each code that begins with PREFIX
//   attn_diagnosis COUNT roads|honest|pairs    only that table
//   attn_diagnosis COUNT models [PREFIX]    the same for whole models, COUNT (5) for each way
//   attn_diagnosis COUNT right [FIRST]    right runs of COUNT random problems and models
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/diagnosis.hpp"
#include "support/honest_sheets.hpp"
#include "support/model_diagnosis.hpp"
#include "support/right_runs.hpp"
#include "support/two_mistakes.hpp"

namespace {

using namespace attn::testing;

/// How many sheets had each outcome, and what was said of those that went wrong.
struct Tally {
  std::map<Outcome, int> counts;
  std::map<std::string, int> said;

  void add(const Diagnosis& diagnosis, const std::string& variant) {
    ++counts[diagnosis.outcome];
    if (diagnosis.outcome != Outcome::NotNamed && diagnosis.outcome != Outcome::Misnamed) return;
    ++said[(variant.empty() ? "" : "[" + variant + "] ") + diagnosis.said];
  }
  void add(const Tally& other) {
    for (const auto& [outcome, count] : other.counts) counts[outcome] += count;
  }
};

/// "198, 2 tied": how many were named, then every other outcome that is not 0.
std::string cell(Tally tally) {
  if (tally.counts.empty()) return "–";
  std::string text = std::to_string(tally.counts[Outcome::Named]);
  const std::vector<std::pair<Outcome, const char*>> others = {{Outcome::Tied, "tied"},
                                                               {Outcome::NotNamed, "**not named**"},
                                                               {Outcome::Misnamed, "**misnamed**"},
                                                               {Outcome::Invisible, "invisible"}};
  for (const auto& [outcome, word] : others) {
    if (tally.counts[outcome] == 0) continue;
    text += ", " + std::to_string(tally.counts[outcome]) + " " + word;
  }
  return text;
}

/// Each code with its ways, in the order of the catalogue.
template <typename Way>
using Codes = std::vector<std::pair<std::string, std::vector<Way>>>;

template <typename Way>
Codes<Way> by_code(const std::vector<Way>& ways, const std::string& prefix) {
  Codes<Way> codes;
  for (const Way& way : ways) {
    if (std::string(way.code).rfind(prefix, 0) != 0) continue;
    if (codes.empty() || codes.back().first != way.code) codes.push_back({way.code, {}});
    codes.back().second.push_back(way);
  }
  return codes;
}

/// What one column of a table hands in: all of the ways of a code.
template <typename Way>
struct Column {
  std::string title;
  std::function<Tally(const std::vector<Way>& ways)> tallied;
};

/// `count` problems, shared out among the ways. Programs make no slips.
Tally tallied(const WrongWays& ways, int count, const Handed& handed) {
  Tally tally;
  if (!handed.rounded && std::string(ways.front().code).rfind("slip.", 0) == 0) return tally;
  for (int n = 0; n < count; ++n) {
    const WrongWay& way = ways[static_cast<std::size_t>(n) % ways.size()];
    tally.add(diagnose(way, static_cast<std::uint64_t>(n) + 1, handed), way.variant);
  }
  return tally;
}

/// `count` models for each way.
Tally tallied(const std::vector<WrongModel>& ways, int count, const ModelDump& dump,
              Digits digits) {
  Tally tally;
  for (int n = 1; n <= count; ++n) {
    for (const WrongModel& way : ways) {
      tally.add(diagnose(way, static_cast<std::uint64_t>(n), dump, digits), way.variant);
    }
  }
  return tally;
}

void print_totals(std::vector<Tally> totals) {
  std::printf("\n| **named or tied** |");
  for (Tally& total : totals) {
    const int named = total.counts[Outcome::Named] + total.counts[Outcome::Tied];
    const int seen = named + total.counts[Outcome::NotNamed] + total.counts[Outcome::Misnamed];
    std::printf(" %.2f%% of %d |", seen == 0 ? 0.0 : 100.0 * named / seen, seen);
  }
  std::printf("\n| **misnamed** |");
  for (Tally& total : totals) std::printf(" %d |", total.counts[Outcome::Misnamed]);
  std::printf("\n\n");
}

template <typename Way>
void print_table(const Codes<Way>& codes, const std::vector<Column<Way>>& columns) {
  std::vector<Tally> totals(columns.size());
  std::printf("| code |");
  for (const auto& column : columns) std::printf(" %s |", column.title.c_str());
  std::printf("\n| --- |");
  for (std::size_t n = 0; n < totals.size(); ++n) std::printf(" --- |");
  for (const auto& [code, ways] : codes) {
    std::printf("\n| `%s` |", code.c_str());
    std::map<std::string, int> failures;
    for (std::size_t n = 0; n < totals.size(); ++n) {
      const Tally tally = columns[n].tallied(ways);
      totals[n].add(tally);
      for (const auto& [said, times] : tally.said) {
        failures[code + " · " + columns[n].title + " · " + said] += times;
      }
      std::printf(" %s |", cell(tally).c_str());
      std::fflush(stdout);
    }
    for (const auto& [what, times] : failures) {
      std::fprintf(stderr, "%4d  %s\n", times, what.c_str());
    }
  }
  print_totals(totals);
}

void print_single(const Codes<WrongWay>& codes, int count) {
  std::vector<Column<WrongWay>> columns;
  for (const Handed& handed : all_handed()) {
    columns.push_back({handed.title, [&handed, count](const auto& ways) {
                         return tallied(ways, count, handed);
                       }});
  }
  print_table(codes, columns);
}

/// One table for each way of writing numbers.
void print_models(int count, const std::string& prefix) {
  const auto codes = by_code(wrong_models(), prefix);
  for (const Digits digits : kDigits) {
    std::vector<Column<WrongModel>> columns;
    for (const ModelDump& dump : model_dumps()) {
      columns.push_back({std::string(dump.title) + ", " + name_of(digits),
                         [&dump, count, digits](const auto& ways) {
                           return tallied(ways, count, dump, digits);
                         }});
    }
    print_table(codes, columns);
  }
}

void print_right_models(int count) {
  int accused = 0, all = 0;
  for (int seed = 1; seed <= count; ++seed) {
    for (const std::string& said : accusations_of_models(static_cast<std::uint64_t>(seed))) {
      ++all;
      if (said.empty()) continue;
      ++accused;
      std::fprintf(stderr, "right model %d: %s\n", seed, said.c_str());
    }
  }
  std::printf("Right models, each dump, each way of writing numbers: %d of %d accused.\n", accused,
              all);
}

void print_right_runs(int count, int first) {
  std::map<std::string, std::pair<int, int>> ways;  // accused, all
  for (int seed = first; seed < first + count; ++seed) {
    for (const auto& [how, said] : right_runs(static_cast<std::uint64_t>(seed))) {
      auto& [accused, all] = ways[how];
      ++all;
      if (said.empty()) continue;
      ++accused;
      std::fprintf(stderr, "right run %d, %s: %s\n", seed, how.c_str(), said.c_str());
    }
  }
  int accused = 0, all = 0;
  std::printf("| right runs | accused |\n| --- | --- |\n");
  for (const auto& [how, counts] : ways) {
    std::printf("| %s | %d of %d |\n", how.c_str(), counts.first, counts.second);
    accused += counts.first;
    all += counts.second;
  }
  std::printf("| **all** | %d of %d |\n\n", accused, all);
}

void print_honest(int count) {
  int accused = 0;
  for (int n = 1; n <= count; ++n) {
    const std::string said = accusation(static_cast<std::uint64_t>(n));
    if (said.empty()) continue;
    ++accused;
    std::fprintf(stderr, "honest sheet %d: %s\n", n, said.c_str());
  }
  std::printf("Honest sheets, every intermediate rounded to 3 decimals: %d of %d accused.\n",
              accused, count);
}

void print_pairs(int count) {
  for (const bool rounded : {false, true}) {
    const Handed handed{"", {}, rounded};
    int pairs = 0, place = 0, both = 0;
    for (std::uint64_t seed = 1; pairs < count && seed < 100000; ++seed) {
      const auto verdict = two_mistakes(seed, handed);
      if (!verdict) continue;
      ++pairs;
      if (verdict->right_place) ++place;
      if (verdict->both_named) ++both;
      if (!verdict->right_place || !verdict->both_named) {
        std::fprintf(stderr, "pair %lu: %s\n", static_cast<unsigned long>(seed),
                     verdict->said.c_str());
      }
    }
    std::printf(
        "Two mistakes, all steps%s: first wrong step right in %d of %d, both named in %d.\n",
        rounded ? ", 3 decimals" : "", place, pairs, both);
  }
}

void print_roads(int count) {
  std::printf("| route | %s | %s |\n| --- | --- | --- |\n", all_handed()[0].title,
              all_handed()[1].title);
  for (const WrongWay& way : other_roads()) {
    std::printf("| %s |", way.code);
    for (std::size_t n = 0; n < 2; ++n) {
      int accepted = 0;
      for (int seed = 1; seed <= count; ++seed) {
        const std::string said = accusation(way, static_cast<std::uint64_t>(seed), all_handed()[n]);
        if (said.empty()) {
          ++accepted;
        } else {
          std::fprintf(stderr, "%s: %s\n", way.code, said.c_str());
        }
      }
      std::printf(" %d of %d accepted |", accepted, count);
    }
    std::printf("\n");
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 200;
  const std::string part = argc > 2 ? argv[2] : "";
  const Codes<WrongWay> codes = by_code(wrong_ways(), part);
  if (!codes.empty()) print_single(codes, count);
  if (part.empty() || part == "models") {
    const int few = argc > 1 ? count : 5;
    print_models(few, argc > 3 ? argv[3] : "");
    print_right_models(few);
  }
  if (part.empty() || part == "right")
    print_right_runs(10 * count, argc > 3 ? std::atoi(argv[3]) : 1);
  if (part.empty() || part == "roads") print_roads(count);
  if (part.empty() || part == "honest") print_honest(50 * count);
  if (part.empty() || part == "pairs") print_pairs(5 * count);
}
