// Reads what a class handed in: any files, some of them broken.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "attn/sheet_file.hpp"
#include "command.hpp"

namespace attn::app {

/// One file of the folder.
struct HandedIn {
  std::string name;  ///< below the folder: "ann/sheet.json"
  std::filesystem::path path;
  std::filesystem::file_time_type time = {};
  std::string student = {}, variant = {}, exercise = {};  ///< as far as the file says
  Answers answers = {};
  std::optional<Sheet> sheet = {};  ///< as it came back; absent for a table
  std::optional<BugAnswer> bug = {};
  std::string bytes = {};   ///< of a file that is not broken
  std::string broken = {};  ///< why it cannot be graded, as a sentence; empty if it can
  bool is_empty = false;    ///< holds no bytes: broken, and never better than another file
};

/// All files in a folder and those below it, by name, without hidden ones, __MACOSX and `others`
/// (files and folders). Throws Error (files) if the folder cannot be read.
std::vector<HandedIn> handed_in(const std::string& folder, const std::vector<std::string>& others);

/// Reads one of them. Never throws for what is in it, and never waits for a pipe.
void read_submission(HandedIn& file);

}  // namespace attn::app
