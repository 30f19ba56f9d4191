// What the configurations of Falcon say: it has changed its layers twice.
#include <cmath>

#include "io/models/model_types.hpp"

namespace attn {
namespace {

/// ALiBi's slopes times the scale, because Falcon adds the bias before it scales.
std::vector<double> scaled_slopes(Index d_k, Index heads) {
  AttentionSettings usual = with_defaults({}, d_k, heads);
  for (double& slope : usual.positions.slopes) slope /= std::sqrt(static_cast<double>(d_k));
  return usual.positions.slopes;
}

}  // namespace

void read_falcon(Config& config, ProblemDraft& draft) {
  const bool grouped = config.flag("new_decoder_architecture") == true;
  const bool one_key = config.flag("multi_query").value_or(true);
  if (grouped) {
    draft.kv_heads = config.count("num_kv_heads");
  } else {
    draft.kv_heads = one_key ? std::optional<Index>(1) : draft.heads;
  }
  if (!grouped && config.flag("parallel_attn") == false) draft.model->parallel_residual = false;
  if (config.flag("alibi") != true || !draft.heads) return;
  auto width = config.count("hidden_size");
  if (!width) width = config.count("n_embed");
  if (!width)
    return config.refuse(
        "alibi", "the slopes of ALiBi depend on the number of columns, but there is no hidden_size",
        "Give the config.json of the model as it is.");
  draft.positions.kind = PositionKind::Alibi;
  draft.positions.slopes = scaled_slopes(*width / *draft.heads, *draft.heads);
}

}  // namespace attn
