// Counts with their thousands set apart.
#pragma once

#include <string>

namespace attn {

/// "12,345", so that counts of different lengths can be compared at a glance.
std::string in_thousands(double count);

}  // namespace attn
