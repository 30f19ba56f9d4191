// Names of steps without the number that tells those of one layer apart.
#pragma once

#include <string_view>

namespace attn {

/// A name without the number at its end: "norm" of "norm1".
inline std::string_view unnumbered(std::string_view name) {
  return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

}  // namespace attn
