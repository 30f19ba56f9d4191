// What may be at a place in a problem file.
#pragma once

#include <string>
#include <string_view>

namespace attn::json {

/// What to do about anything but an object.
inline constexpr const char* kInBraces = "Write the keys and their values in braces.";

/// What may be at a place in a problem file, for messages about what is there instead.
struct Expectation {
  const char* what;             ///< "a whole number"
  const char* fix;              ///< "Write a number such as 2, or leave out the key."
  bool text = false;            ///< any word in quotation marks is fine
  bool flag = false;            ///< true and false are fine
  bool minus_infinity = false;  ///< "-Infinity" is fine
};

/// What belongs at the pointer, or in the list there; nullptr if no key of a problem is known
/// there.
const Expectation* expectation_at(std::string_view pointer, bool in_list);

}  // namespace attn::json
