#pragma once

#include <string>

#include "attn/problem.hpp"

namespace attn {

/// The text of a problem file (contract section 2): parse_problem reads the same draft from it, bit
/// for bit. Keys in the order of the contract, one row of a matrix per line, columns aligned; what
/// is at its default is left out. `text` has no key: its words become the tokens.
std::string problem_json(const ProblemDraft& draft);

}  // namespace attn
