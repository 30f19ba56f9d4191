#include "attn/explain.hpp"

#include <algorithm>
#include <cmath>

#include "attn/error.hpp"
#include "attn/suggest.hpp"
#include "render/arithmetic.hpp"
#include "render/grids.hpp"
#include "render/labels_of.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostTerms = 8;

/// "5×6" with the leading axes in front; how sizes meet, "(5×6)·(6×4) → 5×4".
std::string shape_phrase(const Trace& trace, const Step& step) {
  const auto plain = [](const Tensor& t) { return shape_text(t.shape().sizes()); };
  const auto pair = [](Index rows, Index cols) {
    return "(" + std::to_string(rows) + "×" + std::to_string(cols) + ")";
  };
  std::string result = plain(step.value);
  if (step.op == Op::Given) return result;
  const std::vector<const Tensor*> in = trace.inputs(step);
  switch (step.op) {
    case Op::Linear:
    case Op::Multiply:
      return pair(in[0]->rows(), in[0]->cols()) + "·" + pair(in[1]->rows(), in[1]->cols()) + " → " +
             result;
    case Op::MultiplyTransposed:
      return pair(in[0]->rows(), in[0]->cols()) + "·" + pair(in[1]->cols(), in[1]->rows()) + " → " +
             result;
    default:
      return in[0]->shape() == step.value.shape() ? result : plain(*in[0]) + " → " + result;
  }
}

/// The steps that the view asks for, in order. The mask is told by the masked scores unless the
/// view asks for it or for every detail.
std::vector<const Step*> chosen_steps(const Trace& trace, const View& view) {
  std::vector<const Step*> chosen;
  std::vector<std::string> ids;
  for (const Step& step : trace.steps) {
    ids.push_back(step.id);
    const bool named = std::find(view.steps.begin(), view.steps.end(), step.id) != view.steps.end();
    const bool told_later =
        step.id == "mask" && view.detail != Detail::Full && trace.find("masked_scores") != nullptr;
    if (view.steps.empty() ? !told_later : named) chosen.push_back(&step);
  }
  for (const std::string& id : view.steps) {
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
    const std::string guess = did_you_mean(id, ids);
    std::string all;
    for (const std::string& each : ids) all += (all.empty() ? "" : ", ") + each;
    throw Error(Fault::Usage, {{.id = "no-such-step",
                                .what = is_step_id(id) ? "this problem has no step \"" + id + "\""
                                                       : "there is no step \"" + id + "\"" +
                                                             (guess.empty() ? "" : "; " + guess),
                                .fix = "Name some of " + all + ".",
                                .help = "attn help attention"}});
  }
  return chosen;
}

/// A cell whose arithmetic teaches something: not 0, not 1, not infinite; in the second row if
/// possible, where a causal mask leaves a choice.
Cell telling_cell(const Tensor& t, const Cell& first, bool row_is_fixed) {
  const auto tells = [&](const Cell& cell) {
    const double x = t.at(cell);
    return std::isfinite(x) && x != 0.0 && x != 1.0;
  };
  for (Index step = 0; step < t.rows(); ++step) {
    const Index row = row_is_fixed ? first.row : (step + 1) % t.rows();
    for (Index col = 0; col < t.cols(); ++col) {
      const Cell cell{first.batch, first.head, row, col};
      if (tells(cell)) return cell;
    }
    if (row_is_fixed) break;
  }
  return {first.batch, first.head, row_is_fixed ? first.row : t.rows() > 1 ? 1 : 0, 0};
}

void add_worked_cell(Document& document, const Trace& trace, const Step& step, const View& view,
                     const std::vector<GridChoice>& grids) {
  if (step.op == Op::Given || grids.empty()) return;
  const GridChoice& grid = grids.front();
  const Cell cell = telling_cell(step.value, {grid.batch, grid.head, grid.row.value_or(0), 0},
                                 grid.row.has_value());
  const Expression how = derive(trace, step, cell);
  if (how.kind == Expression::Kind::Leaf) return;  // only moved: the matrix shows it
  std::string text = "e.g. " + cell_name(trace, step, cell) + " = ";
  if (!how.parts.empty()) text += arithmetic_text(how, view.precision, kMostTerms) + " = ";
  document.blocks.push_back(Worked{text + short_number(step.value.at(cell), view.precision)});
}

std::string plural(Index n, const std::string& word) {
  return std::to_string(n) + " " + word + (n == 1 ? "" : "s");
}

std::string facts(const Trace& trace) {
  const Settings& s = trace.settings;
  std::string text;
  if (s.has_batch) text += "batch of " + std::to_string(s.batch) + " · ";
  if (s.has_heads) text += plural(s.heads, "head") + " · ";
  if (s.kv_heads != s.heads) text += std::to_string(s.kv_heads) + " kv · ";
  text += s.n_queries == s.n_keys
              ? plural(s.n_queries, "token")
              : std::to_string(s.n_queries) + " queries · " + plural(s.n_keys, "key");
  if (s.d_model) text += " · d_model " + std::to_string(*s.d_model);
  return text + " · d_k " + std::to_string(s.d_k) + " · d_v " + std::to_string(s.d_v);
}

std::string masks_text(const Settings& s) {
  std::string text;
  for (const std::string& mask : s.masks) text += (text.empty() ? "mask: " : ", ") + mask;
  return text;
}

void add_head(Document& document, const Trace& trace, const View& view) {
  const std::string title = trace.title.empty() ? "Scaled dot-product attention" : trace.title;
  document.blocks.push_back(Title{title, facts(trace)});
  const std::string masks = masks_text(trace.settings);
  const std::string line =
      view.source + (view.source.empty() || masks.empty() ? "" : " · ") + masks;
  if (!line.empty()) document.blocks.push_back(Paragraph{line});
  if (!trace.description.empty()) document.blocks.push_back(Paragraph{trace.description});
  for (const std::string& note : trace.notes) document.blocks.push_back(Note{note});
}

}  // namespace

Document explain(const Trace& trace, const View& view) {
  check_choice(trace, view);
  const std::vector<const Step*> steps = chosen_steps(trace, view);
  Document document;
  document.precision = view.precision;
  add_head(document, trace, view);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = *steps[i];
    document.blocks.push_back(StepHeading{i + 1, steps.size(), step.id, formula_text(trace, step),
                                          step.info().phrase, shape_phrase(trace, step)});
    if (view.detail == Detail::Full) document.blocks.push_back(Paragraph{step.info().why});
    const std::vector<GridChoice> grids = chosen_grids(trace, step, view);
    for (const GridChoice& choice : grids)
      document.blocks.push_back(make_grid(trace, step, choice));
    if (view.detail != Detail::Brief) add_worked_cell(document, trace, step, view, grids);
  }
  return document;
}

}  // namespace attn
