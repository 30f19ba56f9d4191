// Reads the settings of one side of a comparison.
#include "options/side_settings.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "attn/mask.hpp"
#include "attn/phrases.hpp"
#include "attn/problem_options.hpp"
#include "attn/suggest.hpp"
#include "command_line.hpp"
#include "files/files.hpp"

namespace attn::app {
namespace {

constexpr const char* kFault = "fault";

/// The length of "name=" at the beginning of `text` without its "="; npos if it begins otherwise.
std::size_t name_length(std::string_view text) {
  const auto end = std::find_if(text.begin(), text.end(), [](char c) {
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '-' || c == '_' || c == '.');
  });
  const bool number = !text.empty() && text.front() >= '0' && text.front() <= '9';
  const bool named = !number && end != text.begin() && end != text.end() && *end == '=';
  return named ? static_cast<std::size_t>(end - text.begin()) : std::string_view::npos;
}

bool begins_mask(std::string_view text) {
  const auto kinds = mask_kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const MaskKind& kind) {
    const std::string_view name = kind.name;
    const bool ends =
        text.size() == name.size() ||
        (text.size() > name.size() && (text[name.size()] == ':' || text[name.size()] == '+'));
    return text.starts_with(name) && ends;
  });
}

/// The parts of `text`: a character `mark` separates two if `begins` is true of what follows it.
template <typename Begins>
std::vector<std::string> parts(const std::string& text, char mark, Begins begins) {
  std::vector<std::string> all{""};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == mark && begins(std::string_view(text).substr(i + 1))) {
      all.emplace_back();
    } else {
      all.back() += text[i];
    }
  }
  return all;
}

Error unknown_setting(const SideSettings& side, const std::string& name, const SettingRows& rows) {
  std::vector<std::string> names;
  for (const OptionRow& row : rows) names.push_back(row.names.substr(2));
  names.emplace_back(kFault);
  return usage_error("unknown-setting",
                     side.option + " has no setting \"" + name + "\"" + did_you_mean(name, names),
                     "The settings are the options that change the problem, without --, and "
                     "fault=CODE: attn help compare.");
}

std::string combined(const std::vector<std::string>& masks) {
  return "Combine masks with +: mask=" + separated(masks, "+") + ".";
}

/// What an option says about its value, for a setting.
Error about_setting(const SideSettings& side, const SideSetting& setting, const Error& error) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& each : diagnostics) {
    std::vector<std::string> values;
    for (const Change& change : std::exchange(each.changes, {})) values.push_back(change.value);
    if (values.size() > 1) each.fix = combined(values);  // only masks add up
  }
  return usage_error_at(side.option + " " + setting.name + "=" + setting.value,
                        Error(error.kind(), std::move(diagnostics)));
}

/// Refuses the name of a mask where a file is expected, unless there is such a file.
void refuse_bare_mask(const std::string& option, const std::string& part) {
  std::error_code failed;
  if (!begins_mask(part) || std::filesystem::exists(part, failed)) return;
  throw usage_error("unknown-setting",
                    option + " got \"" + part + "\", which is a mask, not a file",
                    "Write " + option + " mask=" + part + ".");
}

/// Refuses a setting that is given twice.
void refuse_twice(const SideSettings& side, const std::string& name) {
  const auto count = std::count_if(side.settings.begin(), side.settings.end(),
                                   [&](const SideSetting& each) { return each.name == name; });
  if (count < 2) return;
  throw usage_error("option-twice", side.option + " sets " + name + " twice",
                    name == "mask" ? combined({"causal", "window:2"}) : kKeepOne);
}

const OptionRow* setting_row(const SideSetting& setting, const SettingRows& rows) {
  return find_option(rows, "--" + setting.name);
}

void apply(const SideSetting& setting, const SettingRows& rows, ProblemOptions& problem) {
  if (setting_row(setting, rows) == nullptr)
    return add_key_setting(problem, {setting.name, setting.value},
                           {setting.name, setting.value, "="});
  const OptionRow& row = *setting_row(setting, rows);
  if (row.again != Again::Adds) return set(row, {setting.name, setting.value, "="});
  problem.masks.clear();
  for (const std::string& mask : parts(setting.value, '+', begins_mask))
    set(row, {setting.name, mask, "="});
}

}  // namespace

namespace {

/// "softcap=2" for "softcap:2" and "softcap = 2"; an example for what is no setting.
std::string meant_setting(const std::string& part) {
  const std::size_t mark = std::min(part.find_first_of(":="), part.size());
  const std::string name(trimmed(part.substr(0, mark)));
  const std::string value(trimmed(part.substr(std::min(mark + 1, part.size()))));
  const bool one = !value.empty() && value.find_first_of(" ,=") == value.npos;
  return one && is_problem_key(name) ? name + "=" + value : "normalizing=sum, for example";
}

}  // namespace

std::vector<KeyValue> parse_settings(const GivenValue& given) {
  std::vector<KeyValue> settings;
  const auto begins = [](std::string_view rest) { return name_length(rest) != rest.npos; };
  for (const std::string& part : parts(given.value, ',', begins)) {
    const std::size_t length = name_length(part);
    if (length == std::string::npos)
      throw usage_error("option-value", given.name + " takes NAME=VALUE, not \"" + part + "\"",
                        "Write " + given.with(meant_setting(part)) + ".");
    settings.push_back({part.substr(0, length), part.substr(length + 1)});
  }
  return settings;
}

SideSettings parse_side(const std::string& option, const std::string& text,
                        const SettingRows& rows) {
  SideSettings side{option, text, "", {}};
  const auto begins = [](std::string_view rest) { return name_length(rest) != rest.npos; };
  for (const std::string& part : parts(text, ',', begins)) {
    const std::size_t length = name_length(part);
    if (length == std::string::npos) {  // only the first part: a comma needs a name after it
      require_path(option, part);
      refuse_bare_mask(option, part);
      side.file = part;
      continue;
    }
    side.settings.push_back({part.substr(0, length), part.substr(length + 1)});
    const SideSetting& setting = side.settings.back();
    if (setting.name != kFault && setting_row(setting, rows) == nullptr &&
        !is_problem_key(setting.name))
      throw unknown_setting(side, setting.name, rows);
    refuse_twice(side, setting.name);
  }
  return side;
}

std::vector<NamedPath> paths_in(const SideSettings& side, const SettingRows& rows) {
  std::vector<NamedPath> paths;
  if (!side.file.empty()) paths.push_back({PathUse::Input, "PROBLEM", side.file});
  for (const SideSetting& setting : side.settings) {
    const OptionRow* row = setting_row(setting, rows);
    if (row == nullptr || !row->paths) continue;
    for (NamedPath& path : row->paths(setting.value)) paths.push_back(std::move(path));
  }
  return paths;
}

std::string apply_side(const SideSettings& side, const SettingRows& rows, ProblemOptions& problem) {
  if (!side.file.empty()) problem.source.path = side.file;
  problem.set.clear();  // a side may set what both have to another value
  std::string fault;
  for (const SideSetting& setting : side.settings) {
    try {
      if (setting.name == kFault) {
        if (setting.value.empty())
          throw usage_error("option-value", "fault= needs the code of a mistake",
                            "Write fault=scale.missing, for example.");
        fault = setting.value;
      } else {
        apply(setting, rows, problem);
      }
    } catch (const Error& error) {
      throw about_setting(side, setting, error);
    }
  }
  return fault;
}

}  // namespace attn::app
