// Joins, counts, quotes, shortens and compares words.
#include "attn/phrases.hpp"

#include <algorithm>

#include "core/text/unicode.hpp"

namespace attn {

std::string plural(std::string_view noun) {
  const std::string stem(noun.substr(0, noun.size() - 1));
  if (noun == "matrix") return "matrices";
  if (noun.ends_with("ry")) return stem + "ies";  // query, entry, but: key
  return std::string(noun) + "s";
}

std::string counted(std::ptrdiff_t count, std::string_view noun) {
  return std::to_string(count) + " " + (count == 1 ? std::string(noun) : plural(noun));
}

std::string there_are(std::ptrdiff_t count, std::string_view noun) {
  return (count == 1 ? "there is " : "there are ") + counted(count, noun);
}

std::string separated(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += separator;
    text += words[i];
  }
  return text;
}

std::string listed(const std::vector<std::string>& words, std::size_t most) {
  if (words.size() <= most) return separated(words, ", ");
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(most);
  return separated({words.begin(), end}, ", ") + ", …";
}

namespace {

std::string ended_with(const char* word, const std::vector<std::string>& words) {
  if (words.size() < 2) return separated(words, "");
  return separated({words.begin(), words.end() - 1}, ", ") + word + words.back();
}

}  // namespace

std::string either(const std::vector<std::string>& words) { return ended_with(" or ", words); }

std::string together(const std::vector<std::string>& words) { return ended_with(" and ", words); }

std::vector<std::string> quoted(std::vector<std::string> words) {
  for (std::string& word : words) word = '"' + word + '"';
  return words;
}

std::string listed_tokens(const std::vector<std::string>& tokens, std::size_t most) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < tokens.size() && i <= most; ++i) {  // one more shows that it goes on
    const std::string& token = tokens[i];
    const bool repeated = std::count(tokens.begin(), tokens.end(), token) > 1;
    const bool blank = token.empty() || token.front() == ' ' || token.back() == ' ';
    words.push_back((repeated ? std::to_string(i) + ":" : "") +
                    (blank ? "'" + token + "'" : token));
  }
  return listed(words, most);
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string caseless(std::string_view text) {
  if (unicode::valid_text(text) != text) return lowered(text);
  return unicode::lowercased(unicode::normalized(text, unicode::Form::Nfc));
}

std::string dotted(std::string pointer) {
  std::replace(pointer.begin(), pointer.end(), '/', '.');
  return pointer.substr(1);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string filled_with(std::string_view pattern, std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) {
    const std::size_t at = pattern.find("{}");
    text.append(pattern.substr(0, at)).append(part);
    pattern.remove_prefix(at == pattern.npos ? pattern.size() : at + 2);
  }
  return text.append(pattern);
}

namespace {

/// The first and the last bytes of a text, whole characters, and "…" between them.
std::string without_middle(std::string_view text, std::size_t first, std::size_t last) {
  const auto inside = [&](std::size_t at) {  // of a character of UTF-8
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t begin = text.size() - last;
  while (first > 0 && inside(first)) --first;
  while (begin < text.size() && inside(begin)) ++begin;
  return std::string(text.substr(0, first)) + "…" + std::string(text.substr(begin));
}

}  // namespace

std::string half_width(std::string_view text) {
  std::string all;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view start = text.substr(at, 2);
    const int last = at + 2 < text.size() ? static_cast<unsigned char>(text[at + 2]) : 0;
    const bool first = start == "\xEF\xBC" && last >= 0x81 && last <= 0xBF,  // ！ to ＿
        second = start == "\xEF\xBD" && last >= 0x80 && last <= 0x9E;        // ｀ to ～
    const bool space = start == "\xE3\x80" && last == 0x80;
    if (!first && !second && !space) {
      all += text[at];
      continue;
    }
    all += space ? ' ' : static_cast<char>(last - 0x80 + (first ? ' ' : '`'));
    at += 2;
  }
  return all;
}

std::string shortened(std::string text) {
  constexpr std::size_t kLongestWord = 300, kLongestText = 20'000, kLast = 40;
  if (text.size() <= kLongestWord) return text;
  std::string shorter;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = std::string_view(text).substr(at, end - at);
    shorter += word.size() > kLongestWord ? without_middle(word, kLongestWord / 2, kLast) : word;
    if (end < text.size()) shorter += text[end];
    at = end + 1;
  }
  return shorter.size() > kLongestText ? without_middle(shorter, kLongestText / 2, kLongestText / 4)
                                       : shorter;
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace attn
