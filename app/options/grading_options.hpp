// The options of attn check that are about sheets and classes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

namespace attn::app {

struct GradingOptions {
  std::string key;                          ///< folder of the solved sheets
  std::string roster;                       ///< a table, its first column the ids
  std::string gradebook, summary, reports;  ///< what to write
  std::string id_regex;                     ///< finds an id in the name of a file
  bool latest = false;                      ///< of several files of one student
  std::optional<double> fail_under;         ///< percent
  std::optional<double> follow_through;     ///< 0 to 1; absent: 1
};
void add_grading_options(Command& command, GradingOptions& options);

/// The options given that only a folder takes, and those that sheets take too.
std::vector<std::string> folder_options(const GradingOptions& options);
std::vector<std::string> sheet_options(const GradingOptions& options);

}  // namespace attn::app
