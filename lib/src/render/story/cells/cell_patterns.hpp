// Finds the arithmetic that cells of a step share.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attn/core/expression.hpp"
#include "attn/render/cell_book.hpp"

namespace attn {

/// The patterns of one step, learned from one cell after another: arithmetic that reads alike,
/// and leaves whose coordinates are fixed or a fixed distance from those of the cell.
class CellPatterns {
 public:
  /// Takes in how a cell was made, and returns the number of its pattern. `instead`: what the
  /// number stands in for, if nothing was computed.
  std::size_t add(const Expression& how, const Cell& cell, const Expression* instead = nullptr);

  std::vector<CellPattern> take();

 private:
  using Leaves = std::vector<const Expression*>;
  /// What a coordinate of a leaf may be, after all cells so far: ways[i] is the distance from
  /// coordinate i of the cell (batch, head, row, column), ways[4] the coordinate itself.
  struct Guess {
    std::array<Index, 5> ways;
    std::uint8_t possible = 31;  ///< a bit for each
  };
  bool narrow(std::vector<Guess>& guesses, const Leaves& leaves, const Cell& cell);

  struct Learned {
    Expression how;
    bool replaces;
    std::vector<int> inputs;     ///< of the leaves
    std::vector<Guess> guesses;  ///< four for each leaf
  };

  std::vector<Learned> learned_ = {};
  std::map<std::string, std::vector<std::size_t>> by_key_ = {};
  std::string key_ = {};  ///< of the cell that is added; kept, as is its memory
  Leaves leaves_ = {};    ///< the same
  std::vector<std::uint8_t> narrowed_ = {};
};

}  // namespace attn
