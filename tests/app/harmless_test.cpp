// Whatever a problem, a file name or a command line holds: nothing of it acts on a terminal.
#include <doctest/doctest.h>

#include <fstream>

#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

/// What JSON text says with escapes, and what a command line can hold: colour, bell, the
/// one-character CSI, reversed text, back to the start of the line.
const std::string kEscaped = R"(\u001b[31mX\u0007\u009b2J\u202e\r)";
const std::string kRaw = "\x1b[31mX\x07\u009b2J\u202e\r";

/// The first character of `text` that controls a terminal; empty if there is none.
std::string control_in(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool ascii = (c < 0x20 && c != '\n') || c == 0x7F;
    const bool latin = c == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (ascii || latin) return "byte " + std::to_string(c) + " in: " + text.substr(0, i);
  }
  const std::size_t at = text.find("\u202e");
  return at == text.npos ? "" : "direction in: " + text.substr(0, at);
}

/// Runs it, and returns the first problem of either stream.
std::string harm(const Words& args, const std::string& input = "") {
  const Ran ran = attn_run(args, input);
  CHECK(!(ran.out + ran.err).empty());
  const std::string found = control_in(ran.out);
  return found.empty() ? control_in(ran.err) : found;
}

std::string hostile_problem(const std::string& more = "") {
  const std::string token = "\"a" + kEscaped + "\"";
  return R"({"title": "T)" + kEscaped + R"(", "description": "D)" + kEscaped + R"(", "tokens": [)" +
         token + R"(, "b", "c"], "q": [[1], [2], [3]], "k": [[1], [2], [3]],
         "v": [[1], [2], [3]])" +
         more + "}";
}

/// A batch, whose matrices have captions.
std::string batch() {
  const std::string token = "\"a" + kEscaped + "\"";
  return R"({"title": "T)" + kEscaped + R"(", "heads": 1, "tokens": [[)" + token +
         R"(, "b"], ["c", "d"]], "q": [[[1], [2]], [[1], [2]]],
         "k": [[[1], [2]], [[1], [2]]], "v": [[[1], [2]], [[1], [2]]]})";
}

}  // namespace

TEST_CASE(
    "harmless: titles, descriptions, tokens, masks and captions in every format that is text") {
  const Words views[] = {{},
                         {"--big"},
                         {"--layout", "lines"},
                         {"--summary"},
                         {"--detail", "full"},
                         {"--ascii"},
                         {"--cell", "weights:0,0"},
                         {"--cell", "output:0,0"},
                         {"--format", "markdown"},
                         {"--format", "latex"},
                         {"--format", "html"},
                         {"--format", "json"},
                         {"--format", "ndjson"},
                         {"--format", "svg"},
                         {"--format", "csv"},
                         {"--format", "csv", "--steps", "weights", "--wide", "--batch", "0"},
                         {"--query", "a" + kRaw}};
  const std::string masked = R"(, "mask": "keys:a)" + kEscaped + "\"";
  for (const Words& view : views) {
    for (const std::string& input : {hostile_problem(), hostile_problem(masked), batch()}) {
      Words args{"explain", "-"};
      args.insert(args.end(), view.begin(), view.end());
      CAPTURE(view.empty() ? std::string() : view.front());
      CHECK(harm(args, input) == "");
    }
  }
  CHECK(harm({"convert", "-", "-o", "-"}, hostile_problem(masked)) == "");
  const Ran shown = attn_run({"explain", "-", "--steps", "weights"}, hostile_problem(masked));
  CHECK(has(shown.out, R"(T\e[31mX\x07\u{9b}2J\u{202e}\r )"));
  CHECK(has(shown.out, R"(hidden by keys:a\e[31mX)"));
}

TEST_CASE("harmless: what errors repeat of a problem") {
  const std::string own = "\"" + kEscaped + "\"";
  for (const std::string& more :
       {", " + own + ": 1", ", \"mask\": " + own, ", \"mask\": \"keys:" + kEscaped + "\"",
        ", \"heads\": " + own, ", \"empty_row\": " + own, ", \"key_tokens\": [" + own + "]",
        ", \"title\": [" + own + "]", ", " + kRaw, ", \"_\": \"" + kRaw}) {
    for (const char* layout : {"--quiet", "--ascii"}) {
      CAPTURE(more);
      const Ran ran = attn_run({"explain", "-", layout}, hostile_problem(more));
      CHECK(ran.exit_code == 3);
      CHECK(control_in(ran.err) == "");
    }
  }
}

TEST_CASE("harmless: file names and words of the command line, in errors and notes") {
  const TemporaryFolder folder;
  const std::string path = folder.path("p" + kRaw + ".json");
  CHECK(harm({"new", "--random", "-o", path}) == "");
  CHECK(harm({"explain", path}) == "");
  CHECK(harm({"explain", path, "-o", folder.path(kRaw + ".txt")}) == "");
  CHECK(harm({"explain", path, "-o", path}) == "");
  std::ofstream(path) << "{";
  CHECK(harm({"explain", path}) == "");
  for (const Words& args : {Words{kRaw},
                            {"--" + kRaw},
                            {"help", kRaw},
                            {"schema", kRaw},
                            {"new", "--sample", kRaw},
                            {"explain", kRaw},
                            {"explain", "--mask", kRaw},
                            {"explain", "--mask", "keys:" + kRaw},
                            {"explain", "--cell", kRaw},
                            {"explain", "--steps", kRaw},
                            {"explain", "--query", kRaw},
                            {"explain", "--head", kRaw},
                            {"explain", "--layout", kRaw},
                            {"explain", "--also", kRaw + ".pdf"},
                            {"explain", "--format", kRaw},
                            {"explain", "--width", kRaw},
                            {"convert", "-o", kRaw},
                            {"explain", "-o", "/no-such-folder/" + kRaw},
                            {"explain", "--embeddings", kRaw}}) {
    CAPTURE(args.back());
    CHECK(harm(args) == "");
  }
}
