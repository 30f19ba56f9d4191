// The pages that list everything, and which page a name means.
#include "help/help.hpp"

#include "attn/mistakes.hpp"
#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"
#include "attn/tool/text.hpp"
#include "commands.hpp"
#include "files/files.hpp"
#include "help/error_pages.hpp"
#include "help/topics.hpp"

namespace attn::app {
namespace {

constexpr const char* kHeadline = "attn - see attention computed, step by step\n";

std::string line(const std::string& name, const std::string& summary) {
  return "  " + pad_right(name, 15) + summary + "\n";
}

/// "Commands: explain, heatmap, …", wrapped.
std::string in_a_row(const std::string& what, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& part : wrapped(what + ": " + separated(names, ", "), 79, 77)) {
    text += (text.empty() ? "" : "  ") + part + "\n";
  }
  return text;
}

/// All commands and topics.
std::string long_help() {
  std::string text =
      kHeadline +
      example_lines({
          {"attn explain --mask causal", "all steps on a built-in sample"},
          {"attn new --sample 01-one-head -o mine.json", "a problem of your own to edit"},
          {"attn explain mine.json --cell cat,the", "how one number is made"},
          {"attn explain mine.json -o trace.json", "the numbers for other programs"},
      });
  text += "\nCommands:\n";
  for (const std::string& name : main_commands()) text += line(name, find_command(name)->summary);
  text += "\nTopics:\n";
  for (const Topic& topic : topics()) text += line(topic.name, topic.summary);
  CommonOptions common;
  Command bare;
  add_common_options(bare, common);
  add_rows(bare, Group::Common, {flag("--version", "versions of attn and its parts", [] {})});
  return text + option_groups(bare.options) +
         "\nattn help NAME says more about a command, a topic, an error or a mistake.\n";
}

Error unknown_topic(const std::string& name) {
  return usage_error("unknown-topic",
                     "there is no help page \"" + name + "\"" + did_you_mean(name, page_names()),
                     "For a list of all pages, run attn help.");
}

}  // namespace

std::string short_help() {
  return kHeadline +
         example_lines({{"attn explain --mask causal", "all steps on a built-in sample"},
                        {"attn explain --cell weights:1,0", "how one number is made"},
                        {"attn new --list", "more samples"},
                        {"attn lesson", "guided experiments, the natural next step"}}) +
         "\n" + in_a_row("Commands", main_commands()) + in_a_row("Topics", names_in(topics())) +
         "\nattn help NAME says more about any of them; attn --help shows everything.\n";
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

std::string help_on(const std::string& name) {
  if (name == "help") return long_help();
  if (const CommandRow* row = find_command(name)) {
    CommonOptions common;
    return command_help(make_command(*row, common));
  }
  if (const Topic* topic = find_row(topics(), name)) return topic->text();
  if (const ErrorPage* page = find_error_page(name)) return error_page_text(*page);
  if (const Mistake* mistake = find_mistake(name)) return mistake_page(*mistake);
  if (const Topic* topic = topic_about(name)) return topic->text();
  throw unknown_topic(name);
}

std::string brief_help_on(const std::string& name) {
  const CommandRow* row = find_command(name);
  if (row == nullptr || name == "help") return short_help();
  CommonOptions common;
  return brief_command_help(make_command(*row, common));
}

void print_page(const std::string& page, const Streams& streams) {
  const bool to_stdout = is_stdout(streams.common.output);
  const bool ascii = streams.common.ascii || (to_stdout && !streams.terminal.utf8);
  const std::ptrdiff_t width =
      streams.common.width.value_or(to_stdout ? streams.terminal.width : 80);
  write_output(streams.common.output, narrowed(page, width, ascii), streams);
}

}  // namespace attn::app
