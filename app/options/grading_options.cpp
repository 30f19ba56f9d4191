// The options of attn check that are about sheets and classes.
#include "options/grading_options.hpp"

#include <cmath>
namespace attn::app {
namespace {

/// A number from 0 to `most`.
OptionRow share(const std::string& name, const std::string& value, const std::string& help,
                double most, std::optional<double>& into) {
  return text(name, value, help, [=, &into](const std::string& given) {
    const double x = real_number(name, given);
    if (!(x >= 0.0 && x <= most)) {
      const std::string limit = std::to_string(static_cast<int>(most));
      throw usage_error("option-value",
                        name + " takes a number from 0 to " + limit + ", not \"" + given + "\"",
                        "Write " + name + " " + (most > 1.0 ? "50" : "0.5") + ", for example.");
    }
    into = x;
  });
}

}  // namespace

void add_grading_options(Command& command, GradingOptions& o) {
  add_rows(
      command, Group::Own,
      {file("--key", "DIR", "sheets: the key folder, which says what is right",
            PathUse::SealedFolder, o.key),
       file("--gradebook", "FILE", "for a folder: one row per student, as CSV", PathUse::Output,
            o.gradebook),
       file("--summary", "FILE", "for a folder: how the class did, as JSON", PathUse::Output,
            o.summary),
       file("--reports", "DIR", "for a folder: a report for each student", PathUse::OutputFolder,
            o.reports),
       file("--roster", "FILE", "for a folder: its students, with columns to keep", PathUse::Input,
            o.roster),
       text("--id-regex", "RE", "for a folder: finds the id in a file's name", o.id_regex),
       flag("--latest", "for a folder: use each student's latest file", o.latest),
       share("--follow-through", "X", "sheets: credit for what follows from a mistake (default 1)",
             1.0, o.follow_through),
       share("--fail-under", "PCT", "sheets: exit 1 if the (median) result is lower", 100.0,
             o.fail_under)});
}

std::vector<std::string> folder_options(const GradingOptions& o) {
  std::vector<std::string> given;
  const auto add = [&](const char* name, bool is_given) {
    if (is_given) given.emplace_back(name);
  };
  add("--gradebook", !o.gradebook.empty());
  add("--summary", !o.summary.empty());
  add("--reports", !o.reports.empty());
  add("--roster", !o.roster.empty());
  add("--id-regex", !o.id_regex.empty());
  add("--latest", o.latest);
  return given;
}

std::vector<std::string> sheet_options(const GradingOptions& o) {
  std::vector<std::string> given = folder_options(o);
  if (!o.key.empty()) given.emplace_back("--key");
  if (o.follow_through) given.emplace_back("--follow-through");
  if (o.fail_under) given.emplace_back("--fail-under");
  return given;
}

}  // namespace attn::app
