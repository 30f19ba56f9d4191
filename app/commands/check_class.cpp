// attn check --key with a folder, or with several files: grades a class.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <regex>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/gradebook.hpp"
#include "attn/uploads.hpp"
#include "commands/check.hpp"
#include "commands/class_book.hpp"
#include "commands/class_reports.hpp"
#include "commands/kept_decisions.hpp"
#include "commands/overrides.hpp"
#include "commands/progress.hpp"
#include "commands/why.hpp"
#include "files/exercise_folder.hpp"
#include "files/exercise_language.hpp"
#include "files/files.hpp"
#include "files/input.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

/// A number from 0 to `most`.
template <class Field>
OptionRow share(const std::string& name, const std::string& value, const std::string& help,
                double most, Field& into) {
  return text(name, value, help, [=, &into](const GivenValue& given) {
    const double x = real_number(given);
    if (!(x >= 0.0 && x <= most)) {
      const std::string limit = std::to_string(static_cast<int>(most));
      throw usage_error(
          "option-value",
          name + " takes a number from 0 to " + limit + ", not \"" + given.value + "\"",
          "Write " + given.with(most > 1.0 ? "50" : "0.5") + ", for example.");
    }
    into = x;
  });
}

/// Refuses options that are for one file, and a class without its key.
void check_options(const Check& o, const std::vector<Target>& targets, const Streams& streams) {
  std::vector<std::string> given = given_options(o.problem);
  if (const char* option =
          first_given(streams, {"--problem", "--steps", "--exact", "--hint", "--reveal", "--watch",
                                "--map", "--gradient", "--upstream", "--nonfinite"}))
    given.emplace_back(option);
  for (const Target& target : targets) {
    if (target.format->name == kGradescope) given.emplace_back("--format gradescope");
  }
  if (!given.empty()) {
    throw usage_error("wrong-operand",
                      given.front() + " is for one file, not for the sheets of a class",
                      "Leave it out, or name one of the files.");
  }
  const std::string ending = lowered(fs::path(o.grading.gradebook).extension().string());
  if (ending == ".xlsx" || ending == ".xls" || ending == ".ods") {
    throw usage_error("option-value", "a gradebook is a table as text (.csv), not " + ending,
                      "Write --gradebook grades.csv --for excel, which Excel opens as a table.");
  }
  if (o.grading.key.empty()) {
    throw usage_error("needs-key", "a folder of sheets cannot be graded without its key",
                      "Add --key DIR/key, the folder that attn exercise make wrote.");
  }
}

/// Throws Error (usage) if an output would replace a sheet in a folder.
void protect_sheets(const Check& o, const std::vector<std::string>& outputs,
                    const Streams& streams) {
  const auto is_own = [&](const std::string& path) {
    return Input(path, streams, kUsualMemory).read(is_of_class);
  };
  std::error_code none;
  for (const std::string& named : o.operands) {
    if (fs::is_directory(named, none))
      refuse_replacing(named, "the folder of the sheets", is_own, outputs);
  }
}

/// Without this option, libstdc++ tries every way to match: (a+)+$ would never end. Other libraries
/// give up by themselves.
#ifdef __GLIBCXX__
constexpr auto kNoBacktracking = std::regex_constants::__polynomial;
#else
constexpr auto kNoBacktracking = std::regex_constants::syntax_option_type{};
#endif

/// --id-regex: what its first group matches, or all of it.
IdInName id_in_name(const std::string& pattern) {
  constexpr std::size_t kLongest = 1000;  // the library goes one call deeper for each bracket
  if (pattern.empty()) return nullptr;
  if (pattern.size() > kLongest)
    throw usage_error("option-value", "--id-regex is longer than 1000 characters",
                      "Write --id-regex '^(s[0-9]+)_', for example.");
  try {
    const std::regex regex(pattern, std::regex::ECMAScript | kNoBacktracking);
    return [regex](const std::string& name) -> std::string {
      std::smatch found;
      if (!std::regex_search(name, found, regex)) return "";
      return found.size() > 1 ? found[1].str() : found[0].str();
    };
  } catch (const std::regex_error& error) {
    const bool back = error.code() == std::regex_constants::error_complexity;
    throw usage_error("option-value",
                      "--id-regex \"" + pattern +
                          (back ? "\" refers back to a group, which can take forever"
                                : "\" is not a regular expression"),
                      "Write --id-regex '^(s[0-9]+)_', for example.");
  }
}

/// Writes the summary of the class in the format of the target, text or JSON.
void write_summary(const Check& o, const ClassSummary& summary, const Target& target,
                   const Streams& streams, const Sink& sink) {
  if (target.format->document != nullptr) {
    return write_document(class_document(summary), target, o.text, o.output, streams, sink);
  }
  const std::string json = class_json(summary);
  shown_json(sink, streams)(json);
}

/// Every file that is written, except the reports.
std::vector<std::string> files_written(const Check& o, const std::vector<Target>& targets) {
  std::vector<std::string> paths;
  for (const Target& target : targets) paths.push_back(target.path);
  for (const std::string& path : {o.grading.gradebook, o.grading.summary}) {
    if (!path.empty()) paths.push_back(path);
  }
  return paths;
}

/// Names what is no sheet by its name, such as photos, but nobody: a class may see the screen.
void note_ignored(const std::vector<HandedIn>& files, const Streams& streams) {
  std::vector<std::string> names;
  for (const HandedIn& each : files) {
    if (each.ignored) names.push_back(own_name(each.name));
  }
  if (names.empty() || streams.common.quiet) return;
  streams.err << "note: " << counted(std::ssize(names), "file")
              << (names.size() == 1 ? " is" : " are")
              << " no sheet and not counted: " << visible(listed(names)) << "\n"
              << std::flush;
}

void make_folder(const std::string& path) {
  if (path.empty()) return;
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) throw cannot_write(path, errno_of(failed));
}

void write_class(const Check& o, const ClassBook& book, const ClassSummary& summary,
                 const std::vector<Target>& targets, const std::vector<fs::path>& earlier,
                 const Streams& streams) {
  make_folder(o.grading.reports);
  std::vector<Output> outputs;
  if (!o.grading.gradebook.empty())
    outputs.push_back({o.grading.gradebook,
                       [&](const Sink& sink) { sink(gradebook_text(book, o.grading.book_for)); }});
  if (!o.grading.summary.empty())
    outputs.push_back({o.grading.summary, [&](const Sink& sink) { sink(class_json(summary)); }});
  for (const Target& target : targets) {
    outputs.push_back(
        {target.path, [&](const Sink& sink) { write_summary(o, summary, target, streams, sink); }});
  }
  const std::vector<Output> reports = report_outputs(o, book, streams);
  for (const Output& each : reports) make_folder(fs::path(each.path).parent_path().string());
  outputs.insert(outputs.end(), reports.begin(), reports.end());
  const bool again = std::any_of(reports.begin(), reports.end(), [](const Output& each) {
    std::error_code none;
    return fs::exists(each.path, none);
  });
  write_all(outputs, streams);
  if (!reports.empty() && !streams.common.quiet) {
    streams.err << (again ? "replaced " : "wrote ") << visible(o.grading.reports) << ", "
                << counted(std::ssize(reports), "report") << "\n"
                << std::flush;
    note_earlier(o.grading.reports, earlier, reports, streams);
  }
}

}  // namespace

void add_grading_options(Command& command, GradingOptions& o) {
  add_rows(
      command, Group::Own,
      {file("--key", "DIR", "sheets: the key folder, which says what is right",
            PathUse::SealedFolder, o.key),
       file("--roster", "FILE", "a table of the students, with columns to keep", PathUse::Input,
            o.roster),
       choice("--decimal-mark", "MARK", "comma or point (default: as each file has it)",
              {{"comma", DecimalMark::Comma}, {"point", DecimalMark::Point}}, o.decimal_mark),
       share("--follow-through", "X", "sheets: credit for what follows from a mistake (default 1)",
             1.0, o.follow_through),
       share("--fail-under", "PCT", "sheets: exit 1 if the (median) result is lower", 100.0,
             o.fail_under)});
}

double submission_memory(const Check& o, const Streams& streams) {
  const bool limited = first_given(streams, {"--max-memory"}) != nullptr;
  return limited || o.grading.key.empty() ? o.problem.source.max_memory : kSubmissionMemory;
}

bool check_class(const Check& o, const std::vector<Target>& targets, const Streams& streams) {
  check_options(o, targets, streams);
  const IdInName in_name = id_in_name(o.grading.id_regex);
  std::vector<std::string> others = files_written(o, targets);
  protect_sheets(o, others, streams);
  const KeyFolder key = read_key_folder(o.grading.key, streams);
  const CsvTable roster =
      o.grading.roster.empty() ? key.roster : read_roster(o.grading.roster, streams);
  const std::vector<fs::path> earlier = o.grading.reports.empty()
                                            ? std::vector<fs::path>()
                                            : earlier_reports(o, key, roster, streams);
  for (const std::string& path :
       {o.grading.key, key.path, o.grading.roster, o.grading.reports, o.grading.overrides})
    others.push_back(path);
  const Reading reading{submission_memory(o, streams),
                        style_of(o.grading.key, streams).read_as(o.grading.decimal_mark)};
  std::vector<HandedIn> files = handed_in(o.operands, others, reading, streams);
  if (files.empty() && !streams.common.quiet)
    streams.err << "note: no files were found in " << visible(together(o.operands)) << "\n"
                << std::flush;
  Progress progress(streams, "graded");
  find_students(files, key, roster, in_name);
  note_ignored(files, streams);
  const ClassOptions options{o.grading.latest, {o.grading.follow_through, o.options}};
  ClassBook book = class_book(key, roster, files, options,
                              [&](std::size_t done, std::size_t all) { progress.show(done, all); });
  progress.end();
  if (!o.grading.overrides.empty())
    apply_overrides(o.grading.overrides, options.grade, book, streams);
  if (!o.grading.penalty.empty()) apply_penalties(o.grading.penalty, book);
  if (o.grading.why.empty()) require_decisions(o.grading, book, streams);
  if (!key.changes.empty() && !streams.common.quiet)
    streams.err << "note: graded by key/exercise.json, which has changed: "
                << visible(separated(key.changes, "; ")) << "\n"
                << std::flush;
  const Sheet* example = book.example;
  const ExerciseLanguage language(example == nullptr ? "" : example->language,
                                  example != nullptr && example->decimal_comma, streams);
  if (!o.grading.why.empty()) {
    const Document why = why_document(book, o.grading.why, o.grading.follow_through);
    write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
      if (target.format->document != nullptr)
        return write_document(why, target, o.text, o.output, streams, sink);
      throw usage_error("text-only", "--why explains in text", "Leave out the other format.");
    });
    return true;
  }
  const ClassSummary summary = summarise(book);
  write_class(o, book, summary, targets, earlier, streams);
  if (!o.grading.fail_under) return true;
  return summary.median_percent && *summary.median_percent >= *o.grading.fail_under;
}

}  // namespace attn::app
