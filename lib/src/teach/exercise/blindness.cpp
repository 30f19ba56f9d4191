// Works a sheet with each mistake, compares what is in the blanks, and joins pairs into groups.
#include "teach/exercise/blindness.hpp"

#include <algorithm>

namespace attn {

WorkedMistakes worked_by_all(const SheetModel& paper, const Suspects& suspects) {
  WorkedMistakes work;
  for (const Candidate* mistake : suspects.mistakes) work.push_back(worked(paper, mistake->change));
  return work;
}

bool are_tied(const SheetModel& paper, const Cells& one, const Cells& other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (paper.blank[i] && paper.clearly_differ(one[i], other[i])) return false;
  }
  return true;
}

bool is_seen(const SheetModel& paper, const std::optional<Cells>& mistake) {
  return mistake && !are_tied(paper, *mistake, paper.numbers);
}

Sight look(const SheetModel& paper, const Suspects& suspects, const WorkedMistakes& work) {
  Sight sight;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const std::string code = suspects.mistakes[i]->row->words.code;
    if (!is_seen(paper, work[i])) {
      sight.unseen.insert(code);
      continue;
    }
    for (std::size_t j = 0; j < i; ++j) {
      const std::string other = suspects.mistakes[j]->row->words.code;
      if (sight.seen.contains(other) && are_tied(paper, *work[i], *work[j]))
        sight.ties.insert(std::minmax(code, other));
    }
    sight.seen.insert(code);
  }
  return sight;
}

std::vector<std::vector<std::string>> grouped(const Ties& ties) {
  std::vector<std::vector<std::string>> groups;
  for (const auto& [one, other] : ties) {
    const auto holds = [](const std::string& code) {
      return [&code](const std::vector<std::string>& group) {
        return std::find(group.begin(), group.end(), code) != group.end();
      };
    };
    auto at = std::find_if(groups.begin(), groups.end(), holds(one));
    auto to = std::find_if(groups.begin(), groups.end(), holds(other));
    if (at == groups.end()) std::swap(at, to);
    if (at == groups.end()) {
      groups.push_back({one, other});
    } else if (to == groups.end()) {
      at->push_back(holds(one)(*at) ? other : one);
    } else if (at != to) {
      at->insert(at->end(), to->begin(), to->end());
      groups.erase(to);
    }
  }
  for (auto& group : groups) std::sort(group.begin(), group.end());
  return groups;
}

}  // namespace attn
