// The parts of a model: each records its steps.
#include <cmath>

#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/attention/attention_steps.hpp"
#include "core/attention/model_run.hpp"
#include "core/attention/scope.hpp"
#include "core/operations/operations.hpp"
#include "core/problem/build.hpp"
#include "core/problem/build_model.hpp"

namespace attn {
namespace {

std::shared_ptr<Scope> scope_for(const ProblemFacts& p, const std::string& name, Side side) {
  auto scope = std::make_shared<Scope>(scope_of(p));
  scope->name = name;
  if (!name.empty()) scope->vocabulary.clear();  // the model's own scope has it
  if (side == Side::Source) {
    scope->query_tokens = scope->key_tokens;
    scope->settings.n_queries = scope->settings.n_keys;
  }
  return scope;
}

}  // namespace

ModelPart::ModelPart(ModelRun& run, const std::string& scope, Side side)
    : run_(run),
      scope_(scope),
      side_(side),
      facts_(scope_for(run.problem_, scope, side)),
      record_(run.trace_, facts_, run.recipe_, run.numbers_, run.keeps_) {}

std::string ModelPart::tensor(const std::string& word) const {
  const std::string id = scope_.empty() ? word : scope_ + "." + word;
  const std::string whole = run_.kind().module(id);
  if (whole != id || scope_.empty()) return whole;
  return scope_ + "." + run_.kind().module(word);
}

std::vector<Index> ModelPart::ids() const {
  std::vector<Index> all;
  for (const auto& entry : run_.draft().ids) all.insert(all.end(), entry.begin(), entry.end());
  return all;
}

std::vector<Index> ModelPart::positions() const {
  std::vector<Index> all;
  for (const auto& entry : run_.draft().ids) {
    for (Index i = 0; i < std::ssize(entry); ++i) all.push_back(run_.problem_.n_past + i);
  }
  return all;
}

std::string ModelPart::input(const Tensor& x) {
  facts_->settings.d_model = x.cols();
  const std::string id = record_.input("x", x);
  Positions positions = run_.draft().positions;
  positions.base = positions.base.value_or(10000.0);
  positions.offset =
      positions.offset.value_or(0) + (side_ == Side::Target ? run_.problem_.n_past : 0);
  return record_positions(record_, positions, id, x.shape());
}

std::string ModelPart::memory(const Tensor& x) { return record_.input("memory", x); }

std::string ModelPart::look_up(const std::string& word, const std::string& table,
                               std::vector<Index> ids) {
  if (run_.trace_.find(table) == nullptr)
    record_.input(table,
                  run_.weight(tensor(table) + ".weight", 0, facts_->settings.d_model.value_or(0)));
  const Tensor& rows = run_.trace_.value(table);
  facts_->settings.d_model = rows.cols();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && ids[i] < rows.rows()) continue;
    const ProblemFacts& p = run_.problem_;
    const bool position = ids[i] == run_.problem_.n_past + static_cast<Index>(i) % p.n_queries &&
                          word != "token_embeddings" && word != "x";
    const auto entry = static_cast<Index>(i) / p.n_queries,
               row = static_cast<Index>(i) % p.n_queries;
    run_.complaints_.add(
        "out-of-range", p.batch ? filled("/ids/{}/{}", entry, row) : filled("/ids/{}", row),
        position
            ? filled("the model has {}, but there is a token at position {}",
                     counted(rows.rows(), "position"), ids[i])
            : filled("there is no token {}: the table has {}", ids[i], counted(rows.rows(), "row")),
        position ? "Give fewer ids." : filled("Give ids from 0 to {}.", rows.rows() - 1));
    ids[i] = 0;
  }
  const Shape shape{run_.problem_.batch, {}, run_.problem_.n_queries, rows.cols()};
  return record_(word, ops::look_up, {table}, {{"ids", std::move(ids)}}, shape);
}

std::string ModelPart::add(const std::string& word, std::vector<std::string> terms) {
  return record_(word, ops::add, std::move(terms));
}

std::string ModelPart::copy(const std::string& word, const std::string& x) {
  return record_(word, ops::copy, {x});
}

std::string ModelPart::norm(const std::string& word, const std::string& x) {
  const bool rms = run_.kind().rms_norms;
  const std::string module = tensor(word), given = word == "x" ? "norm" : word;
  std::vector<std::string> inputs{
      x, record_.input(given + ".weight", run_.weight(module + ".weight", 1, width(x)))};
  if (!rms && run_.norm_has_bias(module))
    inputs.push_back(record_.input(given + ".bias", run_.weight(module + ".bias", 1, width(x))));
  const double epsilon = run_.draft().model->layer_norm_eps.value_or(run_.kind().epsilon);
  return record_(word, rms ? ops::rms_norm : ops::layer_norm, inputs, {{"epsilon", epsilon}});
}

std::string ModelPart::norm_if_any(const std::string& word, const std::string& x) {
  const std::string module = tensor(word);
  return run_.has(module + ".weight") || run_.has(module + ".bias") ? norm(word, x) : x;
}

std::string ModelPart::residual(const std::string& x, const std::string& change) {
  facts_->settings.d_model = width(x);
  return record_("residual" + std::to_string(++residuals_), ops::add, {x, change});
}

std::string ModelPart::linear(const std::string& word, const std::string& x, Index columns) {
  const std::string module = tensor(word);
  Tensor w = run_.weight(module + ".weight", width(x), columns, !run_.kind().weights_in_out);
  columns = w.cols();
  std::vector<std::string> inputs{x, record_.input(word + ".weight", std::move(w))};
  if (run_.has(module + ".bias"))
    inputs.push_back(record_.input(word + ".bias", run_.weight(module + ".bias", 1, columns)));
  return record_(word, ops::linear, inputs);
}

std::string ModelPart::activation(const std::string& x) {
  const std::string& own = run_.draft().model->activation;
  const std::string name = own.empty() ? run_.kind().activation : own;
  const std::vector<std::string> names = activation_names();
  if (std::find(names.begin(), names.end(), name) != names.end())
    return record_("activation", *find_operation(name), {x});
  throw input_error(
      {.id = "out-of-range",
       .what = filled("there is no activation called \"{}\"{}", name, did_you_mean(name, names)),
       .places = {{.pointer = "/model/activation"}},
       .fix = "Choose " + either(names) + "."});
}

std::string ModelPart::gate(const std::string& x, const std::string& y) {
  return record_("gate", ops::multiply_elements, {x, y});
}

std::string ModelPart::feed_forward(const std::string& x) {
  return linear("linear2", activation(linear("linear1", x)), width(x));
}

}  // namespace attn
