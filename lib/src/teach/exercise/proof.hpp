// Grades a sheet before anybody sees it.
#pragma once

#include "attn/exercise.hpp"
#include "teach/exercise/blindness.hpp"

namespace attn {

/// `prove_sheet` where the paper and the mistakes are there already.
Proof prove(const Paper& paper, const Sheet& sheet, const Sheet& key,
            const std::vector<Candidate>& mistakes, std::span<const std::string> enabled);

}  // namespace attn
