// The files of an autograder for Gradescope: a script that grades the one sheet that was handed in.
#include "commands/autograder.hpp"

#include <cstdint>
#include <string_view>

#include "files/files.hpp"
#include "files/input.hpp"

namespace attn::app {
namespace {

constexpr const char* kSetup =
    "#!/usr/bin/env bash\n"
    "# Nothing to install: attn needs no other program.\n"
    "chmod +x /autograder/source/attn\n";

constexpr std::string_view kRun =
    "#!/usr/bin/env bash\n"
    "# Grades the one sheet that was handed in, whatever its name, and always leaves "
    "results.json.\n"
    "root=${ATTN_AUTOGRADER:-/autograder}\n"
    "results=$root/results/results.json\n"
    "mkdir -p \"$root/results\"\n"
    "cd \"$root/source\" && ./attn check \"$root/submission\" --key key \\\n"
    "  --metadata \"$root/submission_metadata.json\"ROSTER --format gradescope -o \"$results\"\n"
    "# Without a score, Gradescope says that the autograder failed, and gives no points.\n"
    "[ -s \"$results\" ] || echo '{\"output\": \"The autograder did not run. Please tell your "
    "teacher.\", \"visibility\": \"visible\"}' > \"$results\"\n"
    "exit 0\n";

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0 && at + i < bytes.size();)
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

/// Whether a 64-bit ELF program names a loader, so that it needs libraries of the machine.
bool needs_loader(std::string_view elf) {
  constexpr std::uint64_t kLoader = 3;  // PT_INTERP
  const auto begin = static_cast<std::size_t>(number_at(elf, 32, 8));
  const auto size = static_cast<std::size_t>(number_at(elf, 54, 2));
  const auto count = static_cast<std::size_t>(number_at(elf, 56, 2));
  for (std::size_t i = 0; i < count && begin < elf.size(); ++i) {
    if (number_at(elf, begin + i * size, 4) == kLoader) return true;
  }
  return false;
}

/// The program's bytes, if it can run on its own on Linux.
std::string program_in(const std::string& path, const Streams& streams) {
  std::string bytes = text_of(path, streams);
  constexpr char k64Bits = 2;
  const bool elf = bytes.starts_with(
                       "\x7f"
                       "ELF") &&
                   bytes.size() > 64 && bytes[4] == k64Bits;
  if (elf && !needs_loader(bytes)) return bytes;
  throw input_error(
      {.id = "wrong-format",
       .what = elf ? "this program is not linked statically, so it may not run at "
                     "Gradescope"
                   : "expected a program for 64-bit Linux",
       .places = {{.file = path}},
       .fix = "Build one with -D CMAKE_EXE_LINKER_FLAGS=-static, and name build/attn."});
}

}  // namespace

std::vector<FileToZip> autograder_files(const ExerciseFolder& folder, const AutograderOptions& o,
                                        const Streams& streams) {
  if (o.program.empty()) {
    throw usage_error("missing-option", "--format gradescope needs attn for Gradescope's machine",
                      "Add --program FILE: attn for Linux, linked statically.");
  }
  require_exercise(folder);
  std::string run(kRun);
  const std::string_view mark = "ROSTER";
  run.replace(run.find(mark), mark.size(), o.roster.empty() ? "" : " --roster roster.csv");
  std::vector<FileToZip> files{{"setup.sh", kSetup, true},
                               {"run_autograder", std::move(run), true},
                               {"attn", program_in(o.program, streams), true},
                               {"key/exercise.json", text_of(folder.key(), streams)},
                               {"key/roster.lock.csv", text_of(folder.lock(), streams)}};
  for (const LockedVariant& each : read_lock(folder, streams)) {
    files.push_back({"key/answers/" + file_name_of(each.student) + ".json",
                     text_of(folder.answer(each.student), streams)});
  }
  if (!o.roster.empty()) {
    read_roster(o.roster, streams);  // throws if it is none
    files.push_back({"roster.csv", text_of(o.roster, streams)});
  }
  return files;
}

}  // namespace attn::app
