// Markdown and LaTeX of the program: every value is there, nothing is cut.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "attn/io/samples.hpp"
#include "support/compare.hpp"
#include "support/models.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

using namespace attn::testing;

namespace {

using Numbers = std::vector<double>;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> split(const std::string& line, char mark) {
  std::vector<std::string> cells(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool escaped = i > 0 && line[i - 1] == '\\';
    if (line[i] == mark && !escaped) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  for (std::string& cell : cells) cell = trimmed(cell);
  return cells;
}

double number_in(std::string cell) {
  if (cell == "·") return 0.0;
  cell.erase(std::remove_if(cell.begin(), cell.end(), [](char c) { return c == '(' || c == ')'; }),
             cell.end());
  return std::stod(cell);
}

/// The numbers of all tables of a step, row by row.
Numbers numbers_in_markdown(const std::string& text) {
  Numbers numbers;
  std::size_t columns = 0;
  bool in_table = false;
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> cells = split(line, '|');
    if (!line.starts_with("|")) {
      in_table = false;
    } else if (line.starts_with("| :-")) {
      in_table = true;
    } else if (!in_table) {
      columns = cells.size() - (cells[cells.size() - 2] == "sum" ? 2 : 1);
    } else {
      for (std::size_t j = 2; j < columns; ++j) numbers.push_back(number_in(cells[j]));
    }
  }
  return numbers;
}

/// The same for arrays, whose rows end in \\.
Numbers numbers_in_latex(const std::string& text) {
  const auto number = [](std::string cell) {
    if (cell == "\\cdot") return 0.0;
    for (const auto& [latex, plain] : {std::pair{"\\cdot 10^{", "e"},
                                       {"10^{", "1e"},
                                       {"\\infty", "inf"},
                                       {"}", ""},
                                       {"{", ""}}) {
      if (const std::size_t at = cell.find(latex); at != cell.npos)
        cell.replace(at, std::string(latex).size(), plain);
    }
    return number_in(cell);
  };
  Numbers numbers;
  bool in_array = false;
  for (const std::string& line : lines_of(text)) {
    if (line == "\\hline") in_array = true;
    if (line.starts_with("\\end{array}")) in_array = false;
    if (!in_array || line == "\\hline") continue;
    REQUIRE(line.ends_with(" \\\\"));
    const std::vector<std::string> cells = split(line.substr(0, line.size() - 3), '&');
    for (std::size_t j = 1; j < cells.size(); ++j) numbers.push_back(number(cells[j]));
  }
  return numbers;
}

Numbers numbers_in_csv(const std::string& text) {
  Numbers numbers;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("step,")) numbers.push_back(std::stod(line.substr(line.rfind(',') + 1)));
  }
  return numbers;
}

/// Whether `found` has all of `expected`, which repeats it where all heads are alike.
bool holds_all(const Numbers& found, const Numbers& expected) {
  if (found.empty() || expected.size() % found.size() != 0) return false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!close(expected[i], found[i % found.size()], 1e-16)) return false;
  }
  return true;
}

/// Compares what `format` shows of each step of every attention sample with its values.
void check_values(const std::string& format,
                  const std::function<Numbers(const std::string&)>& read) {
  for (const attn::Sample& sample : attention_samples()) {
    const std::string text(sample.text);
    const auto run = [&](std::vector<std::string> args) {
      args.insert(args.begin(), {"explain", "-"});
      const Ran ran = attn_run(args, text);
      REQUIRE(ran.exit_code == 0);
      return ran.out;
    };
    std::string id;
    for (const std::string& line : lines_of(run({"--format", "csv", "--detail", "full"}))) {
      const std::string step = line.substr(0, line.find(','));
      if (step == id || step == "step") continue;
      const bool has_sink = step == "weights" && has(text, "\"sinks\"");  // one more column
      if (has_sink) continue;
      id = step;
      CAPTURE(sample.name);
      CAPTURE(id);
      const std::vector<std::string> chosen{"--steps", id, "--detail", "full"};
      const auto with = [&](std::vector<std::string> more) {
        more.insert(more.end(), chosen.begin(), chosen.end());
        return run(more);
      };
      const Numbers expected = numbers_in_csv(with({"--format", "csv"}));
      CHECK(holds_all(read(with({"--format", format, "--precision", "17"})), expected));
      CHECK(read(with({"--format", format})).size() ==
            read(with({"--format", format, "--precision", "17"})).size());
    }
  }
}

}  // namespace

TEST_CASE("markup: Markdown has every number of the trace" * doctest::test_suite("long")) {
  check_values("markdown", numbers_in_markdown);
}

TEST_CASE("markup: LaTeX has every number of the trace" * doctest::test_suite("long")) {
  check_values("latex", numbers_in_latex);
}

TEST_CASE("markup: a terminal's width, colours and layout change nothing") {
  for (const char* format : {"markdown", "latex"}) {
    const std::vector<std::string> args{"explain", "--heads", "2", "--format", format};
    const std::string plain = attn_run(args).out;
    for (const std::vector<std::string>& more : {std::vector<std::string>{"--width", "20"},
                                                 {"--color", "always"},
                                                 {"--layout", "lines"}}) {
      std::vector<std::string> all = args;
      all.insert(all.end(), more.begin(), more.end());
      CHECK(attn_run(all).out == plain);
    }
    CHECK(attn_run_on(screen(40), {"explain", "--heads", "2", "--quiet", "--format", format}).out ==
          plain);
  }
}

TEST_CASE("markup: --ascii leaves only 7-bit characters") {
  for (const char* format : {"markdown", "latex"}) {
    const Ran ran = attn_run({"explain", "--mask", "causal", "--format", format, "--ascii"});
    CHECK(std::all_of(ran.out.begin(), ran.out.end(), [](char c) { return c > 0; }));
  }
}

TEST_CASE("markup: options about a format are refused where it is not written") {
  const std::string math = usage({"explain", "--math", "pandoc"});
  CHECK(has(math, "error[format-option]: " + idle("--math") + ": no Markdown is written"));
  CHECK(attn_run({"explain", "--math", "pandoc", "--format", "markdown"}).exit_code == 0);
  const std::string page = usage({"explain", "--standalone", "--json"});
  CHECK(has(page, "error[format-option]: " + idle("--standalone") + ": no LaTeX is written"));
  CHECK(attn_run({"explain", "--standalone", "--format", "latex"}).exit_code == 0);
}
