// Compares sizes without leading axes of 1, and renames, fills up or transposes answers.
#include "teach/check/answer_shape.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"

namespace attn {
namespace {

std::vector<Index> without_ones(std::vector<Index> sizes) {
  while (sizes.size() > 2 && sizes.front() == 1) sizes.erase(sizes.begin());
  return sizes;
}

/// The same sizes in any order.
bool has_axes(const Answer& answer, const Shape& shape) {
  std::vector<Index> theirs = without_ones(answer.shape), ours = without_ones(shape.sizes());
  std::sort(theirs.begin(), theirs.end());
  std::sort(ours.begin(), ours.end());
  return theirs == ours;
}

/// Whether one step holds the numbers of the other in another arrangement.
bool rearranges(const Step& step, const Step& other) {
  return step.only_rearranges() && step.inputs.front() == other.id;
}

}  // namespace

bool has_shape(const Answer& answer, const Shape& shape) {
  return answer.shape.size() >= 2 && without_ones(answer.shape) == without_ones(shape.sizes());
}

std::optional<Tensor> in_shape(const Answer& answer, const Shape& shape) {
  if (!has_shape(answer, shape)) return std::nullopt;
  return Tensor(shape, answer.numbers);
}

Answers named_by_axes(const Trace& truth, Answers answers, std::vector<std::string>& notes) {
  for (Answer& each : answers.matrices) {
    const Step* step = truth.find_named(each.id);
    if (step == nullptr || each.shape.size() < 2 || has_axes(each, step->value.shape())) continue;
    for (const Step& other : truth.steps) {
      const bool same = rearranges(other, *step) || rearranges(*step, other);
      const bool given =
          std::any_of(answers.matrices.begin(), answers.matrices.end(),
                      [&](const Answer& answer) { return truth.find_named(answer.id) == &other; });
      if (!same || given || !has_axes(each, other.value.shape())) continue;
      notes.push_back(filled("\"{}\" ({}) is checked as {} ({})", each.id, shape_text(each.shape),
                             other.id, shape_text(other.value.shape().sizes())));
      each.id = other.id;
      break;
    }
  }
  return answers;
}

Answers filled_up(const Trace& truth, Answers answers) {
  for (Answer& each : answers.matrices) {
    const Step* step = truth.find_named(each.id);
    if (!each.open_ended || step == nullptr) continue;
    const std::vector<Index> sizes = step->value.shape().sizes();
    const bool within =
        each.shape.size() == sizes.size() &&
        std::equal(sizes.begin(), sizes.end(), each.shape.begin(), std::greater_equal<>());
    if (!within || each.shape == sizes) continue;
    Answer whole = each;
    whole.shape = sizes;
    const auto count = static_cast<std::size_t>(step->value.shape().count());
    whole.numbers.assign(count, std::numeric_limits<double>::quiet_NaN());
    whole.states.assign(count, CellState::Empty);
    const auto place = [&](std::size_t from) {
      std::size_t to = 0, factor = 1;
      for (std::size_t axis = sizes.size(); axis-- > 0;) {
        const auto size = static_cast<std::size_t>(each.shape[axis]);
        to += from % size * factor;
        from /= size;
        factor *= static_cast<std::size_t>(sizes[axis]);
      }
      return to;
    };
    for (std::size_t i = 0; i < each.numbers.size(); ++i) {
      whole.numbers[place(i)] = each.numbers[i];
      whole.states[place(i)] = each.states.empty() ? CellState::Filled : each.states[i];
    }
    for (UnreadCell& text : whole.unread) text.cell = place(text.cell);
    each = std::move(whole);
  }
  return answers;
}

std::string written_text(const Answer& answer, std::size_t cell) {
  const CellState state = answer.states.empty() ? CellState::Filled : answer.states[cell];
  if (state == CellState::Empty) return "?";
  if (state != CellState::Unreadable) return format_exact(answer.numbers[cell]);
  const auto at = std::find_if(answer.unread.rbegin(), answer.unread.rend(),
                               [&](const UnreadCell& each) { return each.cell == cell; });
  return at == answer.unread.rend() ? "" : at->text;
}

Answer transposed(const Answer& answer) {
  Answer turned = answer;
  const std::size_t rank = answer.shape.size();
  if (rank < 2) return turned;
  std::swap(turned.shape[rank - 1], turned.shape[rank - 2]);
  const auto rows = static_cast<std::size_t>(answer.shape[rank - 2]);
  const auto cols = static_cast<std::size_t>(answer.shape[rank - 1]);
  for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
    const std::size_t slice = i / (rows * cols) * rows * cols;
    const std::size_t to = slice + i % cols * rows + i % (rows * cols) / cols;
    turned.numbers[to] = answer.numbers[i];
    if (!answer.states.empty()) turned.states[to] = answer.states[i];
  }
  return turned;
}

}  // namespace attn
