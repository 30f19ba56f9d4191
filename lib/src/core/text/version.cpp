// The version, and what attn is, as the build says it.
#include "attn/core/version.hpp"

namespace attn {

std::string version() { return ATTN_VERSION; }

std::string purpose() { return ATTN_PURPOSE; }

std::string description() { return ATTN_DESCRIPTION; }

}  // namespace attn
