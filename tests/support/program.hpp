// Runs the program inside the test process.
#pragma once

#include <string>
#include <vector>

#include "attn/suggest.hpp"
#include "terminal.hpp"

namespace attn::testing {

using attn::did_you_mean;  // what a message adds to a name that is nearly right

/// What one run of the program in this process left behind.
struct Ran {
  int exit_code = 0;
  std::string out;
  std::string err;
};

/// Runs `attn ARGS…` as in a pipe, with `input` on standard input; with ATTN_PROGRAM in the
/// environment another build of the program, such as ATTN_PROGRAM="node build-web/npm/cli.mjs".
Ran attn_run(const std::vector<std::string>& args, const std::string& input = "");

/// The same on a screen.
Ran attn_run_on(const app::Terminal& terminal, const std::vector<std::string>& args,
                const std::string& input = "");

/// A terminal of that width for standard output and messages.
app::Terminal screen(std::ptrdiff_t width, ColorDepth depth = ColorDepth::None);

bool has(const std::string& text, const std::string& part);
std::size_t count_of(const std::string& text, const std::string& part);

std::vector<std::string> lines_of(const std::string& text);

/// One line in place of several: breaks and runs of spaces become one space.
std::string unwrapped(const std::string& text);

/// What `attn explain ARGS…` says about a wrong command line, unwrapped.
std::string explain_refusal(std::vector<std::string> args);

/// Runs `explain - OPTIONS…` on a problem that is wrong (exit code 3), and returns what is on
/// standard error.
std::string complaint(const std::string& problem, const std::vector<std::string>& options = {});

/// Runs a wrong command line (exit code 2), and returns what is on standard error.
std::string usage(const std::vector<std::string>& args);

/// Compares two texts and, where they differ, shows the first differing line of both: a CHECK that
/// stays readable.
std::string first_difference(const std::string& expected, const std::string& found);

}  // namespace attn::testing
