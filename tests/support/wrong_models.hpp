// Somebody's port of a whole model: plain loops, with a habit exchanged for a wrong one.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "support/small_models.hpp"
#include "support/wrong_attention.hpp"

namespace attn::testing {

/// What a norm works on. Blocks are batch × 1 × row × column.
struct NormWork {
  const Block& x;
  const Array& gain;
  const Array* bias;  ///< or nullptr
  bool centred;       ///< LayerNorm, not RMSNorm
  double epsilon;
};

/// How the parts of a model are made that can go wrong. What has a default is right.
struct ModelHabits {
  std::function<Block(const NormWork& work)> norm;
  /// Number `number` of its layer: `x` comes in, `branch` was made of `inner`, which is x or its
  /// norm.
  std::function<Block(int number, const Block& x, const Block& branch, const Block& inner)> add;
  std::string activation = {};            ///< "none", or the name of another
  std::set<std::string> transposed = {};  ///< "linear1" …
  std::string gate = {};      ///< "swapped", "alone": without the other layer, "none": that alone
  std::string parallel = {};  ///< the feed-forward network's norm: "own", "shared"
  void (*attention)(Spoiling& spoiling) = nullptr;  ///< spoils it
};

ModelHabits right_model_habits();

/// A layer, by the number in its ids, and that of the layer that it takes its weights from.
struct LayerRun {
  Index layer, weights;
};

/// A port in the making. `wrong` are the habits in `place`: "*", or a part of the model as
/// `attn` names it, such as "h.0", "h.0.attn", "h.0.norm1", with * for any layer.
struct ModelAttempt {
  ProblemDraft draft;
  std::string place = {};
  ModelHabits wrong = right_model_habits();
  bool other_order = false;  ///< norms after the sums instead of before, or the reverse
  bool last_norm = true;
  double embeddings_factor = 1.0;
  bool tied = false;  ///< logits by the table of the embeddings
  std::vector<LayerRun> layers = {{0, 0}, {1, 1}};
  std::set<std::string> unwritten = {};  ///< the last parts of ids that are not written down

  bool is_wrong(const std::string& part) const;
};

/// Every step that the port writes down.
Steps ported(const ModelAttempt& attempt);

using SpoilModel = std::function<void(ModelAttempt& attempt)>;

/// One way to make a mistake in a model. Several may share a code.
struct WrongModel {
  const char* code;
  std::string variant;
  SmallModel model;
  std::string place;  ///< N: the first or the second layer
  SpoilModel spoil;
};

/// Those in norms and layers, those made once in a model, and those of single attentions.
std::vector<WrongModel> wrong_norms();
std::vector<WrongModel> wrong_layers();
std::vector<WrongModel> wrong_wholes();
std::vector<WrongModel> wrong_attentions();

/// All of the above.
const std::vector<WrongModel>& wrong_models();

}  // namespace attn::testing
