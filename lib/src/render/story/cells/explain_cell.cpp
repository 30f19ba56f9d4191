// Explains how one number came about, down to the givens.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/formula.hpp"
#include "attn/writers.hpp"
#include "core/trace/hidden_cells.hpp"
#include "render/story/cells/cell_address.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/cells/cell_remarks.hpp"
#include "render/story/cells/cell_tree.hpp"
#include "render/story/cells/why_hidden.hpp"
#include "render/story/cells/worked_cell.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/step_grids.hpp"
#include "render/story/steps/step_numbers.hpp"
#include "render/writers/worked_lines.hpp"

namespace attn {
namespace {

std::vector<double> numbers_of(const Step& step, Cell cell) {
  std::vector<double> row;
  for (cell.col = 0; cell.col < step.value.cols(); ++cell.col) row.push_back(step.value.at(cell));
  return row;
}

bool is_leaf(const Expression& how) { return how.kind == Expression::Kind::Leaf; }

/// The term of a row in which `first` and `second` are the same part of the first two cells;
/// nothing if the row is not a sum of rows.
std::optional<RowTerm> row_term(const Trace& trace, const Step& step, const Expression& first,
                                const Expression& second) {
  const bool product = first.kind == Expression::Kind::Product && first.parts.size() == 2;
  const Expression& row = product ? first.parts[1] : first;
  const Expression& next = product ? second.parts.at(1) : second;
  if (!is_leaf(row) || row.cell.col != 0 || next.cell.col != 1) return std::nullopt;
  const Step& source = trace.input(step, static_cast<std::size_t>(row.input));
  const bool has_rows = source.info().row_axis != std::string_view("1");
  RowTerm term{{},
               1.0,
               has_rows ? row_name(source, row.cell) : step_name(source),
               numbers_of(source, row.cell)};
  if (!product) return term;
  const Expression& factor = first.parts[0];
  if (!is_leaf(factor) || factor.cell != second.parts[0].cell) return std::nullopt;
  const Step& weights = trace.input(step, static_cast<std::size_t>(factor.input));
  term.factor = {weights.id, factor.cell, cell_name(weights, factor.cell)};
  term.weight = factor.value;
  return term;
}

bool is_taken_out(const Trace& trace, const Step& step, const Expression& term) {
  if (term.kind != Expression::Kind::Product || !is_leaf(term.parts[0])) return false;
  const Step& weights = trace.input(step, static_cast<std::size_t>(term.parts[0].input));
  return term.parts[0].value == 0.0 && shows_hidden(trace, weights) &&
         is_hidden(trace, weights, term.parts[0].cell);
}

/// The terms of a row; none if it is not a sum of rows.
std::vector<RowTerm> terms_of(const Trace& trace, const Step& step, Cell cell) {
  cell.col = 0;
  if (step.value.cols() < 2) return {};
  const Expression first = derive(trace, step, cell);
  cell.col = 1;
  const Expression second = derive(trace, step, cell);
  if (first.kind != Expression::Kind::Sum || second.parts.size() != first.parts.size()) return {};
  std::vector<RowTerm> terms;
  for (std::size_t i = 0; i < first.parts.size(); ++i) {
    if (is_taken_out(trace, step, first.parts[i])) continue;
    const auto term = row_term(trace, step, first.parts[i], second.parts[i]);
    if (!term) return {};
    terms.push_back(*term);
  }
  return terms;
}

/// The row of `place`: where it is a sum of rows, in symbols and in numbers, without the terms that
/// a mask takes out; else cell by cell.
std::vector<Worked> worked_row(const Trace& trace, const StepCell& place) {
  std::vector<StepCell> copies{place};
  while (copies.back().step->operation->copies && can_derive(trace, *copies.back().step))
    copies.push_back({&trace.input(*copies.back().step, 0), place.cell});
  Worked whole;
  whole.terms = terms_of(trace, *copies.back().step, place.cell);
  if (whole.terms.empty()) {
    std::vector<Worked> cells;
    Cell first = place.cell;
    first.col = 0;
    const std::string head = head_text(*place.step, place.cell);
    for (Cell cell = first; cell.col < place.step->value.cols(); ++cell.col)
      cells.push_back(worked_cell(trace, origin_of(trace, *place.step, cell), head));
    return cells;
  }
  for (const StepCell& each : copies)
    whole.cells.push_back({each.step->id, each.cell, row_name(*each.step, each.cell)});
  whole.row = numbers_of(*place.step, place.cell);
  return {whole};
}

constexpr std::size_t kScreenLines = 22;  // of 24: room for a prompt and for what comes next

/// Works out the cells of a tree, each before what it was made from.
class CellStory {
 public:
  explicit CellStory(const Trace& trace) : trace_(trace) {}

  std::vector<Worked> worked_cells(const CellTree& tree) {
    const StepCell& root = tree.nodes.front().place;
    printed_.assign(tree.nodes.size(), false);
    pointed_.assign(tree.nodes.size(), {});
    add_node(tree, 0, 0, "", head_text(*root.step, root.cell));
    return std::move(cells_);
  }

 private:
  /// `lead` comes before the line; `head` is that of the line of `parent`.
  void add_node(const CellTree& tree, std::size_t index, std::size_t parent,
                const std::string& lead, std::string head) {
    const CellNode& node = tree.nodes[index];
    const CellOrigin origin = origin_of(trace_, *node.place.step, node.place.cell);
    Worked worked = worked_cell(trace_, origin, head);
    worked.lead = lead;
    worked.depth = node.depth;
    const bool given_above = origin.how.reason.empty() && has_reason_above(tree, node);
    worked.remark = given_above ? "" : new_remark(origin, worked.remark);
    const std::string known = known_text(tree, node);
    if (!known.empty() && pointed_[parent].insert(known).second)
      worked.remark = clauses({worked.remark, known});
    printed_[index] = true;
    cells_.push_back(std::move(worked));
    for (const StepCell& place : origin.copies) {
      const std::string own = head_text(*place.step, place.cell);
      if (!own.empty()) head = own;
    }
    const bool overwritten =
        origin.how.parts.empty() && hides_here(trace_, *origin.copies.back().step);
    for (const std::size_t part : node.parts)
      add_node(tree, part, index, overwritten ? translated("before hiding:") : "", head);
  }

  /// Whether a cell is hidden for the reason already given for the first one.
  bool has_reason_above(const CellTree& tree, const CellNode& node) const {
    const StepCell& root = tree.nodes.front().place;
    return node.place.cell == root.cell && !hidden_text(trace_, *root.step, root.cell).empty();
  }

  /// The remark of a cell: its `own`; without one, which keys are left out and which numbers are
  /// given. Nothing is said twice.
  std::string new_remark(const CellOrigin& origin, const std::string& own) {
    const StepCell& last = origin.copies.back();
    const std::string of_step = last.step->id;
    if (last.step->is_given()) return said_.insert(of_step).second ? own : "";
    if (!own.empty()) return own;
    const std::string hidden = hidden_keys_text(trace_, *last.step, last.cell);
    const std::string keys = said_.insert(hidden).second ? hidden : "";
    const std::string givens = givens_text(trace_, origin);
    if (givens.empty() || !said_.insert(of_step).second) return keys;
    return clauses({keys, givens});
  }

  /// "Q[cat, …] above": where to find the lines of numbers that have none below this one.
  std::string known_text(const CellTree& tree, const CellNode& node) const {
    std::string text;
    for (const bool above : {true, false}) {
      std::vector<std::pair<const Step*, std::vector<Cell>>> groups;
      for (const std::size_t known : node.known) {
        const StepCell& place = tree.nodes[known].place;
        if (printed_[known] != above) continue;
        if (groups.empty() || groups.back().first != place.step) groups.push_back({place.step, {}});
        groups.back().second.push_back(place.cell);
      }
      if (groups.empty()) continue;
      std::vector<std::string> names;
      for (const auto& [step, cells] : groups) names.push_back(cells_name(*step, cells));
      const std::string which = separated(names, translated(" and "));
      text = comma_joined(
          {text, above ? translated("{cells} above", which) : translated("{cells} below", which)});
    }
    return text;
  }

  const Trace& trace_;
  std::vector<Worked> cells_ = {};
  std::vector<bool> printed_ = {};                   // of the nodes of the tree
  std::vector<std::set<std::string>> pointed_ = {};  // known_text among the parts of each node
  std::set<std::string> said_{""};
};

/// "2×5×5", "batch 0", "head 1"
std::vector<std::string> facts_of(const StepCell& place) {
  const Shape& shape = place.step->value.shape();
  std::vector<std::string> facts{shape_text(shape.sizes())};
  if (shape.batch) facts.push_back(translated("batch {n}", place.cell.batch));
  if (shape.heads) facts.push_back(head_text(*place.step, place.cell));
  return facts;
}

/// "… 12 more cells below: --depth 4 shows them", in the words of the program.
std::string left_text(const CellTree& tree, const View& view) {
  const int next = tree.nodes.back().depth + 1;
  const bool many = tree.left > kMostCounted;
  const std::string cells =
      many ? translated("more than {n} cells", kMostCounted)
           : translated_count(static_cast<std::ptrdiff_t>(tree.left), "more cell");
  if (view.depth && *view.depth >= next)
    return translated("… {cells} below, too many to show", cells);
  const std::string option = view.depth_name + " " + std::to_string(next);
  return translated(tree.left == 1 ? "… {cells} below: {option} shows it"
                                   : "… {cells} below: {option} shows them",
                    cells, option);
}

/// What the cell, or its row, is, why its step exists, and why the cell is hidden.
std::vector<Block> opening_of(const Trace& trace, const StepCell& place, bool whole_row = false) {
  const auto& [step, cell] = place;
  const std::string name = whole_row ? row_name(*step, cell) : cell_name(*step, cell);
  std::vector<Block> blocks{Title{translated("Where {cell} comes from", name),
                                  formula_in_language(trace, *step), facts_of(place)}};
  const std::string hidden = whole_row ? "" : why_hidden(trace, *step, cell);
  const auto own = whole_row ? std::nullopt : std::optional<Cell>(cell);
  for (const std::string& text : {why_text(trace, *step, own), hidden}) {
    if (!text.empty()) blocks.push_back(Paragraph{text});
  }
  return blocks;
}

/// How many lines a tree that is cut below `depth` takes on a screen of 80 columns.
std::size_t height(const std::vector<Worked>& cells, const std::vector<std::size_t>& lines,
                   int depth) {
  std::size_t sum = 0;
  const Worked* above = nullptr;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].depth > depth) continue;
    sum += lines[i] + (above != nullptr && goes_back(*above, cells[i]) ? 1 : 0);
    above = &cells[i];
  }
  return sum;
}

/// The tree of the given depth; without one, of the largest depth that fits a screen of 80 columns,
/// and at least one level below the number. Files get what screens get.
CellTree fitting_tree(const Trace& trace, const StepCell& place, const View& view) {
  const TextStyle screen{.width = 80, .fit = Fit::Screen};
  CellTree tree = cell_tree(trace, place, view.depth);
  if (view.depth) return tree;
  const std::string opening = write_text({opening_of(trace, place)}, screen);
  const auto above = static_cast<std::size_t>(std::count(opening.begin(), opening.end(), '\n')) + 1;
  const std::size_t below = (dtype_text(trace) == "float64" ? 0U : 3U);
  const std::vector<Worked> cells = CellStory(trace).worked_cells(tree);
  std::vector<std::size_t> lines;
  for (const Worked& cell : cells)
    lines.push_back(worked_lines(cell, view.precision, screen).size());
  const int deepest = tree.nodes.back().depth;
  int depth = deepest;
  const auto fits = [&] {
    const std::size_t left = depth < deepest || tree.left > 0 ? 2 : 0;
    return above + height(cells, lines, depth) + left + below <= kScreenLines;
  };
  while (depth > 1 && !fits()) --depth;
  return depth == deepest ? tree : cell_tree(trace, place, depth);
}

}  // namespace

std::vector<const Step*> steps_for_cell(const Trace& trace, const std::string& cell_text,
                                        const View& view) {
  const ModelPlace place = place_of(*read_address(trace, cell_text, view).place.step->scope);
  std::vector<const Step*> steps = steps_and_givens(trace);
  std::erase_if(steps, [&](const Step* step) { return !place_of(*step->scope).same_layer(place); });
  return steps;
}

Document explain_cell(const Trace& trace, const std::string& cell_text, const View& view) {
  const Address address = read_address(trace, cell_text, view);
  if (view.depth && (!address.names_step || address.whole_row)) {
    const std::string names =
        address.whole_row ? "\" is a whole row" : "\" names a query and a key, but no step";
    const std::string one = address.whole_row ? cell_text + ",0" : "weights:" + cell_text;
    throw Error(ErrorKind::Usage,
                {{.id = "needs-cell",
                  .what = view.depth_name + " has no effect: \"" + cell_text + names,
                  .fix = "Name one number, such as " + one + "."}});
  }
  if (!address.names_step) {
    View moved = view;
    moved.pair = cell_text;
    return explain(trace, moved);
  }
  const StepCell& place = address.place;
  Document document{opening_of(trace, place, address.whole_row), view.precision};
  const auto add = [&](std::vector<Worked> cells) {
    for (Worked& cell : cells) document.blocks.push_back(std::move(cell));
  };
  if (address.whole_row) {
    add(worked_row(trace, place));
  } else {
    const CellTree tree = fitting_tree(trace, place, view);
    add(CellStory(trace).worked_cells(tree));
    if (tree.left > 0) document.blocks.push_back(Paragraph{left_text(tree, view), Role::Footer});
  }
  if (dtype_text(trace) != "float64")
    document.blocks.push_back(Paragraph{
        translated(
            "Every result is rounded to {dtype}, so the arithmetic gives almost the same number.",
            dtype_text(trace)),
        Role::Footer});
  return document;
}

}  // namespace attn
