// The table of whole models.
#include "core/attention/model_run.hpp"

#include <algorithm>
#include <iterator>

namespace attn {

// To add a kind of model: its row in core/problem/model_kinds.cpp; if it does not continue text,
// its file, and two lines here.
void run_transformer(ModelRun& run);
void run_encoder(ModelRun& run);
void run_decoder(ModelRun& run);
void run_attention_only(ModelRun& run);
void run_bert(ModelRun& run);
void run_vit(ModelRun& run);
void run_encoder_decoder(ModelRun& run);
void run_language_model(ModelRun& run);

namespace {

struct Row {
  const char* kind;
  void (*run)(ModelRun& run);
};

constexpr Row kRows[] = {
    {"transformer", run_transformer},
    {"encoder", run_encoder},
    {"decoder", run_decoder},
    {"attention_only", run_attention_only},
    {"bert", run_bert},
    {"roberta", run_bert},
    {"distilbert", run_bert},
    {"modernbert", run_bert},
    {"vit", run_vit},
    {"t5", run_encoder_decoder},
    {"bart", run_encoder_decoder},
    {"whisper", run_encoder_decoder},
};

}  // namespace

void run_model(ModelRun& run) {
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& each) {
    return each.kind == std::string_view(run.kind().name);
  });
  row == std::end(kRows) ? run_language_model(run) : row->run(run);
}

}  // namespace attn
