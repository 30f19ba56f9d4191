// The topics of attn help: parts of the pages in docs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/document.hpp"
#include "attn/teach/mistakes.hpp"

namespace attn::app {

/// A page of Markdown that is compiled in.
struct HelpPage {
  std::string_view name, text;
};
std::span<const HelpPage> help_pages();    ///< parts of docs/*.md, cut out by help/topics.cmake
std::span<const HelpPage> errors_files();  ///< docs/errors.md
std::span<const HelpPage> words_files();   ///< docs/words.md

/// A page of `attn help TOPIC`. Lines that begin with "  attn " are commands that run.
struct Topic {
  std::string name;
  std::string summary;             ///< one line for the list of topics: what its title says
  std::vector<std::string> words;  ///< others that lead to it: "html"; "evidence." begins them
  std::string_view text;
};

/// Every topic, in the order in which to read them.
const std::vector<Topic>& topics();

/// A part of the page of steps, from the input of an attention to its output, or of the page of
/// whole models, which has all others.
struct StepSection {
  std::string heading;
  bool of_model;
  std::vector<std::string> ids;
};
std::vector<StepSection> step_sections();

/// The topic whose page is about a step, a mask, a kind of positions or a word that people try,
/// such as "infinity"; nullptr for other words.
const Topic* topic_about(const std::string& word);

/// All names of the entries in docs/words.md.
std::vector<std::string> words();

/// The entry of a word in docs/words.md, such as "query"; nullopt: there is none.
std::optional<Document> word_page(const std::string& word);

/// What `attn help TOPIC` prints: at 80 columns at most 60 lines, or sections of at most 24.
Document topic_page(const Topic& topic);

/// What a comment in a topic's page stands for: "steps" for the table of all steps. None for
/// "also: html, markdown", the topic's `words`; nullopt for other text.
std::optional<std::vector<Block>> topic_blocks(const std::string& comment);

/// What `attn help CODE` prints about a mistake.
Document mistake_page(const Mistake& mistake);

}  // namespace attn::app
