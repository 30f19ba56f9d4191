// What README.md and docs/ show below a command is what the command prints.
// ATTN_UPDATE_GOLDENS=1 writes it anew, and docs/pictures; read the difference before you commit
// it.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "attn/phrases.hpp"
#include "support/files.hpp"
#include "support/golden.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

const std::string kHead = " | head -n ";

/// What a documented command does, without its "# exit 1" or " | head -n 3".
Ran run_in_docs(const std::string& command) {
  const std::size_t end = std::min(command.find(kHead), command.find(" # "));
  std::istringstream words(command.substr(0, end));
  std::vector<std::string> args;
  for (std::string word; words >> std::quoted(word);) args.push_back(word);
  return attn_run({args.begin() + 2, args.end()});
}

/// What it prints; of "… | head -n 3" the first three lines.
std::string printed_in_docs(const std::string& command) {
  const std::size_t pipe = command.find(kHead);
  std::istringstream lines(run_in_docs(command).out);
  int most = pipe == command.npos ? 1000000 : std::stoi(command.substr(pipe + kHead.size()));
  std::string text;
  for (std::string line; most-- > 0 && std::getline(lines, line);) text += line + "\n";
  return text;
}

/// Checks every block of a page that begins with "$ attn …", with no pipe except one to head, and
/// shows output. Returns how many there were.
int check_blocks(const fs::path& page) {
  std::istringstream lines(read_text(page.string()));
  std::string command, output, anew;
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.rfind("```", 0) == 0;
    const bool prompt = line.rfind("$ ", 0) == 0;
    if (fence || prompt) {
      if (!output.empty() && command.find(" | ") == command.find(kHead)) {
        INFO(page.filename().string() << ": " << command);
        const std::string printed = printed_in_docs(command);
        if (updates_goldens()) output = printed;
        CHECK(first_difference(output, printed) == "");
        ++count;
      }
      anew += output;
      output.clear();
      command = line.rfind("$ attn ", 0) == 0 ? line : "";
      const bool draws = command.find(" -o docs/pictures/") != command.npos;
      if (draws && updates_goldens()) run_in_docs(command);  // documentation_test.sh compares
      anew += line + "\n";
    } else if (!command.empty()) {
      output += line + "\n";
    } else {
      anew += line + "\n";
    }
  }
  if (updates_goldens()) std::ofstream(page, std::ios::binary) << anew;
  return count;
}

/// The anchors of a page's headings, as GitHub makes them: "Exit codes" is exit-codes.
std::set<std::string> anchors_of(const std::string& page) {
  static const std::regex kHeading("\n#+ ([^\n]*)"), kLink(R"(\[([^\]]*)\]\([^)]*\))");
  std::set<std::string> anchors;
  for (std::sregex_iterator at(page.begin(), page.end(), kHeading), end; at != end; ++at) {
    std::string anchor;
    for (const char c : std::regex_replace((*at)[1].str(), kLink, "$1")) {
      if (c >= 'A' && c <= 'Z') anchor += static_cast<char>(c - 'A' + 'a');
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_') anchor += c;
      if (c == ' ') anchor += '-';
    }
    anchors.insert(anchor);
  }
  return anchors;
}

/// A link that leads nowhere; "" if all of a page's lead to a file and, after #, to a heading.
std::string broken_link(const fs::path& page) {
  static const std::regex kTarget(R"(\]\(([^)#\s]*)(#([^)\s]*))?\))");
  const std::string text = read_text(page);
  for (std::sregex_iterator at(text.begin(), text.end(), kTarget), end; at != end; ++at) {
    const std::string file = (*at)[1], anchor = (*at)[3];
    if (file.starts_with("https://")) continue;
    const fs::path target = file.empty() ? page : page.parent_path() / file;
    if (!fs::exists(target)) return file;
    if (!anchor.empty() && !anchors_of(read_text(target)).contains(anchor))
      return file + "#" + anchor;
  }
  return "";
}

/// The longer sentences and cells of a page, without code, emphasis and targets of links.
std::set<std::string> sentences_of(const std::string& page) {
  std::set<std::string> sentences;
  std::string sentence;
  const auto end = [&] {
    if (sentence.size() > 45) sentences.emplace(attn::trimmed(sentence));
    sentence.clear();
  };
  static const std::regex kTarget(R"(\]\([^)]*\))");
  bool code = false;
  for (std::string line : lines_of(page)) {
    if (line.starts_with("```")) code = !code;
    if (line.find("](") != line.npos) line = std::regex_replace(line, kTarget, "]");
    const bool begins =
        line.find_first_of("|#<") == 0 || line.starts_with("* ") || line.starts_with("- ");
    if (code || line.empty() || begins) end();
    if (code || line.starts_with("```")) continue;
    for (const char c : line + " ") {
      const bool ends =
          c == '|' || (c == ' ' && (sentence.ends_with('.') || sentence.ends_with(':')));
      if (ends) end();
      const bool counts = !ends && c != '`' && c != '*' && (c != ' ' || !sentence.empty());
      if (counts) sentence += c;
    }
  }
  end();
  return sentences;
}

}  // namespace

TEST_CASE("documentation: every link leads to a page that exists, and to one of its headings") {
  const fs::path root(attn::testing::source_dir());
  std::vector<fs::path> pages{root / "README.md"};
  for (const char* folder : {"docs", ".github"}) {
    for (const auto& entry : fs::directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") pages.push_back(entry.path());
    }
  }
  CHECK(pages.size() > 30);
  for (const fs::path& page : pages) CHECK_MESSAGE(broken_link(page) == "", page.string());
  const TemporaryFolder folder;
  const fs::path made = folder.path("page.md");
  for (const auto& [text, broken] : std::map<std::string, std::string>{
           {"# Page\n\n## Exit codes\n\n[a](page.md#exit-codes) [b](#page)", ""},
           {"# Page\n\n[a](other.md)", "other.md"},
           {"# Page\n\n## Exit codes\n\n[a](page.md#codes)", "page.md#codes"}}) {
    std::ofstream(made) << "\n" << text;
    CHECK(broken_link(made) == broken);
  }
}

TEST_CASE("documentation: what many pages could say is said on one") {
  const fs::path root(attn::testing::source_dir() + "/docs");
  const std::map<std::string, std::string> pages{
      {R"((1|true) means "may attend"|= may attend)", "problem-format.md"},
      {R"(±0\.01)", "check-format.md"},
      {R"(\b1e-5 for float)", "check-format.md"},
      {R"(\| 3 \| the input is wrong)", "errors.md"}};
  for (const auto& fact : pages) {
    CAPTURE(fact.first);
    const std::regex says(fact.first);
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".md") continue;
      bool code = false;  // what is printed may repeat it
      for (const std::string& line : lines_of(read_text(entry.path()))) {
        if (line.starts_with("```")) code = !code;
        if (!code && std::regex_search(line, says))
          found.insert(entry.path().lexically_relative(root).generic_string());
      }
    }
    CHECK(found == std::set<std::string>{fact.second});
  }
}

TEST_CASE("documentation: no sentence is on two pages") {
  const fs::path root(attn::testing::source_dir());
  std::vector<fs::path> pages{root / "README.md"};
  for (const auto& entry : fs::directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  std::map<std::string, std::string> first;  // where it was found
  for (const fs::path& page : pages) {
    for (const std::string& sentence : sentences_of(read_text(page))) {
      const auto found = first.try_emplace(sentence, page.filename().string());
      INFO(found.first->second << " and " << page.filename().string() << ": " << sentence);
      CHECK(found.second);
    }
  }
  CHECK(first.size() > 1000);
  const std::string fact = "A mask is a table of `0`s and *1s*,\nquery x key, for all heads.";
  const std::set<std::string> whole{"A mask is a table of 0s and 1s, query x key, for all heads."};
  CHECK(sentences_of("# Page\n\nShort. " + fact + "\n") == whole);
  CHECK(sentences_of("| so |\n| --- |\n| " + *whole.begin() + " |") == whole);
  CHECK(sentences_of("```\n" + fact + "\n```\n").empty());
}

TEST_CASE("documentation: the outputs shown are the outputs printed") {
  const fs::path root(attn::testing::source_dir());
  const WorkingFolder inside(root);
  int count = check_blocks(root / "README.md");
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    if (entry.is_regular_file()) count += check_blocks(entry.path());
  }
  CHECK(count > 20);
}
