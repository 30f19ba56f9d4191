// The normalizers of tokenizer.json: what becomes of a text before it is split.
#include <algorithm>
#include <iterator>

#include "core/text/unicode.hpp"
#include "io/tokenizer/stage.hpp"

namespace attn {
namespace {

using json::Value;
using unicode::Form;

constexpr std::size_t kMostText = std::size_t{1} << 28;

/// The text without characters for which `drops` is true.
template <class Drops>
std::string without(std::string_view text, Drops drops) {
  std::string made;
  while (!text.empty()) {
    const unicode::Character next = unicode::first_character(text);
    if (!drops(next.code)) made += text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
  }
  return made;
}

template <Form form>
Normalizer normalizer_form(const Value&) {
  return [](const std::string& text) { return unicode::normalized(text, form); };
}

Normalizer normalizer_lowercase(const Value&) {
  return [](const std::string& text) { return unicode::lowercased(text); };
}

Normalizer normalizer_strip_accents(const Value&) {
  return [](const std::string& text) {
    return without(text, [](char32_t c) { return (unicode::category(c) & unicode::kMarks) != 0; });
  };
}

Normalizer normalizer_strip(const Value& value) {
  const bool left = flag_at(value, "strip_left", true), right = flag_at(value, "strip_right", true);
  return [=](const std::string& text) {
    std::size_t first = left ? text.npos : 0, last = right ? 0 : text.size();
    for (std::size_t at = 0; at < text.size();) {
      const unicode::Character next = unicode::first_character(std::string_view(text).substr(at));
      if (!unicode::is_space(next.code)) {
        first = std::min(first, at);
        last = std::max(last, at + next.bytes);
      }
      at += next.bytes;
    }
    return first < last ? text.substr(first, last - first) : std::string();
  };
}

Normalizer normalizer_prepend(const Value& value) {
  return [prefix = text_at(value, "prepend")](const std::string& text) {
    return text.empty() ? text : prefix + text;
  };
}

bool is_cjk(char32_t c) {
  constexpr std::pair<char32_t, char32_t> kRanges[] = {
      {0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
      {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
  return std::any_of(std::begin(kRanges), std::end(kRanges),
                     [c](const auto& range) { return c >= range.first && c <= range.second; });
}

/// BERT's: no control characters, every white space a space.
std::string cleaned(std::string_view text) {
  static const unicode::Categories kUnseen = unicode::categories_named("Cc") |
                                             unicode::categories_named("Cf") |
                                             unicode::categories_named("Co");
  std::string made;
  while (!text.empty()) {
    const unicode::Character next = unicode::first_character(text);
    const bool kept = next.code == '\t' || next.code == '\n' || next.code == '\r';
    if (unicode::is_space(next.code) && (kept || (unicode::category(next.code) & kUnseen) == 0)) {
      made += ' ';
    } else if (next.code != 0xFFFD && (unicode::category(next.code) & kUnseen) == 0) {
      made += text.substr(0, next.bytes);
    }
    text.remove_prefix(next.bytes);
  }
  return made;
}

/// With a space on both sides of each Chinese character.
std::string spread(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const unicode::Character next = unicode::first_character(text);
    const std::string character(text.substr(0, next.bytes));
    made += is_cjk(next.code) ? " " + character + " " : character;
    text.remove_prefix(next.bytes);
  }
  return made;
}

Normalizer normalizer_bert(const Value& value) {
  const bool lowercase = flag_at(value, "lowercase", true);
  const bool clean = flag_at(value, "clean_text", true);
  const bool chinese = flag_at(value, "handle_chinese_chars", true);
  const bool strip = flag_at(value, "strip_accents", lowercase);
  return [=](std::string text) {
    if (clean) text = cleaned(text);
    if (chinese) text = spread(text);
    if (strip) {
      text = without(unicode::normalized(text, Form::Nfd),
                     [](char32_t c) { return (unicode::category(c) & unicode::kNonspacing) != 0; });
    }
    return lowercase ? unicode::lowercased(text) : text;
  };
}

Normalizer normalizer_sequence(const Value& value) {
  const std::vector<Normalizer> all = read_stages(value, "normalizers", read_normalizer);
  return [all](std::string text) {
    for (const Normalizer& each : all) text = each(std::move(text));
    return text;
  };
}

constexpr StageRow<Normalizer> kNormalizers[] = {
    {"NFC", normalizer_form<Form::Nfc>},
    {"NFD", normalizer_form<Form::Nfd>},
    {"NFKC", normalizer_form<Form::Nfkc>},
    {"NFKD", normalizer_form<Form::Nfkd>},
    {"Lowercase", normalizer_lowercase},
    {"Strip", normalizer_strip},
    {"StripAccents", normalizer_strip_accents},
    {"Prepend", normalizer_prepend},
    {"Replace", read_replace},
    {"BertNormalizer", normalizer_bert},
    {"Sequence", normalizer_sequence},
};

}  // namespace

Normalizer read_normalizer(const Value& value) {
  return read_stage(value, kNormalizers, "normalizer");
}

Normalizer read_replace(const Value& value) {
  const Value pattern = required(value, "pattern");
  if (!member(pattern, "String")) {
    throw unsupported(pattern, "the pattern " + text_at(pattern, "Regex"),
                      {"a text to replace ({\"String\": \" \"})"});
  }
  const std::string from = text_at(pattern, "String"), to = text_at(value, "content");
  return [=](const std::string& text) {
    if (from.empty()) return text;
    std::string made;
    std::size_t at = 0;
    for (std::size_t found; (found = text.find(from, at)) != text.npos; at = found + from.size()) {
      made.append(text, at, found - at).append(to);
      if (made.size() > kMostText) {
        throw input_error(
            {.id = "too-large",
             .what = "the tokenizer replaces so much that the text grows beyond 256 MiB",
             .fix = kDownloadTokenizer});
      }
    }
    return made.append(text, at);
  };
}

}  // namespace attn
