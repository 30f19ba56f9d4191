#pragma once

#include <span>

namespace attn::app {

/// A variable of the environment that app/terminal.cpp asks for.
struct Variable {
  const char* name;
  const char* says;
};

/// All of them, for the manual page and `attn help colors`.
std::span<const Variable> variables();

}  // namespace attn::app
