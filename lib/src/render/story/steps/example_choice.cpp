// Chooses the query and the key that teach most, and their cell in each step.
#include "render/story/steps/example_choice.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/tensor/slices.hpp"
#include "core/trace/hidden_cells.hpp"
#include "render/story/cells/cell_address.hpp"
#include "render/story/steps/step_grids.hpp"

namespace attn {
namespace {

constexpr Index kMostTried = 8;  // of rows, of columns: there may be thousands

bool teaches(double x) { return std::isfinite(x) && x != 0.0 && x != 1.0; }

/// What belongs together in an expression: the leaves of a product, or a leaf by itself.
struct Term {
  std::vector<StepCell> leaves = {};
  double worth = 0.0;
};

void collect(const std::vector<const Step*>& inputs, const Expression& how, bool in_product,
             std::vector<Term>& terms) {
  const bool product = how.kind == Expression::Kind::Product;
  const bool leaf = how.kind == Expression::Kind::Leaf;
  if (!in_product && (product || leaf)) terms.emplace_back().leaves.reserve(2);
  if (leaf) terms.back().leaves.push_back({inputs[static_cast<std::size_t>(how.input)], how.cell});
  for (const Expression& part : how.parts) collect(inputs, part, in_product || product, terms);
}

std::vector<Term> terms_of(const Trace& trace, const StepCell& place) {
  const Step& step = *place.step;
  const Expression how = derive(trace, step, place.cell);
  std::vector<const Step*> inputs;
  for (std::size_t i = 0; i < step.inputs.size(); ++i) inputs.push_back(&trace.input(step, i));
  std::vector<Term> terms;
  terms.reserve(how.parts.size());
  collect(inputs, how, false, terms);
  return terms;
}

/// The least that a factor teaches: 0 for a zero, less for a 1 than for other numbers.
double worth_of(const Term& term) {
  double worth = 2.0;
  for (const auto& [step, cell] : term.leaves) {
    const double x = step->value.at(cell);
    worth = std::min(worth, teaches(x) ? 2.0 : x == 1.0 ? 1.5 : 0.0);
  }
  return worth;
}

/// The row of a step that belongs to a pair.
Index row_of(const Trace& trace, const Step& step, const Pair& pair) {
  const std::string_view axis = step.info().row_axis;
  if (axis == "1") return 0;
  const bool of_key = axis == "key" || step.info().forward().role == StepRole::KeyInput;
  const Step* past = trace.first_of(StepRole::Past, *step.scope);
  const bool only_new = past != nullptr && step.value.rows() != step.scope->settings.n_keys;
  const Index key = pair.key - (only_new ? past->value.rows() : 0);
  return std::clamp<Index>(of_key ? key : pair.query, 0, step.value.rows() - 1);
}

Cell first_cell(const Trace& trace, const Step& step, const Pair& pair) {
  const Tensor& t = step.value;  // a mistake may have left it with fewer entries or keys
  const Index head = kv_head(pair.head, step.scope->settings.heads, t);
  const Index col = step.info().is_pairwise() ? std::min(pair.key, t.cols() - 1) : 0;
  return {std::min(pair.batch, t.batch() - 1), head, row_of(trace, step, pair), col};
}

/// Whether a cell belongs to the pair; without heads in its step, the cell that it copies decides.
bool is_of(const Trace& trace, StepCell place, const Pair& pair) {
  for (;;) {
    const auto& [step, cell] = place;
    if (step->is_given()) return true;
    const Shape& shape = step->value.shape();
    const Cell own = first_cell(trace, *step, pair);
    const bool same = (!shape.batch || cell.batch == own.batch) &&
                      (!shape.heads || cell.head == own.head) && cell.row == own.row &&
                      (!step->info().is_pairwise() || cell.col == own.col);
    if (!same || shape.heads || step->scope->settings.heads == 1) return same;
    const Expression how = derive(trace, *step, cell);
    if (how.kind != Expression::Kind::Leaf) return true;
    place = {&trace.input(*step, static_cast<std::size_t>(how.input)), how.cell};
  }
}

struct WorkedCell {
  Cell cell;
  std::vector<Term> terms;
};

/// How much the arithmetic of a pair's cells teaches.
class PairTerms {
 public:
  PairTerms(const Trace& trace, const Pair& pair) : trace_(trace), pair_(pair) {}

  /// The terms of a cell's arithmetic that belong to the pair, best first; how good a term is
  /// depends on the arithmetic of its leaves, too.
  WorkedCell work(const StepCell& place) {
    std::vector<Term> terms = own_terms(place);  // a copy
    for (Term& term : terms) {
      for (const StepCell& leaf : term.leaves) term.worth += worth_below(leaf);
    }
    std::stable_sort(terms.begin(), terms.end(),
                     [](const Term& a, const Term& b) { return a.worth > b.worth; });
    return {place.cell, std::move(terms)};
  }

  /// The cell that teaches most in the row of the pair.
  WorkedCell best_cell(const Step& step) {
    Cell cell = first_cell(trace_, step, pair_);
    if (step.info().is_pairwise()) return work({&step, cell});
    WorkedCell best;
    double most = -1.0;
    for (; cell.col < std::min(step.value.cols(), kMostTried); ++cell.col) {
      WorkedCell tried = work({&step, cell});
      const double worth = (teaches(step.value.at(cell)) ? 2.0 : 0.0) +
                           (tried.terms.empty() ? 0.0 : tried.terms.front().worth);
      if (worth <= most) continue;
      most = worth;
      best = std::move(tried);
    }
    return best;
  }

 private:
  /// The terms of a cell's own arithmetic that belong to the pair. Several cells share a leaf.
  const std::vector<Term>& own_terms(const StepCell& place) {
    const Cell& c = place.cell;
    const auto [known, is_new] = own_.try_emplace({place.step, c.batch, c.head, c.row, c.col});
    if (is_new) known->second = find_own(place);
    return known->second;
  }

  std::vector<Term> find_own(const StepCell& place) const {
    std::vector<Term> own;
    const auto is_own = [&](const StepCell& leaf) { return is_of(trace_, leaf, pair_); };
    for (Term& term : terms_of(trace_, place)) {
      if (std::ssize(own) == kMostTried) break;
      if (!std::all_of(term.leaves.begin(), term.leaves.end(), is_own)) continue;
      term.worth = 2.0 * worth_of(term);
      own.push_back(std::move(term));
    }
    return own;
  }

  /// The most that a term of the leaf's own arithmetic teaches.
  double worth_below(const StepCell& leaf) {
    double worth = 0.0;
    if (leaf.step->is_given()) return worth;
    for (const Term& term : own_terms(leaf)) worth = std::max(worth, term.worth);
    return worth;
  }

  const Trace& trace_;
  const Pair& pair_;
  std::map<std::tuple<const Step*, Index, Index, Index, Index>, std::vector<Term>> own_ = {};
};

/// How much the scores and weights of a query and its keys teach.
class PairWorth {
 public:
  PairWorth(const Trace& trace, const Step& weights) : trace_(trace), weights_(weights) {
    for (const Step& step : trace.steps) {
      if (step.scope != weights.scope || step.is_outline()) continue;
      const StepRole role = step.info().role;
      const bool forward = role != StepRole::Bias && role != StepRole::Gradient;
      const bool fits =
          step.value.rows() == weights.value.rows() && step.value.cols() == weights.value.cols();
      if (fits && step.info().is_pairwise() && !step.inputs.empty() && forward)
        steps_.push_back(&step);
      const bool mixes = !step.inputs.empty() && step.operation->sums_over_keys(step.parameters) &&
                         trace.input(step, 0).info().role == StepRole::Weights;
      if (mixes && !step.info().is_pairwise()) mix_ = &step;
    }
  }

  /// From here on, `worth` is about the query in the row of `cell`, which sees the keys `visible`.
  void start(const Cell& cell, std::vector<Index> visible) {
    visible_ = std::move(visible);
    mixed_.clear();
    if (mix_ != nullptr) mixed_ = terms_of(trace_, {mix_, {cell.batch, cell.head, cell.row, 0}});
  }

  /// How much the pair of a cell teaches if that is above `least`; otherwise some number that is
  /// not above it.
  double worth(const Cell& cell, double least) const {
    const auto taught = std::count_if(steps_.begin(), steps_.end(), [&](const Step* step) {
      return teaches(step->value.at(cell));
    });
    const auto ties = std::count_if(visible_.begin(), visible_.end(), [&](Index key) {
      return weights_.value.at({cell.batch, cell.head, cell.row, key}) == weights_.value.at(cell);
    });
    const double sure = 4.0 * static_cast<double>(taught) / static_cast<double>(steps_.size()) +
                        (ties > 1 ? 0.0 : 2.0) + value_worth(cell) +
                        (cell.row != cell.col ? 2.0 : 0.0);
    if (sure + 1.0 <= least) return sure;  // its terms could not add more
    double zeros = 0.0, largest = 0.0, terms = 0.0;
    for (const Term& term : terms_of(trace_, {steps_.front(), cell})) {
      zeros += worth_of(term) == 0.0 ? 1.0 : 0.0;
      terms += 1.0;
      for (const auto& [step, at] : term.leaves)
        largest = std::max(largest, std::abs(step->value.at(at)));
    }
    return sure + (largest < 10.0 ? 1.0 : 0.0) - 3.0 * zeros / std::max(terms, 1.0);
  }

 private:
  /// The share of a pair's values that are not 0.
  double value_worth(const Cell& cell) const {
    for (const Term& term : mixed_) {
      if (term.leaves.size() != 2 || term.leaves[0].cell.col != cell.col) continue;
      const Tensor& values = term.leaves[1].step->value;
      Cell at = term.leaves[1].cell;
      double others = 0.0;
      for (at.col = 0; at.col < values.cols(); ++at.col) others += values.at(at) != 0.0 ? 1.0 : 0.0;
      return others / static_cast<double>(values.cols());
    }
    return 0.0;
  }

  const Trace& trace_;
  const Step& weights_;
  std::vector<const Step*> steps_ = {};  // computed, one number for each query and key
  const Step* mix_ = nullptr;            // where weights meet values
  std::vector<Term> mixed_ = {};         // of the first cell of the query's row there
  std::vector<Index> visible_ = {};      // keys that the query sees
};

}  // namespace

Pair choose_pair(const Trace& trace, const Scope& scope, const View& view) {
  if (view.pair) {
    const Cell cell = read_address(trace, *view.pair, view).place.cell;
    return {cell.batch, view.head.value_or(0), cell.row, cell.col};
  }
  const Step* weights = first_weights(trace, scope);
  if (weights == nullptr || weights->inputs.empty() || weights->is_outline()) {
    const Index batch = view.batch.value_or(0);
    const auto row = view.query ? query_row(scope, *view.query, batch) : std::nullopt;
    return {batch, view.head.value_or(0), row.value_or(0), 0};
  }
  const std::vector<GridChoice> grids = chosen_grids(*weights, view);
  if (grids.empty()) return {};
  const GridChoice& grid = grids.front();
  PairWorth pairs(trace, *weights);
  const HiddenCells hidden(trace, *weights->scope);
  const Index rows = weights->value.rows();
  Pair best{grid.batch, grid.head, grid.row.value_or(0), 0};
  double most = -1e9;
  for (Index i = 0; i < (grid.row ? 1 : std::min(rows, kMostTried)); ++i) {
    const Index row =
        grid.row.value_or((i + 1) % rows);  // under a causal mask the first has no choice
    std::vector<Index> visible;
    for (Index key = 0; key < weights->value.cols(); ++key) {
      if (!hidden({grid.batch, grid.head, row, key})) visible.push_back(key);
    }
    const bool padding = row < weights->value.cols() && hidden({grid.batch, grid.head, row, row});
    pairs.start({grid.batch, grid.head, row, 0}, visible);
    for (std::size_t k = 0; k < visible.size() && k < static_cast<std::size_t>(kMostTried); ++k) {
      const double loss = padding ? 3.0 : 0.0;
      const double worth =
          pairs.worth({grid.batch, grid.head, row, visible[k]}, most + loss) - loss;
      if (worth <= most) continue;
      most = worth;
      best.query = row;
      best.key = visible[k];
    }
  }
  return best;
}

ExampleCells cells_of_pair(const Trace& trace, const Scope& scope, const Pair& pair) {
  ExampleCells focus;
  PairTerms terms(trace, pair);
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
    if (step->scope.get() != &scope || step->is_given() || !can_derive(trace, *step)) continue;
    const auto known = focus.find(&*step);
    const WorkedCell worked =
        known == focus.end() ? terms.best_cell(*step) : terms.work({&*step, known->second});
    focus[&*step] = worked.cell;
    for (const Term& term : worked.terms) {
      for (const auto& [input, cell] : term.leaves) {
        const bool own = input->scope.get() == &scope && !input->is_given();
        if (own) focus.try_emplace(input, cell);
      }
    }
  }
  return focus;
}

std::optional<Cell> hidden_cell(const Trace& trace, const Step& step, const Pair& pair) {
  const Index rows = step.value.rows();
  const HiddenCells hidden(trace, *step.scope);
  for (Index i = 0; i < rows; ++i) {
    for (Index c = 0; c < step.value.cols(); ++c) {
      const Cell cell{pair.batch, pair.head, (pair.query + i) % rows, c};
      if (hidden(cell)) return cell;
    }
  }
  return std::nullopt;
}

}  // namespace attn
