// Reads the dumps that attn compare may be about, besides problems and traces.
#pragma once

#include <optional>
#include <string>

#include "attn/answers.hpp"
#include "command.hpp"

namespace attn::app {

/// The matrices of a file that holds answers or a dump; nothing if it is a problem or a trace.
/// Throws Error.
std::optional<Answers> read_dump(const std::string& path, double max_memory,
                                 const Streams& streams);

}  // namespace attn::app
