// The ways to get a norm wrong.
// Times the root, n − 1, over the tokens, epsilon outside the root, the mean subtracted or not.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/operations/norms/norm_parts.hpp"
#include "core/operations/operations.hpp"

namespace attn::ops {
namespace {

constexpr std::array kNormWays = {"inverted", "unbiased", "outside", "tokens", "kind"};

/// One way, as read from the parameters.
struct NormWay {
  std::string_view name;
  bool centred;
  double epsilon;

  explicit NormWay(const Parameters& p)
      : name(p.word("way")), centred(p.flag("centred")), epsilon(p.number("epsilon")) {}
  bool is(std::string_view other) const { return name == other; }
  /// What the squares of `count` numbers are divided by.
  double divisor(std::size_t count) const {
    return static_cast<double>(is("unbiased") ? count - 1 : count);
  }
};

/// The numbers that share a mean with a cell: its row or, over the tokens, its column.
std::vector<double> companions(const Tensor& x, const NormWay& way, const Cell& cell) {
  if (!way.is("tokens")) {
    const auto row = x.row(cell.batch, cell.head, cell.row);
    return {row.begin(), row.end()};
  }
  std::vector<double> column;
  for (Index r = 0; r < x.rows(); ++r) column.push_back(x.at({cell.batch, cell.head, r, cell.col}));
  return column;
}

double mean_among(const std::vector<double>& numbers, const NormWay& way) {
  const double total = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  return way.centred ? total / static_cast<double>(numbers.size()) : 0.0;
}

/// √(mean of squares + epsilon), or √(mean of squares) + epsilon.
double size_among(const std::vector<double>& numbers, double mean, const NormWay& way) {
  double squares = 0.0;
  for (const double x : numbers) squares += (x - mean) * (x - mean);
  squares /= way.divisor(numbers.size());
  return way.is("outside") ? std::sqrt(squares) + way.epsilon : std::sqrt(squares + way.epsilon);
}

Tensor evaluate_mistaken_norm(const Call& call) {
  const NormWay way(call.parameters);
  Tensor y = call[0];
  const bool down = way.is("tokens");
  const double offset = weight_offset(call.parameters);
  std::vector<double> means, sizes;  // of each row, or of each column
  for_each_slice(y, [&](Index b, Index h) {
    means.clear();
    sizes.clear();
    for (Index i = 0; i < (down ? y.cols() : y.rows()); ++i) {
      const std::vector<double> numbers =
          companions(call[0], way, {b, h, down ? 0 : i, down ? i : 0});
      means.push_back(mean_among(numbers, way));
      sizes.push_back(size_among(numbers, means.back(), way));
    }
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index c = 0; c < y.cols(); ++c) {
        const Cell cell{b, h, r, c};
        const auto group = static_cast<std::size_t>(down ? c : r);
        const double mean = means[group], size = sizes[group];
        const double centred = y.at(cell) - mean;
        y.at(cell) = way.is("inverted") ? centred * size : centred / size;
        if (call.inputs.size() > 1) y.at(cell) *= call[1].at({0, h, 0, c}) + offset;
        if (call.inputs.size() > 2) y.at(cell) += call[2].at({0, h, 0, c});
      }
    }
  });
  return y;
}

Expression derive_mistaken_norm(const Call& call, const Cell& cell) {
  const NormWay way(call.parameters);
  const double mean = mean_among(companions(call[0], way, cell), way);
  const auto centred = [&](const Cell& at) {
    Expression x = leaf(call[0], 0, at);
    return mean == 0.0 ? x : sum({std::move(x), constant(-mean)});
  };
  std::vector<Expression> squares;
  const bool down = way.is("tokens");
  for (Index i = 0; i < (down ? call[0].rows() : call[0].cols()); ++i) {
    Cell at = cell;
    (down ? at.row : at.col) = i;
    squares.push_back(square(centred(at)));
  }
  const double count = way.divisor(squares.size());
  Expression average = quotient(sum(std::move(squares)), constant(count));
  Expression size = way.is("outside") ? sum({root(std::move(average)), constant(way.epsilon)})
                                      : root(sum({std::move(average), constant(way.epsilon)}));
  Expression x = centred(cell);
  return stretched(call, cell,
                   way.is("inverted") ? product(std::move(x), std::move(size))
                                      : quotient(std::move(x), std::move(size)));
}

const char* formula_of_mistaken_norm(const Parameters& p) {
  const std::string_view way = p.word("way");
  if (way == "inverted") return "{0} · √(mean of squares + {epsilon})[ ∘ {1}][ + {2}]";
  if (way == "outside") return "{0} / (√(mean of squares) + {epsilon})[ ∘ {1}][ + {2}]";
  if (way == "unbiased") return "{0} / √(squares / (n − 1) + {epsilon})[ ∘ {1}][ + {2}]";
  if (way == "kind") return "{0} / √(mean of squares + {epsilon})[ ∘ {1}][ + {2}]";
  return "{0} / √(mean of squares of each column + {epsilon})[ ∘ {1}][ + {2}]";
}

constexpr ParameterField kMistakenNormFields[] = {
    kNormFields[0],
    kNormFields[1],
    {.name = "way",
     .kind = ParameterField::Kind::Word,
     .summary = "what is wrong",
     .words = kNormWays},
    {.name = "centred",
     .kind = ParameterField::Kind::Flag,
     .summary = "whether the mean is subtracted first"},
};

}  // namespace

const Operation mistaken_norm{.name = "mistaken_norm",
                              .formula = "{0} / size[ ∘ {1}][ + {2}]",
                              .shape_rule = {1, 3, kFeatureRule, features_meet},
                              .evaluate = evaluate_mistaken_norm,
                              .derive = derive_mistaken_norm,
                              .fields = kMistakenNormFields,
                              .formula_for = formula_of_mistaken_norm};

}  // namespace attn::ops
