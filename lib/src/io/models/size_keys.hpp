// The keys of sizes in the configurations of families.
#pragma once

#include "io/models/model_types.hpp"

namespace attn {

inline constexpr SizeKey kGpt2Sizes[] = {{"layers", "n_layer"},
                                         {"d_model", "n_embd"},
                                         {"vocabulary", "vocab_size"},
                                         {"positions", "n_positions"},
                                         {"feed-forward", "n_inner"}};
inline constexpr SizeKey kBertSizes[] = {
    {"layers", "num_hidden_layers"},       {"d_model", "hidden_size"},
    {"vocabulary", "vocab_size"},          {"positions", "max_position_embeddings"},
    {"feed-forward", "intermediate_size"}, {"token types", "type_vocab_size"}};
inline constexpr SizeKey kDistilBertSizes[] = {{"layers", "n_layers"},
                                               {"d_model", "dim"},
                                               {"vocabulary", "vocab_size"},
                                               {"positions", "max_position_embeddings"},
                                               {"feed-forward", "hidden_dim"}};
inline constexpr SizeKey kLlamaSizes[] = {{"layers", "num_hidden_layers"},
                                          {"d_model", "hidden_size"},
                                          {"vocabulary", "vocab_size"},
                                          {"feed-forward", "intermediate_size"},
                                          {"head size", "head_dim"}};
inline constexpr SizeKey kMixtralSizes[] = {
    {"layers", "num_hidden_layers"},  {"d_model", "hidden_size"},
    {"vocabulary", "vocab_size"},     {"head size", "head_dim"},
    {"experts", "num_local_experts"}, {"expert size", "intermediate_size"}};
inline constexpr SizeKey kQwenMoeSizes[] = {
    {"layers", "num_hidden_layers"},
    {"d_model", "hidden_size"},
    {"vocabulary", "vocab_size"},
    {"feed-forward", "intermediate_size"},
    {"head size", "head_dim"},
    {"experts", "num_experts"},
    {"expert size", "moe_intermediate_size"},
    {"shared expert size", "shared_expert_intermediate_size"}};
inline constexpr SizeKey kDeepSeekSizes[] = {{"layers", "num_hidden_layers"},
                                             {"d_model", "hidden_size"},
                                             {"vocabulary", "vocab_size"},
                                             {"feed-forward", "intermediate_size"},
                                             {"experts", "n_routed_experts"},
                                             {"expert size", "moe_intermediate_size"},
                                             {"latent columns of keys", "kv_lora_rank"},
                                             {"latent columns of queries", "q_lora_rank"}};
inline constexpr SizeKey kVitSizes[] = {{"layers", "num_hidden_layers"},
                                        {"d_model", "hidden_size"},
                                        {"feed-forward", "intermediate_size"}};
inline constexpr SizeKey kBloomSizes[] = {
    {"layers", "n_layer"}, {"d_model", "hidden_size"}, {"vocabulary", "vocab_size"}};
inline constexpr SizeKey kOptSizes[] = {{"layers", "num_hidden_layers"},
                                        {"d_model", "hidden_size"},
                                        {"vocabulary", "vocab_size"},
                                        {"feed-forward", "ffn_dim"}};

inline constexpr SizeKey kT5Sizes[] = {
    {"encoder layers", "num_layers"}, {"decoder layers", "num_decoder_layers"},
    {"d_model", "d_model"},           {"vocabulary", "vocab_size"},
    {"feed-forward", "d_ff"},         {"head size", "d_kv"}};
inline constexpr SizeKey kBartSizes[] = {{"encoder layers", "encoder_layers"},
                                         {"decoder layers", "decoder_layers"},
                                         {"d_model", "d_model"},
                                         {"vocabulary", "vocab_size"},
                                         {"feed-forward", "decoder_ffn_dim"},
                                         {"encoder feed-forward", "encoder_ffn_dim"}};

}  // namespace attn
