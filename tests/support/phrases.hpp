// The phrases that many messages share, written once for all tests: whoever rewords one changes its
// source and this file.
#pragma once

#include <string>

namespace attn::testing {

inline std::string quoted(const std::string& name) { return "\"" + name + "\""; }

/// There is nothing of this kind and name: a step, a key, a mask, a command …
inline std::string no_such(const std::string& kind, const std::string& name) {
  return "there is no " + kind + " " + quoted(name);
}

inline std::string expected(const std::string& what, const std::string& found) {
  return "expected " + what + ", found " + found;
}

inline std::string expected_key(const std::string& key) {
  return "expected the key " + quoted(key);
}

inline std::string without_key(const std::string& key) {
  return expected("the key " + quoted(key), "an object without it");
}

/// An option or a setting that changes nothing here.
inline std::string idle(const std::string& option) { return option + " has no effect"; }

inline std::string no_option(const std::string& option) {
  return "has no option " + quoted(option);
}

/// A file, an argument: whatever is named in quotes.
inline std::string unreadable(const std::string& name) { return quoted(name) + " cannot be read"; }

inline std::string over_limit(const std::string& limit) { return "but the limit is " + limit; }

}  // namespace attn::testing
