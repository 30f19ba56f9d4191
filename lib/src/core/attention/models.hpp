// Whole models, each as short as its diagram.
#pragma once

#include "core/attention/model_run.hpp"

namespace attn {

/// Records every step of the model that the problem names.
void run_model(ModelRun& run);

void run_transformer(ModelRun& run);
void run_encoder(ModelRun& run);
void run_decoder(ModelRun& run);
void run_attention_only(ModelRun& run);
void run_gpt2(ModelRun& run);
void run_bert(ModelRun& run);
void run_llama(ModelRun& run);

}  // namespace attn
