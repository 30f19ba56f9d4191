// A language in which nothing is said: what is still said was not translated.
#pragma once

#include <set>
#include <string>

#include "attn/language.hpp"

namespace attn::testing {

/// German, in which every text has lost its letters: those that remain were not translated.
Language silent();

/// Words of three letters or more that are no names, apart from what stays in English in every
/// language: what is between quotation marks, codes in brackets, pages of help.
std::set<std::string> words_left_in(const std::string& text, const std::set<std::string>& names);

}  // namespace attn::testing
