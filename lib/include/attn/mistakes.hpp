// Known mistakes in attention: their names, words for people, and how each changes the computation.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "attn/trace.hpp"

namespace attn {

/// A mistake as people know it. Codes are stable: reports and course material rely on them.
struct Mistake {
  const char* code;         ///< "scale.missing"
  const char* title;        ///< "scores not scaled"
  const char* explanation;  ///< one sentence: what happened
  const char* hint;         ///< a question that leads there without saying the answer
  const char* see;          ///< the page of `attn help` to read again
};

/// Every mistake, in the order of the computation. Those that change nothing that matters have
/// codes that begin with "equivalent." or "layout.".
std::span<const Mistake> mistakes();

/// The mistake of that code, or nullptr.
const Mistake* find_mistake(std::string_view code);

/// The computation of `truth` with one mistake built in; title and notes say so. Steps that cannot
/// be computed any more are absent. Throws Error: usage, "unknown-mistake"; input, "no-such-fault"
/// if the problem gives the mistake no room, or if it is one that can only be recognised.
Trace with_mistake(const Trace& truth, const std::string& code);

}  // namespace attn
