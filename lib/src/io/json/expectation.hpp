// What a problem file holds at some place.
#pragma once

#include <string>
#include <string_view>

namespace attn::json {

/// What a problem file holds at some place: for messages about a word that stands there instead.
struct Expectation {
  const char* what;             ///< "a whole number"
  const char* fix;              ///< "Write a number such as 2, or leave out the key."
  bool text = false;            ///< any word would do in quotation marks
  bool flag = false;            ///< true and false would do
  bool minus_infinity = false;  ///< "-Infinity" would do
};

/// What belongs at the pointer, or into the list there; nullptr if no key of a problem is known
/// there.
const Expectation* expectation_at(std::string_view pointer, bool in_list);

}  // namespace attn::json
