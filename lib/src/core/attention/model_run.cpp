// The weights of a model while it runs, and what stays of its trace.
#include "core/attention/model_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "attn/core/memory_budget.hpp"
#include "attn/phrases.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

/// The weights of norms have these names in older files.
constexpr std::pair<const char*, const char*> kOldNames[] = {{".weight", ".gamma"},
                                                             {".bias", ".beta"}};

/// The beginnings of names of output layers that attn does not run.
constexpr std::string_view kHeads[] = {"lm_head.",    "cls.",        "pooler.",    "score.",
                                       "classifier.", "qa_outputs.", "embed_out.", "vocab_",
                                       "head.",       "decoder.bias"};

/// What a map has at `key`, made at first.
template <typename Map, typename F>
typename Map::mapped_type held(Map& map, const typename Map::key_type& key, const F& made) {
  const auto at = map.find(key);
  return at != map.end() ? at->second : map.emplace(key, made()).first->second;
}

Projection projection(WeightArrays& arrays, const std::string& letter) {
  const auto matrix = [](Array& array) {
    const Shape shape{{}, {}, array.rank() < 2 ? 1 : array.shape[0], array.shape.back()};
    return array.data.empty() ? Tensor::outline(shape) : Tensor(shape, std::move(array.data));
  };
  Projection result{matrix(arrays.at("w_" + letter)), std::nullopt};
  const auto bias = arrays.find("b_" + letter);
  if (bias != arrays.end()) result.b = matrix(bias->second);
  return result;
}

/// The tensor of that name, or of its old name, or nullptr.
const ModelTensors::value_type* find(const ModelTensors& weights, const std::string& name) {
  const auto at = weights.find(name);
  if (at != weights.end()) return &*at;
  for (const auto& [now, before] : kOldNames) {
    if (!name.ends_with(now)) continue;
    const auto old = weights.find(name.substr(0, name.size() - std::string(now).size()) + before);
    if (old != weights.end()) return &*old;
  }
  return nullptr;
}

Tensor transposed(const Tensor& t) {
  if (t.data().empty()) return Tensor::outline({{}, {}, t.cols(), t.rows()});
  Tensor turned = Tensor::unset({{}, {}, t.cols(), t.rows()});
  constexpr Index kBlock = 16;  // both sides of a block fit in the cache
  const double* from = t.data().data();
  double* to = turned.edit().data();
  for (Index top = 0; top < t.rows(); top += kBlock) {
    for (Index c = 0; c < t.cols(); ++c) {
      for (Index r = top; r < std::min(top + kBlock, t.rows()); ++r)
        to[c * t.rows() + r] = from[r * t.cols() + c];
    }
  }
  return turned;
}

/// A vector is one row.
Shape matrix_shape(const std::vector<Index>& sizes) {
  return {{}, {}, sizes.size() < 2 ? 1 : sizes[0], sizes.empty() ? 1 : sizes.back()};
}

/// attn's own names are of an attention alone; no module has them.
bool is_of_attention_alone(const std::string& name) {
  return is_weight_name(name) && !is_library_weight_name(name);
}

}  // namespace

double ModelRun::embedding_factor(Index d_model) const {
  const double usual = kind().root_embeddings ? std::sqrt(static_cast<double>(d_model)) : 1.0;
  return draft().model->embedding_multiplier.value_or(usual);
}

ModelRun::ModelRun(Trace& trace, const ProblemFacts& problem, const Recipe& recipe, Numbers numbers,
                   KeepStep keeps)
    : trace_(trace),
      problem_(problem),
      recipe_(recipe),
      numbers_(numbers),
      keeps_(std::move(keeps)) {}

bool ModelRun::has(const std::string& tensor) const {
  return find(problem_.model->weights, tensor) != nullptr;
}

Tensor ModelRun::weight(const std::string& tensor, Index rows, Index cols, bool is_transposed) {
  const auto* found = find(problem_.model->weights, tensor);
  if (found == nullptr) {
    missing_.insert(tensor);
    return Tensor::outline({{}, {}, std::max<Index>(rows, 1), std::max<Index>(cols, 1)});
  }
  read_.insert(found->first);
  const ModelTensor* stored = &found->second;
  Shape shape = matrix_shape(stored->shape);
  if (is_transposed) std::swap(shape.rows, shape.cols);
  const bool fits = stored->shape.size() <= 2 && (rows == 0 || rows == shape.rows) &&
                    (cols == 0 || cols == shape.cols);
  if (!fits) {
    std::vector<Index> sizes{rows, cols};
    if (is_transposed) std::swap(sizes[0], sizes[1]);
    if (rows == 1 && !is_transposed) sizes = {cols};
    std::vector<std::string> texts;
    for (const Index size : sizes) texts.push_back(size == 0 ? "any" : std::to_string(size));
    complaints_.add("shape-mismatch", "/weights/" + tensor,
                    filled("{} should have the shape {}, but it has {}", tensor,
                           separated(texts, "×"), shape_text(stored->shape)),
                    kBelongTogether);
    return Tensor::outline({{}, {}, rows == 0 ? shape.rows : rows, cols == 0 ? shape.cols : cols});
  }
  if (is_transposed) turned_ = std::max(turned_, array_bytes(stored->shape));
  if (numbers_ == Numbers::None) return Tensor::outline(shape);
  const auto numbers = [&] {
    Tensor as_stored(matrix_shape(stored->shape), read(*found).data);
    return is_transposed ? transposed(as_stored) : as_stored;
  };
  return draft().held ? held(draft().held->matrices, {tensor, is_transposed}, numbers) : numbers();
}

bool ModelRun::has_some(const std::string& begin) const {
  const auto at = problem_.model->weights.lower_bound(begin);
  return at != problem_.model->weights.end() && at->first.starts_with(begin);
}

Tensor ModelRun::stacked_weight(const std::string& tensor, Index number, ExpertShape wanted) {
  const auto [rows, cols, first, step] = wanted;
  const auto* found = find(problem_.model->weights, tensor);
  if (found == nullptr) {
    missing_.insert(tensor);
    return Tensor::outline({{}, {}, rows, std::max<Index>(cols, 1)});
  }
  const auto& stored = *found;
  read_.insert(stored.first);
  const std::vector<Index>& sizes = stored.second.shape;
  const Index count = rows == 1 ? 2 : 3;  // a bias has one vector for each expert
  const bool fits = std::ssize(sizes) == count && number < sizes[0] && sizes.back() % step == 0 &&
                    (rows == 1 || sizes[1] == rows);
  if (!fits) {
    complaints_.add("shape-mismatch", "/weights/" + tensor,
                    filled("{} should have {} rows for each expert, but its shape is {}", tensor,
                           rows, shape_text(sizes)),
                    kBelongTogether);
    return Tensor::outline({{}, {}, rows, 1});
  }
  const Shape shape{{}, {}, rows, sizes.back() / step};
  if (numbers_ == Numbers::None) return Tensor::outline(shape);
  if (stacked_.first != tensor) stacked_ = {tensor, read(stored)};
  Tensor made = Tensor::unset(shape);
  for (Index r = 0; r < rows; ++r) {
    const Index begin = (number * rows + r) * sizes.back();
    for (Index c = 0; c < shape.cols; ++c)
      made.at({0, 0, r, c}) =
          stacked_.second.data[static_cast<std::size_t>(begin + c * step + first)];
  }
  return made;
}

Array ModelRun::read(const ModelTensors::value_type& tensor) {
  Array array = tensor.second.read();
  array.shape = tensor.second.shape;
  Complaints complaints;
  check_array(array, "/weights/" + tensor.first, complaints);
  complaints.throw_all();
  return array;
}

bool ModelRun::norm_has_bias(const std::string& module) {
  norms_have_bias_ = norms_have_bias_ || has(module + ".bias");
  return norms_have_bias_;
}

bool ModelRun::layers_have_biases() {
  if (layers_have_biases_) return *layers_have_biases_;
  const auto biased = [&](const auto& each) {
    const std::string& name = each.first;
    const bool of_layer = ("." + name).find(".layers.") != name.npos;
    return of_layer && name.ends_with("bias");
  };
  const ModelTensors& all = problem_.model->weights;
  layers_have_biases_ = kind().biases_alike && std::any_of(all.begin(), all.end(), biased);
  return *layers_have_biases_;
}

AttentionWeights ModelRun::attention_weights(const std::string& scope) {
  const auto made = [&] {
    AttentionWeights weights{adopted_weights(scope), {}, {}, {}, {}};
    if (!is_complete(weights.others)) return weights;
    WeightArrays& arrays = weights.others.arrays;
    weights.o = projection(arrays, "o");
    if (is_latent(weights.others)) return weights;
    weights.q = projection(arrays, "q");
    weights.k = projection(arrays, "k");
    weights.v = projection(arrays, "v");
    return weights;
  };
  const bool holds = draft().held && numbers_ == Numbers::All;
  return holds ? held(draft().held->attentions, scope, made) : made();
}

AdoptedWeights ModelRun::adopted_weights(const std::string& scope) {
  const ModelTensors& all = problem_.model->weights;
  WeightArrays own;
  for (auto at = all.lower_bound(scope + "."); at != all.end(); ++at) {
    if (!at->first.starts_with(scope + ".")) break;
    const std::string name = at->first.substr(scope.size() + 1);
    if (!is_library_weight_name(name)) continue;
    read_.insert(at->first);
    own[name] = numbers_ == Numbers::None ? Array{at->second.shape, {}} : read(*at);
  }
  const HeadCounts heads{problem_.heads.value_or(1), problem_.kv_heads};
  AdoptedWeights adopted = adopt_weights(own, heads, complaints_, kind().family());
  const bool biased = kind().biases_alike ? layers_have_biases() : draft().model->attention_biases;
  for (const std::string& name : kind().lacking(own, is_complete(adopted), biased))
    missing_.insert(scope + "." + name);
  for (const char* part : {"bias_k", "bias_v"}) {
    if (!adopted.arrays.contains(part)) continue;
    complaints_.add(
        "not-supported", "/weights/" + scope + "." + part,
        filled("{}.{} is for one more key, which attn does not add in a whole model", scope, part),
        "Give the weights of this attention layer alone, without \"model\".");
  }
  return adopted;
}

const ModelCache::Keys* ModelRun::cached(const std::string& scope) const {
  if (!draft().cache) return nullptr;
  const auto at = draft().cache->attentions.find(scope);
  return at == draft().cache->attentions.end() ? nullptr : &at->second;
}

std::optional<Tensor> ModelRun::cached_memory() const {
  return draft().cache ? draft().cache->memory : std::nullopt;
}

Index ModelRun::count_layers(const std::string& stack) {
  std::map<Index, std::set<std::string>> layers;  // the names of each layer, without its number
  std::set<std::string> all;
  const std::string prefix = stack + ".";
  stacks_.insert(prefix);
  for (const auto& [name, tensor] : problem_.model->weights) {
    if (!name.starts_with(prefix)) continue;
    const std::size_t dot = name.find('.', prefix.size());
    const std::string number = name.substr(prefix.size(), dot - prefix.size());
    if (dot == name.npos || number.empty() || number.size() > 6) continue;
    if (number.find_first_not_of("0123456789") != number.npos) continue;
    layers[std::stoi(number)].insert(name.substr(dot + 1));
    all.insert(name.substr(dot + 1));
  }
  const Index n = layers.empty() ? 1 : layers.rbegin()->first + 1;
  if (n > 1 && n != std::ssize(layers)) {
    Index gap = 0;
    while (layers.contains(gap)) ++gap;
    throw input_error({.id = "missing-key",
                       .what = filled("the weights have layer {}{}, but no layer {}{}", prefix,
                                      n - 1, prefix, gap),
                       .places = {{.pointer = "/weights"}},
                       .fix = "Check that the file is complete."});
  }
  for (Index i = 0; i < n; ++i) {  // what one layer has, all have
    for (const std::string& name : all) {
      if (kind().router != nullptr && name.starts_with("mlp.")) continue;  // some have experts
      const bool bare = kind().bare_first && i == 0 && name.starts_with(kind().module("norm1"));
      if (!layers[i].contains(name) && !bare && name != kind().first_has)
        uneven_.push_back({prefix, std::to_string(i), name});
    }
  }
  return n;
}

void ModelRun::note_once(const std::vector<std::string>& notes, const std::string& scope) {
  for (const std::string& note : notes) {
    if (noted_.insert(note).second)
      trace_.notes.push_back(scope.empty() ? note : scope + ": " + note);
  }
}

void ModelRun::forget(std::size_t first_step, std::size_t first_given) {
  if (!keeps_ || numbers_ == Numbers::None) return;
  const auto drop = [&](StepList& steps, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (!keeps_(steps[i].id)) steps[i].value = Tensor::outline(steps[i].value.shape());
    }
  };
  drop(trace_.steps, first_step, trace_.steps.size() - 1);
  drop(trace_.givens, first_given, trace_.givens.size());
}

/// Of what comes before the embeddings, or of an encoder whose output is known; or a second copy.
bool ModelRun::is_beside(const std::string& name) const {
  const bool before = *kind().not_computed != '\0' && name.starts_with(kind().not_computed);
  const bool encodes = cached_memory() && name.starts_with("encoder.");
  const bool copied = has("shared.weight") || has("decoder.embed_tokens.weight");
  return before || encodes ||
         (copied && name.ends_with("coder.embed_tokens.weight") && !read_.contains(name));
}

void ModelRun::refuse_unread() const {
  std::vector<std::string> unread;
  for (const auto& tensor : problem_.model->weights) {
    const std::string& name = tensor.first;
    const bool of_layer =
        kind().plan == ModelPlan::Part ||
        std::any_of(stacks_.begin(), stacks_.end(),
                    [&](const std::string& stack) { return name.starts_with(stack); });
    if (is_beside(name)) continue;
    const bool of_head =
        (!kind().reads_ids() &&
         !is_of_attention_alone(name)) ||  // all else is of the module that the model is part of
        std::any_of(std::begin(kHeads), std::end(kHeads),
                    [&](std::string_view head) { return name.starts_with(head); });
    if ((of_layer || !of_head) && !read_.contains(name)) unread.push_back(name);
  }
  if (unread.empty()) return;
  throw input_error(
      {.id = "not-supported",
       .what = filled("the weights have {} that {} does not: {}",
                      counted(std::ssize(unread), "tensor"), kind().what, listed(unread)),
       .places = {{.pointer = "/weights"}},
       .fix = "Check the kind of the model: with these tensors it computes something else."});
}

void ModelRun::check() const {
  std::set<std::string> missing = missing_;
  for (const UnevenName& each : uneven_) {  // but for tensors that no layer reads
    const bool is_read = std::any_of(read_.begin(), read_.end(), [&](const std::string& name) {
      return name.starts_with(each.stack) && name.ends_with("." + each.name);
    });
    if (is_read) missing.insert(each.stack + each.layer + "." + each.name);
  }
  if (!missing.empty()) {
    const std::vector<std::string> names(missing.begin(), missing.end());
    throw input_error({.id = "missing-key",
                       .what = filled("{} needs {} that the weights do not have: {}", kind().what,
                                      counted(std::ssize(names), "tensor"), listed(names, 40)),
                       .places = {{.pointer = "/weights"}},
                       .fix = "Check the kind of the model, and that the file is complete."});
  }
  complaints_.throw_all();
}

}  // namespace attn
