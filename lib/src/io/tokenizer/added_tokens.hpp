// Tokens that were added to the trained ones: they are found in a text before it is split.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/tokenizer/stage.hpp"
#include "io/tokenizer/vocabulary.hpp"

namespace attn {

/// One of "added_tokens".
struct AddedToken {
  Index id = 0;
  std::string text;
  bool special = false;      ///< of the model's own, such as <|endoftext|>
  bool single_word = false;  ///< only where no word goes on
  bool takes_left = false;   ///< with the white space before it
  bool takes_right = false;  ///< and after it
  bool normalized = false;   ///< is looked for in the normalized text
  std::string pointer = {};  ///< where the file has it
};
/// Throws Error: ids "wrong-type", "missing-key", "out-of-range" (more than 1024 bytes).
std::vector<AddedToken> read_added_tokens(const json::Value& tokenizer);

/// A part of a text: a token, or what is between tokens.
struct Section {
  std::string text;
  const AddedToken* token = nullptr;
};

/// Finds some of the added tokens: the first in the text, of those the longest.
class TokenFinder {
 public:
  /// The text in which `token`, which must outlive the finder, is looked for.
  void add(const std::string& text, const AddedToken& token);
  std::vector<Section> sections(std::string_view text) const;

 private:
  struct Node {
    std::map<char, std::size_t> next;
    const AddedToken* token = nullptr;
  };
  struct Found {
    const AddedToken* token = nullptr;
    std::size_t bytes = 0;
  };
  Found longest_at(std::string_view text, std::size_t at) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);
};

}  // namespace attn
