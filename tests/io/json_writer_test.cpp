// The writer of all JSON: where lines break, how values are spelled, and what is passed on when.
#include "io/json/writer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "attn/io/problem_file.hpp"
#include "attn/io/trace_file.hpp"

namespace attn::testing {
namespace {

using json::Layout;
using json::Spacing;
using json::Writer;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kLongPiece = 300'000;  // bytes

/// Something of everything.
void write_sample(Writer& out) {
  const auto one = [](char* at, std::size_t i) {
    *at = static_cast<char>('0' + i);
    return at + 1;
  };
  out.object(Layout::Groups, [&] {
    out.line().add("b", "two\n").add("a", std::vector{1, 2});
    out.line().key("lines").object(Layout::Lines, [&] { out.add("z", true).add("y", 0.5); });
    out.line()
        .key("empty")
        .object(Layout::Lines, [] {})
        .key("none")
        .list(std::vector<int>(), Layout::Lines, [](int) {});
    out.line().key("data").block(std::vector<Index>{2, 2, 2}, one, Layout::Rows, Layout::Hanging);
  });
}

std::string sample_as(Spacing spacing) {
  Writer out(spacing);
  write_sample(out);
  return out.text();
}

struct Pieces {
  std::string all;
  std::size_t count = 0, longest = 0;
  Sink sink = [this](std::string_view piece) {
    all += piece;
    ++count;
    longest = std::max(longest, piece.size());
  };
};

TEST_CASE("json writer: each layout breaks its lines, indented by those around it") {
  CHECK(sample_as(Spacing::Lines) == R"({
  "b": "two\n", "a": [1, 2],
  "lines": {
    "z": true,
    "y": 0.5
  },
  "empty": {}, "none": [],
  "data": [
    [[0, 1],
     [2, 3]],
    [[4, 5],
     [6, 7]]]
})");
}

TEST_CASE(
    "json writer: one line has no breaks, compact text no spaces, canonical text sorted keys") {
  CHECK(sample_as(Spacing::OneLine) ==
        R"({"b": "two\n", "a": [1, 2], "lines": {"z": true, "y": 0.5}, "empty": {}, "none": [], )"
        R"("data": [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]})");
  CHECK(sample_as(Spacing::Compact) ==
        R"({"b":"two\n","a":[1,2],"lines":{"z":true,"y":0.5},"empty":{},"none":[],)"
        R"("data":[[[0,1],[2,3]],[[4,5],[6,7]]]})");
  CHECK(sample_as(Spacing::Canonical) ==
        R"({"a":[1,2],"b":"two\n","data":[[[0,1],[2,3]],[[4,5],[6,7]]],"empty":{},)"
        R"("lines":{"y":0.5,"z":true},"none":[]})");
}

TEST_CASE("json writer: keys are sorted by their bytes, whatever follows them") {
  Writer out(Spacing::Canonical);
  out.object([&] { out.add("é", 1).add("a!", 2).add("a", 3).add("", 4).add("a\"", 5); });
  CHECK(out.text() == R"({"":4,"a":3,"a!":2,"a\"":5,"é":1})");
}

TEST_CASE("json writer: a member that would be empty leaves no trace, wherever it is") {
  for (const Spacing spacing : {Spacing::OneLine, Spacing::Canonical}) {
    Writer out(spacing);
    const auto nothing = [&] {
      out.some("text", std::string()).some("count", 0).some("flag", false);
      out.some("number", std::optional<double>()).some("list", std::vector<int>());
    };
    out.object([&] {
      out.some_object("first", Layout::Lines, nothing).add("a", 0);
      out.some_object("middle", Layout::Row, nothing).some("b", std::optional(0.0));
      out.some_object("inner", Layout::Row, [&] { out.some_object("in", Layout::Row, nothing); });
    });
    std::string text = out.text();
    std::erase(text, ' ');
    CHECK(text == R"({"a":0,"b":0})");
  }
}

TEST_CASE("json writer: numbers are short, reals have a point, and words stand for the others") {
  Writer out;
  out.value(std::vector{1.0, -0.0, 0.1, 2.5e-7, 1e14, 1e15, -kInfinite, std::nan("")});
  CHECK(out.text() == R"([1, -0, 0.1, 2.5e-07, 100000000000000, 1e+15, "-Infinity", "NaN"])");
  Writer reals;
  const auto write = [&](double x) {
    reals.value(json::or_null<json::Real>(x, x > 2 ? NonFinite::Null : NonFinite::Words));
  };
  reals.list(std::vector{1.0, -0.0, 0.25, -kInfinite, kInfinite}, Layout::Row, write);
  CHECK(reals.text() == R"([1.0, -0.0, 0.25, "-Infinity", null])");
}

TEST_CASE("json writer: columns are aligned, over all rows of an array") {
  Writer out;
  out.array({{2, 1, 2}, {1, -10, 0.5, kInfinite}});
  CHECK(out.text() == R"([
  [
    [         1,        -10]
  ],
  [
    [       0.5, "Infinity"]
  ]
])");
}

TEST_CASE("json writer: a thousand objects and lists are closed in the order they were opened") {
  Writer out;
  const std::function<void(int)> nest = [&](int depth) {
    if (depth == 0) {
      out.value("deep");
    } else if (depth % 2 == 0) {
      out.object(Layout::Lines, [&] {
        out.key("k");
        nest(depth - 1);
      });
    } else {
      out.list(std::vector{depth - 1}, Layout::Lines, nest);
    }
  };
  nest(1000);
  const std::string& text = out.text();
  CHECK(std::count(text.begin(), text.end(), '{') == 500);
  CHECK(text.ends_with("\n    }\n  ]\n}"));
  CHECK(text.find("\n" + std::string(2000, ' ') + "\"deep\"\n" + std::string(1998, ' ') + "]") !=
        text.npos);
}

TEST_CASE("json writer: pieces are the whole text together, and end between two values") {
  for (const Spacing spacing : {Spacing::Lines, Spacing::OneLine, Spacing::Compact}) {
    Pieces pieces;
    Writer passed(pieces.sink, spacing), kept(spacing);
    for (Writer* out : {&passed, &kept}) {
      out->list(std::vector<int>(20'000), Layout::Lines, [&](int) { write_sample(*out); });
      out->end_text();
    }
    CHECK((pieces.all == kept.text()));
    CHECK(pieces.count > 10);
    CHECK(pieces.longest < kLongPiece);
  }
}

TEST_CASE("json writer: what a sink throws ends the writing") {
  int calls = 0;
  const Sink full = [&](std::string_view) {
    if (++calls == 2) throw std::runtime_error("full");
  };
  Writer out(full);
  CHECK_THROWS_WITH(out.value(std::vector<double>(200'000, 0.125)), "full");
  CHECK(calls == 2);
}

TEST_CASE("problem: one with large matrices is handed over in pieces, never as one text") {
  constexpr Index kRows = 300, kCols = 500;
  ProblemDraft draft;
  draft.title = "large";
  draft.embeddings = Array{{kRows, kCols}, std::vector<double>(kRows * kCols, 0.125)};
  draft.weights["b_q"] = {{kRows * kCols}, std::vector<double>(kRows * kCols, -3)};  // one row
  Pieces pieces;
  each_problem_piece(draft, pieces.sink);
  CHECK(pieces.count > 10);
  CHECK(pieces.longest < kLongPiece);
  CHECK((pieces.all == problem_json(draft)));
  const ProblemDraft read = parse_problem(pieces.all, "large.json").draft;
  CHECK((read.embeddings->data == draft.embeddings->data));
  CHECK((read.weights.at("b_q").data == draft.weights.at("b_q").data));
}

}  // namespace
}  // namespace attn::testing
