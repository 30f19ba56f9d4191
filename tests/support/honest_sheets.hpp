// Sheets without a mistake, which nobody may find fault with.
#pragma once

#include <cstdint>
#include <string>

#include "support/wrong_sheets.hpp"

namespace attn::testing {

/// What `check_answers` finds wrong with right answers; empty if nothing.
std::string accusation(const Trace& truth, const Answers& answers);

/// A correct sheet, every intermediate rounded to 3 decimals and carried on: what is found
/// wrong with it.
std::string accusation(std::uint64_t seed);

/// The same for one of `other_roads`.
std::string accusation(const WrongWay& road, std::uint64_t seed, const Handed& handed);

}  // namespace attn::testing
