// Takes the command line as it is.
#include "platform/arguments.hpp"

namespace attn::app {

std::vector<std::string> arguments(int count, char** words) { return {words + 1, words + count}; }

}  // namespace attn::app
