#pragma once

#include <string>
#include <string_view>

namespace attn {

/// What to do about a mask that cannot be read, if several masks in one text or another sign than
/// ":" is what is wrong with it; "" if that is not clear.
std::string mask_repair(std::string_view text);

}  // namespace attn
