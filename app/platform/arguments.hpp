// The words of the command line.
#pragma once

#include <string>
#include <vector>

namespace attn::app {

/// The words after the program's name, in UTF-8, from the arguments of main.
std::vector<std::string> arguments(int count, char** words);

}  // namespace attn::app
