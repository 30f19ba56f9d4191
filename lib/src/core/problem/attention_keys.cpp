// One row for each key that only an attention reads.
#include "core/problem/attention_keys.hpp"

namespace attn {
namespace {

using Draft = ProblemDraft;

bool says_norm(const QkNorm& norm) {
  return norm.is_given || norm.eps || norm.offset || norm.after != QkNormAfter::Projection;
}

constexpr AttentionKey kKeys[] = {
    {"mask", true, true, [](const Draft& d) { return !d.masks.empty(); }},
    {"allowed", true, true, [](const Draft& d) { return d.allowed.has_value(); }},
    {"bias", true, true, [](const Draft& d) { return d.bias.has_value(); }},
    {"key_lengths", true, true, [](const Draft& d) { return !d.key_lengths.empty(); }},
    {"softcap", true, true, [](const Draft& d) { return d.softcap.has_value(); }},
    {"sinks", true, true, [](const Draft& d) { return d.sinks.has_value(); }},
    {"past", true, false, [](const Draft& d) { return d.past.has_value(); }},
    {"scale", true, true, [](const Draft& d) { return d.scale != ScaleRule(); }},
    {"score", true, true, [](const Draft& d) { return d.score != ScoreKind::Dot; }},
    {"normalize", true, true, [](const Draft& d) { return d.normalize != NormalizeKind::Softmax; }},
    {"qk_norm", true, true, [](const Draft& d) { return says_norm(d.qk_norm); }},
    {"heads", false, true, [](const Draft& d) { return d.heads.has_value(); }},
    {"kv_heads", false, true, [](const Draft& d) { return d.kv_heads.has_value(); }},
    {"attention_gate", false, true, [](const Draft& d) { return d.attention_gate.has_value(); }},
    {"align", false, true, [](const Draft& d) { return d.align != Align::Start; }},
    {"masking", false, true,
     [](const Draft& d) { return d.masking != MaskingMode::Replace || d.mask_before_scale; }},
    {"fill", false, true, [](const Draft& d) { return d.fill.has_value(); }},
    {"empty_row", false, true, [](const Draft& d) { return d.empty_row != EmptyRow::Zero; }},
    {"vocabulary", false, true, [](const Draft& d) { return d.vocabulary.has_value(); }},
    {"attention_weights", false, false,
     [](const Draft& d) { return d.attention_weights.has_value(); }},
    {"dropout", false, false, [](const Draft& d) { return d.dropout.has_value(); }},
    {"target", false, false, [](const Draft& d) { return d.target.has_value(); }},
    {"fused", false, false, [](const Draft& d) { return d.fused != FusedKind::ByName; }},
    {"add_zero_attn", false, false, [](const Draft& d) { return d.add_zero_attn; }},
};

}  // namespace

std::span<const AttentionKey> attention_keys() { return kKeys; }

}  // namespace attn
