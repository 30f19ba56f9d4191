// Which mistakes show in the blanks of a sheet, and which look the same there.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "attn/teach/exercise.hpp"
#include "teach/exercise/sheet_model.hpp"

namespace attn {

/// What each of the suspected mistakes writes on a paper; nothing if its results have no place
/// there.
using WorkedMistakes = std::vector<std::optional<Cells>>;
WorkedMistakes worked_by_all(const SheetModel& paper, const Suspects& suspects);

/// Whether a mistake is clearly wrong in some blank.
bool is_seen(const SheetModel& paper, const std::optional<Cells>& mistake);

/// Whether two mistakes that are seen give the same numbers in every blank, or nearly.
bool are_tied(const SheetModel& paper, const Cells& one, const Cells& other);

/// Codes that cannot be told apart, each pair in alphabetical order.
using Ties = std::set<std::pair<std::string, std::string>>;

/// What was found on one paper.
struct Sight {
  std::set<std::string> seen, unseen;
  Ties ties;
};
Sight look(const SheetModel& paper, const Suspects& suspects, const WorkedMistakes& work);

/// The ties as groups, each code in one of them.
std::vector<std::vector<std::string>> grouped(const Ties& ties);

}  // namespace attn
