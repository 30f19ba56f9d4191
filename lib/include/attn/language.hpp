// The language of what people read: English, or the language of a catalogue.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// The texts of one language. The key of a text is the English in the code, gaps included:
/// "the same as {step}". A text that is missing stays English.
struct Language {
  std::string code;  ///< "de"; empty: English
  std::string name;  ///< "Deutsch"
  std::map<std::string, std::string, std::less<>> texts;
  /// The same for sentences that reports hold, whose gaps are already filled.
  std::map<std::string, std::string, std::less<>> sentences;
  std::map<std::string, std::string> ascii;  ///< "ä" is "ae"; empty: 7 bits cannot write it
};

/// "en", then the codes of the catalogues that are compiled in.
std::vector<std::string> language_codes();

/// The catalogue of that code; for "en" and all other codes, English.
const Language& language_of(std::string_view code);

/// As long as it lives, texts for people are in `language`; with `ascii`, as far as 7 bits can
/// write it. There is one language at a time, for all threads.
class LanguageInUse {
 public:
  explicit LanguageInUse(const Language& language, bool ascii = false);
  LanguageInUse(const LanguageInUse&) = delete;
  LanguageInUse& operator=(const LanguageInUse&) = delete;
  ~LanguageInUse();

 private:
  Language own_;
  const Language* before_;
};

/// As long as it lives, decimals in texts for people have a comma, or a point, whatever the
/// language: as the sheets of an exercise have them.
class DecimalMarkInUse {
 public:
  explicit DecimalMarkInUse(bool comma);
  DecimalMarkInUse(const DecimalMarkInUse&) = delete;
  DecimalMarkInUse& operator=(const DecimalMarkInUse&) = delete;
  ~DecimalMarkInUse();

 private:
  bool before_;
};

/// `text` with the decimal mark in use: "±0,02" for "±0.02". Names such as h.0.5, versions such as
/// 1.2.3, and numbers next to letters keep their
/// points.
std::string with_decimal_mark(std::string text);

/// The code of the language in use, "en" for English: as HTML writes it.
std::string language_code();

/// A text that is translated later, where it is used: marks it for the test of the catalogues.
constexpr const char* in_catalogue(const char* text) { return text; }

/// Helpers of `translated`.
inline std::string gap_text(std::string text) { return text; }
std::string gap_text(std::integral auto number) { return std::to_string(number); }
std::string translated_with(std::string_view english, std::initializer_list<std::string> values);

/// `english` in the language in use, each {gap} filled with its value: values are in the order in
/// which the gaps first occur in the English text.
template <typename... Values>
std::string translated(std::string_view english, const Values&... values) {
  return translated_with(english, {gap_text(values)...});
}

/// In Chinese, `text` without the spaces between its characters, and beside signs that are as wide,
/// such as “ and ：, but not inside of “…”, which may be a name; otherwise as it is.
std::string without_loose_spaces(std::string text);

/// A sentence of a report, which is in English for programs, in the language in use: found as a
/// text, or as one whose gaps are filled, or sentence by sentence; otherwise it stays English. What
/// is in a gap called {what}, {where} or {kind} is translated, too, and "3 rows" in any gap.
/// Decimals in gaps get the mark in use, except in one called {typed}, which JSON must be able to
/// read.
std::string translated_sentence(const std::string& english);

/// A title or a description of several words, in the language in use if it is one of the project's
/// own, also with "(with --mask causal)" at its end; what others wrote stays as it is.
std::string translated_title(const std::string& english);

/// The sentences one after the other, without those that are empty: a space between them, but none
/// after the full stop of Chinese.
std::string sentences(const std::vector<std::string>& each);

/// "label: text" in the language in use; `text` alone without a label. The key is "{label}: ".
std::string labelled(const std::string& label, const std::string& text);

/// "text (remark)" in the language in use; `text` alone without a remark. The key is
/// "{text} ({remark})".
std::string with_remark(const std::string& text, const std::string& remark);

/// "a; b" in the language in use, without those that are empty. The key is "; ".
std::string clauses(std::vector<std::string> each);

/// "a, b" in the language in use, without those that are empty: what is said of one thing, such as
/// its name and its title. The key is "{one}, {other}"; things of a list are joined by ", ".
std::string comma_joined(std::vector<std::string> each);

/// "a, b and c" in the language in use. The keys are ", " and " and ".
std::string translated_list(const std::vector<std::string>& words);

/// "a, b or c", likewise. The keys are ", " and " or ".
std::string translated_choice(const std::vector<std::string>& words);

/// "1 head", "3 heads" in the language in use. The keys are "1 head" and "{n} heads".
std::string translated_count(std::ptrdiff_t count, std::string_view noun);

}  // namespace attn
