// Gradients: the steps walked in reverse, each passing its gradient on to its inputs.
#include "attn/gradient.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "core/attention/gradient_steps.hpp"
#include "core/attention/recorder.hpp"
#include "core/operations/operations.hpp"
#include "core/tensor/dtype.hpp"
#include "core/trace/missing_step.hpp"

namespace attn {
namespace {

/// A step, and how the loss changes with it.
struct GradientSource {
  std::string id;
  Tensor gradient;
  std::string note;  ///< what the loss is
};

Error unclear(std::string what, std::string fix, std::vector<Change> changes = {}) {
  return {ErrorKind::Usage,
          {{.id = "gradient-source",
            .what = std::move(what),
            .fix = std::move(fix),
            .changes = std::move(changes)}}};
}

bool has_logits(const Trace& trace) {
  return std::any_of(trace.steps.begin(), trace.steps.end(),
                     [](const Step& step) { return step.info().role == StepRole::Logits; });
}

GradientSource from_output(const Step& output, const GradientChoice& choice) {
  const std::optional<Array>& upstream = choice.upstream;
  const Shape& shape = output.value.shape();
  if (!upstream) {
    return {output.id, Tensor(shape, 1.0),
            "The loss L is the sum of all numbers of the output: its gradient is 1 everywhere."};
  }
  if (upstream->shape != shape.sizes()) {
    throw input_error({.id = "shape-mismatch",
                       .what = "the upstream gradient is " + shape_text(upstream->shape) +
                               ", but the output is " + shape_text(shape.sizes()),
                       .places = {{.file = choice.source}},
                       .rule = "A gradient has the shape of what it belongs to.",
                       .fix = "Give one number for each number of the output."});
  }
  return {output.id, Tensor(shape, upstream->data),
          "The loss L is not computed here: its gradient with respect to the output is given."};
}

/// The mean loss where there are labels, else the output; errors as in `add_gradients`.
GradientSource gradient_source(const Trace& trace, const GradientChoice& choice) {
  const auto gradient = std::find_if(trace.steps.begin(), trace.steps.end(), is_gradient);
  if (gradient != trace.steps.end()) throw already_computed("gradients", gradient->id);
  if (const Step* loss = trace.find("mean_squared_error")) {
    if (choice.upstream)
      throw unclear("this problem has a target, so the loss is mean_squared_error",
                    "Leave out the upstream gradient, or the target.");
    return {loss->id, Tensor(loss->value.shape(), 1.0), "The loss L is mean_squared_error."};
  }
  if (const Step* loss = trace.find("mean_loss")) {
    if (choice.upstream) {
      throw unclear("this problem has labels, so the loss is mean_loss",
                    "Leave out the upstream gradient, or the labels.");
    }
    return {loss->id, Tensor(loss->value.shape(), 1.0),
            "The loss L is mean_loss, over the labelled rows."};
  }
  const bool vanishes = trace.is_model() || has_logits(trace);
  if (vanishes && !choice.upstream) {
    throw unclear(filled("a gradient needs a loss, and {} has one only with labels",
                         trace.is_model() ? "a whole model" : "a problem with a vocabulary"),
                  "Give the right words as labels, or the gradient of the step \"output\".",
                  {{"labels", "1,2,3"}, {"upstream", "gradient.npy"}});
  }
  const Step* output = trace.find("output");
  if (output == nullptr) {
    throw input_error({.id = "no-gradient",
                       .what = "the computation breaks off before its output, so there is no loss",
                       .fix = "Take the gradient of attention without that mistake."});
  }
  return from_output(*output, choice);
}

/// The ids of what can change a loss: givens other than masks, and steps made from them.
std::set<std::string> ids_that_count(const Trace& trace) {
  std::set<std::string> ids;
  for (const Step* step : steps_and_givens(trace)) {
    const StepRole role = step->info().role;
    const bool given = step->is_given() && role != StepRole::Mask && role != StepRole::KeptQueries;
    bool counts = given;
    for (const std::string& input : step->inputs) counts = counts || ids.contains(input);
    if (counts) ids.insert(step->id);
  }
  return ids;
}

/// Which step is the first that is made from a given.
std::map<std::string, std::size_t> first_uses(const Trace& trace) {
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    for (const std::string& input : trace.steps[i].inputs) first.emplace(input, i);
  }
  return first;
}

Error no_gradient(const Step& step) {
  return input_error({.id = "no-gradient",
                      .what = step.id + " is made by " + step.operation->name +
                              ", which has no gradient: it is a known mistake",
                      .fix = "Take the gradient of attention without that mistake."});
}

class Walk {
 public:
  Walk(Trace& trace, bool parts, RecordShare record)
      : trace_(trace),
        parts_(parts),
        record_(std::move(record)),
        counts_(ids_that_count(trace)),
        first_use_(first_uses(trace)) {}

  /// Walks back from a step whose gradient is recorded already.
  void run(const std::string& from) {
    for (std::size_t i = trace_.steps.size(); i-- > 0;) {
      const std::string id = trace_.steps[i].id;
      if (shares_.contains(id)) add_up(id);
      if (shares_.contains(id) || id == from) pass_on(i);
      add_up_givens(i);
    }
  }

 private:
  /// Passes the gradient of a step on to its inputs, a share to each.
  void pass_on(std::size_t i) {
    const Step& step = trace_.steps[i];
    if (step.is_given()) return;
    std::vector<Shape> shapes;
    for (const Tensor* input : trace_.inputs(step)) shapes.push_back(input->shape());
    const std::string gradient = step.id + ".grad";
    std::vector<Share> shares;
    if (step.operation->backward != nullptr)
      shares = step.operation->backward({step.inputs, shapes, step.parameters, step.id, gradient});
    if (shares.empty()) throw no_gradient(step);
    const std::vector<std::string> inputs = step.inputs;  // recording moves the steps
    for (Share& share : shares) {
      const std::string& input = inputs[share.input];
      if (counts_.contains(input)) shares_[input].push_back(std::move(share));
    }
  }

  /// Records the gradients of givens that have all their shares once step `i`, the first that is
  /// made from them, has passed on its own, if it has any.
  void add_up_givens(std::size_t i) {
    const std::vector<std::string> inputs = trace_.steps[i].inputs;  // recording moves the steps
    for (const std::string& input : inputs) {
      if (shares_.contains(input) && trace_.at(input).is_no_step() && first_use_.at(input) == i)
        add_up(input);
    }
  }

  /// Records the gradient of an id: its only share, or the sum of all.
  void add_up(const std::string& id) {
    std::vector<Share>& own = shares_.at(id);
    std::vector<Share> shares(own.rbegin(), own.rend());  // in the order of the computation
    if (!parts_) shares = joined_products(std::move(shares));
    if (shares.size() == 1) {
      record(id, shares.front(), "");
      return;
    }
    std::vector<std::string> terms;
    int parts = 0;
    const auto record_part = [&](const Share& share) {
      terms.push_back(record(id, share, std::to_string(++parts)));
    };
    for (const Share& share : shares) {
      if (share.operation->copies) {
        terms.push_back(share.inputs.front());
      } else {
        record_part(share);
      }
      if (terms.size() == ops::add.shape_rule.most && &share != &shares.back())
        record_part({0, &ops::add, std::exchange(terms, {})});
    }
    record(id, {0, &ops::add, std::move(terms)}, "");
  }

  /// The shares, with products joined: as many as fit in one step.
  static std::vector<Share> joined_products(std::vector<Share> shares) {
    std::vector<Share> joined;
    std::size_t sum = shares.size();  // where the products are
    for (Share& share : shares) {
      const bool product = share.operation == &ops::add_products;
      if (product && sum < joined.size() &&
          joined[sum].inputs.size() < ops::add_products.shape_rule.most) {
        joined[sum].inputs.insert(joined[sum].inputs.end(), share.inputs.begin(),
                                  share.inputs.end());
        continue;
      }
      if (product) sum = joined.size();
      joined.push_back(std::move(share));
    }
    return joined;
  }

  /// Records the gradient of an id, or part number `part` of it; returns the step's id.
  std::string record(const std::string& of, Share share, const std::string& part) {
    record_(trace_.at(of), part, std::move(share));
    return of + ".grad" + part;
  }

  Trace& trace_;
  bool parts_;
  RecordShare record_;
  std::set<std::string> counts_;
  std::map<std::string, std::size_t> first_use_;
  std::map<std::string, std::vector<Share>> shares_ = {};
};

/// Records a share as it is.
RecordShare recorded_in(Trace& trace, Numbers numbers) {
  return [&trace, numbers](const Step& owner, const std::string& part, Share share) {
    Step step{owner.id + ".grad" + part,
              share.operation,
              std::move(share.parameters),
              std::move(share.inputs),
              owner.scope,
              nullptr,
              {}};
    step.meaning = find_step_info(step.id);
    const Shape shape = owner.value.shape();
    set_shape(trace, step, shape);
    if (step.value.shape() != shape)
      throw std::logic_error(step.id + " does not have the shape of " + owner.id);
    if (numbers == Numbers::All) set_numbers(trace, step);
    trace.steps.push_back(std::move(step));
  };
}

bool is_joined(const Step& step) {
  return step.operation == &ops::add_products && step.inputs.size() > 2;
}

/// Notes the first step, from step `first` on, that has a number that is not finite.
void note_endless(Trace& trace, std::size_t first) {
  const auto is_finite = [](double x) { return std::isfinite(x); };
  for (std::size_t i = first; i < trace.steps.size(); ++i) {
    const auto& numbers = trace.steps[i].value.stored();
    if (std::all_of(numbers.begin(), numbers.end(), is_finite)) continue;
    trace.notes.push_back("step " + trace.steps[i].id +
                          " has a number that is not finite (∞ or NaN): gradients that follow "
                          "from it are meaningless");
    return;
  }
}

}  // namespace

void add_gradients(Trace& trace, const GradientChoice& choice) {
  GradientSource source = gradient_source(trace, choice);
  const Step& from = trace.at(source.id);
  const bool shapes = from.is_outline();
  const std::string id = source.id + ".grad";
  const std::size_t first = trace.steps.size();
  trace.steps.push_back({id,
                         &ops::given,
                         {},
                         {},
                         from.scope,
                         find_step_info(id),
                         shapes ? Tensor::outline(source.gradient.shape())
                                : rounded(std::move(source.gradient), from.scope->settings.dtype)});
  trace.notes.push_back(std::move(source.note));
  Walk(trace, choice.parts, recorded_in(trace, shapes ? Numbers::None : Numbers::All))
      .run(source.id);
  note_endless(trace, first);
}

void repeat_gradients(Trace& made, const Trace& before, const RecordShare& record) {
  const auto first = std::find_if(before.steps.begin(), before.steps.end(), is_gradient);
  const bool parts = std::none_of(first, before.steps.end(), is_joined);
  Walk(made, parts, record).run(std::string(owner_of_gradient(first->id)));
}

}  // namespace attn
