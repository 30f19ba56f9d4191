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

bool ModelPart::names(const std::string& word) const {
  return run_.kind().has(word) || run_.kind().has(scope_ + "." + word);
}

std::string ModelPart::tensor(const std::string& word) const {
  const ModelKind& kind = run_.kind();
  const std::string root = scope_.substr(0, scope_.find('.'));
  std::vector<std::string> names;
  if (!root.empty()) names = kind.names_of(root + "." + word);
  const bool whole = scope_.empty() || (!names.empty() && root == scope_);
  if (names.empty()) names = kind.names_of(word);
  if (names.empty()) names = {word};
  for (std::string& name : names) {
    if (!whole) name = scope_ + "." + name;
  }
  for (const char* end : {".weight", ".bias"}) {
    for (const std::string& name : names) {
      if (run_.has(name + end)) return name;
    }
  }
  return names.front();
}

bool ModelPart::has_last_name(const std::string& word) const {
  const std::string root = scope_.substr(0, scope_.find('.'));
  std::vector<std::string> names = run_.kind().names_of(root + "." + word);
  if (names.empty()) names = run_.kind().names_of(word);
  return !names.empty() && tensor(word).ends_with(names.back());
}

bool ModelPart::has_second_norm() const {
  const std::size_t names = run_.kind().names_of("norm2").size();
  return names == 1 || (names > 1 && has_last_name("norm1")) || has("norm2");
}

bool ModelPart::needs_bias(const std::string& word) const {
  if (run_.kind().biases_alike) return layer_ && run_.layers_have_biases();
  const std::string root = scope_.substr(0, scope_.find('.'));
  const bool denied = !run_.draft().model->linear_biases && !word.starts_with("norm");
  return !denied && (run_.kind().is_biased(root + "." + word) || run_.kind().is_biased(word));
}

Index ModelPart::n_tokens() const {
  return side_ == Side::Source ? run_.problem_.n_keys : run_.problem_.n_queries;
}

std::vector<Index> ModelPart::ids() const {
  const ProblemDraft& draft = run_.draft();
  std::vector<Index> all;
  for (const auto& entry : side_ == Side::Source ? draft.source->ids : draft.ids)
    all.insert(all.end(), entry.begin(), entry.end());
  return all;
}

std::vector<Index> ModelPart::positions() const {
  const Index past = side_ == Side::Source ? 0 : run_.problem_.n_past;
  const Index first = run_.kind().first_position + past;
  std::optional<Index> pad = run_.draft().model->pad_id;
  if (!pad && run_.kind().reads("pad_id")) pad = first - 1;
  std::vector<Index> all;
  if (!pad) {
    for (Index i = 0; i < run_.problem_.batch.value_or(1) * n_tokens(); ++i)
      all.push_back(first + i % n_tokens());
    return all;
  }
  for (const auto& entry : run_.draft().ids) {
    Index next = *pad + 1;
    for (const Index id : entry) all.push_back(id == pad ? *pad : next++);
  }
  return all;
}

std::string ModelPart::embeddings() {
  const bool normed = names("x"), placed = names("position_table");
  const std::string word = normed || placed ? "token_embeddings" : "x";
  const bool of_source = side_ == Side::Source;
  const std::optional<Tensor>& given = of_source ? run_.problem_.memory : run_.problem_.x;
  std::string x = given ? record_.input(word, *given) : look_up(word, "token_table", ids());
  if (given) facts_->settings.d_model = width(x);
  const PositionKind waves = run_.kind().source_positions;
  if (of_source && given && is_wave(waves) && !has("position_table")) {
    const Positions usual{
        .kind = waves, .base = 10000.0, .rotary_dim = {}, .offset = 0, .slopes = {}};
    return record_positions(record_, usual, x, given->shape());
  }
  if (placed)
    x = add(normed ? "embedding_sum" : "x",
            {x, look_up("position_embeddings", "position_table", positions())});
  return normed ? norm("x", x) : x;
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

std::string ModelPart::table(const std::string& word) {
  for (const std::string& id : {scope_.empty() ? word : scope_ + "." + word, word})
    if (run_.trace_.find(id) != nullptr) return id;
  return record_.input(
      word, run_.weight(tensor(word) + ".weight", 0, facts_->settings.d_model.value_or(0)));
}

std::string ModelPart::look_up(const std::string& word, const std::string& table_word,
                               std::vector<Index> ids) {
  const std::string id = table(table_word);
  const Tensor& rows = run_.trace_.value(id);
  facts_->settings.d_model = rows.cols();
  const bool of_source = side_ == Side::Source;
  const Index n = n_tokens();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && ids[i] < rows.rows()) continue;
    const bool position = table_word == "position_table";
    const auto entry = static_cast<Index>(i) / n, row = static_cast<Index>(i) % n;
    const std::string place = of_source ? "/source/ids" : "/ids";
    run_.complaints_.add(
        "out-of-range",
        run_.problem_.batch ? filled("{}/{}/{}", place, entry, row) : filled("{}/{}", place, row),
        position
            ? filled("the model has {}, but there is a token at position {}",
                     counted(rows.rows() - run_.kind().first_position, "position"),
                     ids[i] - run_.kind().first_position)
            : filled("there is no token {}: the table has {}", ids[i], counted(rows.rows(), "row")),
        position ? "Give fewer ids." : filled("Give ids from 0 to {}.", rows.rows() - 1));
    ids[i] = 0;
  }
  const Shape shape{run_.problem_.batch, {}, n, rows.cols()};
  Parameters parameters{{"ids", std::move(ids)}};
  const double factor = table_word == "token_table" ? run_.embedding_factor(rows.cols()) : 1.0;
  if (factor != 1.0) parameters.set("factor", factor);
  return record_(word, ops::look_up, {id}, std::move(parameters), shape);
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
  const bool bare = *run_.kind().only != '\0' && !run_.has(module + ".weight");
  Tensor gain =
      bare ? Tensor(Shape{{}, {}, 1, width(x)}, 1.0) : run_.weight(module + ".weight", 1, width(x));
  const double offset = run_.kind().norm_offset;
  if (offset != 0.0 && !gain.data().empty())
    for (double& each : gain.edit()) each += offset;
  std::vector<std::string> inputs{x, record_.input(given + ".weight", std::move(gain))};
  const bool has_bias = run_.norm_has_bias(module) || needs_bias(word);
  if (!rms && has_bias)
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
  if (word.starts_with("expert.") && run_.kind().stacks_experts())
    return stacked_linear(word, x, columns);
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
  if (run_.has(module + ".bias") || needs_bias(word))
    inputs.push_back(
        record_.input(word + ".bias", part(run_.weight(module + ".bias", 1, columns))));
  return record_(word, ops::linear, inputs);
}

std::string ModelPart::activation(const std::string& x, const std::string& word,
                                  const std::string& always) {
  const std::string& own = run_.draft().model->activation;
  const std::string name = !always.empty() ? always : own.empty() ? run_.kind().activation : own;
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
  const bool gate_here = has("linear3") || has_last_name("linear1");
  if (run_.kind().gated || (run_.kind().gate_if_any && gate_here))
    open = gate(open, linear("linear3", x, width(open)));
  return linear("linear2", open, width(x));
}

}  // namespace attn
