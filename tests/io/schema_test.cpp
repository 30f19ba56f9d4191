// The schemas name the keys that the program knows, no more and no fewer.

#include "attn/schemas.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "attn/mask.hpp"
#include "attn/phrases.hpp"
#include "attn/trace.hpp"
#include "core/problem/foreign_weights.hpp"
#include "io/error_rows.hpp"
#include "io/json/json.hpp"

namespace attn::testing {
namespace {

using Words = std::vector<std::string>;

json::Document schema(const std::string& name) {
  for (const Schema& each : schemas()) {
    if (each.name == name) return json::parse(each.text, name);
  }
  return {};
}

/// The node below `path`, whose names are separated by spaces.
const json::Node& below(const json::Node& root, const std::string& path) {
  const json::Node* node = &root;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(' ', at), path.size());
    node = json::find(*node, path.substr(at, end - at));
    REQUIRE_MESSAGE(node != nullptr, path);
    at = end + 1;
  }
  return *node;
}

Words keys(const json::Node& object) {
  Words names;
  for (const json::Member& member : std::get<json::Members>(object.value)) {
    names.push_back(member.key);
  }
  return names;
}

/// The keys that the reader of problems lists when it meets one it does not know.
Words known_keys(const std::string& before, const std::string& after) {
  const std::vector<Diagnostic> found = problem_errors(before + "\"qqqqqqqqqq\": 1" + after);
  REQUIRE(!found.empty());
  const std::string& fix = found[0].fix;
  const std::string start = "Use one of ";
  REQUIRE(fix.starts_with(start));
  Words names;
  for (const std::string& part :
       split_at_commas(fix.substr(start.size(), fix.find(';') - start.size()))) {
    names.emplace_back(trimmed(part));
  }
  return names;
}

}  // namespace

TEST_CASE("schema: that of a problem has the keys of the reader, in its order") {
  const json::Document problem = schema("problem");
  CHECK(keys(below(problem.root, "properties")) == known_keys("{", "}"));
  CHECK(keys(below(problem.root, "properties masking properties")) ==
        known_keys("{\"masking\": {", "}}"));
  Words past = keys(below(problem.root, "properties past properties"));
  Words known = known_keys("{\"past\": {\"k\": [[1]], \"v\": [[1]], ", "}}");
  std::sort(past.begin(), past.end());
  std::sort(known.begin(), known.end());
  CHECK(past == known);
  CHECK(keys(below(problem.root, "properties memory properties")) ==
        known_keys("{\"memory\": {\"embeddings\": [[1]], ", "}}"));
}

TEST_CASE("schema: names of weights are those of the table of layouts") {
  const json::Document problem = schema("problem");
  const Words own = keys(below(problem.root, "$defs weights properties"));
  const Words patterns = keys(below(problem.root, "$defs weights patternProperties"));
  const std::vector<std::regex> others(patterns.begin() + 1, patterns.end());
  const auto valid = [&](const std::string& name) {
    if (std::find(own.begin(), own.end(), name) != own.end()) return true;
    return std::any_of(others.begin(), others.end(),
                       [&](const std::regex& pattern) { return std::regex_search(name, pattern); });
  };
  CHECK(patterns[0] == "^[_$]");
  int known = 0;
  for (const char* front : {"", "w_", "b_", "bias_", "self.", "output.", "in_", "out_", "c_"}) {
    for (const char* stem :
         {"q",       "k",     "v",     "o",      "qkv",    "out",     "query",  "key",
          "value",   "dense", "proj",  "q_proj", "k_proj", "v_proj",  "o_proj", "out_proj",
          "in_proj", "q_lin", "k_lin", "v_lin",  "o_lin",  "out_lin", "c_attn", "attn"}) {
      for (const char* end : {"", ".weight", ".bias", "_weight", "_bias"}) {
        const std::string name = std::string(front) + stem + end;
        CAPTURE(name);
        CHECK(valid(name) == is_weight_name(name));
        known += is_weight_name(name) ? 1 : 0;
      }
    }
  }
  CHECK(known >= 50);
}

TEST_CASE("schema: the pattern of masks allows every kind, and the description shows how") {
  const json::Document problem = schema("problem");
  const auto text = [&](const std::string& key) {
    return std::get<std::string>(below(problem.root, "$defs mask " + key).value);
  };
  const std::regex pattern(text("pattern"));
  for (const MaskKind& kind : mask_kinds()) {
    CAPTURE(kind.name);
    CHECK(std::regex_match(kind.example, pattern));
    CHECK(!std::regex_match(std::string(kind.name) + "x", pattern));
    CHECK(text("description").find(kind.usage) != std::string::npos);
  }
}

TEST_CASE("schema: that of a trace has every step, and only givens that exist") {
  const json::Document trace = schema("trace");
  CHECK(keys(below(trace.root, "properties steps properties")) == step_ids());
  CHECK(keys(below(trace.root, "properties givens properties")) == given_ids());
}

TEST_CASE("schema: that of answers has a matrix for each step") {
  CHECK(keys(below(schema("answers").root, "properties")) == step_ids());
}

TEST_CASE("schema: each names its version, and describes each of its top-level keys") {
  for (const Schema& each : schemas()) {
    CAPTURE(each.name);
    const json::Document document = schema(std::string(each.name));
    CHECK(std::get<std::string>(below(document.root, "$id").value).ends_with(":1"));
    for (const json::Member& key :
         std::get<json::Members>(below(document.root, "properties").value)) {
      CAPTURE(key.key);
      CHECK(json::find(key.value, "description") != nullptr);
    }
  }
}

}  // namespace attn::testing
