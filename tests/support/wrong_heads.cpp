// Ways to split, share and merge heads wrongly.
#include <cmath>

#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

/// Number n of one batch entry, head by head and row by row.
double flat(const Block& x, Index b, Index n) {
  return x.at(b, n / (x.rows * x.cols), n / x.cols % x.rows, n % x.cols);
}

void split_reshaped(Spoiling& spoiling) {
  spoiling.habits().split = [](const Block& x, Index heads) {
    const Index d = x.cols / heads;
    return filled(x.batch, heads, x.rows, d, [&](Index b, Index h, Index i, Index j) {
      return flat(x, b, (h * x.rows + i) * d + j);
    });
  };
}

void merge_reshaped(Spoiling& spoiling) {
  spoiling.habits().merge = [](const Block& z) {
    const Index width = z.heads * z.cols;
    return filled(z.batch, 1, z.rows, width,
                  [&](Index b, Index, Index i, Index j) { return flat(z, b, i * width + j); });
  };
}

/// Head h gets columns h, h + heads, …; merged one head after the other.
void interleaved(Spoiling& spoiling) {
  spoiling.habits().split = [](const Block& x, Index heads) {
    return filled(x.batch, heads, x.rows, x.cols / heads,
                  [&](Index b, Index h, Index i, Index j) { return x.at(b, 0, i, j * heads + h); });
  };
}

/// The same, and back into the columns they came from.
void interleaved_back(Spoiling& spoiling) {
  interleaved(spoiling);
  spoiling.habits().merge = [](const Block& z) {
    return filled(z.batch, 1, z.rows, z.heads * z.cols, [&](Index b, Index, Index i, Index j) {
      return z.at(b, j % z.heads, i, j / z.heads);
    });
  };
}

/// Head h is made from the h-th share of the columns of X alone: the other rows of W play no part.
void input_sliced(Spoiling& spoiling) {
  const Facts facts = facts_of(spoiling.draft());
  for (const char* name : {"w_q", "w_k", "w_v"}) {
    Array& w = spoiling.draft().weights.at(name);
    const Index slice = w.shape[0] / facts.heads, width = w.shape[1] / facts.heads;
    for_each(1, 1, w.shape[0], w.shape[1], [&](Index, Index, Index i, Index j) {
      if (i / slice != j / width) w.data[static_cast<std::size_t>(i * w.shape[1] + j)] = 0;
    });
  }
}

/// All heads added up, times `factor`.
Block added_up(const Block& z, double factor) {
  return filled(z.batch, 1, z.rows, z.cols, [&](Index b, Index, Index i, Index j) {
    double sum = 0;
    for (Index h = 0; h < z.heads; ++h) sum += z.at(b, h, i, j);
    return factor * sum;
  });
}

void summed(Spoiling& spoiling) {
  spoiling.habits().merge = [](const Block& z) { return added_up(z, 1); };
}

void averaged(Spoiling& spoiling) {
  spoiling.habits().merge = [](const Block& z) {
    return added_up(z, 1 / static_cast<double>(z.heads));
  };
}

/// The weights reported are the mean of all heads; everything else is right.
void weights_averaged(Spoiling& spoiling) {
  spoiling.habits().afterwards.push_back([](Steps& steps) {
    Array& weights = steps.at("weights");
    const Block mean =
        added_up(block_of(weights, false), 1 / static_cast<double>(weights.shape[0]));
    weights = {{mean.rows, mean.cols}, mean.data};
  });
}

void last_head_first(Spoiling& spoiling) {
  spoiling.habits().merge = [](const Block& z) {
    return right_merge(like(
        z, [&](Index b, Index h, Index i, Index j) { return z.at(b, z.heads - 1 - h, i, j); }));
  };
}

void single(Spoiling& spoiling) { spoiling.draft().heads.reset(); }

void single_same_scale(Spoiling& spoiling) {
  const double d_k = static_cast<double>(facts_of(spoiling.draft()).d_k);
  spoiling.draft().scale = {ScaleRule::Kind::Number, 1 / std::sqrt(d_k)};
  single(spoiling);
}

void tiled(Spoiling& spoiling) {
  spoiling.habits().kv_head = [](const Facts& facts, Index head) { return head % facts.kv_heads; };
}

void first_group(Spoiling& spoiling) {
  spoiling.habits().kv_head = [](const Facts&, Index) { return Index{0}; };
}

void three_heads(Spoiling& spoiling) { spoiling.draft().heads = 3; }

void three_heads_same_scale(Spoiling& spoiling) {
  const double d_k = static_cast<double>(facts_of(spoiling.draft()).d_k);
  spoiling.draft().scale = {ScaleRule::Kind::Number, 1 / std::sqrt(d_k)};
  three_heads(spoiling);
}

}  // namespace

WrongWays wrong_heads() {
  return {
      {"heads.split_reshaped", "", causal_problem, split_reshaped},
      {"heads.merge_reshaped", "", causal_problem, merge_reshaped},
      {"heads.interleaved", "merged head by head", causal_problem, interleaved},
      {"heads.interleaved", "merged back", causal_problem, interleaved_back},
      {"heads.input_sliced", "", causal_problem, input_sliced},
      {"heads.averaged", "w_o does not fit", causal_problem, averaged},
      {"heads.averaged", "no w_o", no_w_o_problem, averaged},
      {"heads.averaged", "the weights shown", causal_problem, weights_averaged},
      {"heads.summed", "w_o does not fit", causal_problem, summed},
      {"heads.summed", "no w_o", no_w_o_problem, summed},
      {"heads.order", "", causal_problem, last_head_first},
      {"heads.single", "1/√d_model", causal_problem, single},
      {"heads.single", "1/√d_k", causal_problem, single_same_scale},
      {"kv_heads.tiled", "", grouped_problem, tiled},
      {"kv_heads.first", "", grouped_problem, first_group},
      {"heads.count", "1/√d_k of its heads", unmasked_problem, three_heads},
      {"heads.count", "1/√d_k of the right ones", unmasked_problem, three_heads_same_scale},
  };
}

}  // namespace attn::testing
