// What attn check does with answers, sheets and a class's sheets.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "attn/check.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/render/grade_report.hpp"
#include "attn/teach/gradebook.hpp"
#include "attn/teach/names.hpp"
#include "options/shared_options.hpp"

namespace attn::app {

struct GradingOptions {
  std::string key;                          ///< folder of the solved sheets
  std::string roster;                       ///< a table, its first column the ids
  std::string gradebook, summary, reports;  ///< what to write
  BookFor book_for = BookFor::Attn;         ///< whose columns the gradebook has
  std::string reports_as = "text";          ///< the format of the reports
  std::string id_regex;                     ///< finds an id in the name of a file
  bool latest = false;                      ///< of several files of one student
  std::optional<double> fail_under;         ///< percent
  double follow_through = 1.0;              ///< 0 to 1
  std::string overrides, penalty;           ///< a table; a column of the roster
  std::string why;                          ///< STUDENT:STEP:[HEAD,]ROW,COL
  DecimalMark decimal_mark = DecimalMark::Auto;
  std::string metadata;  ///< Gradescope's, in place of `student`
  std::string student;   ///< whose sheet a single file must be; empty: as it says
};

/// Those that only sheets take.
inline constexpr std::initializer_list<const char*> kSheetOptions{"--roster", "--follow-through",
                                                                  "--fail-under"};

struct Check {
  std::vector<std::string> operands;  ///< as named, each once
  std::string answers;                ///< the one that is checked now; not for a class
  ProblemOptions problem;
  GradientOptions gradient;
  CheckOptions options;
  std::vector<std::string> steps;  ///< as written: ids, symbols and numbers
  NameMap names;                   ///< of a dump: theirs and ours
  std::optional<int> hint;
  bool reveal = false, watch = false;
  GradingOptions grading;
  TextOptions text;
  OutputOptions output;
};

/// The ids of the steps to check; none for all.
std::vector<std::string> chosen_ids(const Trace& truth, const std::vector<std::string>& names);

/// The name of the format for Gradescope, which only a sheet has.
inline constexpr std::string_view kGradescope = "gradescope";

/// Grades one sheet. Returns whether everything is right and filled in, or --fail-under's answer.
bool check_sheet(const Check& o, const SheetFile& sheet, const std::vector<Target>& targets,
                 const Streams& streams);

/// The key is broken, or has no sheet of whoever handed in, and no student can mend that.
class KeyError : public Error {
 public:
  explicit KeyError(const Error& error, Fault why = Fault::Key) : Error(error), fault(why) {}

  Fault fault;
};

/// Writes results.json for a file that cannot be graded.
void write_ungraded(const Error& error, Fault fault, const std::vector<Target>& targets,
                    const Streams& streams);

/// The options for sheets: of one student, or of a class.
void add_grading_options(Command& command, GradingOptions& options);

/// How many bytes what was handed in may take: --max-memory; with a key, 256 MiB without it.
double submission_memory(const Check& o, const Streams& streams);

/// Grades the sheets of a class: all that are named, and all in folders that are named. Returns
/// --fail-under's answer, or yes.
bool check_class(const Check& o, const std::vector<Target>& targets, const Streams& streams);

}  // namespace attn::app
