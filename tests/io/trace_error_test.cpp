// Changed traces are read, or refused with a place; none crashes the program.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/gradient.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/render/explain.hpp"
#include "attn/writers.hpp"
#include "help/error_pages.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/phrases.hpp"
#include "support/random_problem.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

const char* const kProblem = R"({"tokens": ["a", "b", "c"], "heads": 2, "mask": "causal",
  "embeddings": [[1, 0], [0, 1], [1, 1]], "positions": "rope", "weights": {
  "w_q": [[1, 0, 2, 1], [0, 1, 1, 1]], "w_k": [[1, 1, 0, 1], [0, 1, 1, 0]],
  "w_v": [[1, 0, 0, 1], [1, 1, 2, 1]]}})";

std::string with_replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE_MESSAGE(at != text.npos, from);
  return text.replace(at, from.size(), to);
}

std::vector<Diagnostic> errors(const std::string& text) {
  return diagnostics_from([&] { parse_trace(text, "a.json"); });
}

struct Broken {
  const char *from, *to;
  const char* id;
  const char* pointer;
  std::string what;
};

}  // namespace

TEST_CASE("trace: what does not fit together is refused, with its place") {
  const std::string json = trace_json(trace_of(kProblem));
  const Broken rows[] = {
      {"\"format_version\": \"1.0\"", "\"format_version\": \"2.0\"", "format-version",
       "/format_version", version_one("2.0")},
      {"\"attn.trace\"", "\"attn.problem\"", "wrong-format", "/format",
       "expected a trace, found something without \"format\": \"attn.trace\""},
      {"\"order\": ", "\"_order\": ", "missing-key", "", without_key("order")},
      {"\"n_queries\": 3", "\"n_queries\": 4", "token-count", "/tokens/query",
       "there are 3 tokens, but n_queries is 4"},
      {"\"heads\": 2, \"kv_heads\": 2", "\"heads\": 2, \"kv_heads\": 3", "head-count",
       "/settings/kv_heads", "heads is 2 and kv_heads is 3: 2 is not a multiple of 3"},
      {"\"heads\": 2, \"kv_heads\": 2", "\"heads\": 4, \"kv_heads\": 2", "shape-mismatch",
       "/steps/q_heads/shape",
       "q_heads is 2×3×2, which does not fit the settings of the trace along the axis \"head\""},
      {"\"kv_heads\": 2,", "\"kv_heads\": 2, \"batch\": 2,", "token-count", "/tokens/query",
       "there is 1 list of tokens, but 2 batch entries"},
      {"\"kv_heads\": 2,", "\"kv_heads\": 2, \"dtype\": 16,", "wrong-type", "/settings/dtype",
       "expected a string, found the number 16"},
      {"\"x\", \"q\"", "\"q\", \"x\"", "missing-step", "/steps/q/inputs/0",
       "q is made from x, which does not come before it in the trace"},
      {"\"x\", \"q\"", "\"x\", \"x\"", "duplicate-step", "/steps/x",
       "the trace has the step \"x\" twice"},
      {"\"x\", \"q\"", "\"x\", \"bias\"", "missing-step", "/order/1",
       "\"order\" names the step \"bias\", but \"steps\" does not have it"},
      {"\"givens\": {", "\"givens\": [], \"_\": {", "wrong-type", "/givens",
       "expected an object with a matrix for each name, found an empty list"},
      {"\"inputs\": [\"x\", \"w_q\"]", "\"inputs\": [\"x\"]", "input-count", "/steps/q/inputs",
       "linear takes 2 to 3 inputs, but q has 1"},
      {"\"op\": \"linear\"", "\"op\": \"lineal\"", "unknown-operation", "/steps/q/op",
       no_such("operation", "lineal")},
      {"\"op\": \"linear\"", "\"op\": \"add\"", "shape-mismatch", "/steps/q/inputs",
       "q (3×4) cannot come from add of x (3×2), w_q (2×4)"},
      {"\"op\": \"linear\"", "\"op\": \"split_heads\"", "missing-key", "/steps/q",
       without_key("parameters")},
      {"\"shape\": [3, 2]", "\"shape\": [2, 3]", "shape-mismatch", "/steps/x/shape",
       "x is said to be 2×3, but its data is 3×2"},
      {"\"axes\": [\"query\", \"features\"]", "\"axes\": [\"query\", \"key\"]", "wrong-axes",
       "/steps/q/axes",
       "expected the axes query and features for q, after batch and head if it has them, and one "
       "size for each axis; found 2 sizes for query, key"},
      {"[1.0, 0.0],", "[1.0, 0.0, 1.0],", "ragged-rows", "/steps/x/data/0",
       "row 0 of data has 3 numbers, row 1 has 2"},
      {"[1.0, 0.0],", "[1.0, \"0\"],", "wrong-type", "/steps/x/data/0/1",
       expected("a number", "the string \"0\"")},
      {"\"rotary_dim\": 2", "\"rotary_dim\": 4", "shape-mismatch", "/steps/q_rotated/parameters",
       "q_rotated (2×3×2) cannot come from rotate of q_heads (2×3×2)"},
      {"\"offsets\": [0]", "\"offsets\": [0, 0]", "shape-mismatch", "/steps/q_rotated/parameters",
       "q_rotated (2×3×2) cannot come from rotate of q_heads (2×3×2)"},
      {"\"base\": 10000.0", "\"base\": 0", "wrong-type", "/steps/q_rotated/parameters/base",
       "expected a number above 0, found the number 0"},
      {"\"empty_row\": \"zero\"", "\"empty_row\": \"zeros\"", "unknown-value",
       "/steps/weights/parameters/empty_row", "there is no \"zeros\" here"},
      {"\"names\": [\"causal\"]", "\"names\": []", "wrong-type", "/steps/mask/hidden_by/names",
       expected(kStrings, "an empty list")},
      {"[[-1, 0, 0]", "[[-1, 0, 1]", "wrong-hider", "/steps/mask/hidden_by/data",
       "hidden_by should have an index into names wherever the mask is 0, and -1 where it is not"},
      {"[[-1, 0, 0]", "[[0, 0, 0]", "wrong-hider", "/steps/mask/hidden_by/data",
       "hidden_by should have an index into names wherever the mask is 0, and -1 where it is not"},
      {"\"w_q\": {", "\"w_o\": {", "wrong-axes", "/givens/w_o/axes",
       "expected the axes features and d_model for w_o, after batch and head if it has them, and "
       "one size for each axis; found 2 sizes for d_model, features"},
  };
  for (const Broken& row : rows) {
    CAPTURE(row.to);
    const std::vector<Diagnostic> found = errors(with_replaced(json, row.from, row.to));
    REQUIRE(found.size() >= 1);
    CHECK(found[0].id == row.id);
    CHECK(app::find_error_page(row.id));
    CHECK(found[0].what == row.what);
    CHECK(!found[0].fix.empty());
    const Place& place = found[0].places.at(0);
    CHECK(place.pointer == row.pointer);
    CHECK(place.file == "a.json");
    CHECK(place.line >= 1);
  }
}

TEST_CASE("trace: the gradient of logits takes no label that is not one of their columns") {
  Trace trace = sample_trace(24);
  add_gradients(trace);
  std::string json = trace_json(trace);
  const std::size_t label = json.find("\"labels\": [3", json.find("\"cross_entropy_gradient\""));
  REQUIRE(label != json.npos);
  const std::vector<Diagnostic> found = errors(json.insert(label + 12, "9"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].id == "shape-mismatch");
  CHECK(found[0].places.at(0).pointer == "/steps/logits.grad/inputs");
}

TEST_CASE("trace: unknown keys are ignored, wherever they are") {
  const std::string json = trace_json(trace_of(kProblem));
  std::string more = json;
  for (const char* brace : {"{\n  \"format\"", "{\"query\"", "{\"heads\"", "\"x\": {", "{\"base\"",
                            "{\"names\"", "\"w_q\": {", "\"givens\": {", "\"steps\": {"}) {
    const std::string from = brace;
    const std::size_t at = from.find('{') + 1;
    more = with_replaced(more, from,
                         from.substr(0, at) + "\"future\": {\"a\": [1]}, " + from.substr(at));
  }
  CHECK(more.size() > json.size() + 100);
  CHECK(trace_json(parse_trace(more, "a.json")) == json);
}

namespace {

/// Everything that is done with a trace: every cell is derived and one of each step explained, all
/// of it is shown, written and read again.
void use(const Trace& trace) {
  for (const Step& step : trace.steps) {
    const Shape& shape = step.value.shape();
    for (Index n = 0; n < shape.count(); ++n) {
      const Index slice = n / shape.cols / shape.rows;
      derive(trace, step,
             {slice / step.value.heads(), slice % step.value.heads(), n / shape.cols % shape.rows,
              n % shape.cols});
    }
    explain_cell(trace, step.id + ":0,0", {});
  }
  View full;
  full.detail = Detail::Full;
  write_text(explain(trace, full));
  View last;
  last.head = trace.settings().heads - 1;
  last.batch = trace.settings().batch - 1;
  last.query = "0";
  if_accepted([&] { return write_text(explain(trace, last)); });  // or a token is called 0, twice
  trace_csv(trace);
  parse_trace(trace_json(trace), "again");
}

/// The text with one of its words (a number, a string, a bracket …) left out, or replaced by
/// another word of the text or of a list; now and then it is a whole line.
std::string mutated(const std::string& text, Dice& dice) {
  const auto last = static_cast<std::ptrdiff_t>(text.size()) - 1;
  const auto word = [&](std::string::size_type& from, std::string::size_type& size) {
    const std::string stops = dice.chance(20) ? "\n" : ",:[]{} \n";
    from = static_cast<std::size_t>(dice.between(0, last));
    while (from > 0 && stops.find(text[from - 1]) == stops.npos) --from;
    size = std::min(text.find_first_of(stops, from), text.size()) - from;
    if (size == 0) size = 1;
  };
  std::size_t from = 0, size = 0, other = 0, length = 0;
  word(from, size);
  word(other, length);
  std::string replacement = text.substr(other, length);
  if (dice.chance(15)) replacement.clear();
  if (dice.chance(30)) {
    replacement = dice.one_of<std::string>({"0",
                                            "1",
                                            "2",
                                            "-1",
                                            "3",
                                            "1e300",
                                            "2147483648",
                                            "\"NaN\"",
                                            "\"-Infinity\"",
                                            "null",
                                            "true",
                                            "[]",
                                            "{}",
                                            "[[1.0]]",
                                            "\"weights\"",
                                            "\"x\"",
                                            "\"head\"",
                                            "\"batch\"",
                                            "\"given\"",
                                            "\"copy\"",
                                            "\"keep_rows\"",
                                            "\"append_rows\""});
  }
  std::string result = text;
  return result.replace(from, size, replacement);
}

}  // namespace

TEST_CASE("trace: whatever is changed in a trace, it is explained or refused" *
          doctest::test_suite("long")) {
  Dice dice(7);
  constexpr std::size_t kLong = 12'000;  // mostly numbers, of which one is like another
  int read = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    CAPTURE(seed);
    const Recipe recipe = seed % 2 == 0 ? full_detail() : Recipe();
    const std::optional<std::string> text =
        if_accepted([&] { return trace_json(attend(make_problem(random_problem(seed)), recipe)); });
    if (!text || text->size() > kLong) continue;
    for (int i = 0; i < 60; ++i) {
      std::string broken = mutated(*text, dice);
      if (dice.chance(30)) broken = mutated(broken, dice);
      CAPTURE(broken);
      Trace trace;
      if (const auto error = error_if_refused([&] { trace = parse_trace(broken, "broken"); })) {
        CHECK(error->kind() == ErrorKind::Input);
        ++refused;
        continue;
      }
      use(trace);
      ++read;
    }
  }
  CHECK(read > 150);
  CHECK(refused > 1000);
}

}  // namespace attn::testing
