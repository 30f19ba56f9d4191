// Makes rows of options, and reads numbers.
#include "options/option_row.hpp"

#include <charconv>
#include <limits>

namespace attn::app {

Error usage_error(const std::string& id, const std::string& what, const std::string& fix) {
  return {ErrorKind::Usage, {{.id = id, .what = what, .fix = fix}}};
}

std::vector<std::string> names_of(const Option& option) {
  std::vector<std::string> names;
  std::size_t at = 0;
  while (at <= option.names.size()) {
    const std::size_t comma = std::min(option.names.find(',', at), option.names.size());
    names.push_back(option.names.substr(at, comma - at));
    at = comma + 1;
  }
  return names;
}

Option flag(const std::string& names, const std::string& help, bool& on) {
  return flag(names, help, [&on] { on = true; });
}

Option flag(const std::string& names, const std::string& help, std::function<void()> act) {
  return {names, "", help, {}, [act = std::move(act)](const std::string&) { act(); }};
}

Option text(const std::string& names, const std::string& value, const std::string& help,
            std::string& into) {
  return text(names, value, help, [&into](const std::string& given) { into = given; });
}

Option text(const std::string& names, const std::string& value, const std::string& help,
            std::function<void(const std::string&)> set) {
  return {names, value, help, {}, std::move(set)};
}

Option choice(const std::string& names, const std::string& value, const std::string& help,
              std::vector<std::string> choices, std::function<void(const std::string&)> set) {
  return {names, value, help, std::move(choices), std::move(set)};
}

Option whole(const std::string& names, const std::string& help, long least, long most,
             std::function<void(long)> set) {
  return text(names, "N", help, [=, set = std::move(set)](const std::string& given) {
    set(whole_number(names, given, least, most));
  });
}

Option offer(Option row, std::vector<std::string> (*examples)()) {
  row.examples = examples;
  return row;
}

Option again(Option row, Again what) {
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
