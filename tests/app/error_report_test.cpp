// How errors are written, whatever is wrong with the command line.
// Colours, characters, width and --error-format.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "attn/render/color.hpp"
#include "attn/render/text.hpp"
#include "cli.hpp"
#include "support/plain.hpp"
#include "support/program.hpp"

using namespace attn::testing;

namespace {

/// What is on standard error, on a screen like `terminal`.
std::string told(const std::vector<std::string>& args, const attn::app::Terminal& terminal = {},
                 const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out, err;
  attn::app::run(args, {in, out, err, terminal});
  CHECK(out.str().empty());
  return err.str();
}

attn::app::Terminal wide_screen() {
  attn::app::Terminal terminal;
  terminal.err_is_terminal = true;
  terminal.err_color = attn::ColorDepth::Ansi256;
  return terminal;
}

bool is_7_bit(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

const std::string kMisfit =
    R"({"embeddings": [[1, 0]], "weights": {"w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}})";

}  // namespace

TEST_CASE("error report: colours on a screen only, and only as --color and --no-color say") {
  const std::string plain = told({"explain", "--heads", "two"});
  CHECK(!has(plain, "\x1b"));
  const std::string colored = told({"explain", "--heads", "two"}, wide_screen());
  CHECK(colored.starts_with("\x1b[1;31merror\x1b[0m[option-value]: "));
  CHECK(without_colors(colored) == plain);
  CHECK(told({"explain", "--heads", "two", "--no-color"}, wide_screen()) == plain);
  CHECK(told({"explain", "--color", "never", "--heads", "two"}, wide_screen()) == plain);
  CHECK(told({"explain", "--heads", "two", "--color", "always"}) == colored);
  CHECK(told({"explian", "--color=always"}).starts_with("\x1b[1;31merror"));
  CHECK(told({"--color", "always", "explain", "--nonsense"}).starts_with("\x1b[1;31merror"));
}

TEST_CASE("error report: --ascii holds for errors, including those of the command line itself") {
  CHECK(!is_7_bit(told({"explain", "-"}, {}, kMisfit)));
  const std::string text = told({"explain", "-", "--ascii"}, {}, kMisfit);
  CHECK(is_7_bit(text));
  CHECK(has(text, "step Q = X*W_q"));
  CHECK(is_7_bit(told({"--ascii", "explian"})));
  CHECK(is_7_bit(told({"explain", "--mask", "documents", "--ascii"})));
}

TEST_CASE("error report: lines are as wide as the screen of standard error, or as --width says") {
  attn::app::Terminal narrow = wide_screen();
  narrow.err_width = 44;
  const auto widest = [](const std::string& text) {
    std::istringstream lines(without_colors(text));
    std::ptrdiff_t most = 0;
    for (std::string line; std::getline(lines, line);)
      most = std::max(most, attn::display_width(line));
    return most;
  };
  const std::string problem = "{\"tokenz\": 1, \"embeddings\": [[1]]}";
  CHECK(widest(told({"explain", "-"}, {}, problem)) > 60);
  CHECK(widest(told({"explain", "-"}, narrow, problem)) <= 44);
  CHECK(widest(told({"explain", "-", "--width", "50"}, narrow, problem)) > 44);
  CHECK(widest(told({"explain", "-", "--width", "50"}, narrow, problem)) <= 50);
}

TEST_CASE("error report: a bug is reported like every other error") {
  struct Broken : std::streambuf {
    int overflow(int) override { throw std::runtime_error("no \x1b[31m → here"); }
  };
  const auto bug = [](const std::vector<std::string>& more) {
    Broken broken;
    std::istringstream in;
    std::ostream out(&broken);
    out.exceptions(std::ios::badbit);
    std::ostringstream err;
    std::vector<std::string> args{"explain"};
    args.insert(args.end(), more.begin(), more.end());
    CHECK(attn::app::run(args, {in, out, err, {}}) == 70);
    return err.str();
  };
  CHECK(bug({}) ==
        "error[bug]: this is a bug in attn, not in your input: no \\e[31m → here\n"
        "  fix   Report it, with the command and its files.\n");
  CHECK(is_7_bit(bug({"--ascii"})));
  CHECK(bug({"--color", "always"}).starts_with("\x1b[1;31merror"));
  CHECK(bug({"--error-format", "json"}).starts_with("{\"errors\": [{\"id\": \"bug\", "));
}

TEST_CASE("error report: --error-format json says the same in one line") {
  CHECK(first_difference(
            "{\"errors\": [{\"id\": \"shape-mismatch\", \"what\": \"step Q = X·W_q cannot be "
            "computed: X has 2 columns, w_q has 1 row\", \"places\": [{\"file\": \"<stdin>\", "
            "\"line\": 1, \"column\": "
            "45, \"pointer\": \"/weights/w_q\", \"remark\": \"w_q has 1 row; it needs 2\"}, "
            "{\"file\": \"<stdin>\", \"line\": 1, \"column\": 16, \"pointer\": \"/embeddings\", "
            "\"remark\": \"X has rows of 2 numbers (d_model)\"}], \"rule\": \"In A·B, A must have "
            "as many columns as B has rows.\", \"fix\": \"Give w_q, w_k and w_v 2 rows, or X rows "
            "of 1 number.\", \"help\": \"attn help shapes\"}]}\n",
            told({"explain", "-", "--error-format", "json"}, {}, kMisfit)) == "");
  const std::string unknown = told({"explian", "--error-format=json"});
  CHECK(unknown.starts_with("{\"errors\": [{\"id\": \"unknown-command\", \"what\": \""));
  CHECK(
      unknown.ends_with("\", \"places\": [], \"fix\": \"Write attn explain "
                        "--error-format=json.\", \"help\": \"attn --help\"}]}\n"));
  const std::string many = told({"explain", "-", "--error-format", "json"}, {},
                                R"({"a1": 1, "a2": 1, "a3": 1, "a4": 1, "a5": 1, "a6": 1})");
  CHECK(has(many, "\"pointer\": \"/a6\""));
  CHECK(std::count(many.begin(), many.end(), '\n') == 1);
}
