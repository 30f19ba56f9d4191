// Settings of a trace that are written only where they are not at their default: one row for each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "attn/trace.hpp"

namespace attn {

using SettingValue = std::variant<double, std::string>;

/// One setting under its key in problems and traces.
struct OtherSetting {
  const char* key;
  bool is_number;                                                ///< or a word
  std::optional<SettingValue> (*get)(const Settings& settings);  ///< nothing at its default
  /// Throws Error (id "unknown-value") for a word that it cannot be; the place is `pointer`.
  void (*set)(Settings& settings, const SettingValue& value, const std::string& pointer);
};

std::span<const OtherSetting> other_settings();

}  // namespace attn
