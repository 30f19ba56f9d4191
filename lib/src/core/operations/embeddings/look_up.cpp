// Rows of a table, one for each id: token and position embeddings.
#include <algorithm>

#include "core/operations/embeddings/embedding_factor.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// The row of the table for a row of the result; ids are listed batch entry by batch entry.
Index id_of(const Call& call, Index batch, Index row) {
  const std::vector<Index>& ids = call.parameters.counts("ids");
  return ids[static_cast<std::size_t>(batch * call.shape.rows + row)];
}

Tensor evaluate_look_up(const Call& call) {
  const double factor = embedding_factor(call.parameters);
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto from = call[0].row(0, 0, id_of(call, b, r));
      std::transform(from.begin(), from.end(), y.row(b, h, r).begin(),
                     [&](double x) { return factor * x; });
    }
  });
  return y;
}

Expression derive_look_up(const Call& call, const Cell& cell) {
  return times_factor(leaf(call[0], 0, {0, 0, id_of(call, cell.batch, cell.row), cell.col}),
                      call.parameters);
}

MaybeShape shape_of_look_up(Shapes in, const Parameters& p, const Shape& own) {
  const std::vector<Index>& ids = p.counts("ids");
  const bool known = std::all_of(ids.begin(), ids.end(), [&](Index id) { return id < in[0].rows; });
  const Index count = own.batch.value_or(1) * own.rows;
  const bool fits = !own.heads && own.cols == in[0].cols && count == std::ssize(ids);
  return known && fits ? MaybeShape(own) : std::nullopt;
}

constexpr ParameterField kLookUpFields[] = {{.name = "ids",
                                             .kind = ParameterField::Kind::Counts,
                                             .summary = "the row of the table for each row",
                                             .least = 0},
                                            kEmbeddingFactorField};

const char* formula_of_look_up(const Parameters& p) {
  return p.find("factor") == nullptr ? "rows of {0}" : "rows of {0} · {factor}";
}

std::vector<Share> backward_look_up(const Differentiated& step) {
  return {{0, &add_looked_up, {step.gradient}, step.parameters}};
}

}  // namespace

const Operation look_up{.name = "look_up",
                        .formula = "rows of {0}",
                        .shape_rule = {1, 1, "Every id is a row of the table.", shape_of_look_up},
                        .evaluate = evaluate_look_up,
                        .derive = derive_look_up,
                        .fields = kLookUpFields,
                        .formula_for = formula_of_look_up,
                        .backward = backward_look_up};

}  // namespace attn::ops
