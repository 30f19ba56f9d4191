// What the lesson on masks asks: which tokens are padding, and how that is found.
#include <algorithm>

#include "teach/lessons/lesson_settings.hpp"
#include "teach/lessons/scene.hpp"

namespace attn {
namespace {

/// The tokens that the problem calls padding.
std::vector<double> padding_of(const SharedTrace& padded) {
  std::vector<double> found;
  for (Index j = 0; j < weights_of(padded).cols(); ++j) {
    if (padded->value("mask").at({0, 0, 0, j}) == 0.0) found.push_back(static_cast<double>(j));
  }
  return found;
}

/// The tokens that the problem calls padding; if those are none or all, the last one.
LessonValue padding_tokens(Scene& scene, const Arguments&) {
  const std::vector<double> found = padding_of(scene.computed_with("mask=padding"));
  const Index n = scene.trace()->settings().n_keys;
  if (found.empty() || std::ssize(found) == n) return number_value(n - 1);
  return list_value(found);
}

/// Whether rows of zeros are found as padding, whatever their tokens are; −1 for a problem without
/// a list of embeddings and tokens.
LessonValue finds_zero_rows(Scene& scene, const Arguments& a) {
  ProblemDraft draft = scene.changed("mask=padding");
  if (!draft.embeddings || draft.embeddings->shape.size() != 2 || draft.tokens.size() != 1)
    return number_value(-1.0);
  const Index d = draft.embeddings->shape[1];
  for (std::string& token : draft.tokens[0]) token = "word";
  const auto pads = numbers_of(a[0]).data();
  for (const double pad : pads)
    std::fill_n(draft.embeddings->data.begin() + static_cast<Index>(pad) * d, d, 0.0);
  const std::vector<double> hidden = padding_of(computed(draft));  // other rows may be 0 as well
  return number_value(std::includes(hidden.begin(), hidden.end(), pads.begin(), pads.end()) ? 1.0
                                                                                            : 0.0);
}

constexpr LessonFunction kOfMasks[] = {
    {"padding_tokens", 0, 0, padding_tokens},
    {"finds_zero_rows", 1, 1, finds_zero_rows},
};

}  // namespace

std::span<const LessonFunction> functions_of_masks() { return kOfMasks; }

}  // namespace attn
