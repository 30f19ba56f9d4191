// attn exercise verify: proves the sheets of a folder again, from their files.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "attn/core/format.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "commands/exercise_summary.hpp"
#include "commands/judged_problem.hpp"
#include "commands/progress.hpp"
#include "files/exercise_folder.hpp"
#include "files/files.hpp"
#include "files/read_problem.hpp"
#include "help/help.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

using Sentences = std::vector<std::string>;

/// "sheets/s001.json"
std::string name_of(const fs::path& path) {
  return (path.parent_path().filename() / path.filename()).string();
}

/// A sheet of the exercise. Throws Error naming it.
SheetFile part_of(const std::string& path, const Streams& streams) {
  try {
    return read_sheet(path, streams);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Files) throw;  // names it
    throw input_error({.id = "wrong-format",
                       .what = name_of(path) + " cannot be read as a sheet: " + error.what()});
  }
}

/// What is wrong with one file of a student, compared with the key and the lock.
void check_file(const std::string& path, const SheetFile& file, const ExerciseKey& key,
                const LockedVariant& locked, Sentences& wrong) {
  const Sheet& sheet = file.sheet;
  const std::string name = name_of(path);
  if (!file.seal_fits) wrong.push_back(name + " was changed: its seal does not match");
  if (sheet.exercise != key.spec.name || sheet.student != locked.student ||
      sheet.variant != locked.variant)
    wrong.push_back(filled("{} is for the exercise {}, student \"{}\", variant {}", name,
                           sheet.exercise, sheet.student, sheet.variant));
}

/// Why one student's sheet does not keep its promises; none if it does.
Sentences faults_of(const ExerciseFolder& folder, const ExerciseKey& key,
                    const LockedVariant& locked, const Sentences& mistakes,
                    const Streams& streams) {
  Sentences wrong;
  try {
    const SheetFile sheet = part_of(folder.sheet(locked.student, ".json"), streams);
    const SheetFile answers = part_of(folder.answer(locked.student), streams);
    check_file(folder.sheet(locked.student, ".json"), sheet, key, locked, wrong);
    check_file(folder.answer(locked.student), answers, key, locked, wrong);
    const std::string other_givens = " does not have the givens listed in roster.lock.csv";
    if (problem_hash(answers.sheet) != locked.givens)
      wrong.push_back(name_of(folder.answer(locked.student)) + other_givens);
    if (problem_hash(sheet.sheet) != problem_hash(handed_out(answers.sheet)))
      wrong.push_back(name_of(folder.sheet(locked.student, ".json")) + other_givens);
    if (sheet.sheet.accept_within != answers.sheet.accept_within) {
      wrong.push_back(filled("the sheet accepts ±{}, its key ±{}",
                             short_text(sheet.sheet.accept_within),
                             short_text(answers.sheet.accept_within)));
      return wrong;  // whatever the proof says is about another tolerance
    }
    const Proof proof =
        prove_sheet(sheet.sheet, answers.sheet, mistakes, most_for_guesses(key.spec));
    wrong.insert(wrong.end(), proof.problems.begin(), proof.problems.end());
  } catch (const Error& error) {
    wrong.emplace_back(error.what());
  }
  return wrong;
}

/// Each student whose variant or givens repeat those of an earlier one, with that one's id. Givens
/// of the teacher's own may be the same.
std::map<std::string, std::string> twins(const std::vector<LockedVariant>& lock, bool own) {
  std::map<std::string, std::string> same, first;
  for (const LockedVariant& each : lock) {
    Sentences marks{each.variant};
    if (!own) marks.push_back(each.givens);
    for (const std::string& mark : marks) {
      const auto [other, fresh] = first.emplace(mark, each.student);
      if (!fresh) same.emplace(each.student, other->second);
    }
  }
  return same;
}

/// Files among the sheets that belong to nobody.
Sentences strangers(const ExerciseFolder& folder, const std::vector<LockedVariant>& lock) {
  std::vector<std::string> endings{".json", ".csv"};
  for (const Format& format : document_formats()) endings.emplace_back(format.endings.front());
  std::set<std::string> known;
  for (const LockedVariant& each : lock) {
    for (const std::string& ending : endings)
      known.insert(fs::path(folder.sheet(each.student, ending)).filename().string());
  }
  Sentences found;
  std::error_code failed;
  for (const fs::path& file : entries_of(folder.sheets(), failed)) {
    const std::string name = file.filename().string();
    if (!known.contains(name)) found.push_back(name);
  }
  return found;
}

/// The mistakes that the sheets must show. If no sheet would be made of the exercise any more, such
/// as after a step was dropped, `text` says why, and no mistake is asked for.
Sentences enabled_mistakes(const ExerciseKey& key, std::string& text) {
  if (key.spec.find_the_bug) return {};
  try {
    return mistakes_of_class(key.spec, key.salt);
  } catch (const Error& error) {
    text += std::string("key/exercise.json: no sheet would be made of it as it is now: ") +
            error.what() + "\n";
    return {};
  }
}

/// Puts back the tolerance and the points that a sheet was made with: both may be edited, for
/// grading alone. Returns whether that changes anything.
bool put_back(const Sheet& made, ExerciseSpec& spec) {
  bool changed = tolerance_of(spec) != made.accept_within;
  if (changed) spec.accept_within = made.accept_within;
  for (AskedStep& asked : spec.steps) {
    for (const SheetStep& step : made.steps) {
      if (step.id != asked.id || step.points == asked.points) continue;
      asked.points = step.points;
      changed = true;
    }
  }
  return changed;
}

/// Puts back what the sheets were made with, as the first solved sheet that can be read has it.
bool put_back(const ExerciseFolder& folder, const std::vector<LockedVariant>& lock,
              ExerciseSpec& spec, const Streams& streams) {
  if (spec.find_the_bug) return false;
  for (const LockedVariant& each : lock) {
    try {
      return put_back(read_sheet(folder.answer(each.student), streams).sheet, spec);
    } catch (const Error&) {  // that student's line says so
    }
  }
  return false;
}

/// Throws Error (files) if the sheets were deleted, as they may be once they are handed out.
void require_sheets(const ExerciseFolder& folder) {
  std::error_code none;
  if (fs::is_directory(folder.sheets(), none)) return;
  throw file_error("cannot-read", "there is no folder \"" + folder.sheets() + "\" with the sheets",
                   "Grading needs only the key; attn exercise make with the same salt makes the "
                   "sheets again.");
}

bool run_verify(const std::string& path, const Streams& streams) {
  if (path.empty()) {
    throw usage_error("missing-value", "attn exercise verify needs the folder of an exercise",
                      "Write attn exercise verify DIR.");
  }
  const ExerciseFolder folder(path);
  ExerciseKey key = read_exercise_key(folder, streams);
  const std::vector<LockedVariant> lock = read_lock(folder, streams);
  const auto same = twins(lock, !key.spec.problems.empty());
  require_sheets(folder);
  std::string text;
  Sentences mistakes = enabled_mistakes(key, text);
  const bool as_made = text.empty();
  if (std::string unsaid; put_back(folder, lock, key.spec, streams))
    mistakes = enabled_mistakes(key, unsaid);  // the sheets are judged as they were made
  std::ptrdiff_t failing = 0;
  std::size_t proved = 0;
  Progress progress(streams, "proved");
  for (const LockedVariant& each : lock) {
    progress.show(proved++, lock.size());
    Sentences wrong = faults_of(folder, key, each, mistakes, streams);
    if (const auto twin = same.find(each.student); twin != same.end())
      wrong.push_back("the same sheet as \"" + twin->second + "\"");
    if (wrong.empty()) continue;
    ++failing;
    text += (each.student.empty() ? "sheet" : each.student) + ": " + separated(wrong, "; ") + "\n";
  }
  progress.end();
  const Sentences others = strangers(folder, lock);
  for (const std::string& name : others)
    text += "sheets/" + name + ": belongs to nobody in roster.lock.csv\n";
  const bool good = failing == 0 && others.empty();  // of the sheets that exist
  const std::string all = counted(std::ssize(lock), "sheet");
  text += good && as_made
              ? all + (lock.size() == 1 ? ": it passes" : ": all pass") + " every check\n"
          : failing > 0 && lock.size() == 1 ? all + ", which must not be handed out\n"
          : failing > 0    ? filled("{}, {} of which must not be handed out\n", all, failing)
          : others.empty() ? all + " in order, but not the exercise as it is now\n"
                           : all + " in order, but sheets/ holds other files, too\n";
  write_output(streams.common.output, streams.common.ascii ? to_ascii(text) : text, streams);
  return good;
}

/// Refuses a name that promises more than text.
void check_output(const std::string& path) {
  const std::string ending = is_stdout(path) ? "" : lowered(fs::path(path).extension().string());
  if (ending.empty() || ending == ".txt") return;
  throw usage_error("unknown-format", "attn exercise verify writes text, not " + ending + " files",
                    "Write -o NAME.txt, or leave -o out.");
}

/// A folder is an exercise; a file is a problem, or a sheet; a sample is a problem.
bool verify(const JudgedProblem& question, const Streams& streams) {
  check_output(streams.common.output);
  const std::string& path = question.problem.source.path;
  std::error_code none;
  if (path == "-" || fs::is_regular_file(path, none) || sample_named(path) != nullptr)
    return verify_question(question, streams);
  if (!path.empty() && !fs::exists(path, none))
    throw file_error("cannot-read", "there is no exercise, file or sample \"" + path + "\"",
                     "Name the folder that attn exercise make wrote, a problem or a sample.");
  if (const char* option = first_given(streams, {"--steps", "--tolerance"}))
    throw usage_error("wrong-operand", no_effect(option, "this is an exercise, not a problem"),
                      "Leave it out, or name a problem.");
  return run_verify(path, streams);
}

}  // namespace

Command exercise_verify_command() {
  auto question = std::make_shared<JudgedProblem>();
  Command command;
  command.examples = {{"attn exercise make --preset causal -o week1", "sheets and their key"},
                      {"attn exercise verify week1", "seals, givens, keys and proofs"}};
  command.operand = "DIR|PROBLEM";
  command.set_operand = [question](const std::string& path) {
    require_path("the folder", path);
    question->problem.source.path = path;
  };
  add_question_options(command, *question);
  command.ask = [question](const Streams& streams) { return verify(*question, streams); };
  return command;
}

}  // namespace attn::app
