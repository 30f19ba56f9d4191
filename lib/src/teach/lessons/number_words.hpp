// Words for numbers in English, German and Chinese, in small letters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// The figures of a word for a number, "2" for "two"; of Chinese numerals, "12" for 十二.
std::optional<std::string> figure_of(std::string_view word);

/// The numbers that a word names: one for "two", none for other words. In a run of Chinese those
/// that count something or end it, 六个数 and 等于六, but not 第六, 一样 or 三分之一.
std::vector<double> numbers_in_words(std::string_view word);

/// 5 for "fifth", "fünften", "5th", and for "5" if it `counts` rows. nullopt for what is no
/// ordinal.
std::optional<int> ordinal_of(std::string_view word, bool counts);

/// Chinese with "#5" for 第五, apart from what is around it; in one piece if there is none.
std::vector<std::string> with_chinese_ordinals(const std::string& text);

}  // namespace attn
