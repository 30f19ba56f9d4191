// Slips: a cell or two that went wrong in a step whose method is right.
#include <cmath>
#include <string>
#include <utility>

#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

/// A number that visibly changes: finite, and not close to 0.
bool is_plain(double x) { return std::isfinite(x) && std::abs(x) >= 0.1; }

std::string slipped_step(Spoiling& spoiling) {
  if (!spoiling.given.empty()) return spoiling.dice.one_of(spoiling.given);
  return spoiling.dice.one_of<std::string>(
      {"q", "k", "v", "scores", "scaled_scores", "weights", "output"});
}

/// A random place in the block for which `suits` holds; the last one tried if none does.
template <typename Suits>
std::size_t place(Dice& dice, const Block& block, Suits suits) {
  std::size_t n = 0;
  for (int tries = 0; tries < 1000; ++tries) {
    n = static_cast<std::size_t>(dice.between(0, static_cast<Index>(block.data.size()) - 1));
    if (suits(n)) break;
  }
  return n;
}

/// Changes one step by `change`; the student goes on with what is written there.
template <typename Change>
void slip(Spoiling& spoiling, Change change) {
  Dice& dice = spoiling.dice;
  const std::string step = slipped_step(spoiling);
  spoiling.habits().touch = [step, change, &dice](const std::string& id, Block& block) {
    if (id == step) change(dice, block);
  };
}

template <double (*change)(double x)>
void cell(Spoiling& spoiling) {
  slip(spoiling, [](Dice& dice, Block& block) {
    double& x =
        block.data[place(dice, block, [&](std::size_t n) { return is_plain(block.data[n]); })];
    x = change(x);
  });
}

double sign(double x) { return -x; }
double point_right(double x) { return 10 * x; }
double point_left(double x) { return x / 10; }

/// The first decimal one more, or one less if it is a nine: 0.257 becomes 0.357.
double digit(double x) {
  const double written = std::round(x * 1000) / 1000, tenth = std::copysign(0.1, x);
  const double tenths = std::fmod(std::floor(std::abs(written) * 10 + 1e-9), 10);
  return tenths < 9 ? written + tenth : written - tenth;
}

/// 0.258 becomes 0.285; where those two differ by less than 3, the same one place to the left.
double digits_exchanged(double x) {
  const double thousandths = std::round(std::abs(x) * 1000);
  const double one = std::fmod(thousandths, 10), ten = std::fmod(std::floor(thousandths / 10), 10);
  const double hundred = std::fmod(std::floor(thousandths / 100), 10);
  const bool last = std::abs(one - ten) >= 3;
  const double change = last ? 9 * (one - ten) : 90 * (ten - hundred);
  return std::copysign((thousandths + change) / 1000, x);
}

/// Two cells beside each other.
void cells_exchanged(Spoiling& spoiling) {
  slip(spoiling, [](Dice& dice, Block& block) {
    const auto cols = static_cast<std::size_t>(block.cols);
    const std::size_t n = place(dice, block, [&](std::size_t at) {
      return at % cols + 1 < cols && std::isfinite(block.data[at]) &&
             std::abs(block.data[at] - block.data[at + 1]) > 0.05;
    });
    if (n % cols + 1 < cols) std::swap(block.data[n], block.data[n + 1]);
  });
}

/// A row and the one below it.
void rows_exchanged(Spoiling& spoiling) {
  slip(spoiling, [](Dice& dice, Block& block) {
    const Index h = dice.between(0, block.heads - 1), i = dice.between(0, block.rows - 2);
    for (Index j = 0; j < block.cols; ++j) {
      std::swap(block.at(0, h, i, j), block.at(0, h, i + 1, j));
    }
  });
}

/// One decimal kept of every number of a step, though three were wanted.
void rounded(Spoiling& spoiling) {
  slip(spoiling, [](Dice&, Block& block) {
    for (double& x : block.data) x = std::round(x * 10) / 10;
  });
}

/// One decimal of e^x kept, and weights made from those.
void rounded_inside(Spoiling& spoiling) {
  spoiling.habits().softmax = [](const Block& masked, const Block&) {
    const Block e = like(masked, [&](Index b, Index h, Index i, Index j) {
      return std::round(std::exp(masked.at(b, h, i, j)) * 10) / 10;
    });
    const Block sums = row_sum(e);
    return like(e, [&](Index b, Index h, Index i, Index j) {
      return e.at(b, h, i, j) / sums.at(b, h, i, 0);
    });
  };
}

}  // namespace

WrongWays slips() {
  return {
      {"slip.sign", "", causal_problem, cell<sign>},
      {"slip.decimal_point", "to the right", causal_problem, cell<point_right>},
      {"slip.decimal_point", "to the left", causal_problem, cell<point_left>},
      {"slip.digit", "one digit", causal_problem, cell<digit>},
      {"slip.digit", "two exchanged", causal_problem, cell<digits_exchanged>},
      {"slip.neighbour", "cells", causal_problem, cells_exchanged},
      {"slip.neighbour", "rows", causal_problem, rows_exchanged},
      {"slip.rounded_early", "a step", causal_problem, rounded},
      {"slip.rounded_early", "e^x", causal_problem, rounded_inside},
  };
}

}  // namespace attn::testing
