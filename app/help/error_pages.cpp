// Reads docs/errors.md. Its examples are for the page and its test.
#include "help/error_pages.hpp"

#include <algorithm>
#include <sstream>

#include "attn/tool/text.hpp"

namespace attn::app {
namespace {

/// What follows `lead` in the line, or "".
std::string after(const std::string& lead, const std::string& line) {
  return line.starts_with(lead) ? line.substr(lead.size()) : "";
}

std::vector<ErrorPage> read_pages() {
  std::istringstream text(errors_markdown);
  std::vector<ErrorPage> pages;
  std::string group;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("## ")) group = after("## ", line);
    if (line.starts_with("### ")) pages.push_back({.group = group, .id = after("### ", line)});
    if (pages.empty() || line.empty() || line.starts_with("#")) continue;
    ErrorPage& page = pages.back();
    if (line.starts_with("Fix: ")) page.fix = after("Fix: ", line);
    if (page.fix.empty()) page.sentence += (page.sentence.empty() ? "" : " ") + line;
    if (line.starts_with("More: `")) page.help = after("More: `", line.substr(0, line.size() - 1));
  }
  return pages;
}

}  // namespace

std::string in_lines(const std::string& lead, const std::string& text) {
  const auto room = static_cast<std::ptrdiff_t>(79 - lead.size());
  std::string lines;
  for (const std::string& line : wrapped(text, room, room)) {
    lines += (lines.empty() ? lead : std::string(lead.size(), ' ')) + line + "\n";
  }
  return lines;
}

const std::vector<ErrorPage>& error_pages() {
  static const std::vector<ErrorPage> pages = read_pages();
  return pages;
}

const ErrorPage* find_error_page(const std::string& id) {
  const auto at = std::find_if(error_pages().begin(), error_pages().end(),
                               [&](const ErrorPage& page) { return page.id == id; });
  return at == error_pages().end() ? nullptr : &*at;
}

std::string error_page_text(const ErrorPage& page) {
  return "error[" + page.id + "] - " + page.group + "\n\n" + in_lines("", page.sentence) +
         in_lines("  fix   ", page.fix) + (page.help.empty() ? "" : "  more  " + page.help + "\n") +
         "\nattn help errors lists all of these words.\n";
}

}  // namespace attn::app
