// attn help models.
#include "help/topics.hpp"

namespace attn::app {

std::string models_page() {
  return R"page(attn help models - whole models: Transformers, GPT-2, BERT, Llama

A problem with "model" is a whole model: all layers, norms and feed-forward
networks. Its weights keep the names that PyTorch or Hugging Face gave them.

  kind             reads                        computes
  transformer      source, and embeddings       nn.Transformer
  encoder          embeddings                   nn.TransformerEncoder
  decoder          embeddings, and memory       nn.TransformerDecoder
  attention_only   embeddings                   attention and residuals alone
  gpt2             ids                          GPT-2, causal
  bert             ids                          BERT
  llama            ids                          Llama and Mistral, causal

  "model": {"kind": "transformer", "norm_first": true, "activation": "gelu"}
  "heads": 8, "weights": {"file": "model.safetensors"}

A folder from Hugging Face with config.json and model.safetensors is a problem,
too. attn reads token ids, which the model's own tokenizer makes from text;
--tokenizer only gives them names:

      attn explain gpt2 --ids 464,3797 --tokenizer gpt2/tokenizer.json
      attn explain model.safetensors --config config.json --ids 464,3797

A step is named by its place in the model, then by what it is:

  encoder.layers.0.self_attn.weights   or multihead_attn, for cross attention
  decoder.layers.0.norm1, h.0.norm1    what GPT-2 calls ln_1
  residual1, norm1, linear1, activation, linear2, output, logits, probabilities

--layer 0 shows one layer, --steps weights the weights of all, and --steps
"decoder.*.weights" those of the decoder: * matches any text.

  "mask"           self-attention of the target, or of the only stack
  "source_mask"    self-attention of the encoder
  "memory_mask"    cross attention, from the target to the source

"vocabulary" adds logits and probabilities, "labels" the loss: the label of a
row is the right next token; null for rows that do not count, such as <pad>.

Three samples were trained, so their attention has something to show: 15 finds
repetitions, 16 writes letters backwards, 17 translates English into French.

  attn new --sample 16-reversal -o reversal.json
  attn explain reversal.json
  attn heatmap reversal.json --overview
  attn explain reversal.json --steps probabilities,loss
  attn new --sample 15-induction -o induction.json
  attn generate induction.json --count 6

attn generate adds the most probable token, again and again. It keeps the keys
and values of earlier tokens, and counts the multiplications that this saves;
--no-cache computes these keys and values again for each token.
)page";
}

}  // namespace attn::app
