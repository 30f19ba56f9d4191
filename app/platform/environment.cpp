// Reads environment variables.
#include "platform/environment.hpp"

#include <cstdlib>

namespace attn::app {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace attn::app
