// Mixtures of experts: a router gives each token a few of many feed-forward networks.
#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "core/attention/model_run.hpp"
#include "core/operations/operations.hpp"

namespace attn {
namespace {

constexpr Index kMostTold = 12;  // tokens whose experts a note names

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
  return run_.kind().router != nullptr && run_.has(tensor("router") + ".weight");
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
  if (run_.has(bias)) inputs.push_back(record_.input("router_bias", run_.weight(bias, 1, experts)));
  const auto refuse = [&](const char* key, const std::string& what) {
    throw input_error({.id = "out-of-range",
                       .what = what,
                       .places = {{.pointer = std::string("/model/") + key}},
                       .fix = "Check that model and weights belong together."});
  };
  if (per_token > experts)
    refuse("num_experts_per_tok",
           filled("each token chooses {}, but {}", per_token, there_are(experts, "expert")));
  if (experts % groups != 0 || kept > groups)
    refuse("n_group", filled("{} cannot be put into {} groups, of which {} count",
                             counted(experts, "expert"), groups, kept));
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

std::string ModelPart::stacked_linear(const std::string& word, const std::string& x) {
  const std::string module = tensor(word);
  const Index expert = std::stoi(word.substr(word.find('.') + 1));
  const bool in_turn = !word.ends_with(".linear2");  // gate and up
  const Index first = word.ends_with(".linear3") ? 1 : 0, step = in_turn ? 2 : 1;
  std::vector<std::string> inputs{
      x,
      record_.input(word + ".weight", run_.stacked_weight(module, expert, width(x), first, step))};
  if (run_.has(module + "_bias"))
    inputs.push_back(record_.input(word + ".bias",
                                   run_.stacked_weight(module + "_bias", expert, 1, first, step)));
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
  std::vector<std::string> mixed{router_weights(x)};
  const Tensor& weights = run_.trace_.value(mixed.front());
  if (run_.numbers_ != Numbers::None && weights.batch() == 1 && weights.rows() <= kMostTold)
    run_.note_once({told_choices(weights, facts_->query_tokens.front())}, scope_);
  const Index n = weights.cols();
  for (Index e = 0; e < n; ++e) mixed.push_back(expert("expert." + std::to_string(e), x));
  const std::string routed = record_("experts", ops::mix_experts, mixed);
  if (!run_.has(tensor("shared.linear1") + ".weight")) return routed;
  std::string shared = expert("shared", x);
  if (run_.has(tensor("shared.router") + ".weight")) {
    const std::string gate =
        record_("shared.router_scores", ops::sigmoid, {linear("shared.router", x, 1)});
    shared = record_("shared_expert", ops::mix_experts, {gate, shared});
  } else {
    shared = copy("shared_expert", shared);
  }
  return add("mixture", {routed, shared});
}

}  // namespace attn
