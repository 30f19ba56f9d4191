// The table of whole models.
#include "core/attention/models.hpp"

#include <algorithm>
#include <iterator>

namespace attn {
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
    {"gpt2", run_gpt2},
    {"bert", run_bert},
    {"llama", run_llama},
};

}  // namespace

void run_model(ModelRun& run) {
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& each) {
    return each.kind == std::string_view(run.kind().name);
  });
  row->run(run);
}

}  // namespace attn
