// The secret that makes the sheets of a class different from those of any other.
#pragma once

#include <string>

#include "command.hpp"

namespace attn::app {

/// Reads a salt: the bytes of a file without the spaces around them, and then without the line ends
/// after them. Throws Error (files, id "cannot-read"; input, id "short-salt").
std::string read_salt(const std::string& path, const Streams& streams);

/// A new one, from the system's randomness.
std::string new_salt();

}  // namespace attn::app
