// Makes grids of the matrices of a step.
#include "render/story/steps/step_grids.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>

#include "attn/error.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "core/trace/hidden_cells.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/steps/step_numbers.hpp"

namespace attn {
namespace {

/// `what` is the setting that chooses one of `n`, `noun` what it chooses.
void check_index(const std::optional<Index>& wanted, Index n, const std::string& what,
                 const std::string& noun) {
  if (!wanted || (*wanted >= 0 && *wanted < n)) return;
  const std::string last = std::to_string(n - 1);
  throw Error(ErrorKind::Usage, {{.id = "out-of-range",
                                  .what = "there is no " + noun + " " + std::to_string(*wanted) +
                                          ": this problem has " + counted(n, noun),
                                  .fix = "Indices start at 0: the last is " + last + ".",
                                  .changes = {{what, last}}}});
}

bool all_alike(const Tensor& t) {
  const auto size = static_cast<std::size_t>(t.rows() * t.cols());
  const NumberSpan numbers = t.stored();
  const std::span<const double> others = numbers.subspan(size);
  return std::equal(others.begin(), others.end(), numbers.begin());
}

/// Whether every batch entry has the same tokens.
bool one_for_all(const TokenLists& lists) {
  return std::all_of(lists.begin(), lists.end(),
                     [&](const auto& list) { return list == lists.front(); });
}

bool has_query_rows(const Step& step) {
  const std::string_view axis = step.info().row_axis;
  const StepRole role = step.info().forward().role;
  const bool input = role == StepRole::QueryInput || !step.scope->name.empty();
  return axis == "query" || (axis == "token" && input && role != StepRole::KeyInput);
}

/// None for a batch entry that only a mistake makes.
AxisNames queries_of(const Scope& scope, Index batch) {
  const auto& lists = scope.query_tokens;
  const auto own = static_cast<std::size_t>(lists.size() == 1 ? 0 : batch);
  return {own < lists.size() ? lists[own] : std::vector<std::string>(), true};
}

/// Throws if `query` is in no scope, or twice in some batch entry of the first.
void check_query(const Trace& trace, const std::string& query) {
  const auto& lists = trace.scope().query_tokens;
  const bool in_some = std::any_of(lists.begin(), lists.end(), [&](const auto& list) {
    return std::find(list.begin(), list.end(), query) != list.end();
  });
  const bool in_model = std::any_of(trace.scopes.begin(), trace.scopes.end(),
                                    [&](const auto& scope) { return query_row(*scope, query, 0); });
  for (Index b = 0; b < trace.settings().batch; ++b) {
    const AxisNames own = queries_of(trace.scope(), b);
    const bool here = std::find(own.names.begin(), own.names.end(), query) != own.names.end();
    if (here || !(in_some || (trace.is_model() && in_model))) position_of(query, own, "query");
  }
}

/// What the numbers of one step are.
struct Kinds {
  const Trace& trace;
  const Step& step;
  StepRole role;
  bool hides;
  HiddenCells hidden;

  Kinds(const Trace& t, const Step& s)
      : trace(t), step(s), role(s.info().role), hides(shows_hidden(t, s)), hidden(t, *s.scope) {}

  /// Appends those of the row of `cell`.
  void append_row(std::vector<CellKind>& kinds, const Cell& cell) const {
    const std::span<const double> numbers = step.value.row(cell.batch, cell.head, cell.row);
    const bool padded = is_padded_row(trace, step, cell);
    const HiddenCells::Row hidden_cols = hides ? hidden.row(cell) : HiddenCells::Row();
    const std::size_t start = kinds.size();
    kinds.resize(start + numbers.size(), CellKind::Number);
    if (!padded && !hides) return;
    for (std::size_t col = 0; col < numbers.size(); ++col) {
      const bool is_hidden = padded || hidden_cols[col];
      if (is_hidden && role == StepRole::MaskedScores)
        kinds[start + col] = CellKind::HiddenScore;
      else if (is_hidden && numbers[col] == 0.0)
        kinds[start + col] = CellKind::HiddenWeight;
    }
  }
};

/// "batch 1 · head 0", "kv head 1, for heads 2 and 3".
std::string caption_of(const Step& step, Index batch, Index head) {
  const Shape& shape = step.value.shape();
  std::string text;
  if (shape.batch) text = translated("batch {n}", batch);
  if (!shape.heads) return text;
  if (!text.empty()) text += " · ";
  const Index group = group_size(step.scope->settings.heads, step.value);
  if (group == 1) return text + translated("head {n}", head);
  const Index first = head * group, last = first + group - 1;
  return text + translated(group == 2 ? "kv head {n}, for heads {first} and {last}"
                                      : "kv head {n}, for heads {first} to {last}",
                           head, first, last);
}

}  // namespace

std::optional<Index> query_row(const Scope& scope, const std::string& query, Index batch) {
  return find_position(query, queries_of(scope, batch));
}

void check_choice(const Trace& trace, const View& view) {
  check_index(view.head, trace.attention().settings.heads, "head", "head");
  check_index(view.batch, trace.settings().batch, "batch", "batch entry");
  if (trace.is_model()) check_index(view.layer, layers_of(trace), "layer", "layer");
  if (view.query) check_query(trace, *view.query);
}

Index layers_of(const Trace& trace) {
  Index layers = 0;
  for (const auto& scope : trace.scopes)
    layers = std::max(layers, place_of(*scope).layer.value_or(-1) + 1);
  return layers;
}

std::vector<GridChoice> chosen_grids(const Step& step, const View& view, bool once) {
  const Tensor& t = step.value;
  const bool stacked = t.shape().batch || t.shape().heads;
  const bool alike = once && stacked && !step.is_outline() && t.batch() * t.heads() > 1 &&
                     all_alike(t) && one_for_all(step.scope->query_tokens) &&
                     one_for_all(step.scope->key_tokens);
  std::vector<GridChoice> choices;
  for (Index b = 0; b < t.batch(); ++b) {
    if (t.shape().batch && view.batch && b != *view.batch) continue;
    for (Index h = 0; h < t.heads(); ++h) {
      if (t.shape().heads && view.head && h != kv_head(*view.head, step.scope->settings.heads, t))
        continue;
      GridChoice choice{
          b, h, {}, alike ? translated("all matrices alike") : caption_of(step, b, h), alike};
      if (view.query && has_query_rows(step)) {
        choice.row = query_row(*step.scope, *view.query, b);
        if (!choice.row || *choice.row >= t.rows()) continue;
      }
      choices.push_back(choice);
      if (alike) return choices;
    }
  }
  return choices;
}

Grid make_grid(const Trace& trace, const Step& step, const GridChoice& choice) {
  const Tensor& t = step.value;
  const AxisNames rows = row_names(step, choice.batch, choice.head);
  const AxisNames cols = col_names(step, choice.batch, choice.head);
  Grid grid;
  grid.step = step.id;
  if (t.shape().batch) grid.batch = choice.batch;
  if (t.shape().heads) grid.head = choice.head;
  grid.caption = choice.caption;
  grid.row_tokens = rows.tokens;
  grid.col_tokens = cols.tokens;
  grid.col_labels = cols.names;
  if (rows.tokens && cols.tokens) {
    grid.row_title = translated(step.info().row_axis);
    grid.col_title = translated(step.info().col_axis);
  }
  grid.shares = step.info().role == StepRole::Weights;
  const std::string name = step_name(step);
  grid.name = name == step.info().title ? name : comma_joined({name, title_of(step.info())});
  grid.first_row = choice.row.value_or(0);
  grid.stands_for_all = choice.alike;
  const Kinds kinds(trace, step);
  const auto count = static_cast<std::size_t>((choice.row ? 1 : t.rows()) * t.cols());
  grid.numbers.reserve(count);
  grid.kinds.reserve(count);
  for (Index r = 0; r < t.rows(); ++r) {
    if (choice.row && r != *choice.row) continue;
    grid.row_labels.push_back(rows.names[static_cast<std::size_t>(r)]);
    const std::span<const double> row = t.row(choice.batch, choice.head, r);
    grid.numbers.insert(grid.numbers.end(), row.begin(), row.end());
    kinds.append_row(grid.kinds, {choice.batch, choice.head, r, 0});
  }
  return grid;
}

}  // namespace attn
