// How results reach files and other programs.
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "cli.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

/// Remembers how much had been written at each flush.
struct Flushes : std::stringbuf {
  std::vector<std::size_t> sizes;
  int sync() override {
    sizes.push_back(str().size());
    return 0;
  }
};

/// Takes `most` bytes and then fails, as a full disk does.
struct Full : std::stringbuf {
  explicit Full(std::size_t bytes) : most(bytes) {}
  std::size_t most;
  std::streamsize xsputn(const char* text, std::streamsize n) override {
    if (str().size() + static_cast<std::size_t>(n) > most) return 0;
    return std::stringbuf::xsputn(text, n);
  }
};

int run_into(std::streambuf& buffer, const std::vector<std::string>& args, std::ostream& err) {
  std::istringstream in;
  std::ostream out(&buffer);
  return attn::app::run(args, {in, out, err, {}});
}

}  // namespace

TEST_CASE("formats: ndjson is flushed line by line") {
  Flushes buffer;
  std::ostringstream err;
  CHECK(run_into(buffer, {"explain", "--format", "ndjson"}, err) == 0);
  const std::string text = buffer.str();
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos;) ends.push_back(++at);
  CHECK(ends.size() == 9);
  CHECK(buffer.sizes == ends);
}

TEST_CASE("formats: writing stops at the first line that cannot be written, and says so") {
  Full buffer(3000);
  std::ostringstream err;
  CHECK(run_into(buffer, {"explain", "--format", "ndjson"}, err) == 4);
  CHECK(err.str().starts_with("error[cannot-write]: standard output cannot be written"));
  CHECK(buffer.str().ends_with("}\n"));  // whole lines only
}

TEST_CASE("formats: an output that is a folder, or in a missing one, is refused with the reason") {
  const TemporaryFolder folder;
  const Ran in = attn_run({"explain", "-o", folder.path("")});
  CHECK(in.exit_code == 4);
  CHECK(has(in.err, "error[cannot-write]"));
  const Ran none = attn_run({"explain", "-o", folder.path("no/such.txt")});
  CHECK(none.exit_code == 4);
  CHECK(has(unwrapped(none.err), "No such file or directory"));
}

TEST_CASE("formats: a step that is not there leaves the old file whole and nothing beside it") {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.ndjson", "old");
  CHECK(attn_run({"explain", "--steps", "nothing", "-o", path}).exit_code == 2);
  CHECK(read_text(path) == "old");
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  CHECK(std::distance(std::filesystem::directory_iterator(parent), {}) == 1);
}

TEST_CASE("formats: --nonfinite null writes null for what is not finite, only in JSON") {
  const std::vector<std::string> args{"explain", "--mask", "causal", "--steps", "masked_scores"};
  const auto out = [&](std::vector<std::string> more) {
    more.insert(more.begin(), args.begin(), args.end());
    const Ran ran = attn_run(more);
    CHECK(ran.exit_code == 0);
    return ran.out;
  };
  CHECK(has(out({"--json"}), "[0.5, \"-Infinity\", "));
  CHECK(out({"--json", "--nonfinite", "string"}) == out({"--json"}));
  CHECK(has(out({"--json", "--nonfinite", "null"}), "[0.5, null, null, null, null]"));
  CHECK(has(out({"--format", "ndjson", "--nonfinite", "null"}), "[0.5, null, null, null, null]"));
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"explain", "--nonfinite", "null"},
        {"explain", "--format", "csv", "--nonfinite", "string"}}) {
    const Ran wrong = attn_run(other);
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.err.starts_with("error[json-only]: " + idle("--nonfinite") + ": " + kNoJson));
  }
  CHECK(attn_run({"explain", "--json", "--nonfinite", "nan"}).exit_code == 2);
}

TEST_CASE("formats: a trace with null is refused with the reason") {
  const std::string trace =
      attn_run({"explain", "--mask", "causal", "--json", "--nonfinite", "null"}).out;
  const Ran ran = attn_run({"explain", "-"}, trace);
  CHECK(ran.exit_code == 3);
  CHECK(has(ran.err, "null"));
}

TEST_CASE("formats: an .npy file holds one step") {
  const TemporaryFolder folder;
  const std::string path = folder.path("weights.npy");
  CHECK(attn_run({"explain", "--steps", "weights", "-o", path}).exit_code == 0);
  CHECK(read_text(path).starts_with("\x93NUMPY\x01"));
  CHECK(attn_run({"explain", "--embeddings", path, "--steps", "x"}).exit_code ==
        3);  // 5×5, not 5×6
  const Ran all = attn_run({"explain", "-o", path});
  CHECK(all.exit_code == 2);
  CHECK(all.err.starts_with("error[one-step]"));
}

TEST_CASE("formats: a table with labels is quoted for spreadsheets, whatever the tokens are") {
  const std::string problem =
      R"({"tokens": ["a,b", "say \"hi\"", "\u001b[2J"], "q": [[1], [2], [3]],
    "k": [[0], [0], [0]], "v": [[1], [2], [3]]})";
  const Ran ran =
      attn_run({"explain", "-", "--format", "csv", "--steps", "scores", "--wide"}, problem);
  CHECK(ran.out ==
        "query,\"a,b\",\"say \"\"hi\"\"\",\\e[2J\n\"a,b\",0.0,0.0,0.0\n\"say "
        "\"\"hi\"\"\",0.0,0.0,0.0\n\\e[2J,0.0,0.0,0.0\n");
}
