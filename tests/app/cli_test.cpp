#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "attn/samples.hpp"
#include "attn/text.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("explain: without a file the built-in sample is explained, and the second line says so") {
  const Ran ran = attn_run({"explain"});
  CHECK(ran.exit_code == 0);
  CHECK(ran.err.empty());
  CHECK(has(lines_of(ran.out).at(1), "built-in sample"));
}

TEST_CASE("explain: the sample fits 80 columns, no line ends in spaces, one newline ends it") {
  for (const char* mask : {"none", "causal", "window:1", "queries:1"}) {
    const std::string out = attn_run({"explain", "--mask", mask}).out;
    for (const std::string& line : lines_of(out)) {
      CAPTURE(line);
      CHECK(attn::display_width(line) <= 80);
      CHECK((line.empty() || line.back() != ' '));
    }
    CHECK(out.ends_with("\n"));
    CHECK(!out.ends_with("\n\n"));
  }
}

TEST_CASE("explain: the numbers of a column stand with their points below each other") {
  for (const char* step : {"x", "v", "scores", "scaled_scores", "output"}) {
    std::vector<std::size_t> first;
    int rows = 0;
    for (const std::string& line : lines_of(attn_run({"explain", "--steps", step}).out)) {
      if (line.rfind("    ", 0) != 0 || has(line, "=") || !has(line, ".")) continue;
      std::vector<std::size_t> points;
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '.') points.push_back(i);
      }
      if (rows++ == 0) first = points;
      CAPTURE(line);
      CHECK(points == first);
    }
    CHECK(rows == 5);
  }
}

TEST_CASE("explain: --ascii prints 7-bit characters only") {
  for (const attn::Sample& sample : attn::samples()) {
    for (const char* detail : {"normal", "full"}) {
      const Ran ran =
          attn_run({"explain", "-", "--ascii", "--detail", detail}, std::string(sample.text));
      for (const char c : ran.out) REQUIRE(static_cast<unsigned char>(c) < 128);
    }
  }
}

TEST_CASE("explain: a file, standard input and the built-in sample give the same matrices") {
  const std::string text(attn::samples()[0].text);
  const TemporaryFolder folder;
  const std::string path = folder.write("problem.json", text);
  const std::string json = attn_run({"explain", "--json"}).out;
  CHECK(attn_run({"explain", path, "--json"}).out == json);
  CHECK(attn_run({"explain", "-", "--json"}, text).out == json);
}

TEST_CASE("explain: options of the command line override the file") {
  const Ran ran =
      attn_run({"explain", "--heads", "2", "--scale", "none", "--softcap", "5", "--json"});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "\"heads\": 2"));
  CHECK(has(ran.out, "\"scale\": 1.0"));
  CHECK(has(ran.out, "\"softcap\": 5.0"));
  CHECK(has(ran.out, "\"capped_scores\": {"));
  CHECK(!has(ran.out, "\"scaled_scores\""));
}

TEST_CASE("explain: several masks combine, and the file's masks are replaced") {
  const Ran ran = attn_run({"explain", "--mask", "causal", "--mask", "keys:0", "--json"});
  CHECK(has(ran.out, "\"mask\": [\"causal\", \"keys:0\"]"));
  const Ran cell = attn_run({"explain", "--mask", "causal", "--mask", "keys:0", "--cell",
                             "masked_scores:1,0", "--width", "200"});
  CHECK(has(cell.out, "hidden by keys:0: this key is hidden from every query"));
}

TEST_CASE("explain: --steps shows only those steps, in the order of the computation") {
  const Ran ran = attn_run({"explain", "--steps", "weights,scores"});
  CHECK(has(ran.out, "[5/8] S = Q·Kᵀ"));
  CHECK(has(ran.out, "[7/8] A = softmax"));
  CHECK(!has(ran.out, "O = A·V"));
  CHECK(has(attn_run({"explain", "--steps", "weights", "--json"}).out, "\"order\": [\"weights\"]"));
}

TEST_CASE("explain: --query shows one row of what has a row per query, by token or index") {
  const std::string one = attn_run({"explain", "--query", "1", "--steps", "weights"}).out;
  CHECK(attn_run({"explain", "--query", "cat", "--steps", "weights"}).out == one);
  const std::string all = attn_run({"explain", "--steps", "weights"}).out;
  CHECK(lines_of(one).size() + 4 == lines_of(all).size());
}

TEST_CASE("explain: --head and --batch choose matrices") {
  const Ran both = attn_run({"explain", "--heads", "2", "--steps", "weights"});
  CHECK(has(both.out, "head 0"));
  CHECK(has(both.out, "head 1"));
  const Ran one = attn_run({"explain", "--heads", "2", "--steps", "weights", "--head", "1"});
  CHECK(!has(one.out, "head 0"));
  CHECK(has(one.out, "head 1"));
  CHECK(attn_run({"explain", "--head", "1"}).exit_code == 2);
}

TEST_CASE("explain: --cell tells a number down to the inputs") {
  const std::string out = attn_run({"explain", "--cell", "output:1,0"}).out;
  for (const char* symbol : {"O[", "A[", "S′[", "S[", "Q[", "K[", "V["}) {
    CAPTURE(symbol);
    CHECK(has(out, symbol));
  }
  CHECK(attn_run({"explain", "--cell", "1,0"}).out ==
        attn_run({"explain", "--cell", "weights:1,0"}).out);
}

TEST_CASE("explain: --precision sets the decimals of every matrix") {
  CHECK(has(attn_run({"explain", "--steps", "x", "--precision", "1"}).out, "0.0"));
  CHECK(!has(attn_run({"explain", "--steps", "x", "--precision", "1"}).out, "0.00"));
  CHECK(attn_run({"explain", "--precision", "18"}).exit_code == 2);
}

TEST_CASE("explain: -o writes the file, and its extension chooses the format") {
  const TemporaryFolder folder;
  const std::string path = folder.path("trace.json");
  const Ran ran = attn_run({"explain", "-o", path});
  CHECK(ran.exit_code == 0);
  CHECK(ran.out.empty());
  CHECK(read_text(path) == attn_run({"explain", "--json"}).out);
  CHECK(attn_run({"explain", "-o", path, "--format", "text"}).exit_code == 2);
}

TEST_CASE("explain: a file that cannot be written leaves the old one whole") {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.txt", "old");
  CHECK(attn_run({"explain", "nowhere.json", "-o", path}).exit_code == 4);
  CHECK(read_text(path) == "old");
  CHECK(attn_run({"explain", "-o", folder.path("no/such/folder.txt")}).exit_code == 4);
}

TEST_CASE("new: every sample is listed with its title, and can be written and explained") {
  const Ran list = attn_run({"new", "--list"});
  CHECK(lines_of(list.out).size() == attn::samples().size());
  const TemporaryFolder folder;
  for (const attn::Sample& sample : attn::samples()) {
    CHECK(has(list.out, std::string(sample.name)));
    const std::string path = folder.path("sample.json");
    CHECK(attn_run({"new", "--sample", std::string(sample.name), "-o", path}).exit_code == 0);
    CHECK(read_text(path) == sample.text);
    CHECK(attn_run({"explain", path}).exit_code == 0);
  }
  CHECK(attn_run({"new", "--sample", "causal"}).out ==
        attn_run({"new", "--sample", "04-causal"}).out);
}

TEST_CASE("help: bare attn is short, --help wins anywhere, and help COMMAND is the same") {
  const Ran bare = attn_run({});
  CHECK(bare.exit_code == 0);
  CHECK(lines_of(bare.out).size() <= 20);
  CHECK(attn_run({"explain", "--no-such", "--help"}).out == attn_run({"help", "explain"}).out);
  CHECK(attn_run({"explain", "-h"}).exit_code == 0);
  CHECK(attn_run({"--version"}).out.rfind("attn 0.", 0) == 0);
}

TEST_CASE("help: every example runs") {
  const TemporaryFolder folder;
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path(""));
  for (const char* command : {"explain", "new"}) {
    for (const std::string& line : lines_of(attn_run({"help", command}).out)) {
      if (line.rfind("  attn ", 0) != 0) continue;
      std::istringstream words(line.substr(7, line.find("  ", 7) - 7));
      std::vector<std::string> args;
      for (std::string word; words >> word;) args.push_back(word);
      CAPTURE(line);
      CHECK(attn_run(args).exit_code == 0);
    }
  }
  std::filesystem::current_path(here);
}
