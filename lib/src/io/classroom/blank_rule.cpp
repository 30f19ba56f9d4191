// Which cells of a sheet are blank, in words.
#include <optional>

#include "attn/io/sheet_file.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using Kind = BlankRule::Kind;

struct Word {
  Kind kind;
  const char* text;
};
constexpr Word kWords[] = {{Kind::All, "all"}, {Kind::Row, "row"}, {Kind::One, "one"}};

}  // namespace

BlankRule parse_blank_rule(std::string_view text) {
  for (const Word& word : kWords) {
    if (text == word.text) return {.kind = word.kind};
  }
  const bool share = text.ends_with('%');
  const auto percent = parse_number(text.substr(0, text.size() - (share ? 1 : 0)));
  if (share && percent && *percent > 0.0 && *percent <= 100.0)
    return {.kind = Kind::Share, .share = *percent / 100.0};
  throw input_error({.id = "option-value",
                     .what = "blanks are a share such as 40%, or all, row or one, not \"" +
                             std::string(text) + "\"",
                     .fix = "Write 40%, for example."});
}

std::string blank_rule_text(const BlankRule& rule) {
  for (const Word& word : kWords) {
    if (rule.kind == word.kind) return word.text;
  }
  const double percent = rounded_to(rule.share * 100.0, 6);  // 29, not 28.999999999999996
  return json::number_text(percent) + "%";
}

}  // namespace attn
