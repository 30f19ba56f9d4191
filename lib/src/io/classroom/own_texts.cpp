// A teacher's own words about mistakes, in the file of an exercise and in sheets.
#include <algorithm>

#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "attn/teach/mistakes.hpp"
#include "io/classroom/spec_fields.hpp"
#include "io/json/read_object.hpp"

namespace attn {
namespace {

using json::Value;

constexpr std::ptrdiff_t kLongestText = 500;  // characters; platforms show little more

std::string read_own_words(const Value& value) {
  const std::string& text = json::read_text(value);
  const auto length = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not inside of a character
  });
  if (length <= kLongestText && !trimmed(text).empty()) return text;
  throw input_error({.id = "exercise-spec",
                     .what = length <= kLongestText
                                 ? "expected a text about the mistake, found an empty one"
                                 : filled("the text has {} characters, and {} are the most", length,
                                          kLongestText),
                     .places = {{.pointer = value.pointer}},
                     .fix = length <= kLongestText ? "Leave it out to keep attn's own words."
                                                   : "Shorten it, or name the page to read."});
}

constexpr json::Key<OwnText> kTextKeys[] = {
    {"message", [](const Value& v, OwnText& text) { text.message = read_own_words(v); }},
    {"hint", [](const Value& v, OwnText& text) { text.hint = read_own_words(v); }},
};

void require_code(const std::string& code, const std::string& pointer) {
  if (find_mistake(code) != nullptr) return;
  throw input_error(
      {.id = "unknown-mistake",
       .what = "there is no mistake \"" + code + "\"" + did_you_mean(code, mistake_codes()),
       .places = {{.pointer = pointer}},
       .fix = "See attn exercise rules for the codes."});
}

}  // namespace

OwnTexts read_own_texts(const Value& value, bool strict) {
  const auto* members = std::get_if<json::Members>(&value.node.value);
  if (members == nullptr)
    throw json::wrong_type(value.file, value.pointer,
                           "an object such as {\"scale.missing\": \"See page 12.\"}",
                           "Name the code of each mistake, and what to say about it.");
  OwnTexts texts;
  for (const json::Member& member : *members) {
    if (member.key.starts_with('_') || member.key.starts_with('$')) continue;
    const Value text{value.file, member.value, json::child_pointer(value.pointer, member.key)};
    if (strict) require_code(member.key, text.pointer);
    OwnText own;
    if (std::holds_alternative<std::string>(text.node.value)) {
      own.hint = read_own_words(text);
    } else {
      read_object(text, kTextKeys, own, json::Unknown::Refused, "a text about a mistake");
      if (own.message.empty() && own.hint.empty())
        throw input_error({.id = "exercise-spec",
                           .what = "expected a message or a hint about the mistake, found neither",
                           .places = {{.pointer = text.pointer}},
                           .fix = "Leave it out to keep attn's own words."});
    }
    texts[member.key] = std::move(own);
  }
  return texts;
}

void write_own_texts(json::Writer& out, const OwnTexts& texts) {
  if (texts.empty()) return;
  out.key("mistake_texts").object(json::Layout::Lines, [&] {
    for (const auto& [code, text] : texts) {
      if (text.message.empty()) {
        out.add(code, text.hint);
        continue;
      }
      out.key(code).object([&, &own = text] {
        out.add("message", own.message);
        if (!own.hint.empty()) out.add("hint", own.hint);
      });
    }
  });
}

}  // namespace attn
