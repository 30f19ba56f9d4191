// The pages that list everything, and which page a name means.
#include "help/help.hpp"

#include <algorithm>
#include <array>

#include "attn/core/version.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "attn/teach/mistakes.hpp"
#include "attn/writers.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "files/files.hpp"
#include "help/error_pages.hpp"
#include "help/topics.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

constexpr std::ptrdiff_t kNameWidth = 13;  // what commands and topics do lines up

Title headline() { return {"attn - " + purpose()}; }

/// All commands and topics.
Document long_help() {
  Document page{{headline()}};
  add_examples(
      page,
      std::array{
          Example{"attn explain --mask causal", "all steps on a built-in sample"},
          Example{"attn new --sample 01-one-head -o mine.json", "a problem of your own to edit"},
          Example{"attn explain mine.json --cell weights:1,0", "how one number is made"},
          Example{"attn explain mine.json -o trace.json", "the numbers for other programs"}});
  Table names = terms({});
  for (const std::string& name : main_commands())
    names.rows.push_back({name, find_command(name)->summary});
  names.left = kNameWidth;
  add_section(page, "Commands:", names);
  names.rows.clear();
  for (const Topic& topic : topics()) names.rows.push_back({topic.name, topic.summary});
  add_section(page, "Topics:", names);
  CommonOptions common;
  Command bare;
  add_common_options(bare, common);
  add_rows(bare, Group::Common, {flag("--version", "versions of attn and its parts", [] {})});
  add_option_groups(page, bare.options);
  page.blocks.emplace_back(Paragraph{
      "attn help NAME says more about a command, a topic, an error or a mistake.", Role::Footer});
  return page;
}

/// The command that lists the option of that name, with or without its dashes; "" if none does.
std::string list_with_option(const std::string& name) {
  const std::string bare = name.substr(std::min(name.size(), name.find_first_not_of('-')));
  CommonOptions common;
  for (const Command& command : every_command(common)) {
    const OptionRow* option = find_option(command.options, "--" + bare);
    if (option == nullptr) continue;
    return option->group == Group::Setting ? "attn help settings"
                                           : "attn " + command.name + " --help";
  }
  return "";
}

Error unknown_topic(const std::string& name) {
  if (const std::string list = list_with_option(name); !list.empty()) {
    return usage_error("unknown-topic", "there is no help page \"" + name + "\"",
                       "For the option of that name, run " + list + ".");
  }
  std::string meant = did_you_mean(name, page_names());
  if (meant.empty()) meant = did_you_mean(name, words());
  return usage_error("unknown-topic", "there is no help page \"" + name + "\"" + meant,
                     "For a list of all pages, run attn help.");
}

}  // namespace

Document short_help() {
  Document page{{headline()}};
  add_examples(page,
               std::array{Example{"attn explain --mask causal", "all steps on a built-in sample"},
                          Example{"attn explain --cell weights:1,0", "how one number is made"},
                          Example{"attn new --list", "more samples"},
                          Example{"attn lesson", "guided experiments, the natural next step"}});
  page.blocks.emplace_back(terms({{"Commands", separated(main_commands(), ", ")},
                                  {"Topics", separated(names_in(topics()), ", ")}}));
  page.blocks.emplace_back(Paragraph{
      "attn help NAME says more about any of them, and about words such as query or softmax; "
      "attn --help shows everything.",
      Role::Footer});
  return page;
}

std::vector<std::string> page_names() {
  std::vector<std::string> names = names_in(commands());
  for (const Topic& topic : topics()) names.emplace_back(topic.name);
  for (const ErrorPage& page : error_pages()) {
    if (page.id.find('-') != page.id.npos) names.push_back(page.id);
  }
  for (const Mistake& mistake : mistakes()) names.emplace_back(mistake.code);
  return names;
}

Document help_on(const std::string& name) {
  if (name == "help") return long_help();
  if (const CommandRow* row = find_command(name)) {
    CommonOptions common;
    return command_help(make_command(*row, common));
  }
  if (const Topic* topic = find_row(topics(), name)) return topic_page(*topic);
  if (const auto page = find_error_page(name)) return error_page(*page);
  if (const Mistake* mistake = find_mistake(name)) return mistake_page(*mistake);
  if (const auto page = word_page(name)) return *page;
  if (const Topic* topic = topic_about(name)) return topic_page(*topic);
  throw unknown_topic(name);
}

Document brief_help_on(const std::string& name) {
  const CommandRow* row = find_command(name);
  if (row == nullptr || name == "help") return short_help();
  CommonOptions common;
  return brief_command_help(make_command(*row, common));
}

void print_page(const Document& page, const Streams& streams) {
  TextStyle style = plain_style(streams.common.output, streams);
  style.width = std::min<std::ptrdiff_t>(style.width, 80);
  style.fit = Fit::Wrap;
  write_output(streams.common.output, write_text(page, style), streams);
}

}  // namespace attn::app
