// Weights, numbers and hints of a cloze question.
#include "io/classroom/cloze_fields.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "attn/tool/number_text.hpp"
#include "attn/tool/phrases.hpp"
#include "attn/tool/text.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

constexpr const char* kRight = "#Right.";

/// Text inside a field: what would end it has a backslash before it.
std::string field_text(std::string_view text) {
  std::string safe;
  for (const char c : html_text(text)) {
    if (std::string_view("}~#\\").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string cloze_field(long weight, const char* type,
                        const std::vector<std::string>& alternatives) {
  return "{" + std::to_string(weight) + ":" + type + ":" + separated(alternatives, "~") + "}";
}

}  // namespace

ClozeWeights cloze_weights(const Sheet& sheet) {
  constexpr double kHundred = 100.0;  // points may have two decimals
  std::vector<long> points, counts;
  for (const SheetStep& step : sheet.steps) {
    counts.push_back(
        std::count_if(step.blank.begin(), step.blank.end(), [](char blank) { return blank != 0; }));
    points.push_back(counts.back() == 0 ? 0 : std::lround(step.points * kHundred));
  }
  if (sheet.bug) {
    counts.push_back(2);
    points.push_back(std::lround(sheet.bug_points * kHundred));
  }
  long multiple = 1, divisor = 0;
  for (const long count : counts) multiple = count == 0 ? multiple : std::lcm(multiple, count);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) points[i] = points[i] * multiple / counts[i];
    divisor = std::gcd(divisor, points[i]);
  }
  for (long& each : points) each = divisor == 0 ? each : each / divisor;
  ClozeWeights weights{std::move(points), 0};
  if (sheet.bug) {
    weights.bug = weights.steps.back();
    weights.steps.pop_back();
  }
  return weights;
}

std::string cloze_field(const ClozeBlank& blank, const Sheet& sheet, long weight) {
  if (!std::isfinite(blank.right)) {
    const std::string sign = blank.right < 0 ? "-" : "";
    std::vector<std::string> spellings;
    for (const char* word : {"Infinity", "inf", "∞"})
      spellings.push_back("=" + sign + word + kRight);
    return cloze_field(weight, "SHORTANSWER", spellings);
  }
  const auto number = [&](double x) {
    return json::number_text(rounded_to(x, sheet.decimals)) + ":" +
           json::number_text(sheet.accept_within);
  };
  std::vector<std::string> alternatives{"=" + number(blank.right) + kRight};
  for (const WrongNumber& wrong : blank.wrong)
    alternatives.push_back("%0%" + number(wrong.number) + "#" + field_text(wrong.hint));
  return cloze_field(weight, "NUMERICAL", alternatives);
}

std::string cloze_choice(const std::vector<std::string>& options, const std::string& right,
                         long weight) {
  std::vector<std::string> alternatives;
  for (const std::string& option : options)
    alternatives.push_back((option == right ? "=" : "") + field_text(option));
  return cloze_field(weight, "MULTICHOICE", alternatives);
}

}  // namespace attn
