// Compares inputs and result with the operation's rule, and axes with a table of their sizes.
#include "core/trace/step_check.hpp"

#include <array>
#include <limits>
#include <string_view>

#include "attn/phrases.hpp"

namespace attn {
namespace {

std::string size_text(const Shape& shape) { return shape_text(shape.sizes()); }

std::optional<Diagnostic> wrong_inputs(const Trace& trace, const Step& step) {
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    if (trace.find(step.inputs[i]) != nullptr) continue;
    return Diagnostic{.id = "missing-step",
                      .what = step.id + " is made from " + step.inputs[i] +
                              ", which does not come before it in the trace",
                      .places = {{.pointer = "/inputs/" + std::to_string(i)}},
                      .fix = "Write the whole trace, with all its steps."};
  }
  const auto least = static_cast<Index>(step.operation->shape_rule.least);
  const auto most = static_cast<Index>(step.operation->shape_rule.most);
  const Index count = std::ssize(step.inputs);
  if (count >= least && count <= most) return std::nullopt;
  const std::string wanted =
      (most > least ? std::to_string(least) + " to " : "") + counted(most, "input");
  return Diagnostic{.id = "input-count",
                    .what = std::string(step.operation->name) + " takes " + wanted + ", but " +
                            step.id + " has " + std::to_string(count),
                    .places = {{.pointer = "/inputs"}},
                    .fix = kRewrite};
}

std::optional<Diagnostic> wrong_result(const Trace& trace, const Step& step) {
  std::vector<Shape> in;
  std::vector<std::string> inputs;
  for (const std::string& id : step.inputs) {
    in.push_back(trace.value(id).shape());
    inputs.push_back(id + " (" + size_text(in.back()) + ")");
  }
  const Shape& own = step.value.shape();
  const Operation& operation = *step.operation;
  const std::optional<Shape> result = operation.shape_rule.result(in, step.parameters, own);
  if (result == own) return std::nullopt;
  const bool by_parameters = operation.shape_rule.most < 2 && !operation.fields.empty();
  const std::string how = operation.name + std::string(in.empty() ? "" : " of ") + listed(inputs);
  return Diagnostic{.id = "shape-mismatch",
                    .what = result ? step.id + " is " + size_text(own) + ", but " + how + " is " +
                                         size_text(*result)
                                   : step.id + " (" + size_text(own) + ") cannot come from " + how,
                    .places = {{.pointer = result          ? "/shape"
                                           : by_parameters ? "/parameters"
                                                           : "/inputs"}},
                    .rule = operation.shape_rule.sentence,
                    .fix = kRewrite};
}

/// The sizes that an axis may have.
struct Range {
  Index least, most;
};

struct AxisRule {
  std::string_view axis;
  Range (*range)(const Settings& s, const Step& step, bool rows);
};

constexpr Index kAny = std::numeric_limits<Index>::max();

constexpr std::array kAxes = {
    AxisRule{"query",
             [](const Settings& s, const Step&, bool) -> Range {
               return {s.n_queries, s.n_queries};
             }},
    AxisRule{"key",
             [](const Settings& s, const Step&, bool rows) -> Range {
               return {rows ? 1 : s.n_keys, s.n_keys};  // cached or new keys alone are fewer
             }},
    AxisRule{"token",
             [](const Settings& s, const Step& step, bool) -> Range {
               if (step.info().forward().role == StepRole::KeyInput) return {1, s.n_keys};
               return {s.n_queries, s.n_queries};
             }},
    AxisRule{"d_model",
             [](const Settings& s, const Step& step, bool) -> Range {
               const bool input = step.info().row_axis == std::string_view("token");
               if (!input || step.info().forward().role == StepRole::KeyInput || !s.d_model)
                 return {1, kAny};
               return {*s.d_model, *s.d_model};
             }},
    AxisRule{"d_k",
             [](const Settings& s, const Step&, bool) -> Range {
               return {s.d_k, s.d_k};
             }},
    AxisRule{"d_v",
             [](const Settings& s, const Step&, bool) -> Range {
               return {s.d_v, s.d_v};
             }},
    AxisRule{"1",
             [](const Settings&, const Step&, bool) -> Range {
               return {1, 1};
             }},
};

bool size_fits(const Step& step, std::string_view axis, Index n, bool rows) {
  for (const AxisRule& row : kAxes) {
    if (row.axis != axis) continue;
    const Range range = row.range(step.scope->settings, step, rows);
    return n >= range.least && n <= range.most;
  }
  return true;
}

bool heads_fit(const Settings& s, const Step& step) {
  const std::optional<Index> heads = step.value.shape().heads;
  if (!heads) return true;
  const bool per_query = step.info().row_axis == std::string_view("query");
  return per_query ? *heads == s.heads : s.heads % *heads == 0;
}

/// A size that the settings of the trace contradict.
std::optional<Diagnostic> wrong_axis(const Step& step) {
  const Settings& s = step.scope->settings;
  const Shape& own = step.value.shape();
  const StepInfo& info = step.info();
  std::string axis;
  if (own.batch && !(s.has_batch && *own.batch == s.batch)) axis = "batch";
  if (!heads_fit(s, step)) axis = "head";
  if (!size_fits(step, info.row_axis, own.rows, true)) axis = info.row_axis;
  if (!size_fits(step, info.col_axis, own.cols, false)) axis = info.col_axis;
  if (axis.empty()) return std::nullopt;
  return Diagnostic{
      .id = "shape-mismatch",
      .what = step.id + " is " + size_text(own) + ", which does not fit the " +
              "settings of the trace along the axis \"" + axis + "\"",
      .places = {{.pointer = "/shape"}},
      .rule = "Tokens, heads, batch entries and widths must match the settings.",
      .fix = "Write the trace again with attn, without a mistake that changes shapes."};
}

}  // namespace

std::optional<Diagnostic> misfit(const Trace& trace, const Step& step) {
  if (auto wrong = wrong_inputs(trace, step)) return wrong;
  if (auto wrong = wrong_result(trace, step)) return wrong;
  return wrong_axis(step);
}

}  // namespace attn
