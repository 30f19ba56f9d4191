// The table of patterns that published tokenizers split with. To add one: its row.
#include <algorithm>
#include <iterator>
#include <map>

#include "io/tokenizer/pattern.hpp"

namespace attn {
namespace {

struct PatternRow {
  std::string_view name;
  std::string_view regex;
};
constexpr PatternRow kPatterns[] = {
    // GPT-2, and whoever has the type ByteLevel
    {"GPT-2", R"re('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)re"},
    // Llama 3, GLM 4
    {"Llama 3",
     R"re((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)re"},
    // Qwen 2 to 3
    {"Qwen 2",
     R"re((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)re"},
    // Qwen 3.5
    {"Qwen 3.5",
     R"re((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)re"},
    // GPT-4 (cl100k_base), in two spellings
    {"GPT-4",
     R"re((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)re"},
    {"GPT-4 again",
     R"re('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)re"},
    // gpt-oss, GPT-4o (o200k_base), Llama 4
    {"GPT-4o",
     R"re([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)re"},
    // Mistral NeMo (Tekken)
    {"Mistral NeMo",
     R"re([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)re"},
    // DeepSeek V3, one after the other
    {"DeepSeek V3: digits", R"re(\p{N}{1,3})re"},
    {"DeepSeek V3: Han and Kana", R"re([一-龥぀-ゟ゠-ヿ]+)re"},
    {"DeepSeek V3",
     "[!\"#$%&'()*+,\\-./"
     ":;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| "
     "?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"},
    // BLOOM
    {"BLOOM", R"re( ?[^(\s|[.,!?…。，、।۔،])]+)re"},
    // CLIP
    {"CLIP", R"re('s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)re"},
    // Falcon
    {"Falcon", R"re([0-9][0-9][0-9])re"},
    // spaces, which some tokenizers split at
    {"spaces", R"re(\s+)re"}};

}  // namespace

const Pattern* published_pattern(std::string_view regex) {
  static const std::map<std::string_view, Pattern> kRead = [] {
    std::map<std::string_view, Pattern> read;
    for (const PatternRow& each : kPatterns) read.emplace(each.regex, Pattern(each.regex));
    return read;
  }();
  const auto found = kRead.find(regex);
  return found == kRead.end() ? nullptr : &found->second;
}

std::string_view published_regex(std::string_view name) {
  const auto* row = std::find_if(std::begin(kPatterns), std::end(kPatterns),
                                 [&](const PatternRow& each) { return each.name == name; });
  return row == std::end(kPatterns) ? std::string_view() : row->regex;
}

std::vector<std::string_view> published_patterns() {
  std::vector<std::string_view> all;
  for (const PatternRow& each : kPatterns) all.push_back(each.regex);
  return all;
}

}  // namespace attn
