// Guesses what a stray word of the command line was meant to be.
#include "meant.hpp"

#include <algorithm>
#include <iterator>

#include "attn/phrases.hpp"
#include "attn/problem_options.hpp"
#include "attn/suggest.hpp"
#include "attn/teach/lesson.hpp"
#include "files/read_problem.hpp"
#include "help/topics.hpp"
#include "platform/shell.hpp"

namespace attn::app {
namespace {

using Words = std::vector<std::string>;

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

/// "window" of "window:2,1".
std::string stem(const std::string& value) { return value.substr(0, value.find(':')); }

/// An option as it was given, and the words after it.
struct Given {
  const OptionRow* option = nullptr;
  std::string name;
  Words values;
};

/// The option before `word`, with the words in between and all up to the next option.
Given option_before(const std::string& word, const CommandLine& line, const Command& command) {
  const auto begin = line.args.begin(), end = line.args.end();
  const auto is_option = [](const std::string& each) {
    return each.size() > 1 && each.starts_with("-");
  };
  const auto at = std::find(begin, end, word);
  const auto first = std::find_if(std::make_reverse_iterator(at), line.args.rend(), is_option);
  if (at == end || first == line.args.rend()) return {};
  const std::size_t equals = std::min(first->find('='), first->size());
  Given given;
  given.name = first->substr(0, equals);
  given.option = find_option(command.options, given.name);
  if (equals < first->size()) given.values.push_back(first->substr(equals + 1));
  given.values.insert(given.values.end(), first.base(), std::find_if(at, end, is_option));
  return given;
}

/// Whether the option can have `word` as one more value.
bool takes(const OptionRow& option, const std::string& word) {
  if (is_number(word)) return true;
  if (option.list == List::No && option.again != Again::Adds) return false;
  if (word.find_first_of("./") != word.npos) return false;  // a file
  const Words known = examples_of(option);
  return known.empty() || std::any_of(known.begin(), known.end(), [&](const std::string& each) {
           return stem(each) == stem(word);
         });
}

/// Whether the word is a sample's name in full, or its number with two digits.
bool is_whole_name(const std::string& word) {
  const Sample* sample = find_sample(word);
  return sample != nullptr && (sample->name == word || (is_number(word) && word.size() == 2));
}

/// Whether `word`, after the values before it, names a sample as surely as a file's name would: in
/// full; or in short, or with two digits, where it is no further value of the option.
bool is_sample(const std::string& word, const Given& given) {
  const Sample* sample = sample_named(word);
  if (sample == nullptr || sample->name == word) return sample != nullptr;
  if (!is_number(word)) {
    const Words known = examples_of(*given.option);
    return given.option->list != List::Words &&
           std::find(known.begin(), known.end(), word) == known.end();
  }
  const bool one = given.option->list == List::No && given.name != "--cell";
  const auto before = std::find(given.values.begin(), given.values.end(), word);
  return is_whole_name(word) &&
         (one || word.front() == '0' || std::none_of(given.values.begin(), before, is_number));
}

/// What begins with a word that is no command, but that people try.
struct Tried {
  std::string_view word, instead;
};
constexpr Tried kTried[] = {{"learn", "lesson"},     {"start", "lesson"}, {"tutorial", "lesson"},
                            {"demo", "lesson"},      {"guide", "lesson"}, {"quiz", "practice"},
                            {"show", "explain"},     {"run", "explain"},  {"visualize", "heatmap"},
                            {"plot", "heatmap"},     {"diff", "compare"}, {"grade", "check"},
                            {"version", "--version"}};

/// The name of a lesson, or its number.
bool is_lesson(const std::string& word) {
  if (find_row(lessons(), word) != nullptr) return true;
  for (std::size_t i = 1; i <= lessons().size(); ++i) {
    if (word == std::to_string(i)) return true;
  }
  return false;
}

bool is_page(const std::string& word) {
  const Words all = words();
  const bool listed = std::find(all.begin(), all.end(), lowered(word)) != all.end();
  return listed || find_row(topics(), word) != nullptr;
}

}  // namespace

std::string advice_on_command(const CommandLine& line) {
  const std::string& name = line.words.front();
  if (name.find_first_of("./") != name.npos)
    return "Put a command before the file: attn explain " + name + ".";
  const auto tried = std::find_if(std::begin(kTried), std::end(kTried),
                                  [&](const Tried& each) { return each.word == lowered(name); });
  if (tried != std::end(kTried)) return "Write attn " + std::string(tried->instead) + ".";
  const Words meant = suggestions(name, main_commands());
  const bool has_operand = line.words.size() > 1 && !meant.empty();  // attn token cats
  Words ways;
  if (is_lesson(name)) ways.push_back("attn lesson " + name);
  if (is_whole_name(name)) ways.push_back("attn explain " + name);
  if (is_page(name) && !has_operand) ways.push_back("attn help " + shell_word(name));
  if (!ways.empty()) return "Write " + separated(ways, ", or ") + ".";
  if (meant.empty()) return "attn explain shows a computation, attn lesson a guided experiment.";
  std::string all = "Write attn";
  bool found = false;
  for (const std::string& word : line.args) {
    all += " " + (!found && word == name ? meant.front() : shell_word(word));
    found = found || word == name;
  }
  return all + ".";
}

std::vector<std::string> examples_of(const OptionRow& option) {
  return option.examples ? option.examples() : option.choices;
}

std::string word_after(const std::string& word, const CommandLine& line) {
  const auto at = std::find(line.args.begin(), line.args.end(), word);
  const bool last = at == line.args.end() || at + 1 == line.args.end();
  return last || (at + 1)->starts_with("-") ? "" : *(at + 1);
}

std::string as_option(const std::string& word, const std::string& next, const Command& command) {
  const std::string value = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  for (const OptionRow& option : command.options) {
    if (option.group == Group::Common) continue;  // json is not meant as --error-format json
    for (const std::string& each : examples_of(option)) {
      const std::string name = names_of(option).back() + " ";
      if (each == value) return name + value;
      const bool kind = stem(each) == stem(value) && stem(each) != each;
      if (kind && value != stem(value)) return name + value;
      if (kind) return name + (is_number(next) ? value + ":" + next : each);
    }
  }
  return "";
}

namespace {

bool has_value(const OptionRow& option, const std::string& value) {
  const Words known = examples_of(option);
  return std::find(known.begin(), known.end(), value) != known.end();
}

/// The only option that `matches`; nullptr if there is none, or more than one.
template <class Matches>
const OptionRow* only_option(const Command& command, Matches matches) {
  const OptionRow* found = nullptr;
  for (const OptionRow& option : command.options) {
    if (option.group == Group::Common || option.group == Group::Unlisted || !matches(option))
      continue;
    if (found != nullptr) return nullptr;
    found = &option;
  }
  return found;
}

/// The name as the command has it: "--mask" of "-mask", "--color" of "--colour"; "" if it has none.
std::string own_name(std::string name, const Command& command) {
  if (!name.starts_with("--")) name.insert(0, "-");
  if (const std::size_t at = name.find("colour"); at != name.npos) name.erase(at + 4, 1);
  return find_option(command.options, name) == nullptr ? "" : name;
}

/// Whether the word is the value of the option that comes after a space.
bool is_value(const std::string& word) { return !word.empty() && !word.starts_with("--"); }

}  // namespace

ExactSpelling exact_spelling(const std::string& word, const std::string& next,
                             const Command& command) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string name = word.substr(0, equals), value = word.substr(equals);
  if (const std::string own = own_name(name, command); !own.empty()) return {{own + value}};
  if (!word.starts_with("--")) return {};
  const std::string bare = word.substr(2);
  if (bare.starts_with("no-")) {
    const OptionRow* option = find_option(command.options, "--" + bare.substr(3));
    if (option != nullptr && has_value(*option, "none")) return {{"--" + bare.substr(3), "none"}};
  }
  const auto takes_it = [&](const OptionRow& each) {
    return has_value(each, bare) || !exact_choice(bare, examples_of(each)).empty();
  };
  if (const OptionRow* option = only_option(command, takes_it))
    return {{names_of(*option).back(),
             has_value(*option, bare) ? bare : exact_choice(bare, examples_of(*option))}};
  const auto has_kind = [&](const OptionRow& each) {
    const Words known = examples_of(each);
    return std::any_of(known.begin(), known.end(), [&](const std::string& example) {
      return stem(example) == bare && example != bare;
    });
  };
  const OptionRow* option = is_number(next) ? only_option(command, has_kind) : nullptr;
  if (option != nullptr) return {{names_of(*option).back(), bare + ":" + next}, true};
  const bool inside = !value.empty();
  if (find_option(command.options, "--set") == nullptr || !is_problem_key(name.substr(2)) ||
      (!inside && !is_value(next)))
    return {};
  return {{"--set", name.substr(2) + (inside ? value : "=" + next)}, !inside};
}

std::string exact_choice(const std::string& value, const std::vector<std::string>& choices) {
  constexpr std::pair<const char*, const char*> kSame[] = {
      {"half", "float16"}, {"fp16", "float16"},   {"single", "float32"}, {"fp32", "float32"},
      {"fp64", "float64"}, {"double", "float64"}, {"bf16", "bfloat16"},  {"md", "markdown"},
      {"tex", "latex"},    {"txt", "text"},       {"htm", "html"}};
  std::string exact = lowered(value);
  for (const auto& [theirs, ours] : kSame) {
    if (exact == theirs) exact = ours;
  }
  return std::find(choices.begin(), choices.end(), exact) == choices.end() ? "" : exact;
}

std::string advice_on_values(const std::string& word, const CommandLine& line,
                             const Command& command) {
  const Given given = option_before(word, line, command);
  if (given.option == nullptr || given.option->value.empty() || given.values.empty()) return "";
  const bool reads_problem = command.operand.find("PROBLEM") != std::string::npos;
  if (reads_problem && is_sample(word, given)) return "";
  const bool pair =
      given.name == "--query" && given.values.size() == 2 && word.find_first_of("./") == word.npos;
  if (pair && find_option(command.options, "--cell") != nullptr)
    return given.name + " takes one token. For a query and a key, write --cell " +
           separated(given.values, ",") + ".";
  const bool all = std::all_of(given.values.begin() + 1, given.values.end(),
                               [&](const std::string& each) { return takes(*given.option, each); });
  if (!all) return "";
  const bool commas =
      std::any_of(given.values.begin(), given.values.end(),
                  [](const std::string& each) { return each.find(',') != each.npos; });
  const std::string start = given.name + " ";
  if (given.name == "--cell" && given.values.size() == 3 && !commas)
    return "Write --cell " + given.values[0] + ":" + given.values[1] + "," + given.values[2] + ".";
  const bool bracket = given.values.front().find('[') != std::string::npos;  // "A[cat, the]"
  if (given.option->list == List::Words || bracket)
    return "Write " + start + "\"" + separated(given.values, " ") + "\".";
  if (given.option->list == List::Commas && given.values.front().ends_with(','))
    return "Write " + start + separated(given.values, "") + ".";
  if (given.option->list == List::Commas && !commas)
    return "Write " + start + separated(given.values, ",") + ".";
  if (given.option->again == Again::Adds)
    return "Write " + start + separated(given.values, " " + start) + ".";
  return given.name + " takes one value: write " + start + given.values.front() + ".";
}

}  // namespace attn::app
