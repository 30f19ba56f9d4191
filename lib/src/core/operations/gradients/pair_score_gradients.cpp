// Gradients of scores that are no dot products.
// The gradient of each score times the slope of its terms, added up over all pairs that a number is
// in.
#include "core/operations/products/products.hpp"
#include "core/operations/scores/pair_scores.hpp"

namespace attn::ops {
namespace {

/// Which of kScoreParts the gradient belongs to.
std::size_t part_of(const Parameters& p) {
  const std::string& of = p.word("of");
  return of == kScoreParts[0] ? 0 : of == kScoreParts[1] ? 1 : 2;
}

/// Calls f(g, q, k, own) for the scores whose gradients reach matrix `of` of the result: the cells
/// of the score, of column 0 of its query and its key, and the row of the result.
template <typename F>
void for_each_score(const Call& call, const SlicePlace& of, F f) {
  const Shape& scores = call[0].shape();
  const Index heads = scores.heads.value_or(1);
  const bool tiled = is_set(call.parameters, "tiled");
  const std::size_t part = part_of(call.parameters);
  for_each_slice(call[0], [&](Index b, Index h) {
    if (place_in(call.shape, heads, {b, h}, tiled) != of) return;
    const Index key_head = place_in(call[2].shape(), heads, {b, h}, tiled).head;
    for (Index i = 0; i < scores.rows; ++i) {
      for (Index j = 0; j < scores.cols; ++j)
        f(Cell{b, h, i, j}, Cell{b, h, i, 0}, Cell{b, key_head, j, 0},
          part == 0   ? i
          : part == 1 ? j
                      : Index{0});
    }
  });
}

template <class Score>
Tensor evaluate_pair_gradient(const Call& call) {
  Tensor y(call.shape);
  const std::size_t part = part_of(call.parameters);
  for_each_slice(y, [&](Index b, Index h) {
    for_each_score(call, {b, h}, [&](const Cell& g, Cell q, Cell k, Index row) {
      const double gradient = call[0].at(g);
      if (gradient == 0.0) return;
      for (; q.col < y.cols(); ++q.col, ++k.col) {
        const double v = Score::kWeights ? call[3].at({0, q.head, 0, q.col}) : 1.0;
        y.at({b, h, row, q.col}) +=
            gradient * Score::slope({call[1].at(q), call[2].at(k), v}, part);
      }
    });
  });
  return y;
}

template <class Score>
Expression derive_pair_gradient(const Call& call, const Cell& cell) {
  const SlicePlace of{call.shape.batch ? cell.batch : 0, call.shape.heads ? cell.head : 0};
  std::vector<Expression> terms;
  for_each_score(call, of, [&](const Cell& g, Cell q, Cell k, Index row) {
    if (row != cell.row) return;
    q.col = k.col = cell.col;
    terms.push_back(product(leaf(call[0], 0, g), Score::slope_of(pair_leaves<Score>(call, 1, q, k),
                                                                 part_of(call.parameters))));
  });
  return sum(std::move(terms));
}

/// That of the part.
MaybeShape shape_of_pair_gradient(Shapes in, const Parameters& p, const Shape&) {
  const std::size_t part = part_of(p) + 1;
  const bool fits = part < in.size() && in[0].rows == in[1].rows && in[0].cols == in[2].rows &&
                    in[1].cols == in[2].cols && (in.size() < 4 || in[3].cols == in[1].cols) &&
                    spreads_to(in[1], in[0]) && grouped(in[0], in[2], in[0].rows, in[0].cols);
  return fits ? MaybeShape(in[part]) : std::nullopt;
}

constexpr ParameterField kPairGradientFields[] = {{.name = "of",
                                                   .kind = ParameterField::Kind::Word,
                                                   .summary = "what it is the gradient of",
                                                   .words = kScoreParts},
                                                  kTiledField};

const char* formula_of_additive_gradient(const Parameters& p) {
  return part_of(p) == 2   ? "Σ {0}·tanh(q + k) over all pairs"
         : part_of(p) == 0 ? "Σ {0}·{3}·(1 − tanh²(q + k)) over the keys"
                           : "Σ {0}·{3}·(1 − tanh²(q + k)) over the queries";
}

const char* formula_of_distance_gradient(const Parameters& p) {
  return part_of(p) == 0 ? "Σ {0}·(k − q) over the keys" : "Σ {0}·(q − k) over the queries";
}

}  // namespace

const Operation additive_gradient{
    .name = "additive_gradient",
    .formula = "Σ {0}·{3}·(1 − tanh²(q + k))",
    .shape_rule = {4, 4, "There is a gradient for each pair of rows.", shape_of_pair_gradient},
    .evaluate = evaluate_pair_gradient<AdditiveScore>,
    .derive = derive_pair_gradient<AdditiveScore>,
    .fields = kPairGradientFields,
    .formula_for = formula_of_additive_gradient,
    .gradient_why = "Where tanh saturates, near ±1, a query or a key hardly changes the score."};

const Operation distance_gradient{
    .name = "distance_gradient",
    .formula = "Σ {0}·(k − q)",
    .shape_rule = {3, 3, "There is a gradient for each pair of rows.", shape_of_pair_gradient},
    .evaluate = evaluate_pair_gradient<DistanceScore>,
    .derive = derive_pair_gradient<DistanceScore>,
    .fields = kPairGradientFields,
    .formula_for = formula_of_distance_gradient,
    .gradient_why = "A higher score draws query and key together."};

}  // namespace attn::ops
