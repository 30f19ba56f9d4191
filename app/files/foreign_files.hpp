#pragma once

#include <string>

namespace attn::app {

/// Throws Error (input, id "wrong-format") for a file that cannot be JSON and is known to be
/// something else, by its first bytes or by the end of its name: what it is, and what to do.
void refuse_foreign_file(const std::string& bytes, const std::string& name);

}  // namespace attn::app
