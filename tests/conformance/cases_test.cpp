// Reported bugs, rebuilt: their right runs are accepted, and their wrong runs named.
// Read from a folder that the build names (ATTN_CASES); without it doctest skips the case.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/json/json.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

namespace files = std::filesystem;

/// What is reached today; verdicts are to name at least 95 % of the wrong runs, and none wrongly.
constexpr int kLeastNamed = 200;
constexpr int kMostMisnamed = 0;

std::string text_in(const json::Node& object, const char* key) {
  const json::Node* node = json::find(object, key);
  const auto* text = node == nullptr ? nullptr : std::get_if<std::string>(&node->value);
  return text == nullptr ? "" : *text;
}

/// The texts of a list; of no list: none.
std::vector<std::string> texts_in(const json::Node& object, const char* key) {
  const json::Node* node = json::find(object, key);
  std::vector<std::string> texts;
  if (node == nullptr) return texts;
  const auto* items = std::get_if<json::Items>(&node->value);
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i)
    texts.push_back(std::get<std::string>((*items)[i].value));
  return texts;
}

/// Its codes, and whether it is certain.
struct FirstFinding {
  std::set<std::string> codes;
  bool certain = false;
};

/// The first finding of the first wrong step that is not a route to a right result.
FirstFinding first_finding(const json::Node& report) {
  const std::string wrong = text_in(report, "first_wrong");
  for (const json::Node& step : std::get<json::Items>(json::find(report, "steps")->value)) {
    const json::Node* findings = json::find(step, "findings");
    if (text_in(step, "id") != wrong || findings == nullptr) continue;
    const auto* all = std::get_if<json::Items>(&findings->value);
    for (std::size_t i = 0; all != nullptr && i < all->size(); ++i) {
      const json::Node& finding = (*all)[i];
      const std::string code = text_in(finding, "code");
      if (code.starts_with("equivalent.")) continue;
      const std::vector<std::string> others = texts_in(finding, "same_as");
      FirstFinding first{{others.begin(), others.end()},
                         text_in(finding, "confidence") == "certain"};
      first.codes.insert(code);
      return first;
    }
  }
  return {};
}

/// A reported bug: where it is, which codes name it, and what else the command line needs.
struct ReportedBug {
  files::path folder;
  std::vector<std::string> expect, options;

  json::Document checked(const char* dump) const {
    std::vector<std::string> args{"check", (folder / dump).string(), "--problem",
                                  (folder / "problem.json").string(), "--json"};
    args.insert(args.end(), options.begin(), options.end());
    return json::parse(attn_run(args).out, dump);
  }
};

}  // namespace

TEST_CASE("reported bugs: right runs are accepted, wrong ones named" *
          doctest::skip(std::string(ATTN_CASES).empty())) {
  const files::path root(ATTN_CASES);
  int named = 0, misnamed = 0;
  for (const auto& entry : files::directory_iterator(root)) {
    CAPTURE(entry.path().filename().string());
    const json::Document facts =
        json::parse(read_text((entry.path() / "case.json").string()), "case.json");
    const ReportedBug bug{entry.path(), texts_in(facts.root, "expect"),
                          texts_in(facts.root, "check_options")};
    CHECK(std::get<bool>(json::find(bug.checked("right.npz").root, "right")->value));
    for (const char* dump : {"all.npz", "wo.npz", "o.npz"}) {
      const FirstFinding first = first_finding(bug.checked(dump).root);
      const bool fits =
          std::any_of(bug.expect.begin(), bug.expect.end(),
                      [&](const std::string& code) { return first.codes.count(code) > 0; });
      named += fits ? 1 : 0;
      misnamed += !fits && first.certain ? 1 : 0;
    }
  }
  CHECK(named >= kLeastNamed);
  CHECK(misnamed <= kMostMisnamed);
}
