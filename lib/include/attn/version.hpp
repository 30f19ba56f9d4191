#pragma once

#include <string>

namespace attn {

/// "0.1.0"
std::string version();

}  // namespace attn
