// Finds the mask that acts, and tells by zeros, masked scores and roles of steps what is hidden.
#include "core/trace/hidden_cells.hpp"

#include <algorithm>

namespace attn {
namespace {

/// Whether a mask removes weights after softmax.
bool masks_weights(const Trace& trace, const Step& step) {
  return step.info().role == StepRole::Weights && trace.input_of(StepRole::Mask, step) != nullptr;
}

}  // namespace

const Step* acting_mask(const Trace& trace, const Scope& scope) {
  const Step* mask = nullptr;
  trace.steps.first_in(scope, [&](const Step& step) {
    mask = trace.input_of(StepRole::Mask, step);
    return mask != nullptr;
  });
  return mask;
}

namespace {

/// Only what has numbers can be asked.
const Step* with_numbers(const Step* step) {
  return step == nullptr || step->is_outline() ? nullptr : step;
}

}  // namespace

HiddenCells::HiddenCells(const Trace& trace, const Scope& scope)
    : mask_(with_numbers(acting_mask(trace, scope))),
      masked_scores_(with_numbers(trace.first_of(StepRole::MaskedScores, scope))) {}

HiddenCells::Row HiddenCells::row(const Cell& cell) const {
  const auto of = [&](const Step* step) {
    return step == nullptr || !step->value.has({cell.batch, cell.head, cell.row, 0})
               ? std::span<const double>()
               : step->value.row(cell.batch, cell.head, cell.row);
  };
  return {of(mask_), of(masked_scores_)};
}

bool is_hidden(const Trace& trace, const Step& step, const Cell& cell) {
  if (step.info().role == StepRole::Mask) return step.value.at(cell) == 0.0;
  return HiddenCells(trace, *step.scope)(cell);
}

std::optional<std::size_t> hider_of(const Scope& scope, const Cell& cell) {
  if (!scope.visibility || !scope.visibility->allowed.has(cell)) return std::nullopt;
  const std::uint16_t mark = scope.visibility->hider_at(cell);
  return mark == 0 ? std::nullopt : std::optional<std::size_t>(mark - 1U);
}

bool is_padded_row(const Trace& trace, const Step& step, const Cell& cell) {
  const Step* kept = trace.input_of(StepRole::KeptQueries, step);
  return with_numbers(kept) != nullptr &&
         kept->value.at({cell.batch, cell.head, cell.row, 0}) == 0.0;
}

bool shows_hidden(const Trace& trace, const Step& step) {
  const StepRole role = step.info().role;
  if (role ==
      StepRole::Gradient) {  // a hidden score changes nothing; its weight, or e^score, would
    const Step& of = trace.at(owner_of_gradient(step.id));
    const StepRole own = of.info().role;
    return own != StepRole::Weights && own != StepRole::Exponentials && shows_hidden(trace, of);
  }
  const bool scaled_after =
      step.info().is_pairwise() && trace.input_of(StepRole::MaskedScores, step) != nullptr;
  if (role != StepRole::MaskedScores && role != StepRole::Exponentials &&
      role != StepRole::Weights && !scaled_after)
    return false;
  bool at_or_after = false;  // the step at which a mask acts on the weights
  for (const Step& each : trace.steps) {
    if (each.scope != step.scope) continue;
    at_or_after |= masks_weights(trace, each);
    if (each.id == step.id && at_or_after) return true;
  }
  return !at_or_after;
}

bool hides_here(const Trace& trace, const Step& step) {
  const Step* mask = trace.input_of(StepRole::Mask, step);
  const bool of_mask = mask != nullptr && step.inputs.front() == mask->id;  // nothing to hide yet
  return (mask != nullptr && !of_mask) || trace.input_of(StepRole::KeptQueries, step) != nullptr;
}

bool leaves_keys_out(const Trace& trace, const Step& step) {
  if (!step.operation->sums_over_keys(step.parameters)) return false;
  const bool of_weights = trace.input(step, 0).info().role == StepRole::Weights;
  const Step* weights = first_weights(trace, *step.scope);
  return of_weights || (weights != nullptr && shows_hidden(trace, *weights));
}

const Step* first_weights(const Trace& trace, const Scope& scope) {
  return trace.first_of(StepRole::Weights, scope);
}

}  // namespace attn
