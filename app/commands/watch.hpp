// Doing something again whenever a file changes, for attn check --watch.
#pragma once

#include <functional>
#include <string>

#include "command.hpp"

namespace attn::app {

/// Calls `show` now and whenever the file changes, until the terminal stops waiting. All but
/// usage errors are reported, and the next change is waited for: somebody may still be writing.
void watch(const std::string& path, const Streams& streams, const std::function<void()>& show);

}  // namespace attn::app
