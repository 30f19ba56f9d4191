// The ways to get RoPE wrong: other pairs, angles, positions or signs, or too few digits.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/operations/operations.hpp"
#include "core/operations/positions/mistaken_positions.hpp"
#include "core/operations/positions/row_positions.hpp"
#include "core/tensor/dtype.hpp"

namespace attn::ops {
namespace {

/// What is added up to turn one column of a pair; `own` is the column, `other` its partner.
struct TurnWay {
  const char* name;
  bool cosine_of_other, sine_of_other;
  double first, second;  ///< the sign of the sine in the first and in the second column
  const char* formula;
};

constexpr const char* kTurned = "{0} rotated, but not as it should be";
constexpr std::array kTurnWays = {
    TurnWay{"right", false, true, -1.0, 1.0, kTurned},
    TurnWay{"backwards", false, true, 1.0, -1.0, "{0}·cos + [x₂, −x₁]·sin"},
    TurnWay{"plus", false, true, 1.0, 1.0, "{0}·cos + [x₂, x₁]·sin"},
    TurnWay{"minus", false, true, -1.0, -1.0, "{0}·cos + [−x₂, −x₁]·sin"},
    TurnWay{"not_crossed", false, false, -1.0, 1.0, "{0}·cos + [−x₁, x₂]·sin"},
    TurnWay{"not_crossed_back", false, false, 1.0, -1.0, "{0}·cos + [x₁, −x₂]·sin"},
    TurnWay{"halves_exchanged", true, false, -1.0, 1.0, "[x₂, x₁]·cos + [−x₁, x₂]·sin"},
};

const TurnWay& turn_way(const Parameters& p) {
  if (p.find("way") == nullptr) return kTurnWays.front();
  return *std::find_if(kTurnWays.begin(), kTurnWays.end(),
                       [&](const TurnWay& way) { return way.name == p.word("way"); });
}

/// A place in pairs of columns: the pair, its columns, and whether `col` is the first of them.
struct TurnedPair {
  Index index, other;
  bool is_first;
};

TurnedPair turned_pair(Index width, bool interleaved, Index col) {
  if (interleaved) return {col / 2, col % 2 == 0 ? col + 1 : col - 1, col % 2 == 0};
  const Index half = width / 2;
  return {col % half, col < half ? col + half : col - half, col < half};
}

/// What is rounded to 16 bits, in the order of the computation.
enum Rounds : Index { kPosition, kFrequency, kFrequencySteps, kAngle, kWave };

double narrowed(const Parameters& p, Index what, double x) {
  if (p.find("rounds") == nullptr) return x;
  const std::vector<Index>& rounds = p.counts("rounds");
  if (std::find(rounds.begin(), rounds.end(), what) == rounds.end()) return x;
  round_to(*find_dtype(p.word("dtype")), {&x, 1});
  return x;
}

/// How one column is turned: which columns are multiplied by cosine and sine, and how fast it
/// turns.
struct ColumnTurn {
  bool turns = false;
  Index input = 0, cosine_col = 0, sine_col = 0;
  double sign = 1.0;  ///< of the sine
  double per_position = 1.0;
};

/// What the angle of a pair grows by from one position to the next.
double mistaken_frequency(const Parameters& p, Index pair) {
  const auto columns = static_cast<double>(count_or(p, "angles_of", p.count("rotary_dim")));
  const double numerator = static_cast<double>(2 * pair) + number_or(p, "exponent_shift", 0.0);
  const auto step = [&](double x) { return narrowed(p, kFrequencySteps, x); };
  if (p.find("frequencies") != nullptr && p.find("angles_of") == nullptr &&
      p.find("exponent_factor") == nullptr) {
    const std::vector<double>& each = p.numbers("frequencies");
    const double own = pair < std::ssize(each) ? each[static_cast<std::size_t>(pair)] : 0.0;
    return number_or(p, "times", 1.0) * narrowed(p, kFrequency, step(own));
  }
  const double exponent = step(number_or(p, "exponent_factor", 1.0) * numerator / columns);
  const double frequency = step(1.0 / step(std::pow(p.number("base"), exponent)));
  return number_or(p, "times", 1.0) * narrowed(p, kFrequency, frequency);
}

ColumnTurn turn_of_column(const Parameters& p, Index whole_col, std::size_t inputs) {
  const Index turned = p.count("rotary_dim"), width = count_or(p, "pairs_of", turned);
  const Index start = first_column(p), col = whole_col - start;
  const bool interleaved = p.flag("interleaved");
  if (col < 0 || col >= width) return {};
  const TurnedPair pair = turned_pair(width, interleaved, col);
  const bool by_pair = flag_or(p, "whole_pairs", false);
  if (by_pair ? pair.index >= turned / 2 : col >= turned) return {};
  const bool angles_interleaved = flag_or(p, "angles_interleaved", interleaved);
  const TurnWay& way = turn_way(p);
  return {true,
          inputs > 1 && !pair.is_first ? 1 : 0,
          start + (way.cosine_of_other ? pair.other : col),
          start + (way.sine_of_other ? pair.other : col),
          pair.is_first ? way.first : way.second,
          mistaken_frequency(p, turned_pair(width, angles_interleaved, col).index)};
}

double mistaken_angle(const Parameters& p, const Cell& cell, const ColumnTurn& turn) {
  const auto place = static_cast<double>(mistaken_position(p, cell));
  return narrowed(p, kAngle, narrowed(p, kPosition, place) * turn.per_position);
}

Tensor evaluate_mistaken_rotate(const Call& call) {
  const Parameters& p = call.parameters;
  Tensor y = call[0];
  const bool by_head = p.find("place") != nullptr && p.word("place") == "head";
  std::vector<ColumnTurn> turns;
  for (Index c = 0; c < y.cols(); ++c) turns.push_back(turn_of_column(p, c, call.inputs.size()));
  std::vector<double> cosines(turns.size()), sines(turns.size());
  const double factor = attention_factor(p);
  const auto set_waves = [&](const Cell& cell) {
    for (std::size_t c = 0; c < turns.size(); ++c) {
      if (!turns[c].turns) continue;
      const double angle = mistaken_angle(p, cell, turns[c]);
      cosines[c] = narrowed(p, kWave, factor * std::cos(angle));
      sines[c] = turns[c].sign * narrowed(p, kWave, factor * std::sin(angle));
    }
  };
  for (Index b = 0; b < y.batch(); ++b) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index h = 0; h < y.heads(); ++h) {
        if (h == 0 || by_head) set_waves({b, h, r, 0});
        const auto row = y.row(b, h, r);
        for (std::size_t c = 0; c < turns.size(); ++c) {
          const ColumnTurn& turn = turns[c];
          if (!turn.turns) continue;
          const auto from = call[static_cast<std::size_t>(turn.input)].row(b, h, r);
          row[c] = from[static_cast<std::size_t>(turn.cosine_col)] * cosines[c] +
                   from[static_cast<std::size_t>(turn.sine_col)] * sines[c];
        }
      }
    }
  }
  return y;
}

Expression derive_mistaken_rotate(const Call& call, const Cell& cell) {
  const Parameters& p = call.parameters;
  const ColumnTurn turn = turn_of_column(p, cell.col, call.inputs.size());
  if (!turn.turns) return leaf(call[0], 0, cell);
  const auto at = [&](Index col) {
    return leaf(call[static_cast<std::size_t>(turn.input)], static_cast<int>(turn.input),
                {cell.batch, cell.head, cell.row, col});
  };
  const auto wave = [&](Expression exact) {
    if (p.find("attention_factor") != nullptr)
      exact = product(constant(attention_factor(p)), std::move(exact));
    const double rounded = narrowed(p, kWave, exact.value);
    return rounded == exact.value ? std::move(exact) : constant(rounded);
  };
  const double angle = mistaken_angle(p, cell, turn);
  Expression crossed = product(at(turn.sine_col), wave(sine(constant(angle))));
  if (turn.sign < 0.0) crossed = negative(std::move(crossed));
  return sum({product(at(turn.cosine_col), wave(cosine(constant(angle)))), std::move(crossed)});
}

const char* formula_of_mistaken_rotate(const Parameters& p) {
  return p.find("rounds") == nullptr ? turn_way(p).formula
                                     : "{0} rotated by angles with too few digits";
}

MaybeShape shape_of_mistaken_rotate(Shapes in, const Parameters& p, const Shape&) {
  const Index width = std::max(p.count("rotary_dim"), count_or(p, "pairs_of", 2));
  const bool pairs = first_column(p) + width <= in[0].cols && p.count("rotary_dim") >= 2;
  const bool same = in.size() < 2 || in[0] == in[1];
  return pairs && same && has_offsets(p, in[0]) ? MaybeShape(in[0]) : std::nullopt;
}

constexpr auto kTurnNames = [] {
  std::array<const char*, kTurnWays.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kTurnWays[i].name;
  return names;
}();

constexpr ParameterField optional_field(const char* name, ParameterField::Kind kind,
                                        const char* summary) {
  return {.name = name, .kind = kind, .summary = summary, .required = false};
}

constexpr ParameterField optional_width(const char* name, const char* summary) {
  ParameterField field = optional_field(name, ParameterField::Kind::Count, summary);
  field.least = 2;
  field.multiple_of = 2;
  return field;
}

constexpr ParameterField kMistakenRotateFields[] = {
    kBaseField,
    kRotaryDimField,
    kInterleavedField,
    kOffsetsField,
    kPositionsField,
    kFrequenciesField,
    kAttentionFactorField,
    kFirstColumnField,
    {.name = "way",
     .kind = ParameterField::Kind::Word,
     .summary = "how a pair is turned",
     .words = kTurnNames,
     .required = false},
    kPlaceField,
    kExponentFactorField,
    kExponentShiftField,
    optional_field("times", ParameterField::Kind::Number, "what multiplies the angles"),
    optional_width("angles_of", "how many columns the exponents are divided by"),
    optional_width("pairs_of", "how many columns the pairs are taken from"),
    optional_field("whole_pairs", ParameterField::Kind::Flag,
                   "whether both columns of the first pairs are rotated, wherever they are"),
    optional_field("angles_interleaved", ParameterField::Kind::Flag,
                   "the pairs to which the angles belong"),
    optional_field("rounds", ParameterField::Kind::Counts,
                   "what is rounded: 0 positions, 1 frequencies, 2 each step to a frequency, "
                   "3 angles, 4 sines and cosines"),
    {.name = "dtype",
     .kind = ParameterField::Kind::Word,
     .summary = "the number type to which they are rounded",
     .words = kDtypeNames,
     .required = false}};

}  // namespace

const Operation mistaken_rotate{
    .name = "mistaken_rotate",
    .formula = kTurned,
    .shape_rule = {1, 2, "Pairs of columns are rotated, and every row has a position.",
                   shape_of_mistaken_rotate},
    .evaluate = evaluate_mistaken_rotate,
    .derive = derive_mistaken_rotate,
    .fields = kMistakenRotateFields,
    .formula_for = formula_of_mistaken_rotate};

}  // namespace attn::ops
