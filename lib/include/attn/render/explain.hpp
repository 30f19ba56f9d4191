// Explanations of a computation: all steps, a summary, one cell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/document.hpp"
#include "attn/trace.hpp"

namespace attn {

enum class Detail {
  Brief,   ///< matrices only
  Normal,  ///< also a worked cell below each computed step
  Full,    ///< also the mask, why each step exists, softmax in separate steps
};

/// What to show of a trace.
struct View {
  std::vector<std::string> steps;    ///< ids, symbols or numbers as shown; empty: all
  std::optional<Index> batch, head;  ///< only this batch entry, only this head
  std::optional<Index> layer;        ///< of a model: only layer N of every stack
  std::optional<std::string> query;  ///< only the row of this query: token or index
  std::optional<std::string> pair;   ///< "ROW,COL": the query and the key that worked cells follow
  Detail detail = Detail::Normal;
  bool examples = true;                ///< worked cells
  bool only = false;                   ///< only matrices
  bool each = false;                   ///< all matrices of a step, even if they are alike
  int precision = kUsualDecimals;      ///< decimals, 0 to 17
  Notation notation = Notation::Auto;  ///< of the numbers of a summary
  std::optional<int> depth;  ///< explain_cell: levels below a cell; default: what fits in 24 lines
  std::string depth_name = "depth";  ///< the program's name for it
  std::string source;                ///< line below the title: where the problem came from
};

/// The steps that a view names, by id, symbol or number; every numbered step if it names none.
/// Throws Error (usage, id "no-such-step").
std::vector<const Step*> shown_steps(const Trace& trace, const View& view);

/// The whole computation, step by step: headline, matrix, worked cell.
/// Throws Error (usage) when `view` names a step, head, batch entry or query that is not there.
Document explain(const Trace& trace, const View& view);

/// Adds to a document about `trace` how every number was made, in the steps that it shows and in
/// what they were made from; for one attention of up to 12,000 numbers, also what differs without
/// masks. Above 60,000, steps that are not shown are left out, with the arithmetic that needs them;
/// if those that are shown have more than 240,000, nothing is added. With a `side`, only for the
/// matrices on that side, and not what differs without masks.
void add_cells(Document& document, const Trace& trace, const std::string& side = "");

/// The same as `explain`, with add_cells; above 60,000 numbers only the weights, with a note that
/// says so, unless `view` names steps; if more than 60,000 remain, only their values.
Document explain_page(const Trace& trace, const View& view);

/// The same as a handout: the numbers of these steps (ids) are blanks, and arithmetic that shows
/// one of them is left out.
Document with_blanks(Document document, const std::vector<std::string>& steps);

/// The cell of the weights that the worked cells are about, as `explain_cell` takes it:
/// "weights:1,1". Empty for a trace without weights.
std::string example_cell(const Trace& trace, const View& view);

/// One line per step and given: shape, range and mean of its finite numbers, and counts of the
/// others. Then how evenly each head shares its attention: the entropy of its weights, in bits.
/// Throws Error (usage) like `explain`.
Document summarize(const Trace& trace, const View& view);

/// A whole model: a line for each layer, and for each attention, norm and feed-forward part of it:
/// shape, range, the entropy of each head's weights. Throws Error (usage) like `explain`.
Document summarize_model(const Trace& trace, const View& view);

/// What would be computed: a line for each step with its shape and its formula. `shapes` needs no
/// numbers. Throws Error (usage) like `explain`.
Document list_shapes(const Trace& shapes, const View& view);

/// How one number came about: its arithmetic, then that of the numbers in it, indented, down to
/// the givens. `cell_text` is "STEP:ROW,COL" or a name as the output prints it, "A[cat, the]"; rows
/// and columns by index or token. "STEP:ROW" is a whole row. "ROW,COL", a query and a key, gives
/// all of `explain`, its worked cells following these two. `view` gives head and batch entry
/// (default 0), depth, and the rest of how to show it. Throws Error (usage) when there is no such
/// cell.
Document explain_cell(const Trace& trace, const std::string& cell_text, const View& view);

/// The steps and givens whose numbers `explain_cell` and `number_trees` need of a model: those of
/// the layer of the cell. `trace` may be an outline.
std::vector<const Step*> steps_for_cell(const Trace& trace, const std::string& cell_text,
                                        const View& view);

/// A number and the numbers that it was made from.
struct NumberTree {
  std::string step;  ///< id
  Cell cell;
  bool has_batch = false, has_head = false;  ///< whether the step has several
  std::string name;                          ///< "A[cat, the] of head 1"
  double value = 0.0;
  std::string hidden = {};      ///< why it is hidden; empty if it is not
  std::string expression = {};  ///< with every digit; empty if nothing was computed
  bool repeated = false;        ///< the details are where this number is nearest to the top
  std::vector<NumberTree> operands = {};
};

/// The same as explain_cell for programs: one tree for a cell, one for each cell of a row; for a
/// query and a key, that of their weight. `view.depth` levels, by default down to the givens.
std::vector<NumberTree> number_trees(const Trace& trace, const std::string& cell_text,
                                     const View& view);

}  // namespace attn
