// Goes through the cells of each step, and records patterns, values in between and remarks.
#include "render/story/cells/cell_book.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "core/trace/hidden_cells.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/cells/cell_patterns.hpp"
#include "render/story/cells/cell_remarks.hpp"
#include "render/story/cells/why_hidden.hpp"
#include "render/story/cells/worked_cell.hpp"
#include "render/story/steps/step_numbers.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

/// The names of one axis, one list for all matrices if they are alike.
using Names = std::vector<std::vector<std::string>>;

Names names_of(const Step& step, bool rows) {
  const Tensor& t = step.value;
  const std::string_view axis = rows ? step.info().row_axis : step.info().col_axis;
  Names all;
  if (axis == "1") return all;
  for (Index b = 0; b < t.batch(); ++b) {
    for (Index h = 0; h < t.heads(); ++h) {
      std::vector<std::string> names;
      for (Index i = 0; i < (rows ? t.rows() : t.cols()); ++i)
        names.push_back(rows ? row_label(step, {b, h, i, 0}) : col_label(step, {b, h, 0, i}));
      all.push_back(std::move(names));
    }
  }
  const bool alike =
      std::all_of(all.begin(), all.end(), [&](const auto& names) { return names == all.front(); });
  if (alike && !all.empty()) all.resize(1);
  return all;
}

/// Adds the values of the parts that are computed before the last stage of the arithmetic: those
/// that `with_values` replaces.
void add_values_between(const Expression& how, std::vector<double>& values) {
  using Kind = Expression::Kind;
  const bool has_terms = how.kind == Kind::Sum || how.kind == Kind::Negative;
  for (const Expression& part : how.parts) {
    if (has_terms && (part.kind == Kind::Product || part.kind == Kind::Negative)) {
      add_values_between(part, values);
    } else if (!part.parts.empty()) {
      values.push_back(part.value);
    }
  }
}

class Recording {
 public:
  /// `derives`: the numbers of everything that the step was made from can be looked up.
  Recording(const Trace& trace, const Step& step, bool derives)
      : trace_(trace), step_(step), derives_(derives), hidden_(trace, *step.scope) {
    origins_.id = step.id;
    origins_.name = step_name(step);
    const std::string title = step.info().title;
    origins_.title = origins_.name == title ? title : title_of(step.info());
    origins_.shape = step.value.shape();
    origins_.kv_heads = has_kv_heads(step);
    origins_.numbers = step.value.data().copy();
    origins_.rows = names_of(step, true);
    origins_.cols = names_of(step, false);
    origins_.inputs = step.inputs;
    origins_.remarks = {""};
  }

  CellOrigins take() {
    const Tensor& t = step_.value;
    for (Index b = 0; b < t.batch(); ++b) {
      for (Index h = 0; h < t.heads(); ++h) {
        for (Index r = 0; r < t.rows(); ++r) {
          for (Index c = 0; c < t.cols(); ++c) add({b, h, r, c});
        }
      }
    }
    origins_.patterns = patterns_.take();
    return std::move(origins_);
  }

 private:
  void add(const Cell& cell) {
    Expression how;
    if (derives_) {
      how = derive(trace_, step_, cell);
      add_values_between(how, origins_.parts.emplace_back());
      origins_.rounded.push_back(!is_nearly(how.value, step_.value.at(cell)));
      const bool replaces = hides_here(trace_, step_);
      const Expression instead =
          replaces ? leaf(trace_.input(step_, 0).value, 0, cell) : Expression();
      origins_.pattern.push_back(patterns_.add(how, cell, replaces ? &instead : nullptr));
    }
    add_remark(remark_of(cell, how));
    origins_.hidden.push_back((shows_hidden(trace_, step_) && hidden_(cell)) ||
                              is_padded_row(trace_, step_, cell));
  }

  /// What is said beside a cell.
  std::string remark_of(const Cell& cell, const Expression& how) {
    if (!how.reason.empty()) return how.reason;
    const std::string hidden = hidden_text(trace_, step_, cell);
    if (!hidden.empty()) return hidden;
    if (step_.is_given()) return given_text(step_, cell);
    if (!derives_) return "";
    const Cell start{cell.batch, cell.head, cell.row, 0};
    if (!(row_ == start)) row_remark_ = hidden_keys_text(trace_, step_, cell);
    row_ = start;
    return row_remark_;
  }

  void add_remark(const std::string& text) {
    const auto [at, is_new] = known_.insert({text, known_.size()});
    origins_.remark.push_back(at->second);
    if (is_new) origins_.remarks.push_back(text);
  }

  const Trace& trace_;
  const Step& step_;
  bool derives_;
  CellPatterns patterns_ = {};
  HiddenCells hidden_;
  std::optional<Cell> row_ = {};
  std::string row_remark_ = {};  ///< the same for all visible cells of that row
  std::map<std::string, std::size_t> known_ = {{"", 0}};
  CellOrigins origins_ = {};
};

}  // namespace

CellBook cell_book(const Trace& trace, const std::set<std::string>& ids,
                   const std::set<std::string>& sources) {
  const auto derives = [&](const Step& step) {
    const auto in_book = [&](const std::string& id) { return sources.contains(id); };
    return !step.is_given() && can_derive(trace, step) &&
           std::all_of(step.inputs.begin(), step.inputs.end(), in_book);
  };
  CellBook book;
  for (const Step* step : steps_and_givens(trace)) {
    if (ids.contains(step->id) && !step->is_outline())
      book.push_back(Recording(trace, *step, derives(*step)).take());
  }
  return book;
}

}  // namespace attn
