// Mistakes with the softcap of scores.
#include <array>
#include <string>
#include <utility>

#include "teach/mistakes/mask_parts.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

Recipes not_capped(const Wiring& w) {
  if (!w.made_by("capped_scores", "softcap")) return {};
  return {{skipped("capped_scores")}};
}

Recipes capped_after(const Wiring& w) {
  if (!is_masked_before_softmax(w) || !w.made_by("capped_scores", "softcap") || !w.has_softmax())
    return {};
  const std::string input = w.softmax_input();
  Rewiring last = from("weights", {"capped_scores"});
  last.before = {{"capped_scores",
                  find_operation("softcap"),
                  {input},
                  {{"cap", w.find("capped_scores")->parameters.number("cap")}}}};
  // or as a part of masking, if capped scores are nowhere to be seen
  Rewiring masked = instead("masked_scores", "softcap", {"masked_scores1"},
                            {{"cap", w.find("capped_scores")->parameters.number("cap")}});
  const Step& own = *w.find("masked_scores");
  masked.before = {{"masked_scores1", own.operation, {}, own.parameters}};
  for (std::size_t i = 0; i < own.inputs.size(); ++i)
    masked.before[0].inputs.push_back("{" + std::to_string(i) + "}");
  const Rewiring first{.step = "capped_scores", .left_out = true};
  return {{first, std::move(last)}, {first, std::move(masked)}};
}

constexpr std::array kSoftcapRows = {
    MistakeRow{{"softcap.missing", "softcap left out", "The scores are not bounded by the softcap.",
                "What is the largest score that the softcap allows?", "json"},
               not_capped},
    MistakeRow{{"softcap.after_mask", "softcap after the mask",
                "The softcap comes after the mask and makes −∞ finite again.", "What is tanh(−∞)?",
                "steps"},
               capped_after,
               true},
};

}  // namespace

std::span<const MistakeRow> softcap_mistakes() { return kSoftcapRows; }

}  // namespace attn
