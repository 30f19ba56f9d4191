// Kinds of exercises to start from.
#include "attn/teach/exercise.hpp"

namespace attn {
namespace {

std::vector<ExercisePreset> all_presets() {
  const std::vector<AskedStep> self = {
      {"q", 1},       {"k", 1},     {"v", 1}, {"scores", 2}, {"scaled_scores", 1},
      {"weights", 2}, {"output", 2}};
  const std::vector<AskedStep> heads = {
      {"q", 1},       {"k", 1},      {"v", 1},     {"scores", 1}, {"scaled_scores", 1},
      {"weights", 2}, {"concat", 1}, {"output", 2}};
  return {
      {"self", "self-attention, step by step", {.preset = "self", .steps = self}},
      {"causal",
       "self-attention with a causal mask",
       {.preset = "causal", .masks = {"causal"}, .steps = self}},
      {"multihead",
       "two heads, put together with W_o",
       {.preset = "multihead", .heads = 2, .steps = heads}},
      {"cross",
       "queries from one sequence, keys and values from another",
       {.preset = "cross", .memory_tokens = 5, .steps = self}},
      {"softmax",
       "from scaled scores to the output",
       {.preset = "softmax",
        .qkv_given = true,
        .steps = {{"scaled_scores", 0}, {"weights", 3}, {"output", 2}}}},
      {"find-the-bug",
       "worked causal self-attention with one mistake to find",
       {.preset = "find-the-bug",
        .masks = {"causal"},
        .steps = {{"scores"}, {"scaled_scores"}, {"weights"}, {"output"}},
        .find_the_bug = true}},
      {"inverse",
       "which queries give these weights? whatever fits is right",
       {.preset = "inverse",
        .tokens = 3,
        .d_k = 4,
        .qkv_given = true,
        .blanks = {.share = 0.75},
        .steps = {{"q", 3}, {"weights", 0}},
        .inverse = true}},
  };
}

}  // namespace

std::span<const ExercisePreset> exercise_presets() {
  static const std::vector<ExercisePreset> presets = all_presets();
  return presets;
}

}  // namespace attn
