// What a program says, before a writer decides how it looks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "attn/core/expression.hpp"
#include "attn/render/cell_book.hpp"

namespace attn {

enum class CellVerdict : unsigned char;  // attn/check.hpp

// All text is raw: each writer escapes its own language, and spacing is the writer's. Formulas are
// in the notation of attn/render/formula.hpp.

/// When numbers are written like 1.5e+05.
enum class Notation {
  Auto,  ///< if the largest magnitude is at least 1e5, or every non-zero one is below 1e-3
  Fixed,
  Scientific
};

/// What a number in a grid is, apart from its value.
enum class CellKind : unsigned char {
  Number,
  HiddenScore,   ///< a score that a mask removed
  HiddenWeight,  ///< a weight that is exactly 0 because its key is hidden or its query is padding
  Blank,         ///< for the reader to fill in: its number is NaN
};

/// One matrix with its labels.
struct Grid {
  std::string step = {};                       ///< id of the step whose numbers these are
  std::optional<Index> batch = {}, head = {};  ///< of the step, if it has several
  std::string caption;                         ///< "head 0"; empty for the only matrix of a step
  std::string row_title, col_title;            ///< "query", "key"; empty if the labels say enough
  std::vector<std::string> row_labels, col_labels;
  bool row_tokens = false, col_tokens = false;  ///< labels are tokens (repeated ones get numbered)
  std::vector<double> numbers;                  ///< row-major; empty if there are marks
  std::vector<CellKind> kinds;                  ///< one per cell
  std::vector<CellVerdict> marks = {};  ///< what became of each cell, in place of its number
  std::vector<std::size_t> rows = {};   ///< those to show, if not all. Labels and cells are there
                                        ///< for all, so that repeated tokens keep their numbers
  bool comma = false;                   ///< decimals have a comma
  bool shares = false;                  ///< rows of weights: show their sum and a strip
  bool legend = false;                  ///< explain its signs
  std::vector<double> gaps = {};  ///< how far each number is from that of another grid, 0 … 1 (the
                                  ///< farthest); it is marked unless 0. Empty: no marks
  bool starts_row = false;      ///< not beside the matrix before it
  std::string name = {};        ///< of the step: "A, attention weights"
  std::string side = {};        ///< of which trace, where a document is about several: "left"
  Index first_row = 0;          ///< of the step; more than 0 where only one row is shown
  bool stands_for_all = false;  ///< all matrices of the step are like this one
  std::string last_step = {};   ///< id of a bias whose only row is the last one here; empty: none
  std::size_t beside = 0;       ///< how many of the last columns are not of the step: its sink
};

/// The headline of a step.
struct StepHeading {
  std::size_t number = 0, total = 0;  ///< 0 = not one of the numbered steps
  std::string id;                     ///< "scaled_scores"
  std::string formula;                ///< "S′ = S / √d_k"
  std::string phrase;                 ///< "scaled before softmax"
  std::string shape;                  ///< "(5×4)·(4×5) → 5×5"
};

/// Title of a document: a line of text, its formula, and facts to put beside it.
struct Title {
  std::string text;
  std::string formula = {};             ///< may be empty
  std::vector<std::string> facts = {};  ///< "5 tokens", "d_k 4"
  std::size_t level = 1;  ///< 2, 3: the heading of a section; 1 begins a sheet of paper
};

/// What a paragraph is for. Each writer has a table that says how that looks.
enum class Role : unsigned char {
  Plain,
  Facts,     ///< short ones in a row, " · " between them: the file, settings
  Aside,     ///< in place of a matrix, or about the one above
  Note,      ///< something the reader must know: an empty row, a conversion
  Footer,    ///< a remark on everything above it
  Labelled,  ///< a word or two in front say what it is: "Ask yourself  What …?"
};

struct Paragraph {
  std::string text;
  Role role = Role::Plain;
  std::string label = {};
  bool apart = false;   ///< with space above it
  bool folded = false;  ///< a page shows only the label until a reader asks for the rest
};

/// Lines as they are: never wrapped.
struct Code {
  std::vector<std::string> lines;
};

/// Items, each with a term in front or without one.
struct List {
  struct Item {
    std::string term, text;
  };
  std::vector<Item> items;
};

/// Facts in columns: the first `texts` columns are words, the others numbers. A row that begins
/// with spaces is part of the last one that does not: "  norm1" below "h.0" is h.0.norm1.
/// What has no room as columns becomes sentences.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::size_t texts = 1;
  bool commands = false;    ///< the first column is to be typed: never broken, never in a sentence
  bool inside = false;      ///< in the place of a step's matrix
  bool hangs = false;       ///< the last column is prose, which is wrapped; its header may be empty
  std::ptrdiff_t left = 0;  ///< cells in front of that prose, at least: so several tables line up
  bool alike = false;  ///< columns but the first are alike: without room, some below the others
  std::vector<std::size_t> bars = {};  ///< columns that draw what others say: left out without room

  /// Whether a column begins at its left: words, and what is drawn.
  bool is_left(std::size_t column) const {
    return column < texts || std::find(bars.begin(), bars.end(), column) != bars.end();
  }
};

/// A cell that a reader can look up, and its name in the arithmetic.
struct NamedCell {
  std::string step;  ///< id
  Cell cell;
  std::string name;  ///< "Q[cat, q0]", "Z[cat, z1] of head 1"
};

/// One term of a row that is a sum of rows: "A[cat, the]·V[the]"; a bias has no factor (no name).
struct RowTerm {
  NamedCell factor;
  double weight = 1.0;
  std::string name;
  std::vector<double> row;
};

/// How one number is made: "Q[cat, q0] = 1·2 + 0·1 = 2"; or a whole row.
struct Worked {
  std::string lead = {};                 ///< text before it: "e.g. head 0:", "before hiding:"
  std::vector<NamedCell> cells = {};     ///< the cell, then what it is a copy of
  Expression how = {};                   ///< how the last of them was made, unless it has no parts
  std::vector<std::string> inputs = {};  ///< ids of the steps that the leaves of `how` are cells of
  double result = 0.0;
  std::vector<RowTerm> terms = {};  ///< of a row, in place of `how`
  std::vector<double> row = {};     ///< of a row, in place of `result`
  std::string remark = {};          ///< "hidden by causal: the key comes later"
  std::string side = {};            ///< as Grid::side
  int depth = 0;                    ///< how many cells it is below the first one
  std::size_t most_terms = 40;      ///< a longer sum may be shortened on a screen
};

/// Steps that were checked: a sign for each, and facts in columns.
struct Checklist {
  struct Item {
    CellVerdict verdict;
    std::size_t number = 0, total = 0;  ///< 0 = not one of the numbered steps
    std::string symbol, id;             ///< "S′", "scaled_scores"
    std::string shape, share;           ///< "4×4", "3 of 16"
    std::string remark = {};            ///< "2 blank"
    bool first_wrong = false;
  };
  std::vector<Item> items;
};

using Block =
    std::variant<Title, Paragraph, Code, List, StepHeading, Grid, Table, Worked, Checklist>;

/// Whether it is a paragraph with that role.
inline bool has_role(const Block& block, Role role) {
  const auto* paragraph = std::get_if<Paragraph>(&block);
  return paragraph != nullptr && paragraph->role == role;
}

/// Decimals where nobody asks for others; a heat map and --big have fewer.
inline constexpr int kUsualDecimals = 3;

struct Document {
  std::vector<Block> blocks;
  int precision = kUsualDecimals;  ///< decimals of the numbers in grids
  CellBook cells = {};             ///< for writers of pages (Format::asks_cells)
  /// What `cells` would be without the masks: the steps that differ. Empty if nothing is hidden.
  CellBook unmasked = {};
  /// A sheet as JSON, for writers of pages: its blanks can be filled in there.
  std::string form = {};
  /// What such a page offers where it asks for a mistake: codes and titles.
  std::vector<std::pair<std::string, std::string>> mistakes = {};
  bool written_on = false;   ///< has blanks for a hand: sheets begin on new pages of A4 and Letter
  std::string picture = {};  ///< as SVG, for writers of pages: above everything but the header
};

}  // namespace attn
