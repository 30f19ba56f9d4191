// What is known of the answers, and how far from them is what a candidate makes.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "attn/teach/comparison.hpp"
#include "teach/check/search.hpp"

namespace attn {
namespace {

Tensor batch_and_rows_swapped(const Tensor& t) {
  const Shape& s = t.shape();
  if (!s.batch || s.heads) return t;
  Tensor y(Shape{s.rows, std::nullopt, *s.batch, s.cols});
  for (Index b = 0; b < t.batch(); ++b) {
    for (Index r = 0; r < t.rows(); ++r) {
      const auto from = t.row(b, 0, r);
      std::copy(from.begin(), from.end(), y.row(r, 0, b).begin());
    }
  }
  return y;
}

}  // namespace

Case::Case(const Trace& the_truth, const Parts& its_parts, const Evaluation& is_right,
           const Evaluation& that_follows, std::vector<GradedAnswer>& given, Searching& searching,
           std::optional<Dtype> of_program)
    : truth(the_truth),
      parts(its_parts),
      right(is_right),
      follows(that_follows),
      answers(given),
      search(searching),
      dtype(of_program),
      is_causal(sees_only_earlier(the_truth)) {
  for (GradedAnswer& each : answers) by_id.emplace(each.step->id, &each);
}

std::vector<std::string> Case::ids() const {
  std::vector<std::string> all;
  for (const GradedAnswer& each : answers) all.push_back(each.step->id);
  return all;
}

GradedAnswer* Case::find(const std::string& id) const {
  const auto at = by_id.find(id);
  return at == by_id.end() ? nullptr : at->second;
}

Index Case::first_wrong_row(std::size_t at) const {
  const StepReport& report = answers[at].report;
  const Shape& shape = answers[at].step->value.shape();
  Index first = shape.rows;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (report.cells[i] == CellVerdict::Wrong)
      first = std::min(first, shape.cell_at(static_cast<Index>(i)).row);
  }
  return first == shape.rows ? 0 : first;
}

Tried try_out(const Case& known, const Candidate& candidate, std::size_t at, const Trying& how,
              std::vector<double>& residuals) {
  std::fill(residuals.begin(), residuals.end(), kInfinity);
  const bool axes = candidate.row->swaps_axes;
  Tried tried;
  bool hopeless = false;
  const bool part = how.first.queries != kAllRows || how.first.keys != kAllRows;
  const auto visit = [&](const std::string& id, const Tensor& made, bool anew, const Tensor*& own) {
    GradedAnswer* judged = known.find(id);
    if (judged == nullptr) return true;
    const auto i = static_cast<std::size_t>(judged - known.answers.data());
    const bool other_mask = anew && judged->step->is_given();  // the answers may show the right one
    if (how.basis == Basis::Own && judged->used() && !other_mask) own = &judged->own;
    if (!anew || (how.basis == Basis::True && i != at && !axes)) return true;
    double gap = residual(*judged, made, part, kNear);
    if (axes) gap = std::min(gap, residual(*judged, batch_and_rows_swapped(made), part, kNear));
    tried.near = tried.near || (i == at && gap < kInfinity);
    residuals[i] = judged->close.covers(gap) ? gap : kInfinity;
    if (axes) return true;
    const bool matters = judged->settled() && !judged->step->is_given();
    tried.possible = tried.possible && (residuals[i] < kInfinity || !matters);
    hopeless = hopeless || (gap == kInfinity && matters);
    return !hopeless && !(how.basis == Basis::True && i == at);
  };
  const Evaluation& base = how.basis == Basis::Own ? known.follows : known.right;
  std::vector<std::string> wanted = known.ids();
  std::set<std::string> kept;
  if (how.only_here) {
    wanted = {known.answers[at].step->id};
    for (const GradedAnswer& each : known.answers) {
      if (how.basis == Basis::Own && each.used() && !each.step->is_given())
        kept.insert(each.step->id);
    }
    kept.erase(wanted.front());
  }
  const Evaluation made(known.truth, base, candidate.change, wanted, visit, how.first, kept);
  known.search.work += made.work();
  tried.near = tried.near && !hopeless;
  return tried;
}

double residual(const GradedAnswer& judged, const Tensor& made, bool part_only, double slack) {
  const double growth = judged.growth(made);
  const Closeness close{.tolerance = slack * growth * judged.close.tolerance};
  const Answer& answer = *judged.answer;
  Shape whole = made.shape();
  if (part_only && answer.shape.size() >= 2)
    whole.rows = std::max(whole.rows, answer.shape.end()[-2]);
  if (!has_shape(answer, whole)) return kInfinity;
  const auto part = static_cast<std::size_t>(made.rows() * made.cols());
  const auto all = static_cast<std::size_t>(whole.rows * whole.cols);
  double most = part_only ? 0.0 : kInfinity;
  const NumberSpan numbers = judged.numbers(), computed = made.data();
  const auto cols = static_cast<std::size_t>(std::max<Index>(1, made.cols()));
  bool hides = false;  // whether kHides hides a key in this row: it does if another can be seen
  bool fills = false;  // whether there is nothing but a fill: any is as good
  for (std::size_t i = 0; i < computed.size(); ++i) {
    if (i % cols == 0) {
      const auto row = computed.subspan(i, cols);
      hides = std::any_of(row.begin(), row.end(), [](double x) { return x > kHides; });
      fills = !hides && std::isfinite(row.front()) &&
              std::count(row.begin(), row.end(), row.front()) == std::ssize(row);
    }
    const std::size_t at = i / part * all + i % part;
    if (judged.state(at) != CellState::Filled) continue;
    if (most == kInfinity) most = 0.0;
    const double theirs = numbers[at], ours = computed[i];
    const bool hidden = hides || (fills && std::isfinite(theirs));
    if (hidden && theirs <= kHides && ours <= kHides) continue;
    if (!close.agree(theirs, ours)) return kInfinity;
    if (std::isfinite(ours)) most = std::max(most, std::abs(theirs - ours));
  }
  return most / growth;
}

}  // namespace attn
