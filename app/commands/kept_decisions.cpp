// Reads the decisions in the notes of a gradebook, in any language, and looks for them in this run.
#include "commands/kept_decisions.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "attn/io/sheet_file.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "files/files.hpp"
#include "files/input.hpp"

namespace attn::app {
namespace {

constexpr const char* kPenalty = "penalty";

/// How a note about a decision begins, around its number: "q: " and " points by hand in place of ".
struct Sign {
  std::string about;  ///< the step, "bug" for both questions, or kPenalty
  std::string head, tail;
  std::string separator;  ///< between notes of that language
};

/// What comes before the last `digit` of a note in the language in use.
std::string begun(const std::string& english, char digit) {
  const std::string text = translated_sentence(english);
  return text.substr(0, text.rfind(digit));
}

/// The signs of decisions about these steps in every language.
std::vector<Sign> signs_of(const std::vector<std::string>& steps) {
  std::vector<Sign> signs;
  for (const std::string& code : language_codes()) {
    const LanguageInUse language(language_of(code));
    const std::string separator = translated("; ");
    signs.push_back({kPenalty, begun("penalty (0): 1 of 2 points taken off", '0'), "", separator});
    for (const std::string& step : steps) {
      signs.push_back({step, begun(step + ": excused in place of 0", '0'), "", separator});
      for (const char* decision :
           {": 7 points by hand in place of 0", ": 1 point by hand in place of 0"}) {
        const std::string whole = begun(step + decision, '0');
        const std::size_t number = whole.find_first_of("17", step.size());
        signs.push_back({step, whole.substr(0, number), whole.substr(number + 1), separator});
      }
    }
  }
  return signs;
}

bool has_sign(const std::string& notes, const Sign& sign) {
  for (std::size_t at = notes.find(sign.head); at != notes.npos;
       at = notes.find(sign.head, at + 1)) {
    if (at > 0 && !notes.substr(0, at).ends_with(sign.separator)) continue;
    const std::size_t end =
        std::min(notes.find_first_not_of("0123456789.,", at + sign.head.size()), notes.size());
    if (notes.compare(end, sign.tail.size(), sign.tail) == 0) return true;
  }
  return false;
}

/// What is decided about a student by these notes.
std::set<std::string> decided_in(const std::string& notes, const std::vector<Sign>& signs) {
  std::set<std::string> about;
  for (const Sign& sign : signs) {
    if (has_sign(notes, sign)) about.insert(sign.about);
  }
  if (about.erase("bug") > 0) about.insert(kBugParts.begin(), kBugParts.end());
  return about;
}

/// The decisions of this run, by student. A penalty that finds no points to take off is one, too.
std::map<std::string, std::set<std::string>> decisions_of(const GradingOptions& o,
                                                          const ClassBook& book,
                                                          const std::vector<Sign>& signs) {
  std::map<std::string, std::set<std::string>> decisions;
  for (const ClassRow& row : book.rows) {
    std::set<std::string>& about = decisions[caseless(visible(row.student()))];
    about.merge(decided_in(separated(row.decisions, "; "), signs));
    if (!o.penalty.empty() && (!has_score(row) || row.grade->report.score == 0.0))
      about.insert(kPenalty);
  }
  return decisions;
}

/// Refuses to lose what the notes in the last column of the earlier gradebook say.
void require_noted(const GradingOptions& o, const CsvTable& earlier, const ClassBook& book) {
  std::vector<std::string> steps{"bug"}, lost;
  for (const ClassStep& step : summarise(book).steps) steps.push_back(step.id);
  const std::vector<Sign> signs = signs_of(steps);
  auto decisions = decisions_of(o, book, signs);
  bool points = false, penalties = false;
  for (const std::vector<std::string>& row : earlier.rows) {
    const std::set<std::string>& now = decisions[caseless(row.front())];
    for (const std::string& about : decided_in(row.back(), signs)) {
      if (now.contains(about)) continue;
      (about == kPenalty ? penalties : points) = true;
      lost.push_back(about + " of " + row.front());
    }
  }
  if (lost.empty()) return;
  std::vector<std::string> ways;
  if (points)
    ways.push_back(o.overrides.empty() ? "Add --overrides FILE"
                                       : "Add the lines to \"" + o.overrides + "\"");
  if (penalties)
    ways.push_back(o.penalty.empty() ? "Add --penalty COLUMN"
                                     : "Fill in the column " + o.penalty + " of the roster");
  throw file_error(
      "file-exists",
      "\"" + o.gradebook + "\" has decisions that this run would lose: " + listed(lost),
      separated(ways, ". ") + ". To withdraw them, delete the gradebook first.");
}

/// Refuses to change a score for Canvas, whose table does not say where it comes from.
void require_scores(const GradingOptions& o, const CsvTable& earlier, const ClassBook& book) {
  if (!o.overrides.empty() || !o.penalty.empty()) return;
  const CsvTable now = parse_csv(gradebook_text(book, BookFor::Canvas), o.gradebook);
  if (earlier.header != now.header) return;  // another exercise
  std::vector<std::string> changed;
  for (const std::vector<std::string>& row : earlier.rows) {
    if (row.back().empty() || std::find(now.rows.begin(), now.rows.end(), row) != now.rows.end())
      continue;
    changed.push_back(row.front());
  }
  if (changed.empty()) return;
  throw file_error(
      "file-exists",
      "\"" + o.gradebook +
          "\" has other scores, which may be decisions of yours: " + listed(changed),
      "Add --overrides FILE or --penalty COLUMN if you graded with them. If the scores "
      "are to change, delete the gradebook first.");
}

}  // namespace

void require_decisions(const GradingOptions& o, const ClassBook& book, const Streams& streams) {
  std::error_code none;
  if (o.gradebook.empty() || !std::filesystem::is_regular_file(o.gradebook, none)) return;
  const CsvTable earlier = [&] {
    try {
      return Input(o.gradebook, streams, kUsualMemory).read([&](std::string_view text) {
        return parse_csv(text, o.gradebook);
      });
    } catch (const Error&) {
      return CsvTable();  // no gradebook
    }
  }();
  if (earlier.header.size() < 2) return;
  if (const std::string& last = earlier.header.back(); last == "note" || last == "Feedback")
    return require_noted(o, earlier, book);
  require_scores(o, earlier, book);
}

}  // namespace attn::app
