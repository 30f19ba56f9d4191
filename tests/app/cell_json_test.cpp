// A number and what it was made from, as JSON; and where a given number is from.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/json/json.hpp"
#include "support/arithmetic_reader.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

using namespace attn::testing;
namespace json = attn::json;

namespace {

const std::string& text_of(const json::Node& node, const char* key) {
  return std::get<std::string>(json::find(node, key)->value);
}

/// The number under the key "value" of a node, read from the text.
double value_of(const std::string& out, const json::Node& node) {
  return std::stod(out.substr(json::find(node, "value")->offset));
}

/// Checks a number and all below it; returns how many there are.
int check_tree(const std::string& out, const json::Node& node, std::set<std::string>& steps) {
  int count = 1;
  steps.insert(text_of(node, "step"));
  const json::Node* expression = json::find(node, "expression");
  CHECK(json::find(*json::find(node, "cell"), "row") != nullptr);
  if (expression != nullptr) {
    const std::string& text = std::get<std::string>(expression->value);
    CAPTURE(text);
    const bool name = text.find('[') != text.npos;
    const double value = value_of(out, node);
    if (!name) CHECK(read_arithmetic(text, 17).meets({value - 1e-9, value + 1e-9}));
  }
  const json::Node* operands = json::find(node, "operands");
  if (json::find(node, "repeated") != nullptr) {
    CHECK(expression == nullptr);
    CHECK(operands == nullptr);
  }
  if (operands == nullptr) return count;
  CHECK(expression != nullptr);
  for (const json::Node& each : std::get<json::Items>(operands->value))
    count += check_tree(out, each, steps);
  return count;
}

/// The levels at which each number is in the tree, with its operands or repeated.
struct Levels {
  std::map<std::string, int> grown;
  std::vector<std::pair<std::string, int>> repeated, cut;
};

void find_levels(const std::string& out, const json::Node& node, int level, Levels& levels) {
  const json::Node& cell = *json::find(node, "cell");
  const std::string place = text_of(node, "step") + out.substr(cell.offset, 40);
  const std::string name = place.substr(0, place.find('}'));
  const json::Node* operands = json::find(node, "operands");
  if (operands == nullptr) {
    if (json::find(node, "repeated") != nullptr) levels.repeated.emplace_back(name, level);
    if (json::find(node, "expression") != nullptr) levels.cut.emplace_back(name, level);
    return;
  }
  CHECK(levels.grown.emplace(name, level).second);
  for (const json::Node& each : std::get<json::Items>(operands->value))
    find_levels(out, each, level + 1, levels);
}

}  // namespace

TEST_CASE("cell json: a number has its operands once, where it is nearest to the top") {
  const char* problem = R"({"embeddings": [[1, 2], [3, 4]], "positions": "sinusoidal", "weights": {
      "w_q": [[1, 2], [0, 1]], "w_k": [[1, 1], [1, 0]], "w_v": [[1, 0], [2, 1]]}})";
  std::size_t repeated = 0;
  for (int depth = 0; depth < 9; ++depth) {
    CAPTURE(depth);
    const Ran ran = attn_run({"explain", "-", "--detail", "full", "--json", "--cell", "output:0,0",
                              "--depth", std::to_string(depth)},
                             problem);
    const json::Document document = json::parse(ran.out, "out");
    Levels levels;
    find_levels(ran.out, document.root, 0, levels);
    for (const auto& [name, level] : levels.cut) CHECK(level <= depth);
    for (const auto& [key, level] : levels.repeated) {
      const std::string name = key;
      CAPTURE(name);
      REQUIRE(levels.grown.contains(name));
      CHECK(levels.grown.at(name) <= level);
      ++repeated;
    }
  }
  CHECK(repeated > 20);
}

TEST_CASE("cell json: names give the head, and hidden numbers the mask and its reason") {
  const Ran ran = attn_run({"explain", "--heads", "2", "--mask", "causal", "--head", "1", "--json",
                            "--cell", "M:0,1", "--depth", "0"});
  const json::Document document = json::parse(ran.out, "out");
  CHECK(text_of(document.root, "name") == "M[the, cat] of head 1");
  CHECK(text_of(document.root, "hidden") == "hidden by causal: " + std::string(kComesLater));
  CHECK(attn_run({"explain", "--heads", "2", "--mask", "causal", "--cell", "M[the, cat] of head 1"})
            .exit_code == 0);
}

TEST_CASE("cell json: a tree of steps, cells, values and arithmetic, down to what is given") {
  const Ran ran = attn_run({"explain", "--mask", "causal", "--json", "--cell", "output:cat,0"});
  CHECK(ran.exit_code == 0);
  const json::Document document = json::parse(ran.out, "out");
  CHECK(text_of(document.root, "format") == "attn.cell");
  CHECK(text_of(document.root, "step") == "output");
  CHECK(text_of(document.root, "name") == "O[cat, o0]");
  std::set<std::string> steps;
  CHECK(check_tree(ran.out, document.root, steps) > 50);
  for (const char* step : {"output", "weights", "scores", "q", "k", "v", "x", "w_q", "w_v"}) {
    CAPTURE(std::string(step));
    CHECK(steps.contains(step));
  }
}

TEST_CASE("cell json: --depth cuts the tree, --head chooses") {
  const auto run = [](const char* cell, const char* option, const char* value) {
    return attn_run({"explain", "--heads", "2", "--json", "--cell", cell, option, value});
  };
  CHECK(!has(run("scores:1,0", "--depth", "0").out, "operands"));
  CHECK(!has(run("scores:1,0", "--depth", "1").out, "\"step\": \"x\""));
  CHECK(has(run("scores:1,0", "--depth", "3").out, "\"step\": \"x\""));
  CHECK(has(run("scores:1,0", "--head", "1").out, "\"cell\": {\"head\": 1, \"row\": 1"));
  CHECK(has(attn_run({"explain", "--mask", "causal", "--json", "--cell", "M:0,1"}).out,
            "\"value\": \"-Infinity\""));
}

namespace {

/// The names of numbers, without their heads: of those that have an expression in JSON, and of
/// those that begin a line of text, or that another of them is a copy of.
void add_names(const json::Node& node, std::set<std::string>& names) {
  const std::string& name = text_of(node, "name");
  if (json::find(node, "expression") != nullptr) names.insert(name.substr(0, name.find(" of ")));
  const json::Node* operands = json::find(node, "operands");
  if (operands == nullptr) return;
  for (const json::Node& each : std::get<json::Items>(operands->value)) add_names(each, names);
}

std::string together(const std::set<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += name + "; ";
  return all;
}

std::set<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  static const std::regex name(R"((^|: |= )([^ =:]+\[[^\]]+\])(?= of| [=≈]))");
  for (const std::string& line : lines_of(text)) {
    for (std::sregex_iterator at(line.begin(), line.end(), name), end; at != end; ++at)
      names.insert(at->str(2));
  }
  return names;
}

}  // namespace

TEST_CASE("cell json: --depth means the same as in text, where a copy is no level") {
  for (const std::string cell : {"weights:1,1", "output:2,1", "concat:0,3"}) {
    for (const std::string depth : {"0", "1", "2", "3", "4"}) {
      CAPTURE(cell);
      CAPTURE(depth);
      const std::vector<std::string> args{"explain", "--heads", "2",  "--cell",
                                          cell,      "--depth", depth};
      const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), args.begin(), args.end());
        return attn_run(more).out;
      };
      const std::string out = with({"--json"});
      std::set<std::string> names;
      add_names(json::parse(out, "out").root, names);
      CHECK(together(names) == together(names_in(with({"--layout", "lines"}))));
    }
  }
}

TEST_CASE("cell json: a row is a list of trees, a query and a key the tree of their weight") {
  const auto run = [](const char* cell) {
    return attn_run({"explain", "--mask", "causal", "--json", "--cell", cell});
  };
  const Ran row = run("output:cat");
  CHECK(row.exit_code == 0);
  const json::Document document = json::parse(row.out, "out");
  CHECK(text_of(document.root, "format") == "attn.cell");
  const auto& cells = std::get<json::Items>(json::find(document.root, "cells")->value);
  REQUIRE(cells.size() == 4);
  CHECK(text_of(cells[3], "name") == "O[cat, o3]");
  std::set<std::string> steps;
  for (const json::Node& each : cells) check_tree(row.out, each, steps);
  CHECK(steps.contains("w_v"));
  CHECK(run("cat,the").out == run("weights:cat,the").out);
}

TEST_CASE("cell: a row that was looked up says so, even in a trace that is read back") {
  const char* problem = R"({"tokens": ["a", "b"], "embedding_table": {"b": [1, 2], "a": [3, 4]},
      "weights": {"w_q": {"eye": 2}, "w_k": {"eye": 2}, "w_v": {"eye": 2}}})";
  const std::string expected = "X[b, x0] = 1   (row \"b\" of embedding_table)";
  CHECK(has(attn_run({"explain", "-", "--cell", "x:b,0"}, problem).out, expected));
  const Ran trace = attn_run({"explain", "-", "--json"}, problem);
  CHECK(has(attn_run({"explain", "-", "--cell", "x:b,0"}, trace.out).out, expected));
  CHECK(has(attn_run({"explain", "--cell", "x:cat,0"}).out, "(given)"));
}

TEST_CASE("cell: the row of the table has the word's name, even if the text repeats the word") {
  const char* problem = R"({"tokens": ["a", "a"], "embedding_table": {"a": [3, 4]},
      "weights": {"w_q": {"eye": 2}, "w_k": {"eye": 2}, "w_v": {"eye": 2}}})";
  CHECK(has(attn_run({"explain", "-", "--cell", "x:1,0"}, problem).out,
            "X[1:a, x0] = 3   (row \"a\" of embedding_table)"));
}

TEST_CASE("cell: in a step of one row, an unknown name is taken for a column") {
  const char* problem = R"({"tokens": ["a", "b"], "embeddings": [[1, 2], [3, 4]], "weights": {
      "w_q": {"eye": 2}, "b_q": [1, 2], "w_k": {"eye": 2}, "w_v": {"eye": 2}}})";
  const auto refused = [&](const char* cell) {
    return unwrapped(attn_run({"explain", "-", "--cell", cell}, problem).err);
  };
  CHECK(has(refused("b_q:q9"), no_such("column", "q9")));
  CHECK(has(refused("b_q:q9"), "b_q has 1 row and 2 columns (features)"));
  CHECK(has(refused("b_q:q9"), "Name one (q0, q1) or give an index from 0 to 1."));
  CHECK(has(refused("b_q:x,0"), no_such("row", "x")));
  CHECK(has(refused("b_q:x,0"), "The only one is b, with index 0."));
}

TEST_CASE("cell: among 200,000 columns an unknown name is refused without listing them all") {
  const char* problem = R"({"q": [[1]], "k": {"ones": [200000, 1]}, "v": {"ones": [200000, 1]}})";
  const Ran ran = attn_run({"explain", "-", "--cell", "weights:0,zz"}, problem);
  CHECK(has(ran.err, no_such("column", "zz")));
  CHECK(has(ran.err, "Name one (k0, k1, k2"));
  CHECK(ran.err.size() < 1000);
}
