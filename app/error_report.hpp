// Errors for the user.
#pragma once

#include "attn/error.hpp"
#include "command_line.hpp"

namespace attn::app {

/// Writes the error to streams.err, in the form that the common options ask for, even if they are
/// what is wrong.
void report(const Error& error, const CommandLine& line, const Streams& streams);

/// The same with common options that are known already.
void report(const Error& error, const CommandLine& line, const CommonOptions& common,
            const Streams& streams);

}  // namespace attn::app
