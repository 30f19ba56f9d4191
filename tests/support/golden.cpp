// Outputs that are kept in tests/golden.
#include "support/golden.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "attn/core/version.hpp"
#include "support/files.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace attn::testing {
namespace {

bool is_number_part(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == 'e'; }

/// Whether texts are equal but for the last digits of numbers, which differ between vector units.
bool same_but_last_digits(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const bool numbers = is_number_part(a[i]) && is_number_part(b[j]);
    if (!numbers && a[i++] != b[j++]) return false;
    if (!numbers) continue;
    std::string x, y;
    while (i < a.size() && is_number_part(a[i])) x += a[i++];
    while (j < b.size() && is_number_part(b[j])) y += b[j++];
    if (x == y) continue;
    const double p = std::strtod(x.c_str(), nullptr), q = std::strtod(y.c_str(), nullptr);
    if (std::abs(p - q) > 1e-12 * std::max(1.0, std::abs(p))) return false;
  }
  return i == a.size() && j == b.size();
}

/// The text without the number of the version, so that the goldens outlive it.
std::string without_version(std::string text) {
  const std::string name = "attn " + attn::version();
  for (std::size_t at; (at = text.find(name)) != text.npos;)
    text.replace(at, name.size(), "attn VERSION");
  return text;
}

}  // namespace

bool updates_goldens() { return std::getenv("ATTN_UPDATE_GOLDENS") != nullptr; }

void check_golden(const std::string& name, const std::string& found, bool exact) {
  const std::string output = without_version(found);
  const std::string path = source_dir() + "/tests/golden/" + name;
  if (updates_goldens()) std::ofstream(path, std::ios::binary) << output;
  const std::string expected = read_text(path);
  if (!exact && same_but_last_digits(expected, output)) return;
  INFO(name);
  CHECK(first_difference(expected, output) == "");
}

}  // namespace attn::testing
