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
#include "core/attention/layer_stack.hpp"
#include "core/operations/operations.hpp"

namespace attn {
namespace {

/// The row or column that a text names: one of the names, its index, or both as they are printed,
/// "4:cat".
Index named_place(const std::vector<std::string>& names, const std::string& text, Index count,
                  const char* id, const std::string& what) {
  const auto first = std::find(names.begin(), names.end(), text);
  if (first != names.end() && std::find(first + 1, names.end(), text) == names.end())
    return first - names.begin();
  Index index = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), index);
  const std::string rest(end, text.data() + text.size());
  if (failed == std::errc() && index >= 0 && index < count) {
    const auto at = static_cast<std::size_t>(index);
    if (rest.empty() || (at < names.size() && rest == ":" + names[at])) return index;
  }
  const bool several = first != names.end();
  throw Error(ErrorKind::Usage,
              {{.id = id,
                .what = several ? filled("there are several {}s \"{}\"", what, text)
                                : filled("there is no {} \"{}\": there are {}", what, text, count),
                .fix = filled("Write its index, 0 to {}{}.", count - 1,
                              several || names.empty() ? "" : ", or its text")}});
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
    const std::vector<std::string> inputs = trace_.at(linear).inputs;
    begin_scope("parts", *facts);
    const std::string first =
        record("word_direction", ops::word_directions, {inputs[1]}, direction_parameters(linear));
    visit(inputs[0], first);
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

  /// `id` is a summand of the residual, or something that is one after linear steps.
  void visit(const std::string& id, const std::string& direction) {
    const Step& step = trace_.at(id);
    const std::vector<std::string> inputs = step.inputs;  // recording moves the steps
    const Operation* operation = step.operation;
    const bool of_head = !place_of(*step.scope).layer;
    const bool attends = trace_.last_of(StepRole::Weights, *step.scope) != nullptr;
    if (operation->copies) {
      visit(inputs[0], direction);
    } else if (operation == &ops::add) {
      for (const std::string& each : inputs) visit(each, direction);
    } else if (operation == &ops::scale) {
      visit(inputs[0], record("word_direction", ops::scale, {direction}, step.parameters));
    } else if (operation == &ops::rms_norm || operation == &ops::layer_norm) {
      Parameters parameters{{"row", row_},
                            {"epsilon", step.parameters.number("epsilon")},
                            {"centred", operation == &ops::layer_norm}};
      visit(inputs[0], record("word_direction", ops::norm_direction,
                              {direction, inputs[0], inputs[1]}, std::move(parameters)));
      if (inputs.size() > 2) add_bias(inputs[2], direction);
    } else if (operation == &ops::linear && attends) {
      add_heads(step, direction);
      if (inputs.size() > 2) add_bias(inputs[2], direction);
    } else if (operation == &ops::linear && of_head) {
      const bool turned = step.parameters.find("transposed") != nullptr;
      visit(inputs[0], record("word_direction", ops::linear, {direction, inputs[1]},
                              turned ? Parameters() : Parameters{{"transposed", true}}));
      if (inputs.size() > 2) add_bias(inputs[2], direction);
    } else if (is_bent(*operation) && of_head) {
      visit(inputs[0], record("word_direction", ops::frozen_factor, {direction, inputs[0], id},
                              {{"row", row_}}));
    } else {
      parts_.push_back({id, false, direction, {id}});
    }
  }

  static bool is_bent(const Operation& operation) {
    return &operation == &ops::relu || &operation == &ops::gelu || &operation == &ops::gelu_tanh ||
           &operation == &ops::silu;
  }

  void add_bias(const std::string& id, const std::string& direction) {
    parts_.push_back({id, true, direction, {id}});
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

  /// Names the rows of both scopes.
  void set_labels(const std::string& bias) {
    for (const Part& part : parts_)
      labels_.insert(labels_.end(), part.labels.begin(), part.labels.end());
    set_rows(*scope_);
    if (!bias.empty()) labels_.push_back(bias);
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
    scope.query_tokens = scope.key_tokens = {labels_};
    scope.settings.n_queries = scope.settings.n_keys = std::ssize(labels_);
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
  std::vector<std::string> labels_ = {};
  std::shared_ptr<Scope> scope_ = nullptr;
};

}  // namespace

void add_contributions(Trace& trace, const ContributionChoice& choice) {
  const std::string known = "logit.contribution_sum";
  if (trace.find(known) != nullptr) {
    throw Error(ErrorKind::Usage, {{.id = "already-computed",
                                    .what = "the trace has contributions already",
                                    .fix = "Leave the option out, or give the problem."}});
  }
  const LayerStack stack = layer_stack(trace, "attribution to a logit");
  const auto is_logits = [&](const std::string& id) {
    return trace.at(id).info().role == StepRole::Logits;
  };
  const Step& logits = trace.at(*std::find_if(stack.head.begin(), stack.head.end(), is_logits));
  const Scope& scope = *logits.scope;
  std::vector<Index> ids;
  for (const std::string& word : choice.words)
    ids.push_back(
        named_place(scope.vocabulary, word, logits.value.cols(), "no-such-column", "word"));
  const Index rows = logits.value.rows();
  const Index row = choice.at.empty() ? rows - 1
                                      : named_place(scope.query_tokens.front(), choice.at, rows,
                                                    "no-such-query", "token");
  Attribution(trace, row, std::move(ids)).run(logits);
}

}  // namespace attn
