// Changes that lessons make to a problem.
#include "teach/lessons/changes.hpp"

#include <algorithm>
#include <cmath>

#include "attn/attend.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "core/masks/mask_words.hpp"
#include "core/tensor/slices.hpp"

namespace attn {

void mask_only(ProblemDraft& draft) {
  draft.masks.clear();
  draft.allowed.reset();
  draft.bias.reset();
  draft.key_lengths.clear();
  draft.align = Align::Start;
  draft.masking = MaskingMode::Replace;
  draft.fill.reset();
  draft.mask_before_scale = false;
  draft.empty_row = EmptyRow::Zero;
}

std::string what_is_set_aside(const Telling& lesson, const std::string& used_mask,
                              const std::string& also) {
  if (!lesson.is_own()) return "";
  const ProblemDraft& draft = lesson.draft();
  std::vector<std::string> parts;
  for (const MaskSpec& mask : draft.masks) {
    if (mask.text != used_mask && mask.text != "none")
      parts.push_back(translated("its mask \"{mask}\"", mask_in_words(mask.text)));
  }
  const bool adds_keys = draft.add_zero_attn || draft.weights.contains("bias_k");
  const bool usual_way =
      draft.masking == MaskingMode::Replace && !draft.fill && !draft.mask_before_scale;
  if (draft.allowed) parts.push_back(translated("its matrix \"allowed\""));
  if (!draft.key_lengths.empty()) parts.push_back(translated("its key lengths"));
  if (draft.bias) parts.push_back(translated("its bias"));
  if (adds_keys) parts.push_back(translated("the keys that it adds"));
  if (!usual_way) parts.push_back(translated("its way of hiding scores"));
  if (!also.empty()) parts.push_back(also);
  if (parts.empty()) return "";
  return sentences({translated("This lesson sets masks of its own."),
                    translated("It leaves out these parts of your problem: {parts}.",
                               separated(parts, translated(", ")))});
}

std::string causal_option(const ProblemDraft& draft) {
  return draft.masks.size() == 1 && draft.masks[0].text == "causal" ? "" : " --mask causal";
}

SharedTrace computed(const ProblemDraft& draft) {
  return std::make_shared<const Trace>(attend(make_problem(draft)));
}

const Step& weights_step(const Trace& trace) {
  if (const Step* weights = trace.last_weights()) return *weights;
  throw LessonFault{"this computation has no attention weights"};
}

const Tensor& weights_of(const SharedTrace& trace) { return weights_step(*trace).value; }

double entropy(std::span<const double> weights) {
  double bits = 0.0;
  for (const double w : weights) bits -= w > 0.0 ? w * std::log2(w) : 0.0;
  return bits;
}

}  // namespace attn
