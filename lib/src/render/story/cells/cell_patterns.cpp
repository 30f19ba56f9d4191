// Guesses how the place of each leaf depends on the cell's, and narrows that with further cells.
#include "render/story/cells/cell_patterns.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/text/bit_cast.hpp"

namespace attn {
namespace {

using Kind = Expression::Kind;

/// Adds the leaves to `leaves` in order, and everything else that the arithmetic consists of to
/// `key`.
void read_off(const Expression& e, std::string& key, std::vector<const Expression*>& leaves) {
  key += static_cast<char>('A' + static_cast<int>(e.kind));
  key += e.text;
  if (e.kind == Kind::Leaf) {
    key += std::to_string(e.input);
    leaves.push_back(&e);
  } else if (e.kind == Kind::Constant) {
    key += std::to_string(bit_cast<std::uint64_t>(e.value));
  }
  for (const Expression& part : e.parts) read_off(part, key, leaves);
  key += '.';
}

std::array<Index, 4> coordinates(const Cell& c) { return {c.batch, c.head, c.row, c.col}; }

Coordinate best(const std::array<Index, 5>& ways, std::uint8_t possible) {
  constexpr char kAxes[] = {'b', 'h', 'r', 'c', 0};
  for (const std::size_t exact : {2u, 3u, 0u, 1u}) {  // the same row or column reads best
    if ((possible >> exact & 1u) != 0 && ways[exact] == 0) return {kAxes[exact], 0};
  }
  for (const std::size_t i : {4u, 2u, 3u, 0u, 1u}) {
    if ((possible >> i & 1u) != 0) return {kAxes[i], ways[i]};
  }
  return {};
}

}  // namespace

/// Keeps of `guesses` what one more cell with these leaves leaves possible. Returns false, and
/// changes nothing, if one of them has no possibility left.
bool CellPatterns::narrow(std::vector<Guess>& guesses, const Leaves& leaves, const Cell& cell) {
  const std::array<Index, 4> own = coordinates(cell);
  narrowed_.clear();
  for (const Expression* leaf : leaves) {
    for (const Index there : coordinates(leaf->cell)) {
      const Guess& guess = guesses[narrowed_.size()];
      unsigned fits = guess.ways[4] == there ? 16u : 0u;
      for (std::size_t way = 0; way < 4; ++way)
        fits |= (guess.ways[way] == there - own[way] ? 1u : 0u) << way;
      narrowed_.push_back(static_cast<std::uint8_t>(fits & guess.possible));
      if (narrowed_.back() == 0) return false;
    }
  }
  for (std::size_t i = 0; i < narrowed_.size(); ++i) guesses[i].possible = narrowed_[i];
  return true;
}

std::size_t CellPatterns::add(const Expression& how, const Cell& cell, const Expression* instead) {
  key_.clear();
  leaves_.clear();
  read_off(how, key_, leaves_);
  const bool replaces = leaves_.empty() && how.parts.empty() && instead != nullptr;
  if (replaces) leaves_.push_back(instead);

  std::vector<std::size_t>& alike = by_key_[key_];
  for (auto at = alike.rbegin(); at != alike.rend(); ++at) {
    if (narrow(learned_[*at].guesses, leaves_, cell)) return *at;
  }
  Learned fresh{how, replaces, {}, {}};
  const std::array<Index, 4> own = coordinates(cell);
  for (const Expression* leaf : leaves_) {
    fresh.inputs.push_back(leaf->input);
    for (const Index there : coordinates(leaf->cell))
      fresh.guesses.push_back(
          {{there - own[0], there - own[1], there - own[2], there - own[3], there}});
  }
  learned_.push_back(std::move(fresh));
  alike.push_back(learned_.size() - 1);
  return learned_.size() - 1;
}

std::vector<CellPattern> CellPatterns::take() {
  std::vector<CellPattern> patterns;
  for (Learned& each : learned_) {
    CellPattern pattern{std::move(each.how), {}};
    for (std::size_t i = 0; i < each.inputs.size(); ++i) {
      const auto at = [&](std::size_t axis) {
        const Guess& guess = each.guesses[4 * i + axis];
        return best(guess.ways, guess.possible);
      };
      pattern.leaves.push_back({each.inputs[i], at(0), at(1), at(2), at(3)});
    }
    if (each.replaces) pattern.replaces = std::exchange(pattern.leaves, {}).front();
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

}  // namespace attn
