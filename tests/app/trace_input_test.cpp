// A trace in place of a problem, and the formats for programs, from the command line.
#include <doctest/doctest.h>

#include "attn/io/samples.hpp"
#include "attn/schemas.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

using Args = std::vector<std::string>;

Args with(Args args, const Args& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

/// UTF-8 as UTF-16 with a byte order mark, as `>` of Windows PowerShell writes it.
std::string utf16(const std::string& text, bool big_endian) {
  std::string bytes;
  const auto put = [&](unsigned unit) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
    bytes += big_endian ? high : low;
    bytes += big_endian ? low : high;
  };
  put(0xFEFF);
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    unsigned code = more == 0 ? lead : lead & (0x3FU >> more);
    for (int i = 0; i < more; ++i) code = code << 6 | (static_cast<unsigned char>(text[at++]) & 63);
    if (code >= 0x10000) {
      put(0xD800 + ((code - 0x10000) >> 10));
      code = 0xDC00 + ((code - 0x10000) & 0x3FF);
    }
    put(code);
  }
  return bytes;
}

}  // namespace

TEST_CASE("trace input: explaining a trace shows what explaining the problem did" *
          doctest::test_suite("long")) {
  for (const attn::Sample& sample : attn::samples()) {
    CAPTURE(sample.name);
    const std::string problem(sample.text);
    const std::string normal = attn_run({"explain", "-", "--json"}, problem).out,
                      full = attn_run({"explain", "-", "--json", "--detail", "full"}, problem).out;
    for (const Args& view :
         {Args{}, Args{"--detail", "full"}, Args{"--head", "0", "--query", "0"},
          Args{"--cell", "weights:0,1"}, Args{"--cell", "masked_scores:0,0"},
          Args{"--cell", "output:0,0", "--precision", "17"}, Args{"--steps", "weights,q"},
          Args{"--summary"}, Args{"--json"}, Args{"--format", "csv"}}) {
      CAPTURE(view.size() > 1 ? view[1] : "");
      const bool is_full = view.size() == 2 && view[1] == "full";
      const Ran first = attn_run(with({"explain", "-"}, view), problem);
      const Ran again = attn_run(with({"explain", "-"}, view), is_full ? full : normal);
      CHECK(again.exit_code == first.exit_code);
      CHECK(first_difference(first.out, again.out) == "");
      CHECK(first_difference(first.err, again.err) == "");
    }
  }
}

TEST_CASE("trace input: the file is named, and the reasons of its masks are kept") {
  const TemporaryFolder folder;
  const std::string path = folder.path("trace.json");
  attn_run({"explain", "--mask", "causal", "--mask", "keys:cat", "-o", path});
  const std::string out =
      attn_run({"explain", path, "--cell", "masked_scores:3,cat", "--width", "200"}).out;
  CHECK(has(out, "Hidden by keys:cat: "));
  CHECK(has(attn_run({"explain", path}).out, path + " · mask: causal, keys:cat"));
}

TEST_CASE("trace input: a mask that cannot be read is a name, and nothing more is said about it") {
  std::string trace = attn_run({"explain", "--mask", "causal", "--mask", "window:1", "--json"}).out;
  const Args cell{"explain", "-", "--cell", "weights:0,3"};
  for (std::size_t at = trace.find("window:1"); at != trace.npos; at = trace.find("window:1"))
    trace.replace(at, 8, "bar:");
  const Ran ran = attn_run(cell, trace);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "Hidden by causal: "));
  const Ran unknown = attn_run({"explain", "-", "--cell", "weights:3,0"}, trace);
  CHECK(has(unknown.out, "Hidden by bar:"));
  CHECK(!has(unknown.out, "batch entry"));
}

TEST_CASE("trace input: options that would change the problem are refused") {
  const std::string trace = attn_run({"explain", "--json"}).out;
  for (const Args& option :
       {Args{"--mask", "causal"}, Args{"--heads", "2"}, Args{"--scale", "none"},
        Args{"--dtype", "float16"}, Args{"--text", "the"}, Args{"--prefix", "h.0."}}) {
    CAPTURE(option[0]);
    const Ran ran = attn_run(with({"explain", "-"}, option), trace);
    CHECK(ran.exit_code == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err.starts_with("error[already-computed]: " + option[0] + " " + option[1] +
                              " would change the problem"));
    CHECK(has(ran.err, "fix   Give the problem"));
  }
}

TEST_CASE("input: UTF-8 with or without a mark and UTF-16 in both orders read the same") {
  const std::string problem =
      R"({"tokens": ["é", "猫", "🙂"], "q": [[1], [2], [3]], "k": [[1], [2], [3]], "v": [[1], [2], [3]]})";
  const std::string trace = attn_run({"explain", "-", "--json"}, problem).out;
  for (const std::string& text : {problem, trace}) {
    const std::string expected = attn_run({"explain", "-", "--json"}, text).out;
    CHECK(expected == trace);
    for (const std::string& bytes :
         {"\xEF\xBB\xBF" + text, utf16(text, false), utf16(text, true)}) {
      const Ran ran = attn_run({"explain", "-", "--json"}, bytes);
      CHECK(ran.err == "");
      CHECK(first_difference(expected, ran.out) == "");
    }
  }
}

TEST_CASE("trace input: a command that needs a problem says that this is a trace") {
  const TemporaryFolder folder;
  const std::string path = folder.path("trace.json");
  attn_run({"explain", "-o", path});
  const Ran ran = attn_run({"convert", path, "-o", folder.path("problem.json")});
  CHECK(ran.exit_code == 3);
  CHECK(ran.err.starts_with("error[wrong-format]: expected a problem, found a trace"));
}

TEST_CASE("formats: the extension of the output chooses, and a contradiction is refused") {
  const TemporaryFolder folder;
  struct Row {
    const char *file, *format;
  };
  for (const Row& row : {Row{"t.json", "json"},
                         {"t.ndjson", "ndjson"},
                         {"t.jsonl", "ndjson"},
                         {"t.csv", "csv"},
                         {"t.txt", "text"}}) {
    CAPTURE(row.file);
    const std::string path = folder.path(row.file);
    CHECK(attn_run({"explain", "-o", path}).exit_code == 0);
    CHECK(read_text(path) == attn_run({"explain", "--format", row.format}).out);
    const std::string other = std::string(row.format) == "csv" ? "json" : "csv";
    const int code = attn_run({"explain", "-o", path, "--format", other}).exit_code;
    CHECK(code == (std::string(row.format) == "text" ? 0 : 2));
  }
}

TEST_CASE("formats: every one keeps to --steps, and refuses steps that are not there") {
  for (const char* format : {"json", "ndjson", "csv", "npz", "safetensors", "npy"}) {
    const bool one = std::string(format) == "npy";
    const std::string steps = one ? "scores" : "weights,scores";
    const std::string out =
        attn_run({"explain", "--mask", "causal", "--format", format, "--steps", steps}).out;
    CHECK(has(out, one ? "NUMPY" : "scores"));
    CHECK(!has(out, "scaled_scores"));
    const Ran wrong = attn_run({"explain", "--format", format, "--steps", "weigths"});
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.err.starts_with("error[no-such-step]: " + no_such("step", "weigths")));
  }
}

TEST_CASE("formats: --wide is one step as a matrix with labels") {
  const Ran ran = attn_run({"explain", "--format", "csv", "--steps", "weights", "--wide"});
  CHECK(ran.out.starts_with("query,the,cat,dreams,it,flies\nthe,"));
  const Args two = {"explain", "--heads", "2", "--format", "csv", "--steps", "weights", "--wide"};
  CHECK(attn_run(two).exit_code == 2);
  CHECK(attn_run(with(two, {"--head", "1"})).exit_code == 0);
  for (const Args& args : {Args{"--wide"}, Args{"--wide", "--format", "csv"},
                           Args{"--wide", "--format", "csv", "--steps", "weights,scores"},
                           Args{"--wide", "--json", "--steps", "weights"}}) {
    const Ran wrong = attn_run(with({"explain"}, args));
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.err.starts_with("error[wide]: "));
  }
}

TEST_CASE("schema: prints each whole, and names them if the name is wrong") {
  for (const attn::Schema& schema : attn::schemas()) {
    CHECK(attn_run({"schema", std::string(schema.name)}).out == schema.text);
    CHECK(schema.text.find("\"<") == schema.text.npos);  // no gap is left
  }
  CHECK(attn_run({"schema"}).err.starts_with("error[unknown-schema]: attn schema needs the name"));
  const Ran wrong = attn_run({"schema", "answer"});
  CHECK(wrong.exit_code == 2);
  CHECK(has(wrong.err, no_such("schema", "answer") + did_you_mean({"answers"})));
  CHECK(has(wrong.err, "Write attn schema answers."));
  CHECK(has(attn_run({"schema", "nothing"}).err, "Name one of problem, trace, answers, "));
}
