// Gradients of one attention worked out by hand, in plain loops, rightly or wrongly.
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

/// How somebody works back. What has a default is right.
struct WayBack {
  std::string softmax = "right";             ///< or "no sum", "diagonal"
  double power = 1;                          ///< of the scale
  std::set<std::string> swapped = {};        ///< the gradients with a transpose too few or too many
  bool sees_all = false, values_too = true;  ///< the weights once more, without the mask
  std::string group = "sum";                 ///< or "mean", "first", "last"
  std::vector<int> shares = {0, 1, 2};       ///< of x: by queries, keys, values
};

Block flipped_block(const Block& a) {
  return filled(a.batch, a.heads, a.cols, a.rows,
                [&](Index b, Index h, Index i, Index j) { return a.at(b, h, j, i); });
}

/// A·B; a factor with fewer heads serves groups of the other's.
Block product_of_blocks(const Block& a, const Block& b) {
  const Index heads = std::max(a.heads, b.heads);
  return filled(
      std::max(a.batch, b.batch), heads, a.rows, b.cols, [&](Index n, Index h, Index i, Index j) {
        double sum = 0;
        for (Index l = 0; l < a.cols; ++l) {
          sum += a.at(n, h / (heads / a.heads), i, l) * b.at(n, h / (heads / b.heads), l, j);
        }
        return sum;
      });
}

Block sum_of_blocks(const Block& a, const Block& b) {
  return like(
      a, [&](Index n, Index h, Index i, Index j) { return a.at(n, h, i, j) + b.at(n, h, i, j); });
}

Block scaled_block(double factor, Block a) {
  for (double& x : a.data) x *= factor;
  return a;
}

Block over_batch(const Block& a) {
  Block sum = zeros(1, 1, a.rows, a.cols);
  for_each(a.batch, 1, a.rows, a.cols,
           [&](Index b, Index, Index i, Index j) { sum.at(0, 0, i, j) += a.at(b, 0, i, j); });
  return sum;
}

class Backwards {
 public:
  Backwards(const ProblemDraft& draft, const WayBack& way, Steps& steps)
      : draft_(draft), way_(way), steps_(steps), bench_{draft, facts_of(draft)} {}

  void run() {
    const Facts& f = bench_.facts;
    const Block from = write("output", block_of(upstream_of(draft_), true), 0);
    weight_gradient("o", step("concat", false), from);
    const Block concat =
        write("concat", product_of_blocks(from, or_plain("concat", weight("o"))), 0);
    const Block z = write("context", right_split(concat, f.heads), f.heads);
    const Block q = step("q_heads", true), k = step("k_heads", true), v = step("v_heads", true);
    const Block right = step("weights", true);
    const Block a = way_.sees_all ? softmax_of(step("scaled_scores", true)) : right;
    const Block da = write("weights", product_of_blocks(z, or_plain("weights", v)), f.heads);
    Block ds = through_softmax(a, da);
    if (has_mask(draft_)) write("masked_scores", ds, f.heads);
    write("scaled_scores", ds, f.heads);
    const double factor = 1 / std::sqrt(static_cast<double>(f.d_k));
    ds = write("scores", scaled_block(std::pow(factor, way_.power), ds), f.heads);
    const Block dv =
        grouped(product_of_blocks(or_plain("v_heads", way_.values_too ? a : right), z));
    const Block dk = grouped(product_of_blocks(or_plain("k_heads", ds), q));
    const Block dq =
        product_of_blocks(way_.swapped.contains("q_heads") ? flipped_block(ds) : ds, k);
    const Block x = step("x", false);
    const Block source = draft_.memory ? step("memory", false) : x;
    const Block fv = given("v", dv, f.kv_heads, source), fk = given("k", dk, f.kv_heads, source);
    const Block fq = given("q", dq, f.heads, x);
    if (draft_.memory) {
      write("memory", sum_of_blocks(back("k", fk), back("v", fv)), 0);
      write("x", back("q", fq), 0);
    } else {
      Block sum = zeros(x.batch, 1, x.rows, x.cols);
      const Block parts[] = {back("q", fq), back("k", fk), back("v", fv)};
      for (const int each : way_.shares) sum = sum_of_blocks(sum, parts[each]);
      write("x", sum, 0);
    }
    steps_.merge(bench_.steps);
  }

 private:
  Block step(const char* id, bool headed) const { return block_of(steps_.at(id), !headed); }
  Block weight(const std::string& letter) const {
    return block_of(draft_.weights.at("w_" + letter), false);
  }
  Block write(const std::string& id, const Block& block, Index heads) {
    return published(bench_, id + ".grad", block, heads);
  }
  /// The transpose of a factor, unless the gradient of `id` lacks it.
  Block or_plain(const std::string& id, const Block& a) const {
    return way_.swapped.contains(id) ? a : flipped_block(a);
  }
  Block softmax_of(const Block& scores) const { return right_softmax(scores, scores); }

  Block through_softmax(const Block& a, const Block& g) const {
    return like(a, [&](Index b, Index h, Index i, Index j) {
      double sum = 0;
      for (Index l = 0; l < a.cols; ++l) sum += a.at(b, h, i, l) * g.at(b, h, i, l);
      if (way_.softmax == "no sum") sum = 0;
      if (way_.softmax == "diagonal") sum = a.at(b, h, i, j) * g.at(b, h, i, j);
      return a.at(b, h, i, j) * (g.at(b, h, i, j) - sum);
    });
  }
  /// What the heads of each group give to their key/value head.
  Block grouped(const Block& all) const {
    const Index groups = bench_.facts.kv_heads, size = all.heads / groups;
    return filled(all.batch, groups, all.rows, all.cols, [&](Index b, Index h, Index i, Index j) {
      if (way_.group == "first") return all.at(b, h * size, i, j);
      if (way_.group == "last") return all.at(b, h * size + size - 1, i, j);
      double sum = 0;
      for (Index n = 0; n < size; ++n) sum += all.at(b, h * size + n, i, j);
      return way_.group == "mean" ? sum / static_cast<double>(size) : sum;
    });
  }
  void weight_gradient(const std::string& letter, const Block& x, const Block& g) {
    const Block sum = over_batch(product_of_blocks(flipped_block(x), g));
    steps_["w_" + letter + ".grad"] = {{sum.rows, sum.cols}, sum.data};
  }
  /// From the gradient per head to that of the projection and of its weights.
  Block given(const std::string& letter, const Block& heads, Index count, const Block& source) {
    write(letter + "_heads", heads, count);
    const Block flat = write(letter, right_merge(heads), 0);
    weight_gradient(letter, source, flat);
    return flat;
  }
  Block back(const std::string& letter, const Block& g) const {
    return product_of_blocks(g, or_plain("x", weight(letter)));
  }

  const ProblemDraft& draft_;
  const WayBack& way_;
  Steps& steps_;
  Bench bench_;
};

void goes_back(Spoiling& spoiling, const WayBack& way) {
  spoiling.habits().afterwards.push_back(
      [draft = spoiling.draft(), way](Steps& steps) { Backwards(draft, way, steps).run(); });
}

void swaps_transpose(Spoiling& s, const char* id) {
  WayBack way;
  way.swapped = {id};
  goes_back(s, way);
}

}  // namespace

Array upstream_of(const ProblemDraft& draft) {
  const Facts facts = facts_of(draft);
  Array array;
  if (facts.has_batch) array.shape.push_back(facts.batch);
  array.shape.push_back(facts.n_queries);
  array.shape.push_back(draft.weights.at("w_o").shape.back());
  const Index count = std::accumulate(array.shape.begin(), array.shape.end(), Index{1},
                                      [](Index a, Index b) { return a * b; });
  for (Index i = 0; i < count; ++i)
    array.data.push_back(std::round(200 * std::cos(static_cast<double>(7 * i + 1))) / 100);
  return array;
}

WrongWays wrong_gradients() {
  return {
      {"gradient.softmax_sum", "", causal_problem,
       [](Spoiling& s) { goes_back(s, {.softmax = "no sum"}); }},
      {"gradient.softmax_sum", "in a batch", batch_problem,
       [](Spoiling& s) { goes_back(s, {.softmax = "no sum"}); }},
      {"gradient.softmax_sum", "diagonal", unmasked_problem,
       [](Spoiling& s) { goes_back(s, {.softmax = "diagonal"}); }},
      {"gradient.scale", "missing", causal_problem,
       [](Spoiling& s) { goes_back(s, {.power = 0}); }},
      {"gradient.scale", "missing, with a memory", cross_problem,
       [](Spoiling& s) { goes_back(s, {.power = 0}); }},
      {"gradient.scale", "twice", unmasked_problem,
       [](Spoiling& s) { goes_back(s, {.power = 2}); }},
      {"gradient.scale", "divided", cross_problem,
       [](Spoiling& s) { goes_back(s, {.power = -1}); }},
      {"gradient.transpose", "queries", causal_problem,
       [](Spoiling& s) { swaps_transpose(s, "q_heads"); }},
      {"gradient.transpose", "keys", causal_problem,
       [](Spoiling& s) { swaps_transpose(s, "k_heads"); }},
      {"gradient.transpose", "values", unmasked_problem,
       [](Spoiling& s) { swaps_transpose(s, "v_heads"); }},
      {"gradient.transpose", "weights", square_keys_problem,
       [](Spoiling& s) { swaps_transpose(s, "weights"); }},
      {"gradient.transpose", "W_o", causal_problem,
       [](Spoiling& s) { swaps_transpose(s, "concat"); }},
      {"gradient.transpose", "W_q, W_k, W_v", causal_problem,
       [](Spoiling& s) { swaps_transpose(s, "x"); }},
      {"gradient.mask", "weights once more", causal_problem,
       [](Spoiling& s) { goes_back(s, {.sees_all = true}); }},
      {"gradient.mask", "for softmax alone", padded_problem,
       [](Spoiling& s) { goes_back(s, {.sees_all = true, .values_too = false}); }},
      {"gradient.kv_heads", "mean", grouped_problem,
       [](Spoiling& s) { goes_back(s, {.group = "mean"}); }},
      {"gradient.kv_heads", "first", grouped_problem,
       [](Spoiling& s) { goes_back(s, {.group = "first"}); }},
      {"gradient.kv_heads", "last", grouped_problem,
       [](Spoiling& s) { goes_back(s, {.group = "last"}); }},
      {"gradient.residual_branch", "first", causal_problem,
       [](Spoiling& s) { goes_back(s, {.shares = {0}}); }},
      {"gradient.residual_branch", "last", batch_problem,
       [](Spoiling& s) { goes_back(s, {.shares = {2}}); }},
      {"gradient.residual_branch", "all but one", grouped_problem,
       [](Spoiling& s) {
         goes_back(s, {.shares = {0, 2}});
       }},
  };
}

WrongWays right_gradients() {
  WrongWays ways;
  for (const SmallProblem problem :
       {causal_problem, unmasked_problem, cross_problem, grouped_problem, padded_problem,
        batch_problem, square_keys_problem, wide_heads_problem})
    ways.push_back({"", "", problem, [](Spoiling& s) { goes_back(s, {}); }});
  return ways;
}

}  // namespace attn::testing
