// The version, as set by the build.
#include "attn/core/version.hpp"

namespace attn {

std::string version() { return ATTN_VERSION; }

}  // namespace attn
