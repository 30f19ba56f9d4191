// The files and folders on a command line, and which of them exclude each other.
#include <algorithm>
#include <filesystem>
#include <set>

#include "command_line.hpp"
#include "files/files.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

/// "ANSWERS" of "ANSWERS…", "PROBLEM" of "[PROBLEM]".
std::string bare_name(std::string operand) {
  std::erase_if(operand, [](char c) { return c < 'A' || c > 'Z'; });
  return operand;
}

/// One thing may come from standard input, under as many names as it has.
void check_stdin(const std::vector<NamedPath>& paths) {
  const NamedPath* first = nullptr;
  for (const NamedPath& each : paths) {
    if (each.use != PathUse::Input || each.path != "-") continue;
    if (first == nullptr) first = &each;
    if (first->option == each.option) continue;
    throw usage_error("option-conflict",
                      first->option + " and " + each.option +
                          " would both come from standard input, which can be only one of them",
                      "Name a file for one of them.");
  }
}

/// Throws if one of the outputs lies in a folder that is read.
void check_sealed(const NamedPath& folder, const std::vector<std::string>& outputs) {
  if (folder.option != "--key")
    return refuse_inside(folder.path, "the folder of the exercise", outputs);
  std::error_code none;
  const fs::path path(folder.path);
  const bool is_key = fs::is_directory(path / "answers", none);  // else the exercise
  refuse_inside((is_key ? path : path / "key").string(), "the key folder", outputs);
}

/// The files and folders that are named: options first, then operands.
std::vector<NamedPath> named_paths(const Command& command, const CommandLine& line) {
  std::vector<NamedPath> paths;
  std::set<std::string> seen;
  for (const GivenOption& given : line.options) {
    const OptionRow* row =
        find_option(command.options, given.names.substr(given.names.rfind(',') + 1));
    if (row == nullptr || !row->paths) continue;
    const bool again = !seen.insert(given.names).second;
    if (again && row->again == Again::Refused) continue;  // the same value
    for (NamedPath& each : row->paths(given.value.value_or(""))) paths.push_back(std::move(each));
  }
  if (command.operand.empty() || command.operand_examples != nullptr) return paths;
  const PathUse use = command.operand == "DIR" ? PathUse::SealedFolder : PathUse::Input;
  for (std::size_t i = 1; i < line.words.size(); ++i)
    paths.push_back({use, bare_name(command.operand), line.words[i]});
  return paths;
}

}  // namespace

std::vector<std::string> checked_outputs(const Command& command, const CommandLine& line,
                                         const Streams& streams) {
  const std::vector<NamedPath> paths = named_paths(command, line);
  check_stdin(paths);
  std::vector<std::string> outputs, all;
  for (const NamedPath& each : paths) {
    if (each.use == PathUse::Output) outputs.push_back(each.path);
    if (each.use == PathUse::Output || each.use == PathUse::OutputFolder) all.push_back(each.path);
  }
  for (const NamedPath& each : paths) {
    if (each.use == PathUse::SealedFolder) check_sealed(each, all);
    if (each.use != PathUse::Input) continue;
    for (const std::string& output : outputs) refuse_same_file(each.path, output);
  }
  if (!command.makes_folder && !asks_for("--output", line))
    outputs.emplace_back();  // to the screen
  refuse_twice(outputs);
  for (const std::string& output : outputs) refuse_irreplaceable(output, streams);
  return outputs;
}

}  // namespace attn::app
