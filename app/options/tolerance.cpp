// Reads how much numbers may differ.
#include "options/tolerance.hpp"

#include <optional>
#include <string_view>

#include "attn/number_text.hpp"

namespace attn::app {
namespace {

Tolerance parse_tolerance(const std::string& text) {
  const bool percent = text.ends_with('%');
  const auto x = parse_finite(std::string_view(text).substr(0, text.size() - (percent ? 1 : 0)));
  if (!x || *x < 0.0) {
    throw usage_error("option-value",
                      "--tolerance takes a number of at least 0, not \"" + text + "\"",
                      "Write --tolerance 0.01, or --tolerance 1% for 1% of the largest number.");
  }
  return percent ? Tolerance{0.0, *x / 100.0} : Tolerance{*x, 0.0};
}

}  // namespace

OptionRow tolerance_row(const std::string& help, std::optional<Tolerance>& into) {
  return text("--tolerance", "X|X%", help,
              [&into](const std::string& v) { into = parse_tolerance(v); });
}

}  // namespace attn::app
