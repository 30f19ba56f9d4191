// The logit lens as tables: a line for each layer, and the words that it would predict.
#include <algorithm>
#include <vector>

#include "attn/language.hpp"
#include "attn/render/inside.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/steps/best_columns.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/step_grids.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

constexpr Index kLensWords = 5;  // of one query

/// Probabilities of all lenses, in the order of the layers.
std::vector<const Step*> lenses_of(const Trace& trace) {
  std::vector<const Step*> lenses;
  for (const Step& step : trace.steps) {
    const bool of_lens = place_of(*step.scope).layer && step.info().role == StepRole::Probabilities;
    if (of_lens) lenses.push_back(&step);
  }
  return lenses;
}

/// The most probable words of a row, the best first.
std::vector<Index> likeliest(const Step& step, const Cell& row, Index count) {
  return best_columns(step.value.row(row.batch, row.head, row.row), count);
}

/// "key 0.93"
std::string word_text(const Step& step, Cell cell, Index column, int precision) {
  cell.col = column;
  return col_label(step, cell) + " " + format_number(step.value.at(cell), {precision});
}

std::string layer_text(std::size_t i, std::size_t lenses) {
  if (i + 1 == lenses) return translated("at the end");
  return translated("before layer {n}", i);
}

class LensTables {
 public:
  LensTables(const std::vector<const Step*>& lenses, const GridChoice& grid, int precision)
      : lenses_(lenses), grid_(grid), precision_(precision) {}

  /// A column for each query.
  void add_all(Document& document) const {
    Table table = begun(grid_.caption);
    for (Index r = 0; r < lenses_.front()->value.rows(); ++r) {
      table.header.push_back(row_label(*lenses_.front(), at(r)));
      for (std::size_t i = 0; i < lenses_.size(); ++i) {
        const Index best = likeliest(*lenses_[i], at(r), 1).front();
        table.rows[i].push_back(word_text(*lenses_[i], at(r), best, precision_));
      }
    }
    table.texts = table.header.size();
    table.alike = true;
    document.blocks.emplace_back(std::move(table));
  }

  void add_query(Document& document) const {
    const Step& first = *lenses_.front();
    Table table = begun(row_label(first, at(*grid_.row)));
    const Index count = std::min(kLensWords, first.value.cols());
    for (Index k = 0; k < count; ++k)
      table.header.push_back(k == 0 ? translated("most probable") : "");
    for (std::size_t i = 0; i < lenses_.size(); ++i) {
      for (const Index column : likeliest(*lenses_[i], at(*grid_.row), count))
        table.rows[i].push_back(word_text(*lenses_[i], at(*grid_.row), column, precision_));
    }
    table.texts = table.header.size();
    document.blocks.emplace_back(std::move(table));
  }

 private:
  Cell at(Index row) const { return {grid_.batch, grid_.head, row, 0}; }

  Table begun(const std::string& corner) const {
    Table table{{corner}, {}, 1};
    for (std::size_t i = 0; i < lenses_.size(); ++i)
      table.rows.push_back({layer_text(i, lenses_.size())});
    return table;
  }

  const std::vector<const Step*>& lenses_;
  const GridChoice& grid_;
  int precision_;
};

}  // namespace

Document show_lens(const Trace& trace, const View& view) {
  check_choice(trace, view);
  Document document;
  document.precision = view.precision;
  add_opening(document, trace, view);
  document.blocks.emplace_back(Paragraph{translated(
      "The logit lens: what comes after the last layer is applied to what goes into each layer. So "
      "each line shows what the model would predict if it stopped there, with its probability; the "
      "last line is what it does predict.")});
  const std::vector<const Step*> lenses = lenses_of(trace);
  for (const GridChoice& grid : chosen_grids(*lenses.front(), view)) {
    const LensTables tables(lenses, grid, view.precision);
    grid.row ? tables.add_query(document) : tables.add_all(document);
  }
  return document;
}

}  // namespace attn
