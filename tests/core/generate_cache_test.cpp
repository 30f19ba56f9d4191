// Generating with a cache and without, on random whole models.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "attn/generate.hpp"
#include "support/compare.hpp"
#include "support/random_model.hpp"

namespace attn::testing {
namespace {

/// Keeps only the masks that hide the same keys from a row, whatever comes before or after it.
void keep_steady_masks(std::vector<MaskSpec>& masks) {
  const auto is_unsteady = [](const MaskSpec& mask) {
    const std::string name = mask.kind->name;
    return name != "none" && name != "keys" && name != "padding";
  };
  masks.erase(std::remove_if(masks.begin(), masks.end(), is_unsteady), masks.end());
}

/// Turns a random model into one that can generate; false if that is impossible.
bool prepare(ProblemDraft& draft) {
  const bool words = draft.vocabulary && !draft.embedding_table.empty();
  const bool one = draft.ids.size() < 2 && draft.tokens.size() < 2;
  if (!one || draft.model->kind == "bert" || (draft.ids.empty() && !words)) return false;
  keep_steady_masks(draft.masks);
  keep_steady_masks(draft.memory_masks);
  draft.masks.push_back(parse_mask("causal"));
  draft.masking = MaskingMode::Replace;
  draft.empty_row = EmptyRow::Zero;
  draft.allowed.reset();
  draft.bias.reset();
  draft.key_lengths.clear();
  for (auto& [name, array] : draft.weights) {  // room for more tokens
    if (!name.ends_with("wpe.weight")) continue;
    const std::vector<double> rows = array.data;
    for (int n = 0; n < 4; ++n) array.data.insert(array.data.end(), rows.begin(), rows.end());
    array.shape[0] *= 5;
  }
  return true;
}

}  // namespace

TEST_CASE("generate: random models choose the same tokens with a cache and without") {
  int models = 0;
  for (std::uint64_t seed = 0; seed < 210; ++seed) {
    CAPTURE(seed);
    ProblemDraft draft = random_model(seed);
    if (!prepare(draft)) continue;
    const Generation with = generate(draft, {.count = 4, .cache = true});
    const Generation without = generate(draft, {.count = 4, .cache = false});
    REQUIRE(with.tokens.size() == without.tokens.size());
    for (std::size_t n = 0; n < with.tokens.size(); ++n) {
      CHECK(with.tokens[n].token == without.tokens[n].token);
      CHECK(close(without.tokens[n].probability, with.tokens[n].probability));
    }
    ++models;
  }
  CHECK(models > 50);
}

TEST_CASE(
    "generate: each weight is read once where all fit in half the memory, else for each token") {
  int models = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    ProblemDraft draft = random_model(seed);
    if (!prepare(draft) || !draft.model_weights.empty()) continue;
    const Generation usual = generate(draft, {.count = 3});
    std::map<std::string, int> reads;
    for (auto& [name, array] : std::exchange(draft.weights, {})) {
      const auto read = [&reads, name = name, array = array] {
        ++reads[name];
        return array;
      };
      draft.model_weights[name] = {array.shape, read};
    }
    const auto most_reads = [&] {
      reads.clear();
      const Generation made = generate(draft, {.count = 3});
      for (std::size_t n = 0; n < made.tokens.size(); ++n)
        CHECK(made.tokens[n].probability == usual.tokens[n].probability);
      int most = 0;
      for (const auto& [name, count] : reads) most = std::max(most, count);
      return most;
    };
    if (usual.tokens.size() < 2 || draft.model_weights.empty()) continue;
    CHECK(most_reads() == 1);
    double bytes = 0.0;
    for (const auto& [name, tensor] : draft.model_weights)
      bytes += 8.0 * static_cast<double>(tensor.read().data.size());
    draft.max_memory = 1e5 + 1.9 * bytes;
    if (draft.max_memory / 2 < bytes) CHECK(most_reads() > 1);
    ++models;
  }
  CHECK(models > 10);
}

}  // namespace attn::testing
