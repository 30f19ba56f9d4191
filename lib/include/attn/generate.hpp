// Generating text: a token after the other, each fed back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attn/problem.hpp"

namespace attn {

/// One token that was generated.
struct GeneratedToken {
  Index id = 0, runner_up = 0;         ///< columns of the logits
  std::string token, runner_up_token;  ///< their words, or their ids
  double probability = 0.0, runner_up_probability = 0.0;
  double multiplications = 0.0;                ///< of numbers, in matrix products, for this token
  double multiplications_without_cache = 0.0;  ///< the same without the cache of keys and values
};

/// Why there are no more tokens.
enum class GenerationEnd {
  Count,      ///< there are as many as were asked for
  EndToken,   ///< the last one is an end token
  Positions,  ///< the model has no position for another one
};

struct Generation {
  std::vector<std::string> prompt;  ///< what it began with
  std::vector<GeneratedToken> tokens;
  GenerationEnd end = GenerationEnd::Count;
  std::vector<std::string> notes = {};      ///< why nothing could be kept, how tokens were drawn
  std::vector<Index> prompt_ids = {};       ///< of models that read ids
  std::string prompt_text = {}, text = {};  ///< of the prompt, and of all tokens; or empty
};

/// How a token is drawn from those that are probable.
struct TokenDraw {
  double temperature = 1.0;  ///< probabilities p become p^(1/t), up to a factor; at 0 the best wins
  Index top_k = 0;           ///< only from that many; 0: from all
  std::uint64_t seed = 0;    ///< the same seed draws the same tokens everywhere
};

struct GenerateOptions {
  Index count = 10;  ///< at most this many tokens
  /// Keys and values of earlier tokens are kept, not computed again, unless masks or ways of hiding
  /// change what earlier tokens see as the text grows.
  bool cache = true;
  std::optional<TokenDraw> draw = {};  ///< without it, the most probable token is taken
};

/// Lets a whole model choose the most probable token after those of the problem, until an end
/// token, the last position that the model has, or `count` of them; of two that are equally
/// probable, the first. Or draws each token, as `options.draw` says.
/// Throws what make_problem and attend throw, and Error (ids "not-supported", "missing-key") for
/// what cannot generate: a single attention, BERT, several batch entries, masks or a bias of a
/// fixed size, no vocabulary, no table to look new tokens up in, self-attention that sees later
/// tokens; id "not-finite" if probabilities are not numbers.
Generation generate(const ProblemDraft& draft, const GenerateOptions& options = {});

}  // namespace attn
