// Takes all cells, or a row, a cell or a share of each step, where mistakes show and differ.
#include "teach/exercise/blanks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "teach/exercise/guesses.hpp"

namespace attn {
namespace {

constexpr int kRepairs = 6;   // later blanks change what a mistake makes of earlier ones
constexpr double kFew = 4.0;  // blanks of a step: fewer show too little of what went wrong

/// Something that blanks must show: a mistake, or the difference between two.
struct Goal {
  std::vector<std::size_t> cells;  ///< any of these shows it
  int needed;                      ///< how many of them are needed
};

class Chooser {
 public:
  Chooser(SheetModel& paper, const Suspects& suspects, const std::vector<std::string>& listed,
          Draws& draws)
      : paper_(paper),
        suspects_(suspects),
        order_(draws.order(paper.numbers.size())),
        tied_(tied_cells(paper)) {
    for (const Candidate* mistake : suspects.mistakes) {
      const std::string code = mistake->row->words.code;
      counts_.push_back(listed.empty() ||
                        std::find(listed.begin(), listed.end(), code) != listed.end());
    }
    paper_.blank.assign(paper.numbers.size(), 0);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto after = std::upper_bound(paper.begin.begin(), paper.begin.end(), i);
      const auto step = static_cast<std::size_t>(after - paper.begin.begin()) - 1;
      const Tensor& value = paper.steps[step]->value;
      const auto in_step = static_cast<Index>(i - paper.begin[step]);
      step_.push_back(step);
      row_.push_back(static_cast<std::size_t>(in_step / value.cols() % value.rows()));
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      std::erase_if(tied_[i], [&](std::size_t cell) { return !is_asked(cell); });
      trivial_.push_back(std::any_of(tied_[i].begin(), tied_[i].end(),
                                     [&](std::size_t cell) { return paper_.trivial[cell] != 0; }));
    }
  }

  /// All cells of the asked steps.
  void take_all() {
    for (std::size_t i = 0; i < order_.size(); ++i) paper_.blank[i] = is_asked(i);
  }

  /// Takes cells until every goal is met that can be met; returns whether it took any. A mistake
  /// may differ from another one only in a trivial cell: a forgotten mask in hidden weights, which
  /// are 0.
  bool meet_goals() {
    set_goals();
    bool taken = false;
    for (auto best = most_helpful(); best; best = most_helpful()) {
      take(*best);
      taken = true;
    }
    return taken;
  }

  /// Random cells, until each asked step has its share, of numbers that few blanks have; trivial
  /// ones only for a step that would have very few.
  void fill_up(double share) {
    for (std::size_t s = 0; s < paper_.steps.size(); ++s) {
      const std::vector<std::size_t> cells = cells_of(s);
      const auto wanted = std::max(1.0, std::round(share * static_cast<double>(cells.size())));
      const double least = std::min(wanted, has_sums(*paper_.steps[s]) ? 1.0 : kFew);
      double blanks = 0.0;
      for (const std::size_t cell : cells) blanks += paper_.blank[cell];
      for (const bool trivial : {false, true}) {
        while (blanks < (trivial ? least : wanted)) {
          std::optional<std::size_t> rarest;
          for (const std::size_t cell : cells) {
            if (paper_.blank[cell] || trivial_[cell] != trivial) continue;
            if (!rarest || alike(cell) < alike(*rarest)) rarest = cell;
          }
          if (!rarest) break;
          take(*rarest);
          blanks += 1.0;
        }
      }
    }
  }

  /// Takes another cell of each row that adds up to 1 and has one blank.
  void break_sums() {
    for (std::size_t s = 0; s < paper_.steps.size(); ++s) {
      if (!has_sums(*paper_.steps[s])) continue;
      const std::vector<std::size_t> cells = cells_of(s);
      for (const std::size_t blank : cells) {
        const auto same_row = [&](std::size_t cell) {
          return first_of_row(cell) == first_of_row(blank);
        };
        const auto another = [&](std::size_t cell) {
          return cell != blank && same_row(cell) && paper_.blank[cell];
        };
        if (!paper_.blank[blank] || std::any_of(cells.begin(), cells.end(), another)) continue;
        const auto free = std::find_if(cells.begin(), cells.end(), [&](std::size_t cell) {
          return cell != blank && same_row(cell) && !trivial_[cell];
        });
        if (free != cells.end()) take(*free);
      }
    }
  }

  /// One row, or one cell, of each asked step: where most goals are met.
  void take_units(const std::vector<std::size_t>& unit) {
    set_goals();
    for (std::size_t s = 0; s < paper_.steps.size(); ++s) {
      const std::vector<std::size_t> all = cells_of(s);
      if (std::any_of(all.begin(), all.end(), [&](std::size_t cell) { return paper_.blank[cell]; }))
        continue;                                         // tied to those of an earlier step
      std::map<std::size_t, std::pair<bool, int>> gains;  // whether it is not all trivial; goals
      for (const std::size_t cell : cells_of(s)) {
        auto& [telling, gain] = gains[unit[cell]];
        telling = telling || !trivial_[cell];
        gain += gain_[cell];
      }
      const std::pair<bool, int>* best = nullptr;
      std::size_t chosen = 0;
      for (const std::size_t cell : cells_of(s)) {
        if (best != nullptr && gains[unit[cell]] <= *best) continue;
        chosen = unit[cell];
        best = &gains[chosen];
      }
      for (const std::size_t cell : cells_of(s)) {
        if (unit[cell] == chosen) take(cell);
      }
    }
  }
  void take_rows() { take_units(row_); }
  void take_cells() { take_units(order_); }

 private:
  /// What is still to be met, and how many goals each cell helps to meet.
  void set_goals() {
    goals_.clear();
    gain_.assign(paper_.numbers.size(), 0);
    const WorkedMistakes work = worked_by_all(paper_, suspects_);
    for (std::size_t i = 0; i < work.size(); ++i) {
      if (!work[i]) continue;
      if (counts_[i]) add_goal(*work[i], paper_.numbers, 2, true);
      for (std::size_t j = 0; j < i; ++j) {
        if (work[j] && (counts_[i] || counts_[j])) add_goal(*work[i], *work[j], 1, false);
      }
    }
  }

  /// With `at_once`, in the first step in which they differ.
  void add_goal(const Cells& one, const Cells& other, int needed, bool at_once) {
    Goal goal{{}, needed};
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < one.size() && goal.needed > 0; ++i) {
      if (!is_asked(i) || !paper_.clearly_differ(one[i], other[i])) continue;
      if (at_once && step_[i] != first.value_or(step_[i])) break;
      first = step_[i];
      if (paper_.blank[i]) {
        --goal.needed;
      } else {
        goal.cells.push_back(i);
      }
    }
    if (goal.needed == 0) return;
    for (const std::size_t cell : goal.cells) ++gain_[cell];
    goals_.push_back(std::move(goal));
  }

  /// Takes a cell, and all that are tied to it.
  void take(std::size_t chosen) {
    for (const std::size_t cell : tied_[chosen]) {
      if (!paper_.blank[cell]) take_alone(cell);
    }
  }

  void take_alone(std::size_t cell) {
    paper_.blank[cell] = 1;
    ++alike_[key_of(cell)];
    for (Goal& goal : goals_) {
      const auto at = std::find(goal.cells.begin(), goal.cells.end(), cell);
      if (goal.needed == 0 || at == goal.cells.end()) continue;
      --gain_[cell];
      goal.cells.erase(at);
      if (--goal.needed > 0) continue;
      for (const std::size_t other : goal.cells) --gain_[other];
    }
  }

  /// How many blanks have the number of this cell.
  int alike(std::size_t cell) const {
    const auto at = alike_.find(key_of(cell));
    return at == alike_.end() ? 0 : at->second;
  }
  std::int64_t key_of(std::size_t cell) const {
    return std::llround(paper_.numbers[cell] / (2.0 * paper_.tolerance));
  }

  /// The cell that helps most, if any does: of those that help as much one whose number few blanks
  /// have; a trivial one only if there is no other, and its step
  /// has no blank of that kind.
  std::optional<std::size_t> most_helpful() const {
    std::optional<std::size_t> best;
    const auto help = [&](std::size_t cell) {
      return std::tuple(!trivial_[cell], gain_[cell], -alike(cell));
    };
    for (const std::size_t cell : order_) {
      if (gain_[cell] <= 0 || (trivial_[cell] && has_trivial_blank(cell))) continue;
      if (!best || help(cell) > help(*best)) best = cell;
    }
    return best;
  }

  /// Whether the step of a cell, or of one that is tied to it, has a trivial blank.
  bool has_trivial_blank(std::size_t cell) const {
    return std::any_of(order_.begin(), order_.end(), [&](std::size_t other) {
      return paper_.blank[other] && trivial_[other] &&
             std::any_of(tied_[cell].begin(), tied_[cell].end(),
                         [&](std::size_t each) { return step_[each] == step_[other]; });
    });
  }

  bool is_asked(std::size_t cell) const { return paper_.asked[step_[cell]] != 0; }

  std::size_t first_of_row(std::size_t cell) const {
    const auto cols = static_cast<std::size_t>(paper_.steps[step_[cell]]->value.cols());
    return cell - (cell - paper_.begin[step_[cell]]) % cols;
  }

  /// The cells of a step in random order; none if it is not asked.
  std::vector<std::size_t> cells_of(std::size_t s) const {
    std::vector<std::size_t> cells;
    for (const std::size_t cell : order_) {
      if (step_[cell] == s && is_asked(cell)) cells.push_back(cell);
    }
    return cells;
  }

  SheetModel& paper_;
  const Suspects& suspects_;
  std::vector<std::size_t> order_, step_, row_;
  std::vector<std::vector<std::size_t>> tied_;  ///< for each cell, what it gives away
  std::vector<char> trivial_;          ///< one per cell: it or one that is tied to it is trivial
  std::vector<bool> counts_;           ///< one per mistake
  std::map<std::int64_t, int> alike_;  ///< how many blanks have about this number
  std::vector<Goal> goals_;
  std::vector<int> gain_;
};

}  // namespace

void choose_blanks(SheetModel& paper, const BlankRule& rule, const Suspects& suspects,
                   const std::vector<std::string>& listed, Draws& draws) {
  Chooser chooser(paper, suspects, listed, draws);
  switch (rule.kind) {
    case BlankRule::Kind::All:
      return chooser.take_all();
    case BlankRule::Kind::Row:
      return chooser.take_rows();
    case BlankRule::Kind::One:
      chooser.take_cells();
      return chooser.break_sums();
    case BlankRule::Kind::Share:
      chooser.meet_goals();
      chooser.fill_up(rule.share);
      chooser.break_sums();
      for (int i = 0; i < kRepairs && chooser.meet_goals(); ++i) chooser.break_sums();
  }
}

}  // namespace attn
