// Ways to turn scores into weights wrongly.
#include <cmath>
#include <limits>
#include <numeric>

#include "support/narrow.hpp"
#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

using Softmax = Block (*)(const Block& masked, const Block& mask);

Block exponentials(const Block& masked) {
  return like(masked,
              [&](Index b, Index h, Index i, Index j) { return std::exp(masked.at(b, h, i, j)); });
}

/// base^(x − largest of the row); 0 where all of the row is hidden.
Block raised(const Block& masked, double base) {
  const Block top = row_max(masked);
  return like(masked, [&](Index b, Index h, Index i, Index j) {
    const double largest = top.at(b, h, i, 0);
    return std::isinf(largest) ? 0.0 : std::pow(base, masked.at(b, h, i, j) - largest);
  });
}

double column_top(const Block& x, Index b, Index h, Index j) {
  double top = -std::numeric_limits<double>::infinity();
  for (Index i = 0; i < x.rows; ++i) top = std::max(top, x.at(b, h, i, j));
  return top;
}

/// e^(x − largest of the column); 0 where all of the column is hidden.
Block raised_by_column(const Block& masked) {
  return like(masked, [&](Index b, Index h, Index i, Index j) {
    const double largest = column_top(masked, b, h, j);
    return std::isinf(largest) ? 0.0 : std::exp(masked.at(b, h, i, j) - largest);
  });
}

/// Each cell divided by the sum over the group it belongs to; 0 where all of that is hidden.
template <typename SumOf>
Block divided(const Block& x, SumOf sum_of) {
  return like(x, [&](Index b, Index h, Index i, Index j) {
    const double sum = sum_of(b, h, i, j);
    return sum == 0 ? 0.0 : x.at(b, h, i, j) / sum;
  });
}

Block over_rows(const Block& x) {
  const Block sums = row_sum(x);
  return divided(x, [&](Index b, Index h, Index i, Index) { return sums.at(b, h, i, 0); });
}

Block columns(const Block& masked, const Block&) {
  const Block e = raised_by_column(masked);
  return divided(e, [&](Index b, Index h, Index, Index j) {
    double sum = 0;
    for (Index i = 0; i < e.rows; ++i) sum += e.at(b, h, i, j);
    return sum;
  });
}

Block whole(const Block& masked, const Block&) {
  const Block e = exponentials(masked);
  return divided(e, [&](Index b, Index h, Index, Index) {
    double sum = 0;
    for_each(1, 1, e.rows, e.cols,
             [&](Index, Index, Index i, Index j) { sum += e.at(b, h, i, j); });
    return sum;
  });
}

Block over_heads(const Block& masked, const Block&) {
  const Block e = exponentials(masked);
  return divided(e, [&](Index b, Index, Index i, Index j) {
    double sum = 0;
    for (Index h = 0; h < e.heads; ++h) sum += e.at(b, h, i, j);
    return sum;
  });
}

Block over_batch(const Block& masked, const Block&) {
  const Block e = exponentials(masked);
  return divided(e, [&](Index, Index h, Index i, Index j) {
    double sum = 0;
    for (Index b = 0; b < e.batch; ++b) sum += e.at(b, h, i, j);
    return sum;
  });
}

Block single(const Block& masked, const Block&) {
  return like(masked, [](Index, Index, Index, Index) { return 1.0; });
}

Block no_keepdims(const Block& masked, const Block&) {
  const Block e = exponentials(masked);
  const Block sums = row_sum(e);
  return divided(e, [&](Index b, Index h, Index, Index j) { return sums.at(b, h, j, 0); });
}

/// The largest of each column goes to 0, in place of the largest of each row.
Block column_max(const Block& masked, const Block&) { return over_rows(raised_by_column(masked)); }

/// Hidden cells do not count.
Block no_exp(const Block& masked, const Block& mask) {
  return over_rows(like(masked, [&](Index b, Index h, Index i, Index j) {
    return mask.at(b, h, i, j) == 0 ? 0.0 : masked.at(b, h, i, j);
  }));
}

Block not_normalised(const Block& masked, const Block&) { return exponentials(masked); }

Block not_normalised_shifted(const Block& masked, const Block&) {
  const Block top = row_max(masked);
  return exponentials(like(masked, [&](Index b, Index h, Index i, Index j) {
    return masked.at(b, h, i, j) - top.at(b, h, i, 0);
  }));
}

/// ∞/∞ and 0/0 are not caught.
Block unshifted(const Block& masked, const Block&) {
  const Block e = exponentials(masked), sums = row_sum(e);
  return like(e, [&](Index b, Index h, Index i, Index j) {
    return e.at(b, h, i, j) / sums.at(b, h, i, 0);
  });
}

Block twice(const Block& masked, const Block& mask) {
  return right_softmax(right_softmax(masked, mask), mask);
}

Block base_2(const Block& masked, const Block&) { return over_rows(raised(masked, 2)); }
Block base_10(const Block& masked, const Block&) { return over_rows(raised(masked, 10)); }

template <Softmax softmax>
void with(Spoiling& spoiling) {
  spoiling.habits().softmax = softmax;
}

/// The same, with hidden scores at −10⁹, so that nothing is 0/0.
template <Softmax softmax>
void filled_with(Spoiling& spoiling) {
  spoiling.draft().fill = -1e9;
  spoiling.habits().softmax = [](const Block& masked, const Block& mask) {
    Block raised_by_top = masked;
    for_each(masked.batch, masked.heads, masked.rows, masked.cols,
             [&](Index b, Index h, Index i, Index j) {
               if (mask.at(b, h, i, j) == 0) raised_by_top.at(b, h, i, j) = 0;
             });
    return softmax(raised_by_top, mask);
  };
}

/// The same, with 0 for hidden cells.
template <Softmax softmax>
void zeroed_with(Spoiling& spoiling) {
  spoiling.habits().softmax = [](const Block& masked, const Block& mask) {
    const Block weights = softmax(masked, mask);
    return like(weights, [&](Index b, Index h, Index i, Index j) {
      return mask.at(b, h, i, j) == 0 ? 0.0 : weights.at(b, h, i, j);
    });
  };
}

template <Dtype type>
void narrow_scores(Spoiling& spoiling) {
  spoiling.habits().softmax = [](const Block& masked, const Block& mask) {
    return right_softmax(all_narrowed(masked, type), mask);
  };
}

/// Some weights 0 (not only small ones), the others divided by the share that stays.
void dropout(Spoiling& spoiling) {
  Dice& dice = spoiling.dice;
  const double p = 0.1 * static_cast<double>(dice.between(1, 5));
  spoiling.habits().softmax = [p, &dice](const Block& masked, const Block& mask) {
    Block weights = right_softmax(masked, mask);
    for (double dropped = 0; dropped < 0.1;) {
      for (double& w : weights.data) {
        if (!dice.chance(std::lround(100 * p))) continue;
        dropped += w;
        w = 0;
      }
    }
    for (double& w : weights.data) w /= 1 - p;
    return weights;
  };
}

}  // namespace

WrongWays wrong_softmax() {
  return {
      {"softmax.columns", "", causal_problem, with<columns>},
      {"softmax.columns", "no mask", unmasked_problem, with<columns>},
      {"softmax.whole", "", causal_problem, with<whole>},
      {"softmax.heads", "no mask", unmasked_problem, with<over_heads>},
      {"softmax.heads", "hidden scores alike", causal_problem, filled_with<over_heads>},
      {"softmax.heads", "hidden ones 0", causal_problem, zeroed_with<over_heads>},
      {"softmax.batch", "no mask", unmasked_batch_problem, with<over_batch>},
      {"softmax.batch", "hidden scores alike", batch_problem, filled_with<over_batch>},
      {"softmax.batch", "hidden ones 0", batch_problem, zeroed_with<over_batch>},
      {"softmax.single", "no mask", unmasked_problem, with<single>},
      {"softmax.single", "hidden ones too", causal_problem, with<single>},
      {"softmax.single", "hidden ones 0", causal_problem, zeroed_with<single>},
      {"softmax.no_keepdims", "", causal_problem, with<no_keepdims>},
      {"softmax.column_max", "", causal_problem, with<column_max>},
      {"softmax.no_exp", "no mask", unmasked_problem, with<no_exp>},
      {"softmax.no_exp", "hidden ones 0", causal_problem, with<no_exp>},
      {"softmax.not_normalised", "", causal_problem, with<not_normalised>},
      {"softmax.not_normalised", "after the maximum", causal_problem, with<not_normalised_shifted>},
      {"softmax.overflow", "", loud_problem, with<unshifted>},
      {"softmax.twice", "", causal_problem, with<twice>},
      {"softmax.base_2", "", causal_problem, with<base_2>},
      {"softmax.base_10", "", causal_problem, with<base_10>},
      {"softmax.low_precision", "bfloat16", unmasked_problem, narrow_scores<Dtype::Bfloat16>},
      {"softmax.low_precision", "float16", unmasked_problem, narrow_scores<Dtype::Float16>},
      {"dropout.on", "", causal_problem, dropout},
  };
}

}  // namespace attn::testing
