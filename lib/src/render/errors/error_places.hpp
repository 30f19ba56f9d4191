// The places of an error: how they are grouped and shown.
#pragma once

#include <string>
#include <vector>

#include "attn/render/error_text.hpp"

namespace attn {

/// A place of one of the diagnostics that are shown together.
struct Spot {
  const Place* place;
  bool is_main;  // this is what is wrong, not only what it clashes with
};

/// The spots of one diagnostic: the first in each file is the main one.
std::vector<Spot> spots_of(const Diagnostic& diagnostic);

/// Every place with its source line and a caret, those of a file below one "--> file:line:column".
std::string places_text(const std::vector<Spot>& spots, const ErrorStyle& style);

}  // namespace attn
