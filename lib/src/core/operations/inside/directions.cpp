// In which direction a row must move for a logit to grow.
// The way back through what is not linear freezes the factor that it has at one row: Elhage et al.
// 2021.
#include <algorithm>
#include <cmath>

#include "core/operations/norms/norm_parts.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/products/products.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

constexpr ParameterField kFrozenRowField{.name = "row",
                                         .kind = ParameterField::Kind::Count,
                                         .summary = "the row whose size or factor is frozen",
                                         .least = 0};
constexpr ParameterField kWordsField{.name = "ids",
                                     .kind = ParameterField::Kind::Counts,
                                     .summary = "which words of the vocabulary",
                                     .least = 0};

bool are_below(const std::vector<Index>& ids, Index count) {
  return std::all_of(ids.begin(), ids.end(), [&](Index id) { return id < count; });
}

/// Where the weights of a word are, for a column of its direction.
Cell weight_of_word(const Call& call, const Cell& cell) {
  const Index word = call.parameters.counts("ids")[static_cast<std::size_t>(cell.row)];
  return is_transposed(call.parameters) ? Cell{0, 0, word, cell.col} : Cell{0, 0, cell.col, word};
}

Tensor evaluate_word_directions(const Call& call) {
  Tensor y(call.shape);
  for (Index r = 0; r < y.rows(); ++r) {
    for (Index c = 0; c < y.cols(); ++c)
      y.at({0, 0, r, c}) = call[0].at(weight_of_word(call, {0, 0, r, c}));
  }
  return y;
}

Expression derive_word_directions(const Call& call, const Cell& cell) {
  return leaf(call[0], 0, weight_of_word(call, cell));
}

MaybeShape shape_of_word_directions(Shapes in, const Parameters& p, const Shape&) {
  const bool turned = is_transposed(p);
  const auto& ids = p.counts("ids");
  const bool fits =
      !in[0].batch && !in[0].heads && are_below(ids, turned ? in[0].rows : in[0].cols);
  return fits ? MaybeShape(Shape{{}, {}, std::ssize(ids), turned ? in[0].cols : in[0].rows})
              : std::nullopt;
}

const char* formula_of_word_directions(const Parameters& p) {
  return is_transposed(p) ? "rows of {0}" : "columns of {0}";
}

constexpr ParameterField kWordDirectionsFields[] = {kWordsField, kTransposedField};

/// A row of input 1, its mean (0 unless the norm subtracts it), and its size.
struct NormedRow {
  std::span<const double> numbers;
  double mean = 0.0, size = 0.0;
};

NormedRow normed_row(const Call& call, Index batch) {
  NormedRow made{call[1].row(batch, 0, call.parameters.count("row"))};
  const auto n = static_cast<double>(made.numbers.size());
  if (call.parameters.flag("centred")) {
    for (const double x : made.numbers) made.mean += x;
    made.mean /= n;
  }
  double squares = 0.0;
  for (const double x : made.numbers) squares += (x - made.mean) * (x - made.mean);
  made.size = std::sqrt(squares / n + call.parameters.number("epsilon"));
  return made;
}

/// The mean of a direction times the weights, which a norm that subtracts means takes away.
double mean_of_direction(const Call& call, const Cell& cell) {
  if (!call.parameters.flag("centred")) return 0.0;
  const auto row = call[0].row(cell.batch, 0, cell.row);
  const auto weights = call[2].row(0, 0, 0);
  double total = 0.0;
  for (std::size_t c = 0; c < row.size(); ++c) total += row[c] * weights[c];
  return total / static_cast<double>(row.size());
}

Tensor evaluate_norm_direction(const Call& call) {
  Tensor y(call.shape);
  for (Index b = 0; b < y.batch(); ++b) {
    const double size = normed_row(call, b).size;
    for (Index r = 0; r < y.rows(); ++r) {
      const double mean = mean_of_direction(call, {b, 0, r, 0});
      for (Index c = 0; c < y.cols(); ++c) {
        const double x = call[0].at({b, 0, r, c});
        y.at({b, 0, r, c}) = (x * call[2].at({0, 0, 0, c}) - mean) / size;
      }
    }
  }
  return y;
}

Expression derive_norm_direction(const Call& call, const Cell& cell) {
  const Index row = call.parameters.count("row");
  const NormedRow normed = normed_row(call, cell.batch);
  std::vector<Expression> squares;
  for (Index c = 0; c < call[1].cols(); ++c) {
    Expression x = leaf(call[1], 1, {cell.batch, 0, row, c});
    squares.push_back(
        square(normed.mean == 0.0 ? std::move(x) : sum({std::move(x), constant(-normed.mean)})));
  }
  Expression own = product(leaf(call[0], 0, cell), leaf(call[2], 2, {0, 0, 0, cell.col}));
  const double mean = mean_of_direction(call, cell);
  if (mean != 0.0) own = sum({std::move(own), constant(-mean)});
  return quotient(std::move(own), root_of_mean(call, std::move(squares)));
}

MaybeShape shape_of_norm_direction(Shapes in, const Parameters& p, const Shape&) {
  const bool same_batch = !in[0].batch || !in[1].batch || in[0].batch == in[1].batch;
  const bool fits = same_batch && in[0].cols == in[1].cols && in[2].cols == in[0].cols &&
                    in[2].rows == 1 && p.count("row") < in[1].rows;
  return fits ? MaybeShape(
                    Shape{in[1].batch ? in[1].batch : in[0].batch, {}, in[0].rows, in[0].cols})
              : std::nullopt;
}

const char* formula_of_norm_direction(const Parameters& p) {
  return p.flag("centred") ? "({0} ∘ {2} − mean) / √(variance of row {row} of {1} + {epsilon})"
                           : "{0} ∘ {2} / √(mean of squares of row {row} of {1} + {epsilon})";
}

constexpr ParameterField kNormDirectionFields[] = {
    kFrozenRowField,
    kNormFields[0],
    {.name = "centred",
     .kind = ParameterField::Kind::Flag,
     .summary = "whether the norm subtracts the mean of each row"}};

/// The cell of `x` or `y` whose factor counts for a cell of the result.
Cell frozen_cell(const Call& call, const Cell& cell) {
  const auto* ids = call.parameters.find("ids");
  const Index col = ids == nullptr
                        ? cell.col
                        : std::get<std::vector<Index>>(*ids)[static_cast<std::size_t>(cell.col)];
  return {cell.batch, 0, call.parameters.count("row"), col};
}

/// 0 where what is bent is 0, and so is what comes of it.
Expression derive_frozen_factor(const Call& call, const Cell& cell) {
  const Cell at = frozen_cell(call, cell);
  Expression x = leaf(call[1], 1, at);
  if (x.value == 0.0) return constant(0.0);
  return quotient(product(leaf(call[0], 0, cell), leaf(call[2], 2, at)), std::move(x));
}

Tensor evaluate_frozen_factor(const Call& call) {
  Tensor y(call.shape);
  for (Index b = 0; b < y.batch(); ++b) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index c = 0; c < y.cols(); ++c)
        y.at({b, 0, r, c}) = derive_frozen_factor(call, {b, 0, r, c}).value;
    }
  }
  return y;
}

MaybeShape shape_of_frozen_factor(Shapes in, const Parameters& p, const Shape&) {
  const auto* ids = p.find("ids");
  const bool same_batch = !in[0].batch || !in[1].batch || in[0].batch == in[1].batch;
  bool fits = same_batch && in[1] == in[2] && p.count("row") < in[1].rows;
  if (ids == nullptr) {
    fits = fits && in[0].cols == in[1].cols;
  } else {
    const auto& words = std::get<std::vector<Index>>(*ids);
    fits = fits && in[0].cols == std::ssize(words) && are_below(words, in[1].cols);
  }
  return fits ? MaybeShape(
                    Shape{in[1].batch ? in[1].batch : in[0].batch, {}, in[0].rows, in[0].cols})
              : std::nullopt;
}

constexpr ParameterField kFrozenFactorFields[] = {
    kFrozenRowField,
    {.name = "ids",
     .kind = ParameterField::Kind::Counts,
     .summary = "which columns; without, those of the first input",
     .least = 0,
     .required = false}};

}  // namespace

const Operation word_directions{
    .name = "word_directions",
    .formula = "columns of {0}",
    .shape_rule = {1, 1, "Every id is a word of the vocabulary.", shape_of_word_directions},
    .evaluate = evaluate_word_directions,
    .derive = derive_word_directions,
    .fields = kWordDirectionsFields,
    .formula_for = formula_of_word_directions};

const Operation norm_direction{
    .name = "norm_direction",
    .formula = "({0} ∘ {2} − mean) / √(variance of row {row} of {1} + {epsilon})",
    .shape_rule = {3, 3, "All have the same number of columns.", shape_of_norm_direction},
    .evaluate = evaluate_norm_direction,
    .derive = derive_norm_direction,
    .fields = kNormDirectionFields,
    .formula_for = formula_of_norm_direction};

const Operation frozen_factor{
    .name = "frozen_factor",
    .formula = "{0} ∘ row {row} of {2} / {1}",
    .shape_rule = {3, 3, "There is a factor for each column.", shape_of_frozen_factor},
    .evaluate = evaluate_frozen_factor,
    .derive = derive_frozen_factor,
    .fields = kFrozenFactorFields};

}  // namespace attn::ops
