// Makes a row from each member: an enumeration gives a word, an optional number a number.
#include "core/trace/other_settings.hpp"

#include <cmath>
#include <type_traits>

#include "attn/language.hpp"
#include "attn/setting_names.hpp"

namespace attn {
namespace {

/// What a trace says of a setting: of positions and of the norm, their kind.
template <class Value>
Value& said(Value& value) {
  return value;
}
PositionKind& said(Positions& positions) { return positions.kind; }
QkNormKind& said(QkNorm& norm) { return norm.kind; }

/// A word, or a number that may be absent; a fill of −∞ is as good as none.
template <auto member>
constexpr OtherSetting setting(const char* key) {
  using Value = std::remove_reference_t<decltype(said(std::declval<AttentionSettings&>().*member))>;
  constexpr bool kIsWord = std::is_enum_v<Value>;
  return {key, !kIsWord,
          [](const AttentionSettings& s) -> std::optional<SettingValue> {
            auto whole = s.*member;
            const Value value = said(whole);
            if constexpr (kIsWord) {
              if (value != Value{}) return word_of(value);
            } else {
              if (value && std::isfinite(*value)) return *value;
            }
            return std::nullopt;
          },
          [](AttentionSettings& s, const SettingValue& value, const std::string& pointer) {
            if constexpr (kIsWord) {
              said(s.*member) = parse_word<Value>(std::get<std::string>(value), pointer);
            } else {
              said(s.*member) = std::get<double>(value);
            }
          }};
}

constexpr OtherSetting kRows[] = {
    setting<&AttentionSettings::score>(in_catalogue("score")),
    setting<&AttentionSettings::softcap>("softcap"),
    setting<&AttentionSettings::masking>(in_catalogue("masking")),
    setting<&AttentionSettings::fill>(in_catalogue("fill")),
    setting<&AttentionSettings::empty_row>(in_catalogue("empty_row")),
    setting<&AttentionSettings::align>(in_catalogue("align")),
    setting<&AttentionSettings::normalize>(in_catalogue("normalizing")),
    setting<&AttentionSettings::positions>(in_catalogue("positions")),
    setting<&AttentionSettings::qk_norm>("qk_norm"),
    setting<&AttentionSettings::dtype>("dtype"),
};

}  // namespace

std::span<const OtherSetting> other_settings() { return kRows; }

}  // namespace attn
