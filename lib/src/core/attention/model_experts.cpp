// Mixtures of experts: a router gives each token a few of many feed-forward networks.
#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "core/attention/model_run.hpp"
#include "core/operations/operations.hpp"

namespace attn {
namespace {

constexpr Index kMostTold = 12;     // tokens whose experts a note names
constexpr Index kMostLacking = 64;  // experts without weights: a router may rate millions

/// "the: 0 and 2, cat: 1 and 3": which columns of each row of weights are not 0.
std::string told_choices(const Tensor& weights, const std::vector<std::string>& tokens) {
  std::vector<std::string> told;
  for (Index r = 0; r < weights.rows(); ++r) {
    std::vector<std::string> chosen;
    for (Index e = 0; e < weights.cols(); ++e) {
      if (weights.at({0, 0, r, e}) != 0.0) chosen.push_back(std::to_string(e));
    }
    told.push_back(tokens[static_cast<std::size_t>(r)] + ": " + together(chosen));
  }
  return "chosen experts: " + separated(told, ", ");
}

}  // namespace

bool ModelPart::has_experts() const {
  const RouterForm* form = run_.kind().router;
  if (form == nullptr) return false;
  const std::string router = tensor("router"), first = tensor("expert.0.linear1");
  return form->everywhere || run_.has(router + ".weight") ||
         run_.has_some(first.substr(0, first.rfind("experts.") + 8));
}

std::string ModelPart::router_weights(const std::string& x) {
  const RouterForm& form = *run_.kind().router;
  const ExpertsDraft& own = run_.draft().model->experts;
  const std::string logits = linear("router", x);
  const std::string scores =
      form.sigmoid ? record_("router_scores", ops::sigmoid, {logits})
                   : record_("router_scores", ops::softmax, {logits},
                             {{"empty_row", "zero"}, {"dtype", word_of(facts_->settings.dtype)}});
  const Index experts = width(scores), per_token = own.per_token.value_or(form.per_token);
  const Index groups = own.groups.value_or(1), kept = own.kept_groups.value_or(groups);
  std::vector<std::string> inputs{scores};
  const std::string bias = tensor("router_bias");
  if (run_.has(bias) || form.sigmoid)
    inputs.push_back(record_.input("router_bias", run_.weight(bias, 1, experts)));
  const auto refuse = [&](const char* key, const std::string& what) {
    throw input_error({.id = "out-of-range",
                       .what = what,
                       .places = {{.pointer = std::string("/model/") + key}},
                       .fix = kBelongTogether});
  };
  if (per_token > experts)
    refuse("num_experts_per_tok",
           filled("each token chooses {}, but {}", per_token, there_are(experts, "expert")));
  if (experts % groups != 0)
    refuse("n_group", filled("{} cannot be put into {} groups of one size",
                             counted(experts, "expert"), groups));
  if (kept > groups)
    refuse("topk_group", filled("experts are chosen from {}, but {}", counted(kept, "group"),
                                there_are(groups, "group")));
  Parameters parameters{{"top_k", per_token},
                        {"renormalize", own.renormalize.value_or(form.renormalize)}};
  if (own.factor.value_or(1.0) != 1.0) parameters.set("factor", *own.factor);
  if (groups > 1) {
    parameters.set("groups", groups);
    parameters.set("kept_groups", kept);
    parameters.set("group_sum", form.group_sum);
  }
  return record_("router_weights", ops::choose_experts, inputs, parameters);
}

std::string ModelPart::stacked_linear(const std::string& word, const std::string& x,
                                      Index columns) {
  const std::string module = tensor(word);
  const Index expert = std::stoi(word.substr(word.find('.') + 1));
  const bool in_turn = !word.ends_with(".linear2");  // gate and up
  const Index first = word.ends_with(".linear3") ? 1 : 0, step = in_turn ? 2 : 1;
  Tensor w = run_.stacked_weight(module, expert, {width(x), columns, first, step});
  columns = w.cols();
  std::vector<std::string> inputs{x, record_.input(word + ".weight", std::move(w))};
  inputs.push_back(record_.input(
      word + ".bias", run_.stacked_weight(module + "_bias", expert, {1, columns, first, step})));
  return record_(word, ops::linear, inputs);
}

std::string ModelPart::expert(const std::string& name, const std::string& x) {
  const std::string open = linear(name + ".linear1", x);
  const std::string up = linear(name + ".linear3", x, width(open));
  const bool clamped = run_.kind().router->clamped;
  const std::string gated = clamped ? record_(name + ".gate", ops::clamped_swiglu, {open, up},
                                              {{"alpha", 1.702}, {"limit", 7.0}})
                                    : record_(name + ".gate", ops::multiply_elements,
                                              {activation(open, name + ".activation"), up});
  return linear(name + ".linear2", gated, width(x));
}

std::string ModelPart::experts(const std::string& x) {
  if (!run_.has(tensor("router") + ".weight")) {
    linear("router", x);  // which `check` misses
    return x;
  }
  std::vector<std::string> mixed{router_weights(x)};
  const Tensor& weights = run_.trace_.value(mixed.front());
  if (run_.numbers_ != Numbers::None && weights.batch() == 1 && weights.rows() <= kMostTold)
    run_.note_once({told_choices(weights, facts_->query_tokens.front())}, scope_);
  const Index n = weights.cols();
  Index lacking = 0;
  for (Index e = 0; e < n; ++e) {
    const std::size_t faults = run_.faults();
    mixed.push_back(expert("expert." + std::to_string(e), x));
    if (run_.faults() > faults && ++lacking == kMostLacking) return x;  // `check` refuses the model
  }
  const std::string routed = record_("experts", ops::mix_experts, mixed);
  const bool has_shared =
      run_.has_some(tensor("shared.linear1").substr(0, tensor("shared.linear1").rfind('.')));
  const bool needs_shared = run_.kind().router->shared && run_.draft().model->experts.shared;
  if (!has_shared && !needs_shared) return routed;
  std::string shared = expert("shared", x);
  if (run_.kind().has("shared.router")) {
    const std::string gate =
        record_("shared.router_scores", ops::sigmoid, {linear("shared.router", x, 1)});
    shared = record_("shared_expert", ops::mix_experts, {gate, shared});
  } else {
    shared = copy("shared_expert", shared);
  }
  return add("mixture", {routed, shared});
}

}  // namespace attn
