// nn.Transformer, its encoder and its decoder: Vaswani et al. 2017, figure 1.
// Norms before or after as in Xiong et al. 2020.
#include "core/attention/blocks.hpp"

namespace attn {
namespace {

std::string decoder_stack(ModelRun& run, const std::string& name, const std::string& x,
                          const std::string& memory) {
  return run.stack(name, Side::Target, x, [&](ModelPart& layer, const std::string& input) {
    return decoder_layer(layer, input, memory);
  });
}

/// nn.Transformer has a norm after each stack, or after none.
std::string last_norm(ModelRun& run, ModelPart& stack, const std::string& x) {
  const bool some = run.has("encoder.norm.weight") || run.has("decoder.norm.weight");
  return some ? stack.norm("norm", x) : stack.norm_if_any("norm", x);
}

/// The encoder's output, unless it is known.
std::string encode(ModelRun& run, ModelPart& model) {
  if (const std::optional<Tensor> known = run.cached_memory()) return model.memory(*known);
  ModelPart encoder(run, "encoder", Side::Source);
  const std::string x = encoder.input(*run.problem().memory);
  const std::string y = run.stack("encoder.layers", Side::Source, x, block_of(run.form()));
  return model.copy("memory", last_norm(run, encoder, y));
}

/// The last hidden state, and what it predicts.
void finish(ModelPart& model, const std::string& x) {
  model.predict(model.logits_of_vocabulary(model.copy("output", x)));
}

}  // namespace

void run_transformer(ModelRun& run) {
  ModelPart model(run, ""), decoder(run, "decoder");
  const std::string memory = encode(run, model);
  const std::string x = model.input(*run.problem().x);
  finish(model, last_norm(run, decoder, decoder_stack(run, "decoder.layers", x, memory)));
}

void run_encoder(ModelRun& run) {
  ModelPart model(run, "");
  const std::string x = model.input(*run.problem().x);
  const std::string y = run.stack("layers", Side::Target, x, block_of(run.form()));
  finish(model, model.norm_if_any("norm", y));
}

void run_decoder(ModelRun& run) {
  ModelPart model(run, "");
  const std::string memory = model.memory(*run.problem().memory);
  const std::string x = model.input(*run.problem().x);
  finish(model, model.norm_if_any("norm", decoder_stack(run, "layers", x, memory)));
}

void run_attention_only(ModelRun& run) {
  ModelPart model(run, "");
  const auto layer = [](ModelPart& part, const std::string& x) {
    return part.residual(x, part.attention("self_attn", x));
  };
  finish(model, run.stack("layers", Side::Target, model.input(*run.problem().x), layer));
}

}  // namespace attn
