#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/problem_file.hpp"
#include "attn/samples.hpp"
#include "attn/trace_file.hpp"

namespace attn::testing {
namespace {

Trace trace_of(const std::string& problem) {
  return attend(make_problem(parse_problem(problem, "problem.json").draft));
}

Trace sample(std::size_t number) { return trace_of(std::string(samples()[number].text)); }

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

const char* const kOdd = R"({"tokens": ["a,b", "say \"hi\"", "two\nlines", ""], "mask": "causal",
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

TEST_CASE("csv: text with commas, quotation marks or line ends is quoted, numbers are not") {
  const std::string csv = trace_csv(trace_of(kOdd), {"scores", "masked_scores"});
  CHECK(csv.find("scores,,,0,1,\"a,b\",\"say \"\"hi\"\"\",2.0\n") != csv.npos);
  CHECK(csv.find("scores,,,0,2,\"a,b\",\"two\nlines\",1e-07\n") != csv.npos);
  CHECK(csv.find("scores,,,0,3,\"a,b\",\"\",1e+300\n") != csv.npos);
  CHECK(csv.find("masked_scores,,,0,1,\"a,b\",\"say \"\"hi\"\"\",-Infinity\n") != csv.npos);
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
  const Index heads = grouped.settings.heads;
  REQUIRE(grouped.settings.kv_heads < heads);
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

TEST_CASE("formats: names and extensions are found, and each name once") {
  CHECK(find_trace_format("ndjson")->name == "ndjson");
  CHECK(find_trace_format("text") == nullptr);
  CHECK(trace_format_of_file("a/b.jsonl")->name == "ndjson");
  CHECK(trace_format_of_file("b.csv")->name == "csv");
  CHECK(trace_format_of_file("trace.json")->name == "json");
  CHECK(trace_format_of_file("b.txt") == nullptr);
  CHECK(trace_format_of_file("csv") == nullptr);
  for (const TraceFormat& format : trace_formats()) {
    CHECK(find_trace_format(format.name) == &format);
    CHECK(!format.write(sample(0), {"x"}).empty());
  }
}

}  // namespace attn::testing
