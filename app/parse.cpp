// The only file that uses CLI11, which splits the words of a command line; all messages are ours.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "command_line.hpp"

namespace attn::app {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kNoValue = "\n";  // what CLI11 records where a value is missing

/// What CLI11 reads differently from people: "--fill -inf", "--fill -.5" and "--left -,heads=2"
/// give a value, "-o=FILE" names FILE, and nothing after "=" means no value.
Words readable(const Words& args) {
  Words words;
  for (std::string arg : args) {
    const bool value =
        arg == "-inf" || arg == "-Infinity" || arg.starts_with("-.") || arg.starts_with("-,");
    const bool takes_it = !words.empty() && words.back().starts_with("--") &&
                          words.back().find('=') == std::string::npos;
    if (value && takes_it) {
      words.back() += "=" + arg;
      continue;
    }
    if (arg.starts_with("-") && arg.ends_with("=")) arg += kNoValue;
    if (arg.starts_with("-") && !arg.starts_with("--") && arg.find('=') == 2) arg.erase(2, 1);
    words.push_back(std::move(arg));
  }
  return words;
}

/// Whether one of `words` can name the option. CLI11 compares each option with all earlier ones:
/// if every row were added, that would take a fifth of the time for a small problem.
bool occurs(const OptionRow& option, const Words& words) {
  const Words names = names_of(option);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return word.starts_with(name); });
  });
}

CLI::Option* add_option(CLI::App& app, const OptionRow& option) {
  constexpr auto kAll = CLI::MultiOptionPolicy::TakeAll;
  if (option.value.empty()) return app.add_flag(option.names)->multi_option_policy(kAll);
  return app.add_option(option.names)
      ->expected(0, 1)
      ->default_str(kNoValue)
      ->multi_option_policy(kAll)
      ->allow_extra_args(false);
}

}  // namespace

Component parser_component() { return {"CLI11", CLI11_VERSION}; }

CommandLine split(const std::vector<OptionRow>& options, const Words& args) {
  const auto end = std::find(args.begin(), args.end(), "--");  // what follows is not an option
  Words words = readable({args.begin(), end});
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<const CLI::Option*, std::pair<const OptionRow*, std::size_t>>
      added;  // and how often seen
  for (const OptionRow& option : options) {
    if (!occurs(option, words)) continue;
    added[add_option(app, option)] = {&option, 0};
  }
  std::reverse(words.begin(), words.end());  // as CLI11 likes them
  app.parse(words);
  CommandLine line;
  for (const CLI::Option* each : app.parse_order()) {
    auto& [option, seen] = added.at(each);
    const std::string value = each->results().at(seen++);
    line.options.push_back({option->names, value});
    if (value == (option->value.empty() ? "true" : kNoValue)) line.options.back().value.reset();
  }
  for (std::string& word : app.remaining()) {
    const bool dashed = word.size() > 1 && word[0] == '-';
    (dashed ? line.unknown : line.words).push_back(std::move(word));
  }
  line.words.insert(line.words.end(), end == args.end() ? end : end + 1, args.end());
  return line;
}

}  // namespace attn::app
