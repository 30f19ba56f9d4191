// Which steps of a trace others are made from.
#pragma once

#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "attn/trace.hpp"

namespace attn {

/// The ids of the steps and givens that lead to the wanted ones, which are included, but not of
/// those that lead only to `kept` steps.
std::unordered_set<std::string> leading_to(const Trace& trace,
                                           const std::vector<std::string>& wanted,
                                           const std::set<std::string>& kept = {});

}  // namespace attn
