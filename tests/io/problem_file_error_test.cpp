// The text of every error about the contents of a problem file.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "io/error_rows.hpp"
#include "io/json/expectation.hpp"
#include "io/problem/problem_fields.hpp"
#include "support/phrases.hpp"

namespace attn::testing {

TEST_CASE("problem file: an unknown key is an error that guesses what was meant") {
  std::vector<std::string> names;
  for (const ProblemKey& key : problem_keys()) {
    if (key.parent().empty()) names.emplace_back(key.name());
  }
  const std::string every_key = comment_or_one_of(separated(names, ", "));
  const char* comment = kCorrectIt;
  check_rows(std::vector<ProblemRow>{
      {R"({"heds": 2})", "unknown-key",
       no_such("key", "heds") + " in a problem" + did_you_mean({"heads"}), comment, "/heds", 2},
      {R"({"kvHeads": 2})", "unknown-key",
       no_such("key", "kvHeads") + " in a problem" + did_you_mean({"kv_heads"}), comment,
       "/kvHeads", 2},
      {R"({"Q": 2})", "unknown-key", no_such("key", "Q") + " in a problem" + did_you_mean({"q"}),
       comment, "/Q", 2},
      {R"({"Wq": [[1]]})", "unknown-key",
       no_such("key", "Wq") + " in a problem; \"w_q\" belongs in \"weights\"",
       "Write \"weights\": {\"w_q\": ...}.", "/Wq", 2},
      {R"({"fill": 0})", "unknown-key",
       no_such("key", "fill") + " in a problem; \"fill\" belongs in \"masking\"",
       "Write \"masking\": {\"fill\": ...}.", "/fill", 2},
      {R"({"masking": {"modus/x": 0}})", "unknown-key", no_such("key", "modus/x") + " in masking",
       comment_or_one_of("mode, fill, before_scale"), "/masking/modus~1x", 14},
      {R"({"something": 0})", "unknown-key", no_such("key", "something") + " in a problem",
       every_key, "/something", 2},
  });
}

TEST_CASE("problem file: a key of another library is translated") {
  struct Row {
    const char *theirs, *ours;
  };
  const Row rows[] = {
      {"num_heads", "heads"},       {"n_heads", "heads"},
      {"nhead", "heads"},           {"num_attention_heads", "heads"},
      {"num_kv_heads", "kv_heads"}, {"num_key_value_heads", "kv_heads"},
      {"seq_lens", "key_lengths"},  {"lengths", "key_lengths"},
      {"x", "embeddings"},          {"X", "embeddings"},
      {"embedding", "embeddings"},
  };
  for (const Row& row : rows) {
    const std::string theirs = row.theirs, ours = row.ours;
    const std::string what = no_such("key", theirs) + " in a problem" + did_you_mean({ours});
    const std::string fix = "Write \"" + ours + "\" instead.";
    const std::string text = "{\"" + theirs + "\": 1}", pointer = "/" + theirs;
    check_row(ProblemRow{text, "unknown-key", what.c_str(), fix.c_str(), pointer.c_str(), 2});
  }
  const char* polarity =
      "Write \"allowed\" instead; there, 1 means \"may attend\", the opposite of "
      "nn.MultiheadAttention's masks.";
  check_rows(std::vector<ProblemRow>{
      {R"({"attention_mask": [[1]]})", "unknown-key",
       no_such("key", "attention_mask") + " in a problem" + did_you_mean({"allowed"}), polarity,
       "/attention_mask", 2},
      {R"({"attn_mask": [[1]]})", "unknown-key",
       no_such("key", "attn_mask") + " in a problem" + did_you_mean({"allowed"}), polarity,
       "/attn_mask", 2},
      {R"({"positions": {"kind": "rope", "theta": 5e5}})", "unknown-key",
       no_such("key", "theta") + " in positions" + did_you_mean({"base"}),
       "Write \"base\" instead.", "/positions/theta", 32},
      {R"({"is_causal": true})", "unknown-key",
       no_such("key", "is_causal") + " in a problem" + did_you_mean({"mask"}),
       "Write \"mask\": \"causal\".", "/is_causal", 2},
      {R"({"masking": {"num_heads": 2}})", "unknown-key",
       no_such("key", "num_heads") + " in masking", comment_or_one_of("mode, fill, before_scale"),
       "/masking/num_heads", 14},
  });
}

TEST_CASE("problem file: every key is known to the errors about unexpected words") {
  const std::string fix = problem_errors(R"({"something": 0})").at(0).fix;
  const std::string keys = fix.substr(11, fix.find(';') - 11);
  std::size_t count = 0;
  for (const std::string& key : split_at_commas(keys)) {
    CAPTURE(key);
    CHECK(json::expectation_at("/" + std::string(trimmed(key)), false) != nullptr);
    ++count;
  }
  CHECK(count > 20);
}

TEST_CASE("problem file: a value of the wrong type is shown beside what was expected") {
  const char* text = "Write text in quotation marks.";
  const char* braces = kInBraces;
  const char* list = kListWords;
  check_rows(std::vector<ProblemRow>{
      {R"([1, 2])", "wrong-type",
       expected(kAnObject + std::string("{\"embeddings\": ..., \"weights\": ...}"), kNumberList),
       braces, "", 1},
      {R"({"title": 3})", "wrong-type", "expected a string, found the number 3", text, "/title",
       11},
      {R"({"title": null})", "wrong-type", "expected a string, found null", text, "/title", 11},
      {R"({"tokens": "a b"})", "wrong-type", expected(kStrings, "the string \"a b\""), list,
       "/tokens", 12},
      {R"({"tokens": []})", "wrong-type", expected(kStrings, "an empty list"), list, "/tokens", 12},
      {R"({"tokens": [1, 2]})", "wrong-type", "expected a string, found the number 1", list,
       "/tokens/0", 13},
      {R"({"tokens": ["a", true]})", "wrong-type", "expected a string, found true", text,
       "/tokens/1", 18},
      {R"({"key_tokens": [["a"], "b"]})", "wrong-type", expected(kStrings, "the string \"b\""),
       list, "/key_tokens/1", 24},
      {R"({"weights": [[1]]})", "wrong-type",
       expected(kAnObject + std::string("{\"w_q\": ...}"), "a list of lists"), braces, "/weights",
       13},
      {R"({"embedding_table": [[1]]})", "wrong-type",
       "expected an object with a vector for each token, found a list of lists",
       "Write {\"the\": [1, 0], \"cat\": [0, 1]}.", "/embedding_table", 21},
      {R"({"masking": "add"})", "wrong-type",
       expected(kAnObject + std::string("{\"mode\": \"add\"}"), "the string \"add\""),
       "Write the mode in braces, as {\"mode\": \"add\"}.", "/masking", 13},
      {R"({"masking": {"fill": "Infinity"}})", "wrong-type",
       "expected a number or \"-Infinity\", found the string \"Infinity\"",
       "Write a number such as -1e9, or \"-Infinity\".", "/masking/fill", 22},
      {R"({"softcap": "30"})", "wrong-type", expected("a number", "the string \"30\""),
       "Write a number such as 0.5, without quotation marks.", "/softcap", 13},
      {R"({"scale": {}})", "wrong-type", expected(kScales, "an object"),
       "Write a number such as 0.5 or \"1/8\".", "/scale", 11},
      {R"({"mask": [[1, 0], [1, 1]]})", "wrong-type", expected(kMaskList, "a list of lists"),
       kUnderAllowed, "/mask", 10},
      {R"({"mask": [1, 0]})", "wrong-type", expected(kMaskList, kNumberList), kUnderAllowed,
       "/mask", 10},
      {R"({"mask": true})", "wrong-type", expected(kMaskList, "true"),
       "Write a mask such as \"causal\" or [\"causal\", \"padding\"].", "/mask", 10},
  });
}

TEST_CASE("problem file: counts are whole numbers in a range") {
  const std::string kMost = "2147483647";
  const char* whole = kNoFraction;
  const std::string range = number_between("1", kMost);
  check_rows(std::vector<ProblemRow>{
      {R"({"heads": 2.7})", "wrong-type", expected("a whole number", "the number 2.7"), whole,
       "/heads", 11},
      {R"({"heads": "2"})", "wrong-type", expected("a whole number", "the string \"2\""), kWriteTwo,
       "/heads", 11},
      {R"({"heads": 0})", "out-of-range", expected(whole_number("1", kMost), "0"), range, "/heads",
       11},
      {R"({"kv_heads": -1})", "out-of-range", expected(whole_number("1", kMost), "-1"), range,
       "/kv_heads", 14},
      {R"({"heads": 9007199254740993})", "out-of-range",
       expected(whole_number("1", kMost), "9007199254740993"), range, "/heads", 11},
      {R"({"heads": 1e300})", "out-of-range", expected(whole_number("1", kMost), "1e300"), range,
       "/heads", 11},
      {R"({"key_lengths": [3, -1]})", "out-of-range", expected(whole_number("0", kMost), "-1"),
       number_between("0", kMost), "/key_lengths/1", 21},
      {R"({"key_lengths": [2.5, 1]})", "wrong-type", expected("a whole number", "the number 2.5"),
       whole, "/key_lengths/0", 18},
      {R"({"key_lengths": 3})", "wrong-type", expected(kWholeNumbers, "the number 3"), kListNumbers,
       "/key_lengths", 17},
      {R"({"key_lengths": ["3"]})", "wrong-type", expected("a whole number", "the string \"3\""),
       kWriteTwo, "/key_lengths/0", 18},
      {R"({"key_lengths": [3, true]})", "wrong-type", expected("a whole number", "true"), kWriteTwo,
       "/key_lengths/1", 21},
  });
}

TEST_CASE("problem file: other formats and versions are refused before anything else is read") {
  check_rows(std::vector<ProblemRow>{
      {R"({"steps": {}, "format": "attn.trace"})", "wrong-format",
       "expected the format \"attn.problem\", found a trace, which is the result of a problem",
       "Give the problem that the trace was computed from.", "/format", 25},
      {R"({"format": "other", "x": 1})", "wrong-format",
       "expected the format \"attn.problem\", found \"other\"",
       "Give a problem file, or write \"format\": \"attn.problem\".", "/format", 12},
      {R"({"format_version": "2.0", "new": 1})", "format-version", version_one("2.0"),
       "Use a newer attn for this file, or write \"format_version\": \"1.0\".", "/format_version",
       20},
      {R"({"format_version": "10.0"})", "format-version", version_one("10.0"),
       "Use a newer attn for this file, or write \"format_version\": \"1.0\".", "/format_version",
       20},
      {R"({"format_version": 1.0})", "wrong-type", "expected a string, found the number 1.0",
       "Write text in quotation marks.", "/format_version", 20},
  });
}

TEST_CASE("problem file: keys that cannot be left out are named") {
  check_rows(std::vector<ProblemRow>{
      {R"({"past": {"k": [[1]]}})", "missing-key", without_key("v"), "Add \"v\" to the object.",
       "/past", 10},
  });
}

TEST_CASE("problem file: unknown words and masks keep their places") {
  check_rows(std::vector<ProblemRow>{
      {R"({"align": "ends"})", "unknown-value", "align cannot be \"ends\"" + did_you_mean({"end"}),
       "Write \"start\", \"end\" or \"key-lengths\".", "/align", 11},
      {R"({"masking": {"mode": "minus"}})", "unknown-value", "mode cannot be \"minus\"",
       "Write \"replace\", \"add\", \"multiply\" or \"renormalize\".", "/masking/mode", 22},
      {R"({"dtype": "torch.float32"})", "unknown-value",
       "dtype cannot be \"torch.float32\"" + did_you_mean({"float32"}),
       "Write \"float64\", \"float32\", \"bfloat16\" or \"float16\".", "/dtype", 11},
      {R"({"dtype": "torch.half"})", "unknown-value",
       "dtype cannot be \"torch.half\"" + did_you_mean({"float16"}),
       "Write \"float64\", \"float32\", \"bfloat16\" or \"float16\".", "/dtype", 11},
  });
  const std::vector<Diagnostic> found = problem_errors(R"({"mask": ["causal", "casual"]})");
  REQUIRE(found.size() == 1);
  CHECK(found[0].id == "mask-unknown");
  CHECK(found[0].places.at(0).pointer == "/mask/1");
  CHECK(found[0].places.at(0).column == 21);
}

TEST_CASE("problem file: independent errors are reported together, in the order of the file") {
  const std::vector<Diagnostic> found = problem_errors(
      "{\"heads\": 2.7,\n \"weights\": {\"w_q\": [[1], [2, 3]], \"w_k\": 1},\n \"tokens\": 5,\n "
      "\"msk\": 0}");
  REQUIRE(found.size() == 5);
  const char* ids[] = {"wrong-type", "ragged-rows", "wrong-type", "wrong-type", "unknown-key"};
  const int lines[] = {1, 2, 2, 3, 4};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(found[i].id == ids[i]);
    CHECK(found[i].places.at(0).line == lines[i]);
  }
}

TEST_CASE("problem file: a file of another kind does not drown the reader in errors") {
  std::string text = "{\"x0\": 1";
  for (int i = 1; i < 1000; ++i) text += ", \"x" + std::to_string(i) + "\": 1";
  CHECK(problem_errors(text + "}").size() == 20);
}

TEST_CASE("problem file: errors after wide characters and in long lines have exact columns") {
  const std::string kMost = "2147483647";
  const std::string padding(10000, 'x');
  check_rows(std::vector<ProblemRow>{
      {R"({"tokens": ["猫é🙂"], "heads": 0})", "out-of-range",
       expected(whole_number("1", kMost), "0"), number_between("1", kMost), "/heads", 30},
      {R"({"title": ")" + padding + R"(", "heads": 0})", "out-of-range",
       expected(whole_number("1", kMost), "0"), number_between("1", kMost), "/heads", 10024},
  });
}

TEST_CASE("problem file: errors of syntax are passed on") {
  const std::vector<Diagnostic> found = problem_errors("{\"heads\": 2");
  REQUIRE(found.size() == 1);
  CHECK(found[0].id == "json-syntax");
}

}  // namespace attn::testing
