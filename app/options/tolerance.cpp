// Reads how much numbers may differ.
#include "options/tolerance.hpp"

#include <charconv>
#include <cmath>

namespace attn::app {
namespace {

Tolerance parse_tolerance(const std::string& text) {
  const bool percent = text.ends_with('%');
  double x = 0.0;
  const char* const end = text.data() + text.size() - (percent ? 1 : 0);
  const auto [stop, failed] = std::from_chars(text.data(), end, x);
  if (failed != std::errc() || stop != end || !std::isfinite(x) || x < 0.0) {
    throw usage_error("option-value",
                      "--tolerance takes a number of at least 0, not \"" + text + "\"",
                      "Write --tolerance 0.01, or --tolerance 1% for 1% of the largest number.");
  }
  return percent ? Tolerance{0.0, x / 100.0} : Tolerance{x, 0.0};
}

}  // namespace

OptionRow tolerance_row(const std::string& help, std::optional<Tolerance>& into) {
  return text("--tolerance", "X|X%", help,
              [&into](const std::string& v) { into = parse_tolerance(v); });
}

}  // namespace attn::app
