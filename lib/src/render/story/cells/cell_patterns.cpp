// Finds the arithmetic that cells of a step share.
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

Coordinate best(const std::array<Index, 5>& ways, const std::array<bool, 5>& possible) {
  constexpr char kAxes[] = {'b', 'h', 'r', 'c', 0};
  for (const std::size_t exact : {2u, 3u, 0u, 1u}) {  // the same row or column reads best
    if (possible[exact] && ways[exact] == 0) return {kAxes[exact], 0};
  }
  for (const std::size_t i : {4u, 2u, 3u, 0u, 1u}) {
    if (possible[i]) return {kAxes[i], ways[i]};
  }
  return {};
}

}  // namespace

/// What remains possible of `guesses` after one more cell with these leaves; nothing if one of them
/// has no possibility left.
std::optional<std::vector<CellPatterns::Guess>> CellPatterns::narrowed(
    std::vector<Guess> guesses, const std::vector<const Expression*>& leaves, const Cell& cell) {
  const std::array<Index, 4> own = coordinates(cell);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::array<Index, 4> there = coordinates(leaves[i]->cell);
    for (std::size_t axis = 0; axis < 4; ++axis) {
      Guess& guess = guesses[4 * i + axis];
      bool any = false;
      for (std::size_t way = 0; way < 5; ++way) {
        const Index distance = there[axis] - (way < 4 ? own[way] : 0);
        guess.possible[way] = guess.possible[way] && guess.ways[way] == distance;
        any |= guess.possible[way];
      }
      if (!any) return std::nullopt;
    }
  }
  return guesses;
}

std::size_t CellPatterns::add(const Expression& how, const Cell& cell, const Expression* instead) {
  std::vector<const Expression*> leaves;
  std::string key;
  read_off(how, key, leaves);
  const bool replaces = leaves.empty() && how.parts.empty() && instead != nullptr;
  if (replaces) leaves.push_back(instead);

  std::vector<std::size_t>& alike = by_key_[key];
  for (auto at = alike.rbegin(); at != alike.rend(); ++at) {
    Learned& known = learned_[*at];
    auto guesses = narrowed(known.guesses, leaves, cell);
    if (!guesses) continue;
    known.guesses = std::move(*guesses);
    return *at;
  }
  Learned fresh{how, replaces, {}, {}};
  const std::array<Index, 4> own = coordinates(cell);
  for (const Expression* leaf : leaves) {
    fresh.inputs.push_back(leaf->input);
    for (const Index there : coordinates(leaf->cell))
      fresh.guesses.push_back(
          {{there - own[0], there - own[1], there - own[2], there - own[3], there},
           {true, true, true, true, true}});
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
