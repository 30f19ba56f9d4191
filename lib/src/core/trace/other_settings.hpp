// Settings of a trace that are written only if they differ from their defaults, one row each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "attn/settings.hpp"

namespace attn {

using SettingValue = std::variant<double, std::string>;

/// One setting, by its key in problems and traces.
struct OtherSetting {
  const char* key;
  bool is_number;  ///< or a word
  /// Nothing if it is the default.
  std::optional<SettingValue> (*get)(const AttentionSettings& settings);
  /// Throws Error (id "unknown-value") for an unknown word; the place is `pointer`.
  void (*set)(AttentionSettings& settings, const SettingValue& value, const std::string& pointer);
};

std::span<const OtherSetting> other_settings();

}  // namespace attn
