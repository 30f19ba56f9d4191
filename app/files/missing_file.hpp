#pragma once

#include <string>

#include "attn/error.hpp"

namespace attn::app {

/// The file `path` cannot be opened, for the system's reason `error`: tells whether the end of its
/// name is missing, it is a built-in sample, or a name in its folder is near. Error (files, id
/// "cannot-read").
Error cannot_open(const std::string& path, int error);

}  // namespace attn::app
