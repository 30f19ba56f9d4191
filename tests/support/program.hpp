#pragma once

#include <string>
#include <vector>

namespace attn::testing {

/// What one run of the program in this process left behind.
struct Ran {
  int exit_code = 0;
  std::string out;
  std::string err;
};

/// Runs `attn ARGS…` as in a pipe, with `input` on standard input.
Ran attn_run(const std::vector<std::string>& args, const std::string& input = "");

/// Compares two texts and, where they differ, shows the first differing line of both: a CHECK that
/// stays readable.
std::string first_difference(const std::string& expected, const std::string& found);

}  // namespace attn::testing
