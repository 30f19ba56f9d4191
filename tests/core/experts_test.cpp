// Mixtures of experts in whole models, in plain loops.
// The router of each family, its experts and their gradients.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/gradient.hpp"
#include "core/operations/row_links.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

using Row = std::vector<double>;
constexpr Index kWide = 4, kUnits = 3, kExperts = 6, kWords = 5, kTokens = 4;

struct MoeModel {
  ProblemDraft draft = {};
  Dice dice{5};
  std::string mlp = "layers.0.mlp";

  void add(const std::string& name, const std::vector<Index>& shape, double times = 1.0) {
    Array array = dice.numbers(shape);
    for (double& x : array.data) x *= times;
    draft.weights[name] = array;
  }
  void add_expert(const std::string& name, const char* gate, const char* down, const char* up) {
    add(name + "." + gate + ".weight", {kUnits, kWide});
    add(name + "." + up + ".weight", {kUnits, kWide});
    add(name + "." + down + ".weight", {kWide, kUnits});
  }

  explicit MoeModel(const std::string& kind) {
    draft.model = ModelDraft{kind, false, "", std::nullopt, std::nullopt};
    draft.heads = 2;
    draft.ids = {{1, 4, 2, 0}};
    LabelDraft label;
    label.index = 2;
    draft.labels = {{label, label, label, label}};
    add("embed_tokens.weight", {kWords, kWide});
    add("norm.weight", {kWide});
    add("layers.0.input_layernorm.weight", {kWide});
    add("layers.0.post_attention_layernorm.weight", {kWide});
    const std::string own = "layers.0.self_attn.";
    if (kind.starts_with("deepseek")) {
      add(own + "q_a_proj.weight", {3, kWide});
      add(own + "q_a_layernorm.weight", {3});
      add(own + "q_b_proj.weight", {2 * 4, 3});
      add(own + "kv_a_proj_with_mqa.weight", {3 + 2, kWide});
      add(own + "kv_a_layernorm.weight", {3});
      add(own + "kv_b_proj.weight", {2 * (2 + 3), 3});
      add(own + "o_proj.weight", {kWide, 2 * 3});
    } else {
      for (const char* letter : {"q", "k", "v", "o"})
        add(own + letter + "_proj.weight", {kWide, kWide});
    }
    for (const char* letter : {"q", "k", "v", "o"}) {
      const bool has_bias = kind == "gpt_oss" || (kind == "qwen2_moe" && *letter != 'o');
      if (has_bias) add(own + letter + "_proj.bias", {kWide});
    }
    if (kind == "gpt_oss") add(own + "sinks", {2});
    if (kind == "qwen3_moe") {
      draft.qk_norm = {.kind = QkNormKind::Rms, .is_given = true, .offset = 0.0};
      for (const char* norm : {"q_norm", "k_norm"}) add(own + norm + ".weight", {2});
    }
    if (kind == "mixtral") mlp = "layers.0.block_sparse_moe";
    const bool fused = kind == "gpt_oss";
    add(mlp + (fused ? ".router.weight" : ".gate.weight"), {kExperts, kWide});
    if (fused) {
      add(mlp + ".router.bias", {kExperts});
      add(mlp + ".experts.gate_up_proj", {kExperts, kWide, 2 * kUnits}, 12);
      add(mlp + ".experts.gate_up_proj_bias", {kExperts, 2 * kUnits});
      add(mlp + ".experts.down_proj", {kExperts, kUnits, kWide});
      add(mlp + ".experts.down_proj_bias", {kExperts, kWide});
    }
    for (Index e = 0; e < kExperts && !fused; ++e) {
      const std::string name = mlp + ".experts." + std::to_string(e);
      if (kind == "mixtral")
        add_expert(name, "w1", "w2", "w3");
      else
        add_expert(name, "gate_proj", "down_proj", "up_proj");
    }
    if (kind == "qwen2_moe") {
      add_expert(mlp + ".shared_expert", "gate_proj", "down_proj", "up_proj");
      add(mlp + ".shared_expert_gate.weight", {1, kWide});
    }
    if (kind.starts_with("deepseek"))
      add_expert(mlp + ".shared_experts", "gate_proj", "down_proj", "up_proj");
    if (kind == "deepseek_v3") add(mlp + ".gate.e_score_correction_bias", {kExperts}, 0.3);
  }

  double at(const std::string& name, Index place) const {
    return draft.weights.at(name).data[static_cast<std::size_t>(place)];
  }
  /// x·Wᵀ for W of out × in.
  Row times(const Row& x, const std::string& name) const {
    const Array& w = draft.weights.at(name);
    Row y;
    for (Index o = 0; o < w.shape[0]; ++o) {
      double sum = 0;
      for (Index i = 0; i < w.shape[1]; ++i)
        sum +=
            x[static_cast<std::size_t>(i)] * w.data[static_cast<std::size_t>(o * w.shape[1] + i)];
      y.push_back(sum);
    }
    return y;
  }
};

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

Row softmax_of(const Row& logits) {
  Row y;
  double sum = 0;
  for (const double x : logits) sum += std::exp(x);
  for (const double x : logits) y.push_back(std::exp(x) / sum);
  return y;
}

/// The places of the k largest.
std::vector<std::size_t> largest_places(const Row& row, std::size_t k) {
  std::vector<std::size_t> places;
  for (std::size_t n = 0; n < k; ++n) {
    std::size_t best = row.size();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (std::find(places.begin(), places.end(), i) != places.end()) continue;
      if (best == row.size() || row[i] > row[best]) best = i;
    }
    places.push_back(best);
  }
  return places;
}

/// What Hugging Face's routers give each expert, from its logits.
Row weights_of(const MoeModel& model, const Row& logits) {
  const std::string& kind = model.draft.model->kind;
  const ExpertsDraft& own = model.draft.model->experts;
  const auto k = static_cast<std::size_t>(*own.per_token);
  Row weights(logits.size(), 0.0);
  if (kind == "gpt_oss") {  // the k largest logits first, then a softmax of these
    Row some;
    const auto places = largest_places(logits, k);
    for (const std::size_t e : places) some.push_back(logits[e]);
    some = softmax_of(some);
    for (std::size_t i = 0; i < k; ++i) weights[places[i]] = some[i];
    return weights;
  }
  Row scores = softmax_of(logits);
  if (kind == "deepseek_v3")
    for (std::size_t e = 0; e < scores.size(); ++e) scores[e] = logistic(logits[e]);
  Row choice = scores;
  if (kind == "deepseek_v3")
    for (std::size_t e = 0; e < choice.size(); ++e)
      choice[e] += model.at(model.mlp + ".gate.e_score_correction_bias", static_cast<Index>(e));
  if (own.groups) {
    const auto groups = static_cast<std::size_t>(*own.groups);
    const std::size_t size = choice.size() / groups;
    Row worth;
    for (std::size_t g = 0; g < groups; ++g) {
      const Row part(choice.begin() + static_cast<std::ptrdiff_t>(g * size),
                     choice.begin() + static_cast<std::ptrdiff_t>((g + 1) * size));
      const auto two = largest_places(part, 2);
      worth.push_back(kind == "deepseek_v3" ? part[two[0]] + part[two[1]] : part[two[0]]);
    }
    const auto kept = largest_places(worth, static_cast<std::size_t>(*own.kept_groups));
    for (std::size_t e = 0; e < choice.size(); ++e)
      if (std::find(kept.begin(), kept.end(), e / size) == kept.end()) choice[e] = 0;
  }
  const auto places = largest_places(choice, k);
  double sum = 0;
  for (const std::size_t e : places) sum += scores[e];
  const bool divides = own.renormalize.value_or(kind == "mixtral" || kind == "deepseek_v3");
  for (const std::size_t e : places)
    weights[e] = own.factor.value_or(1) * scores[e] / (divides ? sum : 1);
  return weights;
}

/// down(silu(gate) ∘ up), or what gpt-oss does.
Row expert_of(const MoeModel& model, const Row& x, std::size_t e) {
  const std::string experts = model.mlp + ".experts";
  if (model.draft.model->kind != "gpt_oss") {
    const bool mixtral = model.draft.model->kind == "mixtral";
    const std::string name = experts + "." + std::to_string(e);
    const Row gate = model.times(x, name + (mixtral ? ".w1.weight" : ".gate_proj.weight"));
    Row up = model.times(x, name + (mixtral ? ".w3.weight" : ".up_proj.weight"));
    for (std::size_t i = 0; i < up.size(); ++i) up[i] *= gate[i] * logistic(gate[i]);
    return model.times(up, name + (mixtral ? ".w2.weight" : ".down_proj.weight"));
  }
  const auto own = static_cast<Index>(e);
  Row hidden;
  for (Index u = 0; u < kUnits; ++u) {
    const auto product = [&](Index column) {
      double sum = model.at(experts + ".gate_up_proj_bias", own * 2 * kUnits + column);
      for (Index i = 0; i < kWide; ++i)
        sum += x[static_cast<std::size_t>(i)] *
               model.at(experts + ".gate_up_proj", (own * kWide + i) * 2 * kUnits + column);
      return sum;
    };
    const double gate = std::min(product(2 * u), 7.0);
    const double up = std::max(std::min(product(2 * u + 1), 7.0), -7.0);
    hidden.push_back((up + 1) * gate * logistic(1.702 * gate));
  }
  Row y;
  for (Index o = 0; o < kWide; ++o) {
    double sum = model.at(experts + ".down_proj_bias", own * kWide + o);
    for (Index u = 0; u < kUnits; ++u)
      sum += hidden[static_cast<std::size_t>(u)] *
             model.at(experts + ".down_proj", (own * kUnits + u) * kWide + o);
    y.push_back(sum);
  }
  return y;
}

Row shared_of(const MoeModel& model, const Row& x) {
  const bool gated = model.draft.model->kind == "qwen2_moe";
  const std::string name = model.mlp + (gated ? ".shared_expert" : ".shared_experts");
  const Row gate = model.times(x, name + ".gate_proj.weight");
  Row up = model.times(x, name + ".up_proj.weight");
  for (std::size_t i = 0; i < up.size(); ++i) up[i] *= gate[i] * logistic(gate[i]);
  Row y = model.times(up, name + ".down_proj.weight");
  if (!gated) return y;
  const double share = logistic(model.times(x, model.mlp + ".shared_expert_gate.weight")[0]);
  for (double& each : y) each *= share;
  return y;
}

/// The models with settings that differ from their kinds' defaults.
std::vector<MoeModel> moe_models() {
  std::vector<MoeModel> models;
  const auto add = [&](const char* kind, const ExpertsDraft& experts) {
    models.emplace_back(kind).draft.model->experts = experts;
  };
  add("mixtral",
      {.per_token = 2, .renormalize = {}, .groups = {}, .kept_groups = {}, .factor = {}});
  add("qwen2_moe",
      {.per_token = 3, .renormalize = {}, .groups = {}, .kept_groups = {}, .factor = {}});
  add("qwen3_moe",
      {.per_token = 2, .renormalize = true, .groups = {}, .kept_groups = {}, .factor = {}});
  add("deepseek_v2",
      {.per_token = 2, .renormalize = {}, .groups = 3, .kept_groups = 2, .factor = 1.5});
  add("deepseek_v3",
      {.per_token = 3, .renormalize = {}, .groups = 3, .kept_groups = 2, .factor = 2.5});
  add("gpt_oss",
      {.per_token = 3, .renormalize = {}, .groups = {}, .kept_groups = {}, .factor = {}});
  return models;
}

/// The loss once the given of that id has other numbers.
double mean_loss_with(const Trace& trace, const std::string& id, const Tensor& numbers) {
  std::map<std::string, Tensor> others{{id, numbers}};
  for (const Step& step : trace.steps) {
    std::vector<const Tensor*> inputs;
    bool changes = false;
    for (const std::string& input : step.inputs) {
      const auto at = others.find(input);
      changes = changes || at != others.end();
      inputs.push_back(at == others.end() ? &trace.value(input) : &at->second);
    }
    if (changes)
      others[step.id] =
          ops::evaluate(*step.operation, {inputs, step.parameters, step.value.shape()});
  }
  return others.at("mean_loss").data().front();
}

}  // namespace

TEST_CASE("experts: routers, experts and their mixture agree with plain loops in every family") {
  for (const MoeModel& model : moe_models()) {
    CAPTURE(model.draft.model->kind);
    const Trace trace = trace_of(model.draft);
    const Tensor& from = trace.value("layers.0.norm2");
    const bool fused = model.draft.model->kind == "gpt_oss";
    const bool shared = trace.find("layers.0.shared_expert") != nullptr;
    CHECK(shared == (model.draft.model->kind.starts_with("deepseek") ||
                     model.draft.model->kind == "qwen2_moe"));
    for (Index i = 0; i < kTokens; ++i) {
      const auto row = from.row(0, 0, i);
      const Row x(row.begin(), row.end());
      Row logits = model.times(x, model.mlp + (fused ? ".router.weight" : ".gate.weight"));
      for (std::size_t e = 0; fused && e < logits.size(); ++e)
        logits[e] += model.at(model.mlp + ".router.bias", static_cast<Index>(e));
      const Row weights = weights_of(model, logits);
      Row mixed(kWide, 0.0);
      for (std::size_t e = 0; e < weights.size(); ++e) {
        CHECK(
            close(trace.value("layers.0.router").at({0, 0, i, static_cast<Index>(e)}), logits[e]));
        CHECK(close(trace.value("layers.0.router_weights").at({0, 0, i, static_cast<Index>(e)}),
                    weights[e]));
        const Row y = expert_of(model, x, e);
        for (std::size_t c = 0; c < y.size(); ++c) mixed[c] += weights[e] * y[c];
      }
      Row whole = mixed;
      if (shared) {
        const Row y = shared_of(model, x);
        for (std::size_t c = 0; c < y.size(); ++c) whole[c] += y[c];
      }
      for (Index c = 0; c < kWide; ++c) {
        const auto at = static_cast<std::size_t>(c);
        CHECK(close(trace.value("layers.0.experts").at({0, 0, i, c}), mixed[at]));
        CHECK(close(trace.value(shared ? "layers.0.mixture" : "layers.0.experts").at({0, 0, i, c}),
                    whole[at]));
      }
    }
  }
}

TEST_CASE("experts: every cell is derivable, also those of the gradients") {
  for (const MoeModel& model : moe_models()) {
    CAPTURE(model.draft.model->kind);
    Trace trace = trace_of(model.draft);
    add_gradients(trace);
    for (const Step& step : trace.steps) {
      if (step.is_given()) continue;
      CAPTURE(step.id);
      const std::vector<const Tensor*> inputs = trace.inputs(step);
      const Call call{inputs, step.parameters, step.value.shape()};
      for (Index n = 0; n < step.value.shape().count(); ++n) {
        const Cell cell = step.value.shape().cell_at(n);
        const double derived = step.operation->derive(call, cell).value;
        const double value = step.value.at(cell);  // may be −∞
        CHECK(close(value, derived, 1e-10));
      }
    }
  }
}

TEST_CASE("experts: a small change of a weight changes the loss as its gradient says") {
  for (const MoeModel& model : moe_models()) {
    CAPTURE(model.draft.model->kind);
    const Trace forward = trace_of(model.draft);
    Trace trace = forward;
    add_gradients(trace);
    for (const char* id :
         {"token_table", "layers.0.router.weight", "layers.0.expert.1.linear1.weight",
          "layers.0.expert.2.linear3.weight", "layers.0.expert.0.linear2.weight",
          "layers.0.shared.linear1.weight", "layers.0.shared.router.weight"}) {
      const Step* given = trace.find(id);
      if (given == nullptr) continue;
      CAPTURE(id);
      const Tensor& gradient = trace.value(std::string(id) + ".grad");
      for (const Index place : {Index{0}, gradient.shape().count() / 2}) {
        const auto loss = [&](double change) {
          Tensor other = given->value;
          other.edit()[static_cast<std::size_t>(place)] += change;
          return mean_loss_with(forward, id, other);
        };
        const double slope = (loss(1e-5) - loss(-1e-5)) / 2e-5;
        CHECK(close(slope, gradient.data()[static_cast<std::size_t>(place)], 1e-7));
      }
    }
  }
}

TEST_CASE("experts: a tensor that is missing is called what its family calls it") {
  const auto without = [](const char* kind, const std::string& end) {
    ProblemDraft draft = MoeModel(kind).draft;
    std::erase_if(draft.weights, [&](const auto& each) { return each.first.ends_with(end); });
    return refusal_from([&] { trace_of(draft); }).what;
  };
  CHECK(without("mixtral", "gate.weight").ends_with("layers.0.block_sparse_moe.gate.weight"));
  CHECK(without("qwen2_moe", "mlp.gate.weight").ends_with("layers.0.mlp.gate.weight"));
  CHECK(without("qwen2_moe", "shared_expert_gate.weight").ends_with("shared_expert_gate.weight"));
  CHECK(without("gpt_oss", "experts.down_proj").ends_with("layers.0.mlp.experts.down_proj"));
  CHECK(without("gpt_oss", "down_proj_bias").ends_with("layers.0.mlp.experts.down_proj_bias"));
  CHECK(without("gpt_oss", "sinks").ends_with("layers.0.self_attn.sinks"));
  CHECK(without("deepseek_v3", "correction_bias").ends_with("mlp.gate.e_score_correction_bias"));
  CHECK(without("deepseek_v2", "q_b_proj.weight").ends_with("layers.0.self_attn.q_b_proj.weight"));
}

TEST_CASE("experts: a note says which experts each token chose; too many are refused") {
  const MoeModel model("mixtral");
  const Trace trace = trace_of(model.draft);
  const bool told = std::any_of(
      trace.notes.begin(), trace.notes.end(),
      [](const std::string& note) { return note.starts_with("layers.0: chosen experts: "); });
  CHECK(told);
  ProblemDraft greedy = model.draft;
  greedy.model->experts.per_token = 7;
  CHECK_THROWS_WITH_AS(trace_of(greedy), "each token chooses 7, but there are 6 experts", Error);
}

TEST_CASE("experts: a router for millions of experts is refused as soon as one for a few" *
          doctest::test_suite("long")) {
  for (const char* kind : {"mixtral", "qwen2_moe", "gpt_oss", "deepseek_v3"}) {
    CAPTURE(kind);
    ProblemDraft draft = MoeModel(kind).draft;
    for (auto& [name, weight] : draft.weights) {
      if (!name.ends_with("gate.weight") && !name.ends_with("router.weight")) continue;
      if (weight.shape.size() != 2 || name.find("shared") != name.npos) continue;
      weight.shape[0] = 2'000'000;
      weight.data.assign(static_cast<std::size_t>(weight.shape[0] * weight.shape[1]), 0.5);
    }
    draft.max_memory = 8e9;
    CHECK_THROWS_AS(trace_of(draft), Error);
  }
}

}  // namespace attn::testing
