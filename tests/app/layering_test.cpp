// Which folder may include what, and which words belong where (docs/design.md).
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "attn/trace.hpp"
#include "support/files.hpp"
#include "support/sources.hpp"
#include "support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;

struct Include {
  std::string file;    // relative to the project
  std::string target;  // "nlohmann/json.hpp"
};

std::vector<Include> includes_below(const std::string& folder) {
  const fs::path root(attn::testing::source_dir());
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".hpp" && extension != ".inc") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("#include", 0) != 0) continue;
      const std::size_t open = line.find_first_of("<\"");
      const std::size_t close = line.find_last_of(">\"");
      found.push_back(
          {entry.path().lexically_relative(root), line.substr(open + 1, close - open - 1)});
    }
  }
  return found;
}

void nobody_includes(const std::string& folder, const std::vector<std::string>& forbidden) {
  const std::vector<Include> includes = includes_below(folder);
  CHECK(!includes.empty());
  for (const Include& include : includes) {
    for (const std::string& prefix : forbidden) {
      INFO(include.file << " includes " << include.target);
      CHECK(include.target.rfind(prefix, 0) != 0);
    }
  }
}

std::vector<std::string> files_including(const std::vector<std::string>& folders,
                                         const std::string& prefix) {
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    for (const Include& include : includes_below(folder)) {
      if (include.target.rfind(prefix, 0) == 0) files.push_back(include.file);
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

/// The sources that have `word` anywhere.
std::vector<std::string> files_with(const std::vector<std::string>& folders,
                                    const std::string& word) {
  const fs::path root(attn::testing::source_dir());
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      if (attn::testing::read_text(entry.path()).find(word) != std::string::npos)
        files.push_back(entry.path().lexically_relative(root));
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Whether the first line, after one for the shell, is a comment of a few words that ends a
/// sentence.
bool begins_with_a_sentence(const std::string& source) {
  static const std::regex kBegin(
      "^(#![^\n]*\n)?(// |# |\"\"\")[^ \n]+( [^ \n]+){2,}\\.(\"\"\")?\n");
  return std::regex_search(source, kBegin, std::regex_constants::match_continuous);
}

/// What is between quotation marks, one per line; comments have none.
std::string literals_of(const std::string& source) {
  static const std::regex kToken(R"re(//[^\n]*|'(\\.|[^'\\\n])+'|"((\\.|[^"\\\n])*)")re");
  std::string texts;
  for (std::sregex_iterator at(source.begin(), source.end(), kToken), end; at != end; ++at)
    texts += (*at)[2].str() + "\n";
  return texts;
}

}  // namespace

TEST_CASE("layering: the library does not know the command line") {
  const std::regex spoken("--[a-z]|attn (help|explain|heatmap|convert|new)\\b");
  attn::testing::for_each_source({"lib"}, [&](const std::string& file, const std::string& text) {
    if (file.starts_with("lib/src/teach/lessons/")) return;  // a lesson has commands to try
    const std::string texts = literals_of(text);
    std::smatch found;
    CHECK_MESSAGE(!std::regex_search(texts, found, spoken), file << " says " << found.str());
  });
}

TEST_CASE("layering: inside core a folder includes only those before it") {
  const std::vector<std::string> order = {"text",    "tensor", "operations", "masks",
                                          "problem", "trace",  "attention"};
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::vector<std::string> later;
    for (std::size_t j = i + 1; j < order.size(); ++j) later.push_back("core/" + order[j] + "/");
    nobody_includes("lib/src/core/" + order[i], later);
  }
}

TEST_CASE("layering: only attention wires operations; others ask for their traits") {
  const std::vector<std::string> folders = {"app", "lib/include", "lib/src"};
  attn::testing::for_each_source(folders, [&](const std::string& file, const std::string& text) {
    const bool own =
        file.starts_with("lib/src/core/operations/") || file.starts_with("lib/src/core/attention/");
    CHECK_MESSAGE((own || text.find("ops::") == text.npos), file << " names an operation");
  });
}

TEST_CASE("layering: app, render, io, traces and operations look up no step by its id") {
  std::string ids;
  for (const std::string& id : attn::step_ids()) ids += (ids.empty() ? "" : "|") + id;
  const std::regex look_up("((find|at|value)\\(|id [=!]= )\"(" + ids + ")\"");
  const std::vector<std::string> folders = {"app", "lib/src/render", "lib/src/io",
                                            "lib/src/core/trace", "lib/src/core/operations"};
  attn::testing::for_each_source(folders, [&](const std::string& file, const std::string& text) {
    std::smatch found;
    CHECK_MESSAGE(!std::regex_search(text, found, look_up), file << " has " << found.str());
  });
  CHECK(std::regex_search(std::string("trace.find(\"weights\")"), look_up));
}

TEST_CASE("layering: attend knows no recipe") {
  const std::string attend = attn::testing::read_text(fs::path(attn::testing::source_dir()) /
                                                      "lib/src/core/attention/attend.cpp");
  REQUIRE(!attend.empty());
  CHECK(attend.find("recipe.") == attend.npos);
}

TEST_CASE("layering: the public headers know only the standard library, Eigen and each other") {
  nobody_includes("lib/include",
                  {"nlohmann", "CLI", "doctest", "iostream", "core/", "io/", "render/", "teach/"});
}

TEST_CASE("layering: the public headers do not need those that are not installed") {
  const fs::path root = fs::path(attn::testing::source_dir()) / "lib/include";
  for (const Include& include : includes_below("lib/include")) {
    INFO(include.file << " includes " << include.target);
    CHECK((!include.target.starts_with("attn/") || fs::exists(root / include.target)));
  }
}

TEST_CASE("layering: core includes only core") {
  nobody_includes("lib/src/core",
                  {"nlohmann", "CLI", "doctest", "iostream", "io/", "render/", "teach/"});
}

TEST_CASE("layering: io does not include render") {
  nobody_includes("lib/src/io", {"CLI", "doctest", "iostream", "render/", "teach/"});
}

TEST_CASE("layering: teach includes neither io nor render") {
  nobody_includes("lib/src/teach", {"nlohmann", "CLI", "doctest", "iostream", "io/", "render/"});
}
TEST_CASE("layering: render includes neither io nor nlohmann") {
  nobody_includes("lib/src/render", {"nlohmann", "CLI", "doctest", "iostream", "io/", "teach/"});
}

TEST_CASE("layering: the program uses the public headers only") {
  nobody_includes("app", {"nlohmann", "Eigen", "doctest", "core/", "io/", "render/", "teach/"});
}

TEST_CASE("layering: each package is known to one file") {
  const std::map<std::string, std::vector<std::string>> files = {
      {"CLI/", {"app/parse.cpp"}},
      {"Eigen",
       {"lib/include/attn/eigen.hpp", "lib/src/core/tensor/eigen.hpp",
        "lib/src/core/tensor/singular_values.cpp"}},
      {"attn/eigen.hpp", {}},
      {"zlib", {"lib/src/io/arrays/inflate.cpp"}},
      {"utf8proc", {"lib/src/core/text/unicode.cpp"}},
      {"nlohmann", {"lib/src/io/json/json.cpp"}}};
  for (const auto& each : files) {
    CAPTURE(each.first);
    CHECK(files_including({"app", "lib"}, each.first) == each.second);
  }
  CHECK(files_including({"tests"}, "CLI/").empty());
}

TEST_CASE("layering: doubles become text in one file") {
  CHECK(files_with({"app", "lib"}, "std::chars_format") ==
        std::vector<std::string>{"lib/src/core/text/number_text.cpp",
                                 "lib/src/core/text/printf_digits.cpp",
                                 "lib/src/core/text/printf_digits.hpp"});
  CHECK(files_with({"app", "lib"}, "setprecision").empty());
}

TEST_CASE("layering: the operating system is known only to app/platform") {
  for (const char* header :
       {"unistd.h", "fcntl.h", "termios.h", "sys/", "signal.h", "windows.h", "io.h"}) {
    for (const std::string& file : files_including({"app", "lib"}, header)) {
      CHECK_MESSAGE(
          (file.starts_with("app/platform/posix/") || file.starts_with("app/platform/windows/")),
          file << " includes " << header);
    }
  }
  CHECK(!files_including({"app"}, "unistd.h").empty());
  CHECK(!files_including({"app"}, "windows.h").empty());
  CHECK(files_with({"app", "lib"}, "_WIN32").empty());
}

TEST_CASE("layering: streams, files and the environment are only in a few files of the program") {
  const std::map<std::string, std::vector<std::string>> places = {
      {"std::cin", {"app/main.cpp"}},
      {"std::cout", {"app/main.cpp"}},
      {"std::cerr", {"app/main.cpp"}},
      {"getenv", {"app/platform/environment.cpp"}},
      {"fstream", {"app/files/input.cpp", "app/files/write_output.cpp"}},
      {"fopen", {}},
      {"std::exit", {}},
  };
  for (const auto& place : places) {
    INFO(place.first);
    CHECK(files_with({"app", "lib"}, place.first) == place.second);
  }
}

TEST_CASE("layering: every source says in its first line what it is for") {
  CHECK(begins_with_a_sentence("// Reads literals out of sources.\n"));
  CHECK(begins_with_a_sentence("#!/usr/bin/env python3\n\"\"\"Makes numbers for tests.\"\"\"\n"));
  for (const char* not_a_sentence :
       {"", "#pragma once\n", "// Sources.\n", "// Reads literals out of\n// sources.\n",
        "#!/bin/sh\nset -u\n# Reads literals out of sources.\n"})
    CHECK_FALSE(begins_with_a_sentence(not_a_sentence));
  int count = 0;
  attn::testing::for_each_source({"app", "lib", "tests"},
                                 [&](const std::string& file, const std::string& text) {
                                   CHECK_MESSAGE(begins_with_a_sentence(text),
                                                 file << " begins otherwise");
                                   ++count;
                                 },
                                 {".cpp", ".hpp", ".inc", ".js", ".mjs", ".cjs", ".py", ".sh"});
  CHECK(count > 1000);
}

TEST_CASE("layering: docs/design.md has a table of the helpers of tests") {
  const fs::path root(attn::testing::source_dir());
  const std::string text = attn::testing::read_text(root / "docs/design.md");
  const std::size_t start = text.find("\n## Helpers of tests\n");
  REQUIRE(start != text.npos);
  const std::string table = text.substr(start, text.find("\n## ", start + 1) - start);
  for (const auto& entry : fs::directory_iterator(root / "tests/support")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".hpp")
      CHECK_MESSAGE(table.find("`" + name + "`") != table.npos, name << " is not in the table");
  }
}

TEST_CASE("layering: tests catch errors with support/errors.hpp") {
  const std::regex catches("catch \\(const (attn::)?Error");
  attn::testing::for_each_source({"tests"}, [&](const std::string& file, const std::string& text) {
    const bool own = file == "tests/support/errors.hpp" ||
                     file == "tests/support/tensor_tool.cpp" || file.starts_with("tests/fuzz/");
    CHECK_MESSAGE((own || !std::regex_search(text, catches)), file << " catches an Error");
  });
}

TEST_CASE("layering: tests compare numbers with support/compare.hpp") {
  const std::regex other("Approx\\(|std::abs\\([^;]*\\)\\s+<=?\\s+[0-9.]*e-[0-9]");
  attn::testing::for_each_source({"tests"}, [&](const std::string& file, const std::string& text) {
    std::smatch found;
    CHECK_MESSAGE(!std::regex_search(text, found, other), file << " compares: " << found.str());
  });
  CHECK(std::regex_search(std::string("std::abs"
                                      "(a - b) < 1e-9"),
                          other));
}

TEST_CASE("layering: a sentence is written in two sources at most") {
  std::map<std::string, std::vector<std::string>> sources;  // by sentence
  attn::testing::for_each_source(
      {"app", "lib"}, [&](const std::string& file, const std::string& text) {
        const std::vector<std::string> all = attn::testing::literals_in(text);
        for (const std::string& each : std::set<std::string>(all.begin(), all.end())) {
          const bool whole = each.ends_with('.') || each.ends_with('?');
          if (whole && std::count(each.begin(), each.end(), ' ') >= 3)
            sources[each].push_back(file);
        }
      });
  CHECK(sources.size() > 500);
  for (const auto& sentence : sources)
    CHECK_MESSAGE(sentence.second.size() <= 2,
                  sentence.first << " is in " << sentence.second.front() << " and others");
}

TEST_CASE(
    "layering: the table of folders in docs/design.md names what is there, and nothing else") {
  const fs::path root(attn::testing::source_dir());
  std::string page = attn::testing::read_text(root / "docs/design.md");
  page = page.substr(page.find("\n## Folders\n"));
  page.resize(page.find("\n## ", 1));
  const std::regex row_of(R"(\n\| (`[^|]*) \| ([^|]*) \|)"), name_in("`([a-z_/]+)`");
  std::set<std::string> described;
  std::sregex_iterator row(page.begin(), page.end(), row_of), none;
  for (; row != none; ++row) {
    std::vector<std::string> folders;
    std::set<std::string> names, below;
    const std::string left = (*row)[1], right = (*row)[2];
    for (std::sregex_iterator at(left.begin(), left.end(), name_in); at != none; ++at)
      folders.push_back((*at)[1]);
    for (std::sregex_iterator at(right.begin(), right.end(), name_in); at != none; ++at)
      names.insert((*at)[1]);
    for (const std::string& folder : folders) {
      REQUIRE_MESSAGE(fs::is_directory(root / folder), folder);
      described.insert(folder);
      for (const auto& entry : fs::recursive_directory_iterator(root / folder))
        below.insert(entry.path().stem().string());
      for (const auto& entry : fs::directory_iterator(root / folder)) {
        const std::string path = folder + "/" + entry.path().filename().string();
        const bool is_apart = page.find("\n| `" + path + "`") != page.npos;
        const bool counts = entry.is_directory() || (folder == "app" && path.ends_with(".cpp"));
        CHECK_MESSAGE((!counts || is_apart || names.contains(entry.path().stem().string())),
                      "docs/design.md does not name " << path);
      }
    }
    for (const std::string& name : names)
      CHECK_MESSAGE((below.contains(name) || fs::exists(root / name)), left << " has no " << name);
  }
  CHECK(described.size() > 12);
  for (const char* folder : {"app", "docs", "lib/src/core", "lib/src/io", "lib/src/render",
                             "lib/src/teach", "samples", "tests"})
    CHECK_MESSAGE(described.contains(folder), folder);
}

TEST_CASE("layering: the files that the pages for contributors name exist") {
  const fs::path root(attn::testing::source_dir());
  std::vector<std::string> files;
  for (const char* folder : {"app", "lib", "tests", "samples", "docs"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      files.push_back("/" + entry.path().lexically_relative(root).generic_string());
  }
  for (const char* page : {"docs/design.md", ".github/CONTRIBUTING.md", "docs/performance.md"}) {
    const std::string text = attn::testing::read_text(root / page);
    const std::regex name("[` ]([a-z0-9_/.-]+\\.(cpp|hpp|py|sh|txt|cmake|m?js|schema\\.json))[` ]");
    int count = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at, ++count) {
      const std::string ending = "/" + (*at)[1].str();
      const bool exists = std::any_of(files.begin(), files.end(), [&](const std::string& file) {
        return file.ends_with(ending);
      });
      CHECK_MESSAGE(exists, page << " names " << (*at)[1]);
    }
    CHECK(count > 3);
  }
}
