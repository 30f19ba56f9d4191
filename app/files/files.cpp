// What is in a folder, and the errors about files: guesses which one was meant.
#include "files/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "attn/io/samples.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/mask.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "attn/trace.hpp"
#include "platform/shell.hpp"

namespace attn::app {

namespace fs = std::filesystem;

Error file_error(const std::string& id, const std::string& what, const std::string& fix) {
  return {ErrorKind::Files, {{.id = id, .what = what, .fix = fix}}};
}

Error with_advice_on_file(const Error& error, const std::string& fix) {
  std::vector<Diagnostic> all = error.diagnostics();
  for (Diagnostic& each : all) {
    if (each.id == "cannot-read") each.fix = fix;
  }
  return {error.kind(), std::move(all)};
}

std::string system_reason(int error) {
  return error != 0 ? std::strerror(error) : "unknown reason";
}

int errno_of(const std::error_code& error) { return error.default_error_condition().value(); }

std::vector<fs::path> entries_of(const fs::path& folder, std::error_code& failed,
                                 std::size_t most) {
  std::vector<fs::path> entries;
  fs::directory_iterator at(folder, failed);
  for (; !failed && at != fs::directory_iterator() && entries.size() < most; at.increment(failed))
    entries.push_back(at->path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

namespace {

/// "mine.json" for "mine", if that file exists; otherwise "".
std::string with_end(const std::string& path) {
  std::vector<std::string> ends = array_file_endings(true);
  ends.insert(ends.begin(), ".json");
  std::error_code failed;
  for (const std::string& end : ends) {
    if (fs::is_regular_file(path + end, failed)) return path + end;
  }
  return "";
}

/// The sample of that name, with or without its number and .json; otherwise "".
std::string sample_called(const fs::path& path) {
  const std::string name =
      path.extension() == ".json" ? path.stem().string() : path.filename().string();
  for (const Sample& sample : samples()) {
    if (sample.name == name || sample.name.substr(3) == name) return std::string(sample.name);
  }
  return "";
}

/// The names in the folder of `path`; the first thousand, which are enough to find a similar one.
std::vector<std::string> names_beside(const fs::path& path) {
  constexpr std::size_t kMost = 1000;
  const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  std::vector<std::string> names;
  std::error_code failed;
  for (const fs::path& each : entries_of(folder, failed, kMost))
    names.push_back(each.filename().string());
  return names;
}

/// The paths in the folder of `path` that it may have meant, and the samples: "; did you mean …?",
/// or "".
std::string near_ones(const fs::path& path, Meant meant) {
  std::vector<std::string> paths, names = names_beside(path);
  if (meant == Meant::Problem && !path.has_parent_path()) {
    for (const Sample& sample : samples()) names.emplace_back(sample.name);
  }
  for (const std::string& name : suggestions(path.filename().string(), names)) {
    paths.push_back((path.parent_path() / name).string());
  }
  return did_you_mean(path.string(), paths);
}

std::string fix_of_word(const std::string& word, const std::string& sample) {
  const auto kinds = mask_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const MaskKind& each) { return word == each.name; });
  const std::vector<std::string> ids = split_at_commas(word);
  const bool steps = std::all_of(
      ids.begin(), ids.end(), [](const std::string& id) { return find_step_info(id) != nullptr; });
  std::string option;
  if (kind != kinds.end()) {
    const bool needs_more = std::string_view(kind->usage).starts_with(word + ":");
    option = "For the mask, write --mask " + (needs_more ? kind->example : word) + ". ";
  }
  if (steps) option = "For the step, write --steps " + word + ". ";
  const std::string file = sample.empty()
                               ? "Write the whole name of the file, such as mine.json."
                               : "To get the built-in sample as a file, run attn new --sample " +
                                     sample + " -o " + sample + ".json.";
  const bool number = word.find_first_not_of("0123456789") == word.npos;
  return option + file +
         (number ? " The samples have the numbers 1 to " + std::to_string(samples().size()) + "."
                 : " For text, write --text " + shell_word(word) + ".");
}

std::string fix_of(const std::string& path, bool near, Meant meant) {
  if (const std::string whole = with_end(path); !whole.empty()) {
    return "Add its extension: " + shell_word(whole) + ".";
  }
  const bool answers = meant == Meant::Answers;
  const std::string sample = answers ? "" : sample_called(path);
  const bool word = !answers && path.find_first_of("./") == path.npos;
  if (word && sample != path) return near ? "Correct its name." : fix_of_word(path, sample);
  if (!sample.empty()) {
    return (word ? "It is a built-in sample"
                 : "Without a folder, " + sample + " names the built-in sample") +
           "; write it as a file with attn new --sample " + sample + " -o " + sample + ".json.";
  }
  if (near) return "Correct its name.";
  std::error_code failed;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, failed))
    return "Correct its folder: there is no \"" + folder.string() + "\".";
  if (answers)
    return "Check the name: it should be a file of answers or, with --key, a folder of sheets.";
  const std::string samples = "; attn new -o " + shell_word(path) +
                              " writes a problem to start from, and attn new --list lists the "
                              "samples";
  return "Check the name and the folder" + (fs::path(path).extension() == ".json" ? samples : "") +
         ".";
}

}  // namespace

Error cannot_open(const std::string& path, int error, Meant meant) {
  const std::string what = "\"" + path + "\" cannot be read: " + system_reason(error);
  std::error_code none;
  if (error == EACCES) {
    const char* const own = fs::is_directory(path, none) ? "FOLDER" : "FILE";
    return file_error("cannot-read", what,
                      "Allow yourself to read it: " + to_allow_reading(own) + ".");
  }
  if (fs::is_symlink(path, none) && (error == ENOENT || error == ELOOP))
    return file_error("cannot-read", "\"" + path + "\" is a link that leads nowhere",
                      "Name the file itself, or mend the link.");
  const std::string similar = error == ENOENT ? near_ones(path, meant) : "";
  return file_error("cannot-read", what + similar, fix_of(path, !similar.empty(), meant));
}

void require_readable(const fs::path& folder) {
  std::error_code failed;
  entries_of(folder, failed, 1);
  const int error = failed ? errno_of(failed) : 0;
  if (error != 0 && error != ENOENT && error != ENOTDIR) throw cannot_open(folder.string(), error);
}

void require_answers(const std::string& path) {
  std::error_code failed;
  if (path != "-" && !fs::exists(path, failed))
    throw cannot_open(path, failed ? errno_of(failed) : ENOENT, Meant::Answers);
}

}  // namespace attn::app
