// Small sheets for tests, and students who fill them in.
#pragma once

#include <string>

#include "attn/teach/grading.hpp"

namespace attn::testing {

/// The solved sheet of one student: causal attention of 4 tokens, d_model 6, d_k 3, small integers
/// drawn by `seed`; scores, scaled_scores, masked_scores, weights and output are asked for, worth 5
/// points each, and all visible cells but the first are blank.
Sheet solved_class_sheet(const std::string& student, unsigned seed);

/// The answers of a student whose computation is `work`, rounded to the sheet's decimals; printed
/// cells are Given.
Answers filled_in(const Sheet& sheet, const Trace& work);

/// What a student who has left every blank empty hands in.
Answers left_blank(const Sheet& sheet);

/// The matrix of that step.
Answer& matrix(Answers& answers, const std::string& step);

/// The places of the step's blank cells, row-major.
std::vector<std::size_t> blanks_of(const Sheet& sheet, const std::string& step);

/// A find-the-bug sheet worked with that mistake, not yet answered; worth 10 points.
Sheet bug_sheet(const std::string& student, unsigned seed, const std::string& code);

}  // namespace attn::testing
