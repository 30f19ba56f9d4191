// Reads docs/errors.md. Its examples are for the page and its test.
#include "help/error_pages.hpp"

#include "attn/render/markdown.hpp"
#include "help/help.hpp"
#include "help/topics.hpp"

namespace attn::app {
namespace {

/// What follows `lead` in the text, or "".
std::string after(const std::string& lead, const std::string& text) {
  return text.starts_with(lead) ? text.substr(lead.size()) : "";
}

std::vector<ErrorPage> read_pages(std::string_view markdown) {
  std::vector<ErrorPage> pages;
  std::string group;
  const InsertBlocks none = [](const std::string&) { return std::vector<Block>{}; };
  for (const Block& block : read_markdown(markdown, none).blocks) {
    const auto* title = std::get_if<Title>(&block);
    if (title != nullptr && title->level == 2) group = title->text;
    if (title != nullptr && title->level == 3) pages.push_back({.group = group, .id = title->text});
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (pages.empty() || paragraph == nullptr || group != pages.back().group) continue;
    ErrorPage& page = pages.back();
    const std::string &text = paragraph->text, fix = after("Fix: ", text);
    if (!fix.empty()) page.fix = fix;
    if (page.fix.empty()) page.sentence += (page.sentence.empty() ? "" : " ") + text;
    if (const std::string help = after("More: ", text); !help.empty()) page.help = help;
  }
  return pages;
}

}  // namespace

const std::vector<ErrorPage>& error_pages() {
  static const std::vector<ErrorPage> pages = read_pages(errors_files().front().text);
  return pages;
}

std::optional<ErrorPage> find_error_page(const std::string& id) {
  // Only this page is read: the error may be that there is no memory left.
  const std::string_view all = errors_files().front().text;
  const std::size_t begin = all.find("\n### " + id + "\n");
  if (begin == all.npos) return std::nullopt;
  const std::size_t group = all.rfind("\n## ", begin) + 1, end = all.find("\n##", begin + 1);
  const std::string group_title(all.substr(group, all.find('\n', group) - group));
  return read_pages(group_title + "\n" + std::string(all.substr(begin, end - begin))).front();
}

std::vector<std::vector<std::string>> exit_codes() {
  const std::string_view all = errors_files().front().text;
  const std::size_t begin = all.find("\n## Exit codes\n") + 1, end = all.find("\n## ", begin);
  return std::get<Table>(read_markdown(all.substr(begin, end - begin)).blocks.back()).rows;
}

Document error_page(const ErrorPage& page) {
  Table table = terms({{"fix", page.fix}});
  if (!page.help.empty()) table.rows.push_back({"more", page.help});
  return {{Title{"error[" + page.id + "] - " + page.group},
           Paragraph{.text = page.sentence, .apart = true}, table,
           Paragraph{"attn help errors lists all of these words.", Role::Footer}}};
}

}  // namespace attn::app
