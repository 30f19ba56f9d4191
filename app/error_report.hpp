// Errors for the user.
#pragma once

#include "attn/error.hpp"
#include "command_line.hpp"

namespace attn::app {

/// Writes the error to streams.err, as the common options on the command line say, which may be
/// what is wrong.
void report(const Error& error, const CommandLine& line, const Streams& streams);

}  // namespace attn::app
