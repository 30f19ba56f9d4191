// Texts in the language in use, with their gaps filled.
#include "attn/language.hpp"

#include <algorithm>
#include <atomic>

#include "attn/phrases.hpp"
#include "core/text/ascii.hpp"

namespace attn {
namespace {

std::atomic<const Language*> in_use = nullptr;

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
  }
  in_use = own_.texts.empty() ? nullptr : &own_;
}

LanguageInUse::~LanguageInUse() { in_use = before_; }

std::string language_code() {
  const Language* language = in_use;
  return language == nullptr ? "en" : language->code;
}

std::string translated_with(std::string_view english, std::initializer_list<std::string> values) {
  const std::string_view text = text_of(english);
  if (values.size() == 0) return std::string(text);
  const std::vector<std::string_view> names = gaps_of(english);
  std::string filled;
  std::size_t done = 0;
  for (Gap gap = next_gap(text, 0); gap.begin != text.npos; gap = next_gap(text, done)) {
    const auto name = std::find(names.begin(), names.end(), text.substr(gap.begin, gap.length));
    const auto index = static_cast<std::size_t>(name - names.begin());
    filled += text.substr(done, gap.begin - 1 - done);
    if (index < values.size()) filled += *(values.begin() + index);
    done = gap.begin + gap.length + 1;
  }
  return filled.append(text.substr(done));
}

std::string translated_list(const std::vector<std::string>& words) {
  if (words.size() < 2) return separated(words, "");
  return separated({words.begin(), words.end() - 1}, translated(", ")) + translated(" and ") +
         words.back();
}

std::string translated_count(std::ptrdiff_t count, std::string_view noun) {
  if (count == 1) return translated("1 " + std::string(noun));
  return translated("{n} " + plural(noun), count);
}

}  // namespace attn
