// Summarises a whole model: a line for each layer and each part of it.
#include <algorithm>
#include <cmath>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/formula.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/statistics.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

constexpr std::size_t kHeadsApart = 3;  ///< more are a range
constexpr double kLarge = 1e4;          ///< with an exponent

/// How the numbers of a row are written: with an exponent if `exponent`, unless the view decides.
NumberFormat format_of(const View& view, bool exponent) {
  const Notation notation = view.notation;
  return {view.precision, notation == Notation::Auto ? exponent : notation == Notation::Scientific};
}

std::vector<std::string> line(const std::string& name, const Step& step, const std::string& shape,
                              const View& view) {
  Statistics s;
  for (const double x : step.value.stored()) s.count(x);
  const bool large = s.finite > 0 && std::max(-s.least, s.most) >= kLarge;
  const auto text = [&](double x) {
    return s.finite == 0 ? "-" : format_number(x, format_of(view, large));
  };
  return {name, shape, text(s.least), text(s.most), "", ""};
}

std::string shape_of(const Step& step) { return shape_text(step.value.shape().sizes()); }

/// "0.42  1.31" for few heads, "0.42 – 1.98" for many; then the most that it could be.
void add_entropy(std::vector<std::string>& cells, const std::vector<HeadEntropy>& heads,
                 const View& view) {
  const auto text = [&](const HeadEntropy& head, double mean) {
    return mean_text(head, mean, view.precision, view.notation);
  };
  const auto less = [](const HeadEntropy& a, const HeadEntropy& b) { return a.bits < b.bits; };
  const auto [least, most] = std::minmax_element(heads.begin(), heads.end(), less);
  std::vector<std::string> each;
  for (const HeadEntropy& head : heads) each.push_back(text(head, head.bits));
  cells[4] = each.size() <= kHeadsApart
                 ? separated(each, "  ")
                 : text(*least, least->bits) + " – " + text(*most, most->bits);
  cells[5] = text(*most, most->most);
}

/// Builds the table from the steps in order.
class SummaryLines {
 public:
  SummaryLines(const Trace& trace, const View& view) : trace_(trace), view_(view) {}

  Table table() {
    for (const Step& step : trace_.steps) {
      if (step.info().role == StepRole::Gradient) break;
      const ModelPlace place = place_of(*step.scope);
      if (!place.same_layer(place_)) {
        end_layer();
        begin_layer(place);
      }
      last_ = &step;
      add(step, place);
    }
    end_layer();
    return std::move(table_);
  }

 private:
  /// The line of a layer comes first, but its numbers are those of its last step.
  void begin_layer(const ModelPlace& place) {
    place_ = place;
    first_ = table_.rows.size();
    if (place.layer) table_.rows.push_back({});
  }

  void end_layer() {
    if (last_ == nullptr) return;
    end_run();
    if (!place_.layer) return;
    const bool listed = table_.rows.size() > first_ + 1 && listed_ == last_;
    if (listed) table_.rows.pop_back();
    table_.rows[first_] =
        line(place_.stack + "." + std::to_string(*place_.layer), *last_, shape_of(*last_), view_);
  }

  void add(const Step& step, const ModelPlace& place) {
    const StepRole role = step.info().role;
    const Step* weights = trace_.last_of(StepRole::Weights, *step.scope);
    if (role == StepRole::FeedForward) {
      if (run_.empty() || run_.back()->scope != step.scope) end_run();
      return run_.push_back(&step);
    }
    end_run();
    const bool only_weights = weights != nullptr && trace_.is_model() && !step.scope->name.empty();
    if (role == StepRole::Residual || (only_weights && &step != weights) || step.is_outline())
      return;
    put(step, place, shape_of(step));
    if (&step == weights)
      add_entropy(table_.rows.back(), head_entropies(trace_, step, view_), view_);
  }

  /// What lies between two residuals as one line: its last step, and how wide it is on the way.
  void end_run() {
    if (run_.empty()) return;
    const Step& last = *run_.back();
    const std::string first = shape_of(*run_.front());
    put(last, place_of(*last.scope),
        first == shape_of(last) ? first : first + " → " + shape_of(last));
    run_.clear();
  }

  void put(const Step& step, const ModelPlace& place, const std::string& shape) {
    const std::size_t outside = place.stack.size() + 1;  // of a layer: its line says which one
    const std::string number = place.layer ? std::to_string(*place.layer) : "";
    const std::string name =
        place.layer ? "  " + step.id.substr(outside + number.size() + 1) : step.id;
    table_.rows.push_back(line(name, step, shape, view_));
    listed_ = &step;
  }

  const Trace& trace_;
  const View& view_;
  Table table_{{"", translated("shape"), "min", "max", translated("entropy of heads"),
                translated("if even")},
               {},
               2};
  ModelPlace place_ = {};
  std::size_t first_ = 0;              // row of the layer
  const Step* last_ = nullptr;         // so far
  const Step* listed_ = nullptr;       // of the last row
  std::vector<const Step*> run_ = {};  // feed-forward steps that follow each other
};

/// "Parameters of these steps: 72.": how many numbers a model learned.
std::string parameters_text(const Trace& trace) {
  Index count = 0;
  for (const Step& given : trace.givens)
    count += given.info().role == StepRole::Plain ? given.value.shape().count() : 0;
  return translated("Parameters of these steps: {n}.", count);
}

/// How large the gradients of steps are on their way back; inside layers, only those of residuals
/// and attention weights.
Table backward_table(const Trace& trace, const View& view) {
  Table table{{"", translated("shape"), translated("mean size")}, {}, 2};
  for (const Step& step : trace.steps) {
    const Step* of = trace.find(owner_of_gradient(step.id));
    if (of == nullptr || of->is_no_step() || step.id != of->id + ".grad") continue;
    const StepRole role = of->info().role;
    const bool between = role == StepRole::Residual || role == StepRole::Weights;
    if (place_of(*step.scope).layer && !between) continue;
    double sum = 0.0;
    for (const double x : step.value.data()) sum += std::abs(x);
    const double mean = sum / static_cast<double>(step.value.shape().count());
    table.rows.push_back({step.id, shape_of(step), format_number(mean, format_of(view, true))});
  }
  return table;
}

}  // namespace

Document list_shapes(const Trace& shapes, const View& view) {
  Document document;
  add_opening(document, shapes, view);
  Table table{{"", translated("shape"), translated("how")}, {}, 3};
  for (const Step* step : shown_steps(shapes, view))
    table.rows.push_back({step->id, shape_of(*step), formula_in_language(shapes, *step)});
  document.blocks.push_back(std::move(table));
  document.blocks.push_back(
      Paragraph{sentences({translated("These are shapes alone: no number was read or computed."),
                           parameters_text(shapes)}),
                Role::Footer});
  return document;
}

Document summarize_model(const Trace& trace, const View& view) {
  Document document = opened(trace, view);
  document.blocks.push_back(SummaryLines(trace, view).table());
  if (Table backward = backward_table(trace, view); !backward.rows.empty()) {
    document.blocks.push_back(Title{translated(kBackward)});
    document.blocks.push_back(std::move(backward));
  }
  document.blocks.push_back(Paragraph{
      sentences({translated("The line of a layer shows its output."),
                 translated("Entropy in bits: 0 if a query looks at one key, the number under \"if "
                            "even\" if it looks at all visible keys alike."),
                 parameters_text(trace)}),
      Role::Footer});
  return document;
}

}  // namespace attn
