// Advice for masks that cannot be read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/error.hpp"

namespace attn {

/// What to do about a mask that cannot be read, if several masks in one text or another sign than
/// ":" is what is wrong with it; no fix if that is not clear.
struct MaskRepair {
  std::string fix;
  std::vector<Change> changes;
};
MaskRepair mask_repair(std::string_view text);

}  // namespace attn
