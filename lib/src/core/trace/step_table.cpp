// The table of steps: what every matrix that is computed means, found by its id.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "attn/trace.hpp"
#include "core/trace/appearances.hpp"
#include "core/trace/given_rows.hpp"
#include "core/trace/gradient_rows.hpp"
#include "core/trace/unnumbered.hpp"

namespace attn {
namespace {

// Every step, in the order of the computation: id, symbol, title, phrase, why, axes of rows
// and columns, names of rows and columns other than tokens, role, what makes it appear.
constexpr std::array kSteps = {
    StepInfo{"token_embeddings", "X_tok", "token embeddings", "a row of the table for each token",
             "A token's id picks its row of a learned table.", "token", "d_model", "", "x",
             StepRole::Plain, kTables},
    StepInfo{"position_embeddings", "X_pos", "position embeddings",
             "a row of the table for each position",
             "Attention itself ignores the order of the tokens; these learned rows add it.",
             "token", "d_model", "", "x", StepRole::Plain, kTables},
    StepInfo{
        "token_type_embeddings", "X_type", "token type embeddings",
        "which sentence a token belongs to",
        "BERT adds one row to the tokens of the first sentence, another to those of the second.",
        "token", "d_model", "", "x", StepRole::Plain, kBertModel},
    StepInfo{"embedding_sum", "X_sum", "sum of embeddings", "all embeddings of a token, added",
             "Word, position and sentence share one row; the layers learn to tell them apart.",
             "token", "d_model", "", "x", StepRole::Plain, kBertModel},
    StepInfo{"x", "X", "input", "one row per token",
             "Each token enters as a row of numbers, its embedding.", "token", "d_model", "", "x",
             StepRole::QueryInput, Appearance{"embeddings instead of q, k and v"}},
    StepInfo{"memory", "memory", "memory", "what the keys and values are made from",
             "In cross attention the keys and values come from another sequence.", "token",
             "d_model", "", "m", StepRole::KeyInput, Appearance{"\"memory\" in the problem"}},
    StepInfo{"memory_values", "memory_v", "memory for values", "what the values are made from",
             "Keys decide where to look, values what is found: they may come from different rows.",
             "token", "d_model", "", "m", StepRole::KeyInput,
             Appearance{"\"values\" in the memory"}},
    StepInfo{"positions", "P", "positions", "a wave, or a learned row, for each position",
             "Attention itself ignores the order of the tokens; this signal adds it.", "token",
             "d_model", "", "x", StepRole::Plain, kWave},
    StepInfo{"x_positioned", "X_p", "positioned input", "embedding plus position",
             "Added, not appended: the projections can still tell the two apart.", "token",
             "d_model", "", "x", StepRole::Plain, kWave},
    StepInfo{"q_latent", "C_Q", "query latents", "few numbers for each token's queries",
             "The queries of all heads are made from these few numbers.", "query", "rank", "", "c",
             StepRole::Plain, kLatents},
    StepInfo{"q_latent_normed", "C_Qn", "normed query latents", "brought to a common scale",
             "Two projections follow each other; a norm between them keeps training stable.",
             "query", "rank", "", "c", StepRole::Plain, kLatents},
    StepInfo{"kv_latent", "C_KV", "key and value latents", "all that a cache keeps of the content",
             "Keys and values of all heads are made from these few numbers, so only these need to "
             "be remembered.",
             "key", "rank", "", "c", StepRole::Plain, kLatents},
    StepInfo{"kv_latent_normed", "C_KVn", "normed key and value latents",
             "brought to a common scale",
             "Two projections follow each other; a norm between them keeps training stable.", "key",
             "rank", "", "c", StepRole::Plain, kLatents},
    StepInfo{"q", "Q", "queries", "what each token is looking for",
             "A query is the question that a token asks of every token.", "query", "features", "",
             "q"},
    StepInfo{"k_nope", "K_C", "keys without positions", "what a token is found by, wherever it is",
             "These columns are never rotated, so their projection can be moved to the queries.",
             "key", "features", "", "k", StepRole::Plain, kLatents},
    StepInfo{"k_nope_heads", "K_Ci", "keys without positions per head",
             "each head gets its columns",
             "A head compares its queries only with the keys made "
             "for it.",
             "key", "features", "", "k", StepRole::Plain, kLatents},
    StepInfo{"k_rope", "K_R", "keys for positions", "the columns that will be rotated",
             "All heads share these columns, so that a cache keeps them only once.", "key",
             "features", "", "r", StepRole::Plain, kLatents},
    StepInfo{"k", "K", "keys", "what each token offers", "A key is what a token is found by.",
             "key", "features", "", "k"},
    StepInfo{"v", "V", "values", "what each token passes on",
             "A value is what a token passes on to those that attend to it.", "key", "features", "",
             "v"},
    StepInfo{"q_heads", "Q_i", "queries per head", "each head gets its own columns of Q",
             "Several heads can look for different things at the same time.", "query", "d_k", "",
             "q", StepRole::Plain, kHeads},
    StepInfo{"k_heads", "K_i", "keys per head", "each head gets its columns of K",
             "A head compares its queries only with the keys made for it.", "key", "d_k", "", "k",
             StepRole::Plain, kHeads},
    StepInfo{"v_heads", "V_i", "values per head", "each head gets its columns of V",
             "A head mixes only the values made for it.", "key", "d_v", "", "v", StepRole::Plain,
             kHeads},
    StepInfo{"q_normed", "Q_n", "normed queries", "each brought to one size",
             "Queries of one size cannot make scores grow without bound; only their direction "
             "counts.",
             "query", "features", "", "q", StepRole::Plain, kQkNorm},
    StepInfo{"k_normed", "K_n", "normed keys", "each brought to one size",
             "Keys of one size: no key is preferred only because it is long.", "key", "features",
             "", "k", StepRole::Plain, kQkNorm},
    StepInfo{"angles", "Θ", "angles of queries", "how far each pair of columns is turned",
             "The first pairs turn fast and tell neighbours apart; the last turn slowly and tell "
             "far from near.",
             "query", "pair", "", "pair", StepRole::Plain, kAngles},
    StepInfo{"q_rotated", "Q_r", "rotated queries", "rotated by position",
             "After rotation, a score depends on how far apart query and key are, not on where "
             "they are.",
             "query", "d_k", "", "q", StepRole::Plain, kRope},
    StepInfo{"k_angles", "Θ_k", "angles of keys", "where they are not those of the queries",
             "A score depends on the difference of both angles.", "key", "pair", "", "pair",
             StepRole::Plain, kAngles},
    StepInfo{"k_rotated", "K_r", "rotated keys", "rotated by position",
             "After rotation, a score depends on how far apart query and key are, not on where "
             "they are.",
             "key", "d_k", "", "k", StepRole::Plain, kRope},
    StepInfo{"k_all", "K_all", "all keys", "cached or added keys included",
             "While generating text, a model keeps the keys of earlier tokens for reuse.", "key",
             "d_k", "", "k", StepRole::Plain, kMoreKeys},
    StepInfo{"v_all", "V_all", "all values", "cached or added values included",
             "While generating text, a model keeps the values of earlier tokens, too.", "key",
             "d_v", "", "v", StepRole::Plain, kMoreKeys},
    StepInfo{"gate_logits", "G_l", "gate before its activation", "made from the input",
             "Each token decides for itself how much of what it collects gets through.", "query",
             "features", "", "g", StepRole::Plain, kGate},
    StepInfo{"attention_gate", "G_a", "attention gate", "how much gets through",
             "A sigmoid is between 0 and 1: closed or open.", "query", "features", "", "g",
             StepRole::Plain, kGate},
    StepInfo{"scores", "S", "scores", "how well query and key match",
             "A dot product is large where a query and a key point the same way.", "query", "key",
             "", ""},
    StepInfo{
        "scaled_scores", "S′", "scaled scores", "scaled before softmax",
        "Dot products grow with d_k; unscaled, one key would often take nearly all the weight.",
        "query", "key", "", ""},
    StepInfo{"capped_scores", "S″", "capped scores", "bounded by the softcap",
             "A soft limit keeps any single score from taking over.", "query", "key", "", "",
             StepRole::Plain, Appearance{"a softcap", "softcap", "30"}},
    StepInfo{"bias", "B", "bias", "added to the scores",
             "A bias favours or discourages pairs of positions, whatever their content.", "query",
             "key", "", "", StepRole::Bias,
             Appearance{"\"bias\" in the problem, ALiBi or T5", "positions", "alibi"}},
    StepInfo{"mask", "mask", "mask", "1 = may attend, 0 = hidden",
             "A mask decides which keys a query may see.", "query", "key", "", "", StepRole::Mask,
             kMasked},
    StepInfo{"added_mask", "added", "added mask", "what is added to hide a score",
             "A score plus −∞ is −∞; plus a large negative number, it gets almost no weight.",
             "query", "key", "", "", StepRole::Plain,
             Appearance{"a mask that is added", "masking", "add"}},
    StepInfo{"masked_scores", "M", "masked scores", "what softmax sees",
             "A score of 0 would still get weight, because e^0 = 1; −∞ gets none: e^−∞ = 0.",
             "query", "key", "", "", StepRole::MaskedScores, kMasked},
    StepInfo{"sink_weights", "A_sink", "weight of the sink", "what no key gets",
             "A head that finds nothing can let most of its attention go nowhere.", "query", "1",
             "", "sink", StepRole::SinkWeights, kSinks},
    StepInfo{"row_max", "m", "row maximum", "keeps e^x from overflowing",
             "Subtracting it changes no weight: it divides numerator and denominator by e^m.",
             "query", "1", "", "m", StepRole::RowMaximum, kOpened},
    StepInfo{"exp_scores", "E", "exponentials", "never negative, and larger for larger scores",
             "The exponential leaves no score negative and turns differences into ratios.", "query",
             "key", "", "", StepRole::Exponentials, kOpened},
    StepInfo{"exp_sink", "E_sink", "exponential of the sink", "one more term of the sum",
             "The sink is a score without a key.", "query", "1", "", "sink", StepRole::Plain,
             Appearance{"sinks, and softmax in separate steps"}},
    StepInfo{"row_sum", "r", "row sum", "what each row is divided by",
             "Dividing by the sum makes each row of weights add up to 1.", "query", "1", "", "r",
             StepRole::Plain, kOpened},
    StepInfo{"weights", "A", "attention weights", "how each query shares its attention",
             "Softmax turns the scores of each query into shares that add up to 1.", "query", "key",
             "", "", StepRole::Weights},
    StepInfo{"masked_weights", "A_m", "masked weights", "hidden weights set to 0",
             "Masking after softmax leaves rows that no longer add up to 1.", "query", "key", "",
             "", StepRole::Weights, Appearance{"a mask that multiplies", "masking", "multiply"}},
    StepInfo{"renormalized_weights", "A_r", "renormalized weights", "each row adds up to 1 again",
             "Dividing by the row sum makes up for the weights that were removed.", "query", "key",
             "", "", StepRole::Weights,
             Appearance{"a mask that renormalizes", "masking", "renormalize"}},
    StepInfo{"query_masked_weights", "A_q", "query-masked weights",
             "padded queries attend to nothing",
             "A query that is only padding has no result: its row is set to zero.", "query", "key",
             "", "", StepRole::Weights, Appearance{"a mask of queries", "mask", "queries:0"}},
    StepInfo{"dropped_weights", "A_d", "dropped weights", "what dropout leaves of the weights",
             "Some weights are set to 0 at random while training; the others grow to make up for "
             "them.",
             "query", "key", "", "", StepRole::Weights, Appearance{"\"dropout\" in the problem"}},
    StepInfo{"context", "Z", "context", "each row mixes the values it attends to",
             "Each query receives a mixture of the values, weighted by its attention.", "query",
             "d_v", "", "z", StepRole::Plain, Appearance{"w_o or several heads", "heads", "2"}},
    StepInfo{"attention_gate_heads", "G_i", "gate per head",
             "each head gets its columns of the gate", "Each head has a gate of its own.", "query",
             "d_v", "", "g", StepRole::Plain, Appearance{"w_gate in the weights, and heads"}},
    StepInfo{"gated_context", "Z_g", "gated context", "the gate lets part of it through",
             "What a token does not need is held back.", "query", "d_v", "", "z", StepRole::Plain,
             kGate},
    StepInfo{"concat", "C", "heads side by side", "all heads in one row",
             "Each token collects what the heads found for it.", "query", "h·d_v", "", "c",
             StepRole::Plain, kHeads},
    StepInfo{"gated_concat", "C_g", "gated heads", "the gate lets part of them through",
             "What a token does not need is held back.", "query", "h·d_v", "", "c", StepRole::Plain,
             Appearance{"a gate on concat"}},
    StepInfo{"ungated_output", "O_u", "output before the gate", "what the gate multiplies",
             "The output projection mixes the heads first.", "query", "d_model", "", "o",
             StepRole::Plain, kGateOnOutput},
    StepInfo{"gated_output", "O_g", "gated output", "the gate lets part of it through",
             "What a token does not need is held back.", "query", "d_model", "", "o",
             StepRole::Plain, kGateOnOutput},
    StepInfo{"output", "O", "output", "what the next layer gets",
             "The result: one row per query, made from what it attended to.", "query", "d_model",
             "", "o"},
    StepInfo{"branch", "D", "branch", "what was made, times a factor",
             "A factor below 1 keeps deep models from growing with every layer.", "token",
             "d_model", "", "x", StepRole::Plain, kGranite},
    StepInfo{"residual", "R", "residual", "what came in, plus what was made of it",
             "A layer adds to its input instead of replacing it, so the input can get through.",
             "token", "d_model", "", "x", StepRole::Residual, kModel},
    StepInfo{"norm", "N", "norm", "each row brought to a common scale",
             "Without it, numbers could grow or shrink from layer to layer.", "token", "d_model",
             "", "x", StepRole::Plain, kLayers},
    StepInfo{"linear", "H", "linear layer", "each token by itself",
             "A linear layer works on each token alone: no token sees another here.", "token",
             "features", "", "f", StepRole::FeedForward, kLayers},
    StepInfo{"activation", "F", "activation", "bends what was linear",
             "With nothing but linear layers in a row, all of them would amount to one.", "token",
             "features", "", "f", StepRole::FeedForward, kLayers},
    StepInfo{"gate", "G", "gate", "one product scales the other",
             "One linear layer decides how much of the other gets through.", "token", "features",
             "", "f", StepRole::FeedForward, kGated},
    StepInfo{"router", "ρ", "router", "what each expert would be worth to a token",
             "A linear layer looks at each token and rates the experts for it.", "token", "expert",
             "", "e", StepRole::FeedForward, kExperts},
    StepInfo{"router_scores", "ρ_s", "router scores", "between 0 and 1",
             "A softmax compares the experts with each other; sigmoids rate each by itself.",
             "token", "expert", "", "e", StepRole::FeedForward, kExperts},
    StepInfo{"router_weights", "ρ_w", "router weights", "0 for all but the chosen experts",
             "Each token is computed by a few experts only, so a model can be large and fast.",
             "token", "expert", "", "e", StepRole::FeedForward, kExperts},
    StepInfo{"experts", "Y_e", "experts", "what the chosen experts make of a token, by weight",
             "Experts that a token did not choose have no share.", "token", "d_model", "", "x",
             StepRole::FeedForward, kExperts},
    StepInfo{"shared_expert", "Y_s", "shared expert", "what one expert makes of every token",
             "What all tokens need is learned once, by an expert that nobody has to choose.",
             "token", "d_model", "", "x", StepRole::FeedForward, kExperts},
    StepInfo{"mixture", "Y_m", "mixture", "chosen experts and the shared one, added",
             "The shared expert adds to what the chosen ones make.", "token", "d_model", "", "x",
             StepRole::FeedForward, kExperts},
    StepInfo{"raw_logits", "logits_r", "raw logits", "before they are scaled or capped",
             "The last linear layer compares the output with every word.", "query", "vocabulary",
             "", "v", StepRole::Plain, kChangedLogits},
    StepInfo{"logits", "logits", "logits", "a score for every word of the vocabulary",
             "The last linear layer compares the output with every word.", "query", "vocabulary",
             "", "v", StepRole::Logits, kVocabulary},
    StepInfo{"probabilities", "Y", "probabilities", "how likely each word is",
             "Softmax turns the scores of all words into shares that add up to 1.", "query",
             "vocabulary", "", "v", StepRole::Probabilities, kVocabulary},
    StepInfo{"loss", "ℓ", "loss", "−ln of the probability of the right word",
             "0 if the right word had probability 1, or if there is no label; it grows as that "
             "probability shrinks.",
             "query", "1", "", "loss", StepRole::Loss, kLabels},
    StepInfo{"mean_loss", "ℓ_mean", "mean loss", "over all labelled rows",
             "Training changes the learned matrices to make this one number smaller.", "1", "1",
             "mean", "loss", StepRole::Loss, kLabels},
    StepInfo{"mean_squared_error", "ℓ_mse", "mean squared error",
             "how far the output is from its target",
             "Training changes the learned matrices to make this one number smaller.", "1", "1",
             "mean", "loss", StepRole::Loss, Appearance{"\"target\" in the problem"}},
    StepInfo{"word_direction", "U", "direction of a word",
             "where a row must move for a logit to grow",
             "A logit is the product of the last row with this direction; with what is not linear "
             "frozen, so it is for all that was added up before.",
             "vocabulary", "d_model", "v", "x", StepRole::Plain, kContributions},
    StepInfo{"head_parts", "O_i", "what each head writes", "its columns times its rows of W_o",
             "The heads side by side times W_o are a sum over heads: each adds to the residual on "
             "its own.",
             "part", "d_model", "head", "x", StepRole::Plain, kContributions},
    StepInfo{"expert_parts", "E_i", "what each expert writes", "its result times its weight",
             "The experts that a row chose add up to what the mixture writes.", "part", "d_model",
             "expert", "x", StepRole::Plain, kContributions},
    StepInfo{"row_parts", "R_i", "parts of a row", "everything that was added up",
             "A residual is a sum: of embeddings, and of what every layer wrote.", "part",
             "d_model", "", "x", StepRole::Plain, kContributions},
    StepInfo{"raw_contributions", "L_r", "raw contributions", "before logits are scaled or capped",
             "What scales a logit scales everything that it is the sum of.", "part", "vocabulary",
             "", "v", StepRole::Contributions, kContributions},
    StepInfo{"contributions", "L", "contributions", "what each part adds to the logit",
             "A part counts if it points in the direction of the word, or against it.", "part",
             "vocabulary", "", "v", StepRole::Contributions, kContributions},
    StepInfo{"contribution_sum", "L_sum", "sum of contributions", "the logit again",
             "Nothing is left over: the parts add up to the logit.", "1", "vocabulary", "sum", "v",
             StepRole::Plain, kContributions},
    StepInfo{"w_qk", "W_QK", "QK circuit", "what a head looks for",
             "A score is a row times W_QK times another row: query and key weights matter only by "
             "their product.",
             "d_model", "d_model", "x", "x", StepRole::Plain, kCircuits},
    StepInfo{"qk_values", "σ_QK", "singular values of the QK circuit",
             "by how much it stretches a row",
             "A few large ones: the head compares rows only in a few directions.", "1", "rank",
             "QK", "σ", StepRole::SingularValues, kCircuits},
    StepInfo{"w_ov", "W_OV", "OV circuit", "what a head passes on",
             "What a head writes about a token is its row times W_OV, whoever looks at it.",
             "d_model", "d_model", "x", "x", StepRole::Plain, kCircuits},
    StepInfo{"ov_values", "σ_OV", "singular values of the OV circuit",
             "by how much it stretches a row",
             "A few large ones: the head passes on only a few directions of a row.", "1", "rank",
             "OV", "σ", StepRole::SingularValues, kCircuits},
};

const StepInfo* row_of(std::string_view id) {
  static const std::unordered_map<std::string_view, const StepInfo*> rows = [] {
    std::unordered_map<std::string_view, const StepInfo*> made;
    for (const StepInfo& row : kSteps) made.emplace(row.id, &row);
    for (const StepInfo& row : kGivens) made.emplace(row.id, &row);
    return made;
  }();
  const auto at = rows.find(id);
  return at == rows.end() ? nullptr : at->second;
}

/// The row for the last `words` words of an id, each without its number: "norm.weight" of
/// "h.0.norm1.weight".
const StepInfo* row_of_last(std::string_view id, int words) {
  std::string key;
  for (; words > 0 && !id.empty(); --words) {
    const std::size_t dot = id.rfind('.') + 1;  // npos + 1 is 0
    key = std::string(unnumbered(id.substr(dot))) + (key.empty() ? "" : ".") + key;
    id = id.substr(0, dot == 0 ? 0 : dot - 1);
  }
  return row_of(key);
}

const GradientRows& gradient_rows() {
  static const GradientRows rows = [] {
    GradientRows made;
    for (const StepInfo& row : kSteps) made.add(row);
    for (const StepInfo& row : kGivens) made.add(row);
    return made;
  }();
  return rows;
}

template <typename Rows>
std::vector<std::string> ids_of(const Rows& rows) {
  std::vector<std::string> ids;
  for (const StepInfo& row : rows) ids.emplace_back(row.id);
  return ids;
}

}  // namespace

const StepInfo* find_step_info(std::string_view id) {
  const std::string_view owner = owner_of_gradient(id);
  const std::string_view own = owner.empty() ? id : owner;
  const StepInfo* row = row_of_last(own, 2);
  if (row == nullptr) row = row_of_last(own, 1);
  return row == nullptr || owner.empty() ? row : gradient_rows().of(*row);
}

std::string_view owner_of_gradient(std::string_view id) {
  constexpr std::string_view kEnding = ".grad";
  const std::string_view whole = unnumbered(id);
  return whole.ends_with(kEnding) ? whole.substr(0, whole.size() - kEnding.size()) : "";
}

bool StepInfo::is_no_step() const {
  return gradient_of == nullptr && std::any_of(kGivens.begin(), kGivens.end(),
                                               [&](const StepInfo& row) { return &row == this; });
}

bool is_step_id(std::string_view id) {
  const StepInfo* row = find_step_info(id);
  return row != nullptr && !row->is_no_step();
}

std::vector<std::string> step_ids() { return ids_of(kSteps); }

std::vector<std::string> given_ids() { return ids_of(kGivens); }

}  // namespace attn
