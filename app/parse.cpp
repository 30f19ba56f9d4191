#include <CLI/CLI.hpp>
#include <algorithm>

#include "attn/error.hpp"
#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"
#include "command_line.hpp"

// The only place that knows CLI11: it splits the words of the command line; all texts are ours.

namespace attn::app {
namespace {

using Words = std::vector<std::string>;

Error usage(const std::string& id, const std::string& what, const std::string& fix,
            const std::string& command) {
  return {ErrorKind::Usage,
          {{.id = id, .what = what, .fix = fix, .help = "attn " + command + " --help"}}};
}

Words all_names(const Command& command) {
  Words names;
  for (const Option& option : command.options) {
    for (const std::string& name : names_of(option)) names.push_back(name);
  }
  return names;
}

void check_choice(const Command& command, const Option& option, const std::string& value) {
  const auto& choices = option.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  const std::string name = names_of(option).back();
  throw usage("option-value", name + " cannot be \"" + value + "\"" + did_you_mean(value, choices),
              "Choose one of " + listed(choices, choices.size()) + ".", command.name);
}

Error extra_argument(const Command& command, const std::string& word) {
  return usage(
      "extra-argument", "attn " + command.name + " does not know what to do with \"" + word + "\"",
      command.operand.empty()
          ? "Leave it out."
          : std::string(command.operand_examples == nullptr ? "Name one file" : "Give one word") +
                " at most: attn " + command.name + " " + command.operand + ".",
      command.name);
}

/// "--mask causal" for --causal: the option that takes the word as its value; "" if there is none.
std::string meant_value(const Command& command, const std::string& word) {
  const std::string value = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  for (const Option& option : command.options) {
    Words values = option.choices;
    if (option.examples != nullptr) {
      const Words more = option.examples();
      values.insert(values.end(), more.begin(), more.end());
    }
    if (std::find(values.begin(), values.end(), value) == values.end()) continue;
    return names_of(option).back() + " " + value;
  }
  return "";
}

/// What CLI11 could not place: an option that is not known, or one word too many.
void refuse_leftovers(const Command& command, Words words) {
  const auto dashed = std::find_if(
      words.begin(), words.end(), [](const std::string& w) { return w.size() > 1 && w[0] == '-'; });
  if (dashed != words.end()) {
    const std::string word = dashed->substr(0, dashed->find('='));
    const bool misspelt = !suggestions(word, all_names(command)).empty();
    const std::string meant = misspelt ? "" : meant_value(command, word);
    throw usage("unknown-option",
                "attn " + command.name + " has no option \"" + word + "\"" +
                    (meant.empty() ? did_you_mean(word, all_names(command)) : ""),
                meant.empty() ? "See the options with attn " + command.name + " --help."
                              : "Write " + meant + ".",
                command.name);
  }
  if (!words.empty()) throw extra_argument(command, words.front());
}

using AddedOptions = std::vector<std::pair<const Option*, CLI::Option*>>;

bool occurs(const Option& option, const Words& words) {
  const Words names = names_of(option);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return word.starts_with(name); });
  });
}

/// The options that occur in `words`: CLI11 compares each with all before, which for every row
/// would be a fifth of the time that a small problem takes.
AddedOptions add_options(CLI::App& app, const Command& command, const Words& words) {
  AddedOptions added;
  for (const Option& option : command.options) {
    if (!occurs(option, words)) continue;
    CLI::Option* row =
        option.value.empty() ? app.add_flag(option.names) : app.add_option(option.names);
    if (!option.value.empty())
      row->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->allow_extra_args(false);
    added.emplace_back(&option, row);
  }
  return added;
}

/// Every option has a value exactly if it takes one. A value that looks like an option is written
/// behind "=".
void check_values(const Command& command, const Words& words) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::size_t equals = std::min(words[at].find('='), words[at].size());
    const std::string name = words[at].substr(0, equals);
    const Option* option = find_option(command.options, name);
    if (option == nullptr) continue;
    const bool joined = equals < words[at].size();
    if (option->value.empty() && joined) {
      throw usage("option-value", name + " takes no value", "Write " + name + " alone.",
                  command.name);
    }
    const bool missing =
        joined ? equals + 1 == words[at].size()
               : at + 1 == words.size() || find_option(command.options, words[at + 1]) != nullptr;
    if (!option->value.empty() && missing) {
      throw usage("missing-value", name + " needs a value: " + name + " " + option->value,
                  "Write one after it.", command.name);
    }
    if (!option->value.empty() && !joined) ++at;
  }
}

/// As CLI11 likes them.
template <typename At>
Words last_first(At begin, At end) {
  Words words(begin, end);
  std::reverse(words.begin(), words.end());
  return words;
}

/// What follows -- is no option.
Words::const_iterator end_of_options(const Words& args) {
  return std::find(args.begin(), args.end(), "--");
}

struct Given {
  const Option* option;
  std::string value;
};

/// What was given, in the order of the command line: the last of two that contradict wins.
std::vector<Given> given_values(const CLI::App& app, const AddedOptions& added) {
  std::vector<Given> given;
  for (const CLI::Option* row : app.parse_order()) {
    const auto at = std::find_if(added.begin(), added.end(),
                                 [&](const auto& each) { return each.second == row; });
    if (at == added.end()) continue;  // the operand
    const auto before = std::count_if(given.begin(), given.end(),
                                      [&](const Given& each) { return each.option == at->first; });
    given.push_back({at->first, row->results().at(static_cast<std::size_t>(before))});
  }
  return given;
}

/// An option that has one value is not given two.
void check_twice(const Command& command, const AddedOptions& added) {
  for (const auto& [option, row] : added) {
    if (option->again != Again::Refused) continue;
    const Words values = row->results();
    for (const std::string& value : values) {
      if (value == values.front()) continue;
      const std::string name = names_of(*option).back();
      throw usage("option-twice",
                  name + " is given twice: \"" + values.front() + "\" and \"" + value + "\"",
                  "Keep one of the two.", command.name);
    }
  }
}

void check_conflicts(const Command& command, const AddedOptions& added) {
  const auto given = [&](const std::string& name) {
    return std::any_of(added.begin(), added.end(), [&](const auto& each) {
      return each.second->count() > 0 && names_of(*each.first).back() == name;
    });
  };
  for (const Conflict& conflict : command.conflicts) {
    if (!given(conflict.one) || !given(conflict.other)) continue;
    throw usage("option-conflict",
                std::string(conflict.one) + " and " + conflict.other +
                    " do not go together: " + conflict.why,
                "Leave out one of them.", command.name);
  }
}

}  // namespace

Component parser_component() { return {"CLI11", CLI11_VERSION}; }

bool asks_for(const std::string& option, const Words& args) {
  const auto end = end_of_options(args);
  return std::find(args.begin(), end, option) != end;
}

void parse_arguments(const Command& command, const Words& args) {
  const auto end = end_of_options(args);
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  const AddedOptions added = add_options(app, command, args);
  CLI::Option* operand = command.operand.empty() ? nullptr : app.add_option("operand")->expected(1);
  check_values(command, {args.begin(), end});
  try {
    app.parse(last_first(args.begin(), end));
  } catch (const CLI::ParseError&) {
    throw usage("wrong-option", "the options of attn " + command.name + " cannot be read",
                "Compare them with the help.", command.name);
  }
  refuse_leftovers(command, app.remaining());
  check_twice(command, added);
  check_conflicts(command, added);
  for (const Given& each : given_values(app, added)) {
    check_choice(command, *each.option, each.value);
    each.option->set(each.value);
  }
  Words operands;
  if (operand != nullptr) operands = operand->results();
  if (end != args.end()) operands.insert(operands.end(), end + 1, args.end());
  const std::size_t most = operand == nullptr ? 0 : 1;
  if (operands.size() > most) throw extra_argument(command, operands[most]);
  for (const std::string& word : operands) command.set_operand(word);
}

}  // namespace attn::app
