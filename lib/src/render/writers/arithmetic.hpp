// Expressions as arithmetic, in pieces between which a line may break.
#pragma once

#include <string>
#include <vector>

#include "attn/document.hpp"

namespace attn {

/// Text with one space between its pieces, where a line may be broken. A sign and its number
/// are one piece: "1·0", "+ 1·1", "/ √4"; so is an omission, "+ … 4 more …".
using Pieces = std::vector<std::string>;

/// The arithmetic of a derivation without its result, "(1·2 + 0.5·3) / √4"; then, if parts of it
/// are composed themselves, the same with their values, "3.5 / 2". Sums of more than `most_terms`
/// terms are shortened in the middle, "… 4 more …"; 0 = never.
std::vector<Pieces> arithmetic_stages(const Expression& expression, int precision,
                                      std::size_t most_terms);

/// Everything that is equal in a worked cell: names, arithmetic, number.
std::vector<Pieces> worked_stages(const Worked& worked, int precision, bool shorten);

/// The words of `text`.
Pieces words_of(const std::string& text);

}  // namespace attn
