#pragma once

#include <span>
#include <string>

namespace attn::app {

/// A word in error[…]. The page of errors, `attn help WORD` and docs/errors.md follow from this
/// row.
struct ErrorWord {
  const char* id;        ///< "shape-mismatch"; empty in the headline of a group
  const char* sentence;  ///< what it means
  const char* fix;       ///< what to do in general
  const char* page;      ///< the topic or command of `attn help` that tells more; may be empty
};

/// Every word that an error can have, in groups, each after its headline.
std::span<const ErrorWord> error_words();

/// The row of a word, or nullptr.
const ErrorWord* find_error_word(const std::string& id);

/// What `attn help WORD` prints.
std::string error_word_page(const ErrorWord& word);

/// "attn help shapes": the command that tells more about an error; "" if there is none.
std::string help_about(const std::string& id);

}  // namespace attn::app
