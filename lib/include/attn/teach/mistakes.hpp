// Known mistakes in attention: their names, words for people, and how each changes the computation.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/trace.hpp"

namespace attn {

/// A mistake as people know it. Codes are stable: reports and course material rely on them.
struct Mistake {
  const char* code;         ///< "scale.missing"
  const char* title;        ///< "scores not scaled"
  const char* explanation;  ///< one sentence: what happened
  const char* hint;         ///< a question that points to the mistake without naming it
  const char* see = "";     ///< the page of `attn help` to read again; empty: none
};

/// Every mistake: of the scale, softmax, masks, projections, heads, positions, whole models and
/// gradients; then slips, and what does no harm, whose codes begin with "equivalent." or "layout.".
std::span<const Mistake> mistakes();

/// Their codes, in that order.
std::vector<std::string> mistake_codes();

/// The mistake of that code, or nullptr.
const Mistake* find_mistake(std::string_view code);

/// Whether the mistake `code` describes what the mistake `right` does to the numbers: it is that
/// one, or attn does not name it where `right` explains them, too. "scale.twice" describes
/// "scale.d_k".
bool describes(std::string_view code, std::string_view right);

/// Whether the mistake of a fault, as in `with_mistake`, is made in gradients: it can be built only
/// into a trace that has some.
bool is_made_backwards(std::string_view fault);

/// What to change where that mistake was made, as one sentence; empty for slips, which need the
/// numbers, and for what does no harm.
const char* mistake_fix(std::string_view code);

/// The computation of `truth` with one mistake built in; title and notes say so. `fault` is a code:
/// in a whole model, the mistake is made everywhere, or with "code@layers.1.self_attn" in that
/// place, or with "code@layers.*.self_attn" in all places of that name. Steps that cannot be
/// computed any more are absent. Throws Error: usage, "unknown-mistake"; input, "no-such-fault" if
/// the mistake cannot occur in the problem or place, or can only be recognised.
Trace with_mistake(const Trace& truth, const std::string& fault);

}  // namespace attn
