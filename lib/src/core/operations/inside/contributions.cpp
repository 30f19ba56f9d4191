// How much each row of what was added up adds to a logit: its product with a direction.
#include <algorithm>

#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

constexpr std::size_t kMostDirections = 1 << 14;

/// Whether the last input is the bias of the vocabulary, which has the last row.
bool has_bias(const Parameters& p) { return p.flag("bias"); }

struct PartAndDirection {
  Cell part, direction;
  std::size_t input;  ///< that has the direction
};

/// For a row that is no bias.
PartAndDirection met_at(const Call& call, const Cell& cell) {
  const auto input = static_cast<std::size_t>(
      1 + call.parameters.counts("directions")[static_cast<std::size_t>(cell.row)]);
  return {{cell.batch, 0, cell.row, 0}, {cell.batch, 0, cell.col, 0}, input};
}

/// The bias of a word.
Cell bias_of_word(const Call& call, const Cell& cell) {
  return {0, 0, 0, call.parameters.counts("ids")[static_cast<std::size_t>(cell.col)]};
}

Tensor evaluate_contributions(const Call& call) {
  Tensor y(call.shape);
  const Index parts = call[0].rows();
  for (Index b = 0; b < y.batch(); ++b) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index c = 0; c < y.cols(); ++c) {
        double& to = y.at({b, 0, r, c});
        if (r == parts) {
          to = call.inputs.back()->at(bias_of_word(call, {b, 0, r, c}));
          continue;
        }
        const PartAndDirection at = met_at(call, {b, 0, r, c});
        const auto x = call[0].row(at.part.batch, 0, at.part.row);
        const auto u = call[at.input].row(at.direction.batch, 0, at.direction.row);
        for (std::size_t i = 0; i < x.size(); ++i) to += x[i] * u[i];
      }
    }
  }
  return y;
}

Expression derive_contributions(const Call& call, const Cell& cell) {
  const std::size_t last = call.inputs.size() - 1;
  if (cell.row == call[0].rows())
    return leaf(call[last], static_cast<int>(last), bias_of_word(call, cell));
  const PartAndDirection at = met_at(call, cell);
  std::vector<Expression> terms;
  for (Index i = 0; i < call[0].cols(); ++i) {
    Cell part = at.part, direction = at.direction;
    part.col = direction.col = i;
    terms.push_back(product(leaf(call[0], 0, part),
                            leaf(call[at.input], static_cast<int>(at.input), direction)));
  }
  return sum(std::move(terms));
}

MaybeShape shape_of_contributions(Shapes in, const Parameters& p, const Shape&) {
  const auto& directions = p.counts("directions");
  const auto& ids = p.counts("ids");
  const Index count = std::ssize(in) - 1 - (has_bias(p) ? 1 : 0);
  bool fits = count >= 1 && in[0].rows == std::ssize(directions);
  for (const Index each : directions) fits = fits && each < count;
  Shape made{in[0].batch, {}, in[0].rows + (has_bias(p) ? 1 : 0), std::ssize(ids)};
  for (Index i = 1; fits && i <= count; ++i) {
    const Shape& own = in[static_cast<std::size_t>(i)];
    fits = own.rows == std::ssize(ids) && own.cols == in[0].cols && !own.heads;
    if (own.batch && made.batch && own.batch != made.batch) fits = false;
    if (own.batch) made.batch = own.batch;
  }
  if (fits && has_bias(p)) {
    const Shape& bias = in.back();
    fits = bias.rows == 1 &&
           std::all_of(ids.begin(), ids.end(), [&](Index id) { return id < bias.cols; });
  }
  return fits ? MaybeShape(made) : std::nullopt;
}

constexpr ParameterField kContributionsFields[] = {
    {.name = "directions",
     .kind = ParameterField::Kind::Counts,
     .summary = "for each row, which of the directions it meets, counted from 0",
     .least = 0},
    {.name = "ids",
     .kind = ParameterField::Kind::Counts,
     .summary = "which words of the vocabulary",
     .least = 0},
    {.name = "bias",
     .kind = ParameterField::Kind::Flag,
     .summary = "whether the last input is the bias of the vocabulary, and has the last row"}};

}  // namespace

const Operation contributions{
    .name = "contributions",
    .formula = "each row of {0} · the direction of the word",
    .shape_rule = {2, kMostDirections, "A direction has as many numbers as a row.",
                   shape_of_contributions},
    .evaluate = evaluate_contributions,
    .derive = derive_contributions,
    .fields = kContributionsFields};

}  // namespace attn::ops
