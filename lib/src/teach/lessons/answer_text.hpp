// What a reader types as an answer: its words and its numbers, in English, German and Chinese.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// With the signs of ASCII in place of Chinese ones, without the quotation marks of others, and
/// with spaces between Chinese characters and what is not: "e的平方" is "e 的平方".
std::string with_plain_signs(std::string_view text);

/// Whether the words `expected` are in the answer, one after the other; "…" between them stands for
/// others, "all … −∞". "change" is in "changes", too; an answer that denies something is another
/// one. Words for yes and for no are equal in all languages, and have to come first. Figures are
/// equal to words for them, "null" to "0", and ordinals to their figures, "the fifth" to "5th".
bool has_words(const std::string& answer, const std::string& expected);

/// The numbers of an answer: of arithmetic, "2^3 = 8", or those that a sentence names and does not
/// deny: "not 0 but 1" has 1 alone, "1 ist es nicht" none. Of words for numbers only if there are
/// no figures.
std::vector<double> numbers_of_answer(const std::string& answer);

}  // namespace attn
