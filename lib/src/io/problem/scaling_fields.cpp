// The keys of positions/scaling: Hugging Face's "rope_scaling" or "rope_parameters" as it is.
#include <algorithm>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "io/problem/field_kinds.hpp"
#include "io/problem/field_row.hpp"

namespace attn {
namespace {

using json::Members;
using json::Value;
using json::Writer;
using Draft = ProblemDraft;
using S = RopeScaling;

constexpr char kScalingPath[] = "positions/scaling/";
constexpr KeyKind kFactorList{.whole = kNumbers, .item = kCell, .form = {1, 1}};

template <auto member>
constexpr KeyField scaling_field() {
  return field<&Draft::positions, &Positions::scaling, member>();
}

/// The object itself; or, where each type of layer has one, the only one of them.
const Value in_layers(const Value& value) {
  const auto* members = std::get_if<Members>(&value.node.value);
  const auto is_object = [](const json::Member& each) {
    return std::holds_alternative<Members>(each.value.value);
  };
  if (!members || members->empty() || !std::all_of(members->begin(), members->end(), is_object))
    return value;
  if (members->size() == 1)
    return {value.file, members->front().value,
            json::child_pointer(value.pointer, members->front().key)};
  std::vector<std::string> layers;
  for (const json::Member& each : *members) layers.push_back(each.key);
  throw input_error({.id = "positions",
                     .what = filled("there are objects for {}, but this is one attention",
                                    listed(layers, layers.size())),
                     .places = {{.pointer = value.pointer}},
                     .fix = "Give one of these objects."});
}

void read_kind(const Value& value, const ProblemKey&, Draft& draft) {
  const std::string& word = json::read_text(value);
  draft.positions.scaling->kind = word == "su"  // the first name of longrope
                                      ? RopeScalingKind::LongRope
                                      : parse_word<RopeScalingKind>(word, value.pointer);
}

void write_scaling_kind(Writer& out, std::string_view key, const Draft& draft) {
  out.add(key, word_of(draft.positions.scaling->kind));
}

void read_scaling(const Value& value, const ProblemKey&, Draft& draft) {
  read_rope_scaling(value, draft);
}

void write_scaling(Writer& out, std::string_view key, const Draft& draft) {
  if (!draft.positions.scaling) return;
  out.key(key).object([&] { write_keys(out, kScalingPath, draft); });
}

constexpr ProblemKey kScalingKeys[] = {
    {.path = "positions/scaling", .kind = kObjectKind, .field = {read_scaling, write_scaling}},
    {.path = "positions/scaling/rope_type",
     .kind = kWordKind,
     .field = {read_kind, write_scaling_kind}},
    {.path = "positions/scaling/type",
     .kind = kWordKind,
     .field = {read_kind, [](Writer&, std::string_view, const Draft&) {}}},
    {.path = "positions/scaling/rope_theta",
     .kind = kPositive,
     .field = scaling_field<&S::rope_theta>()},
    {.path = "positions/scaling/partial_rotary_factor",
     .kind = kPositive,
     .field = scaling_field<&S::partial_rotary_factor>()},
    {.path = "positions/scaling/factor", .kind = kPositive, .field = scaling_field<&S::factor>()},
    {.path = "positions/scaling/attention_factor",
     .kind = kPositive,
     .field = scaling_field<&S::attention_factor>()},
    {.path = "positions/scaling/mscale", .kind = kCellKind, .field = scaling_field<&S::mscale>()},
    {.path = "positions/scaling/mscale_all_dim",
     .kind = kCellKind,
     .field = scaling_field<&S::mscale_all_dim>()},
    {.path = "positions/scaling/beta_fast",
     .kind = kPositive,
     .field = scaling_field<&S::beta_fast>()},
    {.path = "positions/scaling/beta_slow",
     .kind = kPositive,
     .field = scaling_field<&S::beta_slow>()},
    {.path = "positions/scaling/truncate",
     .kind = kFlagKind,
     .field = scaling_field<&S::truncate>()},
    {.path = "positions/scaling/low_freq_factor",
     .kind = kPositive,
     .field = scaling_field<&S::low_freq_factor>()},
    {.path = "positions/scaling/high_freq_factor",
     .kind = kPositive,
     .field = scaling_field<&S::high_freq_factor>()},
    {.path = "positions/scaling/short_factor",
     .kind = kFactorList,
     .field = scaling_field<&S::short_factor>()},
    {.path = "positions/scaling/long_factor",
     .kind = kFactorList,
     .field = scaling_field<&S::long_factor>()},
    {.path = "positions/scaling/max_position_embeddings",
     .kind = kHeadCount,
     .field = scaling_field<&S::max_position_embeddings>()},
    {.path = "positions/scaling/original_max_position_embeddings",
     .kind = kHeadCount,
     .field = scaling_field<&S::original_max_position_embeddings>()},
};

}  // namespace

void read_rope_scaling(const Value& value, ProblemDraft& draft) {
  const Value own = in_layers(value);
  draft.positions.scaling.emplace();
  read_keys(own, kScalingPath, draft);
}

std::span<const ProblemKey> scaling_keys() { return kScalingKeys; }

}  // namespace attn
