// The phrases that many messages share, written once for all tests.
// Whoever rewords one changes its source and this file.
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

inline std::string given_twice(const std::string& name) { return name + " is given twice"; }

inline std::string no_step_here(const std::string& id) {
  return "this problem has no step " + quoted(id);
}

inline std::string no_step_number(int number, int last) {
  return "there is no step " + std::to_string(number) + ": the steps are 1 to " +
         std::to_string(last);
}

inline std::string sheet_of(const std::string& student) {
  return "this is the sheet of " + student;
}

inline const std::string kTakesAtLeast = "the input would take at least ";

// What to do about a key or a value of a file.
inline constexpr const char* kCorrectIt =
    "Correct it, or begin it with \"_\" to make it a comment.";
inline constexpr const char* kRemoveIt = "Remove it, or begin it with \"_\" to make it a comment.";
inline constexpr const char* kInBraces = "Write the keys and their values in braces.";
inline constexpr const char* kWithoutQuotes = "Write a number, without quotation marks.";

inline std::string over_limit(const std::string& limit) { return "but the limit is " + limit; }

}  // namespace attn::testing
