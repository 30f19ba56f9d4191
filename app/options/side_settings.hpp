// One side of a comparison as the command line writes it: "x.json,mask=causal+window:2,scale=none".
#pragma once

#include <string>
#include <vector>

#include "options/shared_options.hpp"

namespace attn::app {

struct SideSetting {
  std::string name, value;  ///< "mask", "causal+window:2"
};

/// The parts of one --left or --right.
struct SideSettings {
  std::string option;  ///< "--left"
  std::string text;    ///< as written; empty: the problem as it is
  std::string file;    ///< in place of the problem; empty: none
  std::vector<SideSetting> settings;
};

/// The options of the problem, each of which may be a setting.
using SettingRows = std::vector<OptionRow>;

/// "normalize=sum,masking.before_scale=true" of --set. Throws Error (usage).
std::vector<KeyValue> parse_settings(const GivenValue& given);

/// A comma begins a new setting only before "name="; what has no "=" is a file. Names are those of
/// options and keys of a problem. Throws Error (usage) for a mask in place of a file, for other
/// names, and for one name twice.
SideSettings parse_side(const std::string& option, const std::string& text,
                        const SettingRows& rows);

/// Its file, in place of the problem, and those that its settings name.
std::vector<NamedPath> paths_in(const SideSettings& side, const SettingRows& rows);

/// Changes `problem`, to which the rows belong, as the options do; returns the code of the mistake
/// to build in, or "". Throws Error (usage) whose place is the setting.
std::string apply_side(const SideSettings& side, const SettingRows& rows, ProblemOptions& problem);

}  // namespace attn::app
