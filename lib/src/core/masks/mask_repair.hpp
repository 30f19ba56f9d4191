// Advice for masks that cannot be read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/error.hpp"

namespace attn {

/// What to do about a mask that cannot be read because it is several masks in one, or has another
/// sign instead of ":". No fix if the cause is unclear.
struct MaskRepair {
  std::string fix;
  std::vector<Change> changes;
};
MaskRepair mask_repair(std::string_view text);

}  // namespace attn
