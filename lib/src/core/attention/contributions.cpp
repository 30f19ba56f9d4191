// Direct logit attribution: what each head and layer adds to the logit of a word.
// Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits": with the size of each
// normed row frozen, a logit is a sum over everything that was added to the residual.
#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>
#include <vector>

#include "attn/error.hpp"
#include "attn/inside.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/attention/layer_stack.hpp"
#include "core/operations/operations.hpp"

namespace attn {
namespace {

constexpr const char* kAttribution = "attribution to a logit";
constexpr std::size_t kMostStacked = 1 << 12;

Error too_many_parts() {
  return {ErrorKind::Input,
          {{.id = "too-large",
            .what = filled("more than {} parts add up to the logit", kMostStacked),
            .fix = "Does the trace add a step to itself, again and again?"}}};
}

/// The row or column that a text names: one of the names, its index, or both as they are printed,
/// "4:cat".
Index named_place(const std::vector<std::string>& names, const std::string& text, Index count,
                  const std::string& axis, const std::string& what) {
  const auto first = std::find(names.begin(), names.end(), text);
  if (first != names.end() && std::find(first + 1, names.end(), text) == names.end())
    return first - names.begin();
  const std::size_t begin = text.find_first_not_of(' ');
  if (first == names.end() && begin != text.npos && (begin > 0 || text.back() == ' ')) {
    const std::string bare = text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
    return named_place(names, bare, count, axis, what);  // "owl, key"
  }
  Index index = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), index);
  const std::string rest(end, text.data() + text.size());
  if (failed == std::errc() && index >= 0 && index < count) {
    const auto at = static_cast<std::size_t>(index);
    if (rest.empty() || (at < names.size() && rest == ":" + names[at])) return index;
  }
  std::string where;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) where += (where.empty() ? "" : ", ") + std::to_string(i);
  }
  if (!where.empty())
    throw Error(ErrorKind::Usage,
                {{.id = "ambiguous-" + axis,
                  .what = filled("the {} \"{}\" occurs more than once", what, text),
                  .fix = filled("Name it by its index: {}.", where)}});
  throw Error(ErrorKind::Usage, {{.id = "no-such-" + axis,
                                  .what = filled("there is no {} \"{}\" among the {}{}", what, text,
                                                 count, did_you_mean(text, names)),
                                  .fix = filled("Write its index, 0 to {}{}.", count - 1,
                                                names.empty() ? "" : ", or its text")}});
}

/// Walks from a logit back to all that was added up, and records how the direction in which the
/// logit grows changes on the way.
class Attribution {
 public:
  Attribution(Trace& trace, Index row, std::vector<Index> ids)
      : trace_(trace), row_(row), ids_(std::move(ids)) {}

  void run(const Step& logits) {
    const std::shared_ptr<const Scope> facts = logits.scope;  // recording moves the steps
    const auto changes = changes_of(logits);
    const std::string linear = changes.empty() ? logits.id : trace_.at(changes.back()).inputs[0];
    if (trace_.at(linear).operation != &ops::linear)
      throw needs_model(kAttribution, "one makes no logits with a linear layer");
    const std::vector<std::string> inputs = trace_.at(linear).inputs;
    begin_scope("parts", *facts);
    const std::string first =
        record("word_direction", ops::word_directions, {inputs[1]}, direction_parameters(linear));
    walk_back({inputs[0], first});
    const std::string rows = stack();
    set_labels(inputs.size() > 2 ? inputs[2] : "");
    begin_scope("logit", *facts);
    add_up(rows, inputs.size() > 2 ? inputs[2] : "", changes);
  }

 private:
  struct Part {
    std::string id;  ///< of a step, one row of which counts, or all rows
    bool whole;
    std::string direction;
    std::vector<std::string> labels;
    TokenLists by_entry = {};  ///< the labels in each batch entry, if they differ
  };

  /// What scales or caps logits, the last first; before them, a linear layer makes them.
  std::vector<std::string> changes_of(const Step& logits) const {
    std::vector<std::string> changes;
    const Step* step = &logits;
    for (; step->operation == &ops::scale || step->operation == &ops::softcap;
         step = &trace_.input(*step, 0))
      changes.push_back(step->id);
    return changes;
  }

  Parameters direction_parameters(const std::string& linear) const {
    Parameters parameters{{"ids", ids_}};
    const auto* tied = trace_.at(linear).parameters.find("transposed");
    if (tied != nullptr) parameters.set("transposed", *tied);
    return parameters;
  }

  /// A summand of the residual, or something that is one after linear steps; or a bias.
  struct Summand {
    std::string id;
    std::string direction;
    bool is_bias = false;
  };

  /// Finds the parts of a sum, and of its summands. Without recursion: a trace from a file may have
  /// as many sums as it likes, and each may name another one twice.
  void walk_back(Summand whole) {
    std::vector<Summand> left{std::move(whole)};
    while (!left.empty()) {
      const Summand next = std::move(left.back());
      left.pop_back();
      if (parts_.size() > kMostStacked) throw too_many_parts();
      if (next.is_bias) {
        parts_.push_back({next.id, true, next.direction, {next.id}});
        continue;
      }
      std::vector<Summand> found = summands_of(next);
      left.insert(left.end(), std::make_move_iterator(found.rbegin()),
                  std::make_move_iterator(found.rend()));
    }
  }

  /// What the step is the sum of, in order; nothing if it is a part, which is recorded.
  std::vector<Summand> summands_of(const Summand& sum) {
    const Step& step = trace_.at(sum.id);
    const std::vector<std::string> inputs = step.inputs;  // recording moves the steps
    const Operation* operation = step.operation;
    const bool of_head = !place_of(*step.scope).layer;
    const bool is_norm = operation == &ops::rms_norm || operation == &ops::layer_norm;
    std::vector<Summand> found;
    if (operation->copies) {
      found.push_back({inputs[0], sum.direction});
    } else if (operation == &ops::add) {
      for (const std::string& each : inputs) found.push_back({each, sum.direction});
    } else if (operation == &ops::scale) {
      found.push_back(
          {inputs[0], record("word_direction", ops::scale, {sum.direction}, step.parameters)});
    } else if (is_norm && inputs.size() > 1) {
      Parameters parameters{{"row", row_},
                            {"epsilon", step.parameters.number("epsilon")},
                            {"centred", operation == &ops::layer_norm}};
      found.push_back(
          {inputs[0], record("word_direction", ops::norm_direction,
                             {sum.direction, inputs[0], inputs[1]}, std::move(parameters))});
    } else if (operation == &ops::linear &&
               trace_.last_of(StepRole::Weights, *step.scope) != nullptr) {
      add_heads(step, sum.direction);
    } else if (operation == &ops::mix_experts &&
               trace_.input(step, 0).operation == &ops::choose_experts) {
      add_experts(step, sum.direction);
    } else if (operation == &ops::linear && of_head) {
      const bool turned = step.parameters.find("transposed") != nullptr;
      found.push_back(
          {inputs[0], record("word_direction", ops::linear, {sum.direction, inputs[1]},
                             turned ? Parameters() : Parameters{{"transposed", true}})});
    } else if (is_bent(*operation) && of_head) {
      found.push_back({inputs[0], record("word_direction", ops::frozen_factor,
                                         {sum.direction, inputs[0], sum.id}, {{"row", row_}})});
    } else {
      parts_.push_back({sum.id, false, sum.direction, {sum.id}});
      return found;
    }
    const bool has_bias = (is_norm || operation == &ops::linear) && inputs.size() > 2;
    if (has_bias) found.push_back({inputs[2], sum.direction, true});
    return found;
  }

  static bool is_bent(const Operation& operation) {
    return &operation == &ops::relu || &operation == &ops::gelu || &operation == &ops::gelu_tanh ||
           &operation == &ops::silu;
  }

  void add_heads(const Step& output, const std::string& direction) {
    const Settings& settings = output.scope->settings;
    const std::string scope = output.scope->name;
    const Index heads = settings.has_heads ? settings.heads : 1;
    Part part{"", true, direction, {}};
    for (Index head = 0; head < heads; ++head)
      part.labels.push_back(filled("{}.head{}", scope, head));
    part.id = record(scope + ".head_parts", ops::write_heads, {output.inputs[0], output.inputs[1]},
                     {{"heads", heads}, {"row", row_}});
    parts_.push_back(std::move(part));
  }

  /// A part for each expert that the row chose.
  void add_experts(const Step& mixture, const std::string& direction) {
    const std::string before = mixture.id.substr(0, mixture.id.rfind('.') + 1);
    const Step& weights = trace_.input(mixture, 0);
    const Index count = weights.parameters.count("top_k");
    Part part{"", true, direction, {}};
    for (Index b = 0; b < weights.value.batch(); ++b) {
      std::vector<std::string>& labels = part.by_entry.emplace_back();
      for (Index e = 0; !weights.is_outline() && e < weights.value.cols(); ++e) {
        if (weights.value.at({b, 0, row_, e}) != 0.0)
          labels.push_back(filled("{}expert.{}", before, e));
      }
      labels.resize(static_cast<std::size_t>(count), before + "no_expert");
    }
    part.labels = part.by_entry.front();
    part.id = record(before + "expert_parts", ops::write_experts, mixture.inputs,
                     {{"row", row_}, {"count", count}});
    parts_.push_back(std::move(part));
  }

  std::string stack() {
    std::vector<std::string> inputs;
    std::vector<Index> whole;
    for (const Part& part : parts_) {
      if (part.whole) whole.push_back(std::ssize(inputs));
      inputs.push_back(part.id);
    }
    return record("row_parts", ops::stack_rows, std::move(inputs),
                  {{"row", row_}, {"whole", std::move(whole)}});
  }

  /// Names the rows of both scopes, in each batch entry if it has chosen other experts.
  void set_labels(const std::string& bias) {
    for (const Part& part : parts_) labels_.resize(std::max(labels_.size(), part.by_entry.size()));
    for (std::size_t b = 0; b < labels_.size(); ++b) {
      for (const Part& part : parts_) {
        const auto& own = b < part.by_entry.size() ? part.by_entry[b] : part.labels;
        labels_[b].insert(labels_[b].end(), own.begin(), own.end());
      }
    }
    set_rows(*scope_);
    for (auto& labels : labels_) {
      if (!bias.empty()) labels.push_back(bias);
    }
  }

  void add_up(const std::string& rows, const std::string& bias,
              const std::vector<std::string>& changes) {
    std::vector<std::string> inputs{rows};
    std::vector<Index> directions;
    for (const Part& part : parts_) {
      const auto at = std::find(inputs.begin() + 1, inputs.end(), part.direction);
      const Index number = at - inputs.begin() - 1;
      if (at == inputs.end()) inputs.push_back(part.direction);
      directions.insert(directions.end(), part.labels.size(), number);
    }
    if (!bias.empty()) inputs.push_back(bias);
    std::size_t left = changes.size();
    const auto word = [&] { return left-- == 0 ? "contributions" : "raw_contributions"; };
    std::string made =
        record(word(), ops::contributions, std::move(inputs),
               {{"directions", std::move(directions)}, {"ids", ids_}, {"bias", !bias.empty()}});
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
      const Step& step = trace_.at(*change);
      if (step.operation == &ops::scale) {
        made = record(word(), ops::scale, {made}, step.parameters);
      } else {
        made = record(word(), ops::frozen_factor, {made, step.inputs[0], *change},
                      {{"row", row_}, {"ids", ids_}});
      }
    }
    const Tensor& all = trace_.value(made);
    record("contribution_sum", ops::add_columns, {made}, {},
           {all.shape().batch, {}, 1, all.cols()});
  }

  void begin_scope(const char* name, const Scope& facts) {
    auto scope = std::make_shared<Scope>(facts);
    scope->name = name;
    scope->visibility = nullptr;
    set_rows(*scope);
    const std::vector<std::string> words = std::exchange(scope->vocabulary, {});
    for (const Index id : ids_)
      scope->vocabulary.push_back(words.empty() ? "v" + std::to_string(id)
                                                : words[static_cast<std::size_t>(id)]);
    scope_ = scope;
    trace_.scopes.push_back(scope_);
  }

  /// The rows are parts, not tokens.
  void set_rows(Scope& scope) const {
    scope.query_tokens = scope.key_tokens = labels_;
    scope.settings.n_queries = scope.settings.n_keys = std::ssize(labels_.front());
  }

  /// A word that is taken gets a number.
  std::string record(const std::string& word, const Operation& operation,
                     std::vector<std::string> inputs, Parameters parameters,
                     const Shape& shape = {}) {
    const std::string plain = scope_->name + "." + word;
    std::string id = plain;
    for (int n = 1; trace_.find(id) != nullptr; ++n) id = plain + std::to_string(n);
    return append_step(
        trace_, {id, &operation, std::move(parameters), std::move(inputs), scope_, nullptr, {}},
        shape);
  }

  Trace& trace_;
  Index row_;
  std::vector<Index> ids_;
  std::vector<Part> parts_ = {};
  TokenLists labels_ = TokenLists(1);  ///< one for all batch entries, or one for each
  std::shared_ptr<Scope> scope_ = nullptr;
};

}  // namespace

void add_contributions(Trace& trace, const ContributionChoice& choice) {
  const std::string known = "logit.contribution_sum";
  if (trace.find(known) != nullptr) {
    throw Error(ErrorKind::Usage,
                {{.id = "already-computed",
                  .what = "the trace has contributions already",
                  .fix = "Look at the step logit.contributions, or give the problem."}});
  }
  const LayerStack stack = layer_stack(trace, kAttribution);
  const auto is_logits = [&](const std::string& id) {
    return trace.at(id).info().role == StepRole::Logits;
  };
  const auto found = std::find_if(stack.head.begin(), stack.head.end(), is_logits);
  if (found == stack.head.end()) throw needs_model(kAttribution, "one has no logits");
  const Step& logits = trace.at(*found);
  const Scope& scope = *logits.scope;
  std::vector<Index> ids;
  for (const std::string& word : choice.words)
    ids.push_back(named_place(scope.vocabulary, word, logits.value.cols(), "column", "word"));
  for (auto at = ids.begin(); at != ids.end(); ++at) {
    if (std::find(ids.begin(), at, *at) == at) continue;
    const std::string& word = choice.words[static_cast<std::size_t>(at - ids.begin())];
    throw Error(ErrorKind::Usage, {{.id = "word-twice",
                                    .what = filled("the word \"{}\" is named twice", word),
                                    .fix = "Name each word once."}});
  }
  const Index rows = logits.value.rows();
  const Index row = choice.at.empty() ? rows - 1
                                      : named_place(scope.query_tokens.front(), choice.at, rows,
                                                    "query", "token");
  Attribution(trace, row, std::move(ids)).run(logits);
}

}  // namespace attn
