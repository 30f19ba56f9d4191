// The parts of a model: each records its steps.
#include <algorithm>
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

Tensor cut_columns(const Tensor& whole, Index first, Index count) {
  const Shape shape{{}, {}, whole.rows(), count};
  if (whole.data().empty()) return Tensor::outline(shape);
  Tensor part(shape);
  for (Index r = 0; r < shape.rows; ++r) {
    const auto from = whole.row(0, 0, r).subspan(static_cast<std::size_t>(first));
    std::copy_n(from.begin(), count, part.row(0, 0, r).begin());
  }
  return part;
}

}  // namespace

ModelPart::ModelPart(ModelRun& run, const std::string& scope, Side side, std::optional<Index> layer)
    : run_(run),
      scope_(scope),
      side_(side),
      layer_(layer),
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
  const Index first = run_.kind().first_position + run_.problem_.n_past;
  std::optional<Index> pad = run_.draft().model->pad_id;
  if (!pad && run_.kind().reads("pad_id")) pad = first - 1;
  std::vector<Index> all;
  for (const auto& entry : run_.draft().ids) {
    Index next = pad ? *pad + 1 : first;
    for (const Index id : entry) all.push_back(id == pad ? *pad : next++);
  }
  return all;
}

std::string ModelPart::embeddings() {
  if (run_.kind().has("x")) return norm("x", look_up("token_embeddings", "token_table", ids()));
  if (!run_.kind().has("position_table")) return look_up("x", "token_table", ids());
  return add("x", {look_up("token_embeddings", "token_table", ids()),
                   look_up("position_embeddings", "position_table", positions())});
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
    const bool position = table == "position_table";
    const auto entry = static_cast<Index>(i) / p.n_queries,
               row = static_cast<Index>(i) % p.n_queries;
    run_.complaints_.add(
        "out-of-range", p.batch ? filled("/ids/{}/{}", entry, row) : filled("/ids/{}", row),
        position
            ? filled("the model has {}, but there is a token at position {}",
                     counted(rows.rows() - run_.kind().first_position, "position"),
                     ids[i] - run_.kind().first_position)
            : filled("there is no token {}: the table has {}", ids[i], counted(rows.rows(), "row")),
        position ? "Give fewer ids." : filled("Give ids from 0 to {}.", rows.rows() - 1));
    ids[i] = 0;
  }
  const Shape shape{run_.problem_.batch, {}, run_.problem_.n_queries, rows.cols()};
  Parameters parameters{{"ids", std::move(ids)}};
  const double factor = table == "token_table" ? run_.embedding_factor(rows.cols()) : 1.0;
  if (factor != 1.0) parameters.set("factor", factor);
  return record_(word, ops::look_up, {table}, std::move(parameters), shape);
}

std::string ModelPart::add(const std::string& word, std::vector<std::string> terms) {
  return record_(word, ops::add, std::move(terms));
}

std::string ModelPart::copy(const std::string& word, const std::string& x) {
  return record_(word, ops::copy, {x});
}

std::string ModelPart::norm(const std::string& word, const std::string& x) {
  const bool rms = run_.kind().rms_norms;
  if (run_.kind().bare_first && layer_ == 0 && word == "norm1" && !has(word)) return x;
  const std::string module = tensor(word), given = word != "x"               ? word
                                                   : run_.kind().has("norm") ? "norm0"
                                                                             : "norm";
  Tensor gain = run_.weight(module + ".weight", 1, width(x));
  const double offset = run_.kind().norm_offset;
  if (offset != 0.0 && !gain.data().empty())
    for (double& each : gain.edit()) each += offset;
  std::vector<std::string> inputs{x, record_.input(given + ".weight", std::move(gain))};
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
  const std::string number = std::to_string(++residuals_);
  const double factor = run_.branch_factor();
  const std::string branch =
      factor == 1.0 ? change
                    : record_("branch" + number, ops::scale, {change}, {{"factor", factor}});
  return record_("residual" + number, ops::add, {x, branch});
}

std::string ModelPart::linear(const std::string& word, const std::string& x, Index columns) {
  const std::string module = tensor(word);
  if (run_.has(module) && word.starts_with("expert.")) return stacked_linear(word, x);
  const bool first = word == "linear1",
             half = run_.kind().is_half_gate() && (first || word == "linear3");
  const auto part = [&](Tensor whole) {
    const Index size = whole.cols() / 2;
    return half ? cut_columns(whole, first ? 0 : size, size) : whole;
  };
  if (half) columns *= 2;
  Tensor w = part(run_.weight(module + ".weight", width(x), columns, !run_.kind().weights_in_out));
  columns = w.cols() * (half ? 2 : 1);
  std::vector<std::string> inputs{x, record_.input(word + ".weight", std::move(w))};
  if (run_.has(module + ".bias"))
    inputs.push_back(
        record_.input(word + ".bias", part(run_.weight(module + ".bias", 1, columns))));
  return record_(word, ops::linear, inputs);
}

std::string ModelPart::activation(const std::string& x, const std::string& word) {
  const std::string& own = run_.draft().model->activation;
  const std::string name = own.empty() ? run_.kind().activation : own;
  const std::vector<std::string> names = activation_names();
  if (std::find(names.begin(), names.end(), name) != names.end())
    return record_(word, *find_operation(name), {x});
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
  if (has_experts()) return experts(x);
  std::string open = activation(linear("linear1", x));
  if (run_.kind().gated) open = gate(open, linear("linear3", x, width(open)));
  return linear("linear2", open, width(x));
}

}  // namespace attn
