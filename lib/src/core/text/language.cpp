// Texts in the language in use, with their gaps filled.
#include "attn/language.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>

#include "attn/phrases.hpp"
#include "core/text/ascii.hpp"

namespace attn {
namespace {

std::atomic<const Language*> in_use = nullptr;
std::atomic<bool> comma_in_use = false;

bool is_gap_name(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || c == '_'; });
}

/// Where the name of the next gap of `text` is, from `start` on; npos if there is none.
struct Gap {
  std::size_t begin, length;
};
Gap next_gap(std::string_view text, std::size_t start) {
  for (std::size_t open = text.find('{', start); open != text.npos;
       open = text.find('{', open + 1)) {
    const std::size_t close = text.find('}', open);
    if (close == text.npos) break;
    if (is_gap_name(text.substr(open + 1, close - open - 1))) return {open + 1, close - open - 1};
  }
  return {text.npos, 0};
}

/// The names of the gaps, each once.
std::vector<std::string_view> gaps_of(std::string_view text) {
  std::vector<std::string_view> names;
  for (Gap gap = next_gap(text, 0); gap.begin != text.npos; gap = next_gap(text, gap.begin)) {
    const std::string_view name = text.substr(gap.begin, gap.length);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string_view text_of(std::string_view english) {
  const Language* language = in_use;
  if (language == nullptr) return english;
  const auto at = language->texts.find(english);
  return at == language->texts.end() ? english : std::string_view(at->second);
}

std::string replaced(std::string text, const std::map<std::string, std::string>& spellings) {
  for (const auto& [letter, spelling] : spellings) {
    for (std::size_t at = text.find(letter); at != text.npos;
         at = text.find(letter, at + spelling.size()))
      text.replace(at, letter.size(), spelling);
  }
  return text;
}

}  // namespace

LanguageInUse::LanguageInUse(const Language& language, bool ascii) : before_(in_use) {
  if (!ascii) {
    in_use = language.code.empty() ? nullptr : &language;
    return;
  }
  own_.code = language.code;
  if (!language.ascii.empty()) {
    for (const auto& [key, text] : language.texts) own_.texts[key] = replaced(text, language.ascii);
    for (const auto& [key, text] : language.sentences)
      own_.sentences[key] = replaced(text, language.ascii);
  }
  in_use = own_.texts.empty() ? nullptr : &own_;
}

LanguageInUse::~LanguageInUse() { in_use = before_; }

DecimalMarkInUse::DecimalMarkInUse(bool comma) : before_(comma_in_use) { comma_in_use = comma; }

DecimalMarkInUse::~DecimalMarkInUse() { comma_in_use = before_; }

std::string with_decimal_mark(std::string text) {
  if (!comma_in_use) return text;
  const auto is_inside = [&](std::size_t at) {  // of a number or a name
    const char c = at < text.size() ? text[at] : ' ';
    return is_letter(c) || is_digit(c) || c == '.' || c == '_';
  };
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (text[begin] == '"')  // what somebody wrote, or should write
      begin = std::min(text.find('"', begin + 1), text.size() - 1);
    if (!is_inside(begin)) continue;
    std::size_t end = begin;
    while (is_inside(end)) ++end;
    std::size_t last = end;  // 2.5e of 2.5e-07; 0.5 of "0.5."
    if (last > begin && (text[last - 1] == 'e' || text[last - 1] == '.')) --last;
    const std::string_view word = std::string_view(text).substr(begin, last - begin);
    const std::size_t point = word.find('.');
    const bool is_number = point != 0 && point != word.npos && point + 1 < word.size() &&
                           word.find_first_not_of("0123456789", point + 1) == word.npos &&
                           word.find_first_not_of("0123456789") == point;
    if (is_number) text[begin + point] = ',';
    begin = end;
  }
  return text;
}

std::string language_code() {
  const Language* language = in_use;
  return language == nullptr ? "en" : language->code;
}

namespace {

/// Whether a Chinese character, or a sign of that width, begins or ends at `at`.
bool is_wide(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '\xE3' && text[at] <= '\xE9';
}
bool is_wide_sign(std::string_view text, std::size_t at) {
  const std::string_view sign = at < text.size() ? text.substr(at, 3) : "";
  return sign == "“" || sign == "”" || sign.starts_with("\xE3\x80") || sign == "，" ||
         sign == "：" || sign == "；" || sign == "（" || sign == "）" || sign == "？";
}

}  // namespace

std::string without_loose_spaces(std::string text) {
  if (language_code() != "zh") return text;
  for (std::size_t at = text.find(' '); at != text.npos; at = text.find(' ', at + 1)) {
    const std::size_t opened = text.rfind("“", at), closed = text.rfind("”", at);
    if (opened != text.npos && (closed == text.npos || closed < opened)) continue;  // a name
    const std::size_t before = at < 3 ? text.npos : at - 3, after = at + 1;
    if (is_wide_sign(text, before) || is_wide_sign(text, after) ||
        (is_wide(text, before) && is_wide(text, after)))
      text.erase(at--, 1);
  }
  constexpr std::string_view kBetweenQuoted = "”,“";  // nothing separates “a”“b”
  for (std::size_t at = 0; (at = text.find(kBetweenQuoted, at)) != text.npos;)
    text.erase(at + kBetweenQuoted.find(','), 1);
  return text;
}

namespace {

/// Adds a piece to a text, without a space at the seam that Chinese does not have. What is inside
/// a piece stays: it may be somebody's name, a token or a path.
void add_piece(std::string& text, std::string_view piece) {
  const bool ends = text.ends_with(' '), begins = piece.starts_with(' ');
  if (language_code() == "zh" && ends != begins) {
    const std::size_t before = text.size() - (ends ? 4 : 3), after = begins ? 1 : 0;
    const bool is_loose = is_wide_sign(text, before) || is_wide_sign(piece, after) ||
                          (is_wide(text, before) && is_wide(piece, after));
    if (is_loose && ends) text.pop_back();
    if (is_loose && begins) piece.remove_prefix(1);
  }
  text += piece;
}

/// "A, B and C" with these signs and words between them in the language in use.
std::string translated_between(std::string list, std::initializer_list<std::string_view> signs) {
  for (const std::string_view sign : signs) {
    const std::string own = translated(sign);
    for (std::size_t at = list.find(sign); at != list.npos; at = list.find(sign, at + own.size()))
      list.replace(at, sign.size(), own);
  }
  return list;
}

/// What fills a gap: names in quotation marks get those of the language in use, and what is between
/// steps, or words to choose from, is in it, too.
std::string filling(std::string_view gap, std::string_view value) {
  constexpr std::array<std::string_view, 8> kNames{"name", "names", "other",  "query",
                                                   "key",  "row",   "column", "words"};
  if (gap == "what" || gap == "where") return without_loose_spaces(std::string(value));
  if (gap == "steps") return translated_between(std::string(value), {", ", " and "});
  if (gap == "names" && value.find('"') == value.npos)
    return translated_between(std::string(value), {" and "});
  if (std::find(kNames.begin(), kNames.end(), gap) == kNames.end() || !value.starts_with('"') ||
      !value.ends_with('"') || std::count(value.begin(), value.end(), '"') % 2 != 0)
    return std::string(value);
  std::string all;
  while (!value.empty()) {  // what is between two names, a name
    const std::size_t begin = value.find('"'), end = value.find('"', begin + 1);
    const std::string between =
        gap == "words" ? translated(value.substr(0, begin)) : std::string(value.substr(0, begin));
    if (between != ", " || language_code() != "zh") add_piece(all, between);
    add_piece(all, translated("\"{name}\"", std::string(value.substr(begin + 1, end - begin - 1))));
    value.remove_prefix(end + 1);
  }
  return all;
}

}  // namespace

std::string translated_with(std::string_view english, std::initializer_list<std::string> values) {
  const std::string_view text = text_of(english);
  if (values.size() == 0) return std::string(text);
  const std::vector<std::string_view> names = gaps_of(english);
  std::string filled;
  std::size_t done = 0;
  for (Gap gap = next_gap(text, 0); gap.begin != text.npos; gap = next_gap(text, done)) {
    const auto name = std::find(names.begin(), names.end(), text.substr(gap.begin, gap.length));
    const auto index = static_cast<std::size_t>(name - names.begin());
    add_piece(filled, text.substr(done, gap.begin - 1 - done));
    if (index < values.size()) add_piece(filled, filling(*name, *(values.begin() + index)));
    done = gap.begin + gap.length + 1;
  }
  add_piece(filled, text.substr(done));
  return filled;
}

namespace {

/// What is in the gaps of `key` where `text` is that key with its gaps filled; nothing if it is
/// not.
std::optional<std::vector<std::string>> gaps_filled(std::string_view key, std::string_view text) {
  std::vector<std::string> values;
  std::size_t done = 0;
  for (Gap gap = next_gap(key, 0); gap.begin != key.npos; gap = next_gap(key, done)) {
    const std::string_view before = key.substr(done, gap.begin - 1 - done);
    if (!text.starts_with(before)) return std::nullopt;
    text.remove_prefix(before.size());
    done = gap.begin + gap.length + 1;
    const Gap next = next_gap(key, done);
    const bool last = next.begin == key.npos;
    const std::string_view after = key.substr(done, last ? key.npos : next.begin - 1 - done);
    const std::size_t end = !last ? text.find(after)
                            : text.size() >= after.size() && text.ends_with(after)
                                ? text.size() - after.size()
                                : text.npos;
    if (end == text.npos || end == 0) return std::nullopt;
    values.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return text == key.substr(done) ? std::optional(values) : std::nullopt;
}

/// "3 rows" as `translated_count` says it; anything else as it is.
std::string translated_if_counted(const Language& language, const std::string& value) {
  const std::size_t end = value.find_first_not_of("0123456789");
  if (end == 0 || end == value.npos || value[end] != ' ') return value;
  const auto one = language.texts.find(value);
  if (one != language.texts.end()) return one->second;
  const auto many = language.texts.find("{n}" + value.substr(end));
  return many == language.texts.end() ? value
                                      : translated_with(many->first, {value.substr(0, end)});
}

/// Whether what is in a gap is translated, too.
bool is_translated(std::string_view gap) {
  return gap == "what" || gap == "where" || gap == "kind";
}

/// Whether a gap holds more than a name or a number: the end of a sentence, and another one.
bool has_sentences(std::string_view gap, const std::string& value) {
  return gap != "what" && gap != "typed" && value.find(". ") != value.npos;
}

/// Whether what is to be typed comes with English around it, "--hint 4, for example": then another
/// sentence is needed, or it stays English as a whole.
bool has_words_around(std::string_view gap, const std::string& value) {
  constexpr std::array<const char*, 5> kJoining{" for ", " or ", " of ", " in ", " such as "};
  return gap == "typed" && !value.starts_with("attn ") &&
         std::any_of(kJoining.begin(), kJoining.end(),
                     [&](const char* word) { return value.find(word) != value.npos; });
}

/// Whether a text says something in English, and not only a name or a number: it begins with an
/// article, or has three words outside of quotation marks.
bool has_english_words(const std::string& text) {
  constexpr std::array<const char*, 3> kArticles{"a ", "an ", "the "};
  std::size_t words = 0, letters = 0;
  bool quoted = false, word = true;
  for (const char c : text + " ") {
    quoted = quoted != (c == '"');
    if (c != ' ') {
      const bool small = c >= 'a' && c <= 'z';
      word = word && (small || c == ',') && !quoted;
      letters += small;
      continue;
    }
    words += word && letters > 0;
    word = true;
    letters = 0;
  }
  return words > 2 || std::any_of(kArticles.begin(), kArticles.end(),
                                  [&](const char* article) { return text.starts_with(article); });
}

/// Whether what a gap has to say in words is in no catalogue, "an object such as {}": the sentence
/// then stays English as a whole.
bool stays_english(std::string_view gap, const std::string& value) {
  if ((gap != "what" && gap != "where") || in_use == nullptr) return false;
  return has_english_words(value) && translated_sentence(value) == value;
}

/// The sentence as one of those whose gaps are filled, in that language, or still in English if
/// that is in use; "" if it is none.
std::string by_pattern(const Language& language, std::string_view english) {
  const bool stays = in_use == nullptr;
  std::string best;
  std::size_t most = 0;  // characters outside of gaps
  for (const auto& [key, text] : language.sentences) {
    const auto values = gaps_filled(key, english);
    if (!values) continue;
    std::size_t inside = 0;
    for (const std::string& value : *values) inside += value.size();
    if (english.size() - inside < most) continue;
    const std::vector<std::string_view> gaps = gaps_of(key);
    bool names = true;
    for (std::size_t i = 0; i < gaps.size() && i < values->size(); ++i)
      names = names && !has_sentences(gaps[i], (*values)[i]) &&
              !has_words_around(gaps[i], (*values)[i]) && !stays_english(gaps[i], (*values)[i]);
    if (!names) continue;
    most = english.size() - inside;
    const std::string& pattern = stays ? key : text;
    std::size_t done = 0, index = 0;
    std::string filled;
    for (Gap gap = next_gap(pattern, 0); gap.begin != pattern.npos; gap = next_gap(pattern, done)) {
      const std::string_view name = std::string_view(pattern).substr(gap.begin, gap.length);
      index = static_cast<std::size_t>(std::find(gaps.begin(), gaps.end(), name) - gaps.begin());
      const std::string& value = values->at(index);
      const std::string text_of_gap =
          is_translated(name) ? translated_sentence(value)
          : name == "typed"   ? value
          : stays             ? with_decimal_mark(value)
                              : with_decimal_mark(translated_if_counted(language, value));
      add_piece(filled, std::string_view(pattern).substr(done, gap.begin - 1 - done));
      add_piece(filled, filling(name, text_of_gap));
      done = gap.begin + gap.length + 1;
    }
    add_piece(filled, std::string_view(pattern).substr(done));
    best = std::move(filled);
  }
  return best;
}

/// The text in that language, if it has all of it without gaps; otherwise "".
std::string by_whole(const Language& language, const std::string& english) {
  for (const auto* texts : {&language.texts, &language.sentences}) {
    const auto at = texts->find(english);
    if (at != texts->end()) return at->second;
  }
  return "";
}

}  // namespace

std::string translated_title(const std::string& english) {
  if (in_use == nullptr || english.find(' ') == english.npos) return english;
  const std::string whole = by_whole(*in_use, english);
  if (!whole.empty()) return whole;
  const std::string own = english.substr(0, english.rfind(" (with --"));
  return by_whole(*in_use, own).empty() ? english : translated_sentence(english);
}

std::string translated_sentence(const std::string& english) {
  const Language* language = in_use;
  if (english.empty() || (language == nullptr && !comma_in_use)) return english;
  if (language == nullptr) {  // the patterns of any language say where the numbers are
    const std::string whole = by_pattern(language_of("de"), english);
    return whole.empty() ? english : whole;
  }
  if (std::string whole = by_whole(*language, english); !whole.empty()) return whole;
  if (std::string whole = by_pattern(*language, english); !whole.empty()) return whole;
  const std::size_t end = english.find(". ");
  if (end == english.npos) return english;
  return sentences({translated_sentence(english.substr(0, end + 1)),
                    translated_sentence(english.substr(end + 2))});
}

}  // namespace attn
