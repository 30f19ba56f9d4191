// Inputs for a model whose shapes alone are asked for.
#include <algorithm>
#include <string>

#include "attn/hugging_face.hpp"
#include "core/problem/model_kinds.hpp"

namespace attn {
namespace {

constexpr Index kTokens = 4;

/// Rows of zeros, as wide as the first norm of a layer.
Array rows_for(const ProblemDraft& draft, const ModelKind& kind) {
  const std::string end = "." + kind.module("norm1") + ".weight";
  const auto norm = std::find_if(draft.model_weights.begin(), draft.model_weights.end(),
                                 [&](const auto& each) { return each.first.ends_with(end); });
  const bool found = norm != draft.model_weights.end() && norm->second.shape.size() == 1;
  const Index width = found ? norm->second.shape[0] : 1;
  return {{kTokens, width}, std::vector<double>(static_cast<std::size_t>(kTokens * width))};
}

}  // namespace

void supply_inputs(ProblemDraft& draft) {
  const ModelKind* kind = draft.model ? find_model_kind(draft.model->kind) : nullptr;
  if (kind == nullptr) return;
  const std::vector<std::vector<Index>> ids{std::vector<Index>(kTokens, 0)};
  if (kind->starts_from_ids(draft) && draft.ids.empty()) draft.ids = ids;
  if (!kind->reads_ids() && !draft.has_rows()) draft.embeddings = rows_for(draft, *kind);
  if (kind->encodes() && !draft.source) {
    draft.source.emplace();
    if (kind->reads_ids() && *kind->not_computed == '\0') {
      draft.source->ids = ids;
    } else {
      draft.source->embeddings = rows_for(draft, *kind);
    }
  }
}

}  // namespace attn
