// Whole models against the oracle, on random models.

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "support/compare.hpp"
#include "support/derivations.hpp"
#include "support/model_oracle.hpp"
#include "support/random_model.hpp"

namespace attn::testing {
namespace {

constexpr std::uint64_t kModels = 490;

/// The first step in which the trace differs from what it should hold, by its absence, by being
/// there without reason, or in its numbers; empty if none does.
std::string first_wrong_model_step(const Steps& expected, const Trace& trace) {
  for (const Step& step : trace.steps) {
    const auto entry = expected.find(step.id);
    if (entry == expected.end()) return step.id + " is not expected";
    const std::string difference = first_difference(entry->second, step.value);
    if (!difference.empty()) return step.id + " " + difference;
  }
  for (const auto& [id, numbers] : expected) {
    if (trace.find(id) == nullptr) return id + " is missing";
  }
  return "";
}

/// How often each option occurs, by its name.
void count_options(const ProblemDraft& draft, std::map<std::string, int>& counts) {
  const ModelDraft& model = *draft.model;
  ++counts[model.kind];
  ++counts[model.norm_first ? "norm first" : "norm last"];
  ++counts["activation " + model.activation];
  ++counts[model.layer_norm_eps ? "epsilon" : "usual epsilon"];
  ++counts["heads " + std::to_string(*draft.heads)];
  ++counts["empty row " + std::to_string(static_cast<int>(draft.empty_row))];
  ++counts["scale " + std::to_string(static_cast<int>(draft.scale.kind))];
  ++counts[draft.softcap ? "softcap" : "no softcap"];
  ++counts[draft.allowed ? "allowed" : "no allowed"];
  ++counts[draft.bias ? "bias" : "no bias"];
  ++counts[draft.key_lengths.empty() ? "no key lengths" : "key lengths"];
  ++counts[draft.mask_before_scale ? "mask before scale" : "mask after scale"];
  ++counts["masking " + std::to_string(static_cast<int>(draft.masking))];
  ++counts[draft.kv_heads ? "shared keys" : "keys of their own"];
  ++counts[draft.embeddings && draft.embeddings->rank() == 3 ? "batch" : "no batch"];
  ++counts[draft.ids.size() > 1 ? "batch of ids" : "no batch of ids"];
  ++counts[draft.embedding_table.empty() ? "rows" : "table"];
  ++counts[draft.positions.kind == PositionKind::None ? "no positions" : "positions"];
  ++counts[draft.labels.empty() ? "no labels" : "labels"];
  ++counts[draft.vocabulary ? "vocabulary" : "no vocabulary"];
  ++counts[draft.weights.count("lm_head.weight") > 0 ? "untied" : "tied"];
  ++counts[draft.masks.empty() ? "no mask" : "mask"];
  for (const MaskSpec& mask : draft.masks) ++counts["mask " + std::string(mask.kind->name)];
  for (const MaskSpec& mask : draft.source_masks) {
    ++counts["source mask " + std::string(mask.kind->name)];
  }
  for (const MaskSpec& mask : draft.memory_masks) {
    ++counts["memory mask " + std::string(mask.kind->name)];
  }
  bool norm = false, bias = false, prefix = false;
  for (const auto& [name, array] : draft.weights) {
    norm = norm || name.ends_with("norm.weight");
    bias = bias || name.ends_with("bias");
    for (const char* start : {"transformer.", "bert.", "model."}) {
      prefix = prefix || name.starts_with(start);
    }
  }
  ++counts[norm ? "last norm" : "no last norm"];
  ++counts[bias ? "biases" : "no biases"];
  ++counts[prefix ? "prefix" : "no prefix"];
}

}  // namespace

TEST_CASE("model oracle: every step of random models agrees with plain loops" *
          doctest::test_suite("long")) {
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    CAPTURE(seed);
    const ProblemDraft draft = random_model(seed);
    CHECK_MESSAGE(first_wrong_model_step(model_oracle(draft), attend(make_problem(draft))) == "",
                  draft.model->kind);
  }
}

TEST_CASE("model oracle: the arithmetic of every cell of random models gives that cell again") {
  for (std::uint64_t seed = 0; seed < kModels; seed += 10) {
    CAPTURE(seed);
    ProblemDraft draft = random_model(seed);
    draft.empty_row = EmptyRow::Zero;
    const Trace trace = attend(make_problem(draft));
    for (const Step& step : trace.steps) CHECK(first_wrong_derivation(trace, step) == "");
  }
}

TEST_CASE("model oracle: every kind, every option and every kind of mask occurs") {
  std::map<std::string, int> counts;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) count_options(random_model(seed), counts);
  CHECK(counts.size() == 88);
  for (const auto& option : counts) {
    CAPTURE(option.first);
    CHECK(option.second >= 5);
  }
}

}  // namespace attn::testing
