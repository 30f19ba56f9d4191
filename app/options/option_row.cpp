// Makes rows of options, and reads numbers.
#include "options/option_row.hpp"

#include <charconv>
#include <cstdint>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"

namespace attn::app {

Error usage_error(const std::string& id, const std::string& what, const std::string& fix,
                  const std::string& help) {
  return {ErrorKind::Usage, {{.id = id, .what = what, .fix = fix, .help = help}}};
}

std::string no_effect(const std::string& option, const std::string& why) {
  return option + " has no effect: " + why;
}

Error unknown_choice(const std::string& option, const std::string& value,
                     const std::vector<std::string>& choices) {
  return usage_error(
      "option-value", option + " cannot be \"" + value + "\"" + did_you_mean(value, choices),
      (choices.size() == 1 ? "Choose " : "Choose one of ") + listed(choices, choices.size()) + ".");
}

Error usage_error_at(const std::string& place, const Error& error) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& each : diagnostics) each.places = {{.file = place}};
  return {ErrorKind::Usage, std::move(diagnostics)};
}

void require_path(const std::string& what, const std::string& path) {
  if (!path.empty()) return;
  throw usage_error(
      "empty-path", "the name given for " + what + " is empty",
      "Name a file, or - for standard input and output. Perhaps a shell variable is empty.");
}

std::vector<std::string> names_of(const OptionRow& option) { return split_at_commas(option.names); }

OptionRow flag(std::string_view names, std::string_view help, std::function<void()> act) {
  return text(names, "", help, [act = std::move(act)](const std::string&) { act(); });
}

OptionRow text(std::string_view names, std::string_view value, std::string_view help,
               std::string& into) {
  return text(names, value, help, [&into](const std::string& given) { into = given; });
}

OptionRow text(std::string_view names, std::string_view value, std::string_view help,
               SetValue set) {
  return choice(names, value, help, {}, std::move(set));
}

OptionRow file(std::string_view names, std::string_view value, std::string_view help, PathUse use,
               std::string& into) {
  return file(names, value, help, use, [&into](const std::string& given) { into = given; });
}

OptionRow file(std::string_view names, std::string_view value, std::string_view help, PathUse use,
               SetValue set) {
  OptionRow row = text(names, value, help, [set = std::move(set)](const GivenValue& given) {
    require_path(given.name, given);
    set(given);
  });
  row.paths = [use, name = names_of(row).front()](const std::string& path) {
    return std::vector<NamedPath>{{use, name, path}};
  };
  return row;
}

OptionRow choice(std::string_view names, std::string_view value, std::string_view help,
                 std::vector<std::string> choices, SetValue set) {
  return {std::string(names), std::string(value), std::string(help), std::move(choices),
          std::move(set)};
}

OptionRow offer(OptionRow row, std::function<std::vector<std::string>()> examples) {
  row.examples = std::move(examples);
  return row;
}

OptionRow list(OptionRow row, List how) {
  row.list = how;
  return row;
}

OptionRow again(OptionRow row, Again what) {
  row.again = what;
  return row;
}

std::int64_t whole_number(const GivenValue& given, std::int64_t least, std::int64_t most) {
  const std::string& text = given.value;
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed == std::errc() && stop == end && value >= least && value <= most) return value;
  constexpr std::int64_t kManyEnough = 1000000;  // a larger limit is not worth naming
  const bool large = failed == std::errc::result_out_of_range || value > most;
  const std::string range = most < kManyEnough
                                ? "from " + std::to_string(least) + " to " + std::to_string(most)
                            : large ? "of at most " + std::to_string(most)
                                    : "of at least " + std::to_string(least);
  throw usage_error(
      "option-value", given.name + " takes a whole number " + range + ", not \"" + text + "\"",
      "Write " + given.with(std::to_string(large && most < kManyEnough ? most : least)) +
          ", for example.");
}

std::string with_point(const std::string& text) {
  constexpr const char* kDigits = "0123456789";
  const std::size_t start = text.starts_with('-') ? 1 : 0,
                    comma = text.find_first_not_of(kDigits, start);
  if (comma == text.npos || comma == start || comma + 1 >= text.size() || text[comma] != ',')
    return "";
  if (text.find_first_not_of(kDigits, comma + 1) != text.npos) return "";
  return text.substr(0, comma) + "." + text.substr(comma + 1);
}

double real_number(const GivenValue& given) {
  if (const auto number = parse_number(given.value)) return *number;
  const std::string pointed = with_point(given);
  throw usage_error("option-value", given.name + " takes a number, not \"" + given.value + "\"",
                    pointed.empty()
                        ? "Write " + given.with("0.5") + ", for example."
                        : "Write " + given.with(pointed) + ": decimals come after a point.");
}

}  // namespace attn::app
