// Documents that explain each cell: how every number in them was made.
#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "attn/attend.hpp"
#include "attn/language.hpp"
#include "attn/render/explain.hpp"
#include "core/text/thousands.hpp"
#include "core/trace/hidden_cells.hpp"
#include "render/story/cells/cell_book.hpp"
#include "render/story/steps/step_numbers.hpp"

namespace attn {
namespace {

// The most numbers that come with their sources, and the most that are also shown without masks.
constexpr std::size_t kMostCells = 60000, kMostTwice = 12000;

using Ids = std::set<std::string>;

/// Copies that a document shows by their headline alone: "O = C", the same as C.
Ids copies_named(const Document& document, const Trace& trace) {
  Ids ids;
  for (const Block& block : document.blocks) {
    const auto* heading = std::get_if<StepHeading>(&block);
    const Step* step = heading == nullptr ? nullptr : trace.find(heading->id);
    if (step != nullptr && step->operation->copies && !step->is_outline()) ids.insert(step->id);
  }
  return ids;
}

/// The ids of the steps that a document shows on one side.
Ids shown_ids(const Document& document, const std::string& side) {
  Ids ids;
  for (const Block& block : document.blocks) {
    const auto* grid = std::get_if<Grid>(&block);
    if (grid != nullptr && grid->side == side) ids.insert({grid->step, grid->last_step});
    const auto* worked = std::get_if<Worked>(&block);
    if (worked != nullptr && worked->side == side) {
      for (const NamedCell& cell : worked->cells) ids.insert(cell.step);
      for (const RowTerm& term : worked->terms) ids.insert(term.factor.step);
    }
  }
  ids.erase("");
  return ids;
}

/// Those ids, and those of everything with numbers that they were made from.
Ids with_sources(const Trace& trace, const Ids& shown) {
  Ids ids;
  std::vector<std::string> waiting(shown.begin(), shown.end());
  while (!waiting.empty()) {
    const std::string id = waiting.back();
    waiting.pop_back();
    const Step* step = trace.find(id);
    if (step == nullptr || !ids.insert(id).second || !can_derive(trace, *step)) continue;
    waiting.insert(waiting.end(), step->inputs.begin(), step->inputs.end());
  }
  return ids;
}

std::size_t count_of(const Trace& trace, const Ids& ids) {
  std::size_t count = 0;
  for (const std::string& id : ids) {
    const Step* step = trace.find(id);
    if (step != nullptr && !step->is_outline())
      count += static_cast<std::size_t>(step->value.shape().count());
  }
  return count;
}

bool hides_something(const Trace& trace) {
  for (const auto& scope : trace.scopes) {
    if (acting_mask(trace, *scope) != nullptr) return true;
  }
  return false;
}

/// The steps of `ids` whose numbers or derivations differ without masks.
Ids changed_ids(const Trace& trace, const Trace& other, const Ids& ids) {
  Ids changed;
  for (const std::string& id : ids) {
    const Step *own = trace.find(id), *its = other.find(id);
    if (own == nullptr || its == nullptr || own->is_outline()) continue;
    if (own->value.data() != its->value.data() || leaves_keys_out(trace, *own) ||
        hides_here(trace, *own))
      changed.insert(id);
  }
  return changed;
}

/// The steps of one side under ids of their own.
void put_aside(CellBook& book, const std::string& side) {
  for (CellOrigins& step : book) {
    step.id = side_id(side, step.id);
    step.title = comma_joined({step.title, side});
    for (std::string& input : step.inputs) input = side_id(side, input);
  }
}

/// How many numbers the matrices of a document have.
std::size_t numbers_in(const Document& document) {
  std::size_t count = 0;
  for (const Block& block : document.blocks) {
    if (const auto* grid = std::get_if<Grid>(&block)) count += grid->numbers.size();
  }
  return count;
}

}  // namespace

void add_cells(Document& document, const Trace& trace, const std::string& side) {
  Ids shown = shown_ids(document, side);
  if (side.empty()) shown.merge(copies_named(document, trace));
  Ids ids = with_sources(trace, shown);
  const std::size_t count = count_of(trace, ids);
  if (count > kMostCells) ids = shown;
  if (count_of(trace, ids) > 4 * kMostCells) return;  // one row of a large matrix
  CellBook book = cell_book(trace, ids, ids);
  if (!side.empty()) put_aside(book, side);
  std::move(book.begin(), book.end(), std::back_inserter(document.cells));
  if (!side.empty() || count > kMostTwice || trace.is_model() || !hides_something(trace)) return;
  const Trace other = replay(trace, without_masks(trace));
  document.unmasked = cell_book(other, changed_ids(trace, other, ids), ids);
}

Document explain_page(const Trace& trace, const View& view) {
  Document document = explain(trace, view);
  const std::size_t count = numbers_in(document);
  if (count > kMostCells && view.steps.empty()) {
    View weights = view;
    for (const Step& step : trace.steps) {
      if (step.info().role == StepRole::Weights) weights.steps.push_back(step.id);
    }
    document = explain(trace, weights);
    const Paragraph note{"This page shows only the weights, because all steps together have " +
                             in_thousands(static_cast<double>(count)) + " numbers.",
                         Role::Note};
    document.blocks.insert(document.blocks.begin() + 1, note);
  }
  if (numbers_in(document) <= kMostCells) add_cells(document, trace);
  return document;
}

}  // namespace attn
