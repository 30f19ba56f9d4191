#pragma once

#include <string>
#include <vector>

#include "attn/error.hpp"
#include "command.hpp"

namespace attn::app {

/// Writes the error to streams.err, as the common options among `args` say: the command line may
/// be what is wrong, so they are looked for in its words.
void report(const Error& error, const std::vector<std::string>& args, const Streams& streams);

}  // namespace attn::app
