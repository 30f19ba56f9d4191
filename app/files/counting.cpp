// Leaves out copies, empty sheets beside filled ones, and what cannot be read beside what can.
#include "files/counting.hpp"

#include <algorithm>
#include <utility>

#include "attn/teach/gradebook.hpp"
#include "files/same_answers.hpp"

namespace attn::app {
namespace {

/// Whether a student wrote anything into the file.
bool is_answered(const HandedIn& file, const Sheet* key) {
  if (file.bug && (file.bug->first_wrong || file.bug->code)) return true;
  if (!file.sheet && key == nullptr) return true;  // nobody knows what was printed
  const Answers answers = key == nullptr ? file.answers : matrices_of(file, *key);
  return std::any_of(answers.matrices.begin(), answers.matrices.end(), [](const Answer& matrix) {
    if (matrix.states.empty()) return !matrix.numbers.empty() || !matrix.unreadable.empty();
    return std::any_of(matrix.states.begin(), matrix.states.end(), [](CellState state) {
      return state == CellState::Filled || state == CellState::Unreadable;
    });
  });
}

/// Takes sheets without any answer out, unless all are, and adds a note about each.
Files answered(const Files& files, const Sheet* key, std::vector<std::string>& notes) {
  Files filled;
  std::vector<std::string> empty;
  for (const HandedIn* file : files) {
    if (!file->broken.empty() || is_answered(*file, key)) {
      filled.push_back(file);
    } else {
      empty.push_back(kAlsoHandedIn + file->name + ", without any answer");
    }
  }
  if (filled.empty()) return files;
  notes.insert(notes.end(), empty.begin(), empty.end());
  return filled;
}

/// The readable files, without copies and the same answers in another format, of which a sheet says
/// most; if none is readable, those that are not empty; if all are empty, one of them. Adds a note
/// about each file that is left out, whose time, if it is later, goes to the one that has its
/// answers.
Files competing(const Files& files, const Sheet* key, Times& times,
                std::vector<std::string>& notes) {
  Files readable, broken;
  for (const HandedIn* file : files) {
    if (!file->broken.empty()) {
      if (!file->is_empty) broken.push_back(file);
      continue;
    }
    const auto same = std::find_if(readable.begin(), readable.end(), [&](const HandedIn* each) {
      return each->bytes == file->bytes ||
             (key != nullptr && have_same_answers(*each, *file, *key));
    });
    if (same == readable.end()) {
      readable.push_back(file);
      continue;
    }
    const bool copy = (*same)->bytes == file->bytes;
    times[*same] = times[file] = std::max(times[*same], times[file]);
    if (file->sheet && !(*same)->sheet) std::swap(*same, file);
    notes.push_back(kAlsoHandedIn + file->name + (copy ? ", a copy" : ", the same answers"));
  }
  const Files& best = readable.empty() ? broken : readable;
  const Files chosen = best.empty() ? Files{files.front()} : best;
  for (const HandedIn* file : files) {
    if (file->broken.empty() || std::find(chosen.begin(), chosen.end(), file) != chosen.end())
      continue;
    notes.push_back(kAlsoHandedIn + file->name +
                    (file->is_empty  ? ", which is empty"
                     : file->refused ? ", which cannot be read: " + file->broken
                                     : ", which cannot be read as a sheet"));
  }
  return chosen;
}

}  // namespace

Files counting(const Files& files, const Sheet* key, Times& times,
               std::vector<std::string>& notes) {
  for (const HandedIn* file : files) {  // what is printed on it, if the key is not known
    if (key == nullptr && file->sheet) key = &*file->sheet;
  }
  const Files best = competing(files, key, times, notes);
  return best.size() > 1 ? answered(best, key, notes) : best;
}

}  // namespace attn::app
