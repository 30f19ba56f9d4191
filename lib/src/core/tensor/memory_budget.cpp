// Adds bytes up and throws above the limit, and reads and writes sizes such as "4G".
#include "attn/core/memory_budget.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"

namespace attn {
namespace {

constexpr std::string_view kUnits = "KMGT";

/// The smallest whole size with one letter that is at least `bytes`: "5G".
std::string enough(double bytes) {
  std::size_t unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return format_exact(std::ceil(bytes)) + kUnits[unit];
}

/// How sizes are written where `needed` is more than `limit`: rounded, unless that could hide the
/// difference.
std::string (*size_format(double needed, double limit))(double bytes) {
  constexpr double kClose = 1.2;
  if (needed > kClose * limit) return memory_size_text;
  return [](double bytes) {  // digits as long as all are exact: 4800000000, not 4.8e+09
    return (bytes < 1e15 ? std::to_string(static_cast<std::int64_t>(bytes)) : format_exact(bytes)) +
           " bytes";
  };
}

Diagnostic too_large(std::string what, double needed, const char* or_what,
                     std::vector<Place> places) {
  return {.id = "too-large",
          .what = std::move(what),
          .places = std::move(places),
          .fix = std::string("Use smaller sizes (fewer tokens, heads or columns), ") + or_what,
          .changes = {{"max_memory", enough(needed)}}};
}

}  // namespace

double array_bytes(const std::vector<Index>& sizes) {
  double bytes = sizeof(double);
  for (const Index size : sizes) bytes *= static_cast<double>(std::max<Index>(size, 0));
  return bytes;
}

void MemoryBudget::take(const std::vector<Index>& sizes, const std::string& pointer) {
  take_bytes(array_bytes(sizes), pointer);
}

void MemoryBudget::take_with_copy(const std::vector<Index>& sizes, const std::string& pointer) {
  take_bytes(2.0 * array_bytes(sizes), pointer);
}

void MemoryBudget::take_bytes(double bytes, const std::string& pointer) {
  used += bytes;
  if (used <= limit) return;
  const auto text = size_format(used, limit);
  const std::string own = used > bytes ? filled(" ({} of it here)", text(bytes)) : "";
  throw input_error(too_large(filled("the input would take at least {}{}, but the limit is {}",
                                     text(used), own, text(limit)),
                              used, "or allow at least that much memory.", {{.pointer = pointer}}));
}

double parse_memory_size(std::string_view text) {
  std::string_view rest = trimmed(text);
  if (rest.ends_with("iB")) {
    rest.remove_suffix(2);
  } else if (rest.ends_with('B')) {
    rest.remove_suffix(1);
  }
  double factor = 1.0;
  const char letter = rest.empty() ? ' ' : rest.back();
  const std::size_t unit =
      kUnits.find(letter >= 'a' ? static_cast<char>(letter - 'a' + 'A') : letter);
  if (unit != kUnits.npos) {
    factor = std::pow(1024.0, static_cast<double>(unit + 1));
    rest.remove_suffix(1);
  }
  const std::optional<double> number = parse_finite(rest);
  if (number && *number > 0.0) return *number * factor;
  throw input_error(
      {.id = "option-value",
       .what = filled("expected a size such as 512M or 4G, found \"{}\"", std::string(text)),
       .fix = "Write a number of bytes, or a number with K, M, G or T.",
       .changes = {{"max_memory", "4G"}}});
}

std::string memory_size_text(double bytes) {
  if (bytes < 1024) return counted(static_cast<std::ptrdiff_t>(bytes), "byte");
  std::size_t unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return format_exact(rounded_to(bytes, bytes < 10 ? 1 : 0)) + " " + kUnits[unit] + "iB";
}

void check_memory(const MemoryNeed& need, double limit, std::vector<Place> places) {
  const double needed = need.problem + need.steps;
  if (needed <= limit) return;
  const auto text = size_format(needed, limit);
  const std::string parts = need.problem == 0.0
                                ? filled("the problem and its steps would take {}", text(needed))
                                : filled("the problem would take {} and its steps {}, {} together",
                                         text(need.problem), text(need.steps), text(needed));
  Diagnostic error = too_large(
      filled("{}, but the limit is {}", parts, text(limit)), needed,
      need.all_stay ? "keep only the output, or allow more memory." : "or allow more memory.",
      std::move(places));
  if (need.all_stay) error.changes.insert(error.changes.begin(), {"steps", "output"});
  throw input_error(std::move(error));
}

void check_document_memory(double bytes, double limit, std::string_view format) {
  if (bytes <= limit) return;
  const auto text = size_format(bytes, limit);
  throw input_error(
      {.id = "too-large",
       .what = filled("these steps as {} would take at least {}, but the limit is {}",
                      std::string(format), text(bytes), text(limit)),
       .fix = "Show fewer numbers (one head, or the output alone), write another format, such as "
              "npz, or allow more memory.",
       .changes = {{"steps", "output"}, {"max_memory", enough(bytes)}}});
}

}  // namespace attn
