// A norm of queries or keys over the wrong width: all heads together, or each of them.
#include <cmath>
#include <numeric>
#include <vector>

#include "core/operations/norms/norm_parts.hpp"
#include "core/operations/operations.hpp"

namespace attn::ops {
namespace {

/// The cells that share a size with one: the row in all heads; or, in a row of several heads that
/// are not cut yet, the columns of one of them.
std::vector<Cell> sharing(const Call& call, const Cell& cell) {
  std::vector<Cell> cells;
  const Index cols = call[0].cols(), parts = call.parameters.count("parts");
  const Index width = cols / parts, first = cell.col / width * width;
  const bool joins = parts == 1;
  for (Index h = joins ? 0 : cell.head; h < (joins ? call[0].heads() : cell.head + 1); ++h) {
    for (Index c = first; c < first + width; ++c) cells.push_back({cell.batch, h, cell.row, c});
  }
  return cells;
}

double mean_of_cells(const Call& call, const std::vector<Cell>& cells) {
  if (!call.parameters.flag("centred")) return 0.0;
  double total = 0.0;
  for (const Cell& each : cells) total += call[0].at(each);
  return total / static_cast<double>(cells.size());
}

Expression derive_norm_over_heads(const Call& call, const Cell& cell) {
  const std::vector<Cell> cells = sharing(call, cell);
  const double mean = mean_of_cells(call, cells);
  const auto centred = [&](const Cell& at) {
    Expression x = leaf(call[0], 0, at);
    return mean == 0.0 ? x : sum({std::move(x), constant(-mean)});
  };
  std::vector<Expression> squares;
  for (const Cell& each : cells) squares.push_back(square(centred(each)));
  return stretched(call, cell, quotient(centred(cell), root_of_mean(call, std::move(squares))));
}

Tensor evaluate_norm_over_heads(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index c = 0; c < y.cols(); ++c)
        y.at({b, h, r, c}) = derive_norm_over_heads(call, {b, h, r, c}).value;
    }
  });
  return y;
}

MaybeShape norm_over_heads_shape(Shapes in, const Parameters& p, const Shape& own) {
  return in[0].cols % p.count("parts") == 0 ? features_meet(in, p, own) : std::nullopt;
}

constexpr ParameterField kNormOverHeadsFields[] = {
    kNormFields[0],
    kNormFields[1],
    {.name = "centred",
     .kind = ParameterField::Kind::Flag,
     .summary = "whether the mean is subtracted first"},
    {.name = "parts",
     .kind = ParameterField::Kind::Count,
     .summary = "how many heads a row is cut into; 1: all heads are taken together",
     .least = 1},
};

}  // namespace

const Operation norm_over_heads{.name = "norm_over_heads",
                                .formula = "{0} / √(mean of squares + {epsilon})[ ∘ {1}][ + {2}]",
                                .shape_rule = {1, 3, kFeatureRule, norm_over_heads_shape},
                                .evaluate = evaluate_norm_over_heads,
                                .derive = derive_norm_over_heads,
                                .fields = kNormOverHeadsFields};

}  // namespace attn::ops
