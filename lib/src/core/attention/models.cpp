// The plans by which whole models run.
#include <array>

#include "core/attention/model_run.hpp"

namespace attn {

// To add a kind of model: its row in core/problem/model_kinds.cpp; if it does not run like another,
// its file, its ModelPlan, and two lines here.
void run_language_model(ModelRun& run);
void run_transformer(ModelRun& run);
void run_encoder(ModelRun& run);
void run_decoder(ModelRun& run);
void run_attention_only(ModelRun& run);
void run_bert(ModelRun& run);
void run_vit(ModelRun& run);
void run_encoder_decoder(ModelRun& run);
void run_part(ModelRun& run);

namespace {

/// In the order of ModelPlan.
constexpr std::array kPlans = {
    run_language_model, run_transformer, run_encoder,         run_decoder, run_attention_only,
    run_bert,           run_vit,         run_encoder_decoder, run_part};

}  // namespace

void run_model(ModelRun& run) { kPlans[static_cast<std::size_t>(run.kind().plan)](run); }

}  // namespace attn
