// What holds for every whole model, whatever its numbers.

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "attn/attend.hpp"
#include "support/compare.hpp"
#include "support/random_model.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

constexpr std::uint64_t kRandomModels = 210;

/// Makes the last token another one.
void change_last_token(ProblemDraft& draft) {
  if (draft.ids.empty()) {
    draft.embeddings->data.back() += 0.75;
    return;
  }
  Index& id = draft.ids[0].back();
  id = id == 0 ? 1 : id - 1;
}

/// How many rows of entry 0 of the output differ, the last one aside.
Index changed_earlier_rows(const Tensor& before, const Tensor& after) {
  Index count = 0;
  for (Index i = 0; i + 1 < before.rows(); ++i) {
    bool same = true;
    for (Index j = 0; j < before.cols(); ++j) {
      same = same && before.at({0, 0, i, j}) == after.at({0, 0, i, j});
    }
    count += same ? 0 : 1;
  }
  return count;
}

/// Swaps rows `a + i` and `b + i` of a matrix for every i below `count`, or such columns.
void swap_blocks(Array& matrix, bool columns, Index a, Index b, Index count) {
  const Index width = matrix.rank() == 1 ? 1 : matrix.shape[1];
  const Index others = columns ? matrix.shape[0] : width;
  for (Index i = 0; i < count; ++i) {
    for (Index n = 0; n < others; ++n) {
      const Index one = columns ? n * width + a + i : (a + i) * width + n;
      const Index other = columns ? n * width + b + i : (b + i) * width + n;
      std::swap(matrix.data.at(static_cast<std::size_t>(one)),
                matrix.data.at(static_cast<std::size_t>(other)));
    }
  }
}

/// Swaps the first and the last head of the self-attention of an nn.* stack's layer 0.
void swap_heads(ProblemDraft& draft) {
  const Index heads = *draft.heads;
  for (auto& [name, array] : draft.weights) {
    if (name.find("layers.0.self_attn.") == name.npos) continue;
    const bool inward = name.find("in_proj") != name.npos;
    if (!inward && name.ends_with("bias")) continue;
    const Index d = inward ? array.shape[0] / 3 : array.shape[1];
    const Index d_k = d / heads;
    for (Index part = 0; part < (inward ? 3 : 1); ++part) {
      swap_blocks(array, !inward, part * d, part * d + d - d_k, d_k);
    }
  }
}

/// Only entry `b` of an array with a batch axis, without that axis.
void keep_entry(std::optional<Array>& array, Index b) {
  if (!array || array->rank() != 3) return;
  const Index size = array->shape[1] * array->shape[2];
  array = Array{{array->shape[1], array->shape[2]},
                {array->data.begin() + b * size, array->data.begin() + (b + 1) * size}};
}

template <typename Lists>
void keep_list(Lists& lists, Index b) {
  if (lists.size() > 1) lists = {lists[static_cast<std::size_t>(b)]};
}

/// The problem of batch entry `b` alone.
ProblemDraft alone(ProblemDraft draft, Index b) {
  keep_entry(draft.embeddings, b);
  keep_list(draft.tokens, b);
  keep_list(draft.labels, b);
  if (!draft.key_lengths.empty()) {
    draft.key_lengths = {draft.key_lengths[static_cast<std::size_t>(b)]};
  }
  for (auto* other : {&draft.source, &draft.memory}) {
    if (!*other) continue;
    keep_list((*other)->tokens, b);
    std::optional<Array> rows = (*other)->embeddings;
    keep_entry(rows, b);
    (*other)->embeddings = *rows;
  }
  return draft;
}

/// Without whatever hides keys or shifts scores.
void clear_masks(ProblemDraft& draft) {
  draft.masks.clear();
  draft.allowed.reset();
  draft.bias.reset();
  draft.key_lengths.clear();
}

/// Whether some mask names its keys by their tokens.
bool names_tokens(const ProblemDraft& draft) {
  for (const auto* masks : {&draft.masks, &draft.source_masks, &draft.memory_masks}) {
    for (const MaskSpec& mask : *masks) {
      const bool named = !mask.arguments.empty() && mask.arguments[0].find_first_of("0123456789");
      if (named) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("model: with a causal mask the last token changes no earlier row of the output") {
  int models = 0;
  for (std::uint64_t seed = 0; seed < kRandomModels; ++seed) {
    CAPTURE(seed);
    ProblemDraft draft = random_model(seed);
    if (!draft.embeddings && draft.ids.empty()) continue;
    if (draft.embeddings && draft.embeddings->rank() == 3) continue;
    draft.masking =
        MaskingMode::Replace;  // weights set to 0 after softmax still depend on all keys
    draft.empty_row = EmptyRow::Zero;
    const bool bidirectional = draft.model->kind == "bert";
    clear_masks(draft);
    if (draft.ids.empty()) draft.masks = {parse_mask("causal")};
    ProblemDraft changed = draft;
    change_last_token(changed);
    const Tensor before = trace_of(draft).value("output");
    const Tensor after = trace_of(changed).value("output");
    const bool saturated = before.cols() == 2;  // a norm of two numbers leaves only their signs
    if (before.rows() < 2 || saturated) continue;
    CHECK(before.data() != after.data());
    CHECK(changed_earlier_rows(before, after) == (bidirectional ? before.rows() - 1 : 0));
    ++models;
  }
  CHECK(models > 50);
}

TEST_CASE("model: heads that trade places in the projections leave the output as it was") {
  int models = 0;
  for (std::uint64_t seed = 0; seed < kRandomModels; ++seed) {
    CAPTURE(seed);
    ProblemDraft draft = random_model(seed);
    draft.allowed.reset();  // it may differ from head to head
    if (!draft.ids.empty() || *draft.heads == 1 || draft.empty_row == EmptyRow::Nan) continue;
    ProblemDraft swapped = draft;
    swap_heads(swapped);
    const Trace before = trace_of(draft), after = trace_of(swapped);
    CHECK(first_difference(before.value("output"), after.value("output")) == "");
    const std::string id = (draft.source ? "decoder." : "") + std::string("layers.0.self_attn.q");
    CHECK(first_difference(before.value(id), after.value(id)) != "");
    ++models;
  }
  CHECK(models > 50);
}

TEST_CASE("model: each entry of a batch comes out as it does alone") {
  int entries = 0;
  for (std::uint64_t seed = 0; seed < kRandomModels; ++seed) {
    CAPTURE(seed);
    const ProblemDraft draft = random_model(seed);
    if (!draft.embeddings || draft.embeddings->rank() != 3 || names_tokens(draft)) continue;
    const Trace batch = trace_of(draft);
    for (Index b = 0; b < draft.embeddings->shape[0]; ++b) {
      const Trace single = trace_of(alone(draft, b));
      for (const Step& step : single.steps) {
        if (step.id == "mean_loss") continue;
        const Tensor& whole = batch.value(step.id);
        const auto size = static_cast<std::ptrdiff_t>(step.value.data().size());
        REQUIRE(static_cast<std::ptrdiff_t>(whole.data().size()) >= size * (b + 1));
        const Array entry{step.value.shape().sizes(),
                          {whole.data().begin() + b * size, whole.data().begin() + (b + 1) * size}};
        CHECK(first_difference(entry, step.value) == "");
      }
      ++entries;
    }
  }
  CHECK(entries > 50);
}

}  // namespace attn::testing
