// Encoder-decoders as Hugging Face saves them: T5, BART and Whisper.
// Raffel et al. 2020, Lewis et al. 2020, Radford et al. 2023; Whisper from what its convolutions
// make.
#include "core/attention/blocks.hpp"

namespace attn {
namespace {

std::string last_norm(ModelPart& stack, const std::string& x) {
  return stack.names("norm") ? stack.norm("norm", x) : x;
}

/// The encoder's output, unless it is known.
std::string encoded(ModelRun& run, ModelPart& model) {
  if (const std::optional<Tensor> known = run.cached_memory()) return model.memory(*known);
  ModelPart encoder(run, "encoder", Side::Source);
  const std::string x =
      run.stack(run.kind().encoder_stack, Side::Source, encoder.embeddings(), block_of(run.form()));
  return model.copy("memory", last_norm(encoder, x));
}

}  // namespace

void run_encoder_decoder(ModelRun& run) {
  ModelPart model(run, ""), decoder(run, "decoder");
  model.table("token_table");  // both stacks look it up, and logits are made by it
  const std::string memory = encoded(run, model);
  const std::string x = run.stack(
      run.kind().stack, Side::Target, decoder.embeddings(),
      [&](ModelPart& layer, const std::string& in) { return decoder_layer(layer, in, memory); });
  model.predict(model.logits(model.copy("output", last_norm(decoder, x))));
}

}  // namespace attn
