// Scores other than dot products: v·tanh(q + k) and −½‖q − k‖².
// Bahdanau et al. 2015, equation 6, and Keras' AdditiveAttention; Nadaraya and Watson 1964, with a
// Gaussian kernel.
#include "core/operations/scores/pair_scores.hpp"

#include "core/operations/operations.hpp"
#include "core/operations/products/products.hpp"

namespace attn::ops {
namespace {

template <class Score>
void write_pair_scores(const RowsCall& call) {
  const double* v = Score::kWeights ? call[2].begin : nullptr;
  for (Index r = 0; r < call.result.rows; ++r) {
    const double* q = call[0].row(r).data();
    const auto row = call.result.row(r);
    for (Index j = 0; j < call.result.cols; ++j) {
      const double* k = call[1].row(j).data();
      double total = 0.0;
      for (Index c = 0; c < call[0].cols; ++c)
        total += Score::value({q[c], k[c], v == nullptr ? 1.0 : v[c]});
      row[static_cast<std::size_t>(j)] = Score::kFactor * total;
    }
  }
}

template <class Score>
Expression derive_pair_scores(const Call& call, const Cell& cell) {
  const Index key_head = place_in(call[1].shape(), call.shape.heads.value_or(1),
                                  {cell.batch, cell.head}, is_set(call.parameters, "tiled"))
                             .head;
  std::vector<Expression> terms;
  for (Index c = 0; c < call[0].cols(); ++c)
    terms.push_back(Score::term(pair_leaves<Score>(call, 0, {cell.batch, cell.head, cell.row, c},
                                                   {cell.batch, key_head, cell.col, c})));
  return Score::total(sum(std::move(terms)));
}

template <class Score>
MaybeShape shape_of_pair_scores(Shapes in, const Parameters&, const Shape&) {
  if (in[0].cols != in[1].cols) return std::nullopt;
  const MaybeShape scores = grouped(in[0], in[1], in[0].rows, in[1].rows);
  if (in.size() < 3 || !scores) return scores;
  const bool fits = in[2].rows == 1 && in[2].cols == in[0].cols && !in[2].batch &&
                    (!in[2].heads || in[2].heads == scores->heads);
  return fits ? scores : std::nullopt;
}

template <class Score>
std::vector<Share> backward_pair_scores(const Differentiated& step) {
  std::vector<std::string> inputs{step.gradient};
  inputs.insert(inputs.end(), step.inputs.begin(), step.inputs.end());
  std::vector<Share> shares;
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    Parameters parameters = groups_of(step.parameters);
    parameters.set("of", std::string(kScoreParts[i]));
    shares.push_back({i, Score::gradient(), inputs, std::move(parameters)});
  }
  return shares;
}

constexpr ParameterField kPairScoresFields[] = {kTiledField};
constexpr const char* kPairRule = "Queries, keys and weights of the score have the same length.";

}  // namespace

const Operation additive_scores{
    .name = "additive_scores",
    .formula = "{2}·tanh(q + k), q in {0}, k in {1}",
    .shape_rule = {3, 3, kPairRule, shape_of_pair_scores<AdditiveScore>},
    .write_rows = write_pair_scores<AdditiveScore>,
    .inputs_by_row = first_by_row,
    .derive = derive_pair_scores<AdditiveScore>,
    .fields = kPairScoresFields,
    .why = "A small network with one hidden layer says how well a query and a key match.",
    .backward = backward_pair_scores<AdditiveScore>};

const Operation distance_scores{
    .name = "distance_scores",
    .formula = "−½|q − k|², q in {0}, k in {1}",
    .shape_rule = {2, 2, kPairRule, shape_of_pair_scores<DistanceScore>},
    .write_rows = write_pair_scores<DistanceScore>,
    .inputs_by_row = first_by_row,
    .derive = derive_pair_scores<DistanceScore>,
    .fields = kPairScoresFields,
    .why = "The nearer a key is to the query, the higher its score, at most 0.",
    .backward = backward_pair_scores<DistanceScore>};

}  // namespace attn::ops
