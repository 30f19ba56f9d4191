// What to change where a mistake was made, for people and programs that mend code.
#include <algorithm>
#include <iterator>

#include "attn/teach/mistakes.hpp"

namespace attn {
namespace {

struct Fix {
  std::string_view code;
  const char* text;
};

constexpr const char* kScale = "Divide the scores by √d_k, the width of one head, once.";
constexpr const char* kRows = "Apply softmax along the last axis, the keys of each query.";
constexpr const char* kBias = "Add the bias after the projection.";

constexpr Fix kFixes[] = {
    {"scale.missing", kScale},
    {"scale.d_model", kScale},
    {"scale.width", kScale},
    {"scale.heads", kScale},
    {"scale.tokens", kScale},
    {"scale.d_k", kScale},
    {"scale.multiplied", kScale},
    {"scale.after_softmax", "Divide the scores before softmax, not the weights after it."},
    {"softmax.columns", kRows},
    {"softmax.whole", kRows},
    {"softmax.heads", kRows},
    {"softmax.batch", kRows},
    {"softmax.single", kRows},
    {"softmax.no_keepdims",
     "Keep the axis of the row sums (keepdims=True) when you divide by them."},
    {"softmax.column_max", "Subtract the maximum of each row, and keep its axis."},
    {"softmax.no_exp", "Take e^x of the scores before you divide by the row sums."},
    {"softmax.not_normalised", "Divide each row of exponentials by its sum."},
    {"softmax.overflow", "Subtract the maximum of each row before e^x."},
    {"softmax.twice", "Apply softmax once: leave out the second one."},
    {"softmax.base_2", "Use powers of e, or multiply the scores by log₂(e) first."},
    {"softmax.base_10", "Use powers of e."},
    {"dropout.on", "Turn dropout off: call model.eval() before you compare."},
    {"mask.missing", "Set hidden scores to −∞ before softmax."},
    {"mask.after_softmax", "Set hidden scores to −∞ before softmax, not weights to 0 after it."},
    {"mask.multiplied", "Set hidden scores to −∞; do not multiply scores by the mask."},
    {"mask.added_as_is", "Add 0 where the mask shows and −∞ where it hides, not the mask itself."},
    {"mask.weak_fill", "Fill hidden scores with −∞, or with the smallest number of the type."},
    {"mask.empty_rows", "Give queries that see no key the weights that the problem asks for."},
    {"mask.inverted", "Turn the mask round: find out whether true means hidden or visible."},
    {"mask.triangle_flipped", "Hide the keys above the diagonal: keep tril, not triu."},
    {"mask.diagonal", "Let each query see its own key: begin hiding at diagonal 1."},
    {"mask.leak", "Hide the key right after each query, too: begin hiding at diagonal 1."},
    {"mask.query_rows", "Hide the columns of padded keys (mask[:, None, None, :])."},
    {"mask.alignment", "Align the mask with the last key: query i sees keys up to i + T_k − T_q."},
    {"mask.window", "Check whether the width of the window counts the query itself."},
    {"mask.wrong_item",
     "Give every batch entry its own mask; repeat masks for heads within an entry."},
    {"softcap.missing", "Bound the scores: softcap·tanh(S / softcap), before the mask."},
    {"softcap.after_mask", "Apply the softcap before the mask."},
    {"projection.q_transposed", "Multiply by W_q as it is stored: x @ W or x @ W.T."},
    {"projection.k_transposed", "Multiply by W_k as it is stored: x @ W or x @ W.T."},
    {"projection.v_transposed", "Multiply by W_v as it is stored: x @ W or x @ W.T."},
    {"projection.transposed", "Multiply by the weights as they are stored: x @ W or x @ W.T."},
    {"keys.not_transposed", "Swap the last two axes of K: q @ k.transpose(-2, -1)."},
    {"scores.transposed", "Multiply queries by keys: q @ k.transpose(-2, -1)."},
    {"scores.query_value", "Make the scores with the keys, not the values."},
    {"scores.query_query", "Make the scores with the keys, not the queries."},
    {"queries_keys.swapped", "Exchange W_q and W_k."},
    {"keys_values.swapped", "Exchange W_k and W_v."},
    {"projection.fused_cut", "Cut the fused matrix in the order in which its rows are stored."},
    {"keys.from_w_q", "Make the keys with W_k."},
    {"values.from_w_k", "Make the values with W_v."},
    {"values.unprojected", "Multiply the input by W_v."},
    {"context.weights_transposed", "Multiply the weights by the values: A @ V, rows are queries."},
    {"bias.missing_q", kBias},
    {"bias.missing_k", kBias},
    {"bias.missing_v", kBias},
    {"bias.missing_o", kBias},
    {"bias.missing", kBias},
    {"cross.swapped", "Make queries from X, and keys and values from the memory."},
    {"cross.self", "Make keys and values from the memory."},
    {"axes.batch_token", "Put the batch axis where the code expects it (batch_first=True)."},
    {"heads.split_reshaped", "Split into T × heads × d_k first, then swap tokens and heads."},
    {"heads.merge_reshaped", "Swap heads and tokens back before you reshape."},
    {"heads.interleaved", "Give each head a block of neighbouring columns: view(T, heads, d_k)."},
    {"heads.input_sliced", "Project the whole input, then split the result into heads."},
    {"heads.averaged", "Put the heads side by side; ask for the weights of each head."},
    {"heads.summed", "Put the heads side by side; do not add them up."},
    {"heads.order", "Put the heads side by side in the order in which they were split."},
    {"heads.single", "Split queries, keys and values into heads."},
    {"output.w_o_missing", "Multiply the heads side by side by W_o."},
    {"output.w_o_transposed", "Multiply by W_o as it is stored: x @ W or x @ W.T."},
    {"kv_heads.tiled", "Repeat each key/value head in place: repeat_interleave, not repeat."},
    {"rope.pairs", "Pair the columns as the model was trained: halves, or neighbours."},
    {"rope.base", "Use the base (rope_theta) of the configuration."},
    {"rope.one_side", "Rotate queries and keys."},
    {"rope.missing", "Rotate queries and keys before the scores."},
    {"rope.scaling",
     "Stretch the angles as rope_scaling (rope_parameters) of the configuration says."},
    {"positions.missing", "Add the positions to the embeddings."},
    {"positions.halves",
     "Alternate sines and cosines: sines in even columns, cosines in odd ones."},
    {"alibi.slopes", "Use the slopes of the ALiBi paper, one for each head, in order."},
    {"alibi.sign", "Subtract the slope times the distance."},
};

}  // namespace

const char* mistake_fix(std::string_view code) {
  const auto at = std::find_if(std::begin(kFixes), std::end(kFixes),
                               [&](const Fix& row) { return row.code == code; });
  return at == std::end(kFixes) ? "" : at->text;
}

}  // namespace attn
