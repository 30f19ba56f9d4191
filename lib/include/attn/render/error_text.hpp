// Errors as text: for people and for programs.
#pragma once

#include <cstddef>
#include <string>

#include "attn/error.hpp"
#include "attn/render/text.hpp"

namespace attn {

/// How an error is written.
struct ErrorStyle {
  bool ascii = false;         ///< 7-bit characters only
  bool color = false;         ///< escape sequences; without them the text is the same
  Ruler ruler = {};           ///< how the terminal shows characters
  std::ptrdiff_t width = 80;  ///< cells in a line; prose is wrapped, source lines cut
};

/// The error for people, in lines that end with "\n": the headline "error[id]: what", the sketch,
/// each place with its line and a caret, then rule, fix and more. At most five diagnostics, grouped
/// by id; then how many more there are, and which to fix first. Nothing in the input can control a
/// terminal (see `visible`).
std::string error_text(const Error& error, const ErrorStyle& style = {});

/// The error for programs: one line of JSON that ends with "\n",
/// {"errors": [{"id", "what", "places": [{"file" or "option", "line", "column", "pointer",
/// "remark"}], "rule", "fix", "help"}], "more": 3}. It has all diagnostics that were built, each
/// without its unknown and empty fields; "more" counts the others, if there are any.
std::string error_json(const Error& error);

}  // namespace attn
