// The files that Hugging Face keeps beside the weights of a model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/io/problem_file.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/io/tokenizer.hpp"

namespace attn {

/// A draft with the weights, and with the model, its heads and the sizes that a config.json states;
/// ids are missing. Its places are in that file. Throws Error, which names everything that would
/// make the model compute something other than what attn computes (id "not-supported").
ProblemFile read_model_config(std::string_view text, const std::string& name, ModelTensors weights);

/// The same for a GGUF file, which says all of it itself (llama, qwen2, qwen3, gemma): names and
/// layouts are those of Hugging Face, tokens have their texts. Throws Error: "not-supported",
/// "gguf-format", "dtype", "unknown-tensor".
ProblemFile read_gguf_model(TensorFile file);

/// The tokenizer of a GGUF file: byte-level BPE ("gpt2"), which splits texts as GPT-2, Llama 3,
/// Qwen 2 and 3, gpt-oss or DeepSeek V3 do. Throws Error: "not-supported" for others,
/// "gguf-format", and what Tokenizer::read throws.
Tokenizer read_gguf_tokenizer(std::string_view bytes, const std::string& name,
                              const MakeRoom& room = any_size);

/// Sets the norm of queries and keys of one layer (Qwen3, Gemma 3, OLMo 2 …) from the config.json
/// of its model: kind, offset, eps. Nothing if attn does not know the type of the model. Throws
/// Error for what is no JSON.
void read_norm_config(std::string_view text, const std::string& name, ProblemDraft& draft);

/// One attention of such a model, whose tensors' names begin with `prefix`, with the settings that
/// the configuration has for its layer; embeddings are missing. Throws Error (id "unknown-tensor").
ProblemFile attention_of_model(const ProblemFile& model, const std::string& prefix);

/// Gives a whole model without input four tokens, of which only the number counts: enough for its
/// shapes. Nothing if it has its input.
void supply_inputs(ProblemDraft& draft);

/// The texts of all tokens, by id, from a tokenizer.json or a vocab.json, as they can be shown: a
/// space is ␣, a line end \n, a byte that is not text <0xE2>.
std::vector<std::string> read_token_texts(std::string_view text, const std::string& name);

}  // namespace attn
