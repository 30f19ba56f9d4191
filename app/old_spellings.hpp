// What options were called in the version before this one.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace attn::app {

/// An option of `command` that has another name now, or belongs to another command; what follows it
/// stays as it is.
struct OldSpelling {
  const char *command, *old;
  const char* now;                    ///< "": it is left out, as it says what is so anyway
  const char* now_command = nullptr;  ///< nullptr: the same
  bool lasting = false;               ///< it stays for good, and nothing is said about it
};
std::span<const OldSpelling> old_spellings();

/// A command line as it is written today.
struct Respelled {
  std::vector<std::string> args;
  std::string note;  ///< one line about all that is called otherwise now; may be empty
};
Respelled respelled(const std::vector<std::string>& args);

}  // namespace attn::app
