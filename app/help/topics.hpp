// The topics of attn help.
#pragma once

#include <span>
#include <string>

#include "attn/mistakes.hpp"

namespace attn::app {

/// A page of `attn help TOPIC`. Lines that begin with "  attn " are commands that run.
struct Topic {
  const char* name;
  const char* summary;    ///< one line for the list of topics
  std::string (*text)();  ///< at most 60 lines of at most 79 cells
};

/// Every topic, in the order in which to read them.
std::span<const Topic> topics();

/// The topic whose page is about a step, a mask, a kind of positions or a word that people try,
/// such as "infinity"; nullptr for other words.
const Topic* topic_about(const std::string& word);

/// What `attn help CODE` prints about a mistake.
std::string mistake_page(const Mistake& mistake);

// The pages.
std::string accessibility_page();
std::string attention_page();
std::string gradients_page();
std::string masks_page();
std::string models_page();
std::string mistakes_page();
std::string shapes_page();
std::string json_page();
std::string steps_page();
std::string colors_page();
std::string errors_page();
std::string pytorch_page();
std::string kinds_page();
std::string why_page();
std::string teachers_page();
std::string documents_page();

}  // namespace attn::app
