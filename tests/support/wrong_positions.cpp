// Ways to get positions wrong: rotary ones, and sines and cosines.
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

using Row = std::vector<double>;

/// RoPE as programs write it: x·cos + crossed(x)·sin, with an angle for each column.
struct Turning {
  bool neighbours = false;  // which columns the angles and `crossed` pair
  Index columns = 0;        // how many are turned
  double base = 10000;
  Index first = 0;  // where row 0 is
  double times = 1;
  // of a position, head and column
  std::function<double(const Turning&, Index, Index, Index)> angle;
  // of a row and column
  std::function<double(const Turning&, const Row&, Index)> straight, crossed;
  std::function<double(double)> wave = [](double x) { return x; };

  Index pair(Index col) const { return neighbours ? col / 2 : col % (columns / 2); }
  bool is_first(Index col) const { return neighbours ? col % 2 == 0 : col < columns / 2; }
  Index partner(Index col) const {
    const Index step = neighbours ? 1 : columns / 2;
    return is_first(col) ? col + step : col - step;
  }
};

double number_at(const Row& x, Index col) { return x[static_cast<std::size_t>(col)]; }

Turning right_turning(const ProblemDraft& draft) {
  const Facts facts = facts_of(draft);
  Turning turning;
  turning.neighbours = draft.positions.kind == PositionKind::RopeInterleaved;
  turning.columns = draft.positions.rotary_dim.value_or(facts.d_k);
  turning.base = draft.positions.base.value_or(10000);
  turning.first = facts.n_past + draft.positions.offset.value_or(0);
  turning.angle = [](const Turning& own, Index position, Index, Index col) {
    const double exponent =
        2 * static_cast<double>(own.pair(col)) / static_cast<double>(own.columns);
    return static_cast<double>(position) / std::pow(own.base, exponent);
  };
  turning.straight = [](const Turning&, const Row& x, Index col) { return number_at(x, col); };
  turning.crossed = [](const Turning& own, const Row& x, Index col) {
    const double other = number_at(x, own.partner(col));
    return own.is_first(col) ? -other : other;
  };
  return turning;
}

Row row_of(const Block& x, Index b, Index h, Index i) {
  Row row;
  for (Index c = 0; c < x.cols; ++c) row.push_back(x.at(b, h, i, c));
  return row;
}

Block turned_by(const Turning& turning, const Block& x) {
  return like(x, [&](Index b, Index h, Index i, Index c) {
    if (c >= turning.columns) return x.at(b, h, i, c);
    const Row row = row_of(x, b, h, i);
    const double angle = turning.times * turning.angle(turning, i + turning.first, h, c);
    return turning.straight(turning, row, c) * turning.wave(std::cos(angle)) +
           turning.crossed(turning, row, c) * turning.wave(std::sin(angle));
  });
}

/// What is written for queries or keys, made from both of them before they are turned.
using Rewritten = std::function<Block(const Block& q, const Block& k, char letter)>;

void rewrite(Spoiling& spoiling, const Rewritten& made, const std::string& letters = "qk") {
  spoiling.habits().touch = [made, letters, q = Block{}, k = Block{}](const std::string& id,
                                                                      Block& block) mutable {
    if (id == "q_heads") q = block;
    if (id == "k_heads") k = block;
    for (const char letter : letters) {
      if (id == std::string(1, letter) + "_rotated") block = made(q, k, letter);
    }
  };
}

/// Queries, keys, or both turned as `turning` says.
void turn(Spoiling& spoiling, const Turning& turning, const std::string& letters = "qk") {
  rewrite(
      spoiling,
      [turning](const Block& q, const Block& k, char letter) {
        return turned_by(turning, letter == 'q' ? q : k);
      },
      letters);
}

void all_columns(Spoiling& spoiling) {
  spoiling.draft().positions.rotary_dim = facts_of(spoiling.draft()).d_k;
}

/// The exponents of the whole head: inv_freq of all columns, cut off.
void angles_of_all(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  const auto all = static_cast<double>(facts_of(spoiling.draft()).d_k);
  turning.angle = [all](const Turning& own, Index position, Index, Index col) {
    return static_cast<double>(position) /
           std::pow(own.base, 2 * static_cast<double>(own.pair(col)) / all);
  };
  turn(spoiling, turning);
}

/// Angles and pairs of the whole head; the later pairs do not turn.
void first_pairs_of_all(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  const Index pairs = turning.columns / 2;
  turning.columns = facts_of(spoiling.draft()).d_k;
  const auto usual = turning.angle;
  turning.angle = [=](const Turning& own, Index position, Index head, Index col) {
    return own.pair(col) < pairs ? usual(own, position, head, col) : 0.0;
  };
  turn(spoiling, turning);
}

/// All columns turned, of which the first ones are taken.
void first_columns_of_all(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  const Index taken = turning.columns;
  turning.columns = facts_of(spoiling.draft()).d_k;
  rewrite(spoiling, [=](const Block& q, const Block& k, char letter) {
    const Block& x = letter == 'q' ? q : k;
    const Block all = turned_by(turning, x);
    return like(x, [&](Index b, Index h, Index i, Index c) {
      return c < taken ? all.at(b, h, i, c) : x.at(b, h, i, c);
    });
  });
}

/// The angles of one convention, the pairs of the other: repeat_interleave(2) and rotate_half.
template <bool angles_right>
void mixed(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  Turning other = turning;
  other.neighbours = !turning.neighbours;
  if (angles_right) std::swap(turning, other);  // the turning has the wrong pairs
  const auto usual = turning.angle;
  turning.angle = [=](const Turning&, Index position, Index head, Index col) {
    return usual(other, position, head, col);
  };
  turn(spoiling, turning);
}

/// base^(`twice_factor`·(2i + `shift`) / 2d)
template <int twice_factor, int shift>
void exponent(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  turning.angle = [](const Turning& own, Index position, Index, Index col) {
    const double top = twice_factor * (2 * static_cast<double>(own.pair(col)) + shift) / 2;
    return static_cast<double>(position) *
           std::pow(own.base, -top / static_cast<double>(own.columns));
  };
  turn(spoiling, turning);
}

/// np.linspace(0, 1, d/2) as exponents
void exponents_to_1(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  turning.angle = [](const Turning& own, Index position, Index, Index col) {
    const auto last = static_cast<double>(own.columns / 2 - 1);
    return static_cast<double>(position) *
           std::pow(own.base, -static_cast<double>(own.pair(col)) / last);
  };
  turn(spoiling, turning);
}

void along_heads(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  const auto usual = turning.angle;
  turning.angle = [usual](const Turning& own, Index, Index head, Index col) {
    return usual(own, head, head, col);
  };
  turn(spoiling, turning);
}

/// rotate_half as [first·x, second·x], with x the other half or, if `own_half`, the same one.
template <int first, int second, bool own_half = false>
void signs(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  turning.crossed = [](const Turning& own, const Row& x, Index col) {
    return (own.is_first(col) ? first : second) * number_at(x, own_half ? col : own.partner(col));
  };
  turn(spoiling, turning);
}

/// x1, x2 = second half, first half
void halves_exchanged(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  turning.straight = [](const Turning& own, const Row& x, Index col) {
    return number_at(x, own.partner(col));
  };
  turning.crossed = [](const Turning& own, const Row& x, Index col) {
    return own.is_first(col) ? -number_at(x, col) : number_at(x, col);
  };
  turn(spoiling, turning);
}

/// Both are the first columns of the queries and the second ones of the keys.
void queries_and_keys(Spoiling& spoiling) {
  const Turning turning = right_turning(spoiling.draft());
  rewrite(spoiling, [turning](const Block& q, const Block& k, char) {
    const Block of_q = turned_by(turning, q), of_k = turned_by(turning, k);
    return like(q, [&](Index b, Index h, Index i, Index c) {
      return turning.is_first(c) ? of_q.at(b, h, i, c) : of_k.at(b, h, i, c);
    });
  });
}

void values_too(Spoiling& spoiling) {
  const Turning turning = right_turning(spoiling.draft());
  spoiling.habits().mix = [turning](const Facts& facts, const Habits& habits, const Block& weights,
                                    const Block& v) {
    return right_mix(facts, habits, weights, turned_by(turning, v));
  };
}

template <char letter>
void twice(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  turning.times = 2;
  turn(spoiling, turning, letter == 'b' ? "qk" : std::string(1, letter));
}

/// The cache holds turned keys, and is turned again with the new ones.
template <bool new_ones_too>
void cache_twice(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  turning.first = spoiling.draft().positions.offset.value_or(0);
  Array& past = spoiling.draft().past->k;
  past.data = turned_by(turning, block_of(past, false)).data;
  if (new_ones_too) twice<'k'>(spoiling);
}

/// Row 0 is at place `first`, or `first` places further on.
template <int first, bool moved>
void begins_at(Spoiling& spoiling, const char* letters) {
  Turning turning = right_turning(spoiling.draft());
  turning.first = first + (moved ? turning.first : 0);
  turn(spoiling, turning, letters);
}

void both_from_0(Spoiling& spoiling) { begins_at<0, false>(spoiling, "qk"); }
void queries_from_0(Spoiling& spoiling) { begins_at<0, false>(spoiling, "q"); }
void keys_from_0(Spoiling& spoiling) { begins_at<0, false>(spoiling, "k"); }
void both_next(Spoiling& spoiling) { begins_at<1, true>(spoiling, "qk"); }
void queries_next(Spoiling& spoiling) { begins_at<1, true>(spoiling, "q"); }
void keys_before(Spoiling& spoiling) { begins_at<-2, true>(spoiling, "k"); }

/// All new tokens where the first one is, or at 0.
template <bool at_0>
void standing(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  const Index place = at_0 ? 0 : turning.first;
  const auto usual = turning.angle;
  turning.angle = [=](const Turning& own, Index, Index head, Index col) {
    return usual(own, place, head, col);
  };
  turn(spoiling, turning);
}

/// Frequencies, or cosines and sines, as if there were no scaling; or both.
template <bool frequencies, bool waves>
void unscaled(Spoiling& spoiling) {
  const Positions& right = spoiling.draft().positions;
  Turning turning = right_turning(spoiling.draft());
  turning.base = *right.scaling->rope_theta;
  const Stretched turns = stretched(right, turning.columns, facts_of(spoiling.draft()).n_real);
  if (!frequencies) {
    turning.angle = [turns](const Turning& own, Index position, Index, Index col) {
      return static_cast<double>(position) * turns.each[static_cast<std::size_t>(own.pair(col))];
    };
  }
  if (!waves) turning.wave = [turns](double x) { return turns.factor * x; };
  turn(spoiling, turning);
}

/// To `bits` significant binary digits, ties to even; numbers are never so small that bits are
/// lost.
double rounded_to(int bits, double x) {
  int exponent = 0;
  const double digits = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(digits, bits)), exponent - bits);
}

struct Rounded {
  bool position, frequency, angle, wave;
};

/// Angles by frequencies, rounded to 8 binary digits (bfloat16) or 11 (float16).
template <int bits>
void rounded(Spoiling& spoiling, const Rounded& what) {
  Turning turning = right_turning(spoiling.draft());
  const auto round = [](bool now, double x) { return now ? rounded_to(bits, x) : x; };
  turning.angle = [=](const Turning& own, Index position, Index, Index col) {
    const double exponent =
        2 * static_cast<double>(own.pair(col)) / static_cast<double>(own.columns);
    const double frequency = round(what.frequency, std::pow(own.base, -exponent));
    return round(what.angle, round(what.position, static_cast<double>(position)) * frequency);
  };
  turning.wave = [=](double x) { return round(what.wave, x); };
  turn(spoiling, turning);
}

void all_bfloat16(Spoiling& spoiling) {
  Turning turning = right_turning(spoiling.draft());
  const auto round = [](double x) { return rounded_to(8, x); };
  turning.angle = [=](const Turning& own, Index position, Index, Index col) {
    const double exponent =
        round(2 * static_cast<double>(own.pair(col)) / static_cast<double>(own.columns));
    const double frequency = round(1 / round(std::pow(own.base, exponent)));
    return round(round(static_cast<double>(position)) * frequency);
  };
  turning.wave = round;
  turn(spoiling, turning);
}

void bfloat16_positions(Spoiling& spoiling) { rounded<8>(spoiling, {true, false, false, false}); }
void bfloat16_angles(Spoiling& spoiling) { rounded<8>(spoiling, {true, true, true, false}); }
void float16_frequencies(Spoiling& spoiling) { rounded<11>(spoiling, {false, true, false, false}); }
void bfloat16_waves(Spoiling& spoiling) { rounded<8>(spoiling, {false, false, false, true}); }

/// Sines and cosines by loops over pairs; `wrong` gives both exponents.
using Exponents = std::pair<double, double> (*)(double i, double d);

void waves(Spoiling& spoiling, Exponents wrong) {
  spoiling.habits().touch = [wrong](const std::string& id, Block& block) {
    if (id != "positions") return;
    block = like(block, [&](Index, Index, Index row, Index col) {
      const auto [sine, cosine] =
          wrong(static_cast<double>(col / 2), static_cast<double>(block.cols));
      const auto p = static_cast<double>(row);
      return col % 2 == 0 ? std::sin(p * std::pow(10000, -sine))
                          : std::cos(p * std::pow(10000, -cosine));
    });
  };
}

void waves_halved(Spoiling& spoiling) {
  waves(spoiling, [](double i, double d) { return std::pair(i / d, i / d); });
}
void waves_doubled(Spoiling& spoiling) {
  waves(spoiling, [](double i, double d) { return std::pair(4 * i / d, 4 * i / d); });
}
void waves_from_1(Spoiling& spoiling) {
  waves(spoiling, [](double i, double d) { return std::pair(2 * (i + 1) / d, 2 * (i + 1) / d); });
}
void waves_to_1(Spoiling& spoiling) {
  waves(spoiling, [](double i, double d) { return std::pair(i / (d / 2 - 1), i / (d / 2 - 1)); });
}
void waves_by_column(Spoiling& spoiling) {
  waves(spoiling, [](double i, double d) { return std::pair(2 * i / d, (2 * i + 1) / d); });
}
void waves_doubled_by_column(Spoiling& spoiling) {
  waves(spoiling, [](double i, double d) { return std::pair(4 * i / d, 2 * (2 * i + 1) / d); });
}

/// Positions from `first` on.
template <int first>
void waves_from(Spoiling& spoiling) {
  spoiling.draft().positions.offset = first;
}

void waves_at_0(Spoiling& spoiling) {
  spoiling.habits().touch = [](const std::string& id, Block& block) {
    if (id != "positions") return;
    block = like(block, [](Index, Index, Index, Index col) { return col % 2 == 0 ? 0.0 : 1.0; });
  };
}

}  // namespace

WrongWays wrong_positions() {
  return {
      {"rope.offset", "both from 0", cached_rope_problem, both_from_0},
      {"rope.offset", "queries from 0", cached_rope_problem, queries_from_0},
      {"rope.offset", "keys from 0", cached_rope_problem, keys_from_0},
      {"rope.offset", "all where the first is", cached_rope_problem, standing<false>},
      {"rope.offset", "all at 0", cached_rope_problem, standing<true>},
      {"rope.offset", "both too far", cached_rope_problem, both_next},
      {"rope.offset", "queries too far", rope_problem, queries_next},
      {"rope.offset", "keys too early", rope_problem, keys_before},
      {"rope.partial", "all columns", partial_rope_problem, all_columns},
      {"rope.partial", "angles of all", partial_rope_problem, angles_of_all},
      {"rope.partial", "pairs of all", partial_rope_problem, first_pairs_of_all},
      {"rope.partial", "columns of all", partial_rope_problem, first_columns_of_all},
      {"rope.mixed", "pairs wrong", wide_rope_problem, mixed<true>},
      {"rope.mixed", "angles wrong", wide_rope_problem, mixed<false>},
      {"rope.exponent", "halved", wide_rope_problem, exponent<1, 0>},
      {"rope.exponent", "doubled", wide_rope_problem, exponent<4, 0>},
      {"rope.exponent", "from 1", rope_problem, exponent<2, 2>},
      {"rope.exponent", "2i − 1", rope_problem, exponent<2, -1>},
      {"rope.exponent", "up to 1", wide_rope_problem, exponents_to_1},
      {"rope.axis", "", rope_problem, along_heads},
      {"rope.crossed", "backwards", rope_problem, signs<1, -1>},
      {"rope.crossed", "no minus", rope_problem, signs<1, 1>},
      {"rope.crossed", "both minus", rope_problem, signs<-1, -1>},
      {"rope.crossed", "not exchanged", rope_problem, signs<-1, 1, true>},
      {"rope.crossed", "halves exchanged", rope_problem, halves_exchanged},
      {"rope.crossed", "queries and keys", rope_problem, queries_and_keys},
      {"rope.twice", "cached keys", cached_rope_problem, cache_twice<false>},
      {"rope.twice", "all keys", cached_rope_problem, cache_twice<true>},
      {"rope.twice", "both", rope_problem, twice<'b'>},
      {"rope.twice", "new keys", rope_problem, twice<'k'>},
      {"rope.values", "", rope_problem, values_too},
      {"rope.rounded", "all in bfloat16", wide_rope_problem, all_bfloat16},
      {"rope.rounded", "positions", far_rope_problem, bfloat16_positions},
      {"rope.rounded", "angles", far_rope_problem, bfloat16_angles},
      {"rope.rounded", "frequencies", far_rope_problem, float16_frequencies},
      {"rope.rounded", "sines", wide_rope_problem, bfloat16_waves},
      {"rope.scaling", "all of it", scaled_rope_problem, unscaled<true, true>},
      {"rope.scaling", "frequencies", scaled_rope_problem, unscaled<true, false>},
      {"rope.scaling", "attention factor", scaled_rope_problem, unscaled<false, true>},
      {"positions.offset", "from 1", sinusoidal_problem, waves_from<1>},
      {"positions.offset", "from 3", sinusoidal_problem, waves_from<3>},
      {"positions.offset", "all at 0", sinusoidal_problem, waves_at_0},
      {"positions.exponent", "halved", sinusoidal_problem, waves_halved},
      {"positions.exponent", "doubled", sinusoidal_problem, waves_doubled},
      {"positions.exponent", "from 1", sinusoidal_problem, waves_from_1},
      {"positions.exponent", "up to 1", sinusoidal_problem, waves_to_1},
      {"positions.exponent", "by column", sinusoidal_problem, waves_by_column},
      {"positions.exponent", "doubled by column", sinusoidal_problem, waves_doubled_by_column},
  };
}

}  // namespace attn::testing
