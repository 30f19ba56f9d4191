// Reads the pages of topics, and finds the one about a word.
#include "help/topics.hpp"

#include <algorithm>
#include <array>

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

/// Where a section of the steps begins; a step belongs to the section that its place is in.
struct SectionRow {
  std::string_view name;  // the id of its first step
  const char* heading;
  bool of_model;
};
constexpr std::array kSections{
    SectionRow{"token_embeddings", "Embeddings", true},
    SectionRow{"x", "What goes in", false},
    SectionRow{"q_latent", "Latents", false},
    SectionRow{"q", "Queries, keys and values", false},
    SectionRow{"gate_logits", "A gate", false},
    SectionRow{"scores", "Scores", false},
    SectionRow{"sink_weights", "Weights", false},
    SectionRow{"context", "What comes out", false},
    SectionRow{"residual", "Layers", true},
    SectionRow{"raw_logits", "Predictions", true},
    SectionRow{"word_direction", "Looks inside", true},
};

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

std::vector<StepSection> step_sections() {
  std::vector<StepSection> sections;
  for (const std::string& id : step_ids()) {
    const SectionRow* row = find_row(kSections, id);
    if (row != nullptr) sections.push_back({row->heading, row->of_model, {}});
    sections.back().ids.push_back(id);
  }
  return sections;
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
  for (const StepSection& section : step_sections()) {
    if (has(section.ids)) return find_row(topics(), section.of_model ? "model-steps" : "steps");
  }
  return nullptr;
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
