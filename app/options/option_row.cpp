// Makes rows of options, and reads numbers.
#include "options/option_row.hpp"

#include <charconv>
#include <limits>

namespace attn::app {

Error usage_error(const std::string& id, const std::string& what, const std::string& fix,
                  const std::string& help) {
  return {ErrorKind::Usage, {{.id = id, .what = what, .fix = fix, .help = help}}};
}

Error usage_error_at(const std::string& place, const Error& error) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& each : diagnostics) each.places = {{.file = place}};
  return {ErrorKind::Usage, std::move(diagnostics)};
}

std::vector<std::string> names_of(const OptionRow& option) {
  std::vector<std::string> names;
  std::size_t at = 0;
  while (at <= option.names.size()) {
    const std::size_t comma = std::min(option.names.find(',', at), option.names.size());
    names.push_back(option.names.substr(at, comma - at));
    at = comma + 1;
  }
  return names;
}

OptionRow flag(const std::string& names, const std::string& help, std::function<void()> act) {
  return {names, "", help, {}, [act = std::move(act)](const std::string&) { act(); }};
}

OptionRow text(const std::string& names, const std::string& value, const std::string& help,
               std::string& into) {
  return text(names, value, help, [&into](const std::string& given) { into = given; });
}

OptionRow text(const std::string& names, const std::string& value, const std::string& help,
               std::function<void(const std::string&)> set) {
  return {names, value, help, {}, std::move(set)};
}

OptionRow choice(const std::string& names, const std::string& value, const std::string& help,
                 std::vector<std::string> choices, std::function<void(const std::string&)> set) {
  return {names, value, help, std::move(choices), std::move(set)};
}

OptionRow offer(OptionRow row, std::vector<std::string> (*examples)()) {
  row.examples = examples;
  return row;
}

OptionRow again(OptionRow row, Again what) {
  row.again = what;
  return row;
}

long whole_number(const std::string& option, const std::string& text, long least, long most) {
  long value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed == std::errc() && stop == end && value >= least && value <= most) return value;
  throw usage_error("option-value",
                    option + " takes a whole number from " + std::to_string(least) + " to " +
                        std::to_string(most) + ", not \"" + text + "\"",
                    "Write " + option + " " + std::to_string(least) + ", for example.");
}

double real_number(const std::string& option, const std::string& text) {
  if (text == "-Infinity" || text == "-inf") return -std::numeric_limits<double>::infinity();
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed == std::errc() && stop == end) return value;
  throw usage_error("option-value", option + " takes a number, not \"" + text + "\"",
                    "Write " + option + " 0.5, for example.");
}

}  // namespace attn::app
