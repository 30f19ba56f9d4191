// Shows the weights before the steps that need them.
#include "render/story/steps/weight_grids.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "render/story/steps/step_grids.hpp"

namespace attn {
namespace {

constexpr Index kMostWeightColumns = 8, kMostWeightRows = 32;

/// A projection: the matrix to multiply by, and the bias that is then added to each row.
struct Weights {
  const Step* matrix;
  const Step* bias;  ///< may be nullptr
};

bool is_weight(const Step& step) {
  return step.is_no_step() && step.info().role == StepRole::Plain;
}

bool is_bias(const Step& step) { return step.info().row_axis == std::string_view("1"); }

std::vector<Weights> weights_of(const Trace& trace, const Step& step) {
  std::vector<Weights> all;
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    const Step& input = trace.input(step, i);
    if (!is_weight(input)) continue;
    if (is_bias(input) && !all.empty()) {
      all.back().bias = &input;
    } else {
      all.push_back({&input, nullptr});
    }
  }
  return all;
}

/// What has a row for each query, as a target has, is not learned.
bool is_learned(const Step& given) { return std::string_view(given.info().row_axis) != "query"; }

/// Whether a step is made from another of `steps`, and so comes after it.
bool waits_for(const Step& step, std::span<const Step* const> steps) {
  return std::any_of(steps.begin(), steps.end(), [&](const Step* other) {
    return std::find(step.inputs.begin(), step.inputs.end(), other->id) != step.inputs.end();
  });
}

void add_bias_row(Grid& grid, const Step& bias, const GridChoice& choice) {
  const Tensor& t = bias.value;
  grid.last_step = bias.id;
  grid.row_labels.push_back(symbol_text(bias));
  for (Index c = 0; c < t.cols(); ++c) {
    grid.numbers.push_back(t.at({choice.batch, choice.head, 0, c}));
    grid.kinds.push_back(CellKind::Number);
  }
}

bool is_large(const Weights& weights) {
  const Tensor& t = weights.matrix->value;
  return t.cols() > kMostWeightColumns || t.rows() > kMostWeightRows;
}

/// "W_q (7×12) is too large to show." where others are shown.
std::string left_out(const std::vector<Weights>& all) {
  std::vector<std::string> names;
  for (const Weights& each : all) {
    if (!is_large(each)) continue;
    names.push_back(symbol_text(*each.matrix) + " (" +
                    shape_text(each.matrix->value.shape().sizes()) + ")");
  }
  if (names.empty() || names.size() == all.size()) return "";
  return names.size() == 1 ? translated("{what} is too large to show.", names.front())
                           : translated("{what} are too large to show.", translated_list(names));
}

void add_grids(Document& document, const Trace& trace, const Weights& weights, const View& view) {
  if (is_large(weights) || weights.matrix->is_outline()) return;
  View heads;
  heads.head = view.head;
  for (const GridChoice& choice : chosen_grids(*weights.matrix, heads)) {
    Grid grid = make_grid(trace, *weights.matrix, choice);
    grid.row_title = symbol_text(*weights.matrix);
    if (weights.bias != nullptr && !weights.bias->is_outline())
      add_bias_row(grid, *weights.bias, choice);
    document.blocks.push_back(std::move(grid));
  }
}

}  // namespace

void add_weights(Document& document, const Trace& trace, std::span<const Step* const> steps,
                 const View& view, std::set<std::string>& shown) {
  std::vector<Weights> all;
  std::vector<std::string> makes, names, shapes;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (waits_for(*steps[i], steps.first(i))) break;
    for (const Weights& weights : weights_of(trace, *steps[i])) {
      if (!shown.insert(weights.matrix->id).second) continue;
      all.push_back(weights);
      names.push_back(symbol_text(*weights.matrix));
      makes.push_back(symbol_text(*steps[i]));
      shapes.push_back(shape_text(weights.matrix->value.shape().sizes()));
    }
    if (all.empty()) return;  // they are shown when they are needed, not before
  }
  document.blocks.push_back(StepHeading{
      .id = all.front().matrix->id,
      .formula = separated(names, ", "),
      .phrase = is_learned(*all.front().matrix)
                    ? translated("the weights for {steps}", separated(makes, translated(", ")))
                    : translated("given for {steps}", separated(makes, translated(", "))),
      .shape = separated(shapes, ", ")});
  if (const std::string text = left_out(all); !text.empty())
    document.blocks.push_back(Paragraph{text, Role::Aside});
  for (const Weights& weights : all) add_grids(document, trace, weights, view);
}

}  // namespace attn
