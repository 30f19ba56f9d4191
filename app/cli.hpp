// Runs a command line; tests call it in process.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace attn::app {

/// Runs `attn ARGS…`. Results go to streams.out, everything else to streams.err. Returns the exit
/// code: 0 success, 1 the answer is no, 2 wrong command line, 3 bad input, 4 a file that cannot be
/// read or written, 70 a bug in attn.
int run(const std::vector<std::string>& args, const Streams& streams);

}  // namespace attn::app
