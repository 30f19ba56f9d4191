// Each text that people read is in one file of the tests, so whoever changes it changes few files.
// What several tests need is in support/phrases.hpp; what one test pins is there, others ask for
// ids.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "attn/language.hpp"
#include "support/sources.hpp"

using namespace attn::testing;

namespace {

/// Texts that more than one file of the tests has, and why.
const std::map<std::string, std::string> kShared = {
    {"first wrong step", "scripts in Python read reports, too"},
    {"Everything is right", "so do scripts, and tests of pages"},
    {"in quotation marks", "the end of several sentences"},
    {"added to the scores", "a title, and part of sentences"},
    {"attn explain --mask causal", "a command"},
    {"In A·B, A must have as many columns as B has rows", "whole reports of errors"}};

/// Those whose subject is the texts themselves.
bool is_about_texts(const std::string& file) {
  return file.find("/golden/") != file.npos || file.find("/reference/") != file.npos ||
         file.find("/mutants/") != file.npos || file.starts_with("tests/app/language_test") ||
         file.starts_with("tests/app/untranslated") ||
         file.starts_with("tests/app/quoted_texts_test");
}

std::size_t words_in(const std::string& text) {
  std::istringstream stream(text);
  std::size_t count = 0;
  for (std::string word; stream >> word;) {
    const auto letters = std::count_if(word.begin(), word.end(),
                                       [](unsigned char c) { return std::isalpha(c) != 0; });
    count += letters >= 2 || word == "a" ? 1 : 0;
  }
  return count;
}

/// The longest part between the gaps of a text: "could not be read" of "{file} could not be read."
std::string longest_part(const std::string& text) {
  std::string longest;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t gap = std::min(text.find('{', at), text.size());
    std::string part = text.substr(at, gap - at);
    constexpr const char* kMarks = " .,:;?!()\"";
    part.erase(0, part.find_first_not_of(kMarks));
    part.erase(part.find_last_not_of(kMarks) + 1);
    if (part.size() > longest.size()) longest = part;
    at = std::min(text.find('}', gap), text.size() - 1) + 1;
  }
  return longest;
}

/// A test without comments and the names of its cases, literals in a row as one.
std::string said_by(const std::string& source) {
  std::string said;
  std::istringstream lines(source);
  bool in_name = false;
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(std::min(line.find("  // "), line.size()));
    if (line.starts_with("//") || line.starts_with("#")) continue;
    in_name = in_name || line.starts_with("TEST_CASE");
    if (!in_name) {
      if (said.ends_with("\"\n") && line.starts_with("\"")) {
        said.resize(said.size() - 2);
        line.erase(0, 1);
      }
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\' || i + 1 == line.size() || line[i + 1] != '"') said += line[i];
      }
      said += '\n';
    }
    if (line.ends_with("{")) in_name = false;
  }
  return said;
}

/// What people read, found in tests by its first bytes: the longest part of each text between its
/// gaps, and parts of it that a test quotes.
class Texts {
 public:
  void add(const std::string& text, std::size_t words, std::size_t length) {
    const std::string part = longest_part(text);
    if (words_in(part) < words || part.size() < std::max(length, kStart)) return;
    if (part.find('\n') != part.npos || !texts_.insert(part).second) return;
    for (std::size_t at = 0; at + kStart <= part.size(); ++at)
      if (at == 0 || part[at - 1] == ' ') by_start_[part.substr(at, kStart)].push_back({part, at});
  }

  /// Those that a test says as a whole.
  void find_whole(const std::string& said, std::set<std::string>& found) const {
    for (std::size_t at = 0; at + kStart <= said.size(); ++at) {
      if (at > 0 && is_letter(said, at - 1) && is_letter(said, at)) continue;
      for (const Place& each : places(said, at)) {
        const std::size_t end = at + each.text.size();
        const bool ends = !(is_letter(said, end) && is_letter(said, end - 1));
        if (each.at == 0 && ends && said.compare(at, each.text.size(), each.text) == 0)
          found.insert(each.text);
      }
    }
  }

  /// Those of which a literal is a part of four words or more.
  void find_part(const std::string& literal, std::set<std::string>& found) const {
    const std::string part = longest_part(literal);
    if (words_in(part) < 4 || part.size() < kStart) return;
    for (const Place& each : places(part, 0))
      if (each.text.compare(each.at, part.size(), part) == 0) found.insert(each.text);
  }

  std::size_t size() const { return texts_.size(); }

 private:
  static constexpr std::size_t kStart = 9;

  struct Place {
    std::string text;
    std::size_t at;
  };

  static bool is_letter(const std::string& text, std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  }

  const std::vector<Place>& places(const std::string& text, std::size_t at) const {
    static const std::vector<Place> kNone;
    const auto found = by_start_.find(std::string_view(text).substr(at, kStart));
    return found == by_start_.end() ? kNone : found->second;
  }

  std::set<std::string> texts_;
  std::map<std::string, std::vector<Place>, std::less<>> by_start_;
};

/// Parts only in C++: a script quotes otherwise.
std::set<std::string> quoted_by(const std::string& source, const Texts& texts, bool parts = true) {
  std::set<std::string> found;
  texts.find_whole(said_by(source), found);
  if (!parts) return found;
  const std::vector<std::string> names = first_arguments(source, "TEST_CASE");
  for (const std::string& literal : literals_in(source))
    if (std::find(names.begin(), names.end(), literal) == names.end())
      texts.find_part(literal, found);
  return found;
}

}  // namespace

TEST_CASE("layering: what people read is in one file of the tests") {
  Texts texts;
  const attn::Language& german = attn::language_of("de");
  for (const auto* catalogue : {&german.texts, &german.sentences})
    for (const auto& each : *catalogue) texts.add(each.first, 3, 16);
  for (const char* often : {"did you mean", "Likely cause", "Ask yourself", "Also explains",
                            "hidden: exactly 0", "where mask = 0"})
    texts.add(often, 2, 0);
  for_each_source({"lib", "app"}, [&](const std::string&, const std::string& source) {
    for (const std::string& each : literals_in(source)) texts.add(each, 4, 0);
  });
  CHECK(texts.size() > 3000);

  std::map<std::string, std::vector<std::string>> files;  // by text
  const auto read = [&](const std::string& file, const std::string& source) {
    if (is_about_texts(file)) return;
    const bool parts = file.ends_with(".cpp") || file.ends_with(".hpp");
    for (const std::string& each : quoted_by(source, texts, parts)) files[each].push_back(file);
  };
  for_each_source({"tests"}, read, {".cpp", ".hpp", ".py", ".mjs", ".cjs", ".sh"});
  CHECK(files.size() > 500);
  for (const auto& each : files) {
    const std::vector<std::string>& where = each.second;
    const bool shared = kShared.contains(each.first);
    CHECK_MESSAGE((where.size() == 1 || shared),
                  "\"" << each.first << "\" is in " << where.front() << " and " << where.back());
    CHECK_MESSAGE((where.size() > 1 || !shared), "\"" << each.first << "\" is in one file only");
  }
}

TEST_CASE("layering: texts are found across lines and in parts, not in comments or inside words") {
  Texts texts;
  texts.add("{file} cannot be read here.", 4, 0);
  REQUIRE(texts.size() == 1);
  const auto quotes = [&](const char* source) { return !quoted_by(source, texts).empty(); };
  CHECK(quotes("CHECK(has(text, \"it cannot \"\n                \"be read here\"));\n"));
  CHECK(quotes("CHECK(has(text, \"be read\"));") == false);
  CHECK(quotes("  // it cannot be read here\n") == false);
  CHECK(quotes("f(\"cannot be read hereafter\")") == false);
  texts.add("the file of answers ends too early, it seems", 4, 0);
  CHECK(quotes("CHECK(has(text, \"answers ends too early\"));"));
  CHECK(quotes("TEST_CASE(\"answers ends too early\") {\n") == false);
}
