// Rows added up by the id that they were looked up with: what each row of a table gets.
#include <algorithm>

#include "core/operations/embeddings/embedding_factor.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// Calls f(batch, row, id) for every row of the gradient; ids come batch entry by batch entry.
template <typename F>
void for_each_row(const Call& call, F f) {
  const std::vector<Index>& ids = call.parameters.counts("ids");
  std::size_t i = 0;
  for (Index b = 0; b < call[0].batch(); ++b) {
    for (Index r = 0; r < call[0].rows(); ++r) f(b, r, ids[i++]);
  }
}

Tensor evaluate_add_looked_up(const Call& call) {
  Tensor y(call.shape);
  const double factor = embedding_factor(call.parameters);
  for_each_row(call, [&](Index b, Index r, Index id) {
    for (Index c = 0; c < y.cols(); ++c) y.at({0, 0, id, c}) += factor * call[0].at({b, 0, r, c});
  });
  return y;
}

Expression derive_add_looked_up(const Call& call, const Cell& cell) {
  std::vector<Expression> terms;
  for_each_row(call, [&](Index b, Index r, Index id) {
    if (id == cell.row) terms.push_back(leaf(call[0], 0, {b, 0, r, cell.col}));
  });
  if (terms.size() == 1) return times_factor(terms.front(), call.parameters);
  if (!terms.empty()) return times_factor(sum(std::move(terms)), call.parameters);
  Expression none = constant(0.0);
  none.reason = "no token uses this row";
  return none;
}

MaybeShape shape_of_add_looked_up(Shapes in, const Parameters& p, const Shape& own) {
  const std::vector<Index>& ids = p.counts("ids");
  const bool known = std::all_of(ids.begin(), ids.end(), [&](Index id) { return id < own.rows; });
  const bool fits = !own.batch && !own.heads && !in[0].heads && own.cols == in[0].cols &&
                    in[0].batch.value_or(1) * in[0].rows == std::ssize(ids);
  return known && fits ? MaybeShape(own) : std::nullopt;
}

constexpr ParameterField kAddLookedUpFields[] = {{.name = "ids",
                                                  .kind = ParameterField::Kind::Counts,
                                                  .summary = "the row of the table for each row",
                                                  .least = 0},
                                                 kEmbeddingFactorField};

}  // namespace

const Operation add_looked_up{
    .name = "add_looked_up",
    .formula = "rows of {0}, added up by token",
    .shape_rule = {1, 1, "Every id is a row of the table.", shape_of_add_looked_up},
    .evaluate = evaluate_add_looked_up,
    .derive = derive_add_looked_up,
    .fields = kAddLookedUpFields,
    .gradient_why = "A row gets the sum of what its tokens get; rows that no token uses get 0."};

}  // namespace attn::ops
