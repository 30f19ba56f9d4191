// Follows a number to the cells it was made from, level by level.
#include "render/story/cells/cell_tree.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/trace/hidden_cells.hpp"
#include "render/story/cells/cell_remarks.hpp"

namespace attn {
namespace {

constexpr std::size_t kScreen = 24;  // cells, one line each or a little more
constexpr std::size_t kFirst = 50;   // with the first level, without which a number says little
constexpr std::size_t kMostTreeCells = 10000;  // however deep: some problems have billions

/// A cell without the indices of axes that its step does not have.
StepCell within(StepCell place) {
  if (!place.step->value.shape().batch) place.cell.batch = 0;
  if (!place.step->value.shape().heads) place.cell.head = 0;
  return place;
}

bool is_hidden_cell(const Trace& trace, const StepCell& place) {
  return shows_hidden(trace, *place.step) && is_hidden(trace, *place.step, place.cell);
}

/// A hidden score, or a weight that is 0 because of it: one remark covers all of them. Where the
/// mask acts by arithmetic (a fill added, weights multiplied), that is worth showing.
bool is_mere_zero(const Trace& trace, const StepCell& place) {
  if (!is_hidden_cell(trace, place)) return false;
  if (trace.input_of(StepRole::Mask, *place.step) != nullptr)
    return derive(trace, *place.step, place.cell).parts.empty();
  return place.step->value.at(place.cell) == 0.0;
}

struct Growth {
  const Trace& trace;
  CellTree tree = {};
  std::map<std::tuple<const Step*, Index, Index, Index, Index>, std::size_t> shown = {};

  /// Notes that the arithmetic of a node holds a cell that was met before.
  void note(std::size_t node, CellNode& holder) {
    const auto holds = [&](const std::vector<std::size_t>& list) {
      return std::find(list.begin(), list.end(), node) != list.end();
    };
    if (!holds(holder.parts) && !holds(holder.known)) holder.known.push_back(node);
  }

  /// Adds a cell below node `parent` unless it is given or was met before.
  void add(StepCell place, std::size_t parent) {
    place = within(place);
    if (place.step->is_given() || !can_derive(trace, *place.step)) return;
    const Cell& c = place.cell;
    const auto [at, is_new] =
        shown.insert({{place.step, c.batch, c.head, c.row, c.col}, tree.nodes.size()});
    if (!is_new) return note(at->second, tree.nodes[parent]);
    tree.nodes[parent].parts.push_back(tree.nodes.size());
    const int depth = tree.nodes[parent].depth + 1;
    tree.nodes.push_back({place, depth, {}, {}});
  }

  /// Whether a term is 0 because of a hidden weight in it: what it is multiplied by is not
  /// explained.
  bool is_zero_term(const Expression& how, const Step& step) const {
    if (how.kind != Expression::Kind::Product) return false;
    return std::any_of(how.parts.begin(), how.parts.end(), [&](const Expression& part) {
      if (part.kind != Expression::Kind::Leaf) return false;
      const auto input = static_cast<std::size_t>(part.input);
      return is_mere_zero(trace, {&trace.input(step, input), part.cell});
    });
  }

  void add_leaves(const Expression& how, int input, const Step& step, std::size_t parent) {
    if (how.kind == Expression::Kind::Leaf && how.input == input) {
      const StepCell place{&trace.input(step, static_cast<std::size_t>(input)), how.cell};
      const bool shows =
          is_hidden_cell(trace, tree.nodes[parent].place) || !is_mere_zero(trace, place);
      if (shows) add(place, parent);
    }
    if (is_zero_term(how, step)) return;
    for (const Expression& part : how.parts) add_leaves(part, input, step, parent);
  }

  /// The cells that a node was made from, those of one input after those of the other. Where the
  /// arithmetic is only a number in place of another, that other one.
  void add_parts(std::size_t parent) {
    const StepCell own = tree.nodes[parent].place;
    const CellOrigin origin = origin_of(trace, *own.step, own.cell);
    const StepCell& last = origin.copies.back();
    if (origin.how.parts.empty() && !last.step->inputs.empty())
      add({&trace.input(*last.step, 0), last.cell}, parent);
    for (std::size_t input = 0; input < last.step->inputs.size(); ++input)
      add_leaves(origin.how, static_cast<int>(input), *last.step, parent);
  }
};

}  // namespace

CellTree cell_tree(const Trace& trace, const StepCell& place, std::optional<int> depth) {
  Growth growth{trace};
  std::vector<CellNode>& nodes = growth.tree.nodes;
  nodes.push_back({within(place), 0, {}, {}});
  std::size_t first = 0;  // of the level that gets its parts
  for (int level = 0; first < nodes.size(); ++level) {
    const std::size_t end = nodes.size();
    const bool wanted = !depth || level < *depth;
    const std::size_t most = !wanted ? end : depth ? kMostTreeCells : level == 0 ? kFirst : kScreen;
    const std::size_t counted = std::max(most, end + kMostCounted);
    for (std::size_t i = first; i < end && nodes.size() <= counted; ++i) growth.add_parts(i);
    if (nodes.size() > most) {
      growth.tree.left = nodes.size() - end;
      nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(end), nodes.end());
      for (std::size_t i = first; i < end; ++i) {
        nodes[i].parts.clear();
        nodes[i].known.clear();
      }
      break;
    }
    first = end;
  }
  return std::move(growth.tree);
}

}  // namespace attn
