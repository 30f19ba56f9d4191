// What no mistake of a whole step explains: slips of cells, pairs of mistakes, wrong axes.
#pragma once

#include "teach/check/search.hpp"

namespace attn {

/// Recognises what none of the candidates makes: a transposed shape, averaged heads, and what the
/// next two name.
bool recognise(const Case& known, const std::vector<Candidate>& all, std::size_t at);

/// Names dropout, and its p, in weights or in what they mix.
bool name_dropout(const Case& known, GradedAnswer& judged);

/// Names a factor on the scores that no rule gives, or a base of RoPE, if one explains answer `at`.
bool name_fitted_number(const Case& known, std::size_t at);

/// The narrow number type that all numbers of a program have, though they were saved in a wider one
/// and the right ones are finer.
std::optional<Dtype> narrow_type_of(const Trace& truth, const Answers& answers);

/// Whether nothing is wrong but what rounding to that type explains.
bool rounding_explains_all(const Case& known, Dtype type);

/// Says that the answers are judged as numbers of that type.
std::string narrow_note(Dtype type);

/// Whether the numbers of all answers are of one narrow type.
bool all_are_of_narrow_type(const Case& known);

/// Names the narrow number type of a matrix whose numbers are off by no more than its rounding,
/// although they are stored in a wider one.
bool name_narrow_type(const Case& known, GradedAnswer& judged);

/// Names slips that explain every wrong cell of a step; some slips count only where few cells are
/// wrong. Returns whether there are any.
bool name_slips(const Case& known, GradedAnswer& judged);

/// Names two mistakes that explain a step together. Returns whether there are any.
bool name_pair(const Case& known, const std::vector<Candidate>& all, std::size_t at);

}  // namespace attn
