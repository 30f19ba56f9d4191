// Runs attn on strings, or another build that ATTN_PROGRAM names, and checks what every error has.
#include "support/program.hpp"

#include <doctest/doctest.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "cli.hpp"
#include "help/error_pages.hpp"
#include "support/temporary_folder.hpp"

namespace attn::testing {
namespace {

/// Checks that every error can be looked up by its name.
void check_names(const std::string& errors) {
  constexpr std::string_view kStart = "error[";
  for (std::size_t at = errors.find(kStart); at != errors.npos; at = errors.find(kStart, at + 1)) {
    if (at > 0 && errors[at - 1] != '\n') continue;
    const std::size_t begin = at + kStart.size();
    const std::string name = errors.substr(begin, errors.find(']', at) - begin);
    CHECK_MESSAGE(app::find_error_page(name), name);
  }
}

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// Runs another build of the program, such as "node build-web/npm/cli.mjs".
Ran run_other(const std::string& program, const std::vector<std::string>& args,
              const std::string& input) {
  const TemporaryFolder folder;
  const std::string in = folder.write("in", input), out = folder.path("out"),
                    err = folder.path("err");
  std::string command = program;
  for (const std::string& arg : args) command += " " + quoted(arg);
  const int status = std::system((command + " <" + in + " >" + out + " 2>" + err).c_str());
  return {WEXITSTATUS(status), read_text(out), read_text(err)};
}

}  // namespace

Ran attn_run(const std::vector<std::string>& args, const std::string& input) {
  const char* other = std::getenv("ATTN_PROGRAM");
  return other == nullptr ? attn_run_on({}, args, input) : run_other(other, args, input);
}

Ran attn_run_on(const app::Terminal& terminal, const std::vector<std::string>& args,
                const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out, err;
  const int code = attn::app::run(args, {in, out, err, terminal});
  check_names(err.str());
  return {code, out.str(), err.str()};
}

app::Terminal screen(std::ptrdiff_t width, ColorDepth depth) {
  app::Terminal terminal;
  terminal.out_is_terminal = terminal.err_is_terminal = true;
  terminal.width = terminal.err_width = width;
  terminal.out_color = terminal.err_color = depth;
  return terminal;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

std::string unwrapped(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const char next = c == '\n' ? ' ' : c;
    if (next != ' ' || !line.ends_with(' ')) line += next;
  }
  return line;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

namespace {

/// What holds for the report of every error: few lines, and no word of a library.
void check_report(const std::string& text) {
  CAPTURE(text);
  CHECK(text.starts_with("error["));
  CHECK(has(text, "  fix   "));
  const bool one = !has(text, "\nerror[");
  CHECK((!one || std::count(text.begin(), text.end(), '\n') <= 18));
  for (const char* word : {"json.exception", "nlohmann", "CLI::", "CLI11", "what():", "std::"}) {
    CHECK(!has(text, word));
  }
}

}  // namespace

std::string complaint(const std::string& problem, const std::vector<std::string>& options) {
  std::vector<std::string> args{"explain", "-"};
  args.insert(args.end(), options.begin(), options.end());
  const Ran ran = attn_run(args, problem);
  CHECK(ran.exit_code == 3);
  CHECK(ran.out.empty());
  check_report(ran.err);
  return ran.err;
}

std::string usage(const std::vector<std::string>& args) {
  const Ran ran = attn_run(args);
  CHECK(ran.exit_code == 2);
  CHECK(ran.out.empty());
  check_report(ran.err);
  return ran.err;
}

std::string first_difference(const std::string& expected, const std::string& found) {
  if (expected == found) return "";
  std::istringstream a(expected), b(found);
  std::string line_a, line_b;
  for (int number = 1;; ++number) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "the last line ends differently";
    if (more_a != more_b || line_a != line_b) {
      return "line " + std::to_string(number) + "\n  expected: " + (more_a ? line_a : "(end)") +
             "\n  found:    " + (more_b ? line_b : "(end)");
    }
  }
}

std::string explain_refusal(std::vector<std::string> args) {
  args.insert(args.begin(), "explain");
  return unwrapped(usage(args));
}

}  // namespace attn::testing
