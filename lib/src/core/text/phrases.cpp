// Words for messages: plurals, lists, patterns.
#include "attn/phrases.hpp"

#include <algorithm>

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
