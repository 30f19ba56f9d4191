#include "support/program.hpp"

#include <sstream>

#include "cli.hpp"

namespace attn::testing {

Ran attn_run(const std::vector<std::string>& args, const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out, err;
  const int code = attn::app::run(args, {in, out, err, {}});
  return {code, out.str(), err.str()};
}

std::string first_difference(const std::string& expected, const std::string& found) {
  std::istringstream a(expected), b(found);
  std::string line_a, line_b;
  for (int number = 1;; ++number) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return expected == found ? "" : "the last line ends differently";
    if (more_a != more_b || line_a != line_b) {
      return "line " + std::to_string(number) + "\n  expected: " + (more_a ? line_a : "(end)") +
             "\n  found:    " + (more_b ? line_b : "(end)");
    }
  }
}

}  // namespace attn::testing
