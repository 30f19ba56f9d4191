// Splits a text at what is found in it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/tokenizer/pattern.hpp"
#include "io/tokenizer/stage.hpp"

namespace attn {

/// A part of a text that was found, in bytes.
struct Cut {
  std::size_t begin = 0, end = 0;
};

/// Finds parts of a text, in order.
using CutAt = std::function<std::vector<Cut>(const std::string& text)>;

/// Where that text is; nowhere for an empty one.
CutAt cut_text(std::string part);
/// Where a pattern matches.
CutAt cut_published(const Pattern* pattern);
/// The same for the text of a pattern. Throws Error (id "not-supported") if no published tokenizer
/// splits with it.
CutAt cut_pattern(const json::Value& regex);
/// What is between those parts.
CutAt between(CutAt cut);

/// What becomes of the parts that were found.
enum class Keep {
  Apart,         ///< each is a piece
  Nothing,       ///< they are dropped
  WithPrevious,  ///< each ends the piece before it
  WithNext,      ///< each begins the piece after it
  Together,      ///< those that touch are one piece
};

/// Adds the pieces of a text that is split at the cuts; none is empty.
void split_at(const std::string& text, const std::vector<Cut>& cuts, Keep keep, Pieces& pieces);

/// The text with `to` in place of each `from`.
std::string replaced(std::string_view text, std::string_view from, std::string_view to);

}  // namespace attn
