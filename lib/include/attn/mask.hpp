// Masks: their kinds, reading one, and what they leave visible.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/tensor.hpp"

namespace attn {

/// Tokens per batch entry; a single list serves every entry.
using TokenLists = std::vector<std::vector<std::string>>;

/// A kind of mask, as users know it.
struct MaskKind {
  const char* name;     ///< "window"
  const char* usage;    ///< "window:LEFT[,RIGHT]"
  const char* summary;  ///< one line for help
  const char* why;      ///< why a key is hidden by it
  const char* example;  ///< "window:2"
};

/// Every kind of mask, in the order of the documentation.
std::span<const MaskKind> mask_kinds();

/// A mask as written: kind and arguments, checked for form but not yet against a problem's sizes.
struct MaskSpec {
  std::string text;                    ///< as written, "keys:1,3"
  const MaskKind* kind = nullptr;      ///< a row of mask_kinds()
  std::vector<std::string> arguments;  ///< split at commas
  std::string pointer;                 ///< its place, "/mask/1"
};

/// Reads a mask such as "causal" or "window:2,1".
/// Throws Error (id "mask-unknown" or "mask-arguments") with `pointer` as its place.
MaskSpec parse_mask(std::string_view text, const std::string& pointer = "/mask");

/// Why the mask of that name (Visibility::names) hides a key, as half a sentence; "" for a name
/// that only a file knows.
std::string mask_reason(const std::string& name);

/// Who may attend to whom, and for every hidden cell the mask that hid it. Batch entries and heads
/// that all masks treat alike share their numbers.
struct Visibility {
  Tensor allowed;  ///< 1 = may attend, 0 = hidden; … × T_q × T_k
  std::vector<std::uint16_t>
      hider;  ///< per stored number of `allowed`: 0 = visible, else 1 + index in names
  std::vector<std::string> names;  ///< as written: "causal", "keys:1,3"; "allowed", "key_lengths"

  /// What `hider` says of a cell.
  std::uint16_t hider_at(const Cell& cell) const {
    return hider[static_cast<std::size_t>(allowed.stored_index(cell))];
  }
};

}  // namespace attn
