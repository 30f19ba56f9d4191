// Takes the weights of all heads apart, and makes them small.
#include "render/pictures/thumbnails.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attn/error.hpp"
#include "render/story/steps/statistics.hpp"

namespace attn {
namespace {

/// The rows or columns of a matrix of `n` that place `i` of `places` covers.
std::pair<Index, Index> covered(Index i, Index places, Index n) {
  const Index first = i * n / places;
  return {first, std::max(first + 1, (i + 1) * n / places)};
}

}  // namespace

std::vector<KindOfHeads> kinds_of(const Trace& trace, const View& view) {
  std::vector<KindOfHeads> kinds;
  for (const auto& scope : trace.scopes) {
    const Step* weights = trace.last_of(StepRole::Weights, *scope);
    const ModelPlace place = place_of(*scope);
    if (weights == nullptr || (view.layer && place.layer && place.layer != view.layer)) continue;
    const std::string name =
        place.layer ? place.stack + ".N." + place.module : std::string(weights->info().title);
    const auto same = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const KindOfHeads& kind) { return kind.name == name; });
    if (same == kinds.end()) {
      kinds.push_back({name, {weights}});
    } else {
      same->weights.push_back(weights);
    }
  }
  if (!kinds.empty()) return kinds;
  throw Error(ErrorKind::Usage, {{.id = "no-such-step",
                                  .what = "there are no attention weights to show",
                                  .fix = "Give a problem, or a trace with all its steps."}});
}

HeatPanel thumbnail(const Step& step, const HiddenCells& hidden, Cell at, Index rows, Index cols) {
  HeatPanel small;
  small.grid.shares = true;
  small.grid.row_labels.resize(static_cast<std::size_t>(rows));
  small.grid.col_labels.resize(static_cast<std::size_t>(cols));
  const Tensor& t = step.value;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c) {
      const auto [top, bottom] = covered(r, rows, t.rows());
      const auto [left, right] = covered(c, cols, t.cols());
      double sum = 0.0;
      bool all_hidden = true;
      for (at.row = top; at.row < bottom; ++at.row) {
        for (at.col = left; at.col < right; ++at.col) {
          sum += t.at(at);
          all_hidden = all_hidden && t.at(at) == 0.0 && hidden(at);
        }
      }
      const double mean = sum / static_cast<double>(bottom - top);
      const HeatMark mark = std::isnan(mean) ? HeatMark::NotANumber
                            : all_hidden     ? HeatMark::Hidden
                                             : HeatMark::None;
      small.places.push_back({std::clamp(mean, 0.0, 1.0), mark});
    }
  }
  return small;
}

}  // namespace attn
