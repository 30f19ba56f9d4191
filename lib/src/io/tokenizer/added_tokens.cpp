// Finds added tokens in a text: a tree of their bytes.
#include "io/tokenizer/added_tokens.hpp"

#include "core/text/unicode.hpp"
#include "io/tokenizer/byte_letters.hpp"
#include "io/tokenizer/stage.hpp"

namespace attn {
namespace {

constexpr std::size_t kLongest = 1024;

/// The character that ends before `at`.
char32_t character_before(std::string_view text, std::size_t at) {
  std::size_t begin = at - 1;
  while (begin > 0 && at - begin < 4 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80)
    --begin;
  return unicode::first_character(text.substr(begin)).code;
}

bool is_alone(std::string_view text, std::size_t begin, std::size_t end) {
  const bool left = begin > 0 && unicode::is_word(character_before(text, begin));
  const bool right =
      end < text.size() && unicode::is_word(unicode::first_character(text.substr(end)).code);
  return !left && !right;
}

std::size_t end_of_spaces(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const unicode::Character next = unicode::first_character(text.substr(at));
    if (!unicode::is_space(next.code)) break;
    at += next.bytes;
  }
  return at;
}

/// Where the text ends without its last white space.
std::size_t end_without_spaces(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const unicode::Character next = unicode::first_character(text.substr(at));
    at += next.bytes;
    if (!unicode::is_space(next.code)) end = at;
  }
  return end;
}

}  // namespace

std::vector<AddedToken> read_added_tokens(const json::Value& tokenizer) {
  std::vector<AddedToken> tokens;
  for (const json::Value& value : items_at(tokenizer, "added_tokens")) {
    AddedToken token;
    token.id = read_token_id(required(value, "id"));
    token.text = json::read_text(required(value, "content"));
    token.pointer = value.pointer;
    token.special = flag_at(value, "special");
    token.single_word = flag_at(value, "single_word");
    token.takes_left = flag_at(value, "lstrip");
    token.takes_right = flag_at(value, "rstrip");
    token.normalized = flag_at(value, "normalized", !token.special);
    if (token.text.size() > kLongest) {
      throw input_error({.id = "out-of-range",
                         .what = "the added token \"" + shown_token(token.text.substr(0, 20)) +
                                 "…\" has more than 1024 bytes",
                         .places = {{.pointer = value.pointer}},
                         .fix = kDownloadAgain});
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

void TokenFinder::add(const std::string& text, const AddedToken& token) {
  if (text.empty()) return;
  std::size_t node = 0;
  for (const char c : text) {
    const auto [next, is_new] = nodes_[node].next.emplace(c, nodes_.size());
    node = next->second;
    if (is_new) nodes_.emplace_back();
  }
  nodes_[node].token = &token;
}

TokenFinder::Found TokenFinder::longest_at(std::string_view text, std::size_t at) const {
  Found found;
  std::size_t node = 0;
  for (std::size_t end = at; end < text.size(); ++end) {
    const auto next = nodes_[node].next.find(text[end]);
    if (next == nodes_[node].next.end()) break;
    node = next->second;
    if (nodes_[node].token) found = {nodes_[node].token, end + 1 - at};
  }
  return found;
}

std::vector<Section> TokenFinder::sections(std::string_view text) const {
  std::vector<Section> sections;
  std::size_t begin = 0;  // of what is not in a section
  for (std::size_t at = 0; at < text.size();) {
    const Found found = longest_at(text, at);
    std::size_t end = at + found.bytes;
    if (found.token == nullptr || (found.token->single_word && !is_alone(text, at, end))) {
      ++at;
      continue;
    }
    std::string_view before = text.substr(begin, at - begin);
    if (found.token->takes_left) before = before.substr(0, end_without_spaces(before));
    if (found.token->takes_right) end = end_of_spaces(text, end);
    if (!before.empty()) sections.push_back({std::string(before)});
    sections.push_back({found.token->text, found.token});
    begin = at = end;
  }
  if (begin < text.size()) sections.push_back({std::string(text.substr(begin))});
  return sections;
}

}  // namespace attn
