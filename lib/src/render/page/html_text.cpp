// Escapes signs, marks commands and words from right to left, and encodes bytes as base64.
#include "render/page/html_text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "render/terminal/width.hpp"

namespace attn {
namespace {

/// The end of "attn help why" and "attn help scale.missing", without a full stop that follows.
std::size_t end_of_topic(std::string_view text) {
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.", 10);
  const std::size_t last = text.find_last_not_of(". ", std::min(end, text.size()) - 1);
  return last + 1;
}

/// The end of the option (with a short value in quotes) or of the command of attn that begins at
/// `at`; `at` itself if neither begins there.
std::size_t end_of_typed(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 40;  // what is longer has to be broken somewhere
  if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '(') return at;
  const std::string_view rest = text.substr(at, kLongest);
  const auto word = [&](std::size_t from) {
    return std::min(rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", from), rest.size());
  };
  if (rest.starts_with("attn ") && word(5) > 5)
    return at + (rest.substr(5).starts_with("help ") ? end_of_topic(rest) : word(5));
  std::size_t end = word(0);
  if (!rest.starts_with("--") || end == 2 || end == kLongest) return at;
  if (rest.substr(end).starts_with(" \"")) {
    const std::size_t close = rest.find('"', end + 2);
    if (close != rest.npos) end = close + 1;
  }
  return at + end;
}

/// Whether an id may be broken after the dot at `at`: "decoder.layers.0.norm1", but not "0.5".
bool is_dot_of_id(std::string_view text, std::size_t at) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return text[at] == '.' && at > 0 && at + 1 < text.size() && text[at + 1] != ' ' &&
         (letter(text[at - 1]) || letter(text[at + 1]));
}

/// Letters and signs of scripts that are written from right to left.
bool is_right_to_left(char32_t code) {
  constexpr std::pair<char32_t, char32_t> kScripts[] = {
      {0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFC}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}};
  return std::any_of(std::begin(kScripts), std::end(kScripts), [&](const auto& script) {
    return code >= script.first && code <= script.second;
  });
}

/// The end of the words from right to left that begin at `at`, with single spaces between them.
std::size_t end_of_words(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (at < text.size()) {
    const CodePoint next = decode(text.substr(at));
    if (is_right_to_left(next.code)) {
      end = at += next.bytes;
    } else if (next.code == U' ' && at == end) {
      ++at;
    } else {
      break;
    }
  }
  return end;
}

std::string with_names_set_off(std::string_view text) {
  std::string all;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = decode(text.substr(at));
    const bool name = is_right_to_left(next.code);
    const std::size_t end = name ? end_of_words(text, at) : at + next.bytes;
    const std::string part(text.substr(at, end - at));
    all += name ? "\u2068" + part + "\u2069" : part;
    at = end;
  }
  return all;
}

}  // namespace

std::string html_names(std::string_view text) { return with_names_set_off(html_text(text)); }

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : visible(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
        if (safe.ends_with("\uFFFE") || safe.ends_with("\uFFFF"))  // neither HTML nor XML has these
          safe.replace(safe.size() - 3, 3, "\uFFFD");
    }
  }
  return safe;
}

std::string html_prose(std::string_view text, bool at_dots) {
  std::string safe;
  std::size_t from = 0;  // what is not yet written
  const auto add = [&](std::size_t to) { safe += html_text(text.substr(from, to - from)); };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = end_of_typed(text, at);
    if (end > at) {
      add(at);
      safe += "<span class=\"typed\">" + html_text(text.substr(at, end - at)) + "</span>";
      from = end;
      at = end - 1;
    } else if (at_dots && is_dot_of_id(text, at)) {
      add(at + 1);
      safe += "<wbr>";
      from = at + 1;
    }
  }
  add(text.size());
  return with_names_set_off(safe);
}

std::string page_string(std::string_view text) {
  std::string safe = "\"";
  for (const char c : visible(text)) {  // no control character is left
    if (c == '"' || c == '\\') safe += '\\';
    safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  }
  return safe + "\"";
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * j) & 63];
  }
  return text;
}

}  // namespace attn
