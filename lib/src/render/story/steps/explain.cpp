// Explains the whole computation, step by step: headline, matrix, worked cell.
#include "attn/render/explain.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "core/trace/hidden_cells.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/cells/cell_remarks.hpp"
#include "render/story/cells/why_hidden.hpp"
#include "render/story/steps/best_columns.hpp"
#include "render/story/steps/example_choice.hpp"
#include "render/story/steps/explain_steps.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/step_grids.hpp"
#include "render/story/steps/step_numbers.hpp"
#include "render/story/steps/weight_grids.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

/// More words than this do not fit side by side.
inline constexpr Index kMostWords = 12;

constexpr Index kBest = 5;

/// The name of a row, and "0.981 mange  0.010 lave …", the numbers as wide as the widest.
std::vector<std::string> line(const Step& step, Cell cell, const NumberFormat& format,
                              std::size_t width) {
  std::string words;
  for (const Index column : best_columns(step.value.row(cell.batch, cell.head, cell.row), kBest)) {
    cell.col = column;
    std::string number = format_number(step.value.at(cell), format);
    number.insert(0, width - std::min(width, number.size()), ' ');
    words += (words.empty() ? "" : "  ") + number + " " + col_label(step, cell);
  }
  return {row_label(step, cell), words};
}

/// Adds a table of the five largest numbers of each row, with their words, if the step has logits
/// or probabilities of more words than fit beside each other; returns whether it did.
bool add_best_words(Document& document, const Step& step, const View& view) {
  const StepRole role = step.info().role;
  const bool words = role == StepRole::Logits || role == StepRole::Probabilities;
  if (!words || step.value.cols() <= kMostWords) return false;
  for (const GridChoice& grid : chosen_grids(step, view)) {
    const std::string best = translated(role == StepRole::Logits ? "largest" : "most probable");
    Table table{.header = {grid.caption, best}, .rows = {}, .texts = 2, .inside = true};
    const NumberFormat format{view.precision, false};
    const auto [least, most] =
        std::minmax_element(step.value.data().begin(), step.value.data().end());
    const std::size_t width =
        std::max(format_number(*least, format).size(), format_number(*most, format).size());
    for (Index r = 0; r < step.value.rows(); ++r) {
      if (grid.row && r != *grid.row) continue;
      table.rows.push_back(line(step, {grid.batch, grid.head, r, 0}, format, width));
    }
    document.blocks.push_back(std::move(table));
  }
  return true;
}

/// T × h × d: between T × h·d and h × T × d.
std::vector<Index> sizes_between(const Tensor& from, const Tensor& to) {
  std::vector<Index> sizes = (from.shape().heads ? from : to).shape().sizes();
  std::swap(sizes[sizes.size() - 2], sizes[sizes.size() - 3]);
  return sizes;
}

/// Whether a step is shown by its headline alone: nothing in it is computed.
bool is_headline(const Step& step, const View& view) {
  return step.only_rearranges() && view.steps.empty() && view.detail != Detail::Full;
}

/// "5×6" with the leading axes in front; how sizes meet, "(5×6)·(6×4) → 5×4".
std::string shape_phrase(const Trace& trace, const Step& step) {
  const auto plain = [](const Tensor& t) { return shape_text(t.shape().sizes()); };
  const auto transposed = [](const Tensor& t) {
    std::vector<Index> sizes = t.shape().sizes();
    std::swap(sizes.back(), sizes[sizes.size() - 2]);
    return shape_text(sizes);
  };
  std::string result = plain(step.value);
  if (step.inputs.empty()) return result;
  if (step.only_rearranges()) {
    const std::vector<const Tensor*> from = trace.inputs(step);
    return plain(*from[0]) + " → " + shape_text(sizes_between(*from[0], step.value)) + " → " +
           result;
  }
  const std::vector<const Tensor*> in = trace.inputs(step);
  const SizesMeet meet = step.operation->sizes_meet;
  if (meet != SizesMeet::No) {
    const auto sizes = [&](std::size_t i, SizesMeet turned) {
      return "(" + (meet == turned ? transposed(*in[i]) : plain(*in[i])) + ")";
    };
    return sizes(0, SizesMeet::FirstTransposed) + "·" + sizes(1, SizesMeet::Transposed) + " → " +
           result;
  }
  return in[0]->shape() == step.value.shape() ? result : plain(*in[0]) + " → " + result;
}

/// Whether a step makes weights directly from scores: the place to say which keys are left out.
bool makes_weights(const Trace& trace, const Step& step) {
  return step.info().role == StepRole::Weights && step.operation->sums_over_keys(step.parameters) &&
         trace.input(step, 0).info().role != StepRole::Weights;
}

/// The pair that the worked cells of a scope follow, and the cells.
struct Example {
  Pair pair;
  ExampleCells cells;
};

/// The examples of all scopes, each made when it is needed.
class Examples {
 public:
  Examples(const Trace& trace, const View& view) : trace_(trace), view_(view) {}

  const Example& of(const Scope& scope) {
    const auto [at, is_new] = made_.try_emplace(&scope);
    if (is_new && view_.examples) {
      at->second.pair = choose_pair(trace_, scope, view_);
      at->second.cells = cells_of_pair(trace_, scope, at->second.pair);
    }
    return at->second;
  }

 private:
  const Trace& trace_;
  const View& view_;
  std::map<const Scope*, Example> made_ = {};
};

/// The worked cell of a step, if its operation does more than move numbers about; where a mask
/// leaves the number as it is, the remark names a cell that it hides.
void add_worked_cell(Document& document, const Trace& trace, const Step& step,
                     const GridChoice& grid, const Example& example) {
  if (!example.cells.contains(&step)) return;
  const Cell cell = example.cells.at(&step);
  CellOrigin origin = origin_of(trace, step, cell);
  const bool copied = origin.copies.size() > 1;
  if (copied && !hides_here(trace, step)) return;
  if (copied) origin = {{origin.copies[0], origin.copies[1]}, {}};
  const std::string where = grid.alike ? "" : grid.caption;
  Worked worked = worked_cell(trace, origin, head_text(step, cell));
  worked.most_terms = 8;
  worked.lead = where.empty() ? translated("e.g.") : translated("e.g. {where}:", where);
  if (worked.remark.empty() && makes_weights(trace, step))
    worked.remark = hidden_keys_text(trace, step, cell);
  const auto hidden = copied ? hidden_cell(trace, step, example.pair) : std::nullopt;
  if (hidden) worked.remark = hides_text(trace, step, *hidden);
  document.blocks.push_back(std::move(worked));
}

/// ": there is no W_q" for a copy that a matrix would project if it were given. A mistake copies
/// steps that no matrix makes, or leaves one out.
std::string missing_weight(const Trace& trace, const Step& step) {
  const bool attends = trace.first_of(StepRole::Weights, *step.scope) != nullptr;
  if (step.info().role == StepRole::Gradient || !attends) return "";
  const std::string symbol = lowered(step.info().symbol), weight = "w_" + symbol;
  const std::string& scope = step.scope->name;
  const bool given = trace.find(scope.empty() ? weight : scope + "." + weight) != nullptr;
  return find_step_info(weight) == nullptr || given
             ? ""
             : translated(": there is no {weight}", "W_" + symbol);
}

/// The weight that no key gets as one more column of the weights: with it, each row adds up to 1.
void add_sink(Grid& grid, const Trace& trace, const Step& step, const GridChoice& choice) {
  const Step* sink = trace.first_of(StepRole::SinkWeights, *step.scope);
  const bool is_first = trace.first_of(StepRole::Weights, *step.scope) == &step;
  if (sink == nullptr || sink->is_outline() || !is_first) return;
  const auto cols = static_cast<std::ptrdiff_t>(grid.col_labels.size());
  const auto rows = static_cast<std::ptrdiff_t>(grid.row_labels.size());
  for (std::ptrdiff_t r = rows; r-- > 0;) {
    const Index row = choice.row.value_or(r);
    const std::ptrdiff_t at = (r + 1) * cols;
    grid.numbers.insert(grid.numbers.begin() + at,
                        sink->value.at({choice.batch, choice.head, row, 0}));
    grid.kinds.insert(grid.kinds.begin() + at, CellKind::Number);
  }
  grid.col_labels.emplace_back(sink->info().col_name);
  grid.beside = 1;
}

void add_step(Document& document, const Trace& trace, const Step& step, const View& view,
              Examples& examples) {
  const std::string why = view.detail == Detail::Full ? why_text(trace, step, {}) : "";
  if (!why.empty()) document.blocks.push_back(Paragraph{why, Role::Aside});
  if (is_headline(step, view) || step.is_outline()) return;
  if (step.operation->copies && view.steps.empty()) {
    const Step& source = trace.input(step, 0);
    document.blocks.push_back(
        Paragraph{translated("the same as {step}", step_name(source)) + missing_weight(trace, step),
                  Role::Aside});
    if (!is_headline(source, view)) return;
  }
  if (add_best_words(document, step, view)) return;
  const std::vector<GridChoice> grids = chosen_grids(step, view, !view.each);
  for (const GridChoice& choice : grids) {
    document.blocks.push_back(make_grid(trace, step, choice));
    add_sink(std::get<Grid>(document.blocks.back()), trace, step, choice);
  }
  if (grids.empty() || view.detail == Detail::Brief) return;
  std::get<Grid>(document.blocks.back()).legend = true;
  const bool endless = step.info().role == StepRole::Loss && !step.inputs.empty() &&
                       trace.input(step, 0).value.cols() > kMostWords;
  if (endless) return;
  add_worked_cell(document, trace, step, grids.front(), examples.of(*step.scope));
}

/// The matrices of some steps, named if there are several.
void add_matrices(Document& document, const Trace& trace, const std::vector<const Step*>& steps,
                  const View& view) {
  for (const Step* step : steps) {
    for (const GridChoice& choice : chosen_grids(*step, view)) {
      Grid grid = make_grid(trace, *step, choice);
      if (steps.size() > 1) grid.caption = comma_joined({step_name(*step), grid.caption});
      document.blocks.push_back(std::move(grid));
    }
  }
}

}  // namespace

std::string example_cell(const Trace& trace, const View& view) {
  const Step* weights = first_weights(trace, trace.attention());
  if (weights == nullptr) return "";
  const Pair pair = choose_pair(trace, trace.attention(), view);
  return weights->id + ":" + std::to_string(pair.query) + "," + std::to_string(pair.key);
}

void add_steps(Document& document, const Trace& trace, const View& view) {
  const std::vector<const Step*> all = numbered_steps(trace, view);
  const std::vector<const Step*> steps = shown_steps(trace, view);
  if (view.only) return add_matrices(document, trace, steps, view);
  Examples examples(trace, view);
  std::set<std::string> weights;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto is_back = [&](std::size_t n) { return steps[n]->info().role == StepRole::Gradient; };
    if (i > 0 && is_back(i) && !is_back(i - 1))
      document.blocks.push_back(Title{translated(kBackward)});
    if (view.steps.empty())
      add_weights(document, trace, std::span(steps).subspan(i), view, weights);
    document.blocks.push_back(heading_of(trace, *steps[i], all, shape_phrase(trace, *steps[i])));
    add_step(document, trace, *steps[i], view, examples);
  }
}

Document explain(const Trace& trace, const View& view) {
  check_choice(trace, view);
  Document document;
  document.precision = view.precision;
  if (!view.only) add_opening(document, trace, view);
  add_steps(document, trace, view);
  if (view.only) return document;
  document.blocks.emplace_back(rounding_footer(trace, view.precision));
  return document;
}

}  // namespace attn
