// Kinds of exercises to start from.
#include "attn/exercise.hpp"

namespace attn {
namespace {

const std::vector<AskedStep> kSelf = {
    {"q", 1},       {"k", 1},     {"v", 1}, {"scores", 2}, {"scaled_scores", 1},
    {"weights", 2}, {"output", 2}};
const std::vector<AskedStep> kHeads = {
    {"q", 1},       {"k", 1},      {"v", 1},     {"scores", 1}, {"scaled_scores", 1},
    {"weights", 2}, {"concat", 1}, {"output", 2}};

}  // namespace

std::span<const ExercisePreset> exercise_presets() {
  static const std::vector<ExercisePreset> presets = {
      {"self", "self-attention, step by step", {.preset = "self", .steps = kSelf}},
      {"causal",
       "self-attention with a causal mask",
       {.preset = "causal", .masks = {"causal"}, .steps = kSelf}},
      {"multihead",
       "two heads, put together with W_o",
       {.preset = "multihead", .heads = 2, .steps = kHeads}},
      {"cross",
       "queries from one sequence, keys and values from another",
       {.preset = "cross", .memory_tokens = 5, .steps = kSelf}},
      {"softmax",
       "from scaled scores to the output",
       {.preset = "softmax",
        .qkv_given = true,
        .steps = {{"scaled_scores", 0}, {"weights", 3}, {"output", 2}}}},
      {"find-the-bug",
       "worked causal self-attention with one mistake to find",
       {.preset = "find-the-bug", .masks = {"causal"}, .steps = kSelf, .find_the_bug = true}},
  };
  return presets;
}

}  // namespace attn
