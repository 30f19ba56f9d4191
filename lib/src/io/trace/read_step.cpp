// Reads keys by a table, checks axes and inputs, and reads which mask hides each cell.
#include "io/trace/read_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/trace/step_check.hpp"
#include "io/json/read_object.hpp"
#include "io/trace/step_parameters.hpp"

namespace attn {
namespace {

using json::Key;
using json::Value;
using Words = std::vector<std::string>;

/// The keys of a step that are read, apart from parameters and hidden_by; the others follow from
/// these.
struct Fields {
  std::string op;
  Words inputs, axes;
  std::vector<Index> shape;
  Array data;
};

constexpr Key<Fields> kFields[] = {
    {"op", [](const Value& v, Fields& f) { f.op = read_text(v); }, true},
    {"inputs", [](const Value& v, Fields& f) { f.inputs = read_texts_or_none(v); }, true},
    {"axes", [](const Value& v, Fields& f) { f.axes = read_texts(v); }, true},
    {"shape", [](const Value& v, Fields& f) { f.shape = read_counts(v, 1); }, true},
    {"data",
     [](const Value& v, Fields& f) {
       f.data = read_lists(v, {2, 4});
     },
     true},
};

Error wrong(const Value& object, const std::string& field, const std::string& id,
            const std::string& what, const std::string& fix = kRewrite) {
  return input_error(
      {.id = id, .what = what, .places = {{.pointer = object.pointer + field}}, .fix = fix});
}

/// The axes of a step: batch, head, both or neither, then those of its id.
Shape shape_of(const Value& object, const std::string& id, const Fields& f) {
  const StepInfo& info = *find_step_info(id);
  Words leading;
  Shape shape;
  if (f.shape != f.data.shape) {
    throw wrong(object, "/shape", "shape-mismatch",
                id + " is said to be " + shape_text(f.shape) + ", but its data is " +
                    shape_text(f.data.shape));
  }
  std::size_t next = 0;
  if (f.axes[next] == "batch") shape.batch = f.shape[next++];
  if (next < f.axes.size() && f.axes[next] == "head" && next < f.shape.size()) {
    shape.heads = f.shape[next++];
  }
  const bool known = f.axes.size() == next + 2 && f.axes[next] == info.row_axis &&
                     f.axes[next + 1] == info.col_axis;
  if (!known || f.shape.size() != f.axes.size()) {
    throw wrong(object, "/axes", "wrong-axes",
                std::string("expected the axes ") + info.row_axis + " and " + info.col_axis +
                    " for " + id +
                    ", after batch and head if it has them, and one size for each axis; found " +
                    counted(std::ssize(f.shape), "size") + " for " + listed(f.axes));
  }
  shape.rows = f.shape[next];
  shape.cols = f.shape[next + 1];
  return shape;
}

const Operation& operation_of(const Value& object, const std::string& name) {
  if (const Operation* row = find_operation(name)) return *row;
  throw wrong(object, "/op", "unknown-operation", "there is no operation \"" + name + "\"",
              "Use a newer attn for this trace.");
}

Step read(const Value& object, const std::string& id, const TraceInProgress& reading) {
  Fields fields;
  read_object(object, kFields, fields, json::Unknown::Ignored);
  const Shape shape = shape_of(object, id, fields);
  const Operation& operation = operation_of(object, fields.op);
  return {id,
          &operation,
          read_parameters(object, operation),
          std::move(fields.inputs),
          reading.scope_of(id),
          find_step_info(id),
          Tensor(shape, std::move(fields.data.data))};
}

/// Throws unless the step fits what the trace already holds.
void check(const Value& object, const Trace& trace, const Step& step) {
  std::optional<Diagnostic> found = misfit(trace, step);
  if (!found) return;
  for (Place& place : found->places) place.pointer = object.pointer + place.pointer;
  throw input_error(std::move(*found));
}

struct Hiders {
  Words names;
  Array data;
};

constexpr Key<Hiders> kHiderKeys[] = {
    {"names", [](const Value& v, Hiders& h) { h.names = read_texts(v); }, true},
    {"data",
     [](const Value& v, Hiders& h) {
       h.data = read_lists(v, {2, 4});
     },
     true},
};

/// Which mask hid each cell of the step `mask`: an index, −1 where the mask is 1.
Visibility read_hiders(const Value& value, const Step& mask) {
  Hiders hiders;
  read_object(value, kHiderKeys, hiders, json::Unknown::Ignored);
  constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max() - 1;
  const auto most = static_cast<double>(std::min(hiders.names.size(), kMost));
  if (hiders.data.shape != mask.value.shape().sizes()) {
    throw wrong(value, "/data", "shape-mismatch",
                "hidden_by is " + shape_text(hiders.data.shape) + ", but the mask is " +
                    shape_text(mask.value.shape().sizes()));
  }
  Visibility v{mask.value, {}, std::move(hiders.names)};
  for (std::size_t i = 0; i < hiders.data.data.size(); ++i) {
    const double index = hiders.data.data[i];
    const bool known = index >= 0.0 && index < most && index == std::floor(index);
    const bool hidden = mask.value.data()[i] == 0.0;
    if (hidden ? !known : index != -1.0) {
      throw wrong(value, "/data", "wrong-hider",
                  "hidden_by should have an index into names wherever the mask is 0, and -1 where "
                  "it is not");
    }
    v.hider.push_back(static_cast<std::uint16_t>(hidden ? index + 1.0 : 0.0));
  }
  return v;
}

}  // namespace

void TraceInProgress::add(const std::shared_ptr<Scope>& scope) {
  scopes.push_back(scope);
  named.emplace(scope->name, scope);
}

std::shared_ptr<Scope> TraceInProgress::scope_of(const std::string& id) const {
  std::string_view name = id;
  while (name.find('.') != name.npos) {
    name = name.substr(0, name.rfind('.'));
    if (const auto at = named.find(name); at != named.end()) return at->second;
  }
  return scopes.front();
}

void read_step(const Value& object, const std::string& id, TraceInProgress& reading) {
  if (!is_step_id(id)) {
    throw input_error({.id = "unknown-step",
                       .what = "there is no step \"" + id + "\"" + did_you_mean(id, step_ids()),
                       .places = {{.pointer = object.pointer}},
                       .fix = "Use a newer attn for this trace."});
  }
  if (reading.trace.find(id) != nullptr) {
    throw wrong(object, "", "duplicate-step", "the trace has the step \"" + id + "\" twice");
  }
  Step step = read(object, id, reading);
  check(object, reading.trace, step);
  const json::Node* hiders =
      step.info().role == StepRole::Mask ? json::find(object.node, "hidden_by") : nullptr;
  if (hiders != nullptr) {
    const Value value{object.file, *hiders, json::child_pointer(object.pointer, "hidden_by")};
    reading.scope_of(id)->visibility = std::make_shared<const Visibility>(read_hiders(value, step));
  }
  reading.trace.steps.push_back(std::move(step));
}

void read_given(const Value& object, const std::string& id, TraceInProgress& reading) {
  Step given = read(object, id, reading);
  if (!given.is_given()) {
    throw wrong(object, "/op", "wrong-operation",
                "a given is not computed, but " + id + " is made by " + given.operation->name);
  }
  check(object, reading.trace, given);
  if (given.info().role == StepRole::Extra) reading.scope_of(id)->n_extra = given.value.rows();
  reading.trace.givens.push_back(std::move(given));
}

}  // namespace attn
