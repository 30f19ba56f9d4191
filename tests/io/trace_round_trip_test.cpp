// A trace that was written and read again is the same trace.

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/core/format.hpp"
#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/render/explain.hpp"
#include "attn/teach/mistakes.hpp"
#include "attn/writers.hpp"
#include "io/json/source.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/random_problem.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

constexpr std::uint64_t kProblems = 200;
constexpr Dtype kDtypes[] = {Dtype::Float64, Dtype::Float32, Dtype::Float64, Dtype::Bfloat16,
                             Dtype::Float16};

bool same_arithmetic(const Expression& a, const Expression& b) {
  if (a.kind != b.kind || !same(a.value, b.value) || a.text != b.text) return false;
  if (a.input != b.input || !(a.cell == b.cell) || a.reason != b.reason) return false;
  if (a.parts.size() != b.parts.size()) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    if (!same_arithmetic(a.parts[i], b.parts[i])) return false;
  }
  return true;
}

/// The first step of which a number, a derivation or the formula is not the same; empty if none.
std::string first_difference(const Trace& a, const Trace& b) {
  for (const Step& step : a.steps) {
    const Step* other = b.find(step.id);
    if (other == nullptr || !(other->value.shape() == step.value.shape())) return step.id;
    if (formula_text(a, step) != formula_text(b, *other)) return step.id + " (formula)";
    const Shape& shape = step.value.shape();
    for (Index n = 0; n < shape.count(); ++n) {
      const Index col = n % shape.cols, row = n / shape.cols % shape.rows;
      const Index slice = n / shape.cols / shape.rows;
      const Cell cell{slice / step.value.heads(), slice % step.value.heads(), row, col};
      if (!same(step.value.at(cell), other->value.at(cell))) return step.id + " (number)";
      if (!same_arithmetic(derive(a, step, cell), derive(b, *other, cell)))
        return step.id + " (derivation)";
    }
  }
  return "";
}

std::vector<View> views(const Trace& trace) {
  View plain, full, brief, last;
  full.detail = Detail::Full;
  brief.detail = Detail::Brief;
  brief.query = "0";
  last.head = trace.settings().heads - 1;
  last.batch = trace.settings().batch - 1;
  return {plain, full, brief, last};
}

/// What explain says, or how it refuses.
std::string told(const Trace& trace, const View& view) {
  std::string text;
  const Diagnostic refusal = refusal_from([&] { text = write_text(explain(trace, view)); });
  return text + refusal.what;
}

/// A cell of the masked scores, often a hidden one, as explain_cell explains it; "" without one.
std::string told_cell(const Trace& trace) {
  const Step* masked = trace.find("masked_scores");
  if (masked == nullptr || masked->value.cols() < 2) return "";
  return write_text(explain_cell(trace, "masked_scores:0,1", {}));
}

void check_same(const Trace& trace, const Trace& again) {
  CHECK(first_difference(trace, again) == "");
  for (const View& view : views(trace)) CHECK(told(trace, view) == told(again, view));
  CHECK(told_cell(trace) == told_cell(again));
}

void check_round_trip(const Trace& trace) {
  const std::string json = trace_json(trace), lines = trace_ndjson(trace);
  CHECK(stated_format(json) == "attn.trace");
  const Trace from_json = parse_trace(json, "a.json");
  CHECK(trace_json(from_json) == json);
  CHECK(trace_ndjson(from_json) == lines);
  CHECK(trace_csv(from_json) == trace_csv(trace));
  CHECK(trace_json(parse_trace(lines, "a.ndjson")) == json);
  check_same(trace, from_json);
}

}  // namespace

TEST_CASE("trace: random problems read back as the same trace, number by number" *
          doctest::test_suite("long")) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    CAPTURE(seed);
    const Recipe recipe = seed % 2 == 1 ? full_detail() : Recipe();
    ProblemDraft draft = random_problem(seed);
    draft.dtype = kDtypes[seed % std::size(kDtypes)];
    const std::optional<Problem> problem = if_accepted([&] { return make_problem(draft); });
    if (!problem) continue;  // a query without a key, where that is to be an error
    check_round_trip(attend(*problem, recipe));
    ++count;
  }
  CHECK(count >= 120);
}

TEST_CASE("trace: every sample reads back as the same trace" * doctest::test_suite("long")) {
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    const ProblemFile file = parse_problem(sample.text, std::string(sample.name));
    for (const bool open : {false, true}) {
      const Recipe recipe = open ? full_detail() : Recipe();
      check_round_trip(attend(make_problem(file.draft), recipe));
    }
  }
}

TEST_CASE("trace: with any mistake built in that keeps the shapes, what is written can be read") {
  int count = 0;
  // What these make has shapes that the settings of the problem rule out.
  const std::set<std::string> reshaping{"heads.single",  "scores.transposed", "scores.query_query",
                                        "cross.swapped", "cross.self",        "heads.count"};
  for (const Sample& sample : samples()) {
    const std::string name(sample.name);
    if (name > "07") break;
    const Trace truth = attend(make_problem(parse_problem(sample.text, name).draft));
    for (const std::string& code : mistake_codes()) {
      CAPTURE(code);
      const std::optional<Trace> wrong = if_accepted([&] { return with_mistake(truth, code); });
      if (!wrong) continue;  // it cannot occur here
      ++count;
      Trace again;
      const Diagnostic refusal =
          refusal_from([&] { again = parse_trace(trace_json(*wrong), "a.json"); });
      if (refusal.what.empty()) {
        CHECK(first_difference(*wrong, again) == "");
      } else {
        CHECK(reshaping.contains(code));
        CHECK(refusal.fix.ends_with("without a mistake that changes shapes."));
      }
    }
  }
  CHECK(count >= 100);
}

TEST_CASE("trace: any float64 that is written reads back bit for bit") {
  std::mt19937_64 bits(80);
  Trace trace = trace_of(R"({"q": [[1]], "k": [[1]], "v": [[1]]})");
  Step& output = trace.steps.back();
  for (int n = 0; n < 2000; ++n) {
    const double number = std::bit_cast<double>(bits());
    if (std::isnan(number)) continue;
    output.value = Tensor(output.value.shape(), number);
    const Trace again = parse_trace(trace_json(trace), "a.json");
    CHECK(same(again.value(output.id).data()[0], number));
  }
}

TEST_CASE("trace: the text is UTF-8 without a mark, lines end in one newline, a row is one line") {
  for (const Sample& each : samples()) {
    const Trace trace = trace_of(std::string(each.text));
    const std::string json = trace_json(trace);
    for (const std::string& text : {json, trace_ndjson(trace), trace_csv(trace)}) {
      CHECK(text.find('\r') == text.npos);
      CHECK(!text.starts_with("\xEF\xBB\xBF"));
      CHECK(text.ends_with("\n"));
      CHECK(!text.ends_with("\n\n"));
      CHECK_NOTHROW(decode_source({text}, ""));
    }
    const Step& weights = *trace.last_weights();
    const std::string one = trace_json(trace, {weights.id});
    const std::size_t data = one.find("\"data\": ["), end = one.find("\"parameters\"", data);
    const Index rows = weights.value.batch() * weights.value.heads() * weights.value.rows();
    CHECK(std::count(one.begin() + static_cast<Index>(data), one.begin() + static_cast<Index>(end),
                     '\n') == rows + 1);
  }
}

TEST_CASE("trace: known mistakes in the wiring survive too") {
  const ProblemFile file = parse_problem(samples()[2].text, "three");
  for (const char* cut : {"interleaved", "reshaped"}) {
    for (const char* way : {"columns", "matrix"}) {
      const Recipe recipe{{.step = "q_heads", .parameters = {{"cut", std::string(cut)}}},
                          {.step = "weights",
                           .operation = find_operation("mistaken_softmax"),
                           .parameters = {{"way", std::string(way)}}},
                          {.step = "scaled_scores", .left_out = true}};
      check_round_trip(attend(make_problem(file.draft), recipe));
    }
  }
}

TEST_CASE("trace: a part that holds all its inputs reads back, another one is refused") {
  const Trace trace = attend(make_problem(parse_problem(samples()[2].text, "three").draft));
  const std::vector<std::string> part = {"x", "q", "q_heads"};
  const std::string json = trace_json(trace, part);
  CHECK(json.find("\"w_q\"") != json.npos);
  CHECK(json.find("\"w_k\"") == json.npos);
  const Trace again = parse_trace(json, "part.json");
  CHECK(trace_json(again) == json);
  CHECK(told(again, {}) != "");
  CHECK_THROWS_AS(parse_trace(trace_json(trace, {"weights"}), "part.json"), Error);
}

TEST_CASE("trace: numbers that matrices share are written for each of them") {
  ProblemDraft draft = parse_problem(samples()[2].text, "").draft;  // several heads
  draft.masks = {parse_mask("causal", "")};
  const Trace trace = attend(make_problem(draft));
  const Tensor& mask = trace.value("mask");
  REQUIRE(std::ssize(mask.stored()) < mask.shape().count());
  Trace apart = trace;
  for (Step& step : apart.givens) step.value = Tensor(step.value.shape(), step.value.data().copy());
  for (Step& step : apart.steps) step.value = Tensor(step.value.shape(), step.value.data().copy());
  for (const Format& format : data_formats()) {
    CAPTURE(format.name);
    const auto bytes = [&](const Trace& of) {
      std::string all;
      format.data(of, {{"mask"}}, [&](std::string_view piece) { all += piece; });
      return all;
    };
    CHECK(bytes(trace) == bytes(apart));
  }
}

TEST_CASE("trace: compact JSON, and JSON after a byte order mark, read the same") {
  const Trace trace = attend(make_problem(parse_problem(samples()[0].text, "one").draft));
  const std::string json = trace_json(trace);
  std::string compact;
  bool quoted = false;
  for (const char c : json) {
    if (c == '"') quoted = !quoted;
    if (quoted || (c != '\n' && c != ' ')) compact += c;
  }
  CHECK(stated_format("\xEF\xBB\xBF" + json) == "attn.trace");
  CHECK(trace_json(parse_trace("\xEF\xBB\xBF" + json, "bom.json")) == json);
  CHECK(stated_format(compact) == "attn.trace");
  CHECK(trace_json(parse_trace(compact, "compact.json")) == json);
}

TEST_CASE("trace: only what says that it is a trace is taken for one") {
  for (const char* text :
       {"", "{", "[]", "[{\"format\": \"attn.trace\"}]", "{\"title\": \"format\"}",
        "{\"a\": {\"format\": \"attn.trace\"}}", "{\"format\": \"attn.problem\"}",
        "{\"format\": 1}", "}}}", "\xFF\xFE\x00", "\xFF", "{\"format\"", "\"format\":"}) {
    CAPTURE(text);
    CHECK(stated_format(text) != "attn.trace");
  }
  CHECK(stated_format("{\"title\": \"x{\", \"a\": [[1], {}], \"format\" : \"attn.trace\"") ==
        "attn.trace");
  for (const Sample& sample : samples()) CHECK(stated_format(sample.text) != "attn.trace");
}

}  // namespace attn::testing
