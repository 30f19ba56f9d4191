// Computations that lead to a right result by a different route: scaled earlier, heads permuted.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "teach/check/equivalent.hpp"

namespace attn {
namespace {

/// The scale on queries, or its root on queries and keys, at each step that may be shown scaled.
std::vector<Variation> scaled_earlier(const Wiring& w) {
  if (!w.made_by("scaled_scores", "scale")) return {};
  const double factor = w.settings().scale.number;
  std::vector<Variation> changes;
  for (const char* word : {"", "_heads", "_rotated"}) {
    const std::string q = std::string("q") + word, k = std::string("k") + word;
    if (!w.has(q.c_str()) || !w.has(k.c_str()) || w.find(q.c_str())->is_given()) continue;
    const Recipe unscaled{skipped("scaled_scores")};
    changes.push_back({unscaled, {{q, factor}}});
    changes.push_back({unscaled, {{q, std::sqrt(factor)}, {k, std::sqrt(factor)}}});
  }
  return changes;
}

/// The columns of a matrix, or its rows, in the order of the permuted heads.
Tensor in_order(const Tensor& t, const std::vector<Index>& order, bool rows) {
  Tensor y = t;
  const Index d = (rows ? t.rows() : t.cols()) / std::ssize(order);
  for (Index r = 0; r < t.rows(); ++r) {
    for (Index c = 0; c < t.cols(); ++c) {
      const Index i = rows ? r : c;
      const Index from = order[static_cast<std::size_t>(i / d)] * d + i % d;
      y.at({0, 0, r, c}) = t.at({0, 0, rows ? from : r, rows ? c : from});
    }
  }
  return y;
}

/// What each head has of its own, in the order of the permuted heads: slopes, biases, masks.
Recipe of_each_head(const Wiring& w, const std::vector<Index>& order) {
  Recipe recipe;
  for (const auto* part : {&w.truth().givens, &w.truth().steps}) {
    for (const Step& step : *part) {
      const bool given = step.inputs.empty() && step.is_given();
      if (given && step.value.shape().heads == w.settings().heads)
        recipe.push_back(replaced(step.id, with_heads(step.value, order)));
      if (step.operation->name != std::string_view("alibi_bias")) continue;
      std::vector<double> slopes;
      for (const Index head : order)
        slopes.push_back(step.parameters.numbers("slopes")[static_cast<std::size_t>(head)]);
      recipe.push_back(with(step.id, {{"slopes", std::move(slopes)}}));
    }
  }
  return recipe;
}

/// Heads in each unusual order, from the projections on or from the split on; put side by side in
/// that order, or in the usual one.
std::vector<Variation> heads_permuted(const Wiring& w) {
  const Settings& s = w.settings();
  if (s.heads < 2 || s.heads > 4 || s.kv_heads != s.heads || w.to_output() == nullptr) return {};
  if (!w.made_by("q", "linear") || !w.made_by("k", "linear") || !w.made_by("v", "linear"))
    return {};
  std::vector<Index> order(static_cast<std::size_t>(s.heads));
  std::iota(order.begin(), order.end(), 0);
  std::vector<Variation> changes;
  while (std::next_permutation(order.begin(), order.end())) {
    Recipe others = of_each_head(w, order);
    others.push_back(replaced("w_o", in_order(w.find("w_o")->value, order, true)));
    Variation projected;
    for (const char* id : {"w_q", "w_k", "w_v", "b_q", "b_k", "b_v"}) {
      if (w.has(id))
        projected.recipe.push_back(replaced(id, in_order(w.find(id)->value, order, false)));
    }
    projected.recipe.insert(projected.recipe.end(), others.begin(), others.end());
    changes.push_back(std::move(projected));
    Variation split;
    std::vector<Index> back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      back[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
    for (const char* id : {"q_heads", "k_heads", "v_heads"})
      split.afterwards.push_back({.step = id, .heads = order});
    changes.push_back(split);
    changes.back().recipe = others;
    others.pop_back();  // concat puts them where w_o expects them
    split.recipe = std::move(others);
    split.recipe.push_back(with("concat", {{"order", back}}));
    changes.push_back(std::move(split));
  }
  return changes;
}

std::vector<Variation> rope_start(const Wiring& w) {
  if (!w.made_by("q_rotated", "rotate")) return {};
  const Index start = w.find("k_rotated")->parameters.counts("offsets").front();
  std::vector<Variation> changes;
  for (const Index by : {Index{-1}, Index{1}, -start}) {
    if (by == 0) continue;
    Variation change;
    bool negative = false;
    for (const char* id : {"q_rotated", "k_rotated"}) {
      std::vector<Index> offsets = w.find(id)->parameters.counts("offsets");
      for (Index& offset : offsets) {
        offset += by;
        negative = negative || offset < 0;
      }
      change.recipe.push_back(with(id, {{"offsets", std::move(offsets)}}));
    }
    if (!negative) changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<Variation> shifted(const Wiring& w) {
  if (!w.has_softmax()) return {};
  return {{.afterwards = {{.step = w.softmax_input(), .minus_row_max = true}}}};
}

/// The columns of queries and keys in the other order for rotary positions, and rotated to match:
/// the pairs of a head are neighbours, or its halves. Without rotation, either order.
std::vector<Variation> columns_permuted(const Wiring& w) {
  const Settings& s = w.settings();
  if (!w.made_by("q", "linear") || !w.made_by("k", "linear") || w.has("past_k")) return {};
  const bool rotated = w.made_by("q_rotated", "rotate");
  const Index d = w.find("q")->value.cols() / s.heads;
  const Index rotary = rotated ? w.find("q_rotated")->parameters.count("rotary_dim") : d;
  if (rotary < 4 || rotary % 2 != 0) return {};
  std::vector<Variation> changes;
  for (const bool in_turn : {false, true}) {
    if (rotated && in_turn == w.find("q_rotated")->parameters.flag("interleaved")) continue;
    Variation change;
    for (const auto& [id, heads] : {std::pair{"q", s.heads}, {"k", s.kv_heads}}) {
      std::vector<Index> columns(static_cast<std::size_t>(heads * d));
      for (Index c = 0; c < heads * d; ++c) {
        const Index i = c % d, half = rotary / 2;
        const Index from = in_turn ? i / 2 + i % 2 * half : i % half * 2 + i / half;
        columns[static_cast<std::size_t>(c)] = i < rotary ? c - i + from : c;
      }
      change.afterwards.push_back({.step = id, .columns = std::move(columns)});
    }
    for (const char* id : {"q_rotated", "k_rotated"}) {
      if (rotated) change.recipe.push_back(with(id, {{"interleaved", in_turn}}));
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

/// e^score without the row maximum subtracted.
std::vector<Variation> unshifted(const Wiring& w) {
  if (!w.has("exp_scores")) return {};
  return {{.afterwards = {{.step = "row_max", .factor = 0.0}}}};
}

/// Scaled scores are right, and scaled once more before softmax.
std::vector<Variation> scaled_again(const Wiring& w) {
  if (!w.made_by("scaled_scores", "scale") || w.softmax_input() == "scaled_scores") return {};
  return {{.afterwards = {{.step = w.softmax_input(), .factor = w.settings().scale.number}}}};
}

/// The routes through one attention, each with its code.
std::vector<Candidate> routes_of(const Trace& truth) {
  const Wiring wiring(truth);
  std::vector<Candidate> all;
  const auto add = [&](const char* code, std::vector<Variation> changes) {
    for (Variation& change : changes) all.push_back({find_mistake_row(code), std::move(change)});
  };
  add("equivalent.scale_in_q", scaled_earlier(wiring));
  add("equivalent.heads_permuted", heads_permuted(wiring));
  add("equivalent.columns_permuted", columns_permuted(wiring));
  add("equivalent.rope_start", rope_start(wiring));
  add("equivalent.shift", shifted(wiring));
  add("equivalent.no_shift", unshifted(wiring));
  const bool usual = find_mistake_row("scale.default")->variants(wiring).empty();
  add(usual ? "scale.d_k" : "scale.twice", scaled_again(wiring));
  return all;
}

}  // namespace

std::vector<Candidate> other_routes(const Parts& parts) {
  std::vector<Candidate> all;
  std::map<std::pair<const MistakeRow*, std::size_t>, std::size_t> places;  // in `all`
  for (const Part& part : parts.of(PartKind::Attention)) {
    std::map<const MistakeRow*, std::size_t> ways;
    for (Candidate& road : routes_of(part.alone)) {
      const auto [at, is_new] = places.try_emplace({road.row, ways[road.row]++}, all.size());
      if (is_new) all.push_back({road.row, {}});
      Variation& both = all[at->second].change;
      for (Rewiring& each : part.lifted(std::move(road.change.recipe)))
        both.recipe.push_back(std::move(each));
      for (Afterwards& each : road.change.afterwards) {
        each.step = part.whole_id(each.step);
        both.afterwards.push_back(std::move(each));
      }
    }
  }
  return all;
}

std::vector<Candidate> without_b_k(const Case& known) {
  Candidate candidate{find_mistake_row("equivalent.b_k"), {}};
  for (const Part& part : known.parts.of(PartKind::Attention)) {
    const Step* keys = part.alone.find("k");
    const auto shows = [&](const Step& step) {
      return (step.id == "scores" || step.id.starts_with("k")) &&
             known.find(part.whole_id(step.id)) != nullptr;
    };
    const StepList& steps = part.alone.steps;
    const Wiring wiring(part.alone);
    const bool ignored = wiring.made_by("scores", "multiply_transposed") && wiring.has_softmax();
    if (keys == nullptr || keys->inputs.size() != 3 || !ignored ||
        std::any_of(steps.begin(), steps.end(), shows))
      continue;
    for (Rewiring& each : part.lifted(Recipe{from("k", {"{0}", "{1}"})}))
      candidate.change.recipe.push_back(std::move(each));
  }
  if (candidate.change.recipe.empty()) return {};
  return {std::move(candidate)};
}

}  // namespace attn
