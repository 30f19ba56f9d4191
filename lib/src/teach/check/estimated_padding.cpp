// Padding read off the answers: how many of the last keys each batch entry hides.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "teach/check/estimated_fill.hpp"
#include "teach/mistakes/mask_parts.hpp"

namespace attn {
namespace {

/// Whether that hides a key: a weight of 0, or a score that leaves none.
bool hides(double x, bool weights) { return weights ? x == 0.0 : x < -1e4; }

/// How many of the last columns are hidden in each batch entry, in all of its rows and heads.
std::vector<Index> last_hidden(const Tensor& theirs, bool weights) {
  std::vector<Index> counts;
  for (Index b = 0; b < theirs.batch(); ++b) {
    Index visible = 0;  // up to the last that somebody sees
    for (Index h = 0; h < theirs.heads(); ++h) {
      for (Index r = 0; r < theirs.rows(); ++r) {
        const auto row = theirs.row(b, h, r);
        Index last = theirs.cols();
        while (last > 0 && hides(row[static_cast<std::size_t>(last - 1)], weights)) --last;
        visible = std::max(visible, last);
      }
    }
    counts.push_back(theirs.cols() - visible);
  }
  return counts;
}

/// The other padding that an attention shows, or none. Where all entries hide as many keys,
/// `mask.other_side` tries that anyway.
std::optional<Recipe> read_padding(const Case& known, const Part& part) {
  const Wiring w(part.alone);
  if (!w.has("mask") || !part.alone.scope().visibility || w.settings().batch < 2) return {};
  if (!MaskParts(part.alone).hides_keys()) return {};
  for (const char* id : {"masked_scores", "weights"}) {
    const GradedAnswer* judged = w.has(id) ? known.find(part.whole_id(id)) : nullptr;
    if (judged == nullptr || !judged->theirs || !judged->answer->states.empty()) continue;
    const std::vector<Index> counts = last_hidden(*judged->theirs, id == std::string("weights"));
    if (std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) == counts.end())
      continue;
    Recipe recipe = last_keys_hidden(w, counts);
    if (!recipe.empty()) return recipe;
  }
  return {};
}

}  // namespace

std::vector<Candidate> estimated_paddings(const Case& known) {
  std::vector<Candidate> all;
  for (const Part& part : known.parts.of(PartKind::Attention)) {
    std::optional<Recipe> recipe = read_padding(known, part);
    if (!recipe) continue;
    all.push_back({find_mistake_row("mask.other_side"),
                   {.recipe = part.lifted(std::move(*recipe))},
                   part.name});
    all.back().fitted = part.alone.settings().batch;
  }
  return all;
}

}  // namespace attn
