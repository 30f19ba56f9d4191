// Joins texts and counts things as the language in use does.
#include "attn/language.hpp"
#include "attn/phrases.hpp"

namespace attn {

std::string sentences(const std::vector<std::string>& each) {
  std::string text;
  for (const std::string& next : each) {
    const bool is_wide = text.ends_with("。") || text.ends_with("？");
    if (!text.empty() && !next.empty() && !is_wide) text += ' ';
    text += next;
  }
  return text;
}

std::string labelled(const std::string& label, const std::string& text) {
  return label.empty() ? text : translated("{label}: ", label) + text;
}

std::string with_remark(const std::string& text, const std::string& remark) {
  return remark.empty() ? text : translated("{text} ({remark})", text, remark);
}

std::string clauses(std::vector<std::string> each) {
  std::erase(each, "");
  return separated(each, translated("; "));
}

std::string comma_joined(std::vector<std::string> each) {
  std::erase(each, "");
  return separated(each, translated("{one}, {other}", "", ""));
}

namespace {

std::string joined(const std::vector<std::string>& words, const std::string& before_last) {
  if (words.size() < 2) return separated(words, "");
  return separated({words.begin(), words.end() - 1}, translated(", ")) + before_last + words.back();
}

}  // namespace

std::string translated_list(const std::vector<std::string>& words) {
  return joined(words, translated(" and "));
}

std::string translated_choice(const std::vector<std::string>& words) {
  return joined(words, translated(" or "));
}

std::string translated_count(std::ptrdiff_t count, std::string_view noun) {
  if (count == 1) return translated("1 " + std::string(noun));
  return translated("{n} " + plural(noun), count);
}

}  // namespace attn
