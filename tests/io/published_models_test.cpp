// Published models unlike Llama: an outline needs their configuration and shapes alone.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "io/published_model.hpp"

namespace attn::testing {
namespace {

std::vector<PublishedModel> others() {
  return {
      {"gpt2", R"({"activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"],
         "bos_token_id": 50256, "eos_token_id": 50256, "layer_norm_epsilon": 1e-05,
         "model_type": "gpt2", "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12,
         "n_positions": 1024, "summary_type": "cls_index", "vocab_size": 50257})",
       tensors_of("wte 50257x768\n wpe 1024x768\n +ln_f 768\n +h.{12}.ln_1 768\n +h.{12}.ln_2 768\n"
                  "h.{12}.attn.c_attn 768x2304\n h.{12}.attn.c_attn.bias! 2304\n"
                  "+h.{12}.attn.c_proj 768x768\n h.{12}.mlp.c_fc 768x3072\n"
                  "h.{12}.mlp.c_fc.bias! 3072\n h.{12}.mlp.c_proj 3072x768\n"
                  "h.{12}.mlp.c_proj.bias! 768"),
       124439808, 50257, "h.11.attn"},
      {"phi-2", R"({"model_type": "phi", "architectures": ["PhiForCausalLM"],
         "attention_dropout": 0.0, "embd_pdrop": 0.0, "hidden_act": "gelu_new",
         "hidden_size": 2560, "intermediate_size": 10240, "layer_norm_eps": 1e-05,
         "max_position_embeddings": 2048, "num_attention_heads": 32, "num_hidden_layers": 32,
         "num_key_value_heads": 32, "partial_rotary_factor": 0.4, "qk_layernorm": false,
         "rope_scaling": null, "rope_theta": 10000.0, "tie_word_embeddings": false,
         "vocab_size": 51200})",
       tensors_of("model.embed_tokens 51200x2560\n +model.final_layernorm 2560\n"
                  "+lm_head 51200x2560\n +model.layers.{32}.self_attn.q_proj 2560x2560\n"
                  "+model.layers.{32}.self_attn.k_proj 2560x2560\n"
                  "+model.layers.{32}.self_attn.v_proj 2560x2560\n"
                  "+model.layers.{32}.self_attn.dense 2560x2560\n"
                  "+model.layers.{32}.mlp.fc1 10240x2560\n +model.layers.{32}.mlp.fc2 2560x10240\n"
                  "+model.layers.{32}.input_layernorm 2560"),
       2779683840, 51200, "layers.31.self_attn"},
      {"Phi-3-mini-4k", R"({"model_type": "phi3", "attention_bias": false, "hidden_act": "silu",
         "hidden_size": 3072, "intermediate_size": 8192, "max_position_embeddings": 4096,
         "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32,
         "original_max_position_embeddings": 4096, "rms_norm_eps": 1e-05, "rope_scaling": null,
         "rope_theta": 10000.0, "sliding_window": 2047, "tie_word_embeddings": false,
         "vocab_size": 32064})",
       tensors_of("model.embed_tokens 32064x3072\n model.norm 3072\n lm_head 32064x3072\n"
                  "model.layers.{32}.self_attn.qkv_proj 9216x3072\n"
                  "model.layers.{32}.self_attn.o_proj 3072x3072\n"
                  "model.layers.{32}.mlp.gate_up_proj 16384x3072\n"
                  "model.layers.{32}.mlp.down_proj 3072x8192\n"
                  "model.layers.{32}.input_layernorm 3072\n"
                  "model.layers.{32}.post_attention_layernorm 3072"),
       3821079552, 32064, "layers.31.self_attn"},
      {"pythia-160m", R"({"model_type": "gpt_neox", "hidden_act": "gelu", "hidden_size": 768,
         "intermediate_size": 3072, "layer_norm_eps": 1e-05, "max_position_embeddings": 2048,
         "num_attention_heads": 12, "num_hidden_layers": 12, "rotary_emb_base": 10000,
         "rotary_pct": 0.25, "tie_word_embeddings": false, "use_parallel_residual": true,
         "vocab_size": 50304})",
       tensors_of("gpt_neox.embed_in 50304x768\n +gpt_neox.final_layer_norm 768\n"
                  "embed_out 50304x768\n +gpt_neox.layers.{12}.attention.query_key_value 2304x768\n"
                  "+gpt_neox.layers.{12}.attention.dense 768x768\n"
                  "+gpt_neox.layers.{12}.mlp.dense_h_to_4h 3072x768\n"
                  "+gpt_neox.layers.{12}.mlp.dense_4h_to_h 768x3072\n"
                  "+gpt_neox.layers.{12}.input_layernorm 768\n"
                  "+gpt_neox.layers.{12}.post_attention_layernorm 768"),
       162322944, 50304, "layers.11.attention"},
      {"opt-125m", R"({"model_type": "opt", "_remove_final_layer_norm": false,
         "activation_function": "relu", "do_layer_norm_before": true, "ffn_dim": 3072,
         "hidden_size": 768, "max_position_embeddings": 2048, "num_attention_heads": 12,
         "num_hidden_layers": 12, "pad_token_id": 1, "vocab_size": 50272,
         "word_embed_proj_dim": 768})",
       tensors_of("model.decoder.embed_tokens 50272x768\n model.decoder.embed_positions 2050x768\n"
                  "+model.decoder.final_layer_norm 768\n"
                  "+model.decoder.layers.{12}.self_attn.q_proj 768x768\n"
                  "+model.decoder.layers.{12}.self_attn.k_proj 768x768\n"
                  "+model.decoder.layers.{12}.self_attn.v_proj 768x768\n"
                  "+model.decoder.layers.{12}.self_attn.out_proj 768x768\n"
                  "+model.decoder.layers.{12}.fc1 3072x768\n"
                  "+model.decoder.layers.{12}.fc2 768x3072\n"
                  "+model.decoder.layers.{12}.self_attn_layer_norm 768\n"
                  "+model.decoder.layers.{12}.final_layer_norm 768"),
       125239296, 50272, "decoder.layers.11.self_attn"},
      {"bloom-560m", R"({"model_type": "bloom", "apply_residual_connection_post_layernorm": false,
         "layer_norm_epsilon": 1e-05, "masked_softmax_fusion": true, "n_embed": 1024, "n_head": 16,
         "n_layer": 24, "pretraining_tp": 1, "vocab_size": 250880})",
       tensors_of("word_embeddings 250880x1024\n +word_embeddings_layernorm 1024\n +ln_f 1024\n"
                  "+h.{24}.self_attention.query_key_value 3072x1024\n"
                  "+h.{24}.self_attention.dense 1024x1024\n +h.{24}.mlp.dense_h_to_4h 4096x1024\n"
                  "+h.{24}.mlp.dense_4h_to_h 1024x4096\n +h.{24}.input_layernorm 1024\n"
                  "+h.{24}.post_attention_layernorm 1024"),
       559214592, 250880, "h.23.self_attention"},
      {"ModernBERT-base", R"({"model_type": "modernbert", "attention_bias": false,
         "decoder_bias": true, "global_attn_every_n_layers": 3, "global_rope_theta": 160000.0,
         "hidden_activation": "gelu", "hidden_size": 768, "intermediate_size": 1152,
         "local_attention": 128, "local_rope_theta": 10000.0, "max_position_embeddings": 8192,
         "mlp_bias": false, "norm_bias": false, "norm_eps": 1e-05, "num_attention_heads": 12,
         "num_hidden_layers": 22, "position_embedding_type": "absolute", "vocab_size": 50368})",
       [] {
         ModelTensors all = tensors_of(
             "model.embeddings.tok_embeddings 50368x768\n model.embeddings.norm 768\n"
             "model.final_norm 768\n head.dense 768x768\n head.norm 768\n decoder.bias! 50368\n"
             "model.layers.{22}.attn_norm 768\n model.layers.{22}.attn.Wqkv 2304x768\n"
             "model.layers.{22}.attn.Wo 768x768\n model.layers.{22}.mlp_norm 768\n"
             "model.layers.{22}.mlp.Wi 2304x768\n model.layers.{22}.mlp.Wo 768x1152");
         all.erase("model.layers.0.attn_norm.weight");
         return all;
       }(),
       149655232, 50368, "layers.21.attn"},
      {"vit-base-patch16-224", R"({"model_type": "vit", "hidden_act": "gelu", "hidden_size": 768,
         "image_size": 224, "intermediate_size": 3072, "layer_norm_eps": 1e-12,
         "num_attention_heads": 12, "num_channels": 3, "num_hidden_layers": 12, "patch_size": 16,
         "qkv_bias": true})",
       tensors_of("vit.embeddings.cls_token! 1x1x768\n"
                  "vit.embeddings.position_embeddings! 1x197x768\n"
                  "+vit.embeddings.patch_embeddings.projection 768x3x16x16\n"
                  "+vit.encoder.layer.{12}.attention.attention.query 768x768\n"
                  "+vit.encoder.layer.{12}.attention.attention.key 768x768\n"
                  "+vit.encoder.layer.{12}.attention.attention.value 768x768\n"
                  "+vit.encoder.layer.{12}.attention.output.dense 768x768\n"
                  "+vit.encoder.layer.{12}.intermediate.dense 3072x768\n"
                  "+vit.encoder.layer.{12}.output.dense 768x3072\n"
                  "+vit.encoder.layer.{12}.layernorm_before 768\n"
                  "+vit.encoder.layer.{12}.layernorm_after 768\n +vit.layernorm 768\n"
                  "+classifier 1000x768"),
       86567656, 768, "encoder.layer.11.attention"},
  };
}

std::vector<PublishedModel> encoder_decoders() {
  const auto t5 = [](int layers, int d, int inner, int ff, int heads, const std::string& gates,
                     const std::string& more) {
    const auto n = [](int i) { return std::to_string(i); };
    std::string lines = "shared 32128x" + n(d) + "\n" + more;
    for (const char* stack : {"encoder", "decoder"}) {
      const bool decodes = stack[0] == 'd';
      const std::string block = std::string(stack) + ".block.{" + n(layers) + "}.layer.";
      const std::vector<std::string> parts =
          decodes ? std::vector<std::string>{"SelfAttention", "EncDecAttention"}
                  : std::vector<std::string>{"SelfAttention"};
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string part = block + n(static_cast<int>(i)) + ".";
        for (const char* name : {"q", "k", "v"})
          lines += part + parts[i] + "." + name + " " + n(inner) + "x" + n(d) + "\n";
        lines += part + parts[i] + ".o " + n(d) + "x" + n(inner) + "\n" + part + "layer_norm " +
                 n(d) + "\n";
      }
      const std::string last = block + n(static_cast<int>(parts.size())) + ".";
      std::istringstream stream(gates);
      for (std::string gate; stream >> gate;)
        lines += last + "DenseReluDense." + gate + " " + n(ff) + "x" + n(d) + "\n";
      lines += last + "DenseReluDense.wo " + n(d) + "x" + n(ff) + "\n" + last + "layer_norm " +
               n(d) + "\n" + stack + ".final_layer_norm " + n(d) + "\n" + stack +
               ".block.0.layer.0.SelfAttention.relative_attention_bias 32x" + n(heads) + "\n";
    }
    return tensors_of(lines);
  };
  const auto bart = [](const std::string& prefix, int layers, int d, int ff, bool k_bias,
                       const std::string& more) {
    const auto n = [](int i) { return std::to_string(i); };
    std::string lines = more;
    for (const char* stack : {"encoder", "decoder"}) {
      const std::string layer = prefix + stack + ".layers.{" + n(layers) + "}.";
      for (const char* part : {"self_attn", "encoder_attn"}) {
        if (stack[0] == 'e' && part[0] == 'e') continue;
        for (const char* name : {"q", "k", "v", "out"})
          lines += (name[0] == 'k' && !k_bias ? "" : "+") + layer + part + "." + name + "_proj " +
                   n(d) + "x" + n(d) + "\n";
        lines += "+" + layer + part + "_layer_norm " + n(d) + "\n";
      }
      lines += "+" + layer + "fc1 " + n(ff) + "x" + n(d) + "\n+" + layer + "fc2 " + n(d) + "x" +
               n(ff) + "\n+" + layer + "final_layer_norm " + n(d) + "\n";
    }
    return tensors_of(lines);
  };
  return {
      {"t5-small", R"({"architectures": ["T5ForConditionalGeneration"], "d_ff": 2048, "d_kv": 64,
         "d_model": 512, "decoder_start_token_id": 0, "dropout_rate": 0.1, "eos_token_id": 1,
         "initializer_factor": 1.0, "is_encoder_decoder": true, "layer_norm_epsilon": 1e-06,
         "model_type": "t5", "n_positions": 512, "num_heads": 8, "num_layers": 6,
         "output_past": true, "pad_token_id": 0, "relative_attention_num_buckets": 32,
         "vocab_size": 32128})",
       t5(6, 512, 512, 2048, 8, "wi",
          "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias 32x8\n"),
       60506880, 32128, "decoder.block.5.layer.1.EncDecAttention"},
      {"flan-t5-small", R"({"d_ff": 1024, "d_kv": 64, "d_model": 512, "dense_act_fn": "gelu_new",
         "feed_forward_proj": "gated-gelu", "is_encoder_decoder": true, "is_gated_act": true,
         "layer_norm_epsilon": 1e-06, "model_type": "t5", "n_positions": 512,
         "num_decoder_layers": 8, "num_heads": 6, "num_layers": 8,
         "relative_attention_max_distance": 128, "relative_attention_num_buckets": 32,
         "tie_word_embeddings": false, "vocab_size": 32128})",
       t5(8, 512, 384, 1024, 6, "wi_0 wi_1", "lm_head 32128x512\n"), 76961152, 32128,
       "encoder.block.7.layer.0.SelfAttention"},
      {"bart-base", R"({"activation_dropout": 0.1, "activation_function": "gelu",
         "add_bias_logits": false, "add_final_layer_norm": false, "d_model": 768,
         "decoder_attention_heads": 12, "decoder_ffn_dim": 3072, "decoder_layers": 6,
         "decoder_start_token_id": 2, "encoder_attention_heads": 12, "encoder_ffn_dim": 3072,
         "encoder_layers": 6, "is_encoder_decoder": true, "max_position_embeddings": 1024,
         "model_type": "bart", "normalize_before": false, "normalize_embedding": true,
         "num_hidden_layers": 6, "pad_token_id": 1, "scale_embedding": false,
         "vocab_size": 50265})",
       bart("", 6, 768, 3072, true,
            "shared 50265x768\n encoder.embed_positions 1026x768\n decoder.embed_positions "
            "1026x768\n +encoder.layernorm_embedding 768\n +decoder.layernorm_embedding 768\n"),
       139420416, 50265, "decoder.layers.5.encoder_attn"},
      {"whisper-tiny", R"({"activation_function": "gelu", "d_model": 384,
         "decoder_attention_heads": 6, "decoder_ffn_dim": 1536, "decoder_layers": 4,
         "encoder_attention_heads": 6, "encoder_ffn_dim": 1536, "encoder_layers": 4,
         "is_encoder_decoder": true, "max_source_positions": 1500, "max_target_positions": 448,
         "model_type": "whisper", "num_hidden_layers": 4, "num_mel_bins": 80,
         "scale_embedding": false, "vocab_size": 51865})",
       bart("model.", 4, 384, 1536, false,
            "+model.encoder.conv1 384x80x3\n +model.encoder.conv2 384x384x3\n"
            "model.encoder.embed_positions 1500x384\n +model.encoder.layer_norm 384\n"
            "model.decoder.embed_tokens 51865x384\n model.decoder.embed_positions 448x384\n"
            "+model.decoder.layer_norm 384\n"),
       37760640, 51865, "encoder.layers.3.self_attn"},
  };
}

}  // namespace

TEST_CASE("published models: outlines of the others") {
  check_outlines(others());
  check_outlines(encoder_decoders());
}

}  // namespace attn::testing
