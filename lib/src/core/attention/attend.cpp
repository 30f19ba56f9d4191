// Computes a problem: its inputs, its attention, and notes on its numbers.
#include "attn/attend.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "attn/error.hpp"
#include "attn/gradient.hpp"
#include "attn/inside.hpp"
#include "core/attention/attention_steps.hpp"
#include "core/attention/model_run.hpp"
#include "core/attention/number_notes.hpp"
#include "core/attention/recorder.hpp"
#include "core/attention/scope.hpp"
#include "core/operations/operations.hpp"

namespace attn {
namespace {

/// Every step, in the order of the computation.
void record_all(Recorder& record, const ProblemFacts& p) {
  const std::string output = record_attention(record, p, record_inputs(record, p));
  if (p.target)
    record("mean_squared_error", ops::squared_error, {output, record.input("target", *p.target)});
  if (!p.prediction) return;
  record_prediction(record, p.prediction->labels,
                    record_logits(record, *p.prediction->to_words, output), p.dtype);
}

/// Whether a step can exist one block of rows at a time: T_q × T_k numbers, probabilities of words.
bool exists_by_rows(const Step& step) {
  return (step.info().is_pairwise() || step.info().role == StepRole::Probabilities) &&
         step.operation->write_rows != nullptr;
}

/// Whether it is a table of positions, which every trace makes from the settings.
bool is_position_table(const Step& step) {
  const std::string_view rows = step.info().row_axis;
  return step.is_given() && (rows == "bucket" || rows == "position");
}

/// Whether a step has the numbers of another one, or of the problem: a copy, a mask, a bias; what
/// is given, except the weights of a model, if it need not be rounded.
bool shares_numbers(const Step& step, const Trace& trace, Dtype dtype) {
  const StepRole role = step.info().role;
  if (!step.is_given()) return step.operation->copies;
  if (is_position_table(step)) return false;
  return role == StepRole::Mask || role == StepRole::Bias || role == StepRole::KeptQueries ||
         (dtype == Dtype::Float64 && (!trace.is_model() || role != StepRole::Plain));
}

/// How many bytes the steps of a trace take at most: those that are kept, and in a model the others
/// of the largest layer with what the layer before it made. Those that only the next step needs
/// exist by rows, except `whole` ones.
double bytes_of(const Trace& trace, Dtype dtype, const KeepStep& keeps, const KeepStep& whole) {
  struct Layer {
    double all = 0.0, last = 0.0;
  };
  double kept = 0.0;
  std::map<std::pair<std::string, Index>, Layer> layers;
  const auto may_pass = [](const Step& step) {
    return step.is_given() || !step.info().is_pairwise() || exists_by_rows(step);
  };
  const bool by_rows = std::all_of(trace.steps.begin(), trace.steps.end(), may_pass);
  for (const auto* part : {&trace.givens, &trace.steps}) {
    for (const Step& step : *part) {
      const bool passing = keeps && !keeps(step.id);
      if (passing && step.operation == &ops::head_product) continue;  // made only to be kept
      if (shares_numbers(step, trace, dtype) ||
          (passing && by_rows && exists_by_rows(step) && !whole(step.id)))
        continue;
      const double bytes = array_bytes(step.value.shape().sizes());
      const ModelPlace place = place_of(*step.scope);
      if (passing && place.layer) {
        Layer& layer = layers[{place.stack, *place.layer}];
        layer.all += bytes;
        layer.last = bytes;
      } else {
        kept += bytes;
      }
    }
  }
  double largest = 0.0, before = 0.0;
  for (const auto& [place, layer] : layers) {
    largest = std::max(largest, before + layer.all);
    before = layer.last;
  }
  return kept + largest;
}

/// How many bytes the givens of a single attention take: in float64 `bytes_of` leaves them out.
double given_bytes(const Trace& trace) {
  double bytes = 0.0;
  for (const auto* part : {&trace.steps, &trace.givens}) {
    for (const Step& step : *part) {
      if (step.is_given() && !trace.is_model() && !is_position_table(step))
        bytes += array_bytes(step.value.shape().sizes());
    }
  }
  return bytes;
}

/// The trace with shapes alone, and how many bytes are needed besides while it is made.
struct Outline {
  Trace shapes;
  double passing = 0.0;
};

/// Throws if the weights of a model are not what it needs.
Outline outline_of(const ProblemFacts& p, const Recipe& recipe) {
  Outline made;
  Trace& shapes = made.shapes;
  if (p.model) {
    ModelRun run(shapes, p, recipe, Numbers::None, {});
    try {
      run_model(run);
    } catch (const Error&) {  // perhaps only because a weight does not fit
      run.check();
      throw;
    }
    run.check();
    run.refuse_unread();
    made.passing = run.turned();
  } else {
    const auto scope = std::make_shared<Scope>(scope_of(p));
    Recorder record(shapes, scope, recipe, Numbers::None);
    record_all(record, p);
    settle(*scope, shapes);
  }
  return made;
}

const char* largest_part(const ProblemFacts& p) {
  return p.model ? "/weights" : p.x ? "/embeddings" : "/q";
}

/// Throws if problem and trace do not fit into memory.
void check_room(const ProblemFacts& p, const Outline& outline, const KeepStep& keeps,
                bool all_stay) {
  const KeepStep whole = kept_until_noted(p, keeps);
  const double steps = outline.passing + bytes_of(outline.shapes, p.dtype, keeps, whole);
  check_memory({p.bytes, steps, all_stay}, p.max_memory, {{.pointer = largest_part(p)}});
}

void drop_numbers(Trace& trace, const KeepStep& keeps) {
  if (!keeps) return;
  for (auto* part : {&trace.steps, &trace.givens}) {
    for (Step& step : *part) {
      if (!keeps(step.id)) step.value = Tensor::outline(step.value.shape());
    }
  }
}

Trace computed(const ProblemFacts& p, const Recipe& recipe, const KeepStep& keeps) {
  Trace trace;
  trace.title = p.title;
  trace.description = p.description;
  trace.notes = p.notes;
  if (p.model) {
    trace.model = p.model->kind->name;
    ModelRun run(trace, p, recipe, Numbers::All, keeps);
    run_model(run);
    if (p.empty_row != EmptyRow::Nan) note_overflow(trace, p);
    return trace;
  }
  const auto scope = std::make_shared<Scope>(scope_of(p));
  Recorder record(trace, scope, recipe, Numbers::All, kept_until_noted(p, keeps));
  record_all(record, p);
  settle(*scope, trace);
  note_attention(trace, *scope, p);
  note_overflow(trace, p);
  drop_numbers(trace, keeps);
  return trace;
}

}  // namespace

Trace attend(const Problem& problem, const Recipe& recipe, const KeepStep& keeps) {
  check_room(*problem, outline_of(*problem, recipe), keeps, !keeps);  // throws if it does not fit
  return computed(*problem, recipe, keeps);
}

Tensor attend_output(const Problem& problem) {
  const std::string last = problem->model ? outline(problem).steps.back().id : "output";
  return attend(problem, {}, [&](const std::string& id) { return id == last; }).value(last);
}

/// `add` adds steps to the trace, if they fit: to their shapes first.
template <typename Add>
void add_within(double max_memory, Trace& trace, const Add& add) {
  Trace shapes = trace;
  drop_numbers(shapes, [](const std::string&) { return false; });
  add(shapes);
  check_memory({given_bytes(trace), bytes_of(shapes, trace.settings().dtype, {}, {})}, max_memory,
               {});
  add(trace);
}

void add_gradients_within(double max_memory, Trace& trace, const GradientChoice& choice) {
  add_within(max_memory, trace, [&](Trace& each) { add_gradients(each, choice); });
}

void add_inside_within(double max_memory, Trace& trace, const InsideChoice& choice) {
  if (!choice.any()) return;
  add_within(max_memory, trace, [&](Trace& each) { add_inside(each, choice); });
}

Trace attend_and_back(const Problem& problem, const Recipe& recipe, const GradientChoice& choice) {
  Outline outline = outline_of(*problem, recipe);
  add_gradients(outline.shapes, choice);
  check_room(*problem, outline, {}, false);  // gradients need every step
  Trace trace = computed(*problem, recipe, {});
  add_gradients(trace, choice);
  return trace;
}

Trace attend_inside(const Problem& problem, const Recipe& recipe, const KeepStep& keeps,
                    const InsideChoice& choice) {
  Outline outline = outline_of(*problem, recipe);
  const std::size_t own = outline.shapes.steps.size();
  add_inside(outline.shapes, choice);
  std::set<std::string> needed;
  for (std::size_t i = own; i < outline.shapes.steps.size(); ++i) {
    const std::vector<std::string>& inputs = outline.shapes.steps[i].inputs;
    needed.insert(inputs.begin(), inputs.end());
  }
  const KeepStep kept = [&](const std::string& id) {
    return !keeps || keeps(id) || needed.contains(id);
  };
  check_room(*problem, outline, keeps ? kept : keeps, !keeps);
  Trace trace = computed(*problem, recipe, keeps ? kept : keeps);
  add_inside(trace, choice, keeps);
  return trace;
}

Trace outline(const Problem& problem, const Recipe& recipe) {
  return outline_of(*problem, recipe).shapes;
}

}  // namespace attn
