// Reads the pages of topics, and finds the one about a word.
#include "help/topics.hpp"

#include <algorithm>

#include "attn/mask.hpp"
#include "attn/phrases.hpp"
#include "attn/render/markdown.hpp"
#include "attn/setting_names.hpp"
#include "attn/trace.hpp"
#include "options/option_row.hpp"

namespace attn::app {
namespace {

/// What is between `begin` and `end` in a text; "" if they are not in it.
std::string between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t at = text.find(begin);
  if (at == text.npos) return "";
  const std::size_t first = at + begin.size();
  return std::string(text.substr(first, text.find(end, first) - first));
}

std::vector<Topic> read_topics() {
  std::vector<Topic> topics;
  for (const HelpPage& page : help_pages()) {
    Topic topic{std::string(page.name), between(page.text, " - ", "\n"), {}, page.text};
    for (const std::string& word : split_at_commas(between(page.text, "<!-- also:", " -->")))
      if (!word.empty()) topic.words.emplace_back(trimmed(word));
    topics.push_back(std::move(topic));
  }
  return topics;
}

constexpr std::string_view kWord = "\n## ";  // begins an entry of docs/words.md

bool leads_to(const Topic& topic, const std::string& word) {
  return std::any_of(topic.words.begin(), topic.words.end(), [&](const std::string& each) {
    return word == each || (each.ends_with('.') && word.starts_with(each));
  });
}

}  // namespace

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = read_topics();
  return all;
}

std::vector<std::string> page_of_steps(bool of_model) {
  std::vector<std::string> ids;
  bool in_attention = false;
  for (const std::string& id : step_ids()) {
    const StepRole role = find_step_info(id)->role;
    if (role == StepRole::QueryInput) in_attention = true;
    if (role == StepRole::Residual) in_attention = false;
    if (in_attention != of_model) ids.push_back(id);
  }
  return ids;
}

const Topic* topic_about(const std::string& word) {
  const std::string name = lowered(word);
  for (const Topic& topic : topics()) {
    if (leads_to(topic, name)) return &topic;
  }
  const std::vector<std::string> kinds = words_of<PositionKind>();
  const auto has = [&](const auto& words) {
    return std::find(words.begin(), words.end(), name) != words.end();
  };
  if (find_row(mask_kinds(), name) != nullptr) return find_row(topics(), "masks");
  if (has(kinds)) return find_row(topics(), "json");
  if (has(page_of_steps(true))) return find_row(topics(), "model-steps");
  return has(page_of_steps(false)) ? find_row(topics(), "steps") : nullptr;
}

std::vector<std::string> words() {
  std::vector<std::string> all;
  std::string_view rest = words_files().front().text;
  for (std::size_t at = rest.find(kWord); at != rest.npos; at = rest.find(kWord)) {
    rest.remove_prefix(at + kWord.size());
    for (const std::string& name : split_at_commas(rest.substr(0, rest.find('\n'))))
      all.emplace_back(trimmed(name));
  }
  return all;
}

std::optional<Document> word_page(const std::string& word) {
  const std::string wanted = lowered(word);
  std::string_view rest = words_files().front().text;
  while (true) {
    const std::size_t at = rest.find(kWord);
    if (at == rest.npos) return std::nullopt;
    rest.remove_prefix(at + kWord.size());
    const std::string entry(rest.substr(0, rest.find(kWord)));
    const std::size_t line = entry.find('\n');
    const std::vector<std::string> names = split_at_commas(entry.substr(0, line));
    const auto is_wanted = [&](const std::string& name) { return trimmed(name) == wanted; };
    if (std::any_of(names.begin(), names.end(), is_wanted))
      return read_markdown("# " + std::string(trimmed(names.front())) + "\n" + entry.substr(line),
                           topic_blocks);
  }
}

Document topic_page(const Topic& topic) { return read_markdown(topic.text, topic_blocks); }

}  // namespace attn::app
