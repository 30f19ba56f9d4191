// What README.md and docs/ show below a command is what the command prints.
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

/// Checks every block of a page that begins with "$ attn …" and goes on with output. Returns how
/// many there were.
int check_blocks(const fs::path& page) {
  std::istringstream lines(read_text(page.string()));
  std::string command, output;
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.rfind("```", 0) == 0;
    const bool prompt = line.rfind("$ ", 0) == 0;
    if ((fence || prompt) && !output.empty()) {
      std::istringstream words(command);
      std::vector<std::string> args;
      for (std::string word; words >> word;) args.push_back(word);
      INFO(page.filename().string() << ": " << command);
      CHECK(first_difference(output, attn_run({args.begin() + 2, args.end()}).out) == "");
      ++count;
    }
    if (fence || prompt) {
      command = prompt ? line : "";
      output.clear();
    } else if (!command.empty()) {
      output += line + "\n";
    }
  }
  return count;
}

}  // namespace

TEST_CASE("documentation: the outputs shown are the outputs printed") {
  const fs::path root(ATTN_SOURCE_DIR);
  const fs::path here = fs::current_path();
  fs::current_path(root);
  int count = check_blocks(root / "README.md");
  for (const auto& entry : fs::directory_iterator(root / "docs"))
    count += check_blocks(entry.path());
  fs::current_path(here);
  CHECK(count >= 2);
}
