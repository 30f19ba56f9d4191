// Checks what was given against what a command takes, and suggests what was meant.
#include "command_line.hpp"

#include <algorithm>
#include <filesystem>

#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "commands.hpp"
#include "files/read_problem.hpp"
#include "meant.hpp"
#include "options/side_settings.hpp"
#include "platform/shell.hpp"

namespace attn::app {
namespace {

using Words = std::vector<std::string>;

bool contains(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string first_name(const std::string& names) { return names.substr(0, names.find(',')); }

std::string last_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

/// "attn explain", or "attn" where no command is named.
std::string title(const Command& command) {
  return command.name.empty() ? "attn" : "attn " + command.name;
}

const OptionRow* row_of(const GivenOption& given, const Command& command) {
  return find_option(command.options, last_name(given.names));
}

std::vector<OptionRow> with_version(std::vector<Command> commands) {
  std::vector<OptionRow> options = options_of(std::move(commands));
  options.push_back(flag("--version", "", [] {}));
  return options;
}

/// Whether `words` name that command, in one word or two.
bool is_named(const std::string& name, const Words& words) {
  const std::size_t space = name.find(' ');
  return contains(words, name) || (space != name.npos && contains(words, name.substr(0, space)) &&
                                   contains(words, name.substr(space + 1)));
}

/// The options of the commands that `words` name, each once; without a name, the common ones.
std::vector<OptionRow> options_of_commands(const Words& words) {
  CommonOptions common;
  std::vector<Command> found;
  for (const CommandRow& row : commands()) {
    if (is_named(row.name, words)) found.push_back(make_command(row, common));
  }
  if (found.empty()) add_common_options(found.emplace_back(), common);
  return with_version(std::move(found));
}

/// The options of all commands; of two with the same name, that of a command named in `words`.
std::vector<OptionRow> options_of_all(const Words& words) {
  CommonOptions common;
  std::vector<Command> all;
  for (const bool named : {true, false}) {
    for (const CommandRow& row : commands()) {
      if (is_named(row.name, words) == named) all.push_back(make_command(row, common));
    }
  }
  return with_version(std::move(all));
}

/// Joins the two words of a command's name into one.
void join_names(Words& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string both = words[i] + " " + words[i + 1];
    if (find_command(both) == nullptr) continue;
    words[i] = both;
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

/// The names of all options of the command; without a name, of all commands.
Words option_names(const Command& command) {
  Words known;
  for (const OptionRow& option : command.name.empty() ? options_of_all({}) : command.options) {
    for (const std::string& name : names_of(option)) known.push_back(name);
  }
  std::sort(known.begin(), known.end());
  return known;
}

/// "--format csv" for --csv; "" if no option takes csv as its value, or if --csv is an option.
std::string as_value(const Command& command, const std::string& name, const std::string& next) {
  const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  const bool is_name = find_option(command.options, "--" + bare) != nullptr;
  return is_name ? "" : as_option(name, next, command);
}

/// What to write instead of an option that does not exist.
std::string right_option(const Command& command, const std::string& word, const CommandLine& line) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string name = word.substr(0, equals);
  const std::string value = equals < word.size() ? word.substr(equals + 1) : word_after(word, line);
  const std::string meant = as_value(command, name, value);
  if (!meant.empty()) return meant;
  const Words near = suggestions(name, option_names(command));
  if (near.empty()) return "";
  const OptionRow& option = *find_option(command.options, near.front());
  if (option.value.empty()) return near.front();
  return near.front() + " " + (value.empty() ? option.value : value);
}

/// What to write instead of an option that attn explain alone has, or of --sample; "" for others.
std::string option_elsewhere(const Command& command, const std::string& word,
                             const CommandLine& line) {
  if (!command.operand.starts_with("[PROBLEM]")) return "";
  const std::string name = word.substr(0, word.find('='));
  const std::string value = name == word ? word_after(word, line) : word.substr(name.size() + 1);
  if (name == "--sample" && find_sample(value) != nullptr) return title(command) + " " + value;
  if (command.name != "heatmap") return "";
  CommonOptions common;
  const Command explain = make_command(*find_command("explain"), common);
  const OptionRow* option = find_option(explain.options, name);
  if (option == nullptr) return "";
  const std::string given = value.empty() ? option->value : value;
  return "attn explain " + name + (option->value.empty() ? "" : " " + given) +
         ": that command has it";
}

Error unknown_option(const Command& command, const std::string& word, const CommandLine& line) {
  const std::string name = word.substr(0, word.find('='));
  const std::string usual = name == "-v" ? "--version" : name == "-?" ? "--help" : name;
  const bool is_value = !as_value(command, name, "").empty();  // --csv
  const std::string elsewhere = option_elsewhere(command, word, line);
  const std::string what =
      title(command) + " has no option \"" + name + "\"" +
      (is_value || !elsewhere.empty() ? "" : did_you_mean(usual, option_names(command)));
  if (usual == "--version") return usage_error("unknown-option", what, "Write attn --version.");
  if (command.name.empty())
    return usage_error("unknown-option", what, "attn help COMMAND lists the options of a command.");
  const std::string right = elsewhere.empty() ? right_option(command, word, line) : elsewhere;
  return usage_error(
      "unknown-option", what,
      right.empty() ? title(command) + " --help lists all options." : "Write " + right + ".");
}

/// A command's option, where no command is named.
Error missing_command(const std::string& name) {
  return usage_error("missing-command", "there is no command before the option \"" + name + "\"",
                     "Name one first: attn explain " + name + " …");
}

Error extra_argument(const Command& command, const std::string& word, const CommandLine& line) {
  std::string fix = advice_on_values(word, line, command);
  const std::string meant = as_option(word, word_after(word, line), command);
  if (fix.empty() && !meant.empty()) fix = "Write " + meant + ".";
  const auto is_word = [](const std::string& each) {
    return each.find_first_of("./0123456789") == each.npos;
  };
  const bool text = find_option(command.options, "--text") != nullptr && command.operand != "DIR" &&
                    std::all_of(line.words.begin() + 1, line.words.end(), is_word);
  if (fix.empty() && text)
    fix = "For text, write --text \"" + separated({line.words.begin() + 1, line.words.end()}, " ") +
          "\".";
  const bool sides = asks_for("--left", line) || asks_for("--right", line);
  if (fix.empty() && !sides && find_option(command.options, "--right") != nullptr)
    fix = "For two files, write " + title(command) + " --left " + line.words[1] + " --right " +
          word + ".";
  const std::string one = command.operand_examples != nullptr ? "Give one name"
                          : command.operand == "DIR"          ? "Name one folder"
                                                              : "Name one file";
  if (fix.empty() && command.operand == "[TEXT]")
    fix = "Write the text in quotation marks: " + title(command) + " \"" +
          separated({line.words.begin() + 1, line.words.end()}, " ") + "\".";
  if (fix.empty() && command.name == "convert")
    fix = "Write attn convert " + shell_word(line.words[1]) + " -o " + shell_word(word) + ".";
  if (fix.empty() && command.name == "new" && find_sample(word) != nullptr)
    fix = "Write attn new --sample " + std::string(find_sample(word)->name) + ".";
  if (fix.empty() && !command.operand.empty())
    fix = one + " at most: " + title(command) + " " + command.operand + ".";
  return usage_error("extra-argument",
                     title(command) + " does not know what to do with \"" + word + "\"",
                     fix.empty() ? "Leave it out." : fix);
}

/// Throws if the operand is not a file but looks like one more value of the option before it.
void check_operand(const Command& command, const std::string& word, const CommandLine& line) {
  if (command.operand.empty() || command.operand_examples != nullptr) return;
  std::error_code failed;
  if (word == "-" || std::filesystem::exists(word, failed)) return;
  if (advice_on_values(word, line, command).empty()) return;
  throw extra_argument(command, word, line);
}

Error missing_value(const OptionRow& option, const std::string& name) {
  const Words values = examples_of(option);
  const auto example = std::find_if(values.begin(), values.end(),
                                    [](const std::string& each) { return each != "none"; });
  return usage_error("missing-value", name + " needs a value: " + name + " " + option.value,
                     example == values.end()
                         ? "Write the value after it; after an equals sign if it begins with -."
                         : "Write " + name + " " + *example + ", for example.");
}

/// Checks that every option is one of the command's, and has a value exactly if it takes one.
void check_each(const Command& command, const CommandLine& line) {
  for (const GivenOption& given : line.options) {
    const std::string name = last_name(given.names);
    const OptionRow* row = row_of(given, command);
    if (row == nullptr)
      throw command.name.empty() ? missing_command(name) : unknown_option(command, name, line);
    if (row->value.empty() && given.value)
      throw usage_error("option-value", name + " takes no value", "Write " + name + " alone.");
    if (!row->value.empty() && !given.value) throw missing_value(*row, name);
  }
}

/// Checks that no single-valued option is given two different values.
void check_twice(const Command& command, const CommandLine& line) {
  for (auto given = line.options.begin(); given != line.options.end(); ++given) {
    if (row_of(*given, command)->again != Again::Refused) continue;
    const auto other = std::find_if(given, line.options.end(), [&](const GivenOption& each) {
      return each.names == given->names && each.value != given->value;
    });
    if (other == line.options.end()) continue;
    throw usage_error("option-twice",
                      last_name(given->names) + " is given twice: \"" + *given->value +
                          "\" and \"" + *other->value + "\"",
                      kKeepOne);
  }
}

void check_conflicts(const Command& command, const CommandLine& line) {
  for (const Conflict& conflict : command.conflicts) {
    if (!asks_for(conflict.one, line) || !asks_for(conflict.other, line)) continue;
    throw usage_error("option-conflict",
                      std::string(conflict.one) + " and " + conflict.other +
                          " do not go together: " + conflict.why,
                      kKeepOne);
  }
}

/// Refuses a value that is none of the option's words, but one of another option's.
void check_value(const Command& command, const OptionRow& row, const GivenValue& given) {
  if (row.choices.empty() || !exact_choice(given, row.choices).empty() ||
      !suggestions(given.value, row.choices).empty())
    return;
  const std::string meant = as_option(given, "", command);
  if (meant.empty()) return;
  throw usage_error(
      "option-value", given.name + " cannot be \"" + given.value + "\"",
      "Write " + meant + "; or choose one of " + listed(row.choices, row.choices.size()) + ".");
}

/// Sets an option; what --set refuses may be another option of the command.
void set_with_advice(const Command& command, const OptionRow& row, const GivenValue& given) {
  try {
    set(row, given);
  } catch (const Error& error) {
    std::vector<Diagnostic> all = error.diagnostics();
    if (all.front().id != "unknown-key" || row.names != "--set") throw;
    for (const KeyValue& each : parse_settings(given)) {
      const OptionRow* option = find_option(command.options, "--" + each.key);
      const bool named = all.front().what.find('"' + each.key + '"') != std::string::npos;
      if (option == nullptr || !named) continue;
      const std::string value = option->value.empty() ? "" : " " + each.value;
      all.front().what = each.key + " is an option of its own, not a setting of the problem";
      all.front().fix = "Write --" + each.key + value + ".";
      break;
    }
    throw Error(error.kind(), std::move(all));
  }
}

}  // namespace

void set(const OptionRow& option, const GivenValue& given) {
  if (option.choices.empty() || contains(option.choices, given)) return option.set(given);
  const std::string exact = exact_choice(given, option.choices);
  if (!exact.empty()) return option.set({given.name, exact, given.mark});
  throw unknown_choice(given.name, given, option.choices);
}

CommandLine split(const Words& args) {
  const bool has_options = std::any_of(args.begin(), args.end(),
                                       [](const std::string& arg) { return arg.starts_with('-'); });
  CommandLine line;
  if (!has_options) line.words = args;  // rows and CLI11 would take a tenth of a short run
  if (has_options) line = split(options_of_commands(args), args);
  if (!line.unknown.empty()) line = split(options_of_all(args), args);
  join_names(line.words);
  line.args = args;
  return line;
}

CommandLine with_exact_spellings(const CommandLine& line, const Command& command) {
  Words args;
  bool changed = false;
  const auto end = std::find(line.args.begin(), line.args.end(), "--");
  for (auto word = line.args.begin(); word != end; ++word) {
    const std::string name = word->substr(0, word->find('='));
    const bool known = !word->starts_with("-") || word->size() <= 2 ||
                       find_option(command.options, name) != nullptr;
    const std::string next = word + 1 == end ? "" : *(word + 1);
    const ExactSpelling exact = known ? ExactSpelling() : exact_spelling(*word, next, command);
    changed = changed || !exact.words.empty();
    exact.words.empty() ? args.push_back(*word)
                        : void(args.insert(args.end(), exact.words.begin(), exact.words.end()));
    word += exact.takes_next ? 1 : 0;
  }
  args.insert(args.end(), end, line.args.end());
  return changed ? split(args) : line;
}

const OptionRow* find_option(const std::vector<OptionRow>& options, const std::string& name) {
  const auto at = std::find_if(options.begin(), options.end(), [&](const OptionRow& option) {
    return contains(names_of(option), name);
  });
  return at == options.end() ? nullptr : &*at;
}

bool asks_for(const std::string& name, const CommandLine& line) {
  return std::any_of(line.options.begin(), line.options.end(),
                     [&](const GivenOption& given) { return last_name(given.names) == name; });
}

Words given_names(const CommandLine& line) {
  Words names;
  for (const GivenOption& given : line.options) names.push_back(last_name(given.names));
  return names;
}

const CommandRow* named_command(const CommandLine& line) {
  for (const std::string& word : line.words) {
    if (const CommandRow* row = find_command(word)) return row;
  }
  return nullptr;
}

CommonOptions common_options_in(const CommandLine& line) {
  CommonOptions common;
  Command bare;
  add_common_options(bare, common);
  for (const GivenOption& given : line.options) {
    const OptionRow* row = row_of(given, bare);
    if (row == nullptr || row->value.empty() == given.value.has_value()) continue;
    try {
      set(*row, {first_name(given.names), given.value.value_or("")});
    } catch (const Error&) {  // reported by whoever needs the option
    }
  }
  return common;
}

void read_into(const Command& command, const CommandLine& line) {
  const bool has_parts = !parts_of(command.name).empty();
  if (has_parts && line.words.size() > 1) command.set_operand(line.words[1]);  // throws: no part
  if (!line.unknown.empty()) throw unknown_option(command, line.unknown.front(), line);
  check_each(command, line);
  check_twice(command, line);
  check_conflicts(command, line);
  for (const GivenOption& given : line.options) {
    const OptionRow& row = *row_of(given, command);
    const GivenValue value{first_name(given.names), given.value.value_or("")};
    check_value(command, row, value);
    set_with_advice(command, row, value);
  }
  const std::size_t most = command.operand.empty() ? 1 : 2;  // with the name of the command
  if (line.words.size() > most && !command.operand.ends_with("…")) {
    if (command.operand_examples != nullptr) command.set_operand(line.words[1]);  // throws if wrong
    throw extra_argument(command, line.words[most], line);
  }
  for (std::size_t i = 1; i < line.words.size(); ++i) {
    check_operand(command, line.words[i], line);
    command.set_operand(line.words[i]);
  }
}

}  // namespace attn::app
