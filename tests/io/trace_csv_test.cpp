// Traces as CSV, and traces written piece by piece.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "attn/attend.hpp"
#include "attn/core/threads.hpp"
#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/io/trace_file.hpp"
#include "support/program.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

Trace sample(std::size_t number) { return trace_of(std::string(samples()[number].text)); }

/// What a writer gives to its sink, call by call.
std::vector<std::string> pieces_of(const Format& format, const Trace& trace,
                                   const TraceChoice& choice = {}) {
  std::vector<std::string> pieces;
  format.data(trace, choice, [&](std::string_view piece) { pieces.emplace_back(piece); });
  return pieces;
}

const Format& data_format(std::string_view name) {
  for (const Format& format : data_formats())
    if (format.name == name) return format;
  throw std::out_of_range(std::string(name));
}

const char* const kOdd = R"({"tokens": ["a,b", "say \"hi\"", "b", ""], "mask": "causal",
  "q": [[1], [2], [3], [4]], "k": [[0.1], [2], [1e-7], [1e300]], "v": [[1], [2], [3], [4]],
  "scale": "none"})";

}  // namespace

TEST_CASE("csv: one line for each number of each step") {
  const Trace trace = sample(0);
  const std::vector<std::string> lines = lines_of(trace_csv(trace));
  CHECK(lines[0] == "step,batch,head,row,col,row_label,col_label,value");
  std::size_t numbers = 0;
  for (const Step& step : trace.steps) numbers += step.value.data().size();
  CHECK(lines.size() == numbers + 1);
  CHECK(lines_of(trace_csv(trace, {"weights"}))[2] == "weights,,,0,1,the,cat,0.6010769126617537");
  CHECK(lines_of(trace_csv(trace, {"q"}))[1] == "q,,,0,0,the,q0,0.0");
  CHECK_THROWS_AS(trace_csv(trace, {"weigths"}), Error);
}

TEST_CASE("csv: batch and head are numbers where a step has them") {
  const std::vector<std::string> lines = lines_of(trace_csv(sample(8), {"x", "weights"}));
  CHECK(lines[1].starts_with("x,0,,0,0,the,x0,"));
  CHECK(lines.back().starts_with("weights,1,1,4,4,<pad>,<pad>,"));
}

TEST_CASE("csv: text with commas or quotation marks is quoted, numbers are not") {
  const std::string csv = trace_csv(trace_of(kOdd), {"scores", "masked_scores"});
  CHECK(csv.find("scores,,,0,1,\"a,b\",\"say \"\"hi\"\"\",2.0\n") != csv.npos);
  CHECK(csv.find("scores,,,0,3,\"a,b\",\"\",1e+300\n") != csv.npos);
  CHECK(csv.find("masked_scores,,,0,1,\"a,b\",\"say \"\"hi\"\"\",-Infinity\n") != csv.npos);
}

TEST_CASE("csv: no label breaks a line or acts on a terminal") {
  const Trace trace = trace_of(
      R"({"tokens": ["two\nlines", "\u001b[2J", "\u009b2J\r", "\u202eback\t"], "q": [[1], [2], [3], [4]],
          "k": [[1], [2], [3], [4]], "v": [[1], [2], [3], [4]]})");
  const std::string csv = trace_csv(trace, {"scores"});
  CHECK(lines_of(csv).size() == 17);
  CHECK(csv.find("scores,,,0,1,two\\nlines,\\e[2J,2.0\n") != csv.npos);
  CHECK(csv.find("scores,,,2,3,\\u{9b}2J\\r,\\u{202e}back\\t,12.0\n") != csv.npos);
  CHECK(lines_of(step_csv(trace, "weights"))[0] ==
        "query,two\\nlines,\\e[2J,\\u{9b}2J\\r,\\u{202e}back\\t");
}

TEST_CASE("csv: tokens that look like formulas stay as they are") {
  const Trace trace =
      trace_of(R"({"tokens": ["=1+1", "-a"], "q": [[1], [1]], "k": [[1], [1]], "v": [[1], [1]]})");
  CHECK(has(trace_csv(trace, {"scores"}), "\nscores,,,0,1,=1+1,-a,1.0\n"));
  CHECK(step_csv(trace, "scores", {}, {}).starts_with("query,=1+1,-a\n=1+1,1.0,"));
}

TEST_CASE("csv: a wide table is one matrix with its labels") {
  const std::vector<std::string> lines = lines_of(step_csv(sample(0), "weights"));
  CHECK(lines.size() == 6);
  CHECK(lines[0] == "query,the,cat,dreams,it,flies");
  CHECK(lines[1].find(",0.6010769126617537,") != std::string::npos);
  CHECK(lines_of(step_csv(sample(0), "x"))[0] == "token,x0,x1,x2,x3,x4,x5");
}

TEST_CASE("csv: of several matrices a wide table needs one chosen") {
  const Trace batch = sample(8), grouped = sample(11);
  CHECK_THROWS_WITH(step_csv(batch, "weights"),
                    "a wide table is one matrix, but weights has 2 batch entries");
  CHECK_THROWS_WITH(step_csv(batch, "weights", 0),
                    "a wide table is one matrix, but weights has 2 heads");
  CHECK_THROWS_WITH(step_csv(batch, "weights", 0, 2),
                    "a wide table is one matrix, but weights has 2 heads, from 0 to 1");
  CHECK(step_csv(batch, "weights", 1, 1) != step_csv(batch, "weights", 1, 0));
  CHECK(step_csv(batch, "x", 1, 1) == step_csv(batch, "x", 1));
  const Index heads = grouped.settings().heads;
  REQUIRE(grouped.settings().kv_heads < heads);
  CHECK(step_csv(grouped, "k_heads", {}, heads - 1) != step_csv(grouped, "k_heads", {}, 0));
  CHECK_THROWS_AS(step_csv(grouped, "k_heads", {}, heads), Error);
}

TEST_CASE("ndjson: the first line has everything but the steps, each other line has one") {
  const Trace trace = sample(2);
  const std::vector<std::string> lines = lines_of(trace_ndjson(trace));
  REQUIRE(lines.size() == trace.steps.size() + 1);
  CHECK(lines[0].starts_with("{\"format\": \"attn.trace\", \"format_version\": \"1.0\", "));
  CHECK(lines[0].find("\"steps\"") == std::string::npos);
  CHECK(lines[0].find("\"givens\": {\"w_q\": {") != std::string::npos);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    CHECK(lines[i + 1].starts_with("{\"id\": \"" + trace.steps[i].id + "\", \"title\": "));
    CHECK(lines[i + 1].ends_with("}"));
  }
}

TEST_CASE("ndjson: each line is handed over as soon as it is written") {
  const Trace trace = sample(2);
  const std::vector<std::string> pieces = pieces_of(data_format("ndjson"), trace);
  REQUIRE(pieces.size() == trace.steps.size() + 1);
  std::string all;
  for (const std::string& piece : pieces) {
    CHECK(piece.find('\n') == piece.size() - 1);
    all += piece;
  }
  CHECK(all == trace_ndjson(trace));
}

TEST_CASE(
    "json: numbers that JSON does not have are words, or null where only numbers are wanted") {
  const Trace trace = trace_of(kOdd);
  for (const char* name : {"json", "ndjson"}) {
    CAPTURE(name);
    const Format& format = data_format(name);
    CHECK(format.is_json);
    std::string words, null;
    for (const std::string& piece : pieces_of(format, trace, {{"masked_scores"}})) words += piece;
    for (const std::string& piece : pieces_of(format, trace, {{"masked_scores"}, NonFinite::Null}))
      null += piece;
    CHECK(words.find("[0.1, \"-Infinity\", \"-Infinity\", \"-Infinity\"]") != words.npos);
    CHECK(null.find("[0.1, null, null, null]") != null.npos);
    CHECK(null.find("\"fill\": \"-Infinity\"") != null.npos);  // not part of the data
  }
  CHECK(!data_format("csv").is_json);
}

TEST_CASE("npy: one step is written, and any other number of steps refused") {
  const Trace trace = sample(2);
  const Step& weights = *trace.find("weights");
  std::string bytes;
  for (const std::string& piece : pieces_of(data_format("npy"), trace, {{"weights"}}))
    bytes += piece;
  const NamedArray read = read_npy(bytes, "weights.npy");
  CHECK(read.array.shape == weights.value.shape().sizes());
  CHECK(read.array.data == weights.value.data());
  for (const TraceChoice& choice : {TraceChoice{}, TraceChoice{{"q", "k"}}}) {
    CHECK_THROWS_WITH_AS(pieces_of(data_format("npy"), trace, choice),
                         doctest::Contains("an .npy file holds one step, but "), Error);
  }
}

TEST_CASE("formats: every name and ending once, each writes the steps that are asked for") {
  std::set<std::string_view> known;
  for (const auto& formats : {document_formats(), data_formats()}) {
    for (const Format& format : formats) {
      CHECK(known.insert(format.name).second);
      for (const std::string_view ending : format.endings)
        CHECK((ending.empty() || (ending.starts_with(".") && known.insert(ending).second)));
      const bool document = format.document != nullptr, data = format.data != nullptr;
      CHECK(document + data + format.only_picture() == 1);
    }
  }
  for (const Format& format : data_formats()) {
    CHECK(!pieces_of(format, sample(0), {{"x"}}).empty());
    CHECK_THROWS_AS(pieces_of(format, sample(0), {{"nothing"}}), Error);
  }
}

TEST_CASE("json, ndjson, csv: a long trace is handed over in short pieces that cut no row") {
  const Trace trace = trace_of(
      R"({"heads": 2, "embeddings": {"randn": [120, 8], "seed": 1}, "mask": "causal",
          "weights": {"w_q": {"randn": [8, 8], "seed": 2}, "w_k": {"randn": [8, 8], "seed": 3},
                      "w_v": {"randn": [8, 8], "seed": 4}}})");
  for (const char* name : {"json", "ndjson", "csv"}) {
    CAPTURE(name);
    use_threads(name[0] == 'c' ? 1 : 3);
    std::string all;
    std::size_t longest = 0, pieces = 0;
    for (const std::string& piece : pieces_of(data_format(name), trace)) {
      CHECK(std::string_view("]\n[ ").find(piece.back()) != std::string_view::npos);
      longest = std::max(longest, piece.size());
      all += piece, ++pieces;
    }
    CHECK(longest < 250000);
    CHECK(pieces > 5);
    const std::string whole = std::string(name) == "json"  ? trace_json(trace)
                              : std::string(name) == "csv" ? trace_csv(trace)
                                                           : trace_ndjson(trace);
    CHECK(all == whole);
  }
  use_threads(0);
}

}  // namespace attn::testing
