// Settings of a trace that are written only if they differ from their defaults, one row each.
#include "core/trace/other_settings.hpp"

#include <cmath>

#include "attn/tool/setting_names.hpp"

namespace attn {
namespace {

using Written = std::optional<SettingValue>;

/// A word, unless it is the default.
Written word(bool is_default, const char* name) {
  return is_default ? std::nullopt : Written(std::string(name));
}

const std::string& text(const SettingValue& value) { return std::get<std::string>(value); }

constexpr OtherSetting kRows[] = {
    {"softcap", true,
     [](const Settings& s) { return s.softcap ? Written(*s.softcap) : std::nullopt; },
     [](Settings& s, const SettingValue& v, const std::string&) {
       s.softcap = std::get<double>(v);
     }},
    {"masking", false,
     [](const Settings& s) { return word(s.masking == MaskingMode::Replace, word_of(s.masking)); },
     [](Settings& s, const SettingValue& v, const std::string& at) {
       s.masking = parse_word<MaskingMode>(text(v), at);
     }},
    {"fill", true,
     [](const Settings& s) { return std::isfinite(s.fill) ? Written(s.fill) : std::nullopt; },
     [](Settings& s, const SettingValue& v, const std::string&) { s.fill = std::get<double>(v); }},
    {"empty_row", false,
     [](const Settings& s) { return word(s.empty_row == EmptyRow::Zero, word_of(s.empty_row)); },
     [](Settings& s, const SettingValue& v, const std::string& at) {
       s.empty_row = parse_word<EmptyRow>(text(v), at);
     }},
    {"align", false,
     [](const Settings& s) { return word(s.align == Align::Start, word_of(s.align)); },
     [](Settings& s, const SettingValue& v, const std::string& at) {
       s.align = parse_word<Align>(text(v), at);
     }},
    {"positions", false,
     [](const Settings& s) {
       return word(s.positions == PositionKind::None, word_of(s.positions));
     },
     [](Settings& s, const SettingValue& v, const std::string& at) {
       s.positions = parse_word<PositionKind>(text(v), at);
     }},
    {"dtype", false,
     [](const Settings& s) { return word(s.dtype == Dtype::Float64, word_of(s.dtype)); },
     [](Settings& s, const SettingValue& v, const std::string& at) {
       s.dtype = parse_word<Dtype>(text(v), at);
     }},
};

}  // namespace

std::span<const OtherSetting> other_settings() { return kRows; }

}  // namespace attn
