// Splits joined masks, or puts a colon before numbers, and proposes what can then be read.
#include "core/masks/mask_repair.hpp"

#include <algorithm>
#include <vector>

#include "attn/error.hpp"
#include "attn/mask.hpp"

namespace attn {
namespace {

bool is_kind(std::string_view name) {
  const std::span<const MaskKind> kinds = mask_kinds();
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const MaskKind& kind) { return kind.name == name; });
}

/// The parts between commas, spaces and other signs that people use to join masks.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (std::string_view(", +&|;").find(c) == std::string_view::npos) {
      parts.back() += c;
    } else if (!parts.back().empty()) {
      parts.emplace_back();
    }
  }
  return parts;
}

bool is_mask(const std::string& text) {
  try {
    parse_mask(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// "Give each mask on its own: …" if every part of the text is a mask.
MaskRepair one_by_one(std::string_view text) {
  const std::vector<std::string> parts = parts_of(text);
  if (parts.size() < 2 || !std::all_of(parts.begin(), parts.end(), is_mask)) return {};
  std::string list;
  std::vector<Change> changes;
  for (const std::string& part : parts) {
    changes.push_back({"mask", part});
    list += (list.empty() ? "\"" : ", \"") + part + "\"";
  }
  return {"Give each mask on its own: \"mask\": [" + list + "].", std::move(changes)};
}

/// "Write window:2." for window=2 and window(2), if that is a mask; else "".
std::string with_colon(std::string_view text) {
  const std::size_t letters = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  const std::string_view name = text.substr(0, letters);
  if (letters == text.npos || text[letters] == ':' || !is_kind(name)) return "";
  std::string numbers;
  for (const char c : text.substr(letters)) {
    if (std::string_view("0123456789,-").find(c) != std::string_view::npos) numbers += c;
  }
  const std::string mask = std::string(name) + ":" + numbers;
  return numbers.empty() || !is_mask(mask) ? "" : "Write " + mask + ".";
}

}  // namespace

MaskRepair mask_repair(std::string_view text) {
  MaskRepair each = one_by_one(text);
  return each.fix.empty() ? MaskRepair{with_colon(text), {}} : each;
}

}  // namespace attn
