// docs/errors.md: every error with an example that fails and the same example corrected.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "help/error_pages.hpp"
#include "support/files.hpp"
#include "support/program.hpp"
#include "support/shell_words.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

/// Errors that no small problem and no short command can cause, and why.
const std::map<std::string, std::string> kWithoutExample = {
    {"json-encoding", "a page in UTF-8 cannot show other bytes"},
    {"duplicate-id", "needs a tokenizer.json"},
    {"dtype", "needs an array of strings or complex numbers"},
    {"unknown-tensor", "needs a problem beside a file of tensors"},
    {"prefix-needed", "needs a checkpoint of several layers"},
    {"unknown-step", "needs a trace of a newer attn"},
    {"missing-step", "needs a trace that somebody has cut"},
    {"input-count", "needs a trace that somebody has changed"},
    {"duplicate-step", "the same"},
    {"unknown-operation", "the same"},
    {"wrong-operation", "the same"},
    {"wrong-axes", "the same"},
    {"wrong-hider", "the same"},
    {"short-salt", "needs a file of a few characters"},
    {"exercise-gave-up", "hundreds of problems are drawn first"},
    {"unreadable-cell", "attn check reports it and goes on"},
    {"bug", "there should be none"},
};

struct CodeBlock {
  std::string language, text;
};

struct Section {
  std::string word;
  std::vector<CodeBlock> blocks;
};

std::vector<Section> sections() {
  std::istringstream page(read_text(attn::testing::source_dir() + "/docs/errors.md"));
  std::vector<Section> all;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("### ")) all.push_back({line.substr(4), {}});
    if (all.empty() || line.empty() || line[0] == '#') continue;
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) all.back().blocks.push_back({line.substr(3), ""});
    } else if (inside) {
      all.back().blocks.back().text += line + "\n";
    }
  }
  return all;
}

/// Runs `attn explain -` on a problem, or shell commands one after the other in an empty folder.
/// All of them but the last must succeed.
Ran outcome(const CodeBlock& block) {
  if (block.language == "json") return attn_run({"explain", "-"}, block.text);
  const TemporaryFolder folder;
  const WorkingFolder inside(folder.path(""));
  std::istringstream lines(block.text);
  Ran ran;
  for (std::string line; std::getline(lines, line);) {
    CHECK_MESSAGE(ran.exit_code == 0, ran.err);
    const std::vector<std::string> words = shell_words(line);
    if (words[0] == "cp") {
      fs::copy_file(words[1], words[2]);
    } else {
      CHECK(words[0] == "attn");
      ran = attn_run({words.begin() + 1, words.end()});
    }
  }
  return ran;
}

/// What the example that fails prints.
const Ran& failure(const Section& section) {
  static std::map<std::string, Ran> all;
  if (!all.contains(section.word)) all[section.word] = outcome(section.blocks[0]);
  return all[section.word];
}

}  // namespace

TEST_CASE("page of errors: every broken example fails with its name, and the corrected one runs" *
          doctest::test_suite("long")) {
  for (const Section& section : sections()) {
    CAPTURE(section.word);
    if (kWithoutExample.count(section.word) == 1) {
      CHECK(section.blocks.empty());
      continue;
    }
    REQUIRE(section.blocks.size() == 2);
    const Ran& broken = failure(section);
    CHECK((broken.exit_code == 2 || broken.exit_code == 3 || broken.exit_code == 4));
    CHECK_MESSAGE(broken.err.starts_with("error[" + section.word + "]: "), broken.err);
    CHECK(broken.err.find("  fix   ") != std::string::npos);
    CHECK_MESSAGE(std::count(broken.err.begin(), broken.err.end(), '\n') <= 18, broken.err);
    const Ran mended = outcome(section.blocks[1]);
    CHECK_MESSAGE(mended.exit_code == 0, mended.err);
  }
}

TEST_CASE("page of errors: every error points to its page of help, if there is one") {
  for (const Section& section : sections()) {
    const auto page = attn::app::find_error_page(section.word);
    REQUIRE(page);
    if (section.blocks.empty()) continue;
    const Ran& ran = failure(section);
    CAPTURE(section.word);
    const bool points = ran.err.find("\n  more  attn ") != std::string::npos;
    CHECK(points == (ran.exit_code == 2 || !page->help.empty()));
  }
}

TEST_CASE("page of errors: no error shows anything of the libraries below") {
  for (const Section& section : sections()) {
    if (section.blocks.empty()) continue;
    const std::string& text = failure(section).err;
    CAPTURE(text);
    for (const char* word : {"json.exception", "nlohmann", "CLI::", "CLI11", "what():", "std::"}) {
      CHECK(text.find(word) == std::string::npos);
    }
  }
}
