#pragma once

#include <string>

#include "command.hpp"

namespace attn::app {

/// The bytes of a file, or of standard input for "-". Throws Error (files) naming the path.
std::string read_input(const std::string& path, const Streams& streams);

/// Writes to standard output for "" and "-", else to the file: first beside it, then renamed over
/// it, so that a failed run leaves the old file whole. Throws Error (files).
void write_output(const std::string& path, const std::string& text, const Streams& streams);

}  // namespace attn::app
